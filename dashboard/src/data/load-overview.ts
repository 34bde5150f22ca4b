import type { Gateway } from '../gateway/gateway.ts';
import type { Connection, ConnectionSummary, Integration } from '../gateway/library.ts';
import { eachLimited } from './each-limited.ts';

/** Pages of connections read at most; more would make every look at the overview a long one. */
const PAGES_MAX = 5;
const PAGE_SIZE = 2000;
/** Connections read one by one, because only a single connection tells its token times and forecasts. */
const DETAILS_MAX = 40;
const DETAILS_AT_ONCE = 4;

/** What the overview is drawn from. */
export interface OverviewData {
  readonly integrations: readonly Integration[];
  /** Newest first. */
  readonly connections: readonly ConnectionSummary[];
  /** There are more connections than were read. */
  readonly isCut: boolean;
  /** The newest connections, in full. */
  readonly details: readonly Connection[];
  /** Details that could not be read. */
  readonly unread: number;
  /** When it was read, in epoch milliseconds. */
  readonly readAtMs: number;
}

/** Reads the overview: all integrations, the newest connections, details of the newest of each status. */
export async function loadOverview(gateway: Gateway, signal: AbortSignal): Promise<OverviewData> {
  const [integrations, listed] = await Promise.all([
    gateway.integrations.list({ signal }),
    newestConnections(gateway, signal),
  ]);
  const { results, failures } = await eachLimited(sample(listed.connections), DETAILS_AT_ONCE, (one) =>
    gateway.connections.get(one, { signal }),
  );
  signal.throwIfAborted();
  return { integrations, ...listed, details: results, unread: failures, readAtMs: Date.now() };
}

async function newestConnections(
  gateway: Gateway,
  signal: AbortSignal,
): Promise<{ connections: readonly ConnectionSummary[]; isCut: boolean }> {
  const connections: ConnectionSummary[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const filter = { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) };
    const answer = await gateway.connections.list(filter, { signal });
    connections.push(...answer.connections);
    cursor = answer.nextCursor;
    if (cursor === undefined) return { connections, isCut: false };
  }
  return { connections, isCut: true };
}

/** The newest of both: the living tell what ends soon, the dead when they died. */
function sample(connections: readonly ConnectionSummary[]): readonly ConnectionSummary[] {
  const active = connections.filter(({ status }) => status === 'active');
  const dead = connections.filter(({ status }) => status !== 'active');
  const deadShare = Math.min(dead.length, Math.max(DETAILS_MAX / 2, DETAILS_MAX - active.length));
  return [...active.slice(0, DETAILS_MAX - deadShare), ...dead.slice(0, deadShare)];
}
