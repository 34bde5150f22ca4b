import type { Connection, ConnectionSummary } from '../../gateway/connections/connection.rules.ts';
import { isUnreadableRow } from '../../gateway/connections/find-connection.ts';
import { CONNECTION_LIST_MAX, REFRESH_TOKENS_WARN_FROM } from '../../gateway/core/limits.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import { grantSharing } from '../connections/describe-connection.ts';
import type { Services } from '../services.ts';
import type { CrowdedAccount, OverviewFacts } from './facts.ts';

/** Reads of the list, 2000 connections each: an overview of a huge account says what it left out instead of taking long. */
const LIST_READS_MAX = 5;
/** Connections read in full, because lists carry neither token times nor forecasts. */
const DETAILS_MAX = 200;
const DETAILS_AT_ONCE = 20;
/** Accounts whose refresh tokens are counted; each costs one read of an index. */
const CROWDED_MAX = 10;

type Reads = Pick<Services, 'integrations' | 'connections' | 'consents' | 'census' | 'clock' | 'endpointsOf'>;

/**
 * Reads what an overview is made of: integrations, the newest connections, and the newest of each status in full.
 *
 * @param integrationIds undefined = all of the account
 */
export async function readFacts(
  reads: Reads,
  accountId: string,
  integrationIds: readonly string[] | undefined,
): Promise<OverviewFacts> {
  const { integrations: integrationStore, connections, census } = reads;
  const [all, listed] = await Promise.all([
    integrationStore.list(accountId),
    newestConnections(connections, accountId, integrationIds),
  ]);
  const integrations: readonly Integration[] = all.filter(
    ({ integrationId }) => integrationIds === undefined || integrationIds.includes(integrationId),
  );
  const details = await inFull(connections, sample(listed.connections));
  const crowded = await crowdedAccounts(reads, listed.connections);
  // The count is of the whole account, which a key limited to some integrations does not see.
  const countsAll = !listed.isComplete && integrationIds === undefined;
  const counted = countsAll ? (await census.read(accountId))?.counted : undefined;
  return { integrations, ...listed, details, counted, crowded };
}

async function newestConnections(store: Reads['connections'], accountId: string, integrationIds?: readonly string[]) {
  const connections: ConnectionSummary[] = [];
  const filter = integrationIds === undefined ? {} : { integrationIds };
  let cursor: string | undefined;
  for (let read = 0; read < LIST_READS_MAX; read++) {
    const page = await store.list(accountId, filter, CONNECTION_LIST_MAX, cursor);
    connections.push(...page.connections);
    cursor = page.next;
    if (cursor === undefined) return { connections, isComplete: true };
  }
  return { connections, isComplete: false };
}

/** The newest of both: the living tell what ends soon, the dead when they died. */
function sample(connections: readonly ConnectionSummary[]): readonly ConnectionSummary[] {
  const active = connections.filter(({ status }) => status === 'active');
  const dead = connections.filter(({ status }) => status !== 'active');
  const deadShare = Math.min(dead.length, Math.max(DETAILS_MAX / 2, DETAILS_MAX - active.length));
  return [...active.slice(0, DETAILS_MAX - deadShare), ...dead.slice(0, deadShare)];
}

/** Those that are still there, in order. */
async function inFull(store: Reads['connections'], summaries: readonly ConnectionSummary[]): Promise<Connection[]> {
  const found: Connection[] = [];
  for (let start = 0; start < summaries.length; start += DETAILS_AT_ONCE) {
    const rows = await Promise.all(summaries.slice(start, start + DETAILS_AT_ONCE).map((one) => readOne(store, one)));
    found.push(...rows.flatMap((row) => (row === undefined || row.status === 'deleted' ? [] : [row])));
  }
  return found;
}

/** A row that cannot be read is shown nowhere; refreshes and calls that meet it count it (CR-10). */
async function readOne(store: Reads['connections'], ref: ConnectionSummary): Promise<Connection | undefined> {
  try {
    return await store.read(ref);
  } catch (error) {
    if (isUnreadableRow(error)) return undefined;
    throw error;
  }
}

/** Accounts near the provider's limit: few can be, because each has as many connections in the list. */
async function crowdedAccounts(reads: Reads, summaries: readonly ConnectionSummary[]): Promise<CrowdedAccount[]> {
  const bySubject = Map.groupBy(
    summaries.filter(({ status, providerAccount }) => status === 'active' && providerAccount !== undefined),
    ({ providerAccount }) => providerAccount?.subject ?? '',
  );
  const candidates = [...bySubject.values()].filter((rows) => rows.length >= REFRESH_TOKENS_WARN_FROM);
  const newest = candidates.slice(0, CROWDED_MAX).flatMap((rows) => rows.slice(0, 1));
  const counted = await Promise.all(
    (await inFull(reads.connections, newest)).map(async (connection) => ({
      connection,
      limit: (await grantSharing(reads, connection))?.refreshTokenLimit,
    })),
  );
  return counted.flatMap(({ connection, limit }) => (limit === undefined ? [] : [{ connection, limit }]));
}
