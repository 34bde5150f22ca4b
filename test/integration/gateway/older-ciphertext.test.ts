// @module-tag long
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { connectAccount, finishFlow, reconnectSession, startFlow } from '../../support/connect.ts';
import { control } from '../../support/simulator.ts';
import { changeConnection, readConnection } from '../../support/table.ts';
import type { TableCall } from '../../support/table-recorder.ts';
import { useRecordedGateway } from '../../support/use-gateway.ts';

const INTEGRATION = 'google-drive';
const PERSON = 'viewer@workspace.example';

const gateway = useRecordedGateway({ maxChildrenPerFunction: 1 });

/** Epochs that the gateway wrote to a connection's row, in order. */
function writtenEpochs(calls: readonly TableCall[], connectionId: string): number[] {
  const parts = calls.flatMap(({ operation, request }) => {
    if (operation === 'UpdateItem' || operation === 'PutItem') return [request];
    const items = Array.isArray(request.TransactItems) ? request.TransactItems : [];
    return items.flatMap((item) => Object.values<Record<string, unknown>>(item));
  });
  return parts.flatMap((part) => {
    const item = unmarshall(Object(part.Item ?? part.Key ?? {}));
    if (item.sk !== 'CONNECTION' || !String(item.pk).endsWith(`#${encodeURIComponent(connectionId)}`)) return [];
    if (part.Item !== undefined) return [Number(item.epoch)];
    const assigned = /(?<![\w.])epoch = (:\w+)/.exec(String(part.UpdateExpression).split(' REMOVE ')[0] ?? '')?.[1];
    if (assigned === undefined) return [];
    return [Number(unmarshall(Object(part.ExpressionAttributeValues))[assigned])];
  });
}

function refresh(connectionId: string): Promise<Response> {
  return gateway.call(`/connections/${connectionId}/refresh?provider_config_key=${INTEGRATION}`, { method: 'POST' });
}

describe('an older ciphertext in its own place', () => {
  let connectionId: string;
  let older: Record<string, unknown>;
  beforeEach(async () => {
    connectionId = await connectAccount(gateway, INTEGRATION, { account: PERSON });
    const { encryptedAccessToken, encryptedRefreshToken } = await readConnection(gateway, INTEGRATION, connectionId);
    older = { encryptedAccessToken, encryptedRefreshToken };
  });
  const row = () => readConnection(gateway, INTEGRATION, connectionId);

  async function expectNoEpochLowered(): Promise<void> {
    const epochs = writtenEpochs(gateway.recorder.calls, connectionId);
    expect(epochs.length).toBeGreaterThan(1);
    expect(epochs).toEqual([...epochs].sort((a, b) => a - b));
    expect(Number((await row()).epoch)).toBeGreaterThanOrEqual(Math.max(...epochs));
  }

  test('CR-3: an older ciphertext in its own place of a grant that lives, the next refresh ends in working tokens under a higher epoch', async () => {
    expect((await refresh(connectionId)).status).toBe(200);
    const before = await row();
    await changeConnection(gateway, INTEGRATION, connectionId, { ...older, accessTokenExpiresAtEpochSec: 1 });
    expect((await refresh(connectionId)).status).toBe(200);
    const after = await row();
    expect(after).toMatchObject({ status: 'active' });
    expect(Number(after.epoch)).toBeGreaterThan(Number(before.epoch));
    expect(after.encryptedAccessToken).not.toBe(older.encryptedAccessToken);
    expect((await gateway.proxyAs(INTEGRATION, connectionId, '/drive/v3/files?pageSize=1')).status).toBe(200);
    await expectNoEpochLowered();
  });

  test('CR-3: an older ciphertext in its own place of a grant that has ended since, the next call ends in an explicit cause, and consent fixes it', async () => {
    await control(gateway, 'POST', '/grants/kill', { account: PERSON, reason: 'user_revoked' });
    const consent = async () => {
      const token = await reconnectSession(gateway, INTEGRATION, connectionId);
      return finishFlow(await startFlow(gateway, token), { account: PERSON });
    };
    expect((await consent()).status).toBe(200);
    const before = await row();
    await changeConnection(gateway, INTEGRATION, connectionId, older);
    const answer = await gateway.proxyAs(INTEGRATION, connectionId, '/drive/v3/files?pageSize=1');
    expect(answer.status).toBe(424);
    expect((await answer.json()).error).toMatchObject({
      code: 'reauthorization_required',
      connection: { cause: expect.stringMatching(/^[a-z_]+$/), provider_error: 'invalid_grant' },
    });
    expect(await row()).toMatchObject({ status: 'reauthorization_required', cause: expect.any(String) });
    expect(Number((await row()).epoch)).toBeGreaterThanOrEqual(Number(before.epoch));
    expect((await consent()).status).toBe(200);
    expect((await refresh(connectionId)).status).toBe(200);
    await expectNoEpochLowered();
  });

  test('CR-3: a whole row of before, as a backup holds it, refreshes before its use and continues from its own epoch', async () => {
    const backup = await row();
    expect((await refresh(connectionId)).status).toBe(200);
    // The copy is older than its access token lives.
    await changeConnection(gateway, INTEGRATION, connectionId, {
      ...withoutKeys(backup),
      accessTokenExpiresAtEpochSec: 1,
    });
    expect((await refresh(connectionId)).status).toBe(200);
    const after = await row();
    expect(after).toMatchObject({ status: 'active' });
    expect(Number(after.epoch)).toBeGreaterThan(Number(backup.epoch));
    expect(after.encryptedAccessToken).not.toBe(backup.encryptedAccessToken);
  });
});

function withoutKeys({ pk: _pk, sk: _sk, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest;
}
