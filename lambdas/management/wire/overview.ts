import { type CountedConnections, deadOf } from '../../gateway/connections/census.rules.ts';
import { isoTime } from '../integrations/integration-routes.ts';
import { refreshesByDay, statusByDay, undatedDeaths } from '../overview/by-day.ts';
import { type ComingEnd, comingEnds } from '../overview/coming-ends.ts';
import type { CrowdedAccount, OverviewFacts } from '../overview/facts.ts';

const STATUS_DAYS = 14;
const REFRESH_DAYS = 7;
const ENDING_DAYS = 7;
const DAY_SEC = 86_400;
/** Rejected integrations that are shown; the list of integrations has them all. */
const REJECTED_MAX = 200;

/** An overview in the API's spelling, with how much of the account it covers. */
export function overviewOnTheWire(facts: OverviewFacts, nowMs: number): Record<string, unknown> {
  const { integrations, connections, details } = facts;
  const nowEpochSec = Math.floor(nowMs / 1000);
  const dead = connections.filter(({ status }) => status !== 'active');
  const ending = comingEnds(details, integrations, nowEpochSec + ENDING_DAYS * DAY_SEC);
  return {
    read_at: isoTime(nowEpochSec),
    covered: { connections: connections.length, complete: facts.isComplete, in_detail: details.length },
    integrations: integrations.length,
    statuses: { active: connections.length - dead.length, reauthorization_required: dead.length },
    causes: causesOf(dead.map(({ cause }) => cause ?? 'unknown')),
    totals: facts.counted === undefined ? null : totalsOnTheWire(facts.counted),
    status_by_day: statusByDay(connections, details, STATUS_DAYS, nowMs).map((one) => ({
      day: one.day,
      active: one.active,
      reauthorization_required: one.dead,
    })),
    undated_deaths: undatedDeaths(connections, details),
    refreshes_by_day: refreshesByDay(details, REFRESH_DAYS, nowMs),
    ending: ending.map(endingOnTheWire),
    rejected_integrations: integrations
      .flatMap(({ integrationId, displayName, clientFault }) =>
        clientFault === undefined
          ? []
          : [
              {
                unique_key: integrationId,
                display_name: displayName,
                error: clientFault.error,
                since: isoTime(clientFault.sinceEpochSec),
              },
            ],
      )
      .slice(0, REJECTED_MAX),
    crowded_accounts: facts.crowded.map(crowdedOnTheWire),
  };
}

/** A count of all connections, in the API's spelling. */
function totalsOnTheWire(counted: CountedConnections) {
  return {
    active: counted.active,
    reauthorization_required: deadOf(counted),
    causes: Object.entries(counted.causes)
      .map(([cause, count]) => ({ cause, count }))
      .sort((a, b) => b.count - a.count),
    counted_at: isoTime(counted.countedAtEpochSec),
  };
}

/** Most frequent first. */
function causesOf(causes: readonly string[]): readonly { cause: string; count: number }[] {
  return [...Map.groupBy(causes, (cause) => cause)]
    .map(([cause, all]) => ({ cause, count: all.length }))
    .sort((a, b) => b.count - a.count);
}

function endingOnTheWire({ connection, end }: ComingEnd) {
  return {
    connection_id: connection.connectionId,
    provider_config_key: connection.integrationId,
    end_user: connection.endUser === undefined ? null : { id: connection.endUser.id, email: connection.endUser.email },
    ends_at: isoTime(end.atEpochSec),
    reason: end.kind,
  };
}

function crowdedOnTheWire({ connection, limit }: CrowdedAccount) {
  return {
    connection_id: connection.connectionId,
    provider_config_key: connection.integrationId,
    email: connection.providerAccount?.email ?? null,
    live: limit.live,
    limit: limit.limit,
  };
}
