import type { Clock } from '../core/ports.ts';
import { callsOf, LEVEL_MS, type PageEntry, startOf } from './page.rules.ts';
import type { BookReader, PageReader } from './ports.ts';
import { type Forecast, forecastNeedsFrom, forecastOf, type QuotaDay, quotaDay } from './quota.rules.ts';
import { type LevelHead, readHours } from './read-usage.ts';

export interface ReadQuotaDependencies {
  readonly pages: PageReader;
  readonly book: Pick<BookReader, 'state'>;
  readonly clock: Clock;
}

/** Use of one API by one Cloud project today. */
export interface ProjectUse {
  readonly provider: string;
  readonly cloudProject: string;
  /** As the project counts: units, or requests. */
  readonly units: Forecast;
  readonly bytesOut: Forecast;
  readonly calls: Forecast;
  /** Calls that the provider answered with a 2xx status. */
  readonly answered: Forecast;
  /** Units of the day that feeds and checks used, included in the total. */
  readonly backgroundUnits: number;
  /** The busiest minute of the last hour; undefined without use. */
  readonly busiest: { readonly units: number; readonly startMs: number } | undefined;
}

/** Use of one integration or key today. */
export interface SpenderUse {
  readonly kind: 'integration' | 'key';
  readonly id: string;
  readonly units: number;
  readonly bytesOut: number;
}

/** Today's use of the providers' quotas. */
export interface QuotaUse {
  readonly day: QuotaDay;
  /** Calls that ended before are counted; undefined before the first. Epoch milliseconds. */
  readonly countedUntilMs: number | undefined;
  readonly projects: readonly ProjectUse[];
  readonly spenders: readonly SpenderUse[];
}

/** Whether a Cloud project counts requests instead of units. */
export type CountsRequests = (provider: string, cloudProject: string) => boolean;

/** Reads an account's use of the providers' quotas today, by the providers' days, with a forecast for the day. */
export async function readQuota(
  deps: ReadQuotaDependencies,
  accountId: string,
  countsRequests: CountsRequests = () => false,
): Promise<QuotaUse> {
  const { countedUntilMs: untilMs, foldedUntilMs } = await deps.book.state();
  if (untilMs === undefined || foldedUntilMs === undefined) {
    return { day: quotaDay(deps.clock.nowMs()), countedUntilMs: undefined, projects: [], spenders: [] };
  }
  const day = quotaDay(untilMs);
  const heads = await readHours(deps, accountId, forecastNeedsFrom(untilMs), day.endMs, foldedUntilMs);
  const minutes = await lastHour(deps, accountId, heads, untilMs);
  return {
    day,
    countedUntilMs: untilMs,
    projects: projectsOf(heads, minutes, untilMs, day.startMs, (entry) => amountOf(entry, countsRequests)),
    spenders: spendersOf(heads, day),
  };
}

/** The pages of the last sixty minutes: those of this hour are known. */
async function lastHour(
  { pages }: ReadQuotaDependencies,
  accountId: string,
  heads: readonly LevelHead[],
  untilMs: number,
): Promise<readonly LevelHead[]> {
  const fromMs = untilMs - LEVEL_MS.hour;
  const before = await pages.heads(accountId, 'minute', fromMs, startOf('hour', untilMs));
  const known = heads.filter(({ level, head }) => level === 'minute' && head.startMs >= startOf('hour', untilMs));
  return [...before.map((head) => ({ level: 'minute' as const, head })), ...known];
}

/** By hour, what a project has taken. */
interface Taken {
  readonly provider: string;
  readonly cloudProject: string;
  readonly units: Map<number, number>;
  readonly bytesOut: Map<number, number>;
  readonly calls: Map<number, number>;
  readonly answered: Map<number, number>;
  backgroundUnits: number;
}

function projectsOf(
  heads: readonly LevelHead[],
  minutes: readonly LevelHead[],
  untilMs: number,
  dayStartMs: number,
  amount: (entry: PageEntry) => number,
): ProjectUse[] {
  const taken = new Map<string, Taken>();
  for (const { head } of heads) {
    const hourMs = startOf('hour', head.startMs);
    for (const entry of head.entries) {
      if (entry.kind !== 'project') continue;
      const [provider = '', cloudProject = ''] = entry.ids;
      const id = JSON.stringify([provider, cloudProject]);
      const known = taken.get(id) ?? {
        provider,
        cloudProject,
        units: new Map<number, number>(),
        bytesOut: new Map<number, number>(),
        calls: new Map<number, number>(),
        answered: new Map<number, number>(),
        backgroundUnits: 0,
      };
      taken.set(id, known);
      if (!isProject(entry)) {
        if (hourMs >= dayStartMs) known.backgroundUnits += amount(entry);
        continue;
      }
      add(known.units, hourMs, amount(entry));
      add(known.bytesOut, hourMs, entry.sums.bytesOut);
      add(known.calls, hourMs, callsOf(entry));
      add(known.answered, hourMs, entry.sums.answered);
    }
  }
  const forecast = (hours: ReadonlyMap<number, number>) => forecastOf((hourMs) => hours.get(hourMs) ?? 0, untilMs);
  return [...taken].map(([id, { provider, cloudProject, units, bytesOut, calls, answered, backgroundUnits }]) => ({
    provider,
    cloudProject,
    units: forecast(units),
    bytesOut: forecast(bytesOut),
    calls: forecast(calls),
    answered: forecast(answered),
    backgroundUnits,
    busiest: busiestOf(minutes, id, amount),
  }));
}

function add(hours: Map<number, number>, hourMs: number, amount: number): void {
  hours.set(hourMs, (hours.get(hourMs) ?? 0) + amount);
}

function isProject({ kind, ids }: PageEntry): boolean {
  return kind === 'project' && ids.length === 2;
}

function amountOf(entry: PageEntry, countsRequests: CountsRequests): number {
  const [provider = '', cloudProject = ''] = entry.ids;
  return countsRequests(provider, cloudProject) ? callsOf(entry) : entry.sums.units;
}

function busiestOf(
  minutes: readonly LevelHead[],
  id: string,
  amount: (entry: PageEntry) => number,
): ProjectUse['busiest'] {
  let busiest: ProjectUse['busiest'];
  for (const { head } of minutes) {
    const own = head.entries.find((entry) => isProject(entry) && JSON.stringify(entry.ids) === id);
    const units = own === undefined ? 0 : amount(own);
    if (units > (busiest?.units ?? 0)) busiest = { units, startMs: head.startMs };
  }
  return busiest;
}

function spendersOf(heads: readonly LevelHead[], { startMs }: QuotaDay): SpenderUse[] {
  const spenders = new Map<string, SpenderUse>();
  for (const { kind, ids, sums } of heads.flatMap(({ head }) => (head.startMs >= startMs ? head.entries : []))) {
    if (kind !== 'integration' && kind !== 'key') continue;
    const [id = ''] = ids;
    const known = spenders.get(`${kind} ${id}`);
    spenders.set(`${kind} ${id}`, {
      kind,
      id,
      units: (known?.units ?? 0) + sums.units,
      bytesOut: (known?.bytesOut ?? 0) + sums.bytesOut,
    });
  }
  return [...spenders.values()].sort((a, b) => b.units - a.units || a.id.localeCompare(b.id));
}
