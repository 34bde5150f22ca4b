import { BoundedCache } from '../core/bounded-cache.ts';
import type { FeatureRateLimit } from '../core/contract.ts';
import { GatewayError, type RateStanding } from '../core/errors.ts';
import type { CallSubject, ConnectionRef } from '../core/identifiers.ts';
import {
  CACHE_MAX_ENTRIES,
  MIN_CALLS_TO_REPORT,
  RATE_WINDOW_SEC,
  UNREPORTED_CALLS_MAX_MS,
  UNREPORTED_CALLS_MAX_SHARE,
} from '../core/limits.ts';
import type { Clock, Logger, Metrics } from '../core/ports.ts';
import type { ProviderId } from '../providers/provider-ids.rules.ts';
import type { CallTotals, LimitedUse } from './ports.ts';

/** Calls of one subject in one window, as far as this process knows. */
export interface CallCount {
  /** Number of the window since the epoch. */
  readonly window: number;
  /** Calls of all processes, this one's included, as of the last report to the table; a lower bound. */
  reported: number;
  /** Calls of this process that the table has not confirmed. */
  unreported: number;
  /** Since when calls have been unreported, or when the last report ended. */
  unreportedSinceMs: number;
  /** No report starts before this: another one is under way (Infinity), or the last one failed. */
  reportNotBeforeMs: number;
}

/** Number of the window a moment lies in. */
export function windowOf(nowMs: number, windowSec = RATE_WINDOW_SEC): number {
  return Math.floor(nowMs / 1000 / windowSec);
}

/** Whole seconds until the window is over, at least 1. */
export function secondsLeft(nowMs: number, windowSec = RATE_WINDOW_SEC): number {
  return windowSec - (Math.floor(nowMs / 1000) % windowSec);
}

/** No call yet. */
export function emptyCount(nowMs: number, windowSec = RATE_WINDOW_SEC): CallCount {
  const window = windowOf(nowMs, windowSec);
  return { window, reported: 0, unreported: 0, unreportedSinceMs: nowMs, reportNotBeforeMs: 0 };
}

/**
 * Counts a call if the window has room for it. Calls that other processes have not reported yet are not counted.
 *
 * @param calls as how many it counts
 */
export function admit(count: CallCount, most: number, nowMs: number, calls = 1): boolean {
  if (count.reported + count.unreported + calls > most) return false;
  if (count.unreported === 0) count.unreportedSinceMs = nowMs;
  count.unreported += calls;
  return true;
}

/**
 * Whether to report to the table: the unreported calls are a large enough share of what is left, so reports become frequent only
 * near the limit, or they are old and more than a few.
 */
export function shouldReport(count: CallCount, most: number, nowMs: number, fewest = MIN_CALLS_TO_REPORT): boolean {
  if (nowMs < count.reportNotBeforeMs) return false;
  const step = Math.max(1, Math.floor((most - count.reported) * UNREPORTED_CALLS_MAX_SHARE));
  if (count.unreported >= step) return true;
  return count.unreported >= fewest && nowMs - count.unreportedSinceMs >= UNREPORTED_CALLS_MAX_MS;
}

/** Every limit of the gateway's own, as its metric names it. */
export type LimitName =
  | 'key'
  | 'connection'
  | 'address'
  | Exclude<LimitedUse, `${string}.${string}`>
  | FeatureRateLimit
  | 'delegation_checks';

/** Counts a refusal and builds its error, with the seconds until the window is over. */
export function rateLimited(
  metrics: Metrics,
  limit: LimitName,
  most: number,
  message: string,
  nowMs: number,
): GatewayError {
  metrics.count('RateLimited', { limit });
  const rate = standingOf(limit, most, 0, nowMs);
  return new GatewayError('rate_limited', message, { retryAfterSec: rate.resetSec, rate });
}

/** A limit in the window of a moment. */
function standingOf(policy: LimitName, quota: number, left: number, nowMs: number): RateStanding {
  return { policy, quota, windowSec: RATE_WINDOW_SEC, left, resetSec: secondsLeft(nowMs) };
}

/** Receives the total of all processes in a window after a report. Never rejects. */
export type OnTotal = (total: number) => Promise<void> | undefined;

export interface CallCounterDependencies {
  readonly totals: CallTotals;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Counts the calls of one kind of subject against one limit per window. Calls are judged in memory. Now and then, in the background, a
 * process adds its calls to the table, which returns the total of all processes.
 *
 *     process A  1 2 3 ... 240 ──add 240──▶ table 240 ◀──add 240── 1 2 3 ... 240  process B
 *                241 242 ...   ◀── 240 ───           ─── 480 ──▶   counts A, too, now
 *
 * Exact within a process. The excess over the limit is at most the unreported calls of other processes: from each 2 % of the room it
 * still sees, or the calls of its last ten seconds if those are fewer, or nine. A process that serves many calls at once adds those
 * that it admits while a report is under way (LM-12).
 */
export class CallCounter {
  readonly #deps: CallCounterDependencies;
  /** Calls of one subject in one window; 0 = no limit. */
  readonly #most: number;
  readonly #counts = new BoundedCache<CallCount>(CACHE_MAX_ENTRIES);
  readonly #reports = new Set<Promise<void>>();
  /** Length of the window in seconds. */
  readonly windowSec: number;

  constructor(deps: CallCounterDependencies, most: number, windowSec = RATE_WINDOW_SEC) {
    this.#deps = deps;
    this.#most = most;
    this.windowSec = windowSec;
  }

  /**
   * Counts a call unless the limit is reached; then false, and nothing is counted.
   *
   * @param id injective text of the subject within its kind
   * @param most of this subject
   */
  admits(id: string, subject: CallSubject, nowMs: number, most = this.#most): boolean {
    if (most === 0) return true;
    const count = this.#countOf(id, nowMs);
    if (!admit(count, most, nowMs)) return false;
    if (shouldReport(count, most, nowMs)) this.#report(subject, count);
    return true;
  }

  /**
   * Counts against the subject's own limit, whether or not there is room; callers check `left` first. The first amount of a
   * window is reported at once, and any that is ten seconds old, so a new process learns the total of the others during its
   * first call.
   *
   * @param onTotal receives the total of all processes after a report
   */
  spend(id: string, subject: CallSubject, nowMs: number, amount: number, most: number, onTotal?: OnTotal): void {
    const count = this.#countOf(id, nowMs);
    admit(count, Number.POSITIVE_INFINITY, nowMs, amount);
    const isFirst = count.reported === 0 && nowMs >= count.reportNotBeforeMs;
    // Where calls may exceed the limit, there may be no room left to take a share of.
    const left = count.reported < most ? most : Number.POSITIVE_INFINITY;
    if (isFirst || shouldReport(count, left, nowMs, 1)) this.#report(subject, count, onTotal);
  }

  /**
   * How many more calls pass in this window, as far as this process knows; undefined without a limit.
   *
   * @param most the subject's own limit, if it has one
   */
  left(id: string, nowMs: number, most = this.#most): number | undefined {
    if (most === 0) return undefined;
    const { reported, unreported } = this.#countOf(id, nowMs);
    return Math.max(0, most - reported - unreported);
  }

  /** Whole seconds until the window is over, at least 1. */
  secondsLeft(nowMs: number): number {
    return secondsLeft(nowMs, this.windowSec);
  }

  /** Ends when the reports under way have ended; undefined when there are none. */
  pending(): Promise<void> | undefined {
    return this.#reports.size === 0 ? undefined : Promise.all(this.#reports).then(() => undefined);
  }

  #countOf(id: string, nowMs: number): CallCount {
    const known = this.#counts.get(id, nowMs);
    // Also when the clock went back: a count of another window would be judged for as long as the clock is behind.
    if (known !== undefined && known.window === windowOf(nowMs, this.windowSec)) return known;
    const count = emptyCount(nowMs, this.windowSec);
    this.#counts.set(id, count, (count.window + 1) * this.windowSec * 1000);
    return count;
  }

  #report(subject: CallSubject, count: CallCount, onTotal?: OnTotal): void {
    const report = this.#reportOnce(subject, count, onTotal).finally(() => this.#reports.delete(report));
    this.#reports.add(report);
  }

  async #reportOnce(subject: CallSubject, count: CallCount, onTotal?: OnTotal): Promise<void> {
    const calls = count.unreported;
    let total = 0;
    let pauseMs = 0;
    count.reportNotBeforeMs = Number.POSITIVE_INFINITY;
    try {
      total = await this.#deps.totals.add(subject, count.window, calls);
    } catch (error) {
      // A failed report fails no call. The calls are not reported again, because the table may have counted them already.
      this.#deps.logger.warn('calls could not be counted', {
        count: calls,
        outcome: error instanceof Error ? error.name : 'unknown',
      });
      pauseMs = UNREPORTED_CALLS_MAX_MS;
    }
    const nowMs = this.#deps.clock.nowMs();
    count.reported = Math.max(total, count.reported + calls);
    count.unreported -= calls;
    count.unreportedSinceMs = nowMs;
    count.reportNotBeforeMs = nowMs + pauseMs;
    await onTotal?.(count.reported);
  }
}

/** Groups of an IPv6 address that name a network: anyone who has one has all addresses behind them. */
const NETWORK_GROUPS = 4;

/**
 * The group that calls from an address are counted for: an IPv4 address itself; for IPv6 its /64, which one host usually has as a
 * whole; other text unchanged.
 */
export function addressGroup(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail.split(':');
    // An IPv4 address at the end takes the place of two groups.
    const afterLength = after.length + (tail.includes('.') ? 1 : 0);
    while (groups.length + afterLength < 8) groups.push('0');
    groups.push(...after);
  }
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

/** Counts calls without a valid key per source address and window, in this process alone. */
export class WrongKeys {
  readonly #counts = new BoundedCache<{ readonly window: number; calls: number }>(CACHE_MAX_ENTRIES);

  readonly #most: number;

  /** @param most of one address in one window; 0 = no limit */
  constructor(most: number) {
    this.#most = most;
  }

  /** Whether an address has sent as many as one may. */
  areUsedUp(sourceIp: string, nowMs: number): boolean {
    const count = this.#counts.get(addressGroup(sourceIp), nowMs);
    return count !== undefined && count.window === windowOf(nowMs) && count.calls >= this.#most;
  }

  /** Counts one. */
  note(sourceIp: string, nowMs: number): void {
    if (this.#most === 0) return;
    const group = addressGroup(sourceIp);
    const window = windowOf(nowMs);
    const known = this.#counts.get(group, nowMs);
    if (known !== undefined && known.window === window) known.calls++;
    else this.#counts.set(group, { window, calls: 1 }, (window + 1) * RATE_WINDOW_SEC * 1000);
  }
}

export interface CallAdmissionDependencies {
  readonly totals: CallTotals;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Calls a minute; 0 = no limit. */
export interface CallLimits {
  readonly perKey: number;
  readonly perConnection: number;
  /** Where another limit holds for connections of a provider. @default none */
  readonly perConnectionOf?: Readonly<Partial<Record<ProviderId, number>>>;
  /** Of calls without a valid key. */
  readonly perAddress: number;
}

/** Lets calls through as long as their key, their connection and, without a valid key, their address keep within limits (DS-2). */
export class CallAdmission {
  readonly #deps: CallAdmissionDependencies;
  readonly #limits: CallLimits;
  readonly #keys: CallCounter;
  readonly #connections: CallCounter;
  readonly #wrongKeys: WrongKeys;

  constructor(deps: CallAdmissionDependencies, limits: CallLimits) {
    this.#deps = deps;
    this.#limits = limits;
    this.#keys = new CallCounter(deps, limits.perKey);
    this.#connections = new CallCounter(deps, limits.perConnection);
    this.#wrongKeys = new WrongKeys(limits.perAddress);
  }

  /**
   * Whether an address has sent so many wrong keys that only the key is looked up for it. A valid key still passes, because
   * others may share the address (AK-15), and a wrong one costs as little as possible.
   */
  isSuspect(sourceIp: string, nowMs: number): boolean {
    return this.#wrongKeys.areUsedUp(sourceIp, nowMs);
  }

  /** Counts a call of a good key. @throws GatewayError `rate_limited` */
  countKey(keyHash: string, nowMs: number): void {
    if (this.#keys.admits(keyHash, { kind: 'key', keyHash }, nowMs)) return;
    const message = `This secret key has made the ${this.#limits.perKey} calls allowed in a minute. Continue after the time in Retry-After; a deployment sets the limit with gateway:callsPerMinutePerKey.`;
    throw rateLimited(this.#deps.metrics, 'key', this.#limits.perKey, message, nowMs);
  }

  /** How the limit of a key stands after the calls that were counted; undefined without a limit. */
  standingOfKey(keyHash: string, nowMs: number): RateStanding | undefined {
    const left = this.#keys.left(keyHash, nowMs);
    return left === undefined ? undefined : standingOf('key', this.#limits.perKey, left, nowMs);
  }

  /**
   * Counts a call on a connection.
   *
   * @param id injective text of the connection
   * @throws GatewayError `rate_limited`
   */
  countConnection(id: string, ref: ConnectionRef, provider: ProviderId, nowMs: number): void {
    const most = this.#limits.perConnectionOf?.[provider] ?? this.#limits.perConnection;
    if (this.#connections.admits(id, { kind: 'connection', ref }, nowMs, most)) return;
    const message = `This connection has had the ${most} calls allowed in a minute. Continue after the time in Retry-After; a deployment sets the limit with gateway:callsPerMinutePerConnection.`;
    throw rateLimited(this.#deps.metrics, 'connection', most, message, nowMs);
  }

  /** Counts a 401 for its address. Returns the same failure, or `rate_limited` once the address had too many. */
  refusal(error: unknown, sourceIp: string): unknown {
    if (!(error instanceof GatewayError) || error.status !== 401) return error;
    const nowMs = this.#deps.clock.nowMs();
    if (this.#wrongKeys.areUsedUp(sourceIp, nowMs)) return this.#usedUpBy(nowMs);
    this.#wrongKeys.note(sourceIp, nowMs);
    return error;
  }

  /** Resolves when the reports under way have ended; undefined without any. A function must await it before it ends. */
  pending(): Promise<unknown> | undefined {
    const keys = this.#keys.pending();
    const connections = this.#connections.pending();
    return keys === undefined || connections === undefined ? (keys ?? connections) : Promise.all([keys, connections]);
  }

  #usedUpBy(nowMs: number): GatewayError {
    const message =
      'Too many calls without a valid secret key came from this address. Continue after the time in Retry-After; valid keys keep working.';
    return rateLimited(this.#deps.metrics, 'address', this.#limits.perAddress, message, nowMs);
  }
}
