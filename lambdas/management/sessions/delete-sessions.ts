import type { ConnectSession } from '../../gateway/authorization/connect-session.rules.ts';
import { subjectOf } from '../../gateway/authorization/make-session.ts';
import type { ConnectSessionStore, ReconnectBatchStore, SessionPlace } from '../../gateway/authorization/ports.ts';
import { isUnreadableRow } from '../../gateway/connections/find-connection.ts';
import { SESSIONS_DELETED_MAX } from '../../gateway/core/limits.ts';
import { newEvent, sessionIdOf } from '../../gateway/events/lifecycle-event.rules.ts';
import { type EndUnconfirmedDependencies, endUnconfirmed } from '../../gateway/tokens/end-unconfirmed.ts';
import { eachOf } from './reconnect-links.ts';

export interface DeleteSessionsDependencies extends EndUnconfirmedDependencies {
  readonly sessions: Pick<ConnectSessionStore, 'find' | 'madeFor' | 'erase' | 'forget'>;
  readonly reconnectBatches: Pick<ReconnectBatchStore, 'markRevoked'>;
}

/** The end user whose sessions are deleted, and the caller. */
export interface SessionDeletion {
  readonly accountId: string;
  readonly endUserId: string;
  readonly requestId: string;
  readonly actor: string;
}

/** The number of deleted sessions, and whether others are left for the next request. */
export interface DeletedSessions {
  readonly count: number;
  readonly hasMore: boolean;
}

/** A session, as far as it is readable. */
type FoundSession = ConnectSession | 'unreadable' | undefined;

/** Pages of sessions that one request reads, most of which the caller may not reach. */
const PAGES_MAX = 10;
/** Tolerated concurrent changes of a session before it is left to the next request. */
const ATTEMPTS = 5;

/**
 * Deletes the sessions that were created for an end user, in any state, with all personal data. They open nothing from then on, and a
 * grant that waits for confirmation is ended (CS-22). Each deletion has its event, with the end user's id and without a name.
 *
 * @param reaches whether the caller may delete a session; `undefined` for an unreadable one
 */
export async function deleteSessionsOf(
  deps: DeleteSessionsDependencies,
  deletion: SessionDeletion,
  reaches: (session: ConnectSession | undefined) => boolean,
): Promise<DeletedSessions> {
  const { accountId, endUserId } = deletion;
  const deleted: SessionPlace[] = [];
  let isWhole = true;
  let after: string | undefined;
  for (let page = 0; page === 0 || after !== undefined; page++) {
    if (page === PAGES_MAX || deleted.length >= SESSIONS_DELETED_MAX) {
      isWhole = false;
      break;
    }
    const read = await deps.sessions.madeFor(accountId, endUserId, SESSIONS_DELETED_MAX, after);
    await eachOf(read.places, async (place) => {
      const outcome = await deleteSession(deps, place, deletion, reaches);
      if (outcome === 'deleted') deleted.push(place);
      else if (outcome === 'changing') isWhole = false;
    });
    after = read.next;
  }
  await noteWithdrawn(deps, deleted);
  return { count: deleted.length, hasMore: !isWhole };
}

async function deleteSession(
  deps: DeleteSessionsDependencies,
  place: SessionPlace,
  { requestId, actor }: SessionDeletion,
  reaches: (session: ConnectSession | undefined) => boolean,
): Promise<'deleted' | 'gone' | 'not_reached' | 'changing'> {
  const { accountId, endUserId, sessionHash } = place;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = await findReadable(deps, sessionHash);
    if (found === undefined) {
      await deps.sessions.forget(place);
      return 'gone';
    }
    const session = found === 'unreadable' ? undefined : found;
    if (!reaches(session)) return 'not_reached';
    // Before its session: if this process ends in between, the next request still finds it.
    if (session !== undefined) await withdraw(deps, session, { requestId, actor });
    const event = newEvent(deps.clock, deps.random, 'ConnectSessionDeleted', {
      subject: session === undefined ? { accountId } : subjectOf(session),
      sequence: 0,
      endUserId,
      says: { session_id: sessionIdOf(place) },
      requestId,
      actor,
    });
    if (await deps.sessions.erase(place, session?.status, event)) return 'deleted';
  }
  return 'changing';
}

async function findReadable({ sessions }: DeleteSessionsDependencies, sessionHash: string): Promise<FoundSession> {
  try {
    return await sessions.find(sessionHash);
  } catch (error) {
    if (isUnreadableRow(error)) return 'unreadable';
    throw error;
  }
}

/** Ends a session's unconfirmed grant, which contains the name, too. */
async function withdraw(
  deps: DeleteSessionsDependencies,
  { accountId, status, outcome, reconnect, sessionHash }: ConnectSession,
  request: { readonly requestId: string; readonly actor: string },
): Promise<void> {
  const { integrationId, connectionId } = outcome ?? {};
  if (status !== 'pending_confirmation' || integrationId === undefined || connectionId === undefined) return;
  const ref = { accountId, integrationId, connectionId };
  const unconfirmed = await deps.unconfirmed.read(ref, reconnect === undefined ? undefined : sessionHash);
  if (unconfirmed?.sessionHash === sessionHash) await endUnconfirmed(deps, unconfirmed, 'withdrawn', request);
}

/** Reconnect links among them are shown as withdrawn from now on. */
async function noteWithdrawn(deps: DeleteSessionsDependencies, deleted: readonly SessionPlace[]): Promise<void> {
  const links = Map.groupBy(deleted, ({ batchId }) => batchId);
  const now = new Date(deps.clock.nowMs()).toISOString();
  for (const [batchId, places] of links) {
    const [first] = places;
    if (batchId === undefined || first === undefined) continue;
    const hashes = new Set(places.map(({ sessionHash }) => sessionHash));
    await deps.reconnectBatches.markRevoked({ accountId: first.accountId, batchId }, hashes, now);
  }
}
