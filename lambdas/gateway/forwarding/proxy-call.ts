import { reachesPickedOnly } from '../authorization/pick.rules.ts';
import type { Call } from '../calls/book.ts';
import { refuseAgentic } from '../core/agentic.ts';
import { SIGNED_PREFIX } from '../core/contract.ts';
import { GatewayError, refusal } from '../core/errors.ts';
import {
  type GatewayResponse,
  type HeaderPairs,
  type Upstream,
  UpstreamError,
  type UpstreamResponse,
} from '../core/http-message.ts';
import { RESPONSE_BODY_MAX_BYTES, UPSTREAM_TOTAL_TIMEOUT_MS } from '../core/limits.ts';
import type { CallContext, Clock, Metrics, Random } from '../core/ports.ts';
import type { Caller, CallerDirectory } from '../keys/authenticate-caller.ts';
import { type ProxyControl, readProxyControl, signingRole } from '../keys/credentials.rules.ts';
import type { Provider, ProviderEndpoints, ProviderId, Providers } from '../providers/provider.rules.ts';
import { missingAccess } from '../providers/scopes.rules.ts';
import { delegatedCall } from '../proxying/delegated.rules.ts';
import { readReason } from '../proxying/error-reason.ts';
import {
  endsWithConnection,
  HINT_HEADER,
  proxiedResponseHeaders,
  QUOTA_HEADER,
  RETRIES_HEADER,
  rewriteUploadLocation,
  UPSTREAM_END_HEADER,
  UPSTREAM_LENGTH_HEADER,
} from '../proxying/headers.rules.ts';
import { challengedScopes } from '../proxying/scope-challenge.rules.ts';
import { appliedWhenSent, upstreamFailure } from '../proxying/upstream-failure.rules.ts';
import { planUpstreamRequest, type UpstreamPlan } from '../proxying/upstream-request.rules.ts';
import {
  type AccessTokens,
  type SendOne,
  sendAsUser,
  type TokenSource,
  type UsableToken,
} from '../tokens/access-tokens.ts';
import type { CallHooks, HoldCall, ReadyCall } from './call-hooks.ts';
import { discard, type RetryBudget, type SendNotes, type SentAnswer, sendWithRetries } from './retries.ts';

export interface ProxyDependencies {
  readonly directory: CallerDirectory;
  readonly tokens: AccessTokens;
  readonly upstream: Upstream;
  readonly providers: Providers;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
  /** Origins of the APIs of all providers. */
  readonly apiOrigins: readonly string[];
  readonly retryBudgetOf: (id: ProviderId) => RetryBudget;
  /** Of features, the innermost first. */
  readonly hooks: readonly CallHooks[];
  /** The gateway's public address. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  /** Where a call waits that the limits of its key do not let pass at once. */
  readonly hold: HoldCall;
}

/** The caller's options for sending. */
export interface CallControl extends Pick<ProxyControl, 'retries' | 'retryOn' | 'baseUrlOverride' | 'priority'> {
  /** Milliseconds within which the whole call ends. @default the front door's limit of a stream */
  readonly withinMs?: number;
  /** Reads the provider's answer on its way, before features that keep it back. @returns its bytes as they came */
  readonly watch?: (answer: Pick<UpstreamResponse, 'headers' | 'body'>) => AsyncIterable<Uint8Array>;
}

/**
 * Forwards one request as the connection's user: check, authenticate, plan, send, answer. One step after the other, each
 * taken once.
 *
 * @throws GatewayError for every answer of the gateway itself
 */
export async function proxyCall(deps: ProxyDependencies, call: Call, context: CallContext): Promise<GatewayResponse> {
  const { control, caller } = await identify(deps, call);
  call.isFrom(caller);
  return forwardCall(deps, call, control, caller, context);
}

/**
 * Forwards a call of a known caller, as far as limits, budgets and tokens allow.
 *
 * @param call already has its caller
 * @throws GatewayError for every answer of the gateway itself
 */
export async function forwardCall(
  deps: ProxyDependencies,
  call: Call,
  control: CallControl,
  caller: Caller,
  context: CallContext,
): Promise<GatewayResponse> {
  const { request } = call;
  if (caller.integration.agentic === true) refuseAgentic(caller.integration, 'The proxy calls REST APIs');
  const provider = deps.providers[caller.integration.provider];
  const endpoints = deps.endpointsOf(provider.id);
  const { connection } = caller.live;
  const delegated = connection.delegated === true ? delegatedCall(connection, caller.integration) : undefined;
  const plan = planUpstreamRequest(request, provider, publicUrl(deps, call), endpoints, delegated);
  checkBaseUrl(control, plan);
  return forwardPlan(deps, call, control, caller, plan, context);
}

/**
 * Forwards a request that is ready for the provider.
 *
 * @param call already has its caller
 * @throws GatewayError for every answer of the gateway itself
 */
export async function forwardPlan(
  deps: ProxyDependencies,
  call: Call,
  control: CallControl,
  caller: Caller,
  plan: UpstreamPlan,
  context: CallContext,
): Promise<GatewayResponse> {
  const deadlineMs = call.startedAtMs + (control.withinMs ?? UPSTREAM_TOTAL_TIMEOUT_MS);
  const provider = deps.providers[caller.integration.provider];
  const { effectiveMethod: method, target, headers, form, standIn } = plan;
  const requests = (standIn && [standIn]) ??
    plan.parts ?? [{ method, target, headers, body: plan.body, ...(form === undefined ? {} : { form }) }];
  await call.asks(caller, requests, control.priority);
  if (call.toApprove !== undefined) return deps.hold(call, caller, plan, call.toApprove);
  let token = await deps.tokens.forCall(caller, context);
  call.refreshed = token.connection.tokenEpoch !== caller.live.connection.tokenEpoch;
  const budget = deps.retryBudgetOf(provider.id);
  const renewed = async (refused: UsableToken, answer: SentAnswer) => {
    let isKept = false;
    try {
      const other = await deps.tokens.afterRefusal(refused.connection, caller.integration, call.request.requestId);
      isKept = other === undefined;
      if (!isKept) call.refreshed = true;
      return other;
    } finally {
      // Also where the gateway answers instead.
      if (!isKept) await discard(answer);
    }
  };
  const exchange = async (asked: UpstreamPlan, notes: SendNotes) => {
    const tokens: TokenSource<UsableToken, never, SentAnswer> = { first: async () => token, renewed };
    const sent = await sendAsUser(deps.upstream, tokens, {
      exchange: (send) => streamed(deps, call, asked, control, send, budget, deadlineMs, notes),
      isRefused: ({ status, headers }) => status === 401 && challengedScopes(headers) === undefined,
    });
    ({ token } = sent);
    return sent.answer;
  };
  const { watch } = control;
  let send = async () => {
    const answer = await exchange(plan, call);
    return watch === undefined ? answer : { ...answer, body: watch(answer) };
  };
  for (const hook of deps.hooks) {
    if (caller.key.limits?.[hook.limit] === undefined) continue;
    const inner = send;
    send = () => hook.around(readyCall(call, caller, plan, exchange), inner);
  }
  const sent = await send();
  const answer = await hinted(sent, plan, provider, token.connection);
  return finish(deps, provider, call, answer, plan);
}

/** A call as passed to the features' hooks. */
function readyCall(
  call: Call,
  caller: Caller,
  plan: UpstreamPlan,
  exchange: (asked: UpstreamPlan, notes: SendNotes) => Promise<SentAnswer>,
): ReadyCall {
  const { origin, effectiveMethod, target, headers, body, parts, standIn, tool } = plan;
  return {
    caller,
    isApproved: call.isApproved,
    requestId: call.request.requestId,
    requests: (standIn && [standIn]) ?? parts ?? [{ method: effectiveMethod, target, headers, body }],
    ...(tool && { toolPlan: { target, body, tool } }),
    isBatch: parts !== undefined,
    attempts: () => call.attempts,
    read: (asked) => {
      const read =
        typeof asked === 'string'
          ? { method: 'GET', target: asked, headers: [['accept-encoding', 'identity']] as const, body: undefined }
          : asked;
      call.extraRequests.push(('standIn' in read && read.standIn) || read);
      return exchange({ ...read, origin, effectiveMethod: read.method }, { attempts: 0 });
    },
  };
}

/** The caller's address of the gateway: addresses of further calls use the same front door. */
function publicUrl({ baseUrl }: ProxyDependencies, { request: { doorUrl = baseUrl, signer } }: Call): string {
  return signer === undefined ? doorUrl : doorUrl + SIGNED_PREFIX;
}

/** Identifies the caller and the requested connection. Failed attempts count for their source address. */
async function identify(
  { directory, apiOrigins }: ProxyDependencies,
  call: Call,
): Promise<{ readonly control: ProxyControl; readonly caller: Caller }> {
  const { headers, sourceIp, signer, query } = call.request;
  try {
    const role = signer === undefined ? undefined : signingRole(signer, query);
    const control = readProxyControl(headers, apiOrigins, role !== undefined);
    return { control, caller: await directory.resolve({ ...control, role, sourceIp }) };
  } catch (error) {
    throw call.isFromNobody(error);
  }
}

/** A host of the provider that does not serve the path would never get the call. */
function checkBaseUrl({ baseUrlOverride }: CallControl, { origin }: UpstreamPlan): void {
  if (baseUrlOverride === undefined || baseUrlOverride === origin) return;
  const message = `this path belongs to ${origin}; omit this header`;
  throw refusal('invalid_headers', [{ path: 'headers.Base-Url-Override', message }]);
}

async function streamed(
  deps: ProxyDependencies,
  call: Call,
  plan: UpstreamPlan,
  control: CallControl,
  send: SendOne,
  budget: RetryBudget,
  deadlineMs: number,
  notes: SendNotes,
): Promise<SentAnswer> {
  try {
    const { retries, retryOn } = control;
    const answer = await sendWithRetries(deps, send, plan, { retries, retryOn, budget, deadlineMs }, notes);
    call.headMs = deps.clock.nowMs() - call.startedAtMs;
    return answer;
  } catch (error) {
    if (error instanceof UpstreamError) throw upstreamFailure(error, plan.effectiveMethod);
    throw error;
  }
}

async function finish(
  deps: ProxyDependencies,
  provider: Provider,
  call: Call,
  upstream: HintedAnswer,
  plan: UpstreamPlan,
): Promise<GatewayResponse> {
  const kept = proxiedResponseHeaders(upstream.headers, call.request.requestId);
  const passed = rewriteUploadLocation(kept, provider, plan.origin, publicUrl(deps, call));
  const headers: HeaderPairs = [...passed, ...remarks(deps.metrics, upstream, plan, call.quotaStanding)];
  const announced = Number(headers.find(([name]) => name === UPSTREAM_LENGTH_HEADER)?.[1] ?? 0);
  if (plan.method !== 'HEAD' && announced > RESPONSE_BODY_MAX_BYTES) {
    upstream.abandon();
    throw new GatewayError(
      'upstream_invalid_response',
      `The provider's answer has ${announced} bytes; an answer may have at most ${RESPONSE_BODY_MAX_BYTES}. Request parts of it with Range.`,
      { applied: appliedWhenSent(plan.effectiveMethod) },
    );
  }
  // RFC 9110 section 15.3.6: nothing follows a 205, whatever the provider sent.
  if (upstream.status === 205) await discard(upstream);
  if (upstream.status >= 400) call.failed(upstream.headers);
  const body = upstream.status === 205 ? undefined : limited(upstream.body, call);
  return { status: upstream.status, headers, body };
}

type HintedAnswer = SentAnswer & { readonly hint?: string };

/** Adds why an existing file may be missing, or which scopes the user did not grant; the answer itself stays unchanged (PK-15, CH-27). */
export async function hinted(
  answer: SentAnswer,
  { target, form }: UpstreamPlan,
  provider: Provider,
  { requestedScopes, grantedScopes }: Readonly<Record<'requestedScopes' | 'grantedScopes', readonly string[]>>,
): Promise<HintedAnswer> {
  const { status } = answer;
  const challenged = status === 401 || status === 403 ? challengedScopes(answer.headers) : undefined;
  if (challenged !== undefined) return { ...answer, hint: ['missing_scopes', ...challenged].join(' ') };
  if (status !== 403 && status !== 404) return answer;
  const isPicked = reachesPickedOnly(provider, grantedScopes);
  if (status === 404) {
    const misses = provider.missesWithout;
    if (isPicked) return { ...answer, hint: PICK_AGAIN };
    return misses?.calls.test(`${target}?${form ?? ''}`) === true ? { ...answer, hint: misses.hint } : answer;
  }
  const missing = missingAccess(requestedScopes, grantedScopes);
  if (!isPicked && missing.length === 0) return answer;
  const { reason, response } = await readReason(answer);
  const refused = { ...answer, ...response };
  if (isPicked && reason === 'appNotAuthorizedToFile') return { ...refused, hint: PICK_AGAIN };
  const lacksScope = provider.server.scopeRefusals?.includes(reason ?? '') === true && missing.length > 0;
  return lacksScope ? { ...refused, hint: ['missing_scopes', ...missing].join(' ') } : refused;
}

const PICK_AGAIN = 'pick_again';

/** The gateway's headers on a passing answer. */
function remarks(
  metrics: Metrics,
  upstream: HintedAnswer,
  plan: UpstreamPlan,
  quotaStanding: string | undefined,
): HeaderPairs {
  const said: [string, string][] = upstream.retryBudgetSpent ? [[RETRIES_HEADER, 'budget_spent']] : [];
  if (upstream.hint !== undefined) said.push([HINT_HEADER, upstream.hint]);
  if (quotaStanding !== undefined) said.push([QUOTA_HEADER, quotaStanding]);
  if (endsWithConnection(plan.method, upstream.status, upstream.headers)) {
    metrics.count('UpstreamLengthUnverified');
    said.push([UPSTREAM_END_HEADER, 'unverified']);
  }
  return said;
}

/** Cuts a body that outgrows what the platform streams: a visible failure, never a short success. */
async function* limited(body: AsyncIterable<Uint8Array>, call: Call): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    call.passed(chunk);
    if (call.bytesOut > RESPONSE_BODY_MAX_BYTES) throw new Error('The answer is larger than one response can carry');
    yield chunk;
  }
}
