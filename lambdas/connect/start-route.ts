import * as z from 'zod';
import { openConnectSession } from '../gateway/authorization/find-connect-session.ts';
import { allowedOpener } from '../gateway/authorization/return-url.rules.ts';
import { GatewayError, type Problem, refusal, wrongMethod } from '../gateway/core/errors.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway/core/http-message.ts';
import { JSON_BODY_MAX_BYTES } from '../gateway/core/limits.ts';
import { bindingCookies, setBindingCookie } from '../gateway/http/front-door.ts';
import { requireOwnPage } from '../gateway/http/same-origin.ts';
import { documented } from '../gateway/openapi/documented.ts';
import { failures, jsonAnswer, sessionOperation } from '../gateway/openapi/path-parts.ts';
import type { ConnectDependencies, ConnectRoute } from './dependencies.ts';
import { jsonResponse } from './json-response.ts';
import { languageFor } from './language.ts';
import { sessionToken } from './session-routes.ts';
import { startAuthorization } from './start-authorization.ts';

/** Optional members of the body, all of them text. */
const MEMBERS = {
  provider_config_key: 'May be omitted if the session allows only one.',
  opener_origin: 'Allowed origin of the window that waits for the result.',
} as const;
type StartBody = Partial<Record<keyof typeof MEMBERS, string>>;

const startedAuthorization = documented(() =>
  z
    .object({ data: z.object({ authorization_url: z.string(), provider_config_key: z.string() }) })
    .meta({ id: 'StartedAuthorization' }),
);

/** `POST /connect/authorizations`: sets the cookie that binds the flow to this browser, returns the address to open. */
export const START_ROUTE: ConnectRoute = {
  pattern: '/connect/authorizations',
  describe: documented(() => (components) => ({
    post: sessionOperation('startAuthorization', 'Start an authorization in this browser', {
      requestBody: {
        required: false,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              additionalProperties: false,
              properties: Object.fromEntries(
                Object.entries(MEMBERS).map(([name, description]) => [name, { type: 'string', description }]),
              ),
            },
            example: { provider_config_key: 'google-drive' },
          },
        },
      },
      responses: {
        '200': jsonAnswer(
          'Send the browser to authorization_url. The answer sets the cookie that the callback requires.',
          components.inline(startedAuthorization(), 'output'),
        ),
        ...failures(
          components,
          'invalid_body',
          'invalid_session_token',
          'forbidden',
          'conflict',
          'integration_credentials_rejected',
          'rate_limited',
        ),
      },
    }),
  })),
  answer: start,
};

async function start(deps: ConnectDependencies, request: GatewayRequest): Promise<GatewayResponse> {
  if (request.method !== 'POST') throw wrongMethod('An authorization is started with POST.', ['POST']);
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
  return jsonResponse<typeof startedAuthorization>(
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
    throw new GatewayError('request_too_large', `The body may have at most ${JSON_BODY_MAX_BYTES} bytes.`);
  }
  const problems: Problem[] = [];
  const body: StartBody = {};
  for (const [name, value] of Object.entries(parseObject(bytes))) {
    if (!isMember(name)) problems.push({ path: name, message: 'this member is unknown' });
    else if (typeof value !== 'string') problems.push({ path: name, message: 'send a string' });
    else body[name] = value;
  }
  if (problems.length > 0) throw refusal('invalid_body', problems);
  return body;
}

function isMember(name: string): name is keyof typeof MEMBERS {
  return Object.hasOwn(MEMBERS, name);
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
