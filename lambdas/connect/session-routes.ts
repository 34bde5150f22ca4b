import type middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { reconnectTarget } from '../gateway/authorization/connect-session.rules.ts';
import { findConnectSession } from '../gateway/authorization/find-connect-session.ts';
import { wrongMethod } from '../gateway/core/errors.ts';
import { type GatewayRequest, type GatewayResponse, headerValue, headerValues } from '../gateway/core/http-message.ts';
import { SESSION_INTEGRATIONS_MAX } from '../gateway/core/limits.ts';
import { requestFromEvent } from '../gateway/http/front-door.ts';
import { bearerToken } from '../gateway/keys/credentials.rules.ts';
import { documented } from '../gateway/openapi/documented.ts';
import { failures, jsonAnswer, sessionOperation } from '../gateway/openapi/path-parts.ts';
import type { ConnectDependencies, ConnectRoute } from './dependencies.ts';
import { emptyResponse, jsonResponse } from './json-response.ts';
import { speechFor } from './language.ts';
import { sessionAnswer, sessionView } from './session-view.ts';

/** Requests that scripts of listed origins may send about a session. */
const PREFLIGHT_HEADERS: readonly (readonly [string, string])[] = [
  ['access-control-allow-methods', 'GET, DELETE'],
  ['access-control-allow-headers', 'authorization'],
  ['access-control-max-age', '600'],
];

/** `GET`, `DELETE` and the preflight of `/connect/session`. */
export const SESSION_ROUTE: ConnectRoute = {
  pattern: '/connect/session',
  describe: documented(() => (components) => ({
    get: sessionOperation('getConnectSession', 'Get what a connect session allows and how far it has come', {
      responses: {
        '200': jsonAnswer('The session.', components.inline(sessionAnswer(), 'output')),
        ...failures(components, 'invalid_session_token'),
      },
    }),
    delete: sessionOperation('endConnectSession', 'End a connect session', {
      responses: { '204': { description: 'Ended.' }, ...failures(components, 'invalid_session_token') },
    }),
  })),
  answer: answerOfSession,
};

async function answerOfSession(deps: ConnectDependencies, request: GatewayRequest): Promise<GatewayResponse> {
  switch (request.method) {
    case 'GET':
      return jsonResponse<typeof sessionAnswer>(200, { data: await viewOf(deps, request) }, request.requestId);
    case 'DELETE': {
      const { session } = await findConnectSession(deps, sessionToken(request));
      await deps.sessions.delete(session.sessionHash);
      return emptyResponse(204, request.requestId);
    }
    case 'OPTIONS':
      return emptyResponse(204, request.requestId, PREFLIGHT_HEADERS);
    default:
      throw wrongMethod('A connect session is read with GET and ended with DELETE.', ['GET', 'DELETE', 'OPTIONS']);
  }
}

/** A middleware that lets only pages of listed origins read the responses about a session. */
export function listedOrigins(
  deps: ConnectDependencies,
): middy.MiddlewareObj<APIGatewayProxyEvent, GatewayResponse, Error> {
  const forSessions: middy.MiddlewareFn<APIGatewayProxyEvent, GatewayResponse, Error> = (call) => {
    const { event, response } = call;
    if (event.path !== '/connect/session' || response === undefined || response === null) return;
    call.response = forListedOrigins(deps, requestFromEvent(event), response);
  };
  return { after: forSessions, onError: forSessions };
}

/** No credentials are allowed, because the token is a header. */
function forListedOrigins(
  deps: ConnectDependencies,
  request: GatewayRequest,
  response: GatewayResponse,
): GatewayResponse {
  const origin = headerValue(request.headers, 'origin');
  const isListed = origin !== undefined && deps.connectAllowedOrigins.includes(origin);
  const headers = response.headers.filter(([name]) => isListed || !name.startsWith('access-control-'));
  const added: [string, string][] = isListed ? [['access-control-allow-origin', origin]] : [];
  return { ...response, headers: [...headers, ['vary', 'Origin, Accept-Language'], ...added] };
}

async function viewOf(deps: ConnectDependencies, request: GatewayRequest) {
  const { session, status } = await findConnectSession(deps, sessionToken(request));
  const { accountId } = session;
  const target = reconnectTarget(session);
  const allowed = target === undefined ? session.allowedIntegrations : [target.integrationId];
  const { integrationId, connectionId, pickId } = session.outcome ?? {};
  const made = integrationId === undefined || connectionId === undefined ? undefined : { integrationId, connectionId };
  const hasPicked = integrationId !== undefined && connectionId !== undefined && pickId !== undefined;
  const [integrations, existing, connected, picked] = await Promise.all([
    allowed.length === 0
      ? deps.integrations.list(accountId, SESSION_INTEGRATIONS_MAX)
      : Promise.all(allowed.map((integrationId) => deps.integrations.get({ accountId, integrationId }))),
    target === undefined ? undefined : deps.connections.read({ accountId, ...target }),
    // Once the connection exists, it determines the end user.
    target === undefined && made !== undefined ? deps.connections.read({ accountId, ...made }) : undefined,
    hasPicked ? deps.picks.read({ accountId, integrationId, connectionId }, pickId) : undefined,
  ]);
  return sessionView({
    session,
    status,
    // Where an administrator delegates access, there is nothing to start: the page shows what to list.
    integrations: integrations
      .filter((integration) => integration !== undefined)
      .filter(({ delegation }) => (delegation === undefined) === (session.admin === undefined)),
    existing,
    endUser: session.endUser ?? existing?.endUser ?? connected?.endUser,
    picked: picked?.files ?? [],
    providers: deps.providers,
    appName: (await deps.brand()).name,
    ...(await speechFor(deps, request, session)),
  });
}

/** The one bearer token of a request, or undefined. */
export function sessionToken(request: GatewayRequest): string | undefined {
  const values = headerValues(request.headers, 'authorization');
  return values.length === 1 ? bearerToken(values[0] ?? '') : undefined;
}
