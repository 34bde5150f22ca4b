import type { PageReader, ThresholdTeller } from '../gateway/calls/ports.ts';
import { quotaDay } from '../gateway/calls/quota.rules.ts';
import { readHours } from '../gateway/calls/read-usage.ts';
import { markedQuota, reachedThresholds } from '../gateway/calls/threshold.rules.ts';
import { BoundedCache } from '../gateway/core/bounded-cache.ts';
import { CACHE_MAX_ENTRIES, TTL_GRACE_SEC } from '../gateway/core/limits.ts';
import type { Clock, Random } from '../gateway/core/ports.ts';
import { newEvent } from '../gateway/events/lifecycle-event.rules.ts';
import type { ApiQuota } from '../gateway/providers/provider.rules.ts';

export interface TellQuotasDependencies {
  readonly pages: PageReader;
  readonly thresholds: ThresholdTeller;
  /** What a provider lets a Cloud project take; undefined where it names nothing. */
  readonly quotaOf: (provider: string) => ApiQuota | undefined;
  readonly clock: Clock;
  readonly random: Random;
}

/** What one Cloud project has taken of one API in a day. */
interface Taken {
  readonly provider: string;
  readonly cloudProject: string;
  units: number;
  bytesOut: number;
}

/**
 * Tells when calls of a Cloud project have used 50, 80 and 100 % of what Google gives it for a day. Each share is told once: its mark
 * and its event are written together, so a tick that dies, comes twice or with another clock tells nothing again.
 */
export class QuotaTeller {
  readonly #deps: TellQuotasDependencies;
  /** What is known to be told, by mark. */
  readonly #told = new BoundedCache<true>(CACHE_MAX_ENTRIES);

  constructor(deps: TellQuotasDependencies) {
    this.#deps = deps;
  }

  /**
   * Looks at the day of a moment.
   *
   * @param countedUntilMs calls that ended before are on pages
   */
  async tell(accountId: string, atMs: number, countedUntilMs: number, requestId: string): Promise<void> {
    const day = quotaDay(atMs);
    const heads = await readHours(
      this.#deps,
      accountId,
      day.startMs,
      day.endMs,
      Math.min(countedUntilMs, day.endMs - 1),
    );
    const taken = new Map<string, Taken>();
    for (const { kind, ids, sums } of heads.flatMap(({ head }) => head.entries)) {
      const [provider = '', cloudProject = ''] = ids;
      if (kind !== 'project' || ids.length !== 2) continue;
      const known = taken.get(JSON.stringify(ids)) ?? { provider, cloudProject, units: 0, bytesOut: 0 };
      known.units += sums.units;
      known.bytesOut += sums.bytesOut;
      taken.set(JSON.stringify(ids), known);
    }
    for (const one of taken.values()) {
      const quota = this.#deps.quotaOf(one.provider);
      await this.#tellOf(accountId, one, 'units', quota?.perDay, day, requestId);
      await this.#tellOf(accountId, one, 'bytes_out', quota?.bytesOutPerDay, day, requestId);
    }
  }

  async #tellOf(
    accountId: string,
    { provider, cloudProject, units, bytesOut }: Taken,
    quota: 'units' | 'bytes_out',
    most: number | undefined,
    day: ReturnType<typeof quotaDay>,
    requestId: string,
  ): Promise<void> {
    if (most === undefined) return;
    const { thresholds, clock, random } = this.#deps;
    const used = quota === 'units' ? units : bytesOut;
    for (const percent of reachedThresholds(used, most)) {
      const what = markedQuota(provider, cloudProject, quota);
      const id = JSON.stringify([accountId, what, day.date, percent]);
      if (this.#told.get(id, clock.nowMs()) !== undefined) continue;
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
          day: day.date,
          resets_at: new Date(day.endMs).toISOString(),
        },
        requestId,
      });
      const goneAfterEpochSec = Math.floor(day.endMs / 1000) + TOLD_KEPT_SEC + TTL_GRACE_SEC;
      await thresholds.tell({ accountId, what, day: day.date, percent, goneAfterEpochSec }, event);
      this.#told.set(id, true, day.endMs + TOLD_KEPT_SEC * 1000);
    }
  }
}

/** Lines of a day come up to a week late: the log keeps them no longer. */
const TOLD_KEPT_SEC = 8 * 24 * 3600;
