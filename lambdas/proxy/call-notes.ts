import {
  type CallOutcome,
  type CallRecord,
  keptMethod,
  keptReason,
  leavesRow,
  pathPattern,
  rowWeight,
  UNMATCHED,
} from '../gateway/call-log/call-record.rules.ts';
import type { CallLogWriter } from '../gateway/call-log/ports.ts';
import type { CallLogMode } from '../gateway/contract.ts';
import { BoundedCache } from '../gateway/core/bounded-cache.ts';
import type { GatewayErrorCode } from '../gateway/core/errors.ts';
import type { GatewayRequest, HeaderPairs } from '../gateway/core/http-message.ts';
import { connectionRefKey } from '../gateway/core/identifiers.ts';
import { CACHE_MAX_ENTRIES, CALL_LOG_COUNTED_BY, CALL_LOG_ROWS_PER_DAY } from '../gateway/core/limits.ts';
import type { Clock, Logger, Metrics, Random } from '../gateway/core/ports.ts';
import { keyIdOf, ulid } from '../gateway/events/lifecycle-event.rules.ts';
import type { Caller } from '../gateway/keys/authenticate-caller.ts';
import type { Provider, ProviderId } from '../gateway/providers/provider.rules.ts';
import { PROXY_PREFIX } from '../gateway/proxying/request-line.rules.ts';
import { ERROR_BODY_MAX_BYTES, reasonInBody } from './retries.ts';

/** What becomes known of a call while it goes on; every step of the proxy adds to it. */
export interface CallNotes {
  readonly request: GatewayRequest;
  readonly startedAtMs: number;
  /** Undefined until it is known who calls: such a call leaves no row. */
  caller: Caller | undefined;
  /** Milliseconds until the provider's status line. */
  headMs: number | undefined;
  /** Requests sent to the provider. */
  attempts: number;
  /** Whether the call waited for a new access token. */
  refreshed: boolean;
  /** Of the gateway's own answer. */
  gatewayCode: GatewayErrorCode | undefined;
  bytesOut: number;
  /** Head and first bytes of a failure, in which the provider gives its reason. */
  failure: { readonly headers: HeaderPairs; readonly chunks: Uint8Array[]; bytes: number } | undefined;
}

/** Notes of a call that has just come in. */
export function newCallNotes(request: GatewayRequest, nowMs: number): CallNotes {
  return {
    request,
    startedAtMs: nowMs,
    caller: undefined,
    headMs: undefined,
    attempts: 0,
    refreshed: false,
    gatewayCode: undefined,
    bytesOut: 0,
    failure: undefined,
  };
}

/** Notes bytes of the answer on their way to the caller. */
export function noteBytes(notes: CallNotes, chunk: Uint8Array): void {
  notes.bytesOut += chunk.length;
  const { failure } = notes;
  if (failure === undefined || failure.bytes > ERROR_BODY_MAX_BYTES) return;
  failure.chunks.push(chunk);
  failure.bytes += chunk.length;
}

export interface CallLogDependencies {
  readonly callLog: CallLogWriter;
  readonly callLogMode: CallLogMode;
  readonly providerOf: (id: ProviderId) => Provider;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

const DAY_MS = 24 * 3600 * 1000;

/** How a call ended. */
interface EndOfCall {
  readonly status: number;
  readonly complete: boolean;
  readonly standsFor: number;
  readonly endedAtMs: number;
}

/** Calls of a connection and day that were to leave a row. */
interface RowCount {
  /** Days since 1970, UTC. */
  readonly day: number;
  /** In every process, as the table said when this one told it last. */
  told: number;
  /** In this process since then. */
  untold: number;
  /** Of this process, past the rows of a day. */
  beyond: number;
}

/** Adds the rows of a process's calls to the call log, each beside its call and after the last byte. */
export class CallLog {
  readonly #deps: CallLogDependencies;
  readonly #rows = new BoundedCache<RowCount>(CACHE_MAX_ENTRIES);

  constructor(deps: CallLogDependencies) {
    this.#deps = deps;
  }

  /**
   * A call is over. What must have ended before its function does; undefined when that is nothing. Never rejects: a row that
   * cannot be written is counted and gone (CL-12).
   *
   * @param complete whether the whole answer left
   */
  ended(notes: CallNotes, status: number, complete: boolean): Promise<void> | undefined {
    const { callLogMode, clock } = this.#deps;
    const { caller } = notes;
    if (caller === undefined) return undefined;
    const endedAtMs = clock.nowMs();
    const outcome: CallOutcome = {
      status,
      complete,
      recordedUntilEpochSec: caller.live.connection.callsRecordedUntilEpochSec,
      endedAtEpochSec: Math.floor(endedAtMs / 1000),
    };
    if (!leavesRow(callLogMode, outcome)) return undefined;
    const count = this.#countOf(caller, endedAtMs);
    const standsFor = rowWeight(count.told + count.untold, count.beyond);
    if (count.told + count.untold >= CALL_LOG_ROWS_PER_DAY) count.beyond++;
    count.untold++;
    const hasRow = standsFor > 0;
    const isTold = count.untold >= CALL_LOG_COUNTED_BY;
    if (!hasRow && !isTold) return undefined;
    return this.#guarded(notes, [
      hasRow ? this.#write(notes, caller, { status, complete, endedAtMs, standsFor }) : undefined,
      isTold ? this.#tell(caller, count) : undefined,
    ]);
  }

  async #write(notes: CallNotes, caller: Caller, end: EndOfCall): Promise<void> {
    await this.#deps.callLog.write(await this.#recordOf(notes, caller, end));
  }

  /** What cannot be told counts in this process alone. */
  async #tell({ live }: Caller, count: RowCount): Promise<void> {
    const calls = count.untold;
    count.told += calls;
    count.untold = 0;
    const known = await this.#deps.callLog.count(live.connection, count.day, calls);
    count.told = Math.max(count.told, known);
  }

  async #guarded(notes: CallNotes, writes: readonly (Promise<void> | undefined)[]): Promise<void> {
    const { metrics, logger } = this.#deps;
    const failed = (await Promise.allSettled(writes)).find(({ status }) => status === 'rejected');
    if (failed?.status !== 'rejected') return;
    metrics.count('CallLogFailed');
    logger.warn('a call could not be logged', {
      requestId: notes.request.requestId,
      outcome: failed.reason instanceof Error ? failed.reason.name : 'unknown',
    });
  }

  async #recordOf(
    notes: CallNotes,
    { key, integration, live }: Caller,
    { endedAtMs, ...end }: EndOfCall,
  ): Promise<CallRecord> {
    const { random, providerOf } = this.#deps;
    const { request, failure } = notes;
    const { pathPatterns } = providerOf(integration.provider);
    const reason =
      failure === undefined ? undefined : await reasonInBody(Buffer.concat(failure.chunks), failure.headers);
    return {
      accountId: live.connection.accountId,
      integrationId: live.connection.integrationId,
      connectionId: live.connection.connectionId,
      callId: ulid(endedAtMs, random.bytes(10)),
      requestId: request.requestId,
      startedAt: new Date(notes.startedAtMs).toISOString(),
      keyId: keyIdOf(key),
      method: keptMethod(request.method),
      path: request.rawPath.startsWith(PROXY_PREFIX)
        ? pathPattern(request.rawPath.slice(PROXY_PREFIX.length), pathPatterns)
        : UNMATCHED,
      gatewayCode: notes.gatewayCode,
      reason: keptReason(reason),
      headMs: notes.headMs,
      totalMs: Math.max(0, endedAtMs - notes.startedAtMs),
      attempts: notes.attempts,
      refreshed: notes.refreshed,
      bytesIn: request.body?.length ?? 0,
      bytesOut: notes.bytesOut,
      ...end,
    };
  }

  #countOf({ live }: Caller, nowMs: number): RowCount {
    const id = connectionRefKey(live.connection);
    const day = Math.floor(nowMs / DAY_MS);
    const known = this.#rows.get(id, nowMs);
    if (known?.day === day) return known;
    const count: RowCount = { day, told: 0, untold: 0, beyond: 0 };
    this.#rows.set(id, count, (day + 1) * DAY_MS);
    return count;
  }
}
