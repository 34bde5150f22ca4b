import { type LimitRateDependencies, limitRate } from '../../gateway/calls/limit-rate.ts';
import { isGatewayError, wrongMethod } from '../../gateway/core/errors.ts';
import { type HeaderPairs, headerValue } from '../../gateway/core/http-message.ts';
import { sha256Hex } from '../../gateway/core/identifiers.ts';
import type { Providers } from '../../gateway/providers/provider.rules.ts';
import { type Approvers, stateAt } from './approval.rules.ts';
import type { ApproveAnswer, ApproveQuestion, ApproveView, SignInProblem } from './approve-view.rules.ts';
import { type Asker, boundApproval, type DecideDependencies, decide, requireApproval } from './decide.ts';
import { type DescribeDependencies, type DescribedCall, describeApproval } from './describe.ts';
import { APPROVAL_LINK_SEC } from './limits.rules.ts';
import { judgeSignIn, openSignIn, type SignInDependencies, type SignInFor, startSignIn } from './sign-in.ts';

export interface ApproveDependencies
  extends DecideDependencies,
    Omit<DescribeDependencies, 'approvals'>,
    SignInDependencies,
    LimitRateDependencies {
  readonly providers: Providers;
  readonly approvers: Approvers;
  /** Values of the cookies that bind a browser. */
  readonly bindingCookies: (headers: HeaderPairs) => readonly string[];
  /** @throws GatewayError for a request that another site causes */
  readonly requireOwnPage: (request: ApproveQuestion, baseUrl: string) => void;
}

/** Path of everything below, before the page's token. */
const PREFIX = '/approve/';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** What a page's address leads to. */
interface Opened extends SignInFor {
  readonly token: string;
  readonly key: Asker;
  /** It is a link of the backend, for its first browser. */
  readonly isLink: boolean;
  /** The browser has shown that its user may decide, and how. */
  readonly actor: string | undefined;
}

const gone: ApproveAnswer = { view: { kind: 'state', state: 'gone' } };
const foreign: ApproveAnswer = { view: { kind: 'foreign' } };
const otherBrowser: ApproveAnswer = { view: { kind: 'other_browser' } };

/** A question with the id of its request. */
interface Asked extends ApproveQuestion {
  readonly requestId: string;
}

/**
 * `GET` and `POST /approve/{token}`, `POST /approve/{token}/sign-in`, `GET /approve/return`: what the page of an approval shows. Its
 * address approves nothing, and opening it changes nothing; what decides is a form of the page itself, from a browser whose user has
 * shown who they are (AP-12).
 *
 * @throws GatewayError `method_not_allowed`, `rate_limited`
 */
export async function approveStep(deps: ApproveDependencies, asked: Asked): Promise<ApproveAnswer> {
  const [token = '', step, ...more] = asked.rawPath.slice(PREFIX.length).split('/');
  if (token === 'return' && step === undefined) return signedIn(deps, asked);
  if (!TOKEN.test(token) || more.length > 0 || (step !== undefined && step !== 'sign-in')) return gone;
  const opened = await open(deps, asked, token);
  if (opened === undefined) return gone;
  const state = stateAt(opened.approval, deps.clock.nowMs());
  if (step === 'sign-in') {
    if (asked.method !== 'POST') throw wrongMethod('The page itself sends this.', ['POST']);
    if (state !== 'pending') return { view: { kind: 'state', state } };
    return toProvider(deps, asked, opened);
  }
  if (asked.method !== 'GET' && asked.method !== 'POST') {
    throw wrongMethod('Open this address in a browser.', ['GET', 'POST']);
  }
  if (state !== 'pending') return { view: { kind: 'state', state } };
  if (asked.method === 'POST') return decided(deps, asked, opened);
  return shown(deps, asked, opened);
}

/** What an address leads to; undefined for none, and for one whose key or connection is gone. */
async function open(deps: ApproveDependencies, asked: Asked, token: string): Promise<Opened | undefined> {
  const nowMs = deps.clock.nowMs();
  const found = await deps.approvals.findByToken(sha256Hex(token), nowMs);
  if (found === undefined) return undefined;
  const key = await requireApproval(deps, found.approval).then(
    (known) => known.key,
    (error: unknown) => {
      if (isGatewayError(error)) return undefined;
      throw error;
    },
  );
  if (key === undefined) return undefined;
  const [connection, integration] = await Promise.all([
    deps.connections.read(found.approval),
    deps.integrations.get(found.approval),
  ]);
  if (connection === undefined || integration === undefined || connection.status === 'deleted') return undefined;
  const approval = await boundApproval(deps, found.approval, connection, asked.requestId);
  const mayDecide = deps.approvers !== 'operator';
  const cookies = deps.bindingCookies(asked.headers);
  const browserHash = cookies[0] === undefined ? undefined : sha256Hex(cookies[0]);
  const { madeBy } = found;
  const isProven =
    mayDecide &&
    browserHash !== undefined &&
    (madeBy === undefined
      ? await deps.signIns.isProven(browserHash, approval, nowMs)
      : await deps.approvals.isLinkOf(sha256Hex(token), browserHash));
  const actor = !isProven
    ? undefined
    : madeBy === undefined
      ? `end_user:${approval.connectionId}`
      : `link:${madeBy.replace(/^key:/, '')}`;
  return { approval, connection, integration, token, key, isLink: madeBy !== undefined, actor };
}

/** The page: who may decide sees what will happen, anybody else how to show who they are. */
async function shown(deps: ApproveDependencies, asked: Asked, opened: Opened): Promise<ApproveAnswer> {
  if (opened.isLink && opened.actor === undefined) return boundLink(deps, asked, opened);
  if (opened.actor === undefined) return askWho(deps, asked, opened, undefined);
  const described = await describeApproval(deps, opened.approval, asked.requestId);
  if (described === undefined) return gone;
  return { view: viewOf(deps, opened, described, undefined), ...withCookie(deps, asked) };
}

/** A link of the backend in the browser that opens it first; other browsers see nothing of the call (AP-34). */
async function boundLink(deps: ApproveDependencies, asked: Asked, opened: Opened): Promise<ApproveAnswer> {
  if (deps.approvers === 'operator') return askWho(deps, asked, opened, undefined);
  // A frame, or a browser that loads ahead, is nobody who has opened it.
  const destination = headerValue(asked.headers, 'sec-fetch-dest') ?? 'document';
  const isAhead = headerValue(asked.headers, 'sec-purpose') !== undefined;
  if (destination !== 'document' || isAhead) return foreign;
  const cookie = deps.bindingCookies(asked.headers)[0] ?? newCookie(deps);
  if (!(await deps.approvals.bindLink(sha256Hex(opened.token), sha256Hex(cookie)))) return otherBrowser;
  return redirect(addressOf(deps, opened.token), cookie);
}

function viewOf(
  deps: ApproveDependencies,
  opened: Opened,
  { about, request, owner }: DescribedCall,
  note: 'changed' | undefined,
): ApproveView {
  const { requestedAtMs, expiresAtMs } = opened.approval;
  return {
    kind: 'decide',
    ...{ about, request, requestedAtMs, expiresAtMs, note },
    service: deps.providers[owner.integration.provider].displayName,
    appName: opened.key.name,
    account: owner.connection.providerAccount?.email ?? undefined,
    action: addressOf(deps, opened.token),
  };
}

function askWho(
  deps: ApproveDependencies,
  asked: Asked,
  { connection, integration, token, key }: Opened,
  problem: SignInProblem | undefined,
): ApproveAnswer {
  const maySignIn = deps.approvers !== 'operator' && connection.providerAccount !== undefined;
  const provider = new URL(deps.endpointsOf(integration.provider).authorizationEndpoint).origin;
  return {
    view: {
      kind: 'sign_in',
      service: deps.providers[integration.provider].displayName,
      appName: key.name,
      signInAction: maySignIn ? `${addressOf(deps, token)}/sign-in` : undefined,
      formAction: ["'self'", provider],
      problem,
    },
    ...withCookie(deps, asked),
  };
}

/** A decision of the page's own form. */
async function decided(deps: ApproveDependencies, asked: Asked, opened: Opened): Promise<ApproveAnswer> {
  if (!isOwn(deps, asked) || deps.bindingCookies(asked.headers).length === 0) return foreign;
  if (opened.isLink && opened.actor === undefined) return otherBrowser;
  // The key and the address alone prove no person.
  if (opened.actor === undefined) return askWho(deps, asked, opened, undefined);
  const form = new URLSearchParams(asked.form);
  const decision = form.get('decision');
  if (decision !== 'approve' && decision !== 'refuse') return shown(deps, asked, opened);
  const { requestId } = asked;
  const { actor, approval } = opened;
  const described = await describeApproval(deps, approval, requestId);
  if (described === undefined) return gone;
  const { about } = described;
  const isSeen = form.get('seen') === about.seen && about.warning === undefined;
  if (decision === 'approve' && !isSeen) return { view: viewOf(deps, opened, described, 'changed') };
  const kind = decision === 'approve' ? 'approved' : 'refused';
  try {
    const after = await decide(deps, approval, { kind, about, actor, requestId });
    return { view: { kind: 'state', state: after.state === 'refused' ? 'refused' : 'approved' } };
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    const now = await deps.approvals.find(approval);
    const state = now === undefined ? 'gone' : stateAt(now, deps.clock.nowMs());
    return { view: { kind: 'state', state: state === 'pending' ? 'gone' : state } };
  }
}

async function toProvider(deps: ApproveDependencies, asked: Asked, opened: Opened): Promise<ApproveAnswer> {
  if (!isOwn(deps, asked)) return foreign;
  if (deps.approvers === 'operator' || opened.connection.providerAccount === undefined) {
    return askWho(deps, asked, opened, undefined);
  }
  await limitRate(deps, opened.approval.accountId, 'authorizations');
  const cookie = deps.bindingCookies(asked.headers)[0] ?? newCookie(deps);
  const { token } = opened;
  const location = await startSignIn(deps, opened, { cookie, token, language: asked.language });
  return location === undefined ? askWho(deps, asked, opened, 'signInFailed') : redirect(location, cookie);
}

/** A browser that comes back from the provider's sign-in. */
async function signedIn(deps: ApproveDependencies, asked: Asked): Promise<ApproveAnswer> {
  const only = (name: string) => {
    const values = asked.query.filter(([key]) => key === name);
    return values.length === 1 ? values[0]?.[1] : undefined;
  };
  const state = only('state');
  const pending = state === undefined ? undefined : await deps.signIns.spend(sha256Hex(state), deps.clock.nowMs());
  if (pending === undefined) return gone;
  if (!deps.bindingCookies(asked.headers).some((cookie) => sha256Hex(cookie) === pending.browserHash)) return foreign;
  const { codeVerifier, token } = await openSignIn(deps, pending);
  const opened = await open(deps, asked, token);
  if (opened === undefined) return gone;
  const code = only('code');
  const who = code === undefined ? 'unproven' : await judgeSignIn(deps, pending, opened, { code, codeVerifier });
  if (who !== 'same') return askWho(deps, asked, opened, who === 'other' ? 'otherAccount' : 'signInFailed');
  await deps.signIns.prove(pending.browserHash, opened.approval, deps.clock.nowMs() + APPROVAL_LINK_SEC * 1000);
  return redirect(addressOf(deps, token));
}

function addressOf({ baseUrl }: ApproveDependencies, token: string): string {
  return `${baseUrl}${PREFIX}${token}`;
}

/** The cookie that a decision must come with: another site's form has none that it set itself. */
function withCookie(deps: ApproveDependencies, { headers }: Asked): Pick<ApproveAnswer, 'cookie'> {
  return deps.bindingCookies(headers).length > 0 ? {} : { cookie: newCookie(deps) };
}

function newCookie({ random }: ApproveDependencies): string {
  return Buffer.from(random.bytes(32)).toString('base64url');
}

function isOwn({ requireOwnPage, baseUrl }: ApproveDependencies, asked: Asked): boolean {
  try {
    requireOwnPage(asked, baseUrl);
    return true;
  } catch (error) {
    if (isGatewayError(error)) return false;
    throw error;
  }
}

function redirect(location: string, cookie?: string): ApproveAnswer {
  return { view: { kind: 'redirect', location }, ...(cookie === undefined ? {} : { cookie }) };
}
