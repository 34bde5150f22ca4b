import { openConnectSession } from '../gateway/authorization/find-connect-session.ts';
import { allowedOpener } from '../gateway/authorization/return-url.rules.ts';
import { GatewayError, type Problem, refusal } from '../gateway/core/errors.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway/core/http-message.ts';
import { JSON_BODY_MAX_BYTES } from '../gateway/core/limits.ts';
import { bindingCookies, setBindingCookie } from '../gateway/http/front-door.ts';
import type { ConnectDependencies } from './dependencies.ts';
import { jsonResponse } from './json-response.ts';
import { languageFor } from './language.ts';
import { requireOwnPage } from './same-origin.ts';
import { sessionToken } from './session-routes.ts';
import { startAuthorization } from './start-authorization.ts';

const MEMBERS = ['provider_config_key', 'opener_origin'] as const;
type StartBody = Partial<Record<(typeof MEMBERS)[number], string>>;

/** `POST /connect/authorizations`: sets the cookie that binds the flow to this browser, returns where to go. @throws GatewayError */
export async function startRoute(deps: ConnectDependencies, request: GatewayRequest): Promise<GatewayResponse> {
  if (request.method !== 'POST') throw new GatewayError('method_not_allowed', 'An authorization is started with POST.');
  requireOwnPage(request, deps.baseUrl);
  const session = await openConnectSession(deps, sessionToken(request));
  const body = readStartBody(request.body);
  const started = await startAuthorization(deps, session, {
    integrationId: body.provider_config_key,
    bindingCookie: bindingCookies(request.headers)[0],
    openerOrigin: allowedOpener(body.opener_origin, new URL(deps.baseUrl).origin, deps.connectAllowedOrigins),
    language: languageFor(request, session),
    requestId: request.requestId,
  });
  return jsonResponse(
    200,
    { data: { authorization_url: started.authorizationUrl, provider_config_key: started.integrationId } },
    request.requestId,
    [['set-cookie', setBindingCookie(started.bindingCookie)]],
  );
}

/** Reads the optional JSON body. @throws GatewayError naming every problem at once */
export function readStartBody(bytes: Uint8Array | undefined): StartBody {
  if (bytes === undefined) return {};
  if (bytes.length > JSON_BODY_MAX_BYTES) {
    throw new GatewayError('request_too_large', `The body may have ${JSON_BODY_MAX_BYTES} bytes.`);
  }
  const problems: Problem[] = [];
  const body: StartBody = {};
  for (const [name, value] of Object.entries(parseObject(bytes))) {
    const member = MEMBERS.find((known) => known === name);
    if (member === undefined) problems.push({ path: name, message: 'this member is not known' });
    else if (typeof value !== 'string') problems.push({ path: name, message: 'send a string' });
    else body[member] = value;
  }
  if (problems.length > 0) throw refusal('invalid_body', problems);
  return body;
}

function parseObject(bytes: Uint8Array): object {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw refusal('invalid_body', [
      { path: 'body', message: 'send JSON, such as {"provider_config_key": "google-drive"}' },
    ]);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw refusal('invalid_body', [{ path: 'body', message: 'send a JSON object' }]);
}
