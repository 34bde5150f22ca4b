import type { ConnectionRef } from '../core/identifiers.ts';
import { CENSUS_NAMED_CROWDED, CENSUS_NAMED_ENDS, CENSUS_REST_SEC, COMING_END_DAYS } from '../core/limits.ts';
import { ownMember } from '../core/own-member.ts';
import { addChanges, type ChangeCounts, type ChangeRow, movedBy } from './change-counts.rules.ts';
import { type HealthContext, type HealthSubject, healthOf, listedEnd } from './health.rules.ts';
import { addIncidents, type Incident, incidentOf } from './incidents.rules.ts';

const DAY_SEC = 86_400;

/** An entry of the account's list, with its counted members. */
export interface CountedRow extends Omit<ConnectionRef, 'accountId'>, HealthSubject {}

/** Connections of one integration by state; deleted ones are in no list. */
export interface IntegrationTally {
  readonly active: number;
  /** Active ones whose calls the provider refuses. */
  readonly failing: number;
  /** Active ones whose tokens the provider does not renew; undefined in counts of earlier versions. */
  readonly refused?: number | undefined;
  /** Active ones in either state, each once; undefined in counts of earlier versions. */
  readonly stopped?: number | undefined;
  /** Active ones by their health while the client is accepted; undefined in counts of earlier versions. */
  readonly health?: Readonly<Record<string, number>> | undefined;
  /** Those that need a new authorization, by cause. */
  readonly causes: Readonly<Record<string, number>>;
  /** Active ones with a known end in the next days, by day (UTC). */
  readonly endsByDay: Readonly<Record<string, number>>;
}

/** A connection with a known end. */
export interface NamedEnd {
  readonly integrationId: string;
  readonly connectionId: string;
  readonly atEpochSec: number;
}

/** The counts of an account. */
export interface Tally {
  readonly active: number;
  /** Those that need a new authorization, by cause. */
  readonly causes: Readonly<Record<string, number>>;
  readonly integrations: Readonly<Record<string, IntegrationTally>>;
  /** The next ends, earliest first, up to the number shown. */
  readonly ends: readonly NamedEnd[];
  /** The newest connections with a warning about their account's limit of refresh tokens. */
  readonly crowded: readonly Pick<NamedEnd, 'integrationId' | 'connectionId'>[];
  /** Connections that do not work, grouped by reason. Empty in counts of earlier versions. */
  readonly incidents: readonly Incident[];
}

/** The counters of changes when a count began; their later growth belongs to the time after it. */
export interface CountedFrom {
  /** The first of the days that count. */
  readonly day: string;
  /** By integration, of all these days. */
  readonly changes: Readonly<Record<string, ChangeCounts>>;
}

/** A finished count of an account's connections. */
export interface CountedConnections extends Tally {
  /** When the last page was read. Pages of one count are minutes apart in a large account, so it is no snapshot. */
  readonly countedAtEpochSec: number;
  readonly from: CountedFrom;
}

/** A count that continues from tick to tick. */
export interface Census {
  readonly accountId: string;
  /** Raised by every write, so that only one of two concurrent ticks succeeds. */
  readonly version: number;
  /** Where the list continues; undefined = at its beginning. */
  readonly position: string | undefined;
  /** Counted so far. */
  readonly sofar: Tally;
  /** Of the count under way. */
  readonly from: CountedFrom | undefined;
  /** The last finished count. */
  readonly counted: CountedConnections | undefined;
  /** First day whose changes are counted from its beginning; undefined before the first count. */
  readonly changesSince: string | undefined;
}

export const NOTHING_COUNTED: Tally = { active: 0, causes: {}, integrations: {}, ends: [], crowded: [], incidents: [] };
const NOTHING_OF_INTEGRATION: IntegrationTally = { active: 0, failing: 0, causes: {}, endsByDay: {} };

/** The census of an account that was never counted. */
export function newCensus(accountId: string): Census {
  return {
    accountId,
    version: 0,
    position: undefined,
    sofar: NOTHING_COUNTED,
    from: undefined,
    counted: undefined,
    changesSince: undefined,
  };
}

/**
 * Whether there is something to count: a count under way, a due one, or a small account that has changed.
 *
 * @param changed changes counted since the last finished count
 */
export function isDueToCount({ position, counted }: Census, changed: boolean, nowEpochSec: number): boolean {
  if (position !== undefined || counted === undefined || changed) return true;
  // A finished count in the future was dated by a wrong clock.
  const isFromTheFuture = counted.countedAtEpochSec > nowEpochSec || counted.from.day > dayOf(nowEpochSec);
  return nowEpochSec - counted.countedAtEpochSec >= CENSUS_REST_SEC || isFromTheFuture;
}

/** The days on which any process may count changes of this moment: a clock that is ahead or behind uses the neighbouring day. */
export function daysAround(epochSec: number): readonly string[] {
  return [-1, 0, 1].map((days) => dayOf(epochSec + days * DAY_SEC));
}

/** Where a count begins. @param changes of the days around */
export function countedFrom(changes: readonly ChangeRow[], nowEpochSec: number): CountedFrom {
  const sums: Record<string, ChangeCounts> = {};
  for (const { integrationId, counts } of changes) sums[integrationId] = addChanges(sums[integrationId] ?? {}, counts);
  return { day: dayOf(nowEpochSec - DAY_SEC), changes: sums };
}

/** Connections that need a new authorization. */
export function deadOf({ causes }: { readonly causes: Readonly<Record<string, number>> }): number {
  return Object.values(causes).reduce((sum, count) => sum + count, 0);
}

/** Counts entries of the list. @param integrations of the account, by id */
export function tallyOf(
  rows: readonly CountedRow[],
  integrations: ReadonlyMap<string, HealthContext>,
  nowEpochSec: number,
): Tally {
  return rows.reduce<Tally>((sum, row) => addTallies(sum, tallyOfOne(row, integrations, nowEpochSec)), NOTHING_COUNTED);
}

function tallyOfOne(row: CountedRow, integrations: ReadonlyMap<string, HealthContext>, nowEpochSec: number): Tally {
  const { integrationId, connectionId, status, cause = 'unknown' } = row;
  const incident = incidentOf(row);
  const incidents = incident === undefined ? [] : [incident];
  if (status !== 'active') {
    const causes = { [cause]: 1 };
    const one = { ...NOTHING_OF_INTEGRATION, causes };
    return { ...NOTHING_COUNTED, causes, integrations: { [integrationId]: one }, incidents };
  }
  const app = integrations.get(integrationId);
  const end = listedEnd(row, app);
  const isNear = end !== undefined && end.atEpochSec <= nowEpochSec + COMING_END_DAYS * DAY_SEC;
  const endsByDay = isNear ? { [dayOf(Math.max(end.atEpochSec, nowEpochSec))]: 1 } : {};
  const failing = row.callFault === undefined ? 0 : 1;
  const refused = row.facts?.refusal === undefined ? {} : { refused: 1 };
  const stopped = incidents.length;
  const health = { [healthOf(row, app && { ...app, clientFault: undefined }, nowEpochSec).status]: 1 };
  return {
    active: 1,
    causes: {},
    integrations: { [integrationId]: { active: 1, failing, ...refused, stopped, health, causes: {}, endsByDay } },
    incidents,
    ends: isNear ? [{ integrationId, connectionId, atEpochSec: end.atEpochSec }] : [],
    crowded: row.facts?.limitWarned === true ? [{ integrationId, connectionId }] : [],
  };
}

export function addTallies(a: Tally, b: Tally): Tally {
  const integrations = new Map(Object.entries(a.integrations));
  for (const [id, { active, failing, refused, stopped, health, causes, endsByDay }] of Object.entries(b.integrations)) {
    const known = integrations.get(id) ?? NOTHING_OF_INTEGRATION;
    integrations.set(id, {
      active: known.active + active,
      failing: known.failing + failing,
      ...(refused === undefined && known.refused === undefined
        ? {}
        : { refused: (known.refused ?? 0) + (refused ?? 0) }),
      ...(stopped === undefined && known.stopped === undefined
        ? {}
        : { stopped: (known.stopped ?? 0) + (stopped ?? 0) }),
      ...(health === undefined && known.health === undefined
        ? {}
        : { health: addChanges(known.health ?? {}, health ?? {}) }),
      causes: addChanges(known.causes, causes),
      endsByDay: addChanges(known.endsByDay, endsByDay),
    });
  }
  return {
    active: a.active + b.active,
    causes: addChanges(a.causes, b.causes),
    integrations: Object.fromEntries(integrations),
    ends:
      b.ends.length === 0
        ? a.ends
        : [...a.ends, ...b.ends].sort((x, y) => x.atEpochSec - y.atEpochSec).slice(0, CENSUS_NAMED_ENDS),
    crowded: b.crowded.length === 0 ? a.crowded : [...a.crowded, ...b.crowded].slice(-CENSUS_NAMED_CROWDED),
    incidents: addIncidents(a.incidents, b.incidents),
  };
}

/** Changes of an integration since a count began; undefined `from` = all that are given. */
export function changesBeyond(
  from: CountedFrom | undefined,
  rows: readonly ChangeRow[],
  integrationId: string,
): ChangeCounts {
  let changes: ChangeCounts = {};
  for (const row of rows) {
    if (row.integrationId !== integrationId || (from !== undefined && row.day < from.day)) continue;
    changes = addChanges(changes, row.counts);
  }
  const before = Object.entries(ownMember(from?.changes ?? {}, integrationId) ?? {}).map(
    ([name, count]) => [name, -count] as const,
  );
  return addChanges(changes, Object.fromEntries(before));
}

/** Connections of an integration now: as last counted, plus the changes since. */
export function presentOf(
  counted: CountedConnections | undefined,
  rows: readonly ChangeRow[],
  integrationId: string,
): { readonly active: number; readonly causes: Readonly<Record<string, number>> } {
  const tally = ownMember(counted?.integrations ?? {}, integrationId) ?? NOTHING_OF_INTEGRATION;
  const moved = movedBy(changesBeyond(counted?.from, rows, integrationId));
  const causes = Object.entries(addChanges(tally.causes, moved.causes)).filter(([, count]) => count > 0);
  return { active: Math.max(0, tally.active + moved.active), causes: Object.fromEntries(causes) };
}

/** The day of a moment, UTC. */
export function dayOf(epochSec: number): string {
  return new Date(epochSec * 1000).toISOString().slice(0, 10);
}
