import { daysBetween } from '../../gateway/calls/usage.rules.ts';
import { dayOf, daysAround, deadOf, type IntegrationTally, presentOf } from '../../gateway/connections/census.rules.ts';
import { addChanges, type ChangeCounts, type ChangeRow } from '../../gateway/connections/change-counts.rules.ts';
import type { Connection, ListedEnd } from '../../gateway/connections/connection.rules.ts';
import { isUnreadableRow } from '../../gateway/connections/find-connection.ts';
import { listedEnd, type RefreshTokenLimit } from '../../gateway/connections/health.rules.ts';
import { asIncidents, type Incident } from '../../gateway/connections/incidents.rules.ts';
import type { ListedConnection } from '../../gateway/connections/ports.ts';
import { epochSecNow } from '../../gateway/core/clock.ts';
import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import { ownMember } from '../../gateway/core/own-member.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import { grantSharing } from '../connections/describe-connection.ts';
import type { Services } from '../services.ts';

/** A provider account near the limit of refresh tokens, with its newest connection. */
export interface CrowdedAccount {
  readonly connection: Connection;
  readonly limit: RefreshTokenLimit;
}

/** The state of an integration's connections: each is counted in one member. */
export interface IntegrationState {
  readonly integrationId: string;
  /** Undefined where the integration is deleted. */
  readonly integration: Integration | undefined;
  readonly working: number;
  readonly failing: number;
  readonly refused: number;
  /** All that are not dead, while the provider refuses the OAuth client. */
  readonly clientRefused: number;
  /** Dead ones by cause. */
  readonly causes: Readonly<Record<string, number>>;
  /** Changes of its connections in the last seven days. */
  readonly week: ChangeCounts;
}

/** An active connection with a known end. */
export interface ComingEnd {
  readonly connection: ListedConnection;
  readonly end: ListedEnd;
}

/** Data of an overview. */
export interface OverviewFacts {
  readonly integrations: readonly Integration[];
  /** Every integration, including a deleted one that still has connections. */
  readonly states: readonly IntegrationState[];
  /** As of the last count; none before it. */
  readonly incidents: readonly Incident[];
  readonly active: number;
  /** Dead connections by cause. */
  readonly causes: Readonly<Record<string, number>>;
  /** Active ones whose calls are refused, as of the last count; so are the ends. */
  readonly failing: number;
  /** Active ones whose tokens the provider does not renew, as of the last count. */
  readonly refused: number;
  readonly endsByDay: Readonly<Record<string, number>>;
  /** The next ends, the earliest first. */
  readonly ends: readonly ComingEnd[];
  readonly crowded: readonly CrowdedAccount[];
  readonly countedAtEpochSec: number | undefined;
  /** Days whose changes are known from their beginning, today last. */
  readonly days: readonly string[];
  readonly changes: readonly ChangeRow[];
}

/** Days of changes that are read. */
const DAYS = 14;
/** Days shown with integrations. */
const WEEK_DAYS = 7;
const DAY_SEC = 86_400;

type Reads = Pick<
  Services,
  'integrations' | 'connections' | 'search' | 'consents' | 'census' | 'changeCounts' | 'clock' | 'endpointsOf'
>;

/**
 * Reads the data of an overview: the last count of the account, the counters of its days, and the few connections that the
 * count names. The number of reads does not depend on the number of connections.
 *
 * @param integrationIds undefined = all of the account
 */
export async function readFacts(
  reads: Reads,
  accountId: string,
  integrationIds: readonly string[] | undefined,
): Promise<OverviewFacts> {
  const nowEpochSec = epochSecNow(reads.clock);
  const today = dayOf(nowEpochSec);
  const lastDays = daysBetween(dayOf(nowEpochSec - (DAYS - 1) * DAY_SEC), today);
  const reaches = (integrationId: string) => integrationIds?.includes(integrationId) !== false;
  // A process whose clock is ahead counts on the next day.
  const countedDays = [...new Set([...lastDays, ...daysAround(nowEpochSec)])];
  const [all, census, read] = await Promise.all([
    reads.integrations.list(accountId),
    reads.census.read(accountId),
    Promise.all(countedDays.map((day) => reads.changeCounts.ofDay(accountId, day))),
  ]);
  const integrations = all.filter(({ integrationId }) => reaches(integrationId));
  const changes = read.flat().filter(({ integrationId }) => reaches(integrationId));
  const counted = census?.counted;
  const tallies = Object.entries(counted?.integrations ?? {}).filter(([id]) => reaches(id));
  const ids = new Set([
    ...integrations.map(({ integrationId }) => integrationId),
    ...tallies.map(([id]) => id),
    ...changes.map(({ integrationId }) => integrationId),
  ]);
  // Counted under a clock that was ahead: the counters that it subtracted cannot be read today. It is counted again within minutes.
  const isAhead = counted !== undefined && counted.from.day > today;
  const present = [...ids].map((id) => ({
    id,
    ...(isAhead
      ? presentOf({ ...counted, from: { ...counted.from, changes: {} } }, [], id)
      : presentOf(counted, changes, id)),
  }));
  const week = changes.filter((row) => lastDays.slice(-WEEK_DAYS).includes(row.day));
  const known = census?.changesSince ?? changes[0]?.day ?? today;
  // A future day was written under a wrong clock.
  const since = known < today ? known : today;
  const states = present.map((one) =>
    stateOf(
      one,
      integrations.find(({ integrationId }) => integrationId === one.id),
      ownMember(counted?.integrations ?? {}, one.id),
      week,
    ),
  );
  return {
    integrations,
    states: states
      .filter((one) => one.integration !== undefined || hasConnections(one))
      .sort((a, b) => (a.integrationId < b.integrationId ? -1 : 1)),
    incidents: asIncidents(counted?.incidents ?? []).filter(({ integrationId }) => reaches(integrationId)),
    active: present.reduce((sum, { active }) => sum + active, 0),
    causes: present.reduce<Record<string, number>>((sum, { causes }) => ({ ...addChanges(sum, causes) }), {}),
    failing: tallies.reduce((sum, [, { failing }]) => sum + failing, 0),
    refused: tallies.reduce((sum, [, { refused = 0 }]) => sum + refused, 0),
    endsByDay: tallies.reduce<Record<string, number>>(
      (sum, [, { endsByDay }]) => ({ ...addChanges(sum, endsByDay) }),
      {},
    ),
    ends: await comingEnds(reads, accountId, counted?.ends.filter((end) => reaches(end.integrationId)) ?? [], all),
    crowded: await crowdedAccounts(
      reads,
      counted?.crowded.filter((one) => reaches(one.integrationId)).map((one) => ({ accountId, ...one })) ?? [],
    ),
    countedAtEpochSec: counted?.countedAtEpochSec,
    days: lastDays.filter((day) => day >= since),
    changes,
  };
}

/** Splits the active ones by the last count, limited to their current number. */
function stateOf(
  { id, active, causes }: { readonly id: string; readonly active: number; readonly causes: IntegrationState['causes'] },
  integration: Integration | undefined,
  tally: IntegrationTally | undefined,
  week: readonly ChangeRow[],
): IntegrationState {
  const isRefused = integration?.clientFault !== undefined;
  const refused = isRefused ? 0 : Math.min(active, tally?.refused ?? 0);
  const failing = isRefused
    ? 0
    : Math.min(
        active - refused,
        tally?.stopped === undefined ? (tally?.failing ?? 0) : tally.stopped - (tally.refused ?? 0),
      );
  return {
    integrationId: id,
    integration,
    working: isRefused ? 0 : active - refused - failing,
    failing,
    refused,
    clientRefused: isRefused ? active : 0,
    causes,
    week: week
      .filter(({ integrationId }) => integrationId === id)
      .reduce<ChangeCounts>((sum, { counts }) => addChanges(sum, counts), {}),
  };
}

function hasConnections({ working, failing, refused, clientRefused, causes }: IntegrationState): boolean {
  return working + failing + refused + clientRefused + deadOf({ causes }) > 0;
}

/** The current state of the counted ends: connections that died, were deleted or consented again since are omitted. */
async function comingEnds(
  { search }: Reads,
  accountId: string,
  named: readonly { readonly integrationId: string; readonly connectionId: string }[],
  integrations: readonly Integration[],
): Promise<ComingEnd[]> {
  if (named.length === 0) return [];
  const byId = new Map(integrations.map((one) => [one.integrationId, one]));
  const refs = named.map(({ integrationId, connectionId }) => ({ accountId, integrationId, connectionId }));
  const ends = (await search.summaries(refs)).flatMap((connection): ComingEnd[] => {
    const end = listedEnd(connection, byId.get(connection.integrationId));
    return end === undefined ? [] : [{ connection, end }];
  });
  return ends.sort((a, b) => a.end.atEpochSec - b.end.atEpochSec);
}

/** Accounts that were reported near the limit and still are, each by its newest connection. */
async function crowdedAccounts(reads: Reads, refs: readonly ConnectionRef[]): Promise<CrowdedAccount[]> {
  const rows = await Promise.all(refs.toReversed().map((ref) => readOne(reads.connections, ref)));
  const newest = new Map<string, Connection>();
  for (const row of rows) {
    const subject = row?.providerAccount?.subject;
    if (row === undefined || row.status !== 'active' || subject === undefined) continue;
    const key = JSON.stringify([row.clientId, subject]);
    if (!newest.has(key)) newest.set(key, row);
  }
  const counted = await Promise.all(
    [...newest.values()].map(async (connection) => ({
      connection,
      limit: (await grantSharing(reads, connection))?.refreshTokenLimit,
    })),
  );
  return counted.flatMap(({ connection, limit }) => (limit === undefined ? [] : [{ connection, limit }]));
}

/** An unreadable row is not shown; refreshes and calls that meet it count it (CR-10). */
async function readOne(store: Reads['connections'], ref: ConnectionRef): Promise<Connection | undefined> {
  try {
    return await store.read(ref);
  } catch (error) {
    if (isUnreadableRow(error)) return undefined;
    throw error;
  }
}
