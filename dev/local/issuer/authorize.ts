/** The authorization endpoint: shows the operators, or answers at once for a browser that is signed in. */
import type { Admission } from './admission.ts';
import {
  type AuthorizationRequest,
  answerAddress,
  type IssuerClient,
  judgeAuthorizationRequest,
} from './authorization-request.ts';
import type { CompanySignIn } from './company-sign-in.ts';
import { type IssuerReply, type IssuerRequest, redirectReply } from './exchange.ts';
import { findOperator, type LocalOperator } from './operators.ts';
import { PAGE_POLICY, problemPage, signInPage } from './pages.ts';
import type { BrowserSession, SignIns } from './sign-ins.ts';

export interface AuthorizeParts {
  client: IssuerClient;
  signIns: SignIns;
  /** Undefined where every browser may sign in. */
  admission: Admission | undefined;
  /** Where operators sign in instead of on the issuer's page. */
  company: CompanySignIn | undefined;
  /** Name of the cookie; it carries the port, because cookies do not know ports. */
  cookieName: string;
  /** Path of the cookie: the issuer's own. */
  cookiePath: string;
}

const NOT_ADMITTED =
  'This browser does not come from the address that npm start printed. Open that address: it shows that you started this gateway.';

/** Answers a request of the browser. @param now epoch seconds */
export async function answerAuthorization(
  request: IssuerRequest,
  parts: AuthorizeParts,
  now: number,
): Promise<IssuerReply> {
  if (parts.admission?.isAdmitted(request.header('cookie')) === false) {
    return htmlReply(403, problemPage(NOT_ADMITTED));
  }
  const judged = judgeAuthorizationRequest(request.query, parts.client);
  if (judged.kind === 'invalid') return htmlReply(400, problemPage(judged.message));
  if (judged.kind === 'refused') {
    const { redirectUri, state, error, description } = judged;
    return redirectReply(answerAddress(redirectUri, { error, error_description: description, state }));
  }
  const wanted = judged.request;
  if (request.method === 'POST' && parts.company === undefined) {
    // Another site must not sign the browser in.
    const site = request.header('sec-fetch-site');
    if (site !== undefined && site !== 'same-origin') {
      return htmlReply(403, problemPage('Start the sign-in from the dashboard.'));
    }
    const operator = findOperator(request.form.get('operator') ?? undefined);
    if (operator === undefined) return htmlReply(400, problemPage('Choose one of the operators.'));
    return signedIn(operator, wanted, parts, now);
  }
  const session = parts.signIns.session(sessionCookie(request, parts.cookieName), now);
  const young =
    session !== undefined && now - session.authTimeEpochSec <= (wanted.maxAgeSec ?? Number.POSITIVE_INFINITY);
  if (session !== undefined && young && wanted.prompt !== 'login')
    return redirectReply(codeAddress(session, wanted, parts, now));
  if (wanted.prompt === 'none') {
    return redirectReply(answerAddress(wanted.redirectUri, { error: 'login_required', state: wanted.state }));
  }
  if (parts.company !== undefined) return redirectReply(await parts.company.begin(request.query, now));
  return htmlReply(200, signInPage());
}

/** Takes what a company's sign-in sends back. */
export async function answerCompany(request: IssuerRequest, parts: AuthorizeParts, now: number): Promise<IssuerReply> {
  const finished = await parts.company?.finish(request.query, now);
  const judged = finished && judgeAuthorizationRequest(finished.query, parts.client);
  if (finished === undefined || judged?.kind !== 'valid') {
    return htmlReply(400, problemPage('Nobody waits for this answer. Start the sign-in from the dashboard.'));
  }
  return signedIn(finished.operator, judged.request, parts, now);
}

/** Remembers the browser and sends it to the dashboard with a code. */
function signedIn(operator: LocalOperator, wanted: AuthorizationRequest, parts: AuthorizeParts, now: number) {
  const session = parts.signIns.openSession(operator, now);
  const cookie = `${parts.cookieName}=${session}; Path=${parts.cookiePath}; HttpOnly; SameSite=Lax`;
  const address = codeAddress({ operator, authTimeEpochSec: now }, wanted, parts, now);
  return redirectReply(address, { 'set-cookie': cookie });
}

function codeAddress(
  { operator, authTimeEpochSec }: BrowserSession,
  wanted: AuthorizationRequest,
  parts: AuthorizeParts,
  now: number,
): string {
  const { scopes, nonce } = wanted;
  const grant = { operator, clientId: parts.client.clientId, scopes, authTimeEpochSec, nonce };
  const code = parts.signIns.issueCode(grant, wanted.redirectUri, wanted.codeChallenge, now);
  return answerAddress(wanted.redirectUri, { code, state: wanted.state });
}

/** Ends the browser's session; takes Cognito's `logout_uri` and the standard's name (RP-Initiated Logout 1.0). */
export function answerLogout(request: IssuerRequest, parts: AuthorizeParts): IssuerReply {
  const { query } = request;
  const target = query.get('logout_uri') ?? query.get('post_logout_redirect_uri') ?? '';
  if (!parts.client.logoutUris.includes(target)) {
    return htmlReply(400, problemPage('The address to go to after the sign-out is not one of the client’s.'));
  }
  parts.signIns.closeSession(sessionCookie(request, parts.cookieName));
  const expired = `${parts.cookieName}=; Path=${parts.cookiePath}; HttpOnly; SameSite=Lax; Max-Age=0`;
  const state = query.get('state') ?? undefined;
  return redirectReply(answerAddress(target, { state }), { 'set-cookie': expired });
}

/** A page of the issuer. */
export function htmlReply(status: number, body: string): IssuerReply {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': PAGE_POLICY,
      'cache-control': 'no-store',
      // The form must record where it was shown, or a browser that sends no Sec-Fetch-Site could not be distinguished.
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
    body,
  };
}

function sessionCookie(request: IssuerRequest, name: string): string | undefined {
  const pairs = (request.header('cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
