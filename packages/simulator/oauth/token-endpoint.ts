import { mediaType, type SimRequest, type SimResponse } from '../http/exchange.ts';
import type { Simulation } from '../simulation.ts';
import { authenticateClient } from './client-authentication.ts';
import { exchangeCode } from './exchange-code.ts';
import { exchangeAssertion, JWT_BEARER } from './jwt-bearer.ts';
import { isRefusal, type OAuthRefusal, refusalResponse, secretJson } from './oauth-response.ts';
import { refreshAccess } from './refresh-access.ts';

/** Reads a form body, or says what is wrong with it (RFC 6749 3.2: form encoding, no repeated parameter). */
export function readForm(http: SimRequest): URLSearchParams | OAuthRefusal {
  if (mediaType(http.headers) !== 'application/x-www-form-urlencoded') {
    const error_description = 'The body must be application/x-www-form-urlencoded.';
    return { status: 400, error: 'invalid_request', error_description };
  }
  const form = new URLSearchParams(http.body.toString('utf8'));
  const repeated = [...form.keys()].find((name) => form.getAll(name).length > 1);
  if (repeated !== undefined) {
    const error_description = `OAuth 2 parameters can only have a single value: ${repeated}`;
    return { status: 400, error: 'invalid_request', error_description };
  }
  return form;
}

/** `POST /token`: code exchange, refresh, and assertions of service accounts. */
export async function handleToken(sim: Simulation, http: SimRequest): Promise<SimResponse> {
  const form = readForm(http);
  if (!(form instanceof URLSearchParams)) return refusalResponse(form);
  const grantType = form.get('grant_type') ?? '';
  if (grantType === JWT_BEARER) {
    const answer = exchangeAssertion(sim, form);
    return isRefusal(answer) ? refusalResponse(answer) : secretJson(answer);
  }
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    const error_description = `Invalid grant_type: ${grantType}`;
    return refusalResponse({ status: 400, error: 'unsupported_grant_type', error_description });
  }
  const client = authenticateClient(sim.state, http, form);
  if (isRefusal(client)) return refusalResponse(client);
  const handle = grantType === 'authorization_code' ? exchangeCode : refreshAccess;
  const answer = await handle(sim, client, form, http.effects);
  return isRefusal(answer) ? refusalResponse(answer) : secretJson(answer);
}
