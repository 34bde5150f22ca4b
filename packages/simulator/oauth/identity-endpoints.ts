import { decodeJwt, errors, importJWK, jwtVerify } from 'jose';
import { ACCOUNTS } from '../accounts.ts';
import { headerValue, jsonResponse, type SimRequest, type SimResponse } from '../http/exchange.ts';
import type { Simulation } from '../simulation.ts';
import { userClaims } from './id-token.ts';
import { refusalResponse, secretJson } from './oauth-response.ts';
import { scopeUrl } from './scopes.ts';
import { publicKeySet } from './signing-key.ts';
import { findLiveAccessToken } from './token-life.ts';

/** Access token of an Authorization header; `undefined` when it is no Bearer header. */
export function bearerToken(http: Pick<SimRequest, 'headers'>): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headerValue(http.headers, 'authorization') ?? '')?.[1];
}

/** OpenID discovery document (OpenID Connect Discovery 3). */
export function discoveryDocument(sim: Simulation): SimResponse {
  const {
    api_base_url: _api,
    token_exchange_endpoint: _exchange,
    service_accounts_endpoint: _accounts,
    drive_mcp_endpoint: _driveMcp,
    calendar_mcp_endpoint: _calendarMcp,
    ...endpoints
  } = sim.endpoints;
  return jsonResponse(200, {
    ...endpoints,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    claims_supported: [
      'aud',
      'email',
      'email_verified',
      'exp',
      'family_name',
      'given_name',
      'iat',
      'iss',
      'name',
      'sub',
    ],
    code_challenge_methods_supported: ['plain', 'S256'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    authorization_response_iss_parameter_supported: true,
  });
}

/** `GET /oauth2/v3/certs`. */
export async function handleCerts(sim: Simulation): Promise<SimResponse> {
  return jsonResponse(200, await publicKeySet(sim), [['Cache-Control', 'public, max-age=19800']]);
}

/** `GET /v1/userinfo`: `sub`, and what `userinfo.email` and `userinfo.profile` allow. */
export function handleUserinfo(sim: Simulation, http: SimRequest): SimResponse {
  const token = findLiveAccessToken(sim, bearerToken(http) ?? http.query.get('access_token') ?? '');
  const account = ACCOUNTS.find(({ sub }) => sub === token?.sub);
  if (token === undefined || account === undefined) {
    const response = refusalResponse({
      status: 401,
      error: 'invalid_request',
      error_description: 'Invalid Credentials',
    });
    response.headers.push(['WWW-Authenticate', 'Bearer realm="https://accounts.google.com/", error="invalid_token"']);
    return response;
  }
  if (!token.scopes.includes('openid')) {
    return refusalResponse({ status: 403, error: 'insufficient_scope', error_description: 'The token lacks openid.' });
  }
  return secretJson(userClaims(account, token.scopes));
}

async function describeIdToken(sim: Simulation, idToken: string): Promise<SimResponse> {
  const [key] = (await publicKeySet(sim)).keys;
  try {
    await jwtVerify(idToken, await importJWK(key ?? {}, 'RS256'), { currentDate: new Date(sim.clock.nowMs()) });
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    return refusalResponse({ status: 400, error: 'invalid_token', error_description: 'Invalid Value' });
  }
  const claims = Object.entries(decodeJwt(idToken)).map(([key, value]) => [key, String(value)]);
  return secretJson({ ...Object.fromEntries(claims), alg: 'RS256' });
}

/** `GET` or `POST /tokeninfo` with `access_token` or `id_token`; numbers come back as text, as at Google. */
export async function handleTokeninfo(sim: Simulation, http: SimRequest): Promise<SimResponse> {
  const form = http.method === 'POST' ? new URLSearchParams(http.body.toString('utf8')) : http.query;
  const idToken = form.get('id_token') ?? http.query.get('id_token');
  if (idToken !== null) return describeIdToken(sim, idToken);
  const token = findLiveAccessToken(sim, form.get('access_token') ?? http.query.get('access_token') ?? '');
  const account = ACCOUNTS.find(({ sub }) => sub === token?.sub);
  const delegate = sim.state.delegation.delegates.find(({ email }) => email === token?.sub);
  const email = account?.email ?? delegate?.email;
  if (token === undefined || email === undefined) {
    return refusalResponse({ status: 400, error: 'invalid_token', error_description: 'Invalid Value' });
  }
  const expiresAtSec = Math.floor(token.expiresAtMs / 1000);
  return secretJson({
    azp: token.clientId,
    aud: token.clientId,
    sub: account === undefined ? token.clientId : token.sub,
    scope: token.scopes.join(' '),
    exp: String(expiresAtSec),
    expires_in: String(Math.max(0, expiresAtSec - Math.floor(sim.clock.nowMs() / 1000))),
    ...(token.scopes.includes(scopeUrl('userinfo.email')) ? { email, email_verified: 'true' } : {}),
    access_type: token.refreshTokenSha256 === null ? 'online' : 'offline',
  });
}
