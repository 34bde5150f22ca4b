import { describe, expect, it } from 'vitest';
import { connectionToItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import { connectionRefKey } from '../../../lambdas/gateway/core/identifiers.ts';
import { revokeGrant } from '../../../lambdas/gateway/tokens/revoke-grant.ts';
import { answered, integratedGateway, type ManagementGateway, member } from './support/gateway.ts';
import { DEATH } from './support/rows.ts';

const REF = { accountId: 'default', integrationId: 'drive', connectionId: 'first' };
const KEY = connectionRefKey(REF);
const PATH = '/connections/first?provider_config_key=drive';

async function withConnection(): Promise<ManagementGateway> {
  const gateway = integratedGateway({ credentialsSource: 'own', clientId: '900-test', secretId: 's' });
  await gateway.addConnection({ language: 'de' });
  return gateway;
}

const remove = (gateway: ManagementGateway, revoke?: string) =>
  gateway.call('DELETE', `${PATH}${revoke === undefined ? '' : `&revoke=${revoke}`}`);
const revocationOf = async (gateway: ManagementGateway, revoke: string) =>
  member((await remove(gateway, revoke)).body, 'revocation');
/** The account of the first connection, for another that shares its grant. */
const SHARED = { providerAccount: { subject: 'subject-of-first', email: null } };

describe('deleting a connection (TK-8)', () => {
  it('erases tokens and raises the epoch, and sends the provider nothing', async () => {
    const gateway = await withConnection();
    const reply = await remove(gateway);
    expect(reply).toMatchObject({ status: 200, body: { success: true, revocation: { status: 'not_requested' } } });
    expect(gateway.connections.get(KEY)).toMatchObject({
      status: 'deleted',
      encryptedAccessToken: undefined,
      encryptedRefreshToken: undefined,
      endUser: undefined,
      language: undefined,
      epoch: 2,
    });
    expect(gateway.tokenCalls).toEqual([]);
    expect(gateway.events.all).toMatchObject([{ eventType: 'ConnectionDeleted', sequence: 2, endUserId: 'user-1' }]);
    expect((await remove(gateway)).status).toBe(404);
  });

  it('reads again when a refresh came between', async () => {
    const gateway = await withConnection();
    gateway.memory.beforeWrite = () => {
      const row = gateway.connections.get(KEY);
      if (row !== undefined) gateway.memory.put(connectionToItem({ ...row, epoch: row.epoch + 1 }));
    };
    expect((await remove(gateway)).status).toBe(200);
    expect(gateway.connections.get(KEY)).toMatchObject({ status: 'deleted', epoch: 3 });
  });
});

describe('deleting with revocation (TK-8, TK-9)', () => {
  it('a deletion with revocation has the provider end the grant and leaves nothing pending', async () => {
    const gateway = await withConnection();
    const revoked = { status: 'revoked', reason: null, retry_at: null, shares_grant_with: 0 };
    expect(await revocationOf(gateway, 'true')).toEqual(revoked);
    expect(gateway.tokenCalls).toEqual([{ kind: 'revoke', token: 'refresh-of-first' }]);
    expect(gateway.pending.size).toBe(0);
    expect(gateway.events.types()).toEqual(['ConnectionDeleted', 'ConnectionGrantRevoked']);
  });

  it('counts a token that is dead already as done', async () => {
    const gateway = await withConnection();
    gateway.tokenAnswers.revoke = answered(400, { error: 'invalid_token' });
    expect(await revocationOf(gateway, 'true')).toMatchObject({ status: 'revoked' });
    expect(gateway.events.all.at(-1)).toMatchObject({ cause: 'already_invalid' });
  });

  it.each([
    ['the provider is busy', answered(503, {}, '120'), 120],
    ['the provider answers something else', answered(400, { error: 'invalid_request' }), 15],
    ['there is no answer', { kind: 'failed', reason: 'token_endpoint_timeout', ambiguous: true } as const, 15],
  ])('stays deleted and pending when %s', async (_, result, waitSec) => {
    const gateway = await withConnection();
    gateway.tokenAnswers.revoke = result;
    const reply = await remove(gateway, 'true');
    expect(reply).toMatchObject({ status: 200, body: { revocation: { status: 'pending' } } });
    const due = gateway.clock.nowEpochSec() + waitSec;
    expect(member(reply.body, 'revocation', 'retry_at')).toBe(new Date(due * 1000).toISOString());
    expect(gateway.connections.get(KEY)?.status).toBe('deleted');
    const pending = { retryAtEpochSec: due, failureCount: 1, subject: 'subject-of-first' };
    expect(await gateway.services.revocations.read(REF)).toMatchObject(pending);
  });

  it('a deletion with revocation can be finished from the pending item alone', async () => {
    const gateway = await withConnection();
    gateway.tokenAnswers.revoke = answered(503, {});
    await remove(gateway, 'true');
    gateway.tokenAnswers.revoke = answered(200, {});
    const pending = await gateway.services.revocations.read(REF);
    if (pending === undefined) throw new Error('nothing pending');
    expect(await revokeGrant(gateway.services, pending, 'sweep')).toEqual({ kind: 'revoked' });
    expect(gateway.pending.size).toBe(0);
  });

  it('never ends a grant that the account gave again meanwhile', async () => {
    const gateway = await withConnection();
    gateway.tokenAnswers.revoke = answered(503, {});
    await remove(gateway, 'true');
    gateway.clock.advanceSec(60);
    const consentedAtEpochSec = gateway.clock.nowEpochSec();
    await gateway.addConnection({ connectionId: 'again', ...SHARED, consentedAtEpochSec });
    const pending = await gateway.services.revocations.read(REF);
    if (pending === undefined) throw new Error('nothing pending');
    const calls = gateway.tokenCalls.length;
    expect(await revokeGrant(gateway.services, pending, 'sweep')).toEqual({ kind: 'superseded' });
    expect(gateway.tokenCalls).toHaveLength(calls);
    expect(gateway.pending.size).toBe(0);
  });

  it('a deletion does not revoke a grant that the provider has ended', async () => {
    const gateway = await withConnection();
    await gateway.addConnection({ status: 'reauthorization_required', death: DEATH });
    expect(await revocationOf(gateway, 'true')).toMatchObject({ status: 'skipped', reason: 'grant_already_ended' });
    expect(gateway.tokenCalls).toEqual([]);
  });

  it('says how many other connections end with it', async () => {
    const gateway = await withConnection();
    await gateway.addConnection({ connectionId: 'b', accountId: 'other', ...SHARED });
    expect(await revocationOf(gateway, 'force')).toMatchObject({ status: 'revoked', shares_grant_with: 1 });
  });

  it('leaves a note with those that end with it, and with none that was consented to since', async () => {
    const gateway = await withConnection();
    await gateway.addConnection({ connectionId: 'b', ...SHARED });
    await gateway.addConnection({ connectionId: 'elsewhere', providerAccount: { subject: 'another', email: null } });
    await remove(gateway, 'force');
    const note = (connectionId: string) =>
      gateway.connections.get(connectionRefKey({ ...REF, connectionId }))?.grantEndedAtEpochSec;
    expect(note('b')).toBe(gateway.clock.nowEpochSec());
    expect(note('elsewhere')).toBeUndefined();
  });

  it('refuses while others share the grant, names those of the account, and changes nothing', async () => {
    const gateway = await withConnection();
    await gateway.addConnection({ connectionId: 'b', accountId: 'other', ...SHARED });
    await gateway.addConnection({ connectionId: 'c', ...SHARED });
    const refused = await remove(gateway, 'true');
    expect(refused).toMatchObject({ status: 409, code: 'conflict' });
    expect(member(refused.body, 'error', 'errors')).toEqual([
      { path: 'connections.drive/c', message: 'shares the grant' },
    ]);
    expect(JSON.stringify(refused.body)).not.toContain('other/');
    expect(gateway.tokenCalls).toEqual([]);
    expect((await gateway.call('GET', PATH)).status).toBe(200);
  });

  it('TK-14: revoke=true on a connection whose account is unknown answers account_not_known and revokes nothing', async () => {
    const gateway = await withConnection();
    await gateway.addConnection({ providerAccount: undefined });
    const refused = await remove(gateway, 'true');
    expect(refused).toMatchObject({ status: 409, code: 'account_not_known' });
    expect(gateway.tokenCalls).toEqual([]);
    expect(gateway.pending.size).toBe(0);
    expect(gateway.connections.get(KEY)?.status).toBe('active');
    expect(await revocationOf(gateway, 'force')).toMatchObject({ status: 'revoked', shares_grant_with: null });
    expect(gateway.tokenCalls).toEqual([{ kind: 'revoke', token: 'refresh-of-first' }]);
  });

  it.each<[string, (gateway: ManagementGateway) => unknown, object]>([
    [
      'one that is shared',
      ({ addConnection }) => addConnection({ connectionId: 'b', accountId: 'other', ...SHARED }),
      { reason: 'grant_is_shared', shares_grant_with: 1 },
    ],
    [
      'one of which nobody knows whose it is',
      ({ addConnection }) => addConnection({ providerAccount: undefined }),
      { reason: 'account_not_known' },
    ],
    [
      'one under test credentials',
      ({ addIntegration }) => addIntegration({ credentialsSource: 'test', clientId: undefined }),
      { reason: 'test_credentials_are_shared' },
    ],
    [
      'one that was made under another client',
      ({ addConnection }) => addConnection({ clientId: '901-before' }),
      { reason: 'made_under_another_client' },
    ],
  ])('only if last: leaves a grant alone, %s', async (_, arrange, expected) => {
    const gateway = await withConnection();
    await arrange(gateway);
    expect(await revocationOf(gateway, 'if_last')).toMatchObject({ status: 'skipped', ...expected });
    expect(gateway.tokenCalls).toEqual([]);
  });

  it('deleting with revocation only if last: does not count connections that a late index still shows', async () => {
    const gateway = await withConnection();
    const gone = await gateway.addConnection({ connectionId: 'gone', status: 'deleted' });
    const connections = { ...gateway.services.connections, sharingGrant: async () => [gone] };
    Object.assign(gateway.services, { connections });
    expect(await revocationOf(gateway, 'if_last')).toMatchObject({ status: 'revoked' });
  });

  it('deleting with revocation only if last: ends a grant once with the integration that several connections of it belong to', async () => {
    const gateway = await withConnection();
    for (const connectionId of ['b', 'c']) await gateway.addConnection({ connectionId, ...SHARED });
    await gateway.call('DELETE', '/integrations/drive?revoke=if_last');
    expect(gateway.tokenCalls).toHaveLength(1);
    expect([...gateway.connections.values()].map(({ status }) => status)).toEqual(['deleted', 'deleted', 'deleted']);
  });

  it('deleting with revocation only if last: ends the last one', async () => {
    const gateway = await withConnection();
    expect(await revocationOf(gateway, 'if_last')).toMatchObject({ status: 'revoked' });
  });

  it('refuses another wish', async () => {
    const gateway = await withConnection();
    expect((await remove(gateway, 'yes')).status).toBe(400);
  });
});

describe('pending revocations (TK-8)', () => {
  it('pending revocations are counted with the oldest in full, and gone once the provider has ended the grant', async () => {
    const gateway = await withConnection();
    const list = async (query = '') => member((await gateway.call('GET', `/revocations${query}`)).body, 'data');
    gateway.tokenAnswers.revoke = answered(503, {});
    await remove(gateway, 'force');
    const oldest = [{ provider_config_key: 'drive', connection_id: 'first', failed_attempts: 1 }];
    expect(await list()).toMatchObject({ pending: 1, complete: true, oldest });
    expect(JSON.stringify(await list())).not.toMatch(/refresh-of-first|subject|@/);
    gateway.addIntegration({ integrationId: 'calendar' });
    expect(await list('?integrationId=calendar')).toMatchObject({ pending: 0, oldest: [] });
    gateway.pending.clear();
    expect(await list()).toMatchObject({ pending: 0 });
  });
});
