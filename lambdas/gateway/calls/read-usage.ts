import type { Clock } from '../core/ports.ts';
import { callsOf, LEVEL_MS, type PageEntry, type PageLevel, startOf } from './page.rules.ts';
import type { BookReader, LastUses, PageHead, PageReader, UsageQuery, UsageRow, UsageRows } from './ports.ts';
import { addCounts, dayOf, type UsageCounts, type UsageSubject } from './usage.rules.ts';

export interface ReadUsageDependencies {
  readonly pages: PageReader;
  readonly book: BookReader;
  /** Rows of versions up to 0.2, which counted calls one by one: their days and those of pages add up. */
  readonly rows: UsageRows;
  readonly clock: Clock;
}

/** Calls by day, and the known gaps in them. */
export interface Usage {
  readonly rows: readonly UsageRow[];
  /** Calls that ended before are counted; undefined before the first. Epoch milliseconds. */
  readonly countedUntilMs: number | undefined;
  /** Calls of these days, of any caller, that Lambda counted and that left no line. */
  readonly missing: number;
  /** Times of these days whose lines left the log before they were read. */
  readonly gaps: readonly { readonly fromMs: number; readonly toMs: number }[];
}

/** A page, and how long its time is. */
export interface LevelHead {
  readonly level: PageLevel;
  readonly head: PageHead;
}

/** Calls by day, from pages. @param days in order, without a gap */
export async function readUsage(
  deps: ReadUsageDependencies,
  accountId: string,
  days: readonly string[],
  of: UsageQuery,
): Promise<Usage> {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const [{ countedUntilMs, foldedUntilMs }, compared, gaps, old] = await Promise.all([
    deps.book.state(),
    deps.book.compared(first, last),
    deps.book.gaps(),
    Promise.all(days.map((day) => deps.rows.ofDay(accountId, day, of))),
  ]);
  const [fromMs, toMs] = [Date.parse(first), Date.parse(last) + LEVEL_MS.day];
  const heads = foldedUntilMs === undefined ? [] : await headsOf(deps, accountId, fromMs, toMs, foldedUntilMs);
  const entries = await Promise.all(heads.map((one) => entriesOf(deps, accountId, one, of)));
  return {
    rows: summed([...old.flat(), ...entries.flat()]),
    countedUntilMs,
    missing: compared.reduce((sum, { invocations, lines }) => sum + Math.max(0, invocations - lines), 0),
    gaps: gaps.filter((gap) => gap.fromMs < toMs && gap.toMs > fromMs),
  };
}

/** The pages that make up a time: days, the hours of days that have no page yet, and the minutes of hours that have none yet. */
async function headsOf(
  deps: ReadUsageDependencies,
  accountId: string,
  fromMs: number,
  toMs: number,
  foldedUntilMs: number,
): Promise<LevelHead[]> {
  const openFromMs = Math.max(fromMs, startOf('day', foldedUntilMs));
  const [days, hours] = await Promise.all([
    readLevel(deps.pages, accountId, 'day', fromMs, Math.min(toMs, openFromMs)),
    readHours(deps, accountId, openFromMs, toMs, foldedUntilMs),
  ]);
  return [...days, ...hours];
}

/**
 * The hours of a time, and the minutes of hours that have no page yet.
 *
 * @param foldedUntilMs hours that ended before have a page if they have calls
 */
export async function readHours(
  { pages, clock }: Pick<ReadUsageDependencies, 'pages' | 'clock'>,
  accountId: string,
  fromMs: number,
  toMs: number,
  foldedUntilMs: number,
): Promise<LevelHead[]> {
  // No page lies in the future, whatever a wrong clock once wrote.
  const openToMs = Math.min(toMs, Math.max(foldedUntilMs, clock.nowMs()) + LEVEL_MS.minute);
  const hours = await readLevel(pages, accountId, 'hour', fromMs, openToMs);
  const hasPage = new Set(hours.map(({ head }) => head.startMs));
  const minutes: Promise<LevelHead[]>[] = [];
  const fromHour = Math.max(fromMs, startOf('hour', foldedUntilMs));
  for (let ms = fromHour; ms < openToMs; ms += LEVEL_MS.hour) {
    if (hasPage.has(ms)) continue;
    minutes.push(readLevel(pages, accountId, 'minute', ms, Math.min(ms + LEVEL_MS.hour, openToMs)));
  }
  return [...hours, ...(await Promise.all(minutes)).flat()];
}

async function readLevel(
  pages: PageReader,
  accountId: string,
  level: PageLevel,
  fromMs: number,
  toMs: number,
): Promise<LevelHead[]> {
  return fromMs >= toMs ? [] : (await pages.heads(accountId, level, fromMs, toMs)).map((head) => ({ level, head }));
}

async function entriesOf(
  { pages }: ReadUsageDependencies,
  accountId: string,
  { level, head }: LevelHead,
  of: UsageQuery,
): Promise<UsageRow[]> {
  const day = dayOf(head.startMs);
  const entries = of.by === 'connection' ? await connectionsOf(pages, accountId, level, head, of) : head.entries;
  return entries.flatMap((entry) => {
    const subject = subjectOf(entry);
    return subject?.kind === of.by ? [{ day, subject, counts: countsOf(entry) }] : [];
  });
}

async function connectionsOf(
  pages: PageReader,
  accountId: string,
  level: PageLevel,
  head: PageHead,
  { integrationId, connectionId }: Extract<UsageQuery, { by: 'connection' }>,
): Promise<readonly PageEntry[]> {
  const one = connectionId === undefined ? undefined : { integrationId, connectionId };
  const entries = await pages.connections(accountId, level, head, one);
  return entries.filter(({ ids }) => ids[0] === integrationId);
}

function subjectOf({ kind, ids }: PageEntry): UsageSubject | undefined {
  const [first = '', second = ''] = ids;
  if (kind === 'integration') return { kind, integrationId: first };
  if (kind === 'connection') return { kind, integrationId: first, connectionId: second };
  return kind === 'key' ? { kind, keyId: first } : undefined;
}

function countsOf(entry: PageEntry): UsageCounts {
  return { ...entry.sums, calls: callsOf(entry) };
}

/** One row for each subject and day. */
function summed(rows: readonly UsageRow[]): UsageRow[] {
  const sums = new Map<string, UsageRow>();
  for (const row of rows) {
    const id = JSON.stringify([row.day, row.subject]);
    const known = sums.get(id);
    sums.set(id, known === undefined ? row : { ...row, counts: addCounts(known.counts, row.counts) });
  }
  return [...sums.values()].sort(byDayAndSubject);
}

function byDayAndSubject(a: UsageRow, b: UsageRow): number {
  return a.day.localeCompare(b.day) || JSON.stringify(a.subject).localeCompare(JSON.stringify(b.subject));
}

/** When the keys of an account were last used for what does not show in their rows, by the start of their digests. */
export async function readLastUses(deps: ReadUsageDependencies, accountId: string): Promise<LastUses> {
  const { countedUntilMs, foldedUntilMs } = await deps.book.state();
  if (countedUntilMs === undefined || foldedUntilMs === undefined) return deps.book.lastUses(accountId);
  const toMs = startOf('day', countedUntilMs) + LEVEL_MS.day;
  const [noted, heads] = await Promise.all([
    deps.book.lastUses(accountId),
    headsOf(deps, accountId, toMs - 2 * LEVEL_MS.day, toMs, foldedUntilMs),
  ]);
  const uses = new Map(noted);
  for (const { kind, ids, lastEpochSec } of heads.flatMap(({ head }) => head.entries)) {
    const [key] = ids;
    if (kind === 'key' && key !== undefined) uses.set(key, Math.max(uses.get(key) ?? 0, lastEpochSec));
  }
  return uses;
}

/** Calls that the limits of a key would have refused if they did not only observe. */
export interface ObservedCalls {
  /** Such as `methods` or `day.units`. */
  readonly limit: string;
  /** The provider's id of the method; undefined where a request is none. */
  readonly method: string | undefined;
  readonly calls: number;
  readonly lastEpochSec: number;
}

/** What a key's limits have observed in some days. */
export interface Observed {
  readonly sinceMs: number;
  readonly countedUntilMs: number | undefined;
  /** All proxied calls of the key. */
  readonly calls: number;
  /** The most first. */
  readonly rows: readonly ObservedCalls[];
}

/** What the limits of a key have observed in the last days. @param keyId start of the key's digest @param days with today, UTC */
export async function readObserved(
  deps: ReadUsageDependencies,
  accountId: string,
  keyId: string,
  days: number,
): Promise<Observed> {
  const today = startOf('day', deps.clock.nowMs());
  const sinceMs = today - (days - 1) * LEVEL_MS.day;
  const { countedUntilMs, foldedUntilMs } = await deps.book.state();
  if (foldedUntilMs === undefined) return { sinceMs, countedUntilMs, calls: 0, rows: [] };
  const heads = await headsOf(deps, accountId, sinceMs, today + LEVEL_MS.day, foldedUntilMs);
  const rows = new Map<string, ObservedCalls>();
  let calls = 0;
  for (const entry of heads.flatMap(({ head }) => head.entries)) {
    const { kind, ids, lastEpochSec } = entry;
    const [key, said = ''] = ids;
    if (key !== keyId) continue;
    if (kind === 'key') calls += callsOf(entry);
    if (kind !== 'observed') continue;
    const [limit = '', method] = said.split(':');
    const known = rows.get(said) ?? { limit, method, calls: 0, lastEpochSec: 0 };
    rows.set(said, {
      ...known,
      calls: known.calls + callsOf(entry),
      lastEpochSec: Math.max(known.lastEpochSec, lastEpochSec),
    });
  }
  return { sinceMs, countedUntilMs, calls, rows: [...rows.values()].sort((a, b) => b.calls - a.calls) };
}
