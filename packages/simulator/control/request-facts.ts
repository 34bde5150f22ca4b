import { ACCOUNTS, findAccount } from '../accounts.ts';
import { headerValue, mediaType, type SimRequest } from '../http/exchange.ts';
import { claimedClientId } from '../oauth/client-authentication.ts';
import { sha256Hex } from '../random.ts';
import type { Simulation } from '../simulation.ts';
import type { RequestFacts, TokenKind } from '../state/faults.ts';

interface Credential {
  clientId: string;
  sub: string;
  tokenKind: TokenKind;
  sha256: string;
}

/** Finds the record behind a presented token or code, living or dead. */
function findCredential(sim: Simulation, presented: string): Credential | undefined {
  const sha256 = sha256Hex(presented);
  const access = sim.state.accessTokens.get(sha256);
  if (access !== undefined) return { ...access, sha256, tokenKind: 'access' };
  const refresh = sim.state.refreshTokens.get(sha256);
  if (refresh !== undefined) return { ...refresh, sha256, tokenKind: 'refresh' };
  const code = sim.flows.codes.get(sha256);
  return code === undefined ? undefined : { ...code, sha256, tokenKind: 'code' };
}

function presentedCredential(http: Omit<SimRequest, 'effects'>, form: URLSearchParams): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headerValue(http.headers, 'authorization') ?? '')?.[1];
  return (
    bearer ??
    form.get('refresh_token') ??
    form.get('code') ??
    form.get('token') ??
    form.get('access_token') ??
    http.query.get('access_token') ??
    undefined
  );
}

/** Works out client, account and credential of a request from its token, its form or its page session. */
export function readFacts(sim: Simulation, http: Omit<SimRequest, 'effects'>): RequestFacts {
  const isForm = http.origin !== 'api' && mediaType(http.headers) === 'application/x-www-form-urlencoded';
  const form = new URLSearchParams(isForm ? http.body.toString('utf8') : '');
  const presented = presentedCredential(http, form);
  const credential = presented === undefined ? undefined : findCredential(sim, presented);
  const session = sim.flows.sessions.get(form.get('session') ?? '');
  const clientId =
    credential?.clientId ??
    session?.request.client.clientId ??
    claimedClientId(http, form) ??
    http.query.get('client_id') ??
    undefined;
  const account =
    ACCOUNTS.find(({ sub }) => sub === credential?.sub) ??
    findAccount(form.get('account') ?? http.query.get('login_hint') ?? '');
  return {
    origin: http.origin,
    method: http.method,
    path: http.path,
    ...(clientId === undefined ? {} : { clientId }),
    ...(account === undefined ? {} : { account: account.email }),
    ...(credential === undefined ? {} : { tokenKind: credential.tokenKind, tokenSha256: credential.sha256 }),
  };
}
