// @module-tag long
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AwsCall, type FaultProxy, startFaultProxy } from '../../faults/support/fault-proxy.ts';
import { eventually } from '../../support/eventually.ts';
import { signIn } from '../../support/operator.ts';
import { requests } from '../../support/simulator.ts';
import { tableClient } from '../../support/table.ts';
import { useTestGateway } from '../../support/use-gateway.ts';
import { keyWith } from '../api/keys.ts';
import { approvalRows, approvalTools, WRITING } from './support.ts';

/** A step of a run that is written to the table. */
const step =
  (state: string) =>
  ({ caller, operation, body }: AwsCall) =>
    caller === 'proxy' &&
    operation === 'TransactWriteItems' &&
    body.includes(`{"S":"${state}"}`) &&
    body.includes('APPROVAL#');

describe('a run whose process is killed', () => {
  let table: FaultProxy;
  const gateway = useTestGateway({
    fresh: true,
    seedScopes: WRITING,
    endpointOverrides: {
      dynamodb: async (endpoint) => {
        table = await startFaultProxy(endpoint);
        return table.endpoint;
      },
    },
  });
  const tools = approvalTools(gateway);
  let operator: string;
  let key: string;
  beforeAll(async () => {
    operator = (await signIn(gateway.gateway)).accessToken;
    key = await keyWith(gateway, {
      name: 'Assistant',
      right: 'proxy',
      limits: { mode: 'enforce', approve: ['delete'] },
    });
  });

  /** What the bus brings, as often as it likes. */
  const bring = (id: string) =>
    gateway.gateway.tick('approvals', { detail: { account_id: 'default', approval_id: id, outcome: 'approved' } });

  /** Moves the end of a run that was cut off into the past. */
  async function letRunEnd(id: string): Promise<void> {
    const client = tableClient(gateway);
    const [, ulid = '', keyId = ''] = /^apr_(.{26})(.{12})$/.exec(id) ?? [];
    const { TableNames = [] } = await client.send(new ListTablesCommand({}));
    const TableName = TableNames.find((name) => name !== gateway.gateway.tableName);
    const pk = `APPROVAL#default#${keyId}`;
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk AND sk = :sk',
        ExpressionAttributeValues: { ':pk': pk, ':sk': ulid },
      }),
    );
    if (Items[0]?.state !== 'running') return;
    await client.send(
      new UpdateCommand({
        TableName,
        Key: { pk, sk: ulid },
        UpdateExpression: 'SET runUntilMs = :past',
        ExpressionAttributeValues: { ':past': Date.now() - 1 },
      }),
    );
  }

  async function killBusy(name: 'approvals' | 'proxy'): Promise<void> {
    const busy = () => gateway.gateway.children().find((one) => one.functionName === name && one.state === 'busy');
    await eventually(() => expect(busy()).toBeDefined());
    const pid = busy()?.pid ?? 0;
    process.kill(pid, 'SIGKILL');
    await eventually(() => expect(gateway.gateway.children().some((one) => one.pid === pid)).toBe(false));
  }

  test.each([
    ['before it takes the call', 'running', 'before', 'done', 1],
    ['after it took the call, before it sent anything', 'running', 'after', 'failed', 0],
    ['after Google carried the call out, before that is on record', 'done', 'before', 'done', 1],
    ['after that is on record', 'done', 'after', 'done', 1],
  ] as const)('AP-14: %s sends the call once or not at all, and says which', async (_, state, side, ends, sent) => {
    const file = await tools.newFile(`${state}-${side}.txt`);
    const { approval_id: id } = await tools.hold(key, 'DELETE', `/files/${file}`);
    const decided = await gateway.json('POST', `/approvals/${id}/decision`, { decision: 'approve' }, operator);
    expect(decided.body.data.status).toBe('approved');
    const writing = table.add(step(state), { kind: 'hold', side });
    const cut = Promise.resolve(bring(id)).catch(() => undefined);
    await writing.met;
    await killBusy('proxy');
    writing.release('drop');
    await cut;
    await letRunEnd(id);
    // However often it is brought again, and by two at once.
    await Promise.all([bring(id), bring(id)]);
    await bring(id);
    expect(await tools.statusOf(id)).toBe(ends);
    const deletions = (await requests(gateway, 'api')).filter(
      ({ method, target }) => method === 'DELETE' && target.includes(file),
    );
    expect(deletions).toHaveLength(sent);
    expect(await tools.isThere(file)).toBe(sent === 0);
  });

  test('AP-14: the call is sent once when the function that asked the proxy for it is killed', async () => {
    const file = await tools.newFile('asked.txt');
    const { approval_id: id } = await tools.hold(key, 'DELETE', `/files/${file}`);
    await gateway.json('POST', `/approvals/${id}/decision`, { decision: 'approve' }, operator);
    const writing = table.add(step('done'), { kind: 'hold', side: 'before' });
    const cut = Promise.resolve(bring(id)).catch(() => undefined);
    await writing.met;
    await killBusy('approvals');
    writing.release();
    await cut;
    await eventually(async () => expect(await tools.statusOf(id)).toBe('done'));
    await bring(id);
    const deletions = (await requests(gateway, 'api')).filter(
      ({ method, target }) => method === 'DELETE' && target.includes(file),
    );
    expect([deletions.length, await tools.isThere(file)]).toEqual([1, false]);
  });

  test('AP-15: what was approved and does not begin is among what needs attention, and ends with an event after an hour', async () => {
    const file = await tools.newFile('unbegun.txt');
    const { approval_id: id } = await tools.hold(key, 'DELETE', `/files/${file}`);
    await gateway.json('POST', `/approvals/${id}/decision`, { decision: 'approve' }, operator);
    const rows = approvalRows(gateway);
    const attention = async () => {
      const { body } = await gateway.json('GET', '/overview');
      return body.data.attention.filter(({ kind }: { kind: string }) => kind === 'approval');
    };
    expect(await attention()).toEqual([]);
    await rows.letPass(id, 'decidedAtMs', Date.now() - 600_000);
    expect(await attention()).toMatchObject([{ severity: 'error', reason: 'not_begun', id, count: 1 }]);
    await rows.letPass(id, 'decidedAtMs');
    await gateway.gateway.tick('refresh');
    const ended = await gateway.gateway.waitForEvent(
      ({ 'detail-type': type, detail }) => type === 'ApprovalEnded' && Object(detail).approval_id === id,
    );
    expect(ended.detail).toMatchObject({ outcome: 'expired' });
    await bring(id);
    expect([await tools.statusOf(id), await tools.isThere(file), await attention()]).toEqual(['expired', true, []]);
  });
});
