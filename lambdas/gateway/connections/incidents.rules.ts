import { CENSUS_EARLIER_MAX, CENSUS_INCIDENTS_MAX, INCIDENT_SPAN_SEC } from '../core/limits.ts';
import type { HealthSubject } from './health.rules.ts';

/** States of connections that do not work, the gravest first. Each connection has one of them. */
export const INCIDENT_STATES = ['dead', 'refused_by_provider', 'failing'] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

/** Connections of one integration that stopped working for one reason, within an hour or over a longer time. */
export interface Incident {
  readonly integrationId: string;
  readonly state: IncidentState;
  /** As in the health of a connection: the cause of a death, the provider's reason or its error. */
  readonly reason: string;
  /** False where the cause of one of the deaths is only likely. */
  readonly certain: boolean;
  readonly count: number;
  /** When the first of them stopped, epoch seconds; 0 where unknown. */
  readonly firstEpochSec: number;
  readonly lastEpochSec: number;
}

/** One connection as an incident; undefined for one that works. A refused OAuth client concerns its integration, not the connection. */
export function incidentOf(row: HealthSubject & { readonly integrationId: string }): Incident | undefined {
  const { integrationId, status, cause = 'unknown', callFault, facts } = row;
  const one = (state: IncidentState, reason: string, sinceEpochSec = 0, certain = true): Incident => ({
    integrationId,
    state,
    reason,
    certain,
    count: 1,
    firstEpochSec: sinceEpochSec,
    lastEpochSec: sinceEpochSec,
  });
  if (status !== 'active') return one('dead', cause, facts?.death?.sinceEpochSec, facts?.death?.certain ?? false);
  if (facts?.refusal !== undefined) return one('refused_by_provider', facts.refusal.error, facts.refusal.sinceEpochSec);
  if (callFault === undefined) return undefined;
  return one('failing', callFault.reason ?? String(callFault.status), callFault.sinceEpochSec);
}

/** Integration, state and reason, as one text. */
function kindOf({ integrationId, state, reason }: Incident): string {
  return JSON.stringify([integrationId, state, reason]);
}

function joined(a: Incident, b: Incident): Incident {
  return {
    ...a,
    certain: a.certain && b.certain,
    count: a.count + b.count,
    firstEpochSec: Math.min(a.firstEpochSec, b.firstEpochSec),
    lastEpochSec: Math.max(a.lastEpochSec, b.lastEpochSec),
  };
}

function joinBy(all: readonly Incident[], keyOf: (one: Incident) => string): Map<string, Incident> {
  const byKey = new Map<string, Incident>();
  for (const one of all) {
    const key = keyOf(one);
    const known = byKey.get(key);
    byKey.set(key, known === undefined ? one : joined(known, one));
  }
  return byKey;
}

const hourOf = ({ firstEpochSec }: Incident) => Math.floor(firstEpochSec / INCIDENT_SPAN_SEC);

/**
 * Incidents by hour (UTC), the newest first. Older ones beyond the maximum are merged by integration, state and reason. Parts of a list
 * add up to the same in any order.
 */
export function addIncidents(a: readonly Incident[], b: readonly Incident[]): readonly Incident[] {
  if (b.length === 0) return a;
  const byHour = joinBy([...a, ...b], (one) => `${hourOf(one)} ${kindOf(one)}`);
  const newest = [...byHour]
    .sort(([aKey, x], [bKey, y]) => hourOf(y) - hourOf(x) || (aKey < bKey ? -1 : 1))
    .map(([, one]) => one);
  if (newest.length <= CENSUS_INCIDENTS_MAX) return newest;
  const earlier = joinBy(newest.slice(CENSUS_INCIDENTS_MAX), kindOf);
  return [...newest.slice(0, CENSUS_INCIDENTS_MAX), ...[...earlier.values()].slice(0, CENSUS_EARLIER_MAX)];
}

/**
 * Incidents as shown: failures within an hour of each other are one, across full hours, too. Connections that stopped one by one for
 * the same reason in the same integration are one as well, with the time span.
 */
export function asIncidents(counted: readonly Incident[]): readonly Incident[] {
  const byKind = new Map<string, Incident[]>();
  for (const one of counted) byKind.set(kindOf(one), [...(byKind.get(kindOf(one)) ?? []), one]);
  return [...byKind.values()].flatMap((hours) => {
    const seen: Incident[] = [];
    for (const hour of hours.toSorted((x, y) => x.firstEpochSec - y.firstEpochSec)) {
      const last = seen.at(-1);
      const isOne = last !== undefined && hour.lastEpochSec - last.firstEpochSec <= INCIDENT_SPAN_SEC;
      if (isOne) seen.splice(-1, 1, joined(last, hour));
      else seen.push(hour);
    }
    const isBurst = ({ count, firstEpochSec, lastEpochSec }: Incident) =>
      count > 1 && lastEpochSec - firstEpochSec <= INCIDENT_SPAN_SEC;
    const oneByOne = seen
      .filter((one) => !isBurst(one))
      .reduce<Incident | undefined>((sum, one) => (sum === undefined ? one : joined(sum, one)), undefined);
    return [...seen.filter(isBurst), ...(oneByOne === undefined ? [] : [oneByOne])];
  });
}
