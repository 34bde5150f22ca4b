import type { SimRequest, SimResponse } from '../http/exchange.ts';
import { sha256Hex } from '../random.ts';
import { stateToProjects } from '../risc/statements.ts';
import type { Simulation } from '../simulation.ts';
import type { DeathReason } from '../state/records.ts';
import { grantKey, projectOf } from '../state/store.ts';
import { refusalResponse, secretJson } from './oauth-response.ts';
import { forgetPicked } from './picker.ts';
import { readForm } from './token-endpoint.ts';
import { deathOfRefreshToken, isAccessTokenLive } from './token-life.ts';

/** Ends every token a user gave to a Cloud project, over all its clients, and forgets what was granted. */
export function endProjectGrant(sim: Simulation, project: string, sub: string, death: DeathReason): void {
  for (const token of sim.state.refreshTokens.values()) {
    if (token.sub === sub && projectOf(token.clientId) === project && token.death === null) token.death = death;
  }
  for (const token of sim.state.accessTokens.values()) {
    if (token.sub === sub && projectOf(token.clientId) === project) token.revoked = true;
  }
  sim.state.grants.delete(grantKey(project, sub));
  forgetPicked(sim, project, sub);
  sim.state.markChanged();
}

/** `POST /revoke` with an access or a refresh token: all of the user's grants to the whole Cloud project end. */
export function handleRevoke(sim: Simulation, http: SimRequest): SimResponse {
  const form = readForm(http);
  const body = form instanceof URLSearchParams ? form.get('token') : null;
  const presented = body ?? http.query.get('token');
  if (presented === null) {
    return refusalResponse({
      status: 400,
      error: 'invalid_request',
      error_description: 'Missing required parameter: token',
    });
  }
  const sha256 = sha256Hex(presented);
  const refreshToken = sim.state.refreshTokens.get(sha256);
  const accessToken = sim.state.accessTokens.get(sha256);
  const isLive =
    (refreshToken !== undefined && deathOfRefreshToken(sim, refreshToken) === null) ||
    (accessToken !== undefined && isAccessTokenLive(sim, accessToken));
  const token = refreshToken ?? accessToken;
  if (!isLive || token === undefined) {
    return refusalResponse({ status: 400, error: 'invalid_token', error_description: 'Token expired or revoked' });
  }
  const project = projectOf(token.clientId);
  endProjectGrant(sim, project, token.sub, 'user_revoked');
  stateToProjects(sim, { type: 'tokens-revoked', sub: token.sub }, (one) => one === project);
  return secretJson({});
}
