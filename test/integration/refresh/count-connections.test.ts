// @module-tag long
import { BatchWriteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { connectionListKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { changeItem, connectionKey, readConnection, tableClient } from '../../support/table.ts';
import { useRecordedGateway } from '../../support/use-gateway.ts';

const CENSUS = { pk: 'ACCOUNT#default', sk: 'CENSUS' };
/** More than one index page of 1 MB, at 30 KB an entry. */
const LARGE_ROWS = 40;

const gateway = useRecordedGateway();

/** What an overview says, what it read (operations, index and how many items were named), and what of it was the list of connections. */
async function overview() {
  const before = gateway.recorder.calls.length;
  const { body } = await gateway.json('GET', '/overview');
  const reads = gateway.recorder.calls
    .slice(before)
    // A process keeps the caller's key for a while, and reads it again then.
    .filter(({ request }) => !/"(?:DATA)?KEY(?:OF)?#/.test(JSON.stringify(request)))
    .map(
      ({ operation, request }) =>
        `${operation} ${request.IndexName ?? ''} ${String(JSON.stringify(request).match(/"pk":/g)?.length ?? 0)}`,
    );
  const ofConnections = gateway.recorder.calls
    .slice(before)
    .filter(({ request }) => JSON.stringify(request).includes(JSON.stringify(connectionListKey('default'))));
  return { body, reads: reads.sort(), ofConnections };
}

async function census(): Promise<Record<string, unknown>> {
  const { Item } = await tableClient(gateway).send(
    new GetCommand({ TableName: gateway.gateway.tableName, Key: CENSUS, ConsistentRead: true }),
  );
  return Item ?? {};
}

/** Values of the gauge so far, by status. */
function published(status: string): number[] {
  return gateway.gateway
    .logs()
    .filter(
      ({ functionName, text }) => functionName === 'refresh' && text.includes(`"status":"${status}","Connections":`),
    )
    .map(({ text }) => Number(/"Connections":(\d+)/.exec(text)?.[1]));
}

test('the tick counts connections by status, page by page, and publishes the totals', async () => {
  const seeded = gateway.gateway.connections.length;
  await gateway.gateway.tick('refresh');
  expect(await census()).toMatchObject({ counted: { active: seeded, causes: {} } });
  expect(published('active').at(-1)).toBe(seeded);

  const row = await readConnection(gateway, 'google-drive', gateway.connectionId('google-drive'));
  const metadata = { note: 'x'.repeat(30_000) };
  const { dueShard: _, refreshAt: __, ...listed } = row;
  const client = tableClient(gateway);
  const put = (i: number) => {
    const dead = i % 10 === 0 ? { status: 'reauthorization_required', cause: 'user_revoked' } : {};
    const key = connectionKey('google-drive', `many-${i}`);
    const place = { connectionId: `many-${i}`, listSortKey: `2026-01-01#${i + 1e6}` };
    const Item = { ...listed, ...key, ...dead, ...place, metadata };
    return client.send(new PutCommand({ TableName: gateway.gateway.tableName, Item }));
  };
  await Promise.all(Array.from({ length: LARGE_ROWS }, (_, i) => put(i)));
  // As if the rest between two counts were over.
  await changeItem(gateway, CENSUS, { counted: { ...Object((await census()).counted), countedAtEpochSec: 1 } });
  await gateway.gateway.tick('refresh');
  const total = LARGE_ROWS + seeded;
  expect(await census()).toMatchObject({
    counted: { active: total - LARGE_ROWS / 10, causes: { user_revoked: LARGE_ROWS / 10 } },
  });
  expect(await census()).not.toHaveProperty('position');
  expect(published('reauthorization_required').at(-1)).toBe(LARGE_ROWS / 10);
});

test('an overview reads as much of 50 connections as of 2,000, and every number is that of all', async () => {
  const row = await readConnection(gateway, 'google-drive', gateway.connectionId('google-drive'));
  const { dueShard: _, refreshAt: __, grantKey: ___, grantClientId: ____, ...listed } = row;
  const client = tableClient(gateway);
  const { tableName } = gateway.gateway;
  const fill = async (from: number, to: number) => {
    const items = Array.from({ length: to - from }, (_, i) => {
      const connectionId = `counted-${from + i}`;
      const dead = (from + i) % 10 === 0 ? { status: 'reauthorization_required', cause: 'user_revoked' } : {};
      const key = connectionKey('google-drive', connectionId);
      return { ...listed, ...key, ...dead, connectionId, listSortKey: `2026-02-01#${2e6 + from + i}` };
    });
    const batches = Array.from({ length: Math.ceil(items.length / 25) }, (_, i) => items.slice(i * 25, i * 25 + 25));
    for (const batch of batches) {
      const puts = batch.map((Item) => ({ PutRequest: { Item } }));
      await client.send(new BatchWriteCommand({ RequestItems: { [tableName]: puts } }));
    }
    const { counted } = await census();
    // As if the rest between two counts were over.
    await changeItem(gateway, CENSUS, { counted: { ...Object(counted), countedAtEpochSec: 1 } });
    await gateway.gateway.tick('refresh');
  };
  await fill(0, 50);
  // The process remembers the secret key from now on.
  await overview();
  const few = await overview();
  await fill(50, 2000);
  const many = await overview();
  expect(many.reads).toEqual(few.reads);
  expect(many.ofConnections).toEqual([]);
  expect(many.reads.length).toBeLessThan(40);
  const total = 2000 + LARGE_ROWS + gateway.gateway.connections.length;
  const dead = 200 + LARGE_ROWS / 10;
  expect(many.body).toMatchObject({
    data: {
      statuses: { active: total - dead, reauthorization_required: dead },
      causes: [{ cause: 'user_revoked', count: dead }],
    },
  });
});
