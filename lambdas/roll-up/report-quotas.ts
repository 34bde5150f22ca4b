import { type DayLimit, type ProjectDay, usedShare } from '../gateway/calls/day-use.rules.ts';
import { callsOf } from '../gateway/calls/page.rules.ts';
import type { DayUseWriter, NewItemWriter, PageReader, ThresholdReporter } from '../gateway/calls/ports.ts';
import { type QuotaDay, quotaDay } from '../gateway/calls/quota.rules.ts';
import { readHours } from '../gateway/calls/read-usage.ts';
import { markedQuota, reachedThresholds } from '../gateway/calls/threshold.rules.ts';
import { BoundedCache } from '../gateway/core/bounded-cache.ts';
import { TABLE } from '../gateway/core/contract.ts';
import { CACHE_MAX_ENTRIES, LIMITS_END_DAYS, TTL_GRACE_SEC } from '../gateway/core/limits.ts';
import type { Clock, Random } from '../gateway/core/ports.ts';
import { newEvent } from '../gateway/events/lifecycle-event.rules.ts';
import type { ProjectQuota } from '../gateway/providers/project-quota.rules.ts';

export interface ReportQuotasDependencies {
  readonly pages: PageReader;
  readonly thresholds: ThresholdReporter;
  readonly dayUse: DayUseWriter;
  readonly newItems: NewItemWriter;
  /** The quotas of an account's Cloud projects, as known now. */
  readonly quotasOf: (accountId: string) => Promise<AccountQuotas>;
  /** What happens to calls once a day is used up. */
  readonly dayLimit: DayLimit;
  readonly clock: Clock;
  readonly random: Random;
}

/** The quota of a Cloud project for an API; undefined where the provider names none. */
export type QuotaOf = (provider: string, cloudProject: string) => ProjectQuota | undefined;

/** What is known of an account's quotas. */
export interface AccountQuotas {
  readonly quotaOf: QuotaOf;
  /** Projects whose own limits end. */
  readonly ending: readonly { readonly provider: string; readonly cloudProject: string; readonly endMs: number }[];
}

/** Use of one API by one Cloud project in a day. */
interface Taken {
  readonly provider: string;
  readonly cloudProject: string;
  readonly quota: ProjectQuota | undefined;
  /** As the project counts: units, or requests. */
  units: number;
  bytesOut: number;
}

/**
 * Reports when calls of a Cloud project have used 50, 80 and 100 % of Google's daily quota. Each share is reported once: its mark and
 * its event are written in one transaction, so a tick that dies or runs twice reports nothing again. It also stores how full the day
 * is, which processes of calls read with rows that they need anyway: feeds wait for it, and calls are refused where the deployment
 * stops.
 */
export class QuotaReporter {
  readonly #deps: ReportQuotasDependencies;
  /** Marks known to be written. */
  readonly #reported = new BoundedCache<true>(CACHE_MAX_ENTRIES);
  /** The use of the day as last stored, by account. */
  readonly #noted = new BoundedCache<string>(CACHE_MAX_ENTRIES);

  constructor(deps: ReportQuotasDependencies) {
    this.#deps = deps;
  }

  /**
   * Reports the day that a moment lies in.
   *
   * @param countedUntilMs calls that ended before are on pages
   */
  async report(accountId: string, atMs: number, countedUntilMs: number, requestId: string): Promise<void> {
    const day = quotaDay(atMs);
    const heads = await readHours(
      this.#deps,
      accountId,
      day.startMs,
      day.endMs,
      Math.min(countedUntilMs, day.endMs - 1),
    );
    const { quotaOf, ending } = await this.#deps.quotasOf(accountId);
    for (const one of ending) await this.#reportEnd(accountId, one, requestId);
    const taken = new Map<string, Taken>();
    for (const entry of heads.flatMap(({ head }) => head.entries)) {
      const { kind, ids, sums } = entry;
      const [provider = '', cloudProject = ''] = ids;
      if (kind !== 'project' || ids.length !== 2) continue;
      const id = JSON.stringify(ids);
      const known = taken.get(id) ?? {
        provider,
        cloudProject,
        quota: quotaOf(provider, cloudProject),
        units: 0,
        bytesOut: 0,
      };
      known.units += known.quota?.countsRequests === true ? callsOf(entry) : sums.units;
      known.bytesOut += sums.bytesOut;
      taken.set(id, known);
    }
    await this.#note(accountId, [...taken.values()], day);
    for (const one of taken.values()) {
      await this.#reportOf(accountId, one, 'units', one.quota?.perDay, day, requestId);
      await this.#reportOf(accountId, one, 'bytes_out', one.quota?.bytesOutPerDay, day, requestId);
    }
  }

  /** Reports 90, 30 and 7 days before that a project's own limits end, each once (GA-28). */
  async #reportEnd(
    accountId: string,
    { provider, cloudProject, endMs }: AccountQuotas['ending'][number],
    requestId: string,
  ): Promise<void> {
    const { newItems, clock, random } = this.#deps;
    const left = endMs - clock.nowMs();
    const days = LIMITS_END_DAYS.findLast((one) => left <= one * DAY_MS);
    if (left <= 0 || days === undefined) return;
    const endsAt = new Date(endMs).toISOString();
    const sk = `LIMITS_END#${provider}#${encodeURIComponent(cloudProject)}#${endsAt.slice(0, 10)}#${days}`;
    const id = `${accountId} ${sk}`;
    if (this.#reported.get(id, clock.nowMs()) !== undefined) return;
    const event = newEvent(clock, random, 'HigherLimitsEnding', {
      subject: { accountId },
      sequence: 0,
      says: { provider, cloud_project: cloudProject, ends_at: endsAt, days_left: String(days) },
      requestId,
    });
    const attributes = { type: 'limits_end', [TABLE.timeToLive]: Math.floor(endMs / 1000) + TTL_GRACE_SEC };
    await newItems.putNew(accountId, sk, attributes, event);
    this.#reported.set(id, true, endMs);
  }

  /** Stores how full the day is, if that has changed and the day is not over. */
  async #note(accountId: string, taken: readonly Taken[], { endMs }: QuotaDay): Promise<void> {
    const { dayUse, dayLimit, clock } = this.#deps;
    if (endMs <= clock.nowMs()) return;
    const projects = taken.flatMap(({ provider, cloudProject, quota, units, bytesOut }): ProjectDay[] => {
      const shares = {
        units: usedShare(units, quota?.perDay),
        bytesOut: usedShare(bytesOut, quota?.bytesOutPerDay),
      };
      return shares.units === undefined && shares.bytesOut === undefined ? [] : [{ provider, cloudProject, ...shares }];
    });
    const use = { untilMs: endMs, limit: dayLimit, projects };
    const text = JSON.stringify(use);
    if (this.#noted.get(accountId, clock.nowMs()) === text) return;
    await dayUse.write(accountId, use);
    this.#noted.set(accountId, text, endMs);
  }

  async #reportOf(
    accountId: string,
    { provider, cloudProject, units, bytesOut }: Taken,
    quota: 'units' | 'bytes_out',
    most: number | undefined,
    day: QuotaDay,
    requestId: string,
  ): Promise<void> {
    if (most === undefined) return;
    const { thresholds, clock, random, dayLimit } = this.#deps;
    const used = quota === 'units' ? units : bytesOut;
    for (const percent of reachedThresholds(used, most)) {
      const what = markedQuota(provider, cloudProject, quota);
      const id = JSON.stringify([accountId, what, day.date, percent]);
      if (this.#reported.get(id, clock.nowMs()) !== undefined) continue;
      const event = newEvent(clock, random, 'QuotaReached', {
        subject: { accountId },
        sequence: 0,
        says: {
          provider,
          cloud_project: cloudProject,
          quota,
          percent: String(percent),
          used: String(Math.round(used)),
          most: String(most),
          when_spent: dayLimit,
          day: day.date,
          resets_at: new Date(day.endMs).toISOString(),
        },
        requestId,
      });
      const goneAfterEpochSec = Math.floor(day.endMs / 1000) + MARK_KEPT_SEC + TTL_GRACE_SEC;
      await thresholds.report({ accountId, what, day: day.date, percent, goneAfterEpochSec }, event);
      this.#reported.set(id, true, day.endMs + MARK_KEPT_SEC * 1000);
    }
  }
}

const DAY_MS = 86_400_000;

/** Lines of a day arrive up to a week late: the log keeps them no longer. */
const MARK_KEPT_SEC = 8 * 24 * 3600;
