import { jsonAt, textAt } from '../../../../lambdas/gateway/openapi/read-document.ts';
import { walkConsent } from '../../../../packages/simulator/consent.ts';
import { connectSession, openCallback, startFlow } from '../../../support/connect.ts';
import { jsonRequest, type TestGateway } from '../../../support/gateway.ts';
import type { ScriptedUpstream } from '../../../support/scripted-upstream.ts';
import { control } from '../../../support/simulator.ts';
import { changeConnection } from '../../../support/table.ts';
import { keyWith } from '../keys.ts';
import { type Canaries, randomSecret } from './canaries.ts';

/** A walk through everything that touches a secret. */
export interface Walk {
  readonly gateway: TestGateway;
  readonly canaries: Canaries;
  /** What the gateway's API calls are answered with next. */
  readonly upstream: ScriptedUpstream;
  /** Bodies of every failure the gateway itself answered with. */
  readonly failures: string[];
}

const INTEGRATION = 'drive-own';
const ENCODED_EMAIL = 'canary.person.4711%40example.com';
const EMAIL = decodeURIComponent(ENCODED_EMAIL);

/** Sends a request and keeps its body where the gateway refused or failed. */
async function failing(walk: Walk, path: string, init: RequestInit = {}): Promise<void> {
  const answer = await walk.gateway.call(path, init);
  const text = await answer.text();
  if (answer.status < 400) throw new Error(`${path} did not fail: ${answer.status} ${text}`);
  walk.failures.push(text);
}

/** An integration with a client of its own, whose secret is a canary, registered at the provider too. */
export async function makeIntegration({ gateway, canaries }: Walk): Promise<void> {
  const clientId = '700700700700-canary.apps.googleusercontent.com';
  const clientSecret = `GOCSPX-${randomSecret()}`;
  canaries.add('client secret', clientSecret);
  const redirectUris = [`${gateway.gateway.gatewayUrl}/oauth/callback`];
  gateway.gateway.simulator?.upsertClient({ clientId, clientSecret, redirectUris });
  const credentials = { type: 'OAUTH2', client_id: clientId, client_secret: clientSecret };
  await gateway.json('POST', '/integrations', { provider: 'google-drive', unique_key: INTEGRATION, credentials });
}

/** One connection through the whole flow; its callback a second time is refused and says nothing of what it was sent. */
export async function connect({ gateway, canaries, failures }: Walk): Promise<string> {
  const token = await connectSession(gateway, {
    allowed_integrations: [INTEGRATION],
    end_user: { id: 'u', email: EMAIL },
  });
  const flow = await startFlow(gateway, token, INTEGRATION);
  canaries.add('session token', token);
  canaries.add('cookie', flow.cookie.split('=')[1]);
  canaries.add('state', new URL(flow.authorizationUrl).searchParams.get('state'));
  const { location } = await walkConsent(flow.authorizationUrl);
  canaries.add('code', new URL(location).searchParams.get('code'));
  const page = await openCallback(location, flow.cookie);
  if (page.status !== 200) throw new Error(`Not connected: ${await page.text()}`);
  failures.push(await (await openCallback(location, flow.cookie)).text());
  const { body } = await gateway.json('GET', '/connections?limit=1');
  const { connections } = jsonAt(body);
  return textAt(Array.isArray(connections) ? connections[0] : undefined, 'connection_id');
}

/** Flows that fail, each with its secrets in the request. */
export async function failFlows(walk: Walk): Promise<void> {
  const { gateway, canaries, failures } = walk;
  const token = await connectSession(gateway, { allowed_integrations: [INTEGRATION] });
  canaries.add('session token', token);
  const flow = await startFlow(gateway, token, INTEGRATION);
  canaries.add('cookie', flow.cookie.split('=')[1]);
  canaries.add('state', new URL(flow.authorizationUrl).searchParams.get('state'));
  const { location } = await walkConsent(flow.authorizationUrl);
  canaries.add('code', new URL(location).searchParams.get('code'));
  failures.push(await (await openCallback(location)).text());
  failures.push(await (await openCallback(location, flow.cookie)).text());
  const twice = `${location}&code=${new URL(location).searchParams.get('code')}`;
  failures.push(await (await openCallback(twice, flow.cookie)).text());
  const direct = `/oauth/connect/none?connect_session_token=${token}&credentials[client_secret]=${token}`;
  await failing(walk, direct);
  await failing(walk, '/connect/authorizations', { method: 'POST', headers: { authorization: `Bearer ${token}x` } });
}

/** Proxied calls that fail, before and at the provider. */
export async function failCalls(walk: Walk, connectionId: string): Promise<void> {
  const { gateway, canaries, upstream } = walk;
  const secret = randomSecret();
  canaries.add("caller's own token", secret);
  const identity = { 'provider-config-key': INTEGRATION, 'connection-id': connectionId };
  const headers = { ...identity, 'content-type': 'application/json' };
  const send = (path: string, init: RequestInit = {}) => failing(walk, `/proxy${path}`, { headers, ...init });
  await send(`/drive/v3/files?access_token=${secret}`);
  await send(`/gmail/v1/users/${ENCODED_EMAIL}`);
  await send('/drive/v3/files', { headers: { ...headers, 'nango-proxy-host': secret, retries: secret } });
  await send('/drive/v3/files', { headers: { ...headers, authorization: `Bearer sk_default_${secret}` } });
  upstream.answer((_request, response) => void response.socket?.destroy());
  await send(`/drive/v3/files?q=${ENCODED_EMAIL}`, { method: 'POST', body: JSON.stringify({ secret }) });
  upstream.answer((_request, response) => void response.socket?.end(`${secret}\r\n\r\n`));
  await send(`/drive/v3/files/${ENCODED_EMAIL}`, { method: 'DELETE' });
  const uploadId = `AJRbA5W${randomSecret()}`;
  canaries.add('upload id', uploadId);
  upstream.answer((_request, response) => {
    const location = `${upstream.origin}/upload/drive/v3/files?uploadType=resumable&upload_id=${uploadId}`;
    response.writeHead(200, { location }).end();
  });
  await gateway.call('/proxy/upload/drive/v3/files?uploadType=resumable', { method: 'POST', headers, body: '{}' });
  upstream.answer((_request, response) => void response.socket?.destroy());
  await send(`/upload/drive/v3/files?uploadType=resumable&upload_id=${uploadId}`, { method: 'PUT', body: '{}' });
}

/** Refreshes that fail, credentials that are read, a record that cannot be read, a deletion that revokes. */
export async function failRefreshes(walk: Walk, connectionId: string, spare: string): Promise<void> {
  const { gateway, canaries } = walk;
  const target = `/connections/${connectionId}`;
  const query = `?provider_config_key=${INTEGRATION}`;
  const reader = await keyWith(gateway, { can_read_credentials: true });
  canaries.add('secret key', reader);
  await gateway.json('GET', `${target}${query}&refresh_token=true&force_refresh=true`, undefined, reader);
  for (const action of [
    { oauthError: { status: 400, error: 'invalid_request', error_description: EMAIL } },
    { oauthError: { status: 401, error: 'invalid_client' } },
    { status: 500, body: EMAIL },
    { closeAfterApply: true },
  ]) {
    await control(gateway, 'POST', '/faults', { match: { origin: 'token' }, times: 1, action });
    await changeConnection(gateway, INTEGRATION, connectionId, { retryAt: 0, accessTokenExpiresAtEpochSec: 1 });
    await gateway.call(`${target}/refresh${query}`, { method: 'POST' }).then(async (answer) => {
      if (answer.status >= 400) walk.failures.push(await answer.text());
    });
    await control(gateway, 'DELETE', '/faults');
  }
  await changeConnection(gateway, INTEGRATION, spare, { createdAt: 7 });
  await failing(walk, `/connections/${spare}${query}`);
  await changeConnection(gateway, INTEGRATION, spare, { createdAt: new Date().toISOString() });
  await gateway.call(`${target}${query}&revoke=true`, { method: 'DELETE' });
  await control(gateway, 'POST', '/grants/kill', { account: 'first.user@example.com', reason: 'user_revoked' });
  await failing(walk, `/connections/${spare}/refresh${query}`, { method: 'POST' });
}

/** Management requests that are refused, with secrets in the wrong places. */
export async function failManagement(walk: Walk): Promise<void> {
  const { canaries } = walk;
  const secret = `GOCSPX-${randomSecret()}`;
  canaries.add('client secret in a wrong place', secret);
  const post = (path: string, body: unknown) => failing(walk, path, jsonRequest('POST', body));
  const integration = { provider: 'google-drive', unique_key: 'x' };
  await post('/integrations', {
    ...integration,
    credentials: { type: 'OAUTH2', client_id: `a ${secret}`, client_secret: [secret] },
  });
  await post('/integrations', { ...integration, client_secret: secret, credentials_source: secret });
  await post('/connections', {
    provider_config_key: INTEGRATION,
    credentials: { type: secret, refresh_token: `${secret} ` },
  });
  const token = `1//0${randomSecret()}`;
  canaries.add('refresh token that is refused', token);
  await post('/connections', {
    provider_config_key: INTEGRATION,
    credentials: { type: 'OAUTH2', refresh_token: token },
  });
  await failing(walk, '/connect/sessions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"end_user":{"id":"${secret}"`,
  });
  await failing(walk, `/connections?search=${ENCODED_EMAIL}&limit=${secret}`);
  await failing(walk, `/test-credentials/${secret}`);
}
