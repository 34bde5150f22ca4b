/** The client in TypeScript that openapi-generator makes, on a gateway; one line of JSON for each check. */

import { check, equal, text } from './checks.ts';
import {
  Configuration,
  ConnectionsApi,
  ConnectSessionsApi,
  FeedsApi,
  IntegrationsApi,
  ProxyApi,
  type RequestContext,
  ResponseError,
  SecretKeysApi,
  ServiceApi,
} from './client/index.ts';

const INTEGRATION = 'google-drive';
const configuration = new Configuration({
  basePath: process.env.BASE_URL ?? '',
  accessToken: process.env.SECRET_KEY ?? '',
});
const connections = new ConnectionsApi(configuration);
const feeds = new FeedsApi(configuration);
const integrations = new IntegrationsApi(configuration);
const keys = new SecretKeysApi(configuration);
const service = new ServiceApi(configuration);
const state = { connectionId: '', feedId: '', keyId: '' };

/** What a refused call answers. */
async function refusal(call: Promise<unknown>): Promise<{ status: number; code: string; message: string }> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ResponseError)) throw new Error('it was not refused');
  const { code, message } = (await error.response.json()).error;
  return { status: error.response.status, code, message };
}

await check('health', async () => equal((await service.health()).status, 'ok'));
await check('list_integrations', async () => {
  const { data } = await integrations.listIntegrations();
  equal(data.filter(({ uniqueKey }) => uniqueKey === INTEGRATION).length, 1);
});
await check('get_integration', async () => {
  equal((await integrations.getIntegration({ integrationId: INTEGRATION })).data.provider, 'google-drive');
});
await check('create_session', async () => {
  const request = {
    idempotencyKey: '"typescript-session"',
    createConnectSessionBody: { endUser: { id: 'typescript' }, allowedIntegrations: [INTEGRATION] },
  };
  const sessions = new ConnectSessionsApi(configuration);
  const { data } = await sessions.createConnectSession(request);
  equal((await sessions.createConnectSession(request)).data.token, data.token);
  equal(data.token.slice(0, 3), 'cs_');
  equal(data.expiresAt instanceof Date, true);
});
await check('list_connections', async () => {
  const page = await connections.listConnections({ providerConfigKey: INTEGRATION, limit: 1 });
  state.connectionId = text(page.connections[0]?.connectionId);
});
await check('set_metadata', async () => {
  const metadata = { made_by: 'typescript', count: 2 };
  await connections.setMetadata({
    setMetadataBody: { connectionId: state.connectionId, providerConfigKey: INTEGRATION, metadata },
  });
});
await check('get_connection', async () => {
  const { metadata, status, cause } = await connections.getConnection({
    connectionId: state.connectionId,
    providerConfigKey: INTEGRATION,
  });
  equal({ metadata, status, cause }, { metadata: { made_by: 'typescript', count: 2 }, status: 'active', cause: null });
});
await check('create_feed', async () => {
  const { data } = await feeds.createFeed({
    createFeedBody: { providerConfigKey: INTEGRATION, connectionId: state.connectionId, resource: 'drive' },
  });
  state.feedId = data.id;
});
await check('list_feeds', async () => {
  const { data } = await feeds.listFeeds({ providerConfigKey: INTEGRATION });
  equal(
    data.map(({ id }) => id),
    [state.feedId],
  );
});
await check('delete_feed', async () => equal((await feeds.deleteFeed({ feedId: state.feedId })).success, true));
await check('create_key', async () => {
  const { data } = await keys.createSecretKey({
    createSecretKeyBody: { name: 'typescript', right: 'proxy', limits: { mode: 'enforce', allow: ['drive:metadata'] } },
  });
  equal(data.secretKey.slice(0, 3), 'sk_');
  state.keyId = data.id;
});
await check('revoke_key', async () => {
  equal((await keys.revokeSecretKey({ keyId: state.keyId })).success, true);
  const { data } = await keys.listSecretKeys();
  equal(data.filter(({ id, revokedAt }) => id === state.keyId && revokedAt instanceof Date).length, 1);
});
await check('list_events', async () => {
  const { data } = await service.listEvents({ limit: 50 });
  equal(
    data.some(({ type }) => type === 'SecretKeyRevoked'),
    true,
  );
});
await check('refusal', async () => {
  const call = connections.getConnection({ connectionId: 'none', providerConfigKey: INTEGRATION });
  const { status, code } = await refusal(call);
  equal({ status, code }, { status: 404, code: 'unknown_connection' });
});
await check('proxy_path', async () => {
  const proxy = new ProxyApi(configuration);
  const { connectionId } = state;
  const call = proxy.proxyGet({ path: 'drive/v3/files', providerConfigKey: INTEGRATION, connectionId });
  const { status, message } = await refusal(call);
  equal({ status, explained: message.includes('%2F') }, { status: 403, explained: true });
});
await check('proxy_query', async () => {
  const middleware = [{ pre: async ({ url, init }: RequestContext) => ({ url: url.replaceAll('%2F', '/'), init }) }];
  const proxy = new ProxyApi(configuration).withMiddleware(...middleware);
  const { raw } = await proxy.proxyGetRaw({
    path: 'drive/v3/files',
    query: { pageSize: '1', fields: 'kind,files(kind)' },
    providerConfigKey: INTEGRATION,
    connectionId: state.connectionId,
  });
  equal(await raw.json(), { kind: 'drive#fileList', files: [{ kind: 'drive#file' }] });
});
