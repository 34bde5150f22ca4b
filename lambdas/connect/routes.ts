import { GatewayError, refusal } from '../shared/domain/errors.ts';
import { type GatewayRequest, type GatewayResponse, headerValue, headerValues } from '../shared/domain/http-message.ts';
import { JSON_BODY_MAX_BYTES } from '../shared/domain/limits.ts';
import type { Provider, ProviderId } from '../shared/domain/provider.ts';
import { bearerToken } from '../shared/domain/secret-key.ts';
import { bindingCookies, setBindingCookie } from '../shared/http/binding-cookie.ts';
import { emptyResponse, jsonResponse } from '../shared/http/json-response.ts';
import { type StartDependencies, startAuthorization } from '../shared/use-cases/authorization/start-authorization.ts';
import { findConnectSession, openConnectSession } from '../shared/use-cases/find-connect-session.ts';
import { connectPage } from './pages/connect-page.ts';
import { sessionView } from './session-view.ts';

export interface ConnectDependencies extends StartDependencies {
  readonly providerOf: (id: ProviderId) => Provider;
}

/** Routes of the browser's side of connecting. @throws GatewayError */
export function connectRoute(deps: ConnectDependencies, request: GatewayRequest): Promise<GatewayResponse> | GatewayResponse {
  switch (`${request.method} ${request.rawPath}`) {
    case 'GET /connect':
      return connectPage(deps.baseUrl, nonce(deps), request.requestId);
    case 'GET /connect/session':
      return showSession(deps, request);
    case 'DELETE /connect/session':
      return endSession(deps, request);
    case 'POST /connect/authorizations':
      return start(deps, request);
    default:
      throw request.rawPath.startsWith('/oauth/connect/')
        ? new GatewayError('not_supported', 'Open the connect_link of a connect session instead.')
        : new GatewayError('method_not_allowed', `${request.method} is not available here.`);
  }
}

async function showSession(deps: ConnectDependencies, request: GatewayRequest): Promise<GatewayResponse> {
  const { session, status } = await findConnectSession(deps, sessionToken(request));
  const allowed = session.reconnect === undefined ? session.allowedIntegrations : [session.reconnect.integrationId];
  const integrations =
    allowed.length === 0
      ? await deps.integrations.list(session.accountId)
      : await Promise.all(allowed.map((integrationId) => deps.integrations.get({ accountId: session.accountId, integrationId })));
  const known = integrations.filter((integration) => integration !== undefined);
  return jsonResponse(200, { data: sessionView(session, status, known, deps.providerOf) }, request.requestId);
}

async function endSession(deps: ConnectDependencies, request: GatewayRequest): Promise<GatewayResponse> {
  const { session } = await findConnectSession(deps, sessionToken(request));
  await deps.sessions.delete(session.sessionHash);
  return emptyResponse(204, request.requestId);
}

/** Sets the cookie that binds the flow to this browser; only our own page may do so (CS-4). */
async function start(deps: ConnectDependencies, request: GatewayRequest): Promise<GatewayResponse> {
  refuseOtherSites(request, deps.baseUrl);
  const session = await openConnectSession(deps, sessionToken(request));
  const started = await startAuthorization(deps, session, {
    integrationId: readIntegrationId(request),
    bindingCookie: bindingCookies(request.headers)[0],
  });
  return jsonResponse(
    200,
    { data: { authorization_url: started.authorizationUrl, provider_config_key: started.integrationId } },
    request.requestId,
    [['set-cookie', setBindingCookie(started.bindingCookie)]],
  );
}

/** A browser says where a request comes from; clients that are no browser say nothing and have no cookies to fixate. */
function refuseOtherSites(request: GatewayRequest, baseUrl: string): void {
  const site = headerValue(request.headers, 'sec-fetch-site');
  const origin = headerValue(request.headers, 'origin');
  const foreign =
    (site !== undefined && site !== 'same-origin') || (origin !== undefined && origin !== new URL(baseUrl).origin);
  if (foreign) throw new GatewayError('forbidden', "Only the gateway's own connect page may start an authorization.");
}

function sessionToken(request: GatewayRequest): string | undefined {
  const values = headerValues(request.headers, 'authorization');
  return values.length === 1 ? bearerToken(values[0] ?? '') : undefined;
}

function readIntegrationId(request: GatewayRequest): string | undefined {
  if (request.body === undefined) return undefined;
  if (request.body.length > JSON_BODY_MAX_BYTES) {
    throw new GatewayError('request_too_large', `The body may have ${JSON_BODY_MAX_BYTES} bytes.`);
  }
  let body: unknown;
  try {
    body = JSON.parse(Buffer.from(request.body).toString('utf8'));
  } catch {
    throw refusal('invalid_body', [{ path: 'body', message: 'send JSON, such as {"provider_config_key": "google-drive"}' }]);
  }
  const members = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.entries(body) : undefined;
  if (members === undefined) throw refusal('invalid_body', [{ path: 'body', message: 'send a JSON object' }]);
  const unknown = members.filter(([name]) => name !== 'provider_config_key');
  if (unknown.length > 0) {
    throw refusal('invalid_body', unknown.map(([name]) => ({ path: name, message: 'this member is not known' })));
  }
  const value = members[0]?.[1];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') {
    throw refusal('invalid_body', [{ path: 'provider_config_key', message: 'send a string' }]);
  }
  return value;
}

function nonce(deps: ConnectDependencies): string {
  return Buffer.from(deps.random.bytes(18)).toString('base64url');
}
