import type { Connection } from '../connections/connection.rules.ts';
import { BoundedCache } from '../core/bounded-cache.ts';
import type { GatewayErrorDetails, LimitStanding } from '../core/errors.ts';
import { cloudProjectOf, connectionRefKey, sha256Hex } from '../core/identifiers.ts';
import {
  BACKGROUND_KNOWN_MS,
  BACKGROUND_REST_MAX_MS,
  BACKGROUND_REST_MIN_MS,
  BACKGROUND_SHARE,
  BACKGROUND_SPREAD_SEC,
  BACKGROUND_UNKNOWN_MAX_SHARE,
  CACHE_MAX_ENTRIES,
  PACED_FROM_SHARE,
  PACED_FROM_SHARE_OF_USER,
  RATE_WINDOW_SEC,
  UNREPORTED_CALLS_MAX_MS,
  UNREPORTED_CALLS_MAX_SHARE,
} from '../core/limits.ts';
import type { Clock, Logger, Random } from '../core/ports.ts';
import { projectQuota, type StoredQuota } from '../providers/project-quota.rules.ts';
import type { ApiQuota, ProviderId, Providers } from '../providers/provider.rules.ts';
import { lastMinute, type MinuteUse, roomLeft, secondsUntilRoom } from './pace.rules.ts';
import type { CallTotals } from './ports.ts';

/** The holder of a provider's quota that calls use. */
export interface QuotaOwner {
  readonly provider: ProviderId;
  readonly cloudProject: string;
  /** The account at the provider, or the connection where it is not known. */
  readonly user: string;
  /** Of new Cloud projects; undefined where none is known, and nothing is paced. */
  readonly quota: ApiQuota | undefined;
  /** How this project's quota differs. */
  readonly own?: StoredQuota | undefined;
}

/** The holder of the quota that a connection's calls use: Google counts an account over all connections of a Cloud project. */
export function quotaOwnerOf(
  connection: Pick<Connection, 'accountId' | 'integrationId' | 'connectionId' | 'clientId' | 'providerAccount'>,
  { provider, quota: own }: { readonly provider: ProviderId; readonly quota?: StoredQuota | undefined },
  providers: Providers,
): QuotaOwner {
  return {
    provider,
    cloudProject: cloudProjectOf(connection.clientId),
    user: connection.providerAccount?.subject ?? connectionRefKey(connection),
    quota: providers[provider].quota,
    own,
  };
}

/** The amount of a call: older projects count requests, not units. */
export interface Asked {
  readonly units: number;
  readonly requests: number;
}

export type QuotaScope = 'project' | 'user';

/** The data of a `quota_reserved` error. Its caller throws it, because this lazy-loaded module has error classes of its own. */
export interface QuotaRefusal {
  readonly message: string;
  readonly details: GatewayErrorDetails & { readonly retryAfterSec: number; readonly limit: LimitStanding };
}

export interface PacingDependencies {
  readonly totals: CallTotals;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** One per-minute quota that a call uses. */
interface PacedQuota {
  readonly scope: QuotaScope;
  /** Injective text of its holder, without a name. */
  readonly id: string;
  /** Units of a minute. */
  readonly most: number;
  /** Fewer units than these are not reported to other processes. */
  readonly unreportedMost: number;
}

/** One minute of a quota, as far as a process knows. */
interface Minute {
  /** Number of the minute since the epoch. */
  readonly window: number;
  /** Units of all processes, as of the last report; a lower bound. */
  reported: number;
  /** Units of this process that the table has not confirmed. */
  unreported: number;
  unreportedSinceMs: number;
  /** When the table was asked last; 0 = not yet. */
  knownAtMs: number;
  notBeforeMs: number;
  report: Promise<void> | undefined;
  /** Of the minute before: the reported total of all processes, once requested. */
  previous: number;
}

/** Since when, and how often, the provider has refused. */
interface Rest {
  readonly untilMs: number;
  readonly refusals: number;
}

/**
 * Reserves a part of the quota per minute that Google gives a Cloud project, and each of its users, for interactive calls: background
 * calls begin only while less than `BACKGROUND_SHARE` is taken.
 *
 *     interactive   begins whatever is taken ── counted in memory ── reported at 2 % of the room left, or after ten seconds.
 *     background    reads the table beforehand, unless it has an answer of the last second, and is refused where there is no room.
 *
 * Where the table does not answer, each process continues with its own count, and no call fails for it.
 */
export class Pacing {
  readonly #deps: PacingDependencies;
  readonly #scopes: readonly QuotaScope[];
  readonly #minutes = new BoundedCache<Minute>(CACHE_MAX_ENTRIES);
  readonly #rests = new BoundedCache<Rest>(CACHE_MAX_ENTRIES);
  readonly #reports = new Set<Promise<void>>();
  /** By owner, whose object stays the same while its rows are cached: computing a quota costs a digest. */
  readonly #quotas = new WeakMap<QuotaOwner, readonly PacedQuota[]>();

  /** @param scopes the quotas to check; work with a small share of its own checks only the project's, which costs half */
  constructor(deps: PacingDependencies, scopes: readonly QuotaScope[] = ['project', 'user']) {
    this.#deps = deps;
    this.#scopes = scopes;
  }

  /**
   * Whether a background call may begin; it is counted by `took` when it has ended.
   *
   * @returns the refusal: nothing is sent then
   */
  async mayBegin(owner: QuotaOwner, asked: Asked): Promise<QuotaRefusal | undefined> {
    const quotas = this.#quotasOf(owner);
    const units = amountOf(owner, asked, this.#deps.clock.nowMs());
    const resting = quotas.find(({ id }) => this.#restMs(id) > 0);
    if (resting !== undefined) return this.#refusal(resting, units, this.#restMs(resting.id) / 1000);
    await Promise.all(quotas.map((quota) => this.#ask(quota, units)));
    for (const quota of quotas) {
      const waitSec = secondsUntilRoom(this.#useOf(quota), roomOf(quota), units);
      if (waitSec > 0) return this.#refusal(quota, units, waitSec);
    }
    return undefined;
  }

  /** Calls have taken so much. */
  took(owner: QuotaOwner, asked: Asked): void {
    const units = amountOf(owner, asked, this.#deps.clock.nowMs());
    if (units === 0) return;
    const nowMs = this.#deps.clock.nowMs();
    for (const quota of this.#quotasOf(owner)) {
      const minute = this.#minuteOf(quota);
      if (minute.unreported === 0) minute.unreportedSinceMs = nowMs;
      minute.unreported += units;
      if (shouldReport(minute, quota, nowMs)) void this.#report(quota, minute);
    }
  }

  /**
   * Records that the provider refused a call because a minute is used up: background calls rest, and for the others the minute
   * counts as full.
   */
  spent(owner: QuotaOwner, scope: QuotaScope, retryAfterSec = 0): void {
    const quota = this.#quotasOf(owner).find((one) => one.scope === scope);
    if (quota === undefined) return;
    const nowMs = this.#deps.clock.nowMs();
    const known = this.#rests.get(quota.id, nowMs);
    // Calls already in flight when the rest began are refused for the same reason.
    if (known !== undefined && known.untilMs > nowMs) return;
    const refusals = known?.refusals ?? 0;
    const ownMs = Math.min(BACKGROUND_REST_MAX_MS, BACKGROUND_REST_MIN_MS * 2 ** refusals);
    // Background calls rest twice as long as an interactive caller would wait.
    const restMs = 2 * Math.max(ownMs, Math.min(BACKGROUND_REST_MAX_MS, retryAfterSec * 1000));
    const forgottenAtMs = nowMs + restMs + 2 * BACKGROUND_REST_MAX_MS;
    this.#rests.set(quota.id, { untilMs: nowMs + restMs, refusals: Math.min(refusals + 1, 10) }, forgottenAtMs);
    const minute = this.#minuteOf(quota);
    const missing = roomOf(quota) - minute.reported - minute.unreported;
    if (missing <= 0) return;
    minute.unreported += missing;
    void this.#report(quota, minute);
  }

  /** The fuller of the last minutes that a call takes from, as a share of what each has; undefined where none is known. */
  minuteShare(owner: QuotaOwner): number | undefined {
    const shares = this.#quotasOf(owner).map((quota) => lastMinute(this.#useOf(quota)) / quota.most);
    return shares.length === 0 ? undefined : Math.max(...shares);
  }

  /** Ends when the reports under way have ended; undefined when there are none. */
  pending(): Promise<unknown> | undefined {
    return this.#reports.size === 0 ? undefined : Promise.all(this.#reports);
  }

  #quotasOf(owner: QuotaOwner): readonly PacedQuota[] {
    const known = this.#quotas.get(owner);
    if (known !== undefined) return known;
    const quotas = quotasOf(owner, this.#deps.clock.nowMs()).filter(({ scope }) => this.#scopes.includes(scope));
    this.#quotas.set(owner, quotas);
    return quotas;
  }

  #restMs(id: string): number {
    const nowMs = this.#deps.clock.nowMs();
    return Math.max(0, (this.#rests.get(id, nowMs)?.untilMs ?? 0) - nowMs);
  }

  /** Asks the table for the total of all processes, unless it has just been asked. */
  async #ask(quota: PacedQuota, units: number): Promise<void> {
    const nowMs = this.#deps.clock.nowMs();
    const minute = this.#minuteOf(quota);
    const left = Math.max(0, roomOf(quota) - minute.reported);
    const isKnown =
      nowMs - minute.knownAtMs < BACKGROUND_KNOWN_MS &&
      minute.unreported + units <= Math.max(units, left * BACKGROUND_UNKNOWN_MAX_SHARE);
    if (isKnown || nowMs < minute.notBeforeMs) return;
    await this.#report(quota, minute, true);
  }

  #useOf(quota: PacedQuota): MinuteUse {
    const { reported, unreported, previous } = this.#minuteOf(quota);
    const elapsedSec = (this.#deps.clock.nowMs() / 1000) % RATE_WINDOW_SEC;
    return { current: reported + unreported, previous, elapsedSec };
  }

  #minuteOf({ id }: PacedQuota): Minute {
    const nowMs = this.#deps.clock.nowMs();
    const window = Math.floor(nowMs / 1000 / RATE_WINDOW_SEC);
    const known = this.#minutes.get(id, nowMs);
    if (known?.window === window) return known;
    const isNext = known !== undefined && known.window === window - 1;
    const minute: Minute = {
      window,
      reported: 0,
      unreported: 0,
      unreportedSinceMs: nowMs,
      knownAtMs: 0,
      notBeforeMs: 0,
      report: undefined,
      previous: isNext ? known.reported + known.unreported : 0,
    };
    this.#minutes.set(id, minute, (window + 2) * RATE_WINDOW_SEC * 1000);
    return minute;
  }

  /** Reports one at a time. @param asksBefore whether the total of the minute before is requested, too, unless it is known */
  #report(quota: PacedQuota, minute: Minute, asksBefore = false): Promise<void> {
    if (minute.report !== undefined) return minute.report;
    const report = this.#reportOnce(quota, minute, asksBefore).finally(() => {
      minute.report = undefined;
      this.#reports.delete(report);
    });
    minute.report = report;
    this.#reports.add(report);
    return report;
  }

  async #reportOnce({ scope, id }: PacedQuota, minute: Minute, asksBefore: boolean): Promise<void> {
    const { totals, clock, logger } = this.#deps;
    const units = minute.unreported;
    const subject = { kind: `${scope}_units`, id } as const;
    const isFirst = asksBefore && minute.knownAtMs === 0;
    try {
      const [total, before] = await Promise.all([
        totals.add(subject, minute.window, units),
        isFirst ? totals.add(subject, minute.window - 1, 0) : 0,
      ]);
      minute.reported = Math.max(total, minute.reported + units);
      minute.previous = Math.max(before, minute.previous);
      if (asksBefore || minute.knownAtMs > 0) minute.knownAtMs = clock.nowMs();
    } catch (error) {
      // A failed report fails no call; the table may have counted the units already.
      logger.warn('units of a quota could not be counted', {
        count: units,
        outcome: error instanceof Error ? error.name : 'unknown',
      });
      minute.reported += units;
      minute.notBeforeMs = clock.nowMs() + UNREPORTED_CALLS_MAX_MS;
    }
    minute.unreported -= units;
    minute.unreportedSinceMs = clock.nowMs();
  }

  #refusal(quota: PacedQuota, units: number, waitSec: number): QuotaRefusal {
    const { clock, random } = this.#deps;
    const { scope, most } = quota;
    const room = roomOf(quota);
    const left = roomLeft(this.#useOf(quota), room);
    const retryAfterSec = Math.ceil(waitSec + random.number() * BACKGROUND_SPREAD_SEC);
    const resetsAt = new Date(Math.floor(clock.nowMs() / 1000 + retryAfterSec) * 1000).toISOString();
    const whose = scope === 'project' ? 'the Cloud project' : 'this user in the Cloud project';
    const message = `Background calls take at most ${room} of the ${most} units that Google gives ${whose} for a minute, so that others are not held up. ${left} are left now, and this call takes ${units}. Nothing was sent. Continue after the time in Retry-After.`;
    const limit = { name: 'background', scope, units, most: room, left, resets_at: resetsAt };
    const rate = {
      policy: `${scope}-quota`,
      quota: room,
      windowSec: RATE_WINDOW_SEC,
      left,
      resetSec: retryAfterSec,
    };
    return { message, details: { retryAfterSec, limit, rate, applied: 'no' } };
  }
}

function roomOf({ most }: PacedQuota): number {
  return Math.floor(most * BACKGROUND_SHARE);
}

function shouldReport(minute: Minute, { most, unreportedMost }: PacedQuota, nowMs: number): boolean {
  if (minute.report !== undefined || nowMs < minute.notBeforeMs || minute.unreported < unreportedMost) return false;
  // A full minute needs no further report.
  if (minute.reported >= most) return false;
  const isMuch = minute.unreported >= (most - minute.reported) * UNREPORTED_CALLS_MAX_SHARE;
  return isMuch || nowMs - minute.unreportedSinceMs >= UNREPORTED_CALLS_MAX_MS;
}

/** The amount of a call, as its project counts. */
export function amountOf({ quota, own }: QuotaOwner, { units, requests }: Asked, nowMs: number): number {
  return own !== undefined && projectQuota(quota, own, nowMs)?.countsRequests === true ? requests : units;
}

function quotasOf(
  { provider, cloudProject, user, quota: given, own }: QuotaOwner,
  nowMs: number,
): readonly PacedQuota[] {
  const quota = projectQuota(given, own, nowMs);
  if (quota === undefined) return [];
  const { perMinute, perMinuteAndUser } = quota;
  const project = `${provider}#${encodeURIComponent(cloudProject)}`;
  // No account is named in a key.
  const ofUser = `${project}#${sha256Hex(user).slice(0, 32)}`;
  return [
    { scope: 'project', id: project, most: perMinute, unreportedMost: perMinute * PACED_FROM_SHARE },
    { scope: 'user', id: ofUser, most: perMinuteAndUser, unreportedMost: perMinuteAndUser * PACED_FROM_SHARE_OF_USER },
  ];
}
