import type { CallFaultStore } from '../connections/ports.ts';
import { type CallLogMode, SERVER_TOOL_PREFIX } from '../core/contract.ts';
import { GatewayError, type GatewayErrorCode } from '../core/errors.ts';
import type { GatewayRequest, HeaderPairs } from '../core/http-message.ts';
import { cloudProjectOf, keyIdOf, ulid } from '../core/identifiers.ts';
import { LONG_CALL_MS } from '../core/limits.ts';
import type { Clock, Logger, Metrics, Random } from '../core/ports.ts';
import type { Caller } from '../keys/authenticate-caller.ts';
import type { CallPriority } from '../keys/credentials.rules.ts';
import type { LimitRefusal, ReachGate } from '../keys/ports.ts';
import type { ProviderId, Providers } from '../providers/provider.rules.ts';
import { ERROR_BODY_MAX_BYTES, reasonInBody } from '../proxying/error-reason.ts';
import { PROXY_PREFIX } from '../proxying/request-line.rules.ts';
import { CallAdmission, type CallLimits } from './admission.ts';
import { type ProviderRequest, pathPattern, UNMATCHED, UnitsOfCalls } from './api-method.rules.ts';
import { CallHealth } from './call-health.ts';
import { type CallLine, callLine, classOfCall, isHeldCall, leavesRow, strangerLine } from './call-line.rules.ts';
import { keptMethod, keptReason } from './call-record.rules.ts';
import { CallRows } from './call-rows.ts';
import type { Spenders } from './judge-limits.ts';
import { LimitedKeys, type OpenJudge } from './limited-keys.ts';
import { type LongCall, type LongCallLimits, LongCalls } from './long-calls.ts';
import { type OpenPacing, PacedCalls } from './paced-calls.ts';
import type { CallLines, CallLogWriter, CallTotals, NewItemWriter } from './ports.ts';

export interface CallBookDependencies {
  readonly totals: CallTotals;
  readonly lines: CallLines;
  readonly callLog: CallLogWriter;
  readonly callLogMode: CallLogMode;
  readonly openJudge: OpenJudge;
  readonly openPacing: OpenPacing;
  readonly newItems: NewItemWriter;
  readonly callFaults: CallFaultStore;
  readonly providers: Providers;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/**
 * Admits the proxy's calls, and records each one when it has ended: its counts, its row in the call log and the health of its
 * connection. All of it comes from one record, the `Call`.
 */
export class CallBook {
  /** Whether calls may begin, by their key, connection and address. */
  readonly admission: CallAdmission;
  /** Whether limited keys may be used for what their calls ask. */
  readonly limits: ReachGate = { reach: (key, to, nowMs) => this.#limitedKeys().reach(key, to, nowMs) };
  readonly #deps: CallBookDependencies;
  readonly #ofCalls: BookOfCall;
  readonly #units = new UnitsOfCalls();
  readonly #paced: PacedCalls;
  // Created for the first call that needs them, because most processes see none.
  #limited: LimitedKeys | undefined;
  #longCalls: LongCalls | undefined;
  #rows: CallRows | undefined;
  #health: CallHealth | undefined;

  constructor(deps: CallBookDependencies, limits: CallLimits & LongCallLimits) {
    this.#deps = deps;
    this.admission = new CallAdmission(deps, limits);
    this.#paced = new PacedCalls(deps);
    this.#ofCalls = {
      admission: this.admission,
      // Without any long call there cannot be too many of them.
      assertRoom: ({ key, live }) => this.#longCalls?.assertRoom(key.keyHash, live.connection),
      isLong: ({ key, live }, control) => {
        this.#longCalls ??= new LongCalls(deps, limits);
        return this.#longCalls.count(key.keyHash, live.connection, control);
      },
      assertAllowed: (caller, requests, call, priority) => {
        const { key, integration, live, dayUse } = caller;
        const { request, isApproved, isLeftToProvider } = call;
        const from = { ...spendersOf(caller, request), isApproved: isApproved || isLeftToProvider };
        const isLimited = key.limits ?? integration.budget ?? live.connection.budget ?? from.tools;
        const isPaced = priority === 'background' || key.limits?.priority !== undefined;
        const isStopped = dayUse !== undefined && dayUse.stopsUntilMs > deps.clock.nowMs();
        // A caller that names a priority gets back how full the minute and the day are.
        const isAsked = isPaced || isStopped || priority !== undefined;
        if (isLimited === undefined && !isAsked) return undefined;
        const { methods } = deps.providers[integration.provider];
        const allowed = () => isLimited && this.#limitedKeys().ask(from, { methods, requests }, deps.clock.nowMs());
        if (!isAsked) return allowed();
        return this.#paced.open().then(async (pacing) => {
          const spent = isStopped ? pacing.daySpent(caller) : undefined;
          if (spent !== undefined) throw new GatewayError('budget_spent', spent.message, spent.details);
          const said = isPaced ? await pacing.mayBegin(caller, requests, priority) : undefined;
          if (typeof said === 'object') throw new GatewayError('quota_reserved', said.message, said.details);
          if (priority !== undefined) call.quotaStanding = pacing.standing(caller, requests);
          return (await allowed()) ?? said;
        });
      },
      ended: (call, status, complete) => this.#ended(call, status, complete),
    };
  }

  #limitedKeys(): LimitedKeys {
    this.#limited ??= new LimitedKeys(this.#deps);
    return this.#limited;
  }

  /** A request has come in. */
  begin(request: GatewayRequest): Call {
    return new Call(request, this.#deps.clock.nowMs(), this.#ofCalls);
  }

  /** Appends the call's line, and does in the background what only some calls need. */
  #ended(call: Call, status: number, complete: boolean): readonly (Promise<unknown> | undefined)[] {
    const { clock, lines } = this.#deps;
    const { caller } = call;
    const endedAtMs = clock.nowMs();
    const totalMs = Math.max(0, endedAtMs - call.startedAtMs);
    if (caller === undefined) {
      // A question by the inner door leaves the line of its invocation itself.
      if (call.request.byInnerDoor !== true) lines.append(strangerLine({ endedAtMs, totalMs }));
      return [this.admission.pending()];
    }
    const line = this.#lineOf(call, caller, { status, complete, endedAtMs, totalMs });
    lines.append(callLine(line));
    return [
      this.admission.pending(),
      this.#limited?.ended(
        spendersOf(caller, call.request),
        call.gatewayCode === undefined ? call.bytesOut : 0,
        endedAtMs,
        { more: call.extraRequests.length, refusedForDay: call.isToolDayUsedUp ? call.startedAtMs : undefined },
      ),
      this.#row(call, caller, line, complete),
      this.#recordHealth(call, caller, status),
      this.#paced.ended(caller, call, line.units, status, endedAtMs),
    ];
  }

  #lineOf(call: Call, { key, integration, live: { connection } }: Caller, end: EndOfCall): CallLine {
    const { endedAtMs, totalMs, status, complete } = end;
    const project = cloudProjectOf(connection.clientId);
    return {
      account: connection.accountId,
      integration: connection.integrationId,
      connection: connection.connectionId,
      key: keyIdOf(key),
      provider: integration.provider,
      project: project === connection.clientId ? null : project,
      class: classOfCall({
        status,
        isGateways: call.gatewayCode !== undefined,
        isHeld: isHeldCall(call.gatewayCode),
        complete,
      }),
      status,
      endedAtMs,
      bytesIn: call.request.body?.length ?? 0,
      bytesOut: call.bytesOut,
      totalMs,
      refreshed: call.refreshed ? 1 : 0,
      units: this.#unitsOf(call, integration.provider),
      callId: ulid(endedAtMs, this.#deps.random.bytes(10)),
      ...(call.observedLimit === undefined ? {} : { observed: call.observedLimit }),
      ...(call.request.byInnerDoor === true ? { door: 1 as const } : {}),
    };
  }

  /** Every attempt counts at the provider. */
  #unitsOf(call: Call, provider: ProviderId): number {
    const { methods } = this.#deps.providers[provider];
    let units = 0;
    if (call.attempts > 0) for (const request of call.asked) units += this.#units.of(methods, request);
    units *= call.attempts;
    for (const request of call.extraRequests) units += this.#units.of(methods, request);
    return units;
  }

  #row(call: Call, caller: Caller, line: CallLine, complete: boolean): Promise<void> | undefined {
    const { connection } = caller.live;
    const isKept = leavesRow(this.#deps.callLogMode, {
      status: line.status,
      complete,
      recordedUntilEpochSec: connection.callsRecordedUntilEpochSec,
      endedAtEpochSec: Math.floor(line.endedAtMs / 1000),
    });
    if (!isKept) return undefined;
    this.#rows ??= new CallRows(this.#deps);
    const { request } = call;
    return this.#rows.ended(connection, line.endedAtMs, request.requestId, async () => ({
      accountId: line.account,
      integrationId: line.integration,
      connectionId: line.connection,
      callId: line.callId,
      requestId: request.requestId,
      startedAt: new Date(call.startedAtMs).toISOString(),
      keyId: line.key,
      method: keptMethod(request.method),
      path: this.#patternOf(request.rawPath, caller),
      status: line.status,
      gatewayCode: call.gatewayCode,
      reason: keptReason(await call.reason()),
      headMs: call.headMs,
      totalMs: line.totalMs,
      attempts: call.attempts,
      refreshed: line.refreshed === 1,
      bytesIn: line.bytesIn,
      bytesOut: line.bytesOut,
      complete,
    }));
  }

  #patternOf(rawPath: string, { integration }: Caller): string {
    // The gateway writes it, with the name of a tool that it knows.
    if (rawPath.startsWith(SERVER_TOOL_PREFIX)) return rawPath;
    if (!rawPath.startsWith(PROXY_PREFIX)) return UNMATCHED;
    return pathPattern(rawPath.slice(PROXY_PREFIX.length), this.#deps.providers[integration.provider].pathPatterns);
  }

  #recordHealth(call: Call, { live: { connection } }: Caller, status: number): Promise<void> | undefined {
    if (call.gatewayCode !== undefined) return undefined;
    if (this.#health === undefined && status < 400 && connection.callFault === undefined) return undefined;
    this.#health ??= new CallHealth(this.#deps);
    return this.#health.ended(connection, status, () => call.reason());
  }
}

function spendersOf(
  { key, integration, live: { connection }, observedLimit }: Caller,
  { requestId, rawPath }: GatewayRequest,
): Spenders {
  const { provider, quota } = integration;
  const tools = () => ({ provider, cloudProject: cloudProjectOf(connection.clientId), quota, keyHash: key.keyHash });
  return {
    ...{ key, integration, connection, requestId },
    ...(rawPath.startsWith(SERVER_TOOL_PREFIX) && { tools: tools() }),
    ...(observedLimit && { observed: observedLimit }),
  };
}

interface EndOfCall {
  readonly status: number;
  readonly complete: boolean;
  readonly endedAtMs: number;
  readonly totalMs: number;
}

/** What a call needs from its book. */
interface BookOfCall {
  readonly admission: Pick<CallAdmission, 'refusal'>;
  /** @throws GatewayError `rate_limited` while the key or connection has too many long calls */
  assertRoom(caller: Caller): void;
  /** @param control aborted when the call must make room */
  isLong(caller: Caller, control: AbortController): LongCall;
  /**
   * @throws GatewayError where the key's limits, a budget of the integration or connection, or the reserve for interactive calls
   * refuses the call
   */
  assertAllowed(
    caller: Caller,
    requests: readonly ProviderRequest[],
    call: Pick<Call, 'request' | 'isApproved' | 'isLeftToProvider' | 'quotaStanding'>,
    priority: CallPriority | undefined,
  ): Promise<string | LimitRefusal | undefined> | undefined;
  ended(call: Call, status: number, complete: boolean): readonly (Promise<unknown> | undefined)[];
}

/** A call under way: every step of the proxy adds what it learns. */
export class Call {
  readonly request: GatewayRequest;
  readonly startedAtMs: number;
  /** Milliseconds until the provider's status line. */
  headMs: number | undefined;
  /** Requests sent to the provider. */
  attempts = 0;
  /** Whether the call waited for a new access token. */
  refreshed = false;
  /** The requests sent to the provider: the call itself, or the parts of a batch, which count one by one. */
  asked: readonly ProviderRequest[] = [];
  /** The gateway's own requests that make the call undoable. */
  readonly extraRequests: ProviderRequest[] = [];
  /** The limit that would refuse the call if its key did not only observe. */
  observedLimit: string | undefined;
  /** What the call takes of the provider's quotas and how full they are, for a caller that paces its calls. */
  quotaStanding: string | undefined;
  /** The refusal that a call raises until a person approves it. */
  toApprove: LimitRefusal | undefined;
  /** A person has approved it. */
  isApproved = false;
  /** The provider's answer is that its MCP server has no request left for the day (GA-25). */
  isToolDayUsedUp = false;
  /** The provider asks its user, so that nobody is asked here (GA-24). */
  isLeftToProvider = false;
  readonly #book: BookOfCall;
  #caller: Caller | undefined;
  readonly #control = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #long: LongCall | undefined;
  #gatewayCode: GatewayErrorCode | undefined;
  #bytesOut = 0;
  /** Head and first bytes of a failure, in which the provider gives its reason. */
  #failure: { readonly headers: HeaderPairs; readonly chunks: Uint8Array[]; bytes: number } | undefined;

  constructor(request: GatewayRequest, startedAtMs: number, book: BookOfCall) {
    this.request = request;
    this.startedAtMs = startedAtMs;
    this.#book = book;
  }

  /** Undefined until the caller is identified. */
  get caller(): Caller | undefined {
    return this.#caller;
  }

  /** Code of the gateway's own answer. */
  get gatewayCode(): GatewayErrorCode | undefined {
    return this.#gatewayCode;
  }

  /** Bytes of the answer's body so far. */
  get bytesOut(): number {
    return this.#bytesOut;
  }

  /** Ends the answer of a call that has to make room for others; undefined where the gateway answers itself. */
  get signal(): AbortSignal | undefined {
    return this.#gatewayCode === undefined ? this.#control.signal : undefined;
  }

  /**
   * Records the caller.
   *
   * @throws GatewayError `rate_limited` while the key or connection has too many long calls
   */
  isFrom(caller: Caller): void {
    this.#caller = caller;
    this.#book.assertRoom(caller);
    this.#timer = setTimeout(() => {
      this.#long = this.#book.isLong(caller, this.#control);
    }, LONG_CALL_MS);
    this.#timer.unref();
  }

  /**
   * Judges the requests that the call is about to send.
   *
   * @throws GatewayError `limited_by_key`, `unknown_method`, `budget_spent`, `rate_limited` where the key's limits refuse them;
   * `quota_reserved` where the provider's quota is reserved for interactive calls
   */
  async asks(caller: Caller, requests: readonly ProviderRequest[], priority?: CallPriority): Promise<void> {
    const said = await this.#book.assertAllowed(caller, requests, this, priority);
    if (typeof said === 'object') this.toApprove = said;
    else this.observedLimit = said;
    this.asked = requests;
  }

  /** Records a caller that cannot be identified. Returns the failure, or `rate_limited` once its address had too many. */
  isFromNobody(failure: unknown): unknown {
    return this.#book.admission.refusal(failure, this.request.sourceIp);
  }

  /** The provider has answered with a failure, whose first bytes give the reason. */
  failed(headers: HeaderPairs): void {
    this.#failure = { headers, chunks: [], bytes: 0 };
  }

  /** The gateway answers itself. */
  refused(code: GatewayErrorCode, bytesOut: number): void {
    this.#gatewayCode = code;
    this.#bytesOut = bytesOut;
  }

  /** Bytes of the provider's answer are on their way to the caller. */
  passed(chunk: Uint8Array): void {
    this.#bytesOut += chunk.length;
    const failure = this.#failure;
    if (failure === undefined || failure.bytes > ERROR_BODY_MAX_BYTES) return;
    failure.chunks.push(chunk);
    failure.bytes += chunk.length;
  }

  /** The reason that the provider's failure gives. */
  async reason(): Promise<string | undefined> {
    const failure = this.#failure;
    return failure === undefined ? undefined : await reasonInBody(Buffer.concat(failure.chunks), failure.headers);
  }

  /**
   * Records that the last byte has left, or that none will follow.
   *
   * @param complete whether the whole answer left
   * @returns the work to await before the function ends; undefined without any
   */
  ended(status: number, complete: boolean): Promise<void> | undefined {
    clearTimeout(this.#timer);
    const works = [this.#long?.end(), ...this.#book.ended(this, status, complete)];
    const begun = works.filter((work) => work !== undefined);
    return begun.length === 0 ? undefined : allOf(begun);
  }
}

/** Ends when all have ended, and fails with the first that failed. */
async function allOf(works: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
