import { beforeAll, describe, expect, test } from 'vitest';
import {
  connectAccount,
  connectSession,
  finishFlow,
  reconnectSession,
  sessionState,
  setScopes,
  shownConnection,
  shownEvents,
  startFlow,
  withScopes,
} from '../../support/connect.ts';
import { control } from '../../support/simulator.ts';
import { readConnection } from '../../support/table.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const PREFIX = 'https://www.googleapis.com/auth/';
const READ = `${PREFIX}drive.readonly`;
const FILE = `${PREFIX}drive.file`;
const INCLUDING = 'including-drive';

const gateway = useTestGateway();
beforeAll(async () => {
  const drive = { provider: 'google-drive', unique_key: INCLUDING };
  expect((await gateway.json('POST', '/integrations/quickstart', drive)).status).toBe(200);
  const including = { include_granted_scopes: true };
  expect((await gateway.json('PATCH', `/integrations/${INCLUDING}`, including)).status).toBe(200);
  for (const id of [INCLUDING, 'google-drive']) await setScopes(gateway, id, [READ, FILE]);
});

function queryOf(flow: { authorizationUrl: string }): URLSearchParams {
  return new URL(flow.authorizationUrl).searchParams;
}

/** Status of a proxied call with a connection of the including integration. */
async function listStatus(connectionId: string): Promise<number> {
  return (await gateway.proxyAs(INCLUDING, connectionId, '/drive/v3/files?pageSize=1')).status;
}

async function eventTypes(integrationId: string, connectionId: string): Promise<string[]> {
  return (await shownEvents(gateway, integrationId, connectionId)).map(({ type }) => type).reverse();
}

describe('what was granted', () => {
  test('OA-17: fewer scopes than asked make a connection that says which are missing, and may ask again', async () => {
    const token = await connectSession(gateway, { allowed_integrations: ['google-drive'] });
    const flow = await startFlow(gateway, token, 'google-drive');
    const page = await (await finishFlow(flow, { scopes: [FILE] })).text();
    expect(page).toContain('Connected, with less access');
    expect(page).toContain('See and download all Drive files.');
    const state = await sessionState(gateway, token);
    expect(state).toMatchObject({ status: 'connected', missing_scopes: [{ scope: READ }] });
    const connectionId = String(state.connection_id);
    expect(await shownConnection(gateway, 'google-drive', connectionId)).toMatchObject({ missing_scopes: [READ] });

    const again = await startFlow(gateway, token, undefined, flow.cookie);
    expect((await finishFlow(again)).status).toBe(200);
    expect(await sessionState(gateway, token)).toMatchObject({ connection_id: connectionId, missing_scopes: [] });
    expect(await shownConnection(gateway, 'google-drive', connectionId)).toMatchObject({ missing_scopes: [] });
    await expect(startFlow(gateway, token, undefined, flow.cookie)).rejects.toThrow('already been used');
  });

  test('a refused second asking leaves the connection and the session as they were', async () => {
    const token = await connectSession(gateway, { allowed_integrations: ['google-drive'] });
    const flow = await startFlow(gateway, token, 'google-drive');
    await finishFlow(flow, { scopes: [FILE] });
    const before = await sessionState(gateway, token);
    const row = await readConnection(gateway, 'google-drive', String(before.connection_id));
    const again = await startFlow(gateway, token, undefined, flow.cookie);
    expect((await finishFlow(again, { decision: 'cancel' })).status).toBe(400);
    expect(await sessionState(gateway, token)).toEqual(before);
    expect(await readConnection(gateway, 'google-drive', String(before.connection_id))).toEqual(row);
  });

  test('a consent to sign-in scopes alone is reported and not stored', async () => {
    const token = await connectSession(gateway, { allowed_integrations: ['google-drive'] });
    const page = await finishFlow(await startFlow(gateway, token), { scopes: [] });
    expect(page.status).toBe(400);
    expect(await page.text()).toContain('No permission was ticked');
    expect(await sessionState(gateway, token)).toMatchObject({ status: 'failed', connection_id: null });
  });
});

describe('more scopes for a connection', () => {
  test('the new scopes alone are asked for, the old ones are kept, and events say so', async () => {
    const connectionId = await connectAccount(gateway, INCLUDING, {}, withScopes(INCLUDING, 'drive.readonly'));
    const token = await reconnectSession(gateway, INCLUDING, connectionId);
    const flow = await startFlow(gateway, token);
    expect(queryOf(flow).get('scope')).toBe(`openid email ${FILE}`);
    expect(queryOf(flow).get('include_granted_scopes')).toBe('true');
    expect((await finishFlow(flow)).status).toBe(200);
    const connection = await shownConnection(gateway, INCLUDING, connectionId);
    expect(connection.granted_scopes).toEqual(expect.arrayContaining([READ, FILE]));
    expect(connection.missing_scopes).toEqual([]);
    expect(await eventTypes(INCLUDING, connectionId)).toEqual(
      expect.arrayContaining([
        'ConnectionCreated',
        'AuthorizationStarted',
        'ConnectionReauthorized',
        'ConnectionScopesChanged',
      ]),
    );
    expect(await listStatus(connectionId)).toBe(200);
  });

  test('it is switched off for an integration that does not include, and on by the session', async () => {
    const connectionId = gateway.connectionId('google-drive');
    const off = await reconnectSession(gateway, 'google-drive', connectionId);
    const asked = queryOf(await startFlow(gateway, off));
    expect(asked.get('include_granted_scopes')).toBeNull();
    expect(asked.get('scope')).toBe(`openid email ${READ} ${FILE}`);
    const body = withScopes('google-drive', 'drive.readonly,drive.file', { include_granted_scopes: 'true' });
    const on = queryOf(await startFlow(gateway, await reconnectSession(gateway, 'google-drive', connectionId, body)));
    expect(on.get('include_granted_scopes')).toBe('true');
    expect(on.get('scope')).toBe(`openid email ${FILE}`);
  });

  test.each([
    ['refused by the user', { decision: 'cancel' }, undefined],
    ['failed at the token endpoint', {}, { status: 500 }],
    ['left without a refresh token', {}, { omitRefreshToken: true }],
  ] as const)('an upgrade that is %s leaves the old grant untouched', async (_, choice, action) => {
    const connectionId = await connectAccount(gateway, INCLUDING, {}, withScopes(INCLUDING, 'drive.readonly'));
    const before = await readConnection(gateway, INCLUDING, connectionId);
    const token = await reconnectSession(gateway, INCLUDING, connectionId);
    const flow = await startFlow(gateway, token);
    if (action !== undefined) {
      await control(gateway, 'POST', '/faults', { match: { origin: 'token', pathPrefix: '/token' }, times: 1, action });
    }
    expect((await finishFlow(flow, choice)).status).toBeGreaterThanOrEqual(400);
    expect(await readConnection(gateway, INCLUDING, connectionId)).toEqual(before);
    expect(await listStatus(connectionId)).toBe(200);
  });
});

describe('connecting again', () => {
  test('the request to the provider names the account that was connected', async () => {
    const connectionId = gateway.connectionId('google-drive');
    const same = queryOf(await startFlow(gateway, await reconnectSession(gateway, 'google-drive', connectionId)));
    expect(same.get('login_hint')).toBe('104857600000000000011');
    expect(same.get('prompt')).toBe('consent');
    const open = await reconnectSession(gateway, 'google-drive', connectionId, { allow_account_change: true });
    const other = queryOf(await startFlow(gateway, open));
    expect(other.get('login_hint')).toBeNull();
    expect(other.get('prompt')).toBe('consent select_account');
  });

  test('CS-6: another account is refused with 409 and both e-mails, and an event records it', async () => {
    const connectionId = await connectAccount(gateway, 'google-drive');
    const before = await readConnection(gateway, 'google-drive', connectionId);
    const token = await reconnectSession(gateway, 'google-drive', connectionId);
    const page = await finishFlow(await startFlow(gateway, token), { account: 'second.user@example.com' });
    expect(page.status).toBe(409);
    expect(await page.text()).toMatch(/first\.user@example\.com, but you chose second\.user@example\.com/);
    expect(await readConnection(gateway, 'google-drive', connectionId)).toEqual(before);
    const [latest] = await shownEvents(gateway, 'google-drive', connectionId);
    expect(latest).toMatchObject({ type: 'AuthorizationFailed', cause: 'wrong_account' });
  });

  test('CS-6: an address without the identity scopes does not get another account in', async () => {
    const connectionId = await connectAccount(gateway, 'google-drive');
    const flow = await startFlow(gateway, await reconnectSession(gateway, 'google-drive', connectionId));
    const url = new URL(flow.authorizationUrl);
    url.searchParams.set('scope', READ);
    url.searchParams.delete('login_hint');
    const page = await finishFlow({ ...flow, authorizationUrl: url.href }, { account: 'second.user@example.com' });
    expect(await page.text()).toContain('The account could not be confirmed');
    expect(await shownConnection(gateway, 'google-drive', connectionId)).toMatchObject({
      provider_account: { email: 'first.user@example.com' },
    });
  });

  test('CS-6: another account is taken where the backend permits it, and the event says so', {
    tags: ['long'],
  }, async () => {
    const connectionId = await connectAccount(gateway, 'google-drive');
    const token = await reconnectSession(gateway, 'google-drive', connectionId, { allow_account_change: true });
    const page = await finishFlow(await startFlow(gateway, token), { account: 'second.user@example.com' });
    expect(page.status).toBe(200);
    const events = await shownEvents(gateway, 'google-drive', connectionId);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'ConnectionReauthorized', cause: 'account_changed' }),
    );
  });

  test('a plain session of a user who returns reauthorizes the dead connection, unless it says otherwise', {
    tags: ['long'],
  }, async () => {
    const account = { account: 'viewer@workspace.example' };
    const endUser = { end_user: { id: 'returning-user' }, allowed_integrations: ['google-drive'] };
    const described = {
      end_user: { id: 'returning-user', display_name: 'Returning User' },
      tags: { agent: 'primary' },
    };
    const connectionId = await connectAccount(gateway, 'google-drive', account, described);
    const die = async () => {
      await control(gateway, 'POST', '/grants/kill', { ...account, reason: 'user_revoked' });
      await gateway.call(`/connections/${connectionId}/refresh?provider_config_key=google-drive`, { method: 'POST' });
    };
    const connectAgain = async (more: object) => {
      const token = await connectSession(gateway, { ...endUser, ...more });
      expect((await finishFlow(await startFlow(gateway, token), account)).status).toBe(200);
      return (await sessionState(gateway, token)).connection_id;
    };
    await die();
    // What the session says of the user describes new connections only.
    expect(await connectAgain({ tags: { campaign: 'spring' } })).toBe(connectionId);
    const reused = await shownConnection(gateway, 'google-drive', connectionId);
    expect(reused).toMatchObject({ status: 'active', end_user: described.end_user, tags: { agent: 'primary' } });
    await die();
    expect(await connectAgain({ reuse_connection: false })).not.toBe(connectionId);
    // The two are of one account, and the one that is dead comes back.
    expect(await connectAgain({ confirm: false })).toBe(connectionId);
  });

  test('a dead connection becomes active again, keeps its id and continues with its history', async () => {
    const connectionId = await connectAccount(gateway, 'google-drive', { account: 'viewer@workspace.example' });
    await control(gateway, 'POST', '/grants/kill', { account: 'viewer@workspace.example', reason: 'user_revoked' });
    await gateway.call(`/connections/${connectionId}/refresh?provider_config_key=google-drive`, { method: 'POST' });
    const dead = await shownConnection(gateway, 'google-drive', connectionId);
    expect(dead.status).toBe('reauthorization_required');
    const token = await reconnectSession(gateway, 'google-drive', connectionId);
    expect((await finishFlow(await startFlow(gateway, token))).status).toBe(200);
    expect(await shownConnection(gateway, 'google-drive', connectionId)).toMatchObject({
      status: 'active',
      cause: null,
      errors: [],
      id: dead.id,
      created_at: dead.created_at,
    });
    const counted = (await shownEvents(gateway, 'google-drive', connectionId)).filter(({ sequence }) => sequence > 0);
    expect(counted.map(({ type, sequence }) => [type, sequence]).reverse()).toEqual([
      ['ConnectionCreated', 1],
      ['ConnectionReauthorizationRequired', 2],
      ['ConnectionReauthorized', 3],
    ]);
  });
});

// The last: it ends the grant that the first connections share.
test('TK-9: a connection whose grant was ended with another one says so, and lives again after a new consent', {
  tags: ['long'],
}, async () => {
  const [drive, calendar] = [gateway.connectionId('google-drive'), gateway.connectionId('google-calendar')];
  const list = () => gateway.proxy('google-calendar', '/calendar/v3/users/me/calendarList');
  expect((await list()).status).toBe(200);

  const path = `/connections/${drive}?provider_config_key=google-drive`;
  expect((await gateway.call(`${path}&revoke=true`, { method: 'DELETE' })).status).toBe(409);
  expect((await gateway.call(`${path}&revoke=force`, { method: 'DELETE' })).status).toBe(200);

  const refused = await list();
  expect(refused.status).toBe(424);
  const { connection } = (await refused.json()).error;
  expect(connection).toMatchObject({ cause: 'shared_grant_ended', certain: false });
  expect(connection.likely_causes[0]).toMatchObject({ who: 'developer', remedy: expect.stringContaining('if_last') });

  const token = await reconnectSession(gateway, 'google-calendar', calendar);
  await finishFlow(await startFlow(gateway, token, 'google-calendar'));
  expect((await list()).status).toBe(200);
  expect(await shownConnection(gateway, 'google-calendar', calendar)).toMatchObject({ status: 'active' });
});
