import { type ConnectSession, reconnectTarget } from '../gateway/authorization/connect-session.rules.ts';
import { openConnectSession } from '../gateway/authorization/find-connect-session.ts';
import { allowedOpener } from '../gateway/authorization/return-url.rules.ts';
import { GatewayError, type Problem, refusal, wrongMethod } from '../gateway/core/errors.ts';
import { type GatewayRequest, type GatewayResponse, headerValue } from '../gateway/core/http-message.ts';
import { JSON_BODY_MAX_BYTES } from '../gateway/core/limits.ts';
import { bindingCookies, setBindingCookie } from '../gateway/http/front-door.ts';
import { comesFromOwnPage, requireOwnPage } from '../gateway/http/same-origin.ts';
import { resolveScopes } from '../gateway/integrations/resolve-scopes.ts';
import { documented } from '../gateway/openapi/documented.ts';
import { htmlAnswer, pageOperation, textParameter } from '../gateway/openapi/path-parts.ts';
import { chooseIntegration, chooseScopes } from './choose-integration.ts';
import { type ConnectDependencies, type ConnectRoute, pageNonce } from './dependencies.ts';
import { readDirectQuery } from './direct-query.ts';
import { emptyResponse } from './json-response.ts';
import { languageFor, speechFor } from './language.ts';
import { directPage } from './pages/direct-page.ts';
import { type StartWishes, startAuthorization } from './start-authorization.ts';

/** Path of the route, before the integration's id. */
export const DIRECT_START_PREFIX = '/oauth/connect/';

/**
 * `/oauth/connect/{integrationId}?connect_session_token=…`, for front ends of a compatible peer. A navigation from our own
 * origin goes straight to the provider; any other gets a page with one button, because another site must not be able to
 * set the binding cookie (CS-4).
 */
export const DIRECT_START_ROUTE: ConnectRoute = {
  pattern: `${DIRECT_START_PREFIX}{integrationId}`,
  describe: documented(() => () => ({
    get: pageOperation('directStart', 'Start an authorization through the link of an existing front end', {
      description:
        'Same-origin requests are redirected to the provider; others get a page with one button that says who connects what. authorization_params[name] and params[oauth_scopes_override] are also supported.',
      parameters: [
        textParameter('integrationId', 'path', true, 'The integration’s unique_key.'),
        textParameter('connect_session_token', 'query', true, 'Token of a connect session.'),
      ],
      responses: {
        '200': htmlAnswer('The page with one button.'),
        '303': { description: 'To the provider.' },
        '400': htmlAnswer('The link contains something that is not allowed in a link.'),
        '401': htmlAnswer('The token is not valid, or the session has expired.'),
        '409': htmlAnswer('The session has been used, or another browser has started it.'),
      },
    }),
    post: pageOperation('directStartConfirmed', 'Start the authorization from that page’s button', {
      description: 'Only the page itself sends this request, with the same parameters as a form.',
      parameters: [textParameter('integrationId', 'path', true, 'The integration’s unique_key.')],
      requestBody: {
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              properties: { connect_session_token: { type: 'string' } },
              required: ['connect_session_token'],
            },
          },
        },
      },
      responses: {
        '303': { description: 'To the provider.' },
        '400': htmlAnswer('The form contains something that is not allowed in it.'),
        '401': htmlAnswer('The token is not valid, or the session has expired.'),
        '403': htmlAnswer('The form comes from another page.'),
        '409': htmlAnswer('The session has been used, or another browser has started it.'),
        '413': htmlAnswer('The form is too large.'),
      },
    }),
  })),
  answer: directStart,
};

async function directStart(deps: ConnectDependencies, request: GatewayRequest): Promise<GatewayResponse> {
  if (request.method !== 'GET' && request.method !== 'POST') {
    throw wrongMethod('Open this address in a browser.', ['GET', 'POST']);
  }
  const isPost = request.method === 'POST';
  if (isPost) requireOwnPage(request, deps.baseUrl);
  const parameters = isPost ? formOf(request) : request.query;
  const { sessionToken, wishes } = readDirectQuery(parameters);
  const session = await openConnectSession(deps, sessionToken);
  const integration = await chooseIntegration(deps.integrations, session, integrationIdOf(request.rawPath));
  const provider = deps.providers[integration.provider];
  const problems: Problem[] = [];
  const scopes =
    wishes.scopes === undefined
      ? undefined
      : resolveScopes(provider, wishes.scopes, 'params[oauth_scopes_override]', problems);
  if (problems.length > 0) throw refusal('invalid_query_params', problems);
  const openerOrigin = openerOf(deps, request, parameters);
  if (!isPost && !comesFromOwnPage(request)) {
    const target = reconnectTarget(session);
    const existing =
      target === undefined ? undefined : await deps.connections.read({ accountId: session.accountId, ...target });
    return directPage({
      ...(await speechFor(deps, request, session)),
      brand: await deps.brand(),
      session,
      endUser: session.endUser ?? existing?.endUser,
      integration,
      provider,
      scopes: chooseScopes(session, integration, scopes),
      fields: [
        ...parameters.filter(([name]) => isCarried(name)),
        ...(openerOrigin === undefined ? [] : [[OPENER, openerOrigin] as const]),
      ],
      action: `${deps.baseUrl}${request.rawPath}`,
      authorizationEndpoint: deps.endpointsOf(provider.id).authorizationEndpoint,
      script: await deps.builtText('direct-page.js'),
      nonce: pageNonce(deps),
      requestId: request.requestId,
    });
  }
  return goToProvider(deps, request, session, integration.integrationId, { ...wishes, scopes }, openerOrigin);
}

const OPENER = 'opener_origin';

/** 303, so that a POST is not repeated at the provider (OA-13). */
async function goToProvider(
  deps: ConnectDependencies,
  request: GatewayRequest,
  session: ConnectSession,
  integrationId: string,
  wishes: StartWishes,
  openerOrigin: string | undefined,
): Promise<GatewayResponse> {
  const started = await startAuthorization(deps, session, {
    integrationId,
    bindingCookie: bindingCookies(request.headers)[0],
    openerOrigin,
    language: languageFor(request, session),
    wishes,
    requestId: request.requestId,
  });
  return emptyResponse(303, request.requestId, [
    ['location', started.authorizationUrl],
    ['set-cookie', setBindingCookie(started.bindingCookie)],
    ['referrer-policy', 'no-referrer'],
  ]);
}

function isCarried(name: string): boolean {
  return name === 'connect_session_token' || name.startsWith('params[') || name.startsWith('authorization_params[');
}

/** The origin of a popup's opener, from the referrer if its page sends one; only a listed one counts. */
function openerOf(
  deps: ConnectDependencies,
  request: GatewayRequest,
  parameters: GatewayRequest['query'],
): string | undefined {
  const referer = headerValue(request.headers, 'referer');
  const seen =
    request.method === 'POST'
      ? parameters.find(([name]) => name === OPENER)?.[1]
      : referer !== undefined && URL.canParse(referer)
        ? new URL(referer).origin
        : undefined;
  return allowedOpener(seen, new URL(deps.baseUrl).origin, deps.connectAllowedOrigins);
}

function formOf(request: GatewayRequest): [string, string][] {
  const { body } = request;
  if (body === undefined) return [];
  if (body.length > JSON_BODY_MAX_BYTES) throw new GatewayError('request_too_large', 'This form is too large.');
  return [...new URLSearchParams(Buffer.from(body).toString('utf8'))];
}

function integrationIdOf(rawPath: string): string {
  const segment = rawPath.slice(DIRECT_START_PREFIX.length);
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new GatewayError('invalid_path', 'The integration in this address is not percent-encoded correctly.');
  }
}
