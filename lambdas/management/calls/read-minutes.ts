import { callsOf, LEVEL_MS, type PageEntry, startOf } from '../../gateway/calls/page.rules.ts';
import type { BookReader, CallLogReader, PageReader } from '../../gateway/calls/ports.ts';
import { type JudgedCalls, judgeCalls, type MinuteOfCalls } from '../../gateway/calls/verdict.rules.ts';
import { VERDICT_MINUTES, VERDICT_SAMPLE } from '../../gateway/core/limits.ts';
import type { Clock } from '../../gateway/core/ports.ts';

export interface ReadMinutesDependencies {
  readonly pages: PageReader;
  readonly book: Pick<BookReader, 'state'>;
  readonly calls: Pick<CallLogReader, 'failures'>;
  readonly clock: Clock;
}

/** The last hour by minute, and the party behind its failures. */
export interface MinutesOfCalls extends JudgedCalls {
  readonly minutes: readonly MinuteOfCalls[];
  /** Calls that ended before are counted; undefined before the first. Epoch milliseconds. */
  readonly countedUntilMs: number | undefined;
}

/**
 * Reads the minutes of the counted hour: the pages of at most two hours, and the newest failed calls.
 *
 * @param integrationIds of the wanted calls; undefined = all
 */
export async function readMinutes(
  { pages, book, calls, clock }: ReadMinutesDependencies,
  accountId: string,
  integrationIds: readonly string[] | undefined,
): Promise<MinutesOfCalls> {
  const { countedUntilMs } = await book.state();
  const untilMs = countedUntilMs ?? startOf('minute', clock.nowMs());
  const fromMs = untilMs - VERDICT_MINUTES * LEVEL_MS.minute;
  const filter = {
    kind: undefined,
    reason: undefined,
    status: undefined,
    keyId: undefined,
    integrationIds,
    connectionId: undefined,
  };
  const [heads, sample] = await Promise.all([
    pages.heads(accountId, 'minute', fromMs, untilMs),
    calls.failures(accountId, { ...filter, sinceMs: fromMs, untilMs }, VERDICT_SAMPLE, undefined),
  ]);
  const byStart = new Map(heads.map(({ startMs, entries }) => [startMs, entries]));
  const minutes: MinuteOfCalls[] = [];
  for (let startMs = fromMs; startMs < untilMs; startMs += LEVEL_MS.minute) {
    const own = (byStart.get(startMs) ?? []).filter(
      ({ kind, ids: [id = ''] }) => kind === 'integration' && integrationIds?.includes(id) !== false,
    );
    minutes.push(minuteOf(startMs, own));
  }
  return { minutes, countedUntilMs, ...judgeCalls('Google', minutes, sample.calls) };
}

function minuteOf(startMs: number, entries: readonly PageEntry[]): MinuteOfCalls {
  const sum = (of: (entry: PageEntry) => number) => entries.reduce((all, entry) => all + of(entry), 0);
  const gatewayFailed = sum(({ sums }) => sums.gatewayFailed);
  return {
    startMs,
    calls: sum(callsOf),
    ok: sum(({ sums }) => sums.ok),
    failures: {
      provider_failed: sum(({ sums }) => sums.providerFailed),
      rate_limited: sum(({ sums }) => sums.rateLimited),
      gateway_failed: gatewayFailed,
      refused: sum(({ sums }) => sums.providerRefused + sums.gatewayRefused) - gatewayFailed,
      broken_off: sum(({ sums }) => sums.brokenOff),
    },
  };
}
