import { ACCOUNTS, type SimAccount } from '../accounts.ts';
import { type HeaderList, headerValue, type SimRequest } from '../http/exchange.ts';
import { bearerToken } from '../oauth/identity-endpoints.ts';
import { findLiveAccessToken } from '../oauth/token-life.ts';
import type { Simulation } from '../simulation.ts';
import type { AccessTokenRecord } from '../state/records.ts';
import { projectOf } from '../state/store.ts';
import { ApiError } from './envelope.ts';
import type { MethodRule } from './method-table.ts';
import { serviceFailure } from './services.ts';

/** Who calls: the account, the client and the scopes of a live access token. */
export interface Caller {
  account: SimAccount;
  token: AccessTokenRecord;
}

const REALM = 'Bearer realm="https://accounts.google.com/"';

function invalidCredentials(): ApiError {
  const headers: HeaderList = [['WWW-Authenticate', `${REALM}, error="invalid_token"`]];
  return new ApiError(
    {
      code: 401,
      reason: 'authError',
      message:
        'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
      location: 'Authorization',
      locationType: 'header',
    },
    headers,
  );
}

/**
 * Finds the caller of an API request.
 * @throws {ApiError} 401 `authError` for a token that is not live, 403 `forbidden` for a call without any
 */
export function authenticate(sim: Simulation, http: Pick<SimRequest, 'headers' | 'query'>): Caller {
  const presented = bearerToken(http) ?? http.query.get('access_token') ?? undefined;
  if (presented === undefined) {
    if (headerValue(http.headers, 'authorization') !== undefined) throw invalidCredentials();
    const message =
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.";
    throw new ApiError({ code: 403, reason: 'forbidden', message });
  }
  const token = findLiveAccessToken(sim, presented);
  const account = ACCOUNTS.find(({ sub }) => sub === token?.sub);
  if (token === undefined || account === undefined) throw invalidCredentials();
  return { account, token };
}

/** Name of the service that a Cloud project enables for an API. */
function serviceOf(api: MethodRule['api']): string {
  return `${api === 'drive' ? 'drive' : 'calendar-json'}.googleapis.com`;
}

/**
 * Requires that the client's Cloud project has enabled the API.
 * @throws {ApiError} 403 `accessNotConfigured`
 */
export function requireService(sim: Simulation, api: MethodRule['api'], { token }: Caller): void {
  const failure = serviceFailure(sim.state, projectOf(token.clientId), serviceOf(api));
  if (failure !== undefined) throw new ApiError(failure);
}

/**
 * Requires one of the method's scopes.
 * @throws {ApiError} 403 `insufficientPermissions` with the `ACCESS_TOKEN_SCOPE_INSUFFICIENT` detail
 */
export function requireScope(method: MethodRule, caller: Caller): void {
  if (method.scopes.some((scope) => caller.token.scopes.includes(scope))) return;
  const headers: HeaderList = [
    ['WWW-Authenticate', `${REALM}, error="insufficient_scope", scope="${method.scopes.join(' ')}"`],
  ];
  const detail = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
    domain: 'googleapis.com',
    metadata: { service: serviceOf(method.api), method: method.id },
  };
  throw new ApiError(
    {
      code: 403,
      reason: 'insufficientPermissions',
      message: 'Request had insufficient authentication scopes.',
      details: [detail],
    },
    headers,
  );
}
