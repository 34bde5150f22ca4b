import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { searchBucketOf } from '../../../lambdas/gateway/connections/index-rows.rules.ts';
import { searchBucketItemKey, searchCheckItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { connectAccount, finishFlow, startFlow } from '../../support/connect.ts';
import { changeConnection, tableClient } from '../../support/table.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const gateway = useTestGateway();

const call = (method: string, path: string, body?: unknown, key?: string) => gateway.json(method, path, body, key);

/** Connection ids that a search over HTTP finds. */
async function found(text: string, key?: string): Promise<string[]> {
  const { status, body } = await call('GET', `/search?q=${encodeURIComponent(text)}`, undefined, key);
  expect(status).toBe(200);
  return body.data.connections.map((one: { connection_id: string }) => one.connection_id);
}

const HOSTILE = '<img src=x onerror=alert(1)> "Robert\'); --';

test('a connection is found by every part of what it says, as soon as it says so and no longer', async () => {
  const id = gateway.connectionId('google-drive');
  const path = `/connections/${id}?provider_config_key=google-drive`;
  const rename = (display_name: string) =>
    call('PATCH', path, {
      end_user: { id: 'user-bob', email: 'Bob.Brown@Example.org', display_name },
      organization: { id: 'org-9', display_name: 'Ácme GmbH' },
      tags: { plan: 'Enterprise' },
    });
  expect(await rename('Bobby Brown')).toMatchObject({ status: 200 });
  for (const text of [
    'OB BRO',
    'brown@EXAMPLE',
    'user-bo',
    'acme',
    'org-9',
    'plan=ent',
    id.slice(3, 14).toUpperCase(),
  ]) {
    expect([text, await found(text)]).toEqual([text, [id]]);
  }
  const listed = await call('GET', '/connections?search=BOB&include=total,last_used');
  expect(listed.body).toMatchObject({ total: 1, total_is_complete: true, connections: [{ connection_id: id }] });

  await rename(HOSTILE);
  expect([await found('bobby'), await found('onerror=alert(1)')]).toEqual([[], [id]]);

  const other = gateway.connectionId('google-calendar');
  const limited = await call('POST', '/account/keys', {
    name: 'x',
    right: 'read',
    integration_ids: ['google-calendar'],
  });
  expect(await found('user', limited.body.data.secret_key)).not.toContain(id);
  expect(await found('org-9', limited.body.data.secret_key)).toEqual([]);
  expect(await found(other.slice(0, 12), limited.body.data.secret_key)).toEqual([other]);
});

test('a connection without a search entry, as an earlier version stored it, is found after the next tick', async () => {
  const id = gateway.connectionId('google-calendar');
  const ref = { accountId: 'default', integrationId: 'google-calendar', connectionId: id };
  const { shard, bucket } = searchBucketOf(ref);
  const client = tableClient(gateway);
  const TableName = gateway.gateway.tableName;
  await client.send(new DeleteCommand({ TableName, Key: searchBucketItemKey('default', shard, bucket) }));
  await client.send(new DeleteCommand({ TableName, Key: searchCheckItemKey('default') }));
  expect(await found(id)).toEqual([]);
  await gateway.gateway.tick('refresh');
  expect(await found(id)).toEqual([id]);
});

test('a deleted connection is found no more, and nothing of it stays in the index', async () => {
  const id = gateway.connectionId('google-calendar');
  await call('PATCH', `/connections/${id}?provider_config_key=google-calendar`, {
    end_user: { id: 'user-gone', display_name: 'Gone Tomorrow' },
  });
  expect(await found('gone tom')).toEqual([id]);
  await call('DELETE', `/connections/${id}?provider_config_key=google-calendar`);
  expect(await found('gone tom')).toEqual([]);
});

const links = (body: unknown) => call('POST', '/connect/reconnect-links', body);
const tokenOf = (link: string) => new URLSearchParams(new URL(link).hash.slice(1)).get('session_token') ?? '';

test('CS-1: dead connections get links for days, with words of the operator; each works once and for its own account, and shows who came back', async () => {
  const connected = await connectAccount(
    gateway,
    'google-drive',
    {},
    { end_user: { id: 'user-dead', display_name: HOSTILE }, language: 'fr' },
  );
  await changeConnection(gateway, 'google-drive', connected, {
    status: 'reauthorization_required',
    cause: 'user_revoked',
    consentedAtEpochSec: 1,
  });
  const made = await links({
    all_dead: { cause: 'user_revoked' },
    lifetime_sec: 7 * 24 * 3600,
    message: 'Dear {name}, {integration} again: {link} {other}',
  });
  expect(made).toMatchObject({ status: 201, body: { data: { refused: [], next_cursor: null } } });
  const { id, links: given, expires_at } = made.body.data;
  expect(given).toHaveLength(1);
  const [{ connect_link, message }] = given;
  expect(given).toMatchObject([{ language: 'fr', subject: 'Merci de reconnecter Google Drive' }]);
  expect(new URL(connect_link).search).toBe('?language=fr');
  expect(message).toBe(`Dear ${HOSTILE}, Google Drive again: ${connect_link} {other}`);
  expect((Date.parse(expires_at) - Date.now()) / 86_400_000).toBeCloseTo(7, 1);
  const state = async () => (await call('GET', `/connect/reconnect-links/${id}`)).body.data.links[0].state;
  expect(await state()).toBe('waiting');

  expect((await finishFlow(await startFlow(gateway, tokenOf(connect_link)))).status).toBe(200);
  expect(await state()).toBe('came_back');
  await expect(startFlow(gateway, tokenOf(connect_link))).rejects.toThrow('already been used');
  expect((await call('GET', '/connect/reconnect-links')).body.data[0]).toMatchObject({ id, links: 1, came_back: 1 });
  // An id of a connection may contain these letters, too.
  expect(JSON.stringify((await call('GET', `/connect/reconnect-links/${id}`)).body)).not.toMatch(/\bcs_/);
});

test('CS-1: a withdrawn link opens nothing, and what cannot have a link is named while the others get theirs', async () => {
  const drive = gateway.connectionId('google-drive');
  const made = await links({
    connections: [
      { provider_config_key: 'google-drive', connection_id: drive },
      { provider_config_key: 'google-drive', connection_id: 'nobody' },
    ],
  });
  expect(made.body.data).toMatchObject({
    links: [{ connection_id: drive, message: expect.stringMatching(/^Hello.*,\n/) }],
    refused: [{ connection_id: 'nobody', reason: expect.stringContaining('no such connection') }],
  });
  const { id, links: given } = made.body.data;
  expect(await call('DELETE', `/connect/reconnect-links/${id}`)).toMatchObject({ status: 200 });
  await expect(startFlow(gateway, tokenOf(given[0].connect_link))).rejects.toThrow('withdrawn');
  expect((await call('GET', `/connect/reconnect-links/${id}`)).body.data.links[0].state).toBe('revoked');

  await changeConnection(gateway, 'google-drive', drive, { providerAccount: null });
  const unknown = await links({ connections: [{ provider_config_key: 'google-drive', connection_id: drive }] });
  expect(unknown.body.data).toMatchObject({ links: [], refused: [{ reason: expect.stringContaining('30 minutes') }] });
  const wrong = await links({ connections: [], lifetime_sec: 8 * 24 * 3600, message: 'no link' });
  expect(wrong.status).toBe(400);
  for (const rule of ['name at least one', 'seven days', '{link}']) expect(JSON.stringify(wrong.body)).toContain(rule);
});

/** A request with what a newcomer takes for right, and what the answer's message says to do about it. */
const SLIPS: readonly (readonly [
  slip: string,
  request: (known: { key: string; session: string; drive: string; url: string }) => {
    readonly path: string;
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  },
  status: number,
  message: RegExp,
])[] = [
  [
    'the token of a session at the proxy',
    ({ session, drive }) => ({
      path: '/proxy/drive/v3/files',
      headers: { authorization: `Bearer ${session}`, 'provider-config-key': 'google-drive', 'connection-id': drive },
    }),
    401,
    /^This is the token of a connect session, .* Send a secret key \(sk_…\)/,
  ],
  [
    'the token of a session at the management API',
    ({ session }) => ({ path: '/connections', headers: { authorization: `Bearer ${session}` } }),
    401,
    /^This is the token of a connect session, .* This route takes a secret key \(sk_…\)\.$/,
  ],
  [
    'a secret key where a session’s token belongs',
    () => ({ path: '/connect/session' }),
    401,
    /^This is a secret key\. This route takes the token of a connect session \(cs_…\)/,
  ],
  [
    'a key without Bearer',
    ({ key }) => ({ path: '/connections', headers: { authorization: key } }),
    401,
    /^Put the word Bearer and a space before the key/,
  ],
  [
    'an empty variable behind Bearer',
    () => ({ path: '/connections', headers: { authorization: 'Bearer ' } }),
    401,
    /^The Authorization header holds no key\. Is the variable set/,
  ],
  [
    'a placeholder for the key',
    () => ({ path: '/connections', headers: { authorization: 'Bearer <SECRET_KEY>' } }),
    401,
    /^Send the key alone after Bearer, without quotes/,
  ],
  [
    'a path of Google’s without /proxy',
    () => ({ path: '/drive/v3/files' }),
    404,
    /Put \/proxy before Google's path, as in \/proxy\/drive\/v3\/files\.$/,
  ],
  [
    'a stage that is not there',
    () => ({ path: '/v1/connections' }),
    404,
    /This gateway's base URL is http:\/\/127\.0\.0\.1:\d+: omit \/v1\.$/,
  ],
  ['a stage before a proxied path', () => ({ path: '/prod/proxy/drive/v3/files' }), 404, /omit \/prod\.$/],
  ['a slash too many', () => ({ path: '/connections/' }), 404, /Did you mean \/connections\?$/],
  ['a capital letter', () => ({ path: '/Integrations/google-drive' }), 404, /mean \/integrations\/google-drive\?$/],
  ['the base URL alone', () => ({ path: '/' }), 404, /^This is the base URL of the gateway\. GET \/docs/],
  [
    'an end user’s id as a Connection-Id',
    () => ({
      path: '/proxy/drive/v3/files',
      headers: { 'provider-config-key': 'google-drive', 'connection-id': 'first-user' },
    }),
    404,
    /If it is your own id of a user, GET \/connections\?end_user_id=<id> lists that user's connections\.$/,
  ],
  [
    'a provider instead of an integration',
    () => ({ path: '/proxy/drive/v3/files', headers: { 'provider-config-key': 'google', 'connection-id': 'x' } }),
    404,
    /^There is no integration with this Provider-Config-Key\. GET \/integrations lists them\.$/,
  ],
  [
    'a path of Calendar’s through an integration of Drive’s',
    ({ drive }) => ({
      path: '/proxy/calendar/v3/users/me/calendarList',
      headers: { 'provider-config-key': 'google-drive', 'connection-id': drive },
    }),
    403,
    /^This integration is for Google Drive, .* use an integration of that API's provider/,
  ],
  [
    'JSON with single quotes',
    () => ({ path: '/connect/sessions', body: "{'end_user': 1}" }),
    400,
    /^body: is not valid JSON at character 2; use double quotes$/,
  ],
  [
    'JSON that was cut off',
    () => ({ path: '/connect/sessions', body: '{"end_user":' }),
    400,
    /^end_user: is not valid JSON: it ends too early$/,
  ],
  [
    'endUser',
    () => ({ path: '/connect/sessions', body: { endUser: { id: 'x' } } }),
    400,
    /^endUser: is unknown; did you mean end_user\?$/,
  ],
];

test.each(SLIPS)('%s is answered with what to do about it', async (_slip, request, status, message) => {
  const session = await call('POST', '/connect/sessions', { end_user: { id: 'x' } });
  const { path, headers, body, method } = {
    method: 'POST',
    ...request({
      key: gateway.gateway.secretKey,
      session: session.body.data.token,
      drive: gateway.connectionId('google-drive'),
      url: gateway.gateway.gatewayUrl,
    }),
  };
  const response = await gateway.call(path, {
    ...(body === undefined ? {} : { method, body: typeof body === 'string' ? body : JSON.stringify(body) }),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  });
  const { error } = await response.json();
  expect({ status: response.status, message: error.message }).toEqual({
    status,
    message: expect.stringMatching(message),
  });
});

/** Bodies with problems of the schema and problems that only the use case finds, and where each of them is. */
const FAULTY: readonly (readonly [route: string, body: unknown, paths: readonly string[]])[] = [
  [
    'POST /connect/sessions',
    {
      end_user: { id: 'x', email: 'no address' },
      allowed_integrations: ['nowhere', 'a,b'],
      integrations_config_defaults: { 'google-drive': {} },
      return_url: 'https://elsewhere.example/',
      confirm: 'yes',
    },
    [
      'allowed_integrations[0]',
      'allowed_integrations[1]',
      'confirm',
      'end_user.email',
      'integrations_config_defaults.google-drive',
      'return_url',
    ],
  ],
  [
    'POST /connect/sessions/reconnect',
    {
      integration_id: 'google-drive',
      connection_id: 'gone',
      tags: { 1: 'x' },
      return_url: 'https://elsewhere.example/',
    },
    ['connection_id', 'return_url', 'tags.1'],
  ],
  [
    'POST /integrations',
    {
      provider: 'google-drive',
      unique_key: 'a,b',
      credentials: { type: 'OAUTH2', client_id: 'with blank', client_secret: 'x', scopes: 'drive.nonsense' },
      scopes: ['calendar.nothing'],
      credentials_source: 'test',
    },
    ['credentials', 'credentials.client_id', 'credentials.scopes', 'scopes', 'unique_key'],
  ],
  [
    'POST /integrations',
    { provider: 'google-drive', unique_key: 'trial', scopes: ['nonsense'], credentials_source: 'test', mode: 'live' },
    ['mode', 'scopes'],
  ],
  [
    'PATCH /integrations/google-drive',
    { scopes: ['nonsense'], publishing_status: 'public', credentials_source: 'own', unique_key: 'renamed' },
    ['credentials.client_id', 'credentials.client_secret', 'publishing_status', 'scopes', 'unique_key'],
  ],
  [
    'POST /connections',
    {
      provider_config_key: 'google-drive',
      credentials: { type: 'OAUTH2', refresh_token: '', expires_at: '1990-01-01T00:00:00Z' },
      consented_at: '1990-01-01T00:00:00Z',
    },
    ['consented_at', 'credentials.expires_at', 'credentials.refresh_token'],
  ],
  ['POST /account/keys', { name: '', right: 'read', integration_ids: ['nowhere'] }, ['integration_ids[0]', 'name']],
  [
    'POST /webhooks',
    { url: 'https://10.0.0.1/', types: ['Nothing'], integrations: ['nowhere', 'a,b'] },
    ['integrations[0]', 'integrations[1]', 'types[0]', 'url'],
  ],
  [
    'POST /feeds',
    { provider_config_key: 'google-drive', connection_id: 'x', resource: 'calendar_list', delivery: 'mail' },
    ['delivery', 'resource'],
  ],
  [
    'POST /connect/reconnect-links',
    { all_dead: {}, connections: [{ provider_config_key: 'a,b', connection_id: 'x' }], lifetime_sec: 1, message: 'x' },
    ['connections', 'connections[0].provider_config_key', 'lifetime_sec', 'message'],
  ],
];

test.each(FAULTY)('%s reports all problems of a body at once (AK-8)', async (route, body, paths) => {
  const [method = '', path = ''] = route.split(' ');
  const answer = await call(method, path, body);
  const told: string[] = answer.body.error.errors?.map((problem: { path: string }) => problem.path) ?? [];
  expect([answer.status, answer.body.error.code, told.toSorted()]).toEqual([400, 'invalid_body', paths]);
});
