/** The client in TypeScript that hey-api makes, on a gateway; one line of JSON for each check. */
import { check, equal, text } from './checks.ts';
import { createClient } from './client/client/index.ts';
import { client } from './client/client.gen.ts';
import {
  createConnectSession,
  createFeed,
  createSecretKey,
  deleteFeed,
  getConnection,
  getIntegration,
  health,
  listConnections,
  listEvents,
  listFeeds,
  listIntegrations,
  listSecretKeys,
  proxyGet,
  revokeSecretKey,
  setMetadata,
} from './client/index.ts';

const INTEGRATION = 'google-drive';
client.setConfig({ baseUrl: process.env.BASE_URL ?? '', auth: () => process.env.SECRET_KEY ?? '' });
const failing = { throwOnError: true } as const;
const state = { connectionId: '', feedId: '', keyId: '' };

await check('health', async () => equal((await health(failing)).data.status, 'ok'));
await check('list_integrations', async () => {
  const { data } = await listIntegrations(failing);
  equal(data.data.filter(({ unique_key }) => unique_key === INTEGRATION).length, 1);
});
await check('get_integration', async () => {
  const { data } = await getIntegration({ ...failing, path: { integrationId: INTEGRATION } });
  equal(data.data.provider, 'google-drive');
});
await check('create_session', async () => {
  const request = {
    ...failing,
    headers: { 'Idempotency-Key': '"hey-api-session"' },
    body: { end_user: { id: 'hey-api' }, allowed_integrations: [INTEGRATION] },
  };
  const { token } = (await createConnectSession(request)).data.data;
  equal((await createConnectSession(request)).data.data.token, token);
  equal(token.slice(0, 3), 'cs_');
});
await check('list_connections', async () => {
  const { data } = await listConnections({ ...failing, query: { provider_config_key: INTEGRATION, limit: 1 } });
  state.connectionId = text(data.connections[0]?.connection_id);
});
await check('set_metadata', async () => {
  const metadata = { made_by: 'hey-api', count: 2 };
  const body = { connection_id: state.connectionId, provider_config_key: INTEGRATION, metadata };
  await setMetadata({ ...failing, body });
});
await check('get_connection', async () => {
  const { data } = await getConnection({
    ...failing,
    path: { connectionId: state.connectionId },
    query: { provider_config_key: INTEGRATION },
  });
  const { metadata, status, cause } = data;
  equal({ metadata, status, cause }, { metadata: { made_by: 'hey-api', count: 2 }, status: 'active', cause: null });
});
await check('create_feed', async () => {
  const body = { provider_config_key: INTEGRATION, connection_id: state.connectionId, resource: 'drive' };
  state.feedId = (await createFeed({ ...failing, body })).data.data.id;
});
await check('list_feeds', async () => {
  const { data } = await listFeeds({ ...failing, query: { provider_config_key: INTEGRATION } });
  equal(
    data.data.map(({ id }) => id),
    [state.feedId],
  );
});
await check('delete_feed', async () => {
  equal((await deleteFeed({ ...failing, path: { feedId: state.feedId } })).data.success, true);
});
await check('create_key', async () => {
  const { data } = await createSecretKey({
    ...failing,
    body: { name: 'hey-api', right: 'proxy', limits: { mode: 'enforce', allow: ['drive:metadata'] } },
  });
  equal(data.data.secret_key.slice(0, 3), 'sk_');
  state.keyId = data.data.id;
});
await check('revoke_key', async () => {
  equal((await revokeSecretKey({ ...failing, path: { keyId: state.keyId } })).data.success, true);
  const { data } = await listSecretKeys(failing);
  equal(data.data.filter(({ id, revoked_at }) => id === state.keyId && revoked_at !== null).length, 1);
});
await check('list_events', async () => {
  const { data } = await listEvents({ ...failing, query: { limit: 50 } });
  equal(
    data.data.some(({ type }) => type === 'SecretKeyRevoked'),
    true,
  );
});
await check('refusal', async () => {
  const { error, response } = await getConnection({
    path: { connectionId: 'none' },
    query: { provider_config_key: INTEGRATION },
  });
  const code: 'unknown_connection' | string | undefined = error?.error.code;
  equal({ status: response?.status, code }, { status: 404, code: 'unknown_connection' });
});
await check('proxy_path', async () => {
  const { error, response } = await proxyGet({
    path: { path: 'drive/v3/files' },
    headers: { 'Provider-Config-Key': INTEGRATION, 'Connection-Id': state.connectionId },
  });
  equal(
    { status: response?.status, explained: JSON.stringify(error).includes('%2F') },
    { status: 403, explained: true },
  );
});
await check('proxy_query', async () => {
  const proxy = createClient(client.getConfig());
  proxy.interceptors.request.use((request) => new Request(request.url.replaceAll('%2F', '/'), request));
  const { data } = await proxyGet({
    ...failing,
    client: proxy,
    path: { path: 'drive/v3/files' },
    query: { query: { pageSize: '1', fields: 'kind,files(kind)' } },
    headers: { 'Provider-Config-Key': INTEGRATION, 'Connection-Id': state.connectionId },
  });
  equal(data, { kind: 'drive#fileList', files: [{ kind: 'drive#file' }] });
});
