import { ACCOUNTS, type SimAccount } from '../accounts.ts';
import type { HandlerEffects } from '../http/exchange.ts';
import { emptyResponse, type SimResponse } from '../http/exchange.ts';
import type { Simulation } from '../simulation.ts';
import type { AuthorizationRequest } from '../state/flows.ts';
import { issueCode } from '../state/flows.ts';
import { grantKey, projectOf } from '../state/store.ts';
import { openPicked } from './picker.ts';
import { expandScopes } from './scopes.ts';
import { findLiveGrant } from './token-life.ts';

/** Sends the browser back to the client; existing query parameters of the redirect URI stay (RFC 6749 3.1.2). */
function redirectTo(redirectUri: string, parameters: [string, string][]): SimResponse {
  const query = parameters.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
  const location = `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`;
  return emptyResponse(302, [
    ['Location', location],
    ['Cache-Control', 'no-store'],
    ['Referrer-Policy', 'no-referrer'],
  ]);
}

/** Ends the flow with an error the client gets to see. */
export function redirectWithError(request: AuthorizationRequest, error: string, description?: string): SimResponse {
  return redirectTo(request.redirectUri, [
    ['error', error],
    ...(description === undefined ? [] : ([['error_description', description]] satisfies [string, string][])),
    ...(request.state === undefined ? [] : ([['state', request.state]] satisfies [string, string][])),
  ]);
}

/** Adds what the user just granted to the union of the Cloud project, and returns that union. */
function recordConsent(sim: Simulation, clientId: string, sub: string, scopes: string[], shown: boolean): string[] {
  const project = projectOf(clientId);
  const previous = findLiveGrant(sim, clientId, sub);
  const union = [...new Set([...(previous?.scopes ?? []), ...scopes])];
  const consentedAtMs = shown || previous === undefined ? sim.clock.nowMs() : previous.consentedAtMs;
  sim.state.grants.set(grantKey(project, sub), { project, sub, scopes: union, consentedAtMs });
  sim.state.markChanged();
  return union;
}

function callbackScope(asked: readonly string[], granted: readonly string[]): string {
  const short = asked.filter((scope) => scope === 'email' || scope === 'profile');
  return [...new Set([...short, ...granted])].join(' ');
}

/**
 * Ends the flow with a code: `state, iss, code, scope, authuser, prompt[, hd]`.
 * @param granted expanded scopes the user agreed to
 * @param consentShown false for a silent repeat, which brings no refresh token
 * @param picked ids of the files picked after the consent; none where no picker was shown
 */
export function redirectWithCode(
  sim: Simulation,
  request: AuthorizationRequest,
  account: SimAccount,
  granted: string[],
  consentShown: boolean,
  effects: HandlerEffects,
  picked: readonly string[] = [],
): SimResponse {
  const { clientId } = request.client;
  const union = recordConsent(sim, clientId, account.sub, granted, consentShown);
  const scopes = request.includeGrantedScopes ? union : granted;
  const consentedAtMs = findLiveGrant(sim, clientId, account.sub)?.consentedAtMs ?? sim.clock.nowMs();
  openPicked(sim, clientId, account.sub, picked, consentedAtMs);
  const code = issueCode(sim.flows, {
    clientId,
    redirectUri: request.redirectUri,
    sub: account.sub,
    scopes,
    codeChallenge: request.codeChallenge,
    nonce: request.nonce,
    grantsRefreshToken: request.offline && consentShown,
    consentedAtMs,
    createdAtMs: sim.clock.nowMs(),
    used: false,
  });
  const iss = effects.iss ?? sim.endpoints.issuer;
  const parameters: [string, string][] = [];
  if (request.state !== undefined) parameters.push(['state', request.state]);
  if (iss !== 'missing') parameters.push(['iss', iss]);
  parameters.push(['code', code], ['scope', callbackScope(request.scopes, expandScopes(scopes))]);
  parameters.push(['authuser', String(ACCOUNTS.indexOf(account))], ['prompt', consentShown ? 'consent' : 'none']);
  if (account.hostedDomain !== undefined) parameters.push(['hd', account.hostedDomain]);
  if (picked.length > 0) parameters.push(['picked_file_ids', picked.join(',')]);
  return redirectTo(request.redirectUri, parameters);
}
