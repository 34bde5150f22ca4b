import { openConnectSession } from '../gateway/authorization/find-connect-session.ts';
import { FIRST_ACCOUNT_ID } from '../gateway/core/contract.ts';
import { GatewayError, refusal } from '../gateway/core/errors.ts';
import { type GatewayRequest, headerValues } from '../gateway/core/http-message.ts';
import type { ConnectionRef, IntegrationRef } from '../gateway/core/identifiers.ts';
import { stackActor } from '../gateway/core/managed-by.rules.ts';
import type { Clock } from '../gateway/core/ports.ts';
import { actorOf, sessionActor } from '../gateway/events/lifecycle-event.rules.ts';
import {
  authenticateOperator,
  OPERATOR_ACCOUNT_ID,
  operatorActor,
  requireRecentSignIn,
  requireRole,
} from '../gateway/keys/authenticate-operator.ts';
import {
  bearerToken,
  CONNECT_SESSION_TOKEN_PREFIX,
  invalidAuthorization,
  isCompactJws,
  type SecretKeyRecord,
  signingRole,
} from '../gateway/keys/credentials.rules.ts';
import type { Caller, Route } from './route.ts';
import type { Services } from './services.ts';

/**
 * The caller of a bearer value, the resource of a stack that a direct invocation names, or below `/iam` of the signature that the
 * front door checked, where `Authorization` is not a key (IA-10). Cookies are ignored (UI-3).
 *
 * @throws GatewayError `missing_auth_header`, `invalid_headers`, `invalid_secret_key`, `unknown_role`, `invalid_session_token`,
 * `invalid_operator_token`, `service_unavailable`, `conflict`, `rate_limited`
 */
export async function authenticate(request: GatewayRequest, services: Services): Promise<Caller> {
  try {
    return await identify(request, services);
  } catch (error) {
    // Failed attempts count for their source address (DS-2).
    throw services.admission.refusal(error, request.sourceIp);
  }
}

async function identify(request: GatewayRequest, services: Services): Promise<Caller> {
  const { signer, stack } = request;
  if (stack !== undefined) {
    return {
      ...{ accountId: FIRST_ACCOUNT_ID, integrationIds: undefined, actor: stackActor(stack), stack },
      ...{ key: undefined, operator: undefined, session: undefined },
    };
  }
  if (signer !== undefined) return callerOf(await services.keys.resolve('', signingRole(signer, request.query)));
  const values = headerValues(request.headers, 'authorization');
  if (values.length === 0) {
    throw new GatewayError('missing_auth_header', 'Send the secret key as Authorization: Bearer <SECRET_KEY>.');
  }
  if (values.length > 1) throw refusal('invalid_headers', [{ path: 'headers.Authorization', message: 'send it once' }]);
  const token = bearerToken(values[0] ?? '');
  if (token === undefined) throw invalidAuthorization(values[0] ?? '');
  if (token.startsWith(CONNECT_SESSION_TOKEN_PREFIX)) {
    const session = await openConnectSession(services, token);
    const allowed = session.reconnect === undefined ? session.allowedIntegrations : [session.reconnect.integrationId];
    return {
      accountId: session.accountId,
      integrationIds: allowed.length === 0 ? undefined : allowed,
      key: undefined,
      operator: undefined,
      session,
      actor: sessionActor(session),
    };
  }
  if (services.operatorTokens !== undefined && isCompactJws(token)) {
    const operator = await authenticateOperator(services.operatorTokens, token);
    return {
      accountId: OPERATOR_ACCOUNT_ID,
      integrationIds: undefined,
      key: undefined,
      operator,
      session: undefined,
      actor: operatorActor(operator),
    };
  }
  return callerOf(await services.keys.resolve(token));
}

function callerOf(key: SecretKeyRecord): Caller {
  return {
    accountId: key.accountId,
    integrationIds: key.integrationIds,
    key,
    operator: undefined,
    session: undefined,
    actor: actorOf(key),
  };
}

/**
 * Whether the caller may use a route. Operators may do everything that a full key may; viewers only read.
 *
 * @throws GatewayError `forbidden`; `recent_sign_in_required` for an operator who signed in too long ago; `invalid_session_token` for a session where only keys may call
 */
export function authorize(caller: Caller, { access, method }: Pick<Route, 'access' | 'method'>, clock: Clock): void {
  const { key, operator } = caller;
  if (caller.stack !== undefined) {
    if (access.stack === true) return;
    throw new GatewayError('forbidden', 'A resource of a CloudFormation stack may not call this route.');
  }
  if (operator !== undefined) {
    requireRole(operator, method === 'GET');
    if (access.recentSignIn === true) requireRecentSignIn(operator, clock);
    return;
  }
  if (key === undefined) {
    if (access.session === true || (access.session === 'admin' && caller.session?.admin !== undefined)) return;
    throw new GatewayError(
      'invalid_session_token',
      'This is the token of a connect session, which only lets a user connect. This route takes a secret key (sk_…).',
    );
  }
  if (access.right === 'full' && key.right !== 'full') {
    throw new GatewayError('forbidden', 'This secret key may not do that: use one with the right `full`.');
  }
  if (key.right === 'proxy' && access.proxyKey !== true) {
    throw new GatewayError('forbidden', 'This secret key allows only /proxy: use one with the right `read` or `full`.');
  }
  if (access.account === true && key.integrationIds !== undefined) {
    throw new GatewayError(
      'forbidden',
      'This secret key is limited to some integrations; this route concerns the whole account.',
    );
  }
}

/** Whether the caller may see an integration. */
export function reaches(caller: Pick<Caller, 'integrationIds'>, integrationId: string): boolean {
  return caller.integrationIds === undefined || caller.integrationIds.includes(integrationId);
}

/** @throws GatewayError `forbidden` where the key is limited to other integrations */
export function requireReach(caller: Caller, integrationId: string): void {
  if (!reaches(caller, integrationId)) {
    throw new GatewayError('forbidden', 'This secret key is limited to other integrations.');
  }
}

type PathParams = Readonly<Record<string, string>>;

/** The integration in a path. @throws GatewayError `unknown_integration` outside the caller's reach, too */
export function reachedIntegration(caller: Caller, params: PathParams): IntegrationRef {
  const integrationId = params.integrationId ?? '';
  if (!reaches(caller, integrationId)) {
    throw new GatewayError(
      'unknown_integration',
      'There is no integration with this unique_key. GET /integrations lists them.',
    );
  }
  return { accountId: caller.accountId, integrationId };
}

/** The connection in a path and query. @throws GatewayError `forbidden` outside the key's integrations */
export function reachedConnection(caller: Caller, params: PathParams, integrationId: string): ConnectionRef {
  requireReach(caller, integrationId);
  return { accountId: caller.accountId, integrationId, connectionId: params.connectionId ?? '' };
}
