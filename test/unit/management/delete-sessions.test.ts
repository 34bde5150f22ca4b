import { beforeEach, describe, expect, it } from 'vitest';
import { confirmationHandle } from '../../../lambdas/gateway/connections/unconfirmed-grant.rules.ts';
import { sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import { SESSIONS_DELETED_MAX } from '../../../lambdas/gateway/core/limits.ts';
import { newEvent } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import { deleteSessionsOf } from '../../../lambdas/management/sessions/delete-sessions.ts';
import { connectedGateway, type ManagementGateway, member, secretKey, textAt } from './support/gateway.ts';
import { connectionRow } from './support/rows.ts';

const ANNA = { id: 'anna', email: 'anna@example.com', display_name: 'Anna Muster' };
/** Whatever names her; her id is not among it. */
const NAMES = /Anna Muster|anna@example\.com/;

let gateway: ManagementGateway;
beforeEach(async () => {
  gateway = await connectedGateway();
});

const create = async (body: object, key?: string): Promise<string> => {
  const made = await gateway.call('POST', '/connect/sessions', { body, ...(key === undefined ? {} : { key }) });
  return sha256Hex(textAt(made.body, 'data', 'token'));
};
const erase = (endUserId: string, key?: string) =>
  gateway.call('DELETE', `/connect/sessions?end_user_id=${endUserId}`, key === undefined ? {} : { key });
const hashes = () => [...gateway.sessions.keys()].toSorted();
const holdingNames = () => [...gateway.memory.items.values()].filter((item) => NAMES.test(JSON.stringify(item)));

describe('erasing the sessions of an end user', () => {
  it('CS-22: leaves nothing in the table that names the person, and the audit trail has the id alone', async () => {
    const other = await create({ end_user: { id: 'ben' } });
    await create({ end_user: ANNA, tags: { mail: ANNA.email } });
    await create({
      end_user: ANNA,
      integrations_config_defaults: { drive: { authorization_params: { login_hint: ANNA.email } } },
    });
    expect(holdingNames()).toHaveLength(2);
    gateway.events.forget();
    expect(await erase('anna')).toMatchObject({
      status: 200,
      body: { success: true, deleted_sessions: 2, has_more: false },
    });
    expect(holdingNames()).toEqual([]);
    expect(hashes()).toEqual([other]);
    expect(gateway.events.all).toMatchObject([
      { eventType: 'ConnectSessionDeleted', endUserId: 'anna', actor: expect.stringMatching(/^key:/) },
      { eventType: 'ConnectSessionDeleted', endUserId: 'anna', actor: expect.stringMatching(/^key:/) },
    ]);
    expect(gateway.memory.ofType('session_place')).toHaveLength(1);
    expect((await erase('anna')).body).toEqual({ success: true, deleted_sessions: 0, has_more: false });
  });

  it('CS-22: finds sessions whose tags alone name the end user, and keeps no id in a key', async () => {
    await create({ tags: { end_user_id: 'anna@example.com', end_user_display_name: 'Anna Muster' } });
    expect([...gateway.memory.items.keys()].filter((key) => NAMES.test(key))).toEqual([]);
    expect((await erase('anna%40example.com')).body).toMatchObject({ deleted_sessions: 1 });
    expect(gateway.sessions.size).toBe(0);
  });

  it('CS-22: withdraws the reconnect links of the person’s connections, and they read so', async () => {
    await gateway.addConnection({ connectionId: 'second', endUser: undefined, tags: {} });
    const connections = ['first', 'second'].map((id) => ({ provider_config_key: 'drive', connection_id: id }));
    const made = await gateway.call('POST', '/connect/reconnect-links', { body: { connections } });
    expect((await erase('user-1')).body).toMatchObject({ deleted_sessions: 1 });
    const batch = await gateway.call('GET', `/connect/reconnect-links/${textAt(made.body, 'data', 'id')}`);
    expect(member(batch.body, 'data')).toMatchObject({
      revoked_at: null,
      links: [{ state: 'revoked' }, { state: 'waiting' }],
    });
    expect(gateway.sessions.size).toBe(1);
  });

  it('CS-22: ends a grant that waits for confirmation', async () => {
    const sessionHash = await create({ end_user: ANNA });
    await keepWaiting(sessionHash);
    gateway.events.forget();
    expect((await erase('anna')).body).toMatchObject({ deleted_sessions: 1 });
    expect(gateway.unconfirmed.size).toBe(0);
    expect(gateway.tokenCalls).toEqual([{ kind: 'revoke', token: 'refresh-of-new' }]);
    expect(holdingNames()).toEqual([]);
    expect(gateway.events.all.map(({ eventType }) => eventType)).toEqual([
      'ConnectionNotConfirmed',
      'ConnectionGrantRevoked',
      'ConnectSessionDeleted',
    ]);
  });

  it('CS-22: finds a session again that changes while it is being deleted, and ends what it has brought by then', async () => {
    const sessionHash = await create({ end_user: ANNA });
    const { sessions } = gateway.services;
    let reads = 0;
    const changing = {
      ...sessions,
      async find(hash: string) {
        const found = await sessions.find(hash);
        if (reads++ === 0) await keepWaiting(sessionHash);
        return found;
      },
    };
    const deletion = { accountId: 'default', endUserId: 'anna', requestId: 'r', actor: 'key:a' };
    const deleted = await deleteSessionsOf({ ...gateway.services, sessions: changing }, deletion, () => true);
    expect(deleted).toEqual({ count: 1, hasMore: false });
    expect([gateway.sessions.size, gateway.unconfirmed.size]).toEqual([0, 0]);
  });

  it('CS-22: deletes a session that cannot be read, and forgets one that is gone', async () => {
    const [broken = '', gone = ''] = [await create({ end_user: ANNA }), await create({ end_user: ANNA })];
    const item = gateway.memory.ofType('connect_session').find((one) => one.sessionHash === broken);
    gateway.memory.put({ ...item, status: 'of_a_later_version' });
    await gateway.services.sessions.delete(gone);
    expect(
      (await erase('anna', gateway.addKey(secretKey('limited'), { integrationIds: ['drive'] }))).body,
    ).toMatchObject({ deleted_sessions: 0 });
    expect(gateway.sessions.size).toBe(1);
    expect((await erase('anna')).body).toEqual({ success: true, deleted_sessions: 1, has_more: false });
    expect([gateway.sessions.size, gateway.memory.ofType('session_place').length]).toEqual([0, 0]);
  });

  it('CS-22: deletes nothing whose event cannot be written', async () => {
    await create({ end_user: ANNA });
    gateway.events.failing = true;
    expect((await erase('anna')).status).toBe(500);
    expect(gateway.sessions.size).toBe(1);
    gateway.events.failing = false;
    expect((await erase('anna')).body).toMatchObject({ deleted_sessions: 1 });
  });

  it('keeps for a limited key what allows other integrations, and for any key what is another account’s', async () => {
    gateway.addIntegration({ integrationId: 'other' });
    const limited = gateway.addKey(secretKey('limited'), { integrationIds: ['drive'] });
    const own = await create({ end_user: ANNA }, limited);
    const wider = await create({ end_user: ANNA, allowed_integrations: ['drive', 'other'] });
    const any = await create({ end_user: ANNA });
    expect((await erase('anna', limited)).body).toEqual({ success: true, deleted_sessions: 1, has_more: false });
    expect(hashes()).toEqual([wider, any].toSorted());
    expect(hashes()).not.toContain(own);
    const foreign = gateway.addKey('sk_second_'.padEnd(53, 'x'), { accountId: 'second' });
    expect((await erase('anna', foreign)).body).toMatchObject({ deleted_sessions: 0 });
    expect(gateway.sessions.size).toBe(2);
  });

  it('says when more are left than one request deletes', async () => {
    const first = await create({ end_user: ANNA });
    const { sessions, random } = gateway.services;
    const session = await sessions.find(first);
    if (session === undefined) throw new Error('No session');
    const facts = { subject: { accountId: 'default' }, sequence: 0, requestId: 'r' };
    for (let number = 0; number < SESSIONS_DELETED_MAX; number++) {
      const sessionHash = sha256Hex(`cs_${number}`);
      const place = { accountId: 'default', endUserId: 'anna', sessionHash, batchId: undefined };
      const event = newEvent(gateway.clock, random, 'ConnectSessionCreated', facts);
      await sessions.create({ ...session, sessionHash }, event, place);
    }
    const most = { success: true, deleted_sessions: SESSIONS_DELETED_MAX, has_more: true };
    expect((await erase('anna')).body).toEqual(most);
    expect((await erase('anna')).body).toEqual({ success: true, deleted_sessions: 1, has_more: false });
  });

  it('refuses a request that names nobody', async () => {
    expect(await gateway.call('DELETE', '/connect/sessions')).toMatchObject({ status: 400, paths: ['end_user_id'] });
    expect(await erase('')).toMatchObject({ status: 400, paths: ['end_user_id'] });
  });
});

/** The session’s flow brings a grant that its app is to confirm. */
async function keepWaiting(sessionHash: string): Promise<void> {
  const { services, clock } = gateway;
  const row = await connectionRow({ connectionId: 'new' });
  const ref = { accountId: 'default', integrationId: 'drive', connectionId: 'new' };
  const session = await services.sessions.find(sessionHash);
  const grant = {
    ref,
    sessionHash,
    isReconnect: false,
    endUser: session?.endUser,
    tags: session?.tags ?? {},
    allowAccountChange: false,
    grant: {
      ...row,
      encryptedAccessToken: row.encryptedAccessToken ?? '',
      encryptedRefreshToken: row.encryptedRefreshToken ?? '',
      providerAccount: { subject: 'the-account', email: 'the.account@example.com' },
      consentedAtEpochSec: clock.nowEpochSec(),
      testingAtConsent: false,
    },
    numericId: 1,
    confirmUntilEpochSec: clock.nowEpochSec() + 900,
    failureCount: 0,
  };
  const outcome = { integrationId: 'drive', connectionId: 'new', errorType: undefined, message: undefined };
  const facts = { subject: ref, sequence: 0, requestId: 'r' };
  const event = newEvent(clock, services.random, 'ConnectionConfirmationPending', facts);
  const confirmationHash = sha256Hex(confirmationHandle(sessionHash, new Uint8Array(32)));
  if (!(await services.unconfirmed.save(grant, { outcome, confirmationHash }, event))) throw new Error('Not kept');
}
