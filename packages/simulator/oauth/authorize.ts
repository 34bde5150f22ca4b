import { ACCOUNTS, findAccount, type SimAccount } from '../accounts.ts';
import { emptyResponse, htmlResponse, type SimRequest, type SimResponse } from '../http/exchange.ts';
import type { Simulation } from '../simulation.ts';
import { type AuthorizationRequest, findSession, openSession } from '../state/flows.ts';
import { type AuthorizationRefusal, parseAuthorizationRequest } from './authorization-request.ts';
import { redirectWithCode, redirectWithError } from './authorization-result.ts';
import { appName, chooserPage, consentPage, errorPage, PAGE_PATHS, pickerPage } from './pages.ts';
import { allowedChoice, offeredFiles } from './picker.ts';
import { expandScopes, isSignInScope, scopesWithBox } from './scopes.ts';
import { blockOf, findLiveGrant } from './token-life.ts';

function refuse(refusal: AuthorizationRefusal): SimResponse {
  return htmlResponse(refusal.status, errorPage(refusal));
}

function showChooser(sim: Simulation, request: AuthorizationRequest): SimResponse {
  const wanted = request.hostedDomain;
  const accounts = [...ACCOUNTS].sort(
    (a, b) =>
      Number(b.hostedDomain === wanted && wanted !== undefined) -
      Number(a.hostedDomain === wanted && wanted !== undefined),
  );
  const sessionId = openSession(sim.flows, request, sim.clock.nowMs());
  return htmlResponse(200, chooserPage(sessionId, appName(request.client.clientId), accounts));
}

function grantCovers(sim: Simulation, request: AuthorizationRequest, account: SimAccount): boolean {
  const granted = findLiveGrant(sim, request.client.clientId, account.sub)?.scopes ?? [];
  return expandScopes(request.scopes).every((scope) => granted.includes(scope));
}

/** What stops this account from using this client at all. */
function judgeAccount(sim: Simulation, request: AuthorizationRequest, account: SimAccount): SimResponse | undefined {
  if (sim.state.disabledSubs.has(account.sub)) {
    return refuse({ status: 403, error: 'disabled_account', description: 'This account has been disabled.' });
  }
  if (request.client.audience === 'internal' && account.hostedDomain === undefined) {
    const description = `${appName(request.client.clientId)} can only be used within its organization.`;
    return refuse({ status: 403, error: 'org_internal', description });
  }
  switch (blockOf(sim, account.sub, request.client.clientId)) {
    case 'admin_policy':
      return redirectWithError(request, 'admin_policy_enforced');
    case 'advanced_protection':
      return redirectWithError(request, 'policy_enforced');
    default:
      // A restriction of the account shows at the token endpoint only.
      return undefined;
  }
}

function continueAs(
  sim: Simulation,
  http: SimRequest,
  request: AuthorizationRequest,
  account: SimAccount,
): SimResponse {
  const obstacle = judgeAccount(sim, request, account);
  if (obstacle !== undefined) return obstacle;
  const scopes = expandScopes(request.scopes);
  if (!request.prompts.has('consent') && grantCovers(sim, request, account)) {
    return redirectWithCode(sim, request, account, scopes, false, http.effects);
  }
  const sessionId = openSession(sim.flows, request, sim.clock.nowMs());
  const host = new URL(request.redirectUri).host;
  return htmlResponse(200, consentPage(sessionId, appName(request.client.clientId), account, scopes, host));
}

function authorizeSilently(sim: Simulation, http: SimRequest, request: AuthorizationRequest): SimResponse {
  if (request.loginHint === undefined) return redirectWithError(request, 'account_selection_required');
  const account = findAccount(request.loginHint);
  if (account === undefined || sim.state.disabledSubs.has(account.sub)) {
    return redirectWithError(request, 'login_required');
  }
  if (!grantCovers(sim, request, account)) return redirectWithError(request, 'consent_required');
  return continueAs(sim, http, request, account);
}

function startAuthorization(sim: Simulation, http: SimRequest): SimResponse {
  const request = parseAuthorizationRequest(http.query, (clientId) => sim.state.clients.get(clientId), sim.moreScopes);
  if ('error' in request) return refuse(request);
  if (request.prompts.has('none')) return authorizeSilently(sim, http, request);
  const hinted = request.loginHint === undefined ? undefined : findAccount(request.loginHint);
  if (hinted === undefined || request.prompts.has('select_account')) return showChooser(sim, request);
  return continueAs(sim, http, request, hinted);
}

function decide(sim: Simulation, http: SimRequest, request: AuthorizationRequest, form: URLSearchParams): SimResponse {
  const account = findAccount(form.get('account') ?? '');
  if (account === undefined) {
    return refuse({ status: 400, error: 'invalid_request', description: 'Choose an account of the list.' });
  }
  sim.flows.sessions.delete(form.get('session') ?? '');
  const { callbackError } = http.effects;
  if (callbackError !== undefined) {
    return redirectWithError(request, callbackError.error, callbackError.error_description);
  }
  if (form.get('decision') !== 'allow') return redirectWithError(request, 'access_denied');
  const obstacle = judgeAccount(sim, request, account);
  if (obstacle !== undefined) return obstacle;
  const asked = expandScopes(request.scopes);
  const boxed = scopesWithBox(asked);
  const ticked = new Set(form.getAll('scope'));
  const granted = asked.filter((scope) => !boxed.includes(scope) || ticked.has(scope));
  if (granted.length === 0 || (!asked.some(isSignInScope) && boxed.length > 0 && ticked.size === 0)) {
    return redirectWithError(request, 'access_denied');
  }
  if (request.pick !== undefined) {
    // A page of its own address, so that nobody who goes back to it is asked to send a form again.
    const session = openSession(sim.flows, request, sim.clock.nowMs());
    const query = new URLSearchParams({ session, account: account.email });
    return emptyResponse(303, [['Location', `${PAGE_PATHS.pick}?${query}`]]);
  }
  return redirectWithCode(sim, request, account, granted, true, http.effects);
}

function showPicker(sim: Simulation, request: AuthorizationRequest, form: URLSearchParams): SimResponse {
  const account = findAccount(form.get('account') ?? '');
  if (account === undefined || request.pick === undefined) return noPicker();
  const files = offeredFiles(sim, account.sub, request.pick);
  const app = appName(request.client.clientId);
  return htmlResponse(200, pickerPage(form.get('session') ?? '', app, account, request.pick, files));
}

function noPicker(): SimResponse {
  return refuse({ status: 400, error: 'invalid_request', description: 'This page belongs to no picker.' });
}

/** Ends the picker: with the files, with none of them (still with a code), or cancelled. */
function finishPick(
  sim: Simulation,
  http: SimRequest,
  request: AuthorizationRequest,
  form: URLSearchParams,
): SimResponse {
  const account = findAccount(form.get('account') ?? '');
  if (account === undefined || request.pick === undefined) return noPicker();
  sim.flows.sessions.delete(form.get('session') ?? '');
  if (form.get('decision') !== 'pick') return redirectWithError(request, 'access_denied');
  const picked = allowedChoice(sim, account.sub, request.pick, form.getAll('file'));
  return redirectWithCode(sim, request, account, expandScopes(request.scopes), true, http.effects, picked);
}

/** Pages that change nothing are read, so that the way back of a browser leads to them as they were. */
const READ_PATHS: readonly string[] = [PAGE_PATHS.chooseAccount, PAGE_PATHS.switchAccount, PAGE_PATHS.pick];

/** The pages between the authorization request and the redirect; `undefined` for a path that is none of them. */
export function handleAuthorization(sim: Simulation, http: SimRequest): SimResponse | undefined {
  if (http.path === PAGE_PATHS.authorize) {
    if (http.method === 'GET') return startAuthorization(sim, http);
    const asPost = { ...http, query: new URLSearchParams(http.body.toString('utf8')) };
    return http.method === 'POST' ? startAuthorization(sim, asPost) : undefined;
  }
  const isRead = http.method === 'GET';
  const known: readonly string[] = isRead ? READ_PATHS : [...READ_PATHS, PAGE_PATHS.consent];
  if ((!isRead && http.method !== 'POST') || !known.includes(http.path)) return undefined;
  const form = isRead ? http.query : new URLSearchParams(http.body.toString('utf8'));
  const request = findSession(sim.flows, form.get('session') ?? '', sim.clock.nowMs());
  if (request === undefined) {
    return refuse({
      status: 400,
      error: 'invalid_request',
      description: 'This page has expired. Start again at the app.',
    });
  }
  if (http.path === PAGE_PATHS.consent) return decide(sim, http, request, form);
  if (http.path === PAGE_PATHS.pick)
    return isRead ? showPicker(sim, request, form) : finishPick(sim, http, request, form);
  if (http.path === PAGE_PATHS.switchAccount) return showChooser(sim, request);
  const account = findAccount(form.get('account') ?? '');
  return account === undefined ? showChooser(sim, request) : continueAs(sim, http, request, account);
}
