import type { UnconfirmedGrantStore } from '../../../../lambdas/gateway/authorization/ports.ts';
import type {
  Connection,
  ConnectionFilter,
  ConnectionSummary,
} from '../../../../lambdas/gateway/connections/connection.rules.ts';
import { listedFactsOf } from '../../../../lambdas/gateway/connections/health.rules.ts';
import {
  BY_NAME,
  type ListName,
  listedRowsOf,
  nameOfPlace,
  placeOfName,
} from '../../../../lambdas/gateway/connections/listed-rows.rules.ts';
import { listedSubject } from '../../../../lambdas/gateway/connections/listed-rows.store.ts';
import type {
  AuthorizedSession,
  ConnectionLists,
  ConnectionSearch,
  ConnectionStore,
  RevocationList,
} from '../../../../lambdas/gateway/connections/ports.ts';
import {
  firstLines,
  holdsWords,
  placedLines,
  refOfLine,
  searchEntry,
  searchText,
} from '../../../../lambdas/gateway/connections/search.rules.ts';
import type { UnconfirmedGrant } from '../../../../lambdas/gateway/connections/unconfirmed-grant.rules.ts';
import { type ConnectionRef, connectionRefKey } from '../../../../lambdas/gateway/core/identifiers.ts';
import { cloudProjectOf } from '../../../../lambdas/gateway/integrations/integration.rules.ts';
import type { PendingRevocation, RevocationStore } from '../../../../lambdas/gateway/tokens/ports.ts';
import type { MemoryEvents } from './memory-events.ts';
import { notUsed } from './not-used.ts';

/** Connections and pending revocations in memory: the conditions of the table, and lists that come in pages. */
export function memoryConnections(events: MemoryEvents) {
  const rows = new Map<string, Connection>();
  const pending = new Map<string, PendingRevocation>();
  const unconfirmed = new Map<string, UnconfirmedGrant>();
  const unconfirmedKey = (ref: ConnectionRef, session: string | undefined) =>
    `${connectionRefKey(ref)}#${session ?? ''}`;
  const keyOf = (one: UnconfirmedGrant) => unconfirmedKey(one.ref, one.isReconnect ? one.sessionHash : undefined);
  /** Called before each conditional write, to slip in what somebody else does meanwhile. */
  const hooks: {
    beforeWrite: (() => void) | undefined;
    /** Ends the session of a confirmed connection; false when it is not one that waits. */
    endSession: ((session: AuthorizedSession) => boolean) | undefined;
    /** Lists end with no row and a next page, as where a filter matches nothing for a while. */
    findsNothing: boolean;
    /** Every connection is in its lists; false as while the first walk is under way. */
    hasLists: boolean;
  } = { beforeWrite: undefined, endSession: undefined, findsNothing: false, hasLists: true };
  const current = (connection: Connection): Connection | undefined => {
    const hook = hooks.beforeWrite;
    hooks.beforeWrite = undefined;
    hook?.();
    return rows.get(connectionRefKey(connection));
  };

  const store: ConnectionStore = {
    read: async (ref) => rows.get(connectionRefKey(ref)),
    async save(connection, replacing, event) {
      const found = current(connection);
      if (found?.epoch !== replacing?.epoch || found?.sequence !== replacing?.sequence) return false;
      events.write(event);
      rows.set(connectionRefKey(connection), connection);
      return true;
    },
    async updateDescription(connection, _before, event) {
      const found = current(connection);
      if (found === undefined || found.status === 'deleted' || found.sequence !== connection.sequence) return false;
      events.write(event);
      const { endUser, tags, metadata, updatedAt } = connection;
      const { sequence } = event;
      rows.set(connectionRefKey(found), { ...found, endUser, tags, metadata, updatedAt, sequence });
      return true;
    },
    async delete(connection, event, revocation) {
      const found = current(connection);
      if (found === undefined || found.status === 'deleted') return false;
      if (found.epoch !== connection.epoch || found.sequence !== connection.sequence) return false;
      events.write(event);
      rows.set(connectionRefKey(found), tombstone(found, event.sequence));
      if (revocation !== undefined) pending.set(connectionRefKey(revocation.ref), revocation);
      return true;
    },
    async list(accountId, filter, limit, cursor, order = 'newest') {
      const sign = order === 'newest' ? 1 : -1;
      const matching = [...rows.values()]
        .filter((row) => row.accountId === accountId && row.status !== 'deleted' && matches(row, filter))
        .sort((a, b) => sign * position(b).localeCompare(position(a)))
        .filter((row) => cursor === undefined || sign * position(row).localeCompare(cursor) < 0);
      if (hooks.findsNothing) {
        return { connections: [], unreadable: [], next: cursor ?? `2100-01-01T00:00:00.000Z#${Date.UTC(2100) * 1024}` };
      }
      const page = matching.slice(0, limit);
      const last = page.at(-1);
      const next = matching.length > page.length && last !== undefined ? position(last) : undefined;
      return { connections: page.map(summary), unreadable: [], next };
    },
    async passOver(accountId, count, cursor, order) {
      const { connections, next } = await store.list(accountId, {}, count, cursor, order);
      return { next: next === undefined ? undefined : connections.at(-1)?.position };
    },
    async count(accountId, filter) {
      const listed = [...rows.values()].filter((row) => row.accountId === accountId && row.status !== 'deleted');
      return { total: listed.filter((row) => matches(row, filter)).length, complete: !hooks.findsNothing };
    },
    async noteGrantEnded(ref, endedAtEpochSec) {
      const found = rows.get(connectionRefKey(ref));
      if (found?.status !== 'active' || found.consentedAtEpochSec > endedAtEpochSec) return;
      rows.set(connectionRefKey(ref), { ...found, grantEndedAtEpochSec: endedAtEpochSec });
    },
    async sharingGrant(clientId, subject, limit) {
      const live = [...rows.values()].filter(
        (row) => row.status === 'active' && row.providerAccount?.subject === subject,
      );
      const waiting = [...unconfirmed.values()]
        .filter(
          ({ grant, confirmUntilEpochSec }) => grant.providerAccount.subject === subject && confirmUntilEpochSec > 0,
        )
        .map(({ ref, grant, isReconnect, sessionHash }) => ({
          ...ref,
          clientId: grant.clientId,
          consentedAtEpochSec: grant.consentedAtEpochSec,
          unconfirmed: { reconnectSession: isReconnect ? sessionHash : undefined },
        }));
      return [...live, ...waiting]
        .filter((row) => cloudProjectOf(row.clientId) === cloudProjectOf(clientId))
        .slice(0, limit);
    },
    async events(ref, limit, beforeEventId) {
      const found = events.all
        .filter(({ subject }) => 'connectionId' in subject && connectionRefKey(subject) === connectionRefKey(ref))
        .filter(({ eventId }) => beforeEventId === undefined || eventId < beforeEventId)
        .sort((a, b) => b.eventId.localeCompare(a.eventId))
        .slice(0, limit);
      return { events: found, next: found.length === limit ? found.at(-1)?.eventId : undefined };
    },
    async setRecording(connection, event) {
      const found = current(connection);
      if (found === undefined || found.status === 'deleted' || found.sequence !== connection.sequence) return false;
      events.write(event);
      rows.set(connectionRefKey(found), { ...connection, sequence: event.sequence });
      return true;
    },
    readRemains: notUsed,
    deleteRemains: notUsed,
    async saveAuthorized(connection, replacing, written, session) {
      const found = current(connection);
      if (found?.epoch !== replacing?.epoch || found?.sequence !== replacing?.sequence) return 'conflict';
      const waiting = session.unconfirmed;
      if (waiting === undefined || unconfirmed.get(keyOf(waiting)) !== waiting) return 'session_over';
      if (hooks.endSession?.(session) !== true) return 'session_over';
      unconfirmed.delete(keyOf(waiting));
      for (const event of written) events.write(event);
      rows.set(connectionRefKey(connection), connection);
      return 'saved';
    },
    takeLease: notUsed,
    storeTokens: notUsed,
    releaseLease: notUsed,
    markDead: notUsed,
    noteUse: notUsed,
    reschedule: notUsed,
  };

  const revocations: RevocationStore = {
    read: async (ref) => pending.get(connectionRefKey(ref)),
    due: notUsed,
    async put(revocation) {
      pending.set(connectionRefKey(revocation.ref), revocation);
    },
    async finish(revocation, event) {
      const key = connectionRefKey(revocation.ref);
      if (pending.get(key)?.requestedAtEpochSec !== revocation.requestedAtEpochSec) return false;
      events.write(event);
      pending.delete(key);
      return true;
    },
    async postpone(revocation, retryAtEpochSec) {
      const key = connectionRefKey(revocation.ref);
      if (pending.has(key))
        pending.set(key, { ...revocation, retryAtEpochSec, failureCount: revocation.failureCount + 1 });
    },
  };
  const unconfirmedGrants: UnconfirmedGrantStore = {
    save: notUsed,
    read: async (ref, session) => unconfirmed.get(unconfirmedKey(ref, session)),
    async end(grant, event, revocation) {
      if (unconfirmed.get(keyOf(grant)) !== grant) return 'gone';
      const key = connectionRefKey(grant.ref);
      if (revocation !== undefined && pending.has(key)) return 'revocation_pending';
      unconfirmed.delete(keyOf(grant));
      events.write(event);
      if (revocation !== undefined) pending.set(key, revocation);
      return 'ended';
    },
    async close(grant, _retryAtEpochSec) {
      unconfirmed.set(keyOf(grant), { ...grant, confirmUntilEpochSec: 0, failureCount: grant.failureCount + 1 });
    },
  };
  const revocationList: RevocationList = {
    async pending(accountId) {
      const refs = [...pending.values()].map(({ ref }) => ref).filter((ref) => ref.accountId === accountId);
      return { refs, complete: true };
    },
  };
  const search: ConnectionSearch = {
    async find(accountId, words, integrationIds) {
      const found = [...rows.values()]
        .filter((row) => row.accountId === accountId && row.status !== 'deleted')
        .filter((row) => integrationIds?.includes(row.integrationId) !== false)
        .map((row) => ({ ...row, text: searchText(row) }));
      return { found: found.filter(({ text }) => holdsWords(text, words)), complete: true };
    },
    inOrder: async (accountId, order) => {
      const first = firstLines(order);
      for (const row of rows.values()) {
        if (row.accountId !== accountId || row.status === 'deleted') continue;
        for (const line of placedLines(searchEntry(row), order.integrationIds)) first.take(line);
      }
      return first.end().flatMap(({ key, place }) => {
        const ref = refOfLine(key);
        return ref === undefined ? [] : [{ ...ref, place }];
      });
    },
    count: async (accountId, integrationIds) =>
      [...rows.values()].filter(
        (row) => row.accountId === accountId && row.status !== 'deleted' && integrationIds.includes(row.integrationId),
      ).length,
    summaries: async (refs) =>
      refs.flatMap((ref) => {
        const row = rows.get(connectionRefKey(ref));
        return row === undefined || row.status === 'deleted' ? [] : [{ ...row, ...summary(row) }];
      }),
  };
  /** Rows of lists, newest first: their places and whose they are. */
  const listed = (accountId: string, { kind, value }: ListName, integrationIds: readonly string[] | undefined) =>
    [...rows.values()]
      .filter((row) => row.accountId === accountId && integrationIds?.includes(row.integrationId) !== false)
      .flatMap((row) =>
        listedRowsOf(listedSubject(row))
          .filter(({ list }) => list.kind === kind && list.value === value)
          .map(({ place }) => ({ ...row, position: place })),
      )
      .sort((a, b) => (a.position < b.position ? 1 : -1));
  const lists: ConnectionLists = {
    isComplete: async () => hooks.hasLists,
    async page(accountId, of, integrationIds, { order, after, count }) {
      const sign = order === 'newest' ? 1 : -1;
      const all = of
        .flatMap((list) => listed(accountId, list, integrationIds))
        .sort((a, b) => sign * (a.position < b.position ? 1 : -1))
        .filter(({ position: at }) => after === undefined || (order === 'newest' ? at < after : at > after));
      const refs = all.slice(0, count);
      return { refs, next: refs.length < all.length ? refs.at(-1)?.position : undefined };
    },
    async passOver(accountId, list, order, after, count) {
      const { refs, next } = await lists.page(accountId, [list], undefined, { order, after, count });
      return next === undefined ? undefined : refs.at(-1)?.position;
    },
    async count(accountId, of, integrationIds) {
      return { total: of.flatMap((list) => listed(accountId, list, integrationIds)).length, complete: true };
    },
    async byName(accountId, integrationIds, isDescending, after, count) {
      const order = isDescending ? 'newest' : 'oldest';
      const place = after === undefined ? undefined : placeOfName(after);
      const { refs, next } = await lists.page(accountId, [BY_NAME], integrationIds, { order, after: place, count });
      return {
        refs: refs.map((ref) => ({ ...ref, place: nameOfPlace(ref.position) })),
        next: next === undefined ? undefined : nameOfPlace(next),
      };
    },
  };
  /** Keeps a grant that waits for its confirmation. */
  const wait = (grant: UnconfirmedGrant) => void unconfirmed.set(keyOf(grant), grant);
  return {
    rows,
    pending,
    unconfirmed,
    wait,
    hooks,
    store,
    search,
    lists,
    revocations,
    unconfirmedGrants,
    revocationList,
  };
}

function tombstone(row: Connection, sequence: number): Connection {
  return {
    ...row,
    status: 'deleted',
    encryptedAccessToken: undefined,
    encryptedRefreshToken: undefined,
    endUser: undefined,
    providerAccount: undefined,
    metadata: undefined,
    tags: {},
    epoch: row.epoch + 1,
    sequence,
  };
}

function matches(row: Connection, filter: ConnectionFilter): boolean {
  const tags = Object.entries(filter.tags ?? {});
  return (
    (filter.integrationIds === undefined || filter.integrationIds.includes(row.integrationId)) &&
    (filter.status === undefined || filter.status === row.status) &&
    (filter.isFailing !== true || row.callFault !== undefined) &&
    (filter.cause === undefined || filter.cause === row.death?.cause) &&
    (filter.connectionId === undefined || filter.connectionId === row.connectionId) &&
    (filter.endUserId === undefined || filter.endUserId === row.endUser?.id) &&
    (filter.organizationId === undefined || filter.organizationId === row.endUser?.organization?.id) &&
    tags.every(([key, value]) => row.tags[key] === value)
  );
}

function position(row: Connection): string {
  return `${row.createdAt}#${row.numericId}`;
}

function summary(row: Connection): ConnectionSummary {
  return { ...row, cause: row.death?.cause, facts: listedFactsOf(row), position: position(row) };
}
