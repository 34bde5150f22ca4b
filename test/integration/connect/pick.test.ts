import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  changeSession,
  connectAccount,
  connectSession,
  consentOnly,
  finishFlow,
  openCallback,
  type StartedFlow,
  sessionState,
  setScopes,
  shownConnection,
  shownEvents,
  startFlow,
} from '../../support/connect.ts';
import { control, forgetRequests, requests, tokenCalls } from '../../support/simulator.ts';
import { changeConnection, connectionKey, readConnection, tableClient } from '../../support/table.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const DRIVE = 'https://www.googleapis.com/auth/drive';
const FILE = `${DRIVE}.file`;
const EDITOR = 'editor@workspace.example';
const VIEWER = 'viewer@workspace.example';
const PDF = 'application/pdf';

const gateway = useTestGateway();
/** Files of the editor, and a connection of theirs that holds only drive.file. */
let files: string[];
let connectionId: string;
beforeAll(async () => {
  await setScopes(gateway, 'google-drive', [DRIVE]);
  const all = await connectAccount(gateway, 'google-drive', { account: EDITOR });
  const found = await (await proxied(all, `/files?pageSize=6&q=${encodeURIComponent(`mimeType = '${PDF}'`)}`)).json();
  files = found.files.map(({ id }: { id: string }) => id);
  await setScopes(gateway, 'google-drive', [FILE]);
  connectionId = await connectAccount(gateway, 'google-drive', { account: EDITOR });
});

const proxied = (connection: string, path: string) => gateway.proxyAs('google-drive', connection, `/drive/v3${path}`);

const pickSession = (pick: Record<string, unknown>, body: Record<string, unknown> = {}) =>
  connectSession(gateway, { allowed_integrations: ['google-drive'], pick, ...body });

type Choice = Parameters<typeof finishFlow>[1];

/** A whole pick: what the session says in the end, and the page that said it. */
async function picked(pick: Record<string, unknown>, choice: Choice) {
  const token = await pickSession(pick);
  const page = await finishFlow(await startFlow(gateway, token), choice);
  return {
    status: page.status,
    headers: page.headers,
    html: await page.text(),
    state: await sessionState(gateway, token),
  };
}

async function pickRows(connection: string): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await tableClient(gateway).send(
    new QueryCommand({
      TableName: gateway.gateway.tableName,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :pick)',
      ExpressionAttributeValues: { ':pk': connectionKey('google-drive', connection).pk, ':pick': 'PICK#' },
    }),
  );
  return Items;
}

/** The connection's row without what use changes. */
async function keptRow(): Promise<Record<string, unknown>> {
  const {
    lastUsedAtEpochSec: _used,
    refreshAt: _next,
    // What lists show of its health: that it was used.
    revokedAt: _health,
    ...row
  } = await readConnection(gateway, 'google-drive', connectionId);
  return row;
}

describe('a pick for a connection', () => {
  test('PK-3, PK-5: asks for drive.file alone, without earlier scopes, with what may be picked', async () => {
    const token = await pickSession({
      connection_id: connectionId,
      multiple: true,
      mime_types: [PDF, 'text/csv'],
      file_ids: files.slice(0, 2),
      folders: true,
    });
    const { authorizationUrl } = await startFlow(gateway, token);
    expect(Object.fromEntries(new URL(authorizationUrl).searchParams)).toMatchObject({
      scope: FILE,
      trigger_onepick: 'true',
      prompt: 'consent',
      access_type: 'online',
      include_granted_scopes: 'false',
      allow_multiple: 'true',
      mimetypes: `${PDF},text/csv`,
      file_ids: files.slice(0, 2).join(),
      allow_folder_selection: 'true',
      code_challenge_method: 'S256',
    });
    const plain = new URL(
      (await startFlow(gateway, await pickSession({ connection_id: connectionId }))).authorizationUrl,
    );
    for (const name of ['allow_multiple', 'mimetypes', 'file_ids', 'allow_folder_selection', 'nonce']) {
      expect(plain.searchParams.has(name), name).toBe(false);
    }
  });

  test('PK-6, PK-12: lets it open the picked files, keeps its tokens, and lists the files in the session', async () => {
    const [first = '', second = '', other = ''] = files;
    expect((await proxied(connectionId, `/files/${first}`)).status).toBe(404);
    const before = await keptRow();
    const ended = await picked(
      { connection_id: connectionId, multiple: true },
      { account: EDITOR, pick: [first, second] },
    );
    expect(ended.status).toBe(200);
    expect(ended.html).toContain('Files selected');
    expect(ended.html).toContain(EDITOR);
    expect(ended.state).toMatchObject({
      status: 'connected',
      connection_id: connectionId,
      isReconnecting: false,
      error: null,
      picked: [
        { id: first, mime_type: PDF, confirmed: true },
        { id: second, mime_type: PDF, confirmed: true },
      ],
    });
    expect((await proxied(connectionId, `/files/${first}`)).status).toBe(200);
    expect((await proxied(connectionId, `/files/${other}`)).status).toBe(404);
    expect(await keptRow()).toEqual(before);

    const [row] = (await pickRows(connectionId)).slice(-1);
    expect(row).toMatchObject({ type: 'pick', account: { email: EDITOR }, actor: expect.stringMatching(/^session:/) });
    const days = (Number(row?.expiresAtEpochSec) - Number(row?.pickedAtEpochSec)) / 86_400;
    expect(days).toBe(400);
    const [event] = await shownEvents(gateway, 'google-drive', connectionId);
    expect(event).toMatchObject({ type: 'FilesPicked', cause: '2', sequence: 0 });
  });

  test('PK-6: renews an access token that has expired before it tries the files', async () => {
    await changeConnection(gateway, 'google-drive', connectionId, { accessTokenExpiresAtEpochSec: 1 });
    await control(gateway, 'POST', '/tokens/expire', { account: EDITOR, kind: 'access' });
    const ended = await picked({ connection_id: connectionId }, { account: EDITOR, pick: [files[2] ?? ''] });
    expect(ended.state.picked).toEqual([{ id: files[2], mime_type: PDF, confirmed: true }]);
    expect((await proxied(connectionId, `/files/${files[2]}`)).status).toBe(200);
  });

  test('PK-12: names files that the connection cannot open as unconfirmed', async () => {
    await control(gateway, 'POST', '/picker', { foldersOpenChildren: false, grantsHoldFor: 'authorization' });
    const ended = await picked({ connection_id: connectionId }, { account: EDITOR, pick: [files[3] ?? ''] });
    await control(gateway, 'POST', '/picker', { foldersOpenChildren: false, grantsHoldFor: 'project' });
    expect(ended.state).toMatchObject({
      status: 'connected',
      picked: [{ id: files[3], mime_type: null, confirmed: false }],
    });
    expect(ended.html).toContain('could not open it');
  });

  test('PK-12: opens the files with the token of the connection, and with no other', async () => {
    await forgetRequests(gateway);
    await picked({ connection_id: connectionId, multiple: true }, { account: EDITOR, pick: files });
    const calls = await requests(gateway, 'api');
    const authorizationOf = (one: (typeof calls)[number] | undefined) =>
      one?.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
    const tokensOf = (part: string) =>
      new Set(calls.filter(({ target }) => target.includes(part)).map(authorizationOf));
    expect(tokensOf('/drive/v3/about').size).toBe(2);
    expect(tokensOf('/drive/v3/files/').size).toBe(1);
    const proxiedOnce = await proxied(connectionId, '/about?fields=kind');
    expect(proxiedOnce.status).toBe(200);
    const [last] = (await requests(gateway, 'api')).slice(-1);
    expect([...tokensOf('/drive/v3/files/')]).toEqual([authorizationOf(last)]);
  });

  test('PK-13: refuses another account, and neither keeps nor revokes its token', async () => {
    const before = await keptRow();
    const rows = (await pickRows(connectionId)).length;
    await forgetRequests(gateway);
    const ended = await picked({ connection_id: connectionId }, { account: VIEWER });
    expect(ended.status).toBe(409);
    expect(ended.html).toContain(EDITOR);
    expect(ended.html).toContain(VIEWER);
    expect(ended.state).toMatchObject({ status: 'failed', connection_id: null, picked: [] });
    expect(await keptRow()).toEqual(before);
    expect(await pickRows(connectionId)).toHaveLength(rows);
    expect((await tokenCalls(gateway)).length).toBe(1);
    expect((await requests(gateway)).filter(({ target }) => target.includes('revoke'))).toEqual([]);
  });

  test.each([
    ['nothing selected', { account: EDITOR, pick: [] }],
    ['the picker cancelled', { account: EDITOR, pick: 'cancel' as const }],
    ['the consent refused', { account: EDITOR, decision: 'cancel' as const }],
  ])(
    'PK-14: with %s the session is cancelled, nothing changes, and the same browser may try again',
    async (_, choice) => {
      const before = await keptRow();
      await forgetRequests(gateway);
      const token = await pickSession({ connection_id: connectionId });
      const flow = await startFlow(gateway, token);
      const page = await finishFlow(flow, choice);
      expect(await page.text()).toContain('No file was selected');
      expect(await sessionState(gateway, token)).toMatchObject({ status: 'cancelled', error: null, picked: [] });
      expect(await keptRow()).toEqual(before);
      expect(await tokenCalls(gateway)).toEqual([]);
      const again = await startFlow(gateway, token, undefined, flow.cookie);
      await finishFlow({ ...again, cookie: flow.cookie }, { account: EDITOR, pick: [files[0] ?? ''] });
      expect(await sessionState(gateway, token)).toMatchObject({ status: 'connected' });
    },
  );

  test('PK-14: a picker that nobody comes back from ends as cancelled', async () => {
    const token = await pickSession({ connection_id: connectionId });
    await startFlow(gateway, token);
    expect(await sessionState(gateway, token)).toMatchObject({ status: 'authorizing' });
    await changeSession(gateway, token, { authorizingUntilEpochSec: Math.floor(Date.now() / 1000) - 1 });
    expect(await sessionState(gateway, token)).toMatchObject({ status: 'cancelled', error: null });
  });

  test('PK-14: the ids are in no log line, in no event and in no Referer', async () => {
    const ended = await picked({ connection_id: connectionId }, { account: EDITOR, pick: [files[4] ?? ''] });
    expect(ended.state.status).toBe('connected');
    expect(ended.headers.get('referrer-policy')).toBe('no-referrer');
    expect(ended.html).not.toContain(files[4]);
    expect(gateway.gateway.logs().some(({ text }) => text.includes(files[4] ?? ''))).toBe(false);
    expect(JSON.stringify(await shownEvents(gateway, 'google-drive', connectionId))).not.toContain(files[4]);
  });

  test('PK-11: picked_file_ids on any other callback are ignored, whatever they hold', async () => {
    for (const value of [files[5] ?? '', '../../etc', 'x'.repeat(5000)]) {
      const token = await connectSession(gateway, { allowed_integrations: ['google-drive'] });
      const flow = await startFlow(gateway, token);
      const location = await consentOnly(flow, { account: EDITOR });
      location.searchParams.set('picked_file_ids', value);
      expect((await openCallback(location, flow.cookie)).status).toBe(200);
      const state = await sessionState(gateway, token);
      expect(state).toMatchObject({ status: 'connected', picked: [], pick: null });
      expect(await pickRows(String(state.connection_id))).toEqual([]);
    }
  });

  test.each([
    ['a path', '../about'],
    ['too short an id', 'abc'],
    ['an id next to something else', 'PLACE,%2e%2e'],
    ['501 ids', Array.from({ length: 501 }, (_, i) => `file-number-${i}`).join()],
  ])('PK-12: an answer with %s is not used at all', async (_, value) => {
    await forgetRequests(gateway);
    const { token, flow, location } = await walked({ connection_id: connectionId, multiple: true });
    location.searchParams.set('picked_file_ids', value.replace('PLACE', files[0] ?? ''));
    const page = await openCallback(location, flow.cookie);
    expect(page.status).toBe(400);
    expect(await sessionState(gateway, token)).toMatchObject({ status: 'failed', picked: [] });
    expect(await tokenCalls(gateway)).toEqual([]);
  });

  test('PK-10: no page and no answer of a pick holds an access token', async () => {
    const token = await pickSession({ connection_id: connectionId });
    const flow = await startFlow(gateway, token);
    const page = await (await finishFlow(flow, { account: EDITOR, pick: [files[0] ?? ''] })).text();
    const connectPage = await (await fetch(`${gateway.gateway.gatewayUrl}/connect`)).text();
    const said = JSON.stringify(await sessionState(gateway, token));
    for (const text of [page, connectPage, said, flow.authorizationUrl]) expect(text).not.toMatch(/ya29\./);
  });

  test('CS-3: a pick that comes back in another browser is refused before its code is used', async () => {
    await forgetRequests(gateway);
    const { location } = await walked({ connection_id: connectionId });
    expect((await openCallback(location, '__Host-gateway_flow=somebody-else')).status).toBe(403);
    expect(await tokenCalls(gateway)).toEqual([]);
  });
});

async function walked(pick: Record<string, unknown>): Promise<{ token: string; flow: StartedFlow; location: URL }> {
  const token = await pickSession(pick);
  const flow = await startFlow(gateway, token);
  return { token, flow, location: await consentOnly(flow, { account: EDITOR, pick: [files[0] ?? ''] }) };
}

describe('a pick without a connection', () => {
  test('PK-3: makes a connection of drive.file alone that lasts and opens what was picked', async () => {
    const token = await pickSession({ multiple: true }, { end_user: { id: 'u-pick' } });
    const flow = await startFlow(gateway, token);
    expect(new URL(flow.authorizationUrl).searchParams.get('access_type')).toBe('offline');
    await finishFlow(flow, { account: VIEWER });
    const state = await sessionState(gateway, token);
    expect(state).toMatchObject({ status: 'connected', missing_scopes: [] });
    const made = String(state.connection_id);
    const [file] = [state.picked].flat();
    expect(file).toMatchObject({ confirmed: true });
    expect(await shownConnection(gateway, 'google-drive', made)).toMatchObject({
      granted_scopes: [FILE],
      provider_account: null,
      end_user: { id: 'u-pick' },
    });
    const { files: listed } = await (await proxied(made, '/files')).json();
    expect(listed).toEqual([expect.objectContaining({ id: Object(file).id })]);
    const refresh = `/connections/${made}/refresh?provider_config_key=google-drive`;
    expect((await gateway.json('POST', refresh)).status).toBe(200);
    const events = await shownEvents(gateway, 'google-drive', made);
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['ConnectionCreated', 'FilesPicked']));

    // Asking for more of a connection that was made by a pick compares accounts by the API alone.
    const more = await picked({ connection_id: made }, { account: EDITOR });
    expect(more.status).toBe(409);
    const same = await picked({ connection_id: made }, { account: VIEWER });
    expect(same.state.status).toBe('connected');
  });

  test('PK-14: nothing picked makes no connection', async () => {
    const ended = await picked({}, { account: EDITOR, pick: [] });
    expect(ended.state).toMatchObject({ status: 'cancelled', connection_id: null });
  });
});

describe('a session that is to pick', () => {
  const refusal = async (body: Record<string, unknown>) => {
    const answer = await gateway.json('POST', '/connect/sessions', { end_user: { id: 'u' }, ...body });
    const { error } = answer.body;
    return { status: answer.status, paths: (error?.errors ?? []).map(({ path }: { path: string }) => path), error };
  };

  test.each([
    ['of no integration', { allowed_integrations: undefined }, 'allowed_integrations'],
    ['of two', { allowed_integrations: ['google-drive', 'google-calendar'] }, 'allowed_integrations'],
    ['of a provider without a picker', { allowed_integrations: ['google-calendar'] }, 'pick'],
    ['with confirm', { confirm: true }, 'confirm'],
    ['for a connection that is not there', { pick: { connection_id: 'nobody' } }, 'pick.connection_id'],
    ['with an unknown member', { pick: { api_key: 'x' } }, 'pick.api_key'],
    ['with an id that is none', { pick: { file_ids: ['../x'] } }, 'pick.file_ids[0]'],
    ['with a type that is none', { pick: { mime_types: ['pdf'] } }, 'pick.mime_types[0]'],
  ])('a session that is to pick is refused %s, with the member to change', async (_, body, path) => {
    const { status, paths, error } = await refusal({ pick: {}, allowed_integrations: ['google-drive'], ...body });
    expect([status, paths.includes(path)], JSON.stringify(error)).toEqual([400, true]);
  });

  test('CS-17: a session that is to pick is refused where the integration does not ask for drive.file', async () => {
    await setScopes(gateway, 'google-drive', [`${DRIVE}.readonly`]);
    const { status, error } = await refusal({ pick: {}, allowed_integrations: ['google-drive'] });
    await setScopes(gateway, 'google-drive', [FILE]);
    expect(status).toBe(400);
    expect(JSON.stringify(error)).toContain('does not ask for');
  });

  test('PK-6: a session that is to pick is refused for a connection that has ended, and says to connect first', async () => {
    const dead = await connectAccount(gateway, 'google-drive', { account: 'second.user@example.com' });
    await changeConnection(gateway, 'google-drive', dead, { status: 'reauthorization_required' });
    const { status, error } = await refusal({ pick: { connection_id: dead }, allowed_integrations: ['google-drive'] });
    expect(status).toBe(400);
    expect(JSON.stringify(error)).toContain('connect again');
  });
});

describe('a proxied call of a connection that holds only drive.file', () => {
  test('PK-15: says pick_again on a 404 and on appNotAuthorizedToFile, and changes nothing else', async () => {
    const missing = await proxied(connectionId, '/files/1notPickedByAnybody000');
    expect([missing.status, missing.headers.get('x-gateway-hint')]).toEqual([404, 'pick_again']);
    expect((await missing.json()).error.errors[0].reason).toBe('notFound');
    const fault = (reason: string) =>
      control(gateway, 'POST', '/faults', {
        times: 1,
        match: { origin: 'api', pathPrefix: '/drive/v3/files/' },
        action: { apiError: { code: 403, reason } },
      });
    await fault('appNotAuthorizedToFile');
    const refused = await proxied(connectionId, `/files/${files[0]}`);
    expect([refused.status, refused.headers.get('x-gateway-hint')]).toEqual([403, 'pick_again']);
    expect((await refused.json()).error.errors[0].reason).toBe('appNotAuthorizedToFile');
    await fault('insufficientFilePermissions');
    expect((await proxied(connectionId, `/files/${files[0]}`)).headers.has('x-gateway-hint')).toBe(false);
    expect((await proxied(connectionId, '/files')).headers.has('x-gateway-hint')).toBe(false);
  });

  test('PK-15, CH-27: a connection with more scopes gets no hint to pick, and a hint at supportsAllDrives where its absence may cause the 404', async () => {
    await setScopes(gateway, 'google-drive', [FILE, `${DRIVE}.readonly`]);
    const wide = await connectAccount(gateway, 'google-drive', { account: EDITOR });
    await setScopes(gateway, 'google-drive', [FILE]);
    const missing = await proxied(wide, '/files/1notPickedByAnybody000?supportsAllDrives=true');
    expect([missing.status, missing.headers.get('x-gateway-hint')]).toEqual([404, null]);
    const refused = await proxied(wide, `/files/${files[0]}/export?mimeType=none%2Fsuch`);
    expect([refused.status >= 400, refused.headers.get('x-gateway-hint')]).toEqual([true, null]);
    // CH-27: a file of a shared drive, as far as anybody can tell.
    const hidden = await proxied(wide, '/files/1notPickedByAnybody000?fields=id');
    expect([hidden.status, hidden.headers.get('x-gateway-hint')]).toEqual([404, 'all_drives']);
    expect((await hidden.json()).error.errors[0].reason).toBe('notFound');
  });
});
