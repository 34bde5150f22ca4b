import { describe, expect, test } from 'vitest';
import { startAuthorization } from '../../../lambdas/connect/start-authorization.ts';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { PROVIDERS } from '../../../lambdas/gateway/providers/catalogue.ts';
import { completeAuthorization } from '../../../lambdas/oauth-callback/complete-authorization.ts';
import { gatewayRequest } from '../support/gateway-request.ts';
import { googleDrive } from '../support/google.ts';
import { DRIVE_FILE, GRANT, INTEGRATION, makeWorld, NOW_SEC, session, tokenAnswer, type World } from './support.ts';

const OWN = 'ya29.own';
const ids = Array.from({ length: 35 }, (_, i) => `file-number-${i}`);
/** A world with a session for picking files, by default for an existing connection. */
async function pickWorld({ forConnection = true } = {}): Promise<World> {
  const world = makeWorld();
  world.integration = { ...INTEGRATION, scopes: [DRIVE_FILE] };
  world.tokenAnswer = tokenAnswer({ ...GRANT, scope: `openid ${DRIVE_FILE}` });
  if (forConnection) {
    world.session = session();
    await run(world, []);
    const [connection] = world.connections;
    if (connection === undefined) throw new Error('Nothing was connected');
    const encryptedAccessToken = JSON.stringify([JSON.parse(connection.encryptedAccessToken ?? '')[0], OWN]);
    world.put({ ...connection, encryptedAccessToken });
    const { integrationId, connectionId } = connection;
    world.session = session({ reconnect: { integrationId, connectionId } });
  } else world.session = session();
  world.session = {
    ...world.session,
    pick: { multiple: true, mimeTypes: [], fileIds: [], folders: false },
    defaults: { drive: { scopes: [DRIVE_FILE], authorizationParams: {} } },
  };
  world.tokenAnswer = tokenAnswer({ ...GRANT, refresh_token: undefined, id_token: undefined, scope: DRIVE_FILE });
  world.api = (path, token) => answer(path, token);
  return world;
}

/** The connection the files are picked for becomes another. */
function changeConnection(world: World, change: Partial<Connection>): void {
  for (const connection of world.connections) world.put({ ...connection, ...change });
}

function answer(path: string, _token: string, permissionId = '42') {
  if (path.startsWith('/drive/v3/about')) {
    return { status: 200, body: { user: { permissionId, emailAddress: 'u@example.com' } } };
  }
  const id = /^\/drive\/v3\/files\/([\w-]+)\?/.exec(path)?.[1];
  return { status: 200, body: { id, mimeType: 'text/plain' } };
}

async function run(world: World, picked: readonly string[]) {
  const started = await startAuthorization(world.start, world.session, {
    integrationId: 'drive',
    ...{ bindingCookie: undefined, openerOrigin: undefined, language: 'en', requestId: 'r1' },
  });
  const asked = new URL(started.authorizationUrl).searchParams;
  const files = picked.length === 0 ? {} : { picked_file_ids: picked.join() };
  const query = Object.entries({ state: asked.get('state') ?? '', code: 'code-1', ...files });
  const request = gatewayRequest({ rawPath: '/oauth/callback', query });
  return { asked, result: await completeAuthorization(world.complete, request, [started.bindingCookie]) };
}

describe('picked files', () => {
  test('PK-12: picked files are opened with the connection’s own token, ten at a time, and named as they were found', async () => {
    const world = await pickWorld();
    let under = 0;
    let most = 0;
    const tokens = new Set<string>();
    const { send } = world.complete.upstream;
    Object.assign(world.complete.upstream, {
      send: async (...[request]: Parameters<typeof send>) => {
        under += 1;
        most = Math.max(most, under);
        await new Promise((resolve) => setImmediate(resolve));
        under -= 1;
        return send(request);
      },
    });
    world.api = (path, token) => {
      if (path.includes('/files/')) tokens.add(token);
      return path.includes('file-number-7?') ? { status: 404, body: {} } : answer(path, token);
    };
    const { result } = await run(world, ids);
    expect(result).toMatchObject({ kind: 'connected', picked: { count: 35, unconfirmed: 1 } });
    expect([...tokens]).toEqual([OWN]);
    expect(most).toBe(10);
    expect(world.picks[0]?.files.map(({ id }) => id)).toEqual(ids);
    expect(world.picks[0]?.files[7]).toEqual({ id: 'file-number-7', mimeType: undefined, confirmed: false });
    expect(world.picks[0]?.files[8]).toEqual({ id: 'file-number-8', mimeType: 'text/plain', confirmed: true });
  });

  test('PK-12: picked files that could not be tried in time are unconfirmed, and the pick is kept', async () => {
    const world = await pickWorld();
    world.api = (path, token) => {
      if (path.includes('/files/')) world.nowMs += 1000;
      return answer(path, token);
    };
    const { result } = await run(world, ids);
    expect(result.kind).toBe('connected');
    const confirmed = world.picks[0]?.files.filter((file) => file.confirmed).length ?? 0;
    expect(confirmed).toBeGreaterThan(0);
    expect(confirmed).toBeLessThan(15);
  });

  test('PK-12: an answer about another file confirms none', async () => {
    const world = await pickWorld();
    world.api = (path, token) =>
      path.includes('/files/') ? { status: 200, body: { id: 'another-file', mimeType: 'x/y' } } : answer(path, token);
    await run(world, ids.slice(0, 1));
    expect(world.picks[0]?.files).toEqual([{ id: ids[0], mimeType: undefined, confirmed: false }]);
  });

  test('PK-13: picked files of another account are refused, after one exchange and with nothing kept', async () => {
    const world = await pickWorld();
    const before = world.connections;
    world.api = (path, token) => answer(path, token, token === OWN ? '42' : '43');
    const exchanges = world.exchanges.length;
    const { result } = await run(world, ids.slice(0, 1));
    expect(result).toMatchObject({ kind: 'failed', failure: { kind: 'wrong_account', status: 409 } });
    expect(world.exchanges).toHaveLength(exchanges + 1);
    expect(world.connections).toEqual(before);
    expect(world.picks).toEqual([]);
  });

  test.each([
    ['the API does not say whose token it is', { status: 200, body: { user: {} } }, 'provider_unreachable'],
    ['the API fails', { status: 500, body: {} }, 'provider_unreachable'],
    ['the API refuses the pick’s token', { status: 401, body: {} }, 'account_unproven'],
  ])('PK-13: picked files are refused when %s', async (_, about, kind) => {
    const world = await pickWorld();
    world.api = (path, token) => (path.includes('/about') && token !== OWN ? about : answer(path, token));
    const { result } = await run(world, ids.slice(0, 1));
    expect(result).toMatchObject({ kind: 'failed', failure: { kind } });
    expect(world.picks).toEqual([]);
  });

  test('PK-5: without drive.file among what was granted nothing is kept', async () => {
    const world = await pickWorld();
    world.tokenAnswer = tokenAnswer({ ...GRANT, scope: 'https://www.googleapis.com/auth/drive.appdata' });
    const { result } = await run(world, ids.slice(0, 1));
    expect(result).toMatchObject({ kind: 'failed', failure: { kind: 'only_sign_in' } });
  });

  test('PK-6: picked files keep the connection’s tokens where a pick counts for every token of the project', async () => {
    const world = await pickWorld();
    const before = world.connections;
    const { asked } = await run(world, ids.slice(0, 1));
    expect(asked.get('access_type')).toBe('online');
    expect(world.connections).toEqual(before);
  });

  test('PK-6: picked files bring the connection new tokens where a pick counts for its own token only, and it stays whose it was', async () => {
    const world = await pickWorld();
    const drive = {
      ...googleDrive,
      picker: googleDrive.picker && { ...googleDrive.picker, accessToWiden: 'offline' as const },
    };
    const providers = { ...PROVIDERS, 'google-drive': drive };
    Object.assign(world.start, { providers });
    Object.assign(world.complete, { providers });
    const [before] = world.connections;
    world.tokenAnswer = tokenAnswer({ ...GRANT, access_token: 'ya29.new', id_token: undefined, scope: DRIVE_FILE });
    const seen = new Set<string>();
    world.api = (path, token) => {
      if (path.includes('/files/')) seen.add(token);
      return answer(path, token);
    };
    const { asked, result } = await run(world, ids.slice(0, 1));
    expect(asked.get('access_type')).toBe('offline');
    expect(result).toMatchObject({ kind: 'connected', picked: { count: 1, unconfirmed: 0 } });
    expect([...seen]).toEqual(['ya29.new']);
    const [after] = world.connections;
    expect(after?.encryptedAccessToken).toContain('ya29.new');
    expect(after?.providerAccount).toEqual(before?.providerAccount);
    expect(world.events.map(({ eventType }) => eventType)).toEqual(
      expect.arrayContaining(['ConnectionReauthorized', 'FilesPicked']),
    );
  });

  test('PK-3: picked files without a connection need a refresh token, because the connection they make is to last', async () => {
    const world = await pickWorld({ forConnection: false });
    const { result } = await run(world, ids.slice(0, 1));
    expect(result).toMatchObject({ kind: 'failed', failure: { kind: 'no_refresh_token' } });
    world.session = { ...world.session, status: 'pending', browserHash: undefined };
    world.tokenAnswer = tokenAnswer({ ...GRANT, id_token: undefined, scope: DRIVE_FILE });
    expect((await run(world, ids.slice(0, 1))).result.kind).toBe('connected');
    const kept = { grantedScopes: [DRIVE_FILE], providerAccount: undefined, consentedAtEpochSec: NOW_SEC };
    expect(world.connections).toMatchObject([kept]);
  });

  test.each([
    ['has ended', { status: 'reauthorization_required' as const }],
    ['does not hold drive.file', { grantedScopes: ['https://www.googleapis.com/auth/drive.readonly'] }],
    ['was made in another Cloud project', { clientId: '999999999999-old.apps.googleusercontent.com' }],
  ])('PK-6: picked files cannot be asked for a connection that %s', async (_, change) => {
    const world = await pickWorld();
    changeConnection(world, change);
    await expect(run(world, ids.slice(0, 1))).rejects.toMatchObject({ code: 'conflict' });
  });

  test('PK-13: a connection that ended while its user picked stays as it is', async () => {
    const world = await pickWorld();
    world.api = (path, token) => {
      if (token !== OWN) {
        changeConnection(world, { status: 'reauthorization_required' });
      }
      return answer(path, token);
    };
    const { result } = await run(world, ids.slice(0, 1));
    expect(result).toMatchObject({ kind: 'failed', failure: { kind: 'connection_ended', status: 409 } });
    expect(world.picks).toEqual([]);
  });
});
