import { stateAt } from '../gateway/approvals/approval.rules.ts';
import {
  type Asker,
  boundApproval,
  type DecideDependencies,
  decide,
  requireApproval,
} from '../gateway/approvals/decide.ts';
import { type DescribeDependencies, type DescribedCall, describeApproval } from '../gateway/approvals/describe.ts';
import { inWords } from '../gateway/approvals/in-words.ts';
import { type LimitRateDependencies, limitRate } from '../gateway/calls/limit-rate.ts';
import type { Brand } from '../gateway/core/brand.ts';
import type { Approvers } from '../gateway/core/contract.ts';
import { GatewayError, wrongMethod } from '../gateway/core/errors.ts';
import { type GatewayRequest, type GatewayResponse, headerValue } from '../gateway/core/http-message.ts';
import { sha256Hex } from '../gateway/core/identifiers.ts';
import { APPROVAL_LINK_SEC, JSON_BODY_MAX_BYTES } from '../gateway/core/limits.ts';
import { bindingCookies, setBindingCookie } from '../gateway/http/front-door.ts';
import { requireOwnPage } from '../gateway/http/same-origin.ts';
import type { AllApprovalTexts } from '../gateway/languages/approval-texts.rules.ts';
import {
  acceptedLanguage,
  LANGUAGES,
  type Language,
  languageOf,
  readTexts,
} from '../gateway/languages/language.rules.ts';
import type { Providers } from '../gateway/providers/provider.rules.ts';
import { decidePage, foreignPage, otherBrowserPage, type PageFrame, signInPage, statePage } from './approve-page.ts';
import { judgeSignIn, openSignIn, type SignInDependencies, type SignInFor, startSignIn } from './sign-in.ts';

export interface ApproveDependencies
  extends DecideDependencies,
    Omit<DescribeDependencies, 'approvals'>,
    SignInDependencies,
    LimitRateDependencies {
  readonly providers: Providers;
  readonly approvers: Approvers;
  readonly brand: () => Promise<Brand>;
  readonly texts: AllApprovalTexts;
  readonly builtText: Parameters<typeof readTexts>[0];
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

/**
 * `GET` and `POST /approve/{token}`, `POST /approve/{token}/sign-in`, `GET /approve/return`: the page of an approval. Its address
 * approves nothing, and opening it changes nothing; what decides is a form of the page itself, from a browser whose user has shown
 * who they are (AP-12).
 */
export async function approveRoute(deps: ApproveDependencies, request: GatewayRequest): Promise<GatewayResponse> {
  const [token = '', step, ...more] = request.rawPath.slice(PREFIX.length).split('/');
  const frame = await frameOf(deps, request);
  if (token === 'return' && step === undefined) return signedIn(deps, request, frame);
  if (!TOKEN.test(token) || more.length > 0 || (step !== undefined && step !== 'sign-in'))
    return statePage(frame, 'gone');
  const opened = await open(deps, request, token);
  if (opened === undefined) return statePage(frame, 'gone');
  const state = stateAt(opened.approval, deps.clock.nowMs());
  if (step === 'sign-in') {
    if (request.method !== 'POST') throw wrongMethod('The page itself sends this.', ['POST']);
    if (state !== 'pending') return statePage(frame, state);
    return toProvider(deps, request, frame, opened);
  }
  if (request.method !== 'GET' && request.method !== 'POST') {
    throw wrongMethod('Open this address in a browser.', ['GET', 'POST']);
  }
  if (state !== 'pending') return statePage(frame, state);
  if (request.method === 'POST') return decided(deps, request, frame, opened);
  return shown(deps, request, frame, opened);
}

async function frameOf(deps: ApproveDependencies, request: GatewayRequest): Promise<PageFrame> {
  const named = request.query.find(([name]) => name === 'language')?.[1];
  const language: Language =
    languageOf(named ?? '') ?? acceptedLanguage(headerValue(request.headers, 'accept-language'));
  const [brand, { common }] = await Promise.all([deps.brand(), readTexts(deps.builtText, language)]);
  return {
    language,
    texts: deps.texts[language],
    continueWithGoogle: common.continueWithGoogle,
    brand,
    nonce: Buffer.from(deps.random.bytes(18)).toString('base64url'),
    requestId: request.requestId,
  };
}

/** What an address leads to; undefined for none, and for one whose key or connection is gone. */
async function open(deps: ApproveDependencies, request: GatewayRequest, token: string): Promise<Opened | undefined> {
  const nowMs = deps.clock.nowMs();
  const found = await deps.approvals.findByToken(sha256Hex(token), nowMs);
  if (found === undefined) return undefined;
  const key = await requireApproval(deps, found.approval).then(
    (known) => known.key,
    (error: unknown) => {
      if (error instanceof GatewayError) return undefined;
      throw error;
    },
  );
  if (key === undefined) return undefined;
  const [connection, integration] = await Promise.all([
    deps.connections.read(found.approval),
    deps.integrations.get(found.approval),
  ]);
  if (connection === undefined || integration === undefined || connection.status === 'deleted') return undefined;
  const approval = await boundApproval(deps, found.approval, connection, request.requestId);
  const mayDecide = deps.approvers !== 'operator';
  const cookies = bindingCookies(request.headers);
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
async function shown(
  deps: ApproveDependencies,
  request: GatewayRequest,
  frame: PageFrame,
  opened: Opened,
  note?: 'changed',
): Promise<GatewayResponse> {
  if (opened.isLink && opened.actor === undefined) return boundLink(deps, request, frame, opened);
  if (opened.actor === undefined) return askWho(deps, request, frame, opened, undefined);
  const described = await describeApproval(deps, opened.approval, request.requestId);
  if (described === undefined) return statePage(frame, 'gone');
  return decidePage(withCookie(deps, request, frame), pageOf(deps, frame, opened, described, note));
}

/** A link of the backend in the browser that opens it first; other browsers see nothing of the call (AP-34). */
async function boundLink(
  deps: ApproveDependencies,
  request: GatewayRequest,
  frame: PageFrame,
  opened: Opened,
): Promise<GatewayResponse> {
  if (deps.approvers === 'operator') return askWho(deps, request, frame, opened, undefined);
  // A frame, or a browser that loads ahead, is nobody who has opened it.
  const destination = headerValue(request.headers, 'sec-fetch-dest') ?? 'document';
  const isAhead = headerValue(request.headers, 'sec-purpose') !== undefined;
  if (destination !== 'document' || isAhead) return foreignPage(frame);
  const cookie = bindingCookies(request.headers)[0] ?? Buffer.from(deps.random.bytes(32)).toString('base64url');
  if (!(await deps.approvals.bindLink(sha256Hex(opened.token), sha256Hex(cookie)))) return otherBrowserPage(frame);
  return redirect(addressOf(deps, opened.token), request.requestId, [['set-cookie', setBindingCookie(cookie)]]);
}

function pageOf(
  deps: ApproveDependencies,
  frame: PageFrame,
  opened: Opened,
  { about, request, owner }: DescribedCall,
  note: 'changed' | undefined,
) {
  return {
    words: inWords(frame.texts, frame.language, about, request),
    seen: about.seen,
    isReadAgain: about.seen.startsWith('version:'),
    approval: opened.approval,
    service: deps.providers[owner.integration.provider].displayName,
    appName: opened.key.name,
    account: owner.connection.providerAccount?.email ?? undefined,
    action: addressOf(deps, opened.token),
    note,
  };
}

function askWho(
  deps: ApproveDependencies,
  request: GatewayRequest,
  frame: PageFrame,
  { connection, integration, token, key }: Opened,
  problem: 'otherAccount' | 'signInFailed' | undefined,
): GatewayResponse {
  const maySignIn = deps.approvers !== 'operator' && connection.providerAccount !== undefined;
  const provider = new URL(deps.endpointsOf(integration.provider).authorizationEndpoint).origin;
  return signInPage(withCookie(deps, request, frame), {
    service: deps.providers[integration.provider].displayName,
    appName: key.name,
    signInAction: maySignIn ? `${addressOf(deps, token)}/sign-in` : undefined,
    formAction: ["'self'", provider],
    problem,
  });
}

/** A decision of the page's own form. */
async function decided(
  deps: ApproveDependencies,
  request: GatewayRequest,
  frame: PageFrame,
  opened: Opened,
): Promise<GatewayResponse> {
  if (!isOwn(deps, request) || bindingCookies(request.headers).length === 0) return foreignPage(frame);
  if (opened.isLink && opened.actor === undefined) return otherBrowserPage(frame);
  // The key and the address alone prove no person.
  if (opened.actor === undefined) return askWho(deps, request, frame, opened, undefined);
  const form = formOf(request);
  const decision = form.get('decision');
  if (decision !== 'approve' && decision !== 'refuse') return shown(deps, request, frame, opened);
  const { requestId } = request;
  const { actor, approval } = opened;
  const described = await describeApproval(deps, approval, requestId);
  if (described === undefined) return statePage(frame, 'gone');
  const { about } = described;
  const isSeen = form.get('seen') === about.seen && about.warning === undefined;
  if (decision === 'approve' && !isSeen) {
    return decidePage(frame, pageOf(deps, frame, opened, described, 'changed'));
  }
  const kind = decision === 'approve' ? 'approved' : 'refused';
  try {
    const after = await decide(deps, approval, { kind, about, actor, requestId });
    return statePage(frame, after.state === 'refused' ? 'refused' : 'approved');
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const now = await deps.approvals.find(approval);
    const state = now === undefined ? 'gone' : stateAt(now, deps.clock.nowMs());
    return statePage(frame, state === 'pending' ? 'gone' : state);
  }
}

async function toProvider(
  deps: ApproveDependencies,
  request: GatewayRequest,
  frame: PageFrame,
  opened: Opened,
): Promise<GatewayResponse> {
  if (!isOwn(deps, request)) return foreignPage(frame);
  if (deps.approvers === 'operator' || opened.connection.providerAccount === undefined) {
    return askWho(deps, request, frame, opened, undefined);
  }
  await limitRate(deps, opened.approval.accountId, 'authorizations');
  const cookie = bindingCookies(request.headers)[0] ?? Buffer.from(deps.random.bytes(32)).toString('base64url');
  const language = LANGUAGES[frame.language].lang;
  const location = await startSignIn(deps, opened, { cookie, token: opened.token, language });
  if (location === undefined) return askWho(deps, request, frame, opened, 'signInFailed');
  return redirect(location, request.requestId, [['set-cookie', setBindingCookie(cookie)]]);
}

/** A browser that comes back from the provider's sign-in. */
async function signedIn(
  deps: ApproveDependencies,
  request: GatewayRequest,
  frame: PageFrame,
): Promise<GatewayResponse> {
  const only = (name: string) => {
    const values = request.query.filter(([key]) => key === name);
    return values.length === 1 ? values[0]?.[1] : undefined;
  };
  const state = only('state');
  const pending = state === undefined ? undefined : await deps.signIns.spend(sha256Hex(state), deps.clock.nowMs());
  if (pending === undefined) return statePage(frame, 'gone');
  if (!bindingCookies(request.headers).some((cookie) => sha256Hex(cookie) === pending.browserHash)) {
    return foreignPage(frame);
  }
  const { codeVerifier, token } = await openSignIn(deps, pending);
  const opened = await open(deps, request, token);
  if (opened === undefined) return statePage(frame, 'gone');
  const code = only('code');
  const who = code === undefined ? 'unproven' : await judgeSignIn(deps, pending, opened, { code, codeVerifier });
  if (who !== 'same') return askWho(deps, request, frame, opened, who === 'other' ? 'otherAccount' : 'signInFailed');
  await deps.signIns.prove(pending.browserHash, opened.approval, deps.clock.nowMs() + APPROVAL_LINK_SEC * 1000);
  return redirect(addressOf(deps, token), request.requestId, []);
}

function addressOf({ baseUrl }: ApproveDependencies, token: string): string {
  return `${baseUrl}${PREFIX}${token}`;
}

/** The cookie that a decision must come with: another site's form has none that it set itself. */
function withCookie(deps: ApproveDependencies, request: GatewayRequest, frame: PageFrame): PageFrame {
  if (bindingCookies(request.headers).length > 0) return frame;
  const cookie = Buffer.from(deps.random.bytes(32)).toString('base64url');
  return { ...frame, headers: [['set-cookie', setBindingCookie(cookie)]] };
}

function isOwn({ baseUrl }: ApproveDependencies, request: GatewayRequest): boolean {
  try {
    requireOwnPage(request, baseUrl);
    return true;
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}

function formOf({ body }: GatewayRequest): URLSearchParams {
  if (body !== undefined && body.length > JSON_BODY_MAX_BYTES) {
    throw new GatewayError('request_too_large', 'This form is too large.');
  }
  return new URLSearchParams(Buffer.from(body ?? new Uint8Array()).toString('utf8'));
}

function redirect(location: string, requestId: string, headers: GatewayResponse['headers']): GatewayResponse {
  return {
    status: 303,
    headers: [
      ['location', location],
      ['cache-control', 'no-store'],
      ['referrer-policy', 'no-referrer'],
      ['x-request-id', requestId],
      ...headers,
    ],
    body: undefined,
  };
}
