import { ACCESS_TOKEN_LIFETIME_SEC, issueAccessToken, issueRefreshToken } from '../oauth/issue-tokens.ts';
import { expandScopes, findUnknownScope } from '../oauth/scopes.ts';
import { listOf, object, optional, parseJson, ShapeError, text } from '../parse.ts';
import type { Simulation } from '../simulation.ts';
import { grantKey, projectOf } from '../state/store.ts';
import { requireAccount } from './grants.ts';

const mintBody = object({ account: text, clientId: optional(text), scopes: optional(listOf(text)) });

const EVERYTHING = ['https://www.googleapis.com/auth/drive', 'https://www.googleapis.com/auth/calendar'];

/**
 * Grants a client access to an account and gives both tokens, as if the user had consented in a browser; for tests of
 * programs that get their tokens elsewhere.
 * @throws {ShapeError} for an account, client or scope that is none
 */
export function mintTokens(sim: Simulation, body: string): unknown {
  const wanted = parseJson(body, mintBody, 'body');
  const { sub } = requireAccount(wanted.account);
  const clients = [...sim.state.clients.values()];
  const client = wanted.clientId === undefined ? clients[0] : sim.state.clients.get(wanted.clientId);
  if (client === undefined) {
    const known = clients.map(({ clientId }) => clientId).join(', ') || 'none yet; add one with POST /__sim/clients';
    throw new ShapeError(`body.clientId names no client. Known: ${known}.`);
  }
  const scopes = expandScopes(wanted.scopes ?? EVERYTHING);
  const stranger = findUnknownScope(scopes, sim.moreScopes);
  if (stranger !== undefined) throw new ShapeError(`body.scopes: "${stranger}" is no scope of Google's known here.`);
  const project = projectOf(client.clientId);
  const consentedAtMs = sim.clock.nowMs();
  const key = grantKey(project, sub);
  const granted = [...new Set([...(sim.state.grants.get(key)?.scopes ?? []), ...scopes])];
  sim.state.grants.set(key, { project, sub, scopes: granted, consentedAtMs });
  const authorization = { clientId: client.clientId, sub, scopes, consentedAtMs };
  const { refreshToken, sha256 } = issueRefreshToken(sim, authorization, undefined);
  return {
    access_token: issueAccessToken(sim, authorization, sha256),
    refresh_token: refreshToken,
    expires_in: ACCESS_TOKEN_LIFETIME_SEC,
    scope: scopes.join(' '),
    token_type: 'Bearer',
  };
}
