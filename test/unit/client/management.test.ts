import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../lambdas/management/routes/index.ts';
import { type GatewayClient, GatewayError, UnexpectedAnswerError } from '../../../packages/client/src/index.ts';
import { gatewayError, json, raw, SECRET_KEY, testStub } from './stub.ts';

const stub = testStub();

/** An answer of the wire in the library's spelling: camel case, and nothing where the wire says null. */
function respelled(wire: object): Record<string, unknown> {
  const spelled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(spelled);
    return typeof value === 'object' && value !== null ? respelled(value) : (value ?? undefined);
  };
  const nameOf = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(wire).map(([name, value]) => [nameOf(name), spelled(value)]));
}

/** Members of the wire that the library leaves out: one that changes nothing, and one that is absent where the wire says null. */
const LEFT_OUT = new Set(['forwardWebhooks', 'displayName']);

/** One sentence for each member that the expected answer has, be it as null, and what the library returned has not. */
function unread(expected: unknown, returned: unknown): string[] {
  if (typeof expected !== 'object' || expected === null || typeof returned !== 'object' || returned === null) return [];
  const found = new Map(Object.entries(returned));
  return Object.entries(expected).flatMap(([name, value]) => {
    if (found.has(name)) return unread(value, found.get(name));
    // What belongs to a matcher of the test itself is no member.
    return LEFT_OUT.has(name) || (!Array.isArray(expected) && 'asymmetricMatch' in expected)
      ? []
      : [
          `${name} of the answer is not read: add it to the type and the function that reads it, in packages/client/src.`,
        ];
  });
}

/** Method, path below the stage and parsed body of the latest request. */
function sent(): [method: string | undefined, path: string, body: unknown] {
  const { method, target, headers, body } = stub.last();
  expect(headers).not.toHaveProperty('connection-id');
  return [method, target.replace('/v1', ''), body.length === 0 ? undefined : JSON.parse(body.toString())];
}

const ref = { providerConfigKey: 'google drive', connectionId: 'a/b c' };
const REF = '/connections/a%2Fb%20c';
const OF = '?provider_config_key=google%20drive';
const AT = '2026-11-20T00:00:00.000Z';

/** What the API's document shows as the answer of a route, which the gateway's own tests hold the gateway to. */
function shown(route: string) {
  const found = ROUTES.find(({ method, pattern }) => `${method} ${pattern}` === route);
  return Object(found?.describe().example.answer);
}

const INTEGRATION = {
  ...shown('GET /integrations/{integrationId}').data,
  // The library leaves it out.
  forward_webhooks: undefined,
  hosted_domain: 'workspace.example',
  public_names: { de: 'Ihre Dateien' },
  credentials_fault: { error: 'invalid_client', since: AT, retry_at: AT },
  health: { status: 'refused', reason: 'x', certain: true, since: AT, who: 'developer', remedy: 'r' },
};
const DELEGATION = shown('GET /integrations/{integrationId}/delegation');
const DELEGATION_CHECK = shown('POST /integrations/{integrationId}/delegation/check');
const READINESS = shown('GET /integrations/{integrationId}/readiness').data;
const PROVIDER = shown('GET /providers/{provider}').data;

/** What lists and single connections say of one. */
const SUMMARY = {
  id: 42,
  connection_id: 'user-1',
  provider_config_key: 'google-drive',
  provider: 'google-drive',
  end_user: { id: 'u', display_name: null, email: 'u@example.com', organization: { id: 'o', display_name: 'O' } },
  tags: { end_user_id: 'u' },
  metadata: { Some_Key: [1] },
  status: 'reauthorization_required',
  provider_account: { subject: '123', email: 'first.user@example.com' },
  cause: 'user_revoked',
};
const SUMMARY_READ = { ...respelled(SUMMARY), tags: SUMMARY.tags, metadata: SUMMARY.metadata };
const LISTED = { ...SUMMARY, errors: [{ type: 'auth', log_id: 'user-1' }], created: AT };
const FACTS = {
  requested_scopes: ['a', 'b'],
  granted_scopes: ['a'],
  missing_scopes: ['b'],
  consented_at: AT,
  created_at: AT,
  updated_at: AT,
  access_token_expires_at: AT,
  last_used_at: null,
  shares_grant_with: 2,
  forecasts: { testing_mode_ends_at: AT, access_ends_at: null, refresh_token_limit: { live: 93, limit: 100 } },
};
const DEATH = {
  cause: 'user_revoked',
  certain: false,
  likely_causes: [{ cause: 'user_revoked', likelihood: 0.75, who: 'end_user', explanation: 'e', remedy: 'r' }],
  remedy: 'r',
  since: AT,
};
const NEW_LINKS = shown('POST /connect/reconnect-links').data;
const CONNECTION = { ...SUMMARY, ...FACTS, credentials: {}, death: DEATH };
const REVOCATION = { status: 'skipped', reason: 'shared', retry_at: null, shares_grant_with: 1 };
const TRIED = { status: 404, headers: { a: 'b' }, content_type: 'c', body: '{}', truncated: true, duration_ms: 7 };
const CHECK = {
  works: false,
  reason: 'blocked_by_admin',
  message: 'm',
  who: 'workspace_admin',
  remedy: 'r',
  upstream_status: 403,
};
const [EVENT] = shown('GET /connections/{connectionId}/events').events;
const PENDING = shown('GET /revocations').data;
const SESSION = shown('POST /connect/sessions').data;
const KEY = { ...shown('GET /account/keys').data[0], integration_ids: ['drive'], can_read_credentials: true };
const LIMITS = {
  mode: 'enforce',
  allow: ['drive:read'],
  deny: ['drive.changes.*'],
  approve: ['delete'],
  approval: 'both',
  integrations: ['drive'],
  connections: ['c'],
  sources: ['203.0.113.0/24'],
  minute: { calls: 5 },
  day: { units: 5000, bytes: 9 },
} as const;
const TOOL_LIST = {
  provider: 'google-calendar',
  endpoint: 'full',
  fetched_at: '2026-03-01T12:00:00.000Z',
  tools: [
    {
      name: 'list_events',
      offered_as: 'calendar_google_list_events',
      class: 'read',
      state: 'changed',
      accepted: { hash: 'a', description: 'Lists.', input_schema: {} },
      waiting: { hash: 'b', description: 'Lists events.', input_schema: {} },
    },
  ],
};
const READ_TOOL_LIST = {
  provider: 'google-calendar',
  endpoint: 'full',
  fetchedAt: '2026-03-01T12:00:00.000Z',
  tools: [
    {
      name: 'list_events',
      offeredAs: 'calendar_google_list_events',
      class: 'read',
      state: 'changed',
      accepted: { hash: 'a', description: 'Lists.' },
      waiting: { hash: 'b', description: 'Lists events.' },
    },
  ],
};
const TEST_CLIENT = { provider: 'google-drive', configured: true, client_id: 'client-1' };
const [APPROVAL] = shown('GET /approvals').data;
const aboutOf = ({ facts, request, ...about }: typeof APPROVAL.about) => ({
  ...respelled(about),
  facts: facts.map((fact: Record<string, unknown>) => ({ ...respelled(fact), before: undefined })),
  request: { method: request.method, target: request.target, contentType: undefined, body: undefined },
});
const approvalOf = ({ about, ...given }: typeof APPROVAL) => ({
  ...respelled(given),
  about: aboutOf(about),
  decidedAt: undefined,
  decidedBy: undefined,
  endedAt: undefined,
  outcome: undefined,
});
const SECURITY_PROJECT = shown('GET /security-events').data.projects[0];
const QUOTA = shown('GET /quota');
const FAILED_CALLS = shown('GET /calls');
const {
  undone: [WRITE_FIELDS],
} = shown('POST /undo').data;
const WRITE_WITHOUT_OBJECT = {
  id: WRITE_FIELDS.id,
  time: WRITE_FIELDS.time,
  providerConfigKey: WRITE_FIELDS.provider_config_key,
  connectionId: WRITE_FIELDS.connection_id,
  keyId: WRITE_FIELDS.key_id,
  requestId: WRITE_FIELDS.request_id,
};
const WRITE = { ...WRITE_WITHOUT_OBJECT, method: WRITE_FIELDS.method, object: WRITE_FIELDS.object };
const LAST_HOUR = shown('GET /usage/minutes');
const UNLIMITED = {
  ...QUOTA.data.projects[0],
  units: { used: 1, limit: null, share: null, forecast: 2, forecast_share: null },
  busiest_minute: null,
  units_per_minute_and_user: null,
};
const { ending: ENDING, ...SHOWN } = shown('GET /overview').data;
const OVERVIEW = {
  ...SHOWN,
  ending: [...ENDING, { ...ENDING[0], end_user: null }],
  rejected_integrations: [{ unique_key: 'drive', display_name: 'Drive', error: 'invalid_client', since: AT }],
  crowded_accounts: [
    { connection_id: 'user-1', provider_config_key: 'drive', email: 'u@example.com', live: 93, limit: 100 },
  ],
};

type Row = [
  claim: string,
  answer: unknown,
  call: (client: GatewayClient) => Promise<unknown>,
  request: [method: string, path: string, body?: unknown],
  result?: unknown,
];

const OAUTH_CLIENT = { clientId: 'id', clientSecret: 'secret' };
const PICK = { connectionId: 'c', multiple: true, mimeTypes: ['text/csv'], fileIds: ['f'], folders: false };
const FILTER = {
  search: 'a b',
  endUserId: 'u',
  integrationId: ['drive', 'calendar'],
  status: 'reauthorization_required',
  cause: 'user_revoked',
  tags: { team: 'x' },
  limit: 5,
} as const;

const ROWS: Row[] = [
  [
    'integrations are listed',
    { data: [INTEGRATION] },
    (client) => client.integrations.list(),
    ['GET', '/integrations'],
    [{ ...respelled(INTEGRATION), warnings: [] }],
  ],
  [
    'an integration shows its client id where it is asked for',
    { data: { ...INTEGRATION, credentials: { client_id: 'id', client_secret: '' } } },
    async (client) => (await client.integrations.get('a b', { include: ['credentials'] })).clientId,
    ['GET', '/integrations/a%20b?include=credentials'],
    'id',
  ],
  [
    'an integration is made, without what was left out',
    { data: INTEGRATION },
    (client) =>
      client.integrations.create({
        provider: 'google-drive',
        uniqueKey: 'drive',
        credentials: OAUTH_CLIENT,
        publishingStatus: 'testing',
        scopes: ['drive.file'],
      }),
    [
      'POST',
      '/integrations',
      {
        provider: 'google-drive',
        unique_key: 'drive',
        scopes: ['drive.file'],
        publishing_status: 'testing',
        credentials: { type: 'OAUTH2', client_id: 'id', client_secret: 'secret' },
      },
    ],
    { ...respelled(INTEGRATION), warnings: [] },
  ],
  [
    'an integration is made on test credentials',
    { data: INTEGRATION },
    (client) =>
      client.integrations.createQuickstart({ provider: 'google-drive', uniqueKey: 'drive', displayName: 'Drive' }),
    ['POST', '/integrations/quickstart', { provider: 'google-drive', unique_key: 'drive', display_name: 'Drive' }],
  ],
  [
    'an integration is changed, and tells what that leads to',
    { data: INTEGRATION, warnings: [{ path: 'credentials.client_id', message: 'authorize again' }] },
    async (client) => {
      const changes = {
        credentials: { clientSecret: 'new' },
        uniqueKey: 'd2',
        hostedDomain: 'a.example',
        publicNames: { ja: 'ファイル' },
        quota: { countedIn: 'requests' as const, perMinute: 12_000, perDay: null },
      };
      return (await client.integrations.update('drive', changes)).warnings;
    },
    [
      'PATCH',
      '/integrations/drive',
      {
        unique_key: 'd2',
        hosted_domain: 'a.example',
        public_names: { ja: 'ファイル' },
        quota: { counted_in: 'requests', per_minute: 12_000, per_day: null },
        credentials: { type: 'OAUTH2', client_secret: 'new' },
      },
    ],
    ['authorize again'],
  ],
  [
    'an integration is deleted, and tells how many connections went with it',
    { success: true, deleted_connections: 3 },
    (client) => client.integrations.delete('drive', { revoke: 'if_last' }),
    ['DELETE', '/integrations/drive?revoke=if_last'],
    3,
  ],
  [
    'an integration reports what going live needs',
    { data: READINESS },
    (client) => client.integrations.readiness('drive'),
    ['GET', '/integrations/drive/readiness'],
    respelled(READINESS),
  ],
  [
    'an integration says what administrators list for its service account',
    DELEGATION,
    (client) => client.integrations.delegation('drive'),
    ['GET', '/integrations/drive/delegation'],
    respelled(DELEGATION),
  ],
  [
    'a delegation is checked',
    DELEGATION_CHECK,
    (client) => client.integrations.checkDelegation('drive', 'editor@workspace.example'),
    ['POST', '/integrations/drive/delegation/check', { address: 'editor@workspace.example' }],
    expect.objectContaining({ domain: 'workspace.example', works: true }),
  ],
  [
    'an integration of a service account is made',
    { data: INTEGRATION },
    (client) =>
      client.integrations.create({
        provider: 'google-drive',
        uniqueKey: 'drive',
        delegation: {
          serviceAccount: 'a@p.iam.gserviceaccount.com',
          clientId: '1',
          projectNumber: '2',
          via: 'aws',
          audience: '//iam',
          subjects: { domains: ['workspace.example'] },
          allowDomainAdminAccess: true,
          newSubjectsPerHour: 5,
        },
      }),
    [
      'POST',
      '/integrations',
      {
        provider: 'google-drive',
        unique_key: 'drive',
        kind: 'delegated',
        delegation: {
          service_account: 'a@p.iam.gserviceaccount.com',
          client_id: '1',
          project_number: '2',
          via: 'aws',
          audience: '//iam',
          subjects: { domains: ['workspace.example'] },
          allow_domain_admin_access: true,
          new_subjects_per_hour: 5,
        },
      },
    ],
    expect.objectContaining({ uniqueKey: INTEGRATION.unique_key }),
  ],
  [
    'a user of a domain is connected',
    CONNECTION,
    (client) =>
      client.connections.connectSubject({
        providerConfigKey: 'drive',
        subject: 'editor@workspace.example',
        tags: { t: 'x' },
      }),
    ['POST', '/connections', { provider_config_key: 'drive', subject: 'editor@workspace.example', tags: { t: 'x' } }],
    expect.objectContaining({ connectionId: CONNECTION.connection_id }),
  ],
  [
    'providers are listed',
    { data: [PROVIDER] },
    (client) => client.providers.list({ search: 'drive' }),
    ['GET', '/providers?search=drive'],
    [expect.objectContaining(respelled(PROVIDER))],
  ],
  [
    'a provider is read',
    { data: PROVIDER },
    (client) => client.providers.get('google-drive'),
    ['GET', '/providers/google-drive'],
    expect.objectContaining(respelled(PROVIDER)),
  ],
  [
    'an OAuth client is checked at its provider',
    { data: { verdict: 'wrong_secret', error: 'invalid_client', message: 'Copy it again.' } },
    (client) => client.providers.checkClient('google-drive', OAUTH_CLIENT),
    ['POST', '/providers/google-drive/check-client', { client_id: 'id', client_secret: 'secret' }],
    { verdict: 'wrong_secret', error: 'invalid_client', message: 'Copy it again.' },
  ],
  [
    'connections are listed by every filter',
    { connections: [LISTED], next_cursor: 'c2' },
    (client) => client.connections.list(FILTER),
    [
      'GET',
      '/connections?search=a%20b&status=reauthorization_required&cause=user_revoked&limit=5&end_user_id=u&provider_config_key=drive%2Ccalendar&tags%5Bteam%5D=x',
    ],
    { connections: [{ ...SUMMARY_READ, createdAt: AT }], nextCursor: 'c2', totalIsComplete: false },
  ],
  [
    'an account is searched',
    { data: { ...shown('GET /search').data, connections: [], total: 7 } },
    (client) => client.connections.search('a b', { limit: 5 }),
    ['GET', '/search?q=a%20b&limit=5'],
    { connections: [], integrations: [], keys: [], total: 7, totalIsComplete: true },
  ],
  [
    'a connection is read with everything known of it',
    CONNECTION,
    (client) => client.connections.get(ref, { forceRefresh: true }),
    ['GET', `${REF}${OF}&force_refresh=true`],
    expect.objectContaining({
      ...SUMMARY_READ,
      ...respelled(FACTS),
      credentials: undefined,
      diagnosis: expect.objectContaining(respelled(DEATH)),
    }),
  ],
  [
    'a connection hands out tokens where the key may read them',
    { ...CONNECTION, credentials: { type: 'OAUTH2', access_token: 'at', expires_at: AT, refresh_token: 'rt' } },
    async (client) => (await client.connections.get(ref, { refreshToken: true })).credentials,
    ['GET', `${REF}${OF}&refresh_token=true`],
    { accessToken: 'at', expiresAt: AT, refreshToken: 'rt' },
  ],
  [
    'a connection is imported',
    CONNECTION,
    (client) =>
      client.connections.import({
        providerConfigKey: 'drive',
        refreshToken: 'rt',
        consentedAt: AT,
        metadata: { Camel_Case: 1 },
        endUser: { id: 'u', displayName: 'U' },
        organization: { id: 'o' },
      }),
    [
      'POST',
      '/connections',
      {
        provider_config_key: 'drive',
        credentials: { type: 'OAUTH2', refresh_token: 'rt' },
        consented_at: AT,
        metadata: { Camel_Case: 1 },
        end_user: { id: 'u', display_name: 'U' },
        organization: { id: 'o' },
      },
    ],
  ],
  [
    'a connection is changed',
    { success: true },
    (client) =>
      client.connections.update(ref, {
        tags: { team: 'x' },
        endUser: { id: 'u', tags: { a: 'b' } },
        organization: { id: 'o', displayName: 'O' },
      }),
    [
      'PATCH',
      `${REF}${OF}`,
      {
        end_user: { id: 'u', tags: { a: 'b' } },
        organization: { id: 'o', display_name: 'O' },
        tags: { team: 'x' },
      },
    ],
  ],
  [
    'a connection is deleted, and tells what became of the grant',
    { success: true, revocation: REVOCATION },
    (client) => client.connections.delete(ref, { revoke: true }),
    ['DELETE', `${REF}${OF}&revoke=true`],
    respelled(REVOCATION),
  ],
  [
    'a connection is tried with one call',
    { data: TRIED },
    (client) => client.connections.try(ref, '/drive/v3/files?pageSize=3'),
    ['POST', `${REF}/try${OF}`, { path: '/drive/v3/files?pageSize=3' }],
    respelled(TRIED),
  ],
  [
    'a connection is checked',
    { data: { ...CHECK, connection: null } },
    (client) => client.connections.check(ref),
    ['POST', `${REF}/check${OF}`],
    respelled(CHECK),
  ],
  [
    'a connection has a timeline',
    { events: [EVENT], next_cursor: 'E2' },
    (client) => client.connections.events(ref, { limit: 1, before: 'E3' }),
    ['GET', `${REF}/events${OF}&limit=1&cursor=E3`],
    { events: [{ ...respelled(EVENT), data: EVENT.data }], nextBefore: 'E2' },
  ],
  [
    'metadata is replaced, and not respelled',
    {},
    (client) =>
      client.connections.setMetadata({ providerConfigKey: 'drive', connectionId: ['a', 'b'] }, { someKey: { o_k: 1 } }),
    [
      'POST',
      '/connections/metadata',
      { connection_id: ['a', 'b'], provider_config_key: 'drive', metadata: { someKey: { o_k: 1 } } },
    ],
  ],
  [
    'pending revocations are counted, and the oldest shown',
    { data: PENDING },
    (client) => client.revocations.pending({ integrationId: ['drive', 'calendar'], limit: 1 }),
    ['GET', '/revocations?integrationId=drive%2Ccalendar&limit=1'],
    respelled(PENDING),
  ],
  [
    'a connect session is made for an end user',
    { data: SESSION },
    (client) =>
      client.connectSessions.create({
        endUser: { id: 'u', email: 'first.user@example.com' },
        organization: { id: 'o', displayName: 'O' },
        allowedIntegrations: ['drive'],
        defaults: { drive: { scopes: ['a', 'b'], authorizationParams: { login_hint: 'x' } } },
        returnUrl: 'https://app.example/done',
      }),
    [
      'POST',
      '/connect/sessions',
      {
        end_user: { id: 'u', email: 'first.user@example.com' },
        organization: { id: 'o', display_name: 'O' },
        allowed_integrations: ['drive'],
        integrations_config_defaults: {
          drive: { authorization_params: { login_hint: 'x' }, connection_config: { oauth_scopes_override: 'a,b' } },
        },
        return_url: 'https://app.example/done',
      },
    ],
    respelled(SESSION),
  ],
  [
    'a connect session is made for files to be picked',
    { data: SESSION },
    (client) => client.connectSessions.create({ allowedIntegrations: ['drive'], pick: PICK }),
    [
      'POST',
      '/connect/sessions',
      {
        allowed_integrations: ['drive'],
        pick: { connection_id: 'c', multiple: true, mime_types: ['text/csv'], file_ids: ['f'], folders: false },
      },
    ],
  ],
  [
    'a connect session is made for a connection that exists',
    { data: SESSION },
    (client) =>
      client.connectSessions.reconnect({ providerConfigKey: 'drive', connectionId: 'c', allowAccountChange: true }),
    [
      'POST',
      '/connect/sessions/reconnect',
      { connection_id: 'c', integration_id: 'drive', allow_account_change: true },
    ],
  ],
  [
    'reconnect links are made with a language for users whose own is not known',
    { data: NEW_LINKS },
    (client) =>
      client.connectSessions.createReconnectLinks({
        connections: [{ providerConfigKey: 'drive', connectionId: 'c' }],
        language: 'ja',
      }),
    [
      'POST',
      '/connect/reconnect-links',
      { connections: [{ provider_config_key: 'drive', connection_id: 'c' }], language: 'ja' },
    ],
    respelled(NEW_LINKS),
  ],
  [
    'the sessions of an end user are deleted',
    { success: true, deleted_sessions: 2, has_more: true },
    (client) => client.connectSessions.deleteOf('user 1'),
    ['DELETE', '/connect/sessions?end_user_id=user%201'],
    { deleted: 2, hasMore: true },
  ],
  [
    'secret keys are listed without their text',
    { data: [KEY, { ...KEY, integration_ids: null, is_this_key: true }] },
    (client) => client.keys.list(),
    ['GET', '/account/keys'],
    [respelled(KEY), { ...respelled(KEY), integrationIds: undefined, isThisKey: true }],
  ],
  [
    'a secret key is made, with what is left out left to the gateway',
    { data: { ...KEY, secret_key: 'sk_default_x' } },
    (client) => client.keys.create({ name: 'Reports', right: 'read' }),
    ['POST', '/account/keys', { name: 'Reports', right: 'read' }],
    { ...respelled(KEY), secretKey: 'sk_default_x' },
  ],
  [
    'a secret key is made for some integrations, with the right to read credentials',
    { data: { ...KEY, secret_key: 'sk_default_x' } },
    (client) => client.keys.create({ name: 'R', right: 'full', integrationIds: ['drive'], canReadCredentials: true }),
    ['POST', '/account/keys', { name: 'R', right: 'full', integration_ids: ['drive'], can_read_credentials: true }],
  ],
  [
    'a secret key is made with limits',
    { data: { ...KEY, secret_key: 'sk_default_x' } },
    (client) => client.keys.create({ name: 'R', right: 'proxy', limits: { ...LIMITS, endUsers: { a: 'b' } } }),
    ['POST', '/account/keys', { name: 'R', right: 'proxy', limits: { ...LIMITS, end_users: { a: 'b' } } }],
  ],
  [
    'a role is registered',
    { data: { ...KEY, role_arn: 'arn:aws:iam::111122223333:role/a', role_id: 'AROAEXAMPLEEXAMPLE123' } },
    (client) =>
      client.keys.registerRole({
        name: 'R',
        right: 'proxy',
        roleArn: 'arn:aws:iam::111122223333:role/a',
        roleId: 'AROAEXAMPLEEXAMPLE123',
        limits: LIMITS,
      }),
    [
      'POST',
      '/account/roles',
      {
        name: 'R',
        right: 'proxy',
        role_arn: 'arn:aws:iam::111122223333:role/a',
        role_id: 'AROAEXAMPLEEXAMPLE123',
        limits: LIMITS,
      },
    ],
    { ...respelled(KEY), roleArn: 'arn:aws:iam::111122223333:role/a', roleId: 'AROAEXAMPLEEXAMPLE123' },
  ],
  [
    'an agent’s key is made',
    {
      data: {
        ...KEY,
        agent: {
          end_user_id: 'user-42',
          connections: [{ integration_id: 'google-drive', connection_id: 'c1' }],
          tools: ['drive_search_files'],
        },
        agent_key: 'ak_default_x',
        mcp_url: 'https://gateway.example.com/mcp',
        warnings: [{ path: 'agent.connections', message: 'Google’s rule.' }],
      },
    },
    (client) =>
      client.keys.createAgent({
        name: 'A',
        connections: [{ integrationId: 'google-drive', connectionId: 'c1' }],
        tools: ['drive_search_files'],
        limits: LIMITS,
      }),
    [
      'POST',
      '/account/agents',
      {
        name: 'A',
        connections: [{ integration_id: 'google-drive', connection_id: 'c1' }],
        tools: ['drive_search_files'],
        limits: LIMITS,
      },
    ],
    {
      ...respelled(KEY),
      agent: {
        endUserId: 'user-42',
        connections: [{ integrationId: 'google-drive', connectionId: 'c1' }],
        tools: ['drive_search_files'],
      },
      agentKey: 'ak_default_x',
      mcpUrl: 'https://gateway.example.com/mcp',
      warnings: ['Google’s rule.'],
    },
  ],
  [
    'the limits of a secret key are set',
    { data: { ...KEY, limits: { ...LIMITS, methods: ['drive.files.list'], end_users: { a: 'b' }, expires_at: AT } } },
    (client) => client.keys.setLimits('a/b', { ...LIMITS, methods: ['x'], expiresAt: AT }),
    ['PATCH', '/account/keys/a%2Fb', { limits: { ...LIMITS, expires_at: AT } }],
    { ...respelled(KEY), limits: { ...LIMITS, methods: ['drive.files.list'], endUsers: { a: 'b' }, expiresAt: AT } },
  ],
  [
    'the limits of a secret key are taken away',
    { data: KEY },
    (client) => client.keys.setLimits('k', null),
    ['PATCH', '/account/keys/k', { limits: null }],
    respelled(KEY),
  ],
  [
    'what the limits of a secret key would have refused is read by method',
    {
      data: {
        since: AT,
        counted_until: AT,
        calls: 9,
        would_refuse: 3,
        rows: [
          { limit: 'methods', method: 'drive.files.delete', calls: 2, last_at: AT },
          { limit: 'methods', method: null, calls: 1, last_at: AT },
        ],
      },
    },
    (client) => client.keys.observed('a/b'),
    ['GET', '/account/keys/a%2Fb/observed'],
    {
      since: AT,
      countedUntil: AT,
      calls: 9,
      wouldRefuse: 3,
      rows: [
        { limit: 'methods', method: 'drive.files.delete', calls: 2, lastAt: AT },
        { limit: 'methods', calls: 1, lastAt: AT },
      ],
    },
  ],
  [
    'writes of a journalled key are listed',
    shown('GET /journal'),
    (client) => client.journal.list({ keyId: 'f3a1c5d2e4b6' }, { limit: 1 }),
    ['GET', '/journal?key_id=f3a1c5d2e4b6&limit=1'],
    {
      rows: [{ ...WRITE, outcome: 'done' }],
      keptDays: 7,
    },
  ],
  [
    'what every key did to a file is listed',
    shown('GET /journal'),
    (client) => client.journal.list({ objectId: '1AbC' }),
    ['GET', '/journal?object_id=1AbC'],
    { rows: [{ ...WRITE, outcome: 'done' }], keptDays: 7 },
  ],
  [
    'what one key did to a file is listed',
    shown('GET /journal'),
    (client) => client.journal.list({ keyId: 'f3a1c5d2e4b6' }, { objectId: '1AbC' }),
    ['GET', '/journal?key_id=f3a1c5d2e4b6&object_id=1AbC'],
    { rows: [{ ...WRITE, outcome: 'done' }], keptDays: 7 },
  ],
  [
    'one write is undone',
    shown('POST /undo'),
    (client) => client.journal.undo({ keyId: 'f3a1c5d2e4b6' }, { writeId: '01KJ0000000000000000000001' }),
    ['POST', '/undo', { key_id: 'f3a1c5d2e4b6', write_id: '01KJ0000000000000000000001' }],
    { undone: [WRITE], conflicts: [], notUndoable: [] },
  ],
  [
    'what a key wrote is undone, first to look',
    shown('POST /undo'),
    (client) => client.journal.undo({ keyId: 'f3a1c5d2e4b6' }, { since: AT, dryRun: true }),
    ['POST', '/undo', { key_id: 'f3a1c5d2e4b6', since: AT, dry_run: true }],
    { undone: [WRITE], conflicts: [], notUndoable: [] },
  ],
  [
    'an undo of a connection’s writes says what somebody else has changed and what cannot be undone',
    {
      data: {
        undone: [],
        conflicts: [{ ...WRITE_FIELDS, now: { exists: true, version: '7', differs: ['name'] } }],
        not_undoable: [{ ...WRITE_FIELDS, method: null, object: null, reason: 'permanent' }],
        next_cursor: 'v1.1.x',
      },
    },
    (client) =>
      client.journal.undoSome(
        { providerConfigKey: 'drive', connectionId: 'c1' },
        { since: AT, until: AT, cursor: 'v1.0.x' },
      ),
    ['POST', '/undo', { provider_config_key: 'drive', connection_id: 'c1', since: AT, until: AT, cursor: 'v1.0.x' }],
    {
      undone: [],
      conflicts: [{ ...WRITE, now: { exists: true, version: '7', differs: ['name'] } }],
      notUndoable: [{ ...WRITE_WITHOUT_OBJECT, reason: 'permanent' }],
      nextCursor: 'v1.1.x',
    },
  ],
  [
    'methods that limits can name are listed',
    { data: [{ id: 'drive.files.list', set: 'drive:metadata', meaning: 'List files', provider: 'google-drive' }] },
    (client) => client.keys.limitMethods(),
    ['GET', '/account/limits/catalogue'],
    [{ id: 'drive.files.list', set: 'drive:metadata', meaning: 'List files', provider: 'google-drive' }],
  ],
  [
    'a secret key is revoked by an id that is encoded',
    { success: true },
    (client) => client.keys.revoke('a/b'),
    ['DELETE', '/account/keys/a%2Fb'],
  ],
  [
    'test credentials are looked at without their secret',
    { data: TEST_CLIENT },
    (client) => client.testCredentials.get('google-drive'),
    ['GET', '/test-credentials/google-drive'],
    { provider: 'google-drive', clientId: 'client-1' },
  ],
  [
    'test credentials that are not there have no client',
    { data: { ...TEST_CLIENT, configured: false, client_id: null } },
    (client) => client.testCredentials.get('google-drive'),
    ['GET', '/test-credentials/google-drive'],
    { provider: 'google-drive' },
  ],
  [
    'test credentials are set',
    { data: TEST_CLIENT },
    (client) => client.testCredentials.put('google-drive', OAUTH_CLIENT),
    ['PUT', '/test-credentials/google-drive', { client_id: 'id', client_secret: 'secret' }],
    { provider: 'google-drive', clientId: 'client-1' },
  ],
  [
    'test credentials are removed',
    { success: true },
    (client) => client.testCredentials.delete('google-drive'),
    ['DELETE', '/test-credentials/google-drive'],
  ],
  [
    'tools of MCP servers are listed',
    { data: [TOOL_LIST] },
    (client) => client.integrations.agentTools(),
    ['GET', '/agent-tools'],
    [READ_TOOL_LIST],
  ],
  [
    'tools of MCP servers are fetched',
    { data: [TOOL_LIST] },
    (client) => client.integrations.agentTools({ fetch: true }),
    ['POST', '/agent-tools/fetch'],
    [READ_TOOL_LIST],
  ],
  [
    'tools of MCP servers are accepted as they were seen',
    { data: TOOL_LIST },
    (client) => client.integrations.acceptAgentTools('google-calendar', 'full', [{ name: 'list_events', hash: 'b' }]),
    ['POST', '/agent-tools/google-calendar/accept', { endpoint: 'full', tools: [{ name: 'list_events', hash: 'b' }] }],
    READ_TOOL_LIST,
  ],
  [
    'calls that wait for approval are listed',
    { data: [APPROVAL] },
    (client) => client.approvals.list(),
    ['GET', '/approvals'],
    [approvalOf(APPROVAL)],
  ],
  [
    'a call that waits for approval is shown with what it will do',
    shown('GET /approvals/{approvalId}'),
    (client) => client.approvals.get('apr_1'),
    ['GET', '/approvals/apr_1'],
    {
      ...approvalOf(APPROVAL),
      result: undefined,
    },
  ],
  [
    'a call that was approved is shown with its result',
    {
      data: {
        ...APPROVAL,
        object: null,
        outcome: '200',
        about: { sentence: 'a', facts: [], risks: [], remarks: [], is_certain: false, seen: '~1', request: null },
        result: { status: 200, headers: { etag: 'a' }, body: null, body_encoding: 'utf8' },
      },
    },
    (client) => client.approvals.get('apr_1'),
    ['GET', '/approvals/apr_1'],
    {
      ...approvalOf(APPROVAL),
      object: undefined,
      outcome: '200',
      about: {
        sentence: 'a',
        account: undefined,
        facts: [],
        risks: [],
        remarks: [],
        isCertain: false,
        seen: '~1',
        request: undefined,
      },
      result: { status: 200, headers: { etag: 'a' }, body: undefined, bodyEncoding: 'utf8' },
    },
  ],
  [
    'a call is approved as it was seen',
    { data: APPROVAL },
    (client) => client.approvals.decide('apr_1', 'approve', { seen: 'version:7' }),
    ['POST', '/approvals/apr_1/decision', { decision: 'approve', seen: 'version:7' }],
    approvalOf(APPROVAL),
  ],
  [
    'a link is made with which an end user decides',
    shown('POST /approvals/{approvalId}/session'),
    (client) => client.approvals.createLink('apr_1'),
    ['POST', '/approvals/apr_1/session'],
    respelled(shown('POST /approvals/{approvalId}/session').data),
  ],
  [
    'Cloud projects are listed with what to register at Google',
    { data: { receiver_url: 'https://g.example/inbox', event_types: ['a'], projects: [SECURITY_PROJECT] } },
    (client) => client.securityEvents.list(),
    ['GET', '/security-events'],
    { receiverUrl: 'https://g.example/inbox', eventTypes: ['a'], projects: [respelled(SECURITY_PROJECT)] },
  ],
  [
    'security events of a project are registered with the text of a verification',
    { data: SECURITY_PROJECT },
    (client) => client.securityEvents.register('123456789012', { verification: 'state-1' }),
    ['PUT', '/security-events/123456789012', { verification: 'state-1' }],
    respelled(SECURITY_PROJECT),
  ],
  [
    'security events of a project are turned off',
    { success: true },
    (client) => client.securityEvents.remove('123456789012'),
    ['DELETE', '/security-events/123456789012'],
  ],
  [
    'failed calls of all connections are listed',
    FAILED_CALLS,
    (client) =>
      client.calls.failed({ failure: 'refused', keyId: 'f3a1c5d2e4b6', providerConfigKey: 'drive', status: 404 }),
    ['GET', '/calls?failure=refused&status=404&key_id=f3a1c5d2e4b6&provider_config_key=drive'],
    { calls: FAILED_CALLS.data.map(respelled), nextCursor: undefined, log: { mode: 'errors', retentionDays: 7 } },
  ],
  [
    'the last hour of calls is read by minute, with its verdict',
    LAST_HOUR,
    (client) => client.calls.lastHour({ providerConfigKey: 'drive' }),
    ['GET', '/usage/minutes?provider_config_key=drive'],
    respelled(LAST_HOUR.data),
  ],
  [
    'today’s use of Google’s quotas is read',
    QUOTA,
    (client) => client.quota(),
    ['GET', '/quota'],
    respelled(QUOTA.data),
  ],
  [
    'today’s use of Google’s quotas is read by a key that is limited to integrations, and where Google names no limit',
    { data: { ...QUOTA.data, counted_until: null, keys: null, projects: [UNLIMITED] } },
    (client) => client.quota(),
    ['GET', '/quota'],
    respelled({ ...QUOTA.data, counted_until: null, keys: null, projects: [UNLIMITED] }),
  ],
  [
    'the overview is read',
    { data: OVERVIEW },
    (client) => client.overview(),
    ['GET', '/overview'],
    respelled(OVERVIEW),
  ],
];

describe('a management call', () => {
  it.each<Row>(ROWS)('%s', async (_claim, answer, call, [method, path, body], result) => {
    stub.answer(json(200, answer));
    const returned = await call(stub.client());
    expect(sent()).toEqual([method, path, body]);
    expect(stub.arrived).toHaveLength(1);
    expect(stub.last().headers).toMatchObject({ authorization: `Bearer ${SECRET_KEY}`, accept: 'application/json' });
    expect(unread(result, returned).join('\n')).toBe('');
    if (result !== undefined) expect(returned).toEqual(result);
  });

  it('reads integrations to the last page', async () => {
    const first = json(200, { data: [INTEGRATION], next_cursor: 'a/b' });
    const last = json(200, { data: [{ ...INTEGRATION, unique_key: 'second' }], next_cursor: null });
    stub.answer((...call) => (stub.last().target.includes('cursor=') ? last : first)(...call));
    const found = await stub.client().integrations.list();
    expect(found.map(({ uniqueKey }) => uniqueKey)).toEqual(['google-drive', 'second']);
    expect(sent()[1]).toBe('/integrations?cursor=a%2Fb');
  });

  it('iterates connections from cursor to cursor', async () => {
    stub.answer((request, response) => {
      const next_cursor = request.target.includes('cursor=c2') ? null : 'c2';
      return json(200, { connections: [LISTED], next_cursor })(request, response);
    });
    const ids: string[] = [];
    for await (const { connectionId } of stub.client().connections.all({ endUserId: 'u' })) ids.push(connectionId);
    expect(ids).toEqual(['user-1', 'user-1']);
    const targets = stub.arrived.map(({ target }) => target);
    expect(targets).toEqual(['/v1/connections?end_user_id=u', '/v1/connections?cursor=c2&end_user_id=u']);
  });

  it.each(['', '.', '..'])(
    'a management call is refused for the id %j, which an address would lose',
    async (connectionId) => {
      await expect(stub.client().connections.delete({ ...ref, connectionId })).rejects.toThrow(TypeError);
      expect(stub.arrived).toEqual([]);
    },
  );

  it('asks how far a connect session is, and ends it, by its own token', async () => {
    const picked = [
      { id: 'f', mime_type: 'text/csv', confirmed: true },
      { id: 'g', mime_type: null, confirmed: false },
    ];
    const wire = { endUser: { id: 'u', email: null }, status: 'connected', isReconnecting: false, error: null, picked };
    const made = { connection_id: 'c', provider_config_key: 'drive' };
    stub.answer(json(200, { data: { ...wire, ...made, allowed_integrations: ['drive'] } }));
    expect(await stub.client().connectSessions.get('cs_x')).toEqual({
      ...respelled(wire),
      allowedIntegrations: ['drive'],
      connection: respelled(made),
    });
    expect(stub.last().headers.authorization).toBe('Bearer cs_x');
    stub.answer(raw(204, undefined));
    await stub.client().connectSessions.end('cs_x');
    expect(sent()).toEqual(['DELETE', '/connect/session', undefined]);
    expect(stub.last().headers.authorization).toBe('Bearer cs_x');
  });

  it('CS-15: confirms with the handle and the signed-in user', async () => {
    const wire = { ...SUMMARY, created: AT, missing_scopes: ['s'], is_reconnect: true };
    stub.answer(json(200, { data: wire }));
    const confirmed = await stub.client().connectSessions.confirm('cf_x', 'u');
    expect(confirmed).toMatchObject({ connectionId: 'user-1', missingScopes: ['s'], isReconnect: true });
    expect(sent()).toEqual(['POST', '/connect/sessions/confirm', { handle: 'cf_x', end_user_id: 'u' }]);
  });

  it('CS-15: a management call for another user is refused with the gateway’s conflict', async () => {
    stub.answer(gatewayError(409, 'conflict'));
    const confirming = stub.client().connectSessions.confirm('cf_x', 'v');
    await expect(confirming).rejects.toMatchObject({ code: 'conflict', status: 409 });
    await expect(confirming).rejects.toBeInstanceOf(GatewayError);
  });

  it.each<[string, ReturnType<typeof raw>]>([
    ['a web page', raw(200, '<html>')],
    ['a failure of something in front of the gateway', json(502, { message: 'Bad Gateway' })],
    ['a list where an object has to be', json(200, [])],
    ['an object without its data', json(200, {})],
    ['a member of another type', json(200, { data: { ...INTEGRATION, unique_key: 1 } })],
  ])('rejects %s', async (_what, responder) => {
    stub.answer(responder);
    await expect(stub.client().integrations.get('drive')).rejects.toBeInstanceOf(UnexpectedAnswerError);
  });

  it('names the member without which an answer cannot be read', async () => {
    stub.answer(json(201, { data: KEY }));
    await expect(stub.client().keys.create({ name: 'Reports', right: 'read' })).rejects.toThrow('secret_key');
    stub.answer(json(200, { data: { ...OVERVIEW, statuses: undefined } }));
    await expect(stub.client().overview()).rejects.toThrow('statuses');
  });

  it('never takes a failure for one of Google: it names the address that answered', async () => {
    stub.answer(json(403, { error: { code: 403, message: 'no' } }));
    const error = await stub.client().integrations.list().catch(String);
    expect(error).toMatch(
      /^UnexpectedAnswerError: http:\/\/127\.0\.0\.1:\d+\/v1\/integrations answered with status 403/,
    );
  });

  it('ends at its time limit and on its signal', async () => {
    stub.answer(() => {});
    const { integrations } = stub.client();
    await expect(integrations.list({ timeoutMs: 30 })).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(integrations.list({ signal: AbortSignal.abort(new Error('mine')) })).rejects.toThrow('mine');
  });
});
