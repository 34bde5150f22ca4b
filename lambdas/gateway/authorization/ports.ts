import type { PickRecord, SessionOutcome } from '../connections/authorized-session.rules.ts';
import type { ConnectionRef } from '../core/identifiers.ts';
import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import type { ProviderEndpoints } from '../providers/provider.rules.ts';
import type { IdTokenClaims } from './callback.rules.ts';
import type { ConnectSession, ConnectSessionStatus, PendingAuthorization } from './connect-session.rules.ts';
/** What authorization needs from outside: connect sessions, flows under way, grants to be confirmed. */

/** For whom a session was made, so that it can be found by its end user. */
export interface SessionPlace {
  readonly accountId: string;
  readonly endUserId: string;
  readonly sessionHash: string;
  /** The reconnect links that it is one of. */
  readonly batchId: string | undefined;
}

export interface ConnectSessionStore {
  /** @param place undefined for a session that names no end user */
  create(session: ConnectSession, event: LifecycleEvent, place?: SessionPlace): Promise<void>;
  find(sessionHash: string): Promise<ConnectSession | undefined>;
  /**
   * Notes the start in one browser, keeps what the callback will need and writes the event, all or nothing; false when
   * another browser had started, the session is over or was started too often.
   */
  start(session: ConnectSession, pending: PendingAuthorization, event: LifecycleEvent): Promise<boolean>;
  /** Ends a session that yielded nothing, with its event; the event is written also when the session is over already. */
  finish(
    sessionHash: string,
    status: ConnectSessionStatus,
    outcome: SessionOutcome,
    event: LifecycleEvent,
  ): Promise<void>;
  delete(sessionHash: string): Promise<void>;
  /**
   * Sessions that were made for an end user, strongly consistent; those of versions up to 0.2.0 have no place.
   *
   * @param after where the page before ended
   */
  madeFor(
    accountId: string,
    endUserId: string,
    limit: number,
    after?: string,
  ): Promise<{ readonly places: readonly SessionPlace[]; readonly next: string | undefined }>;
  /**
   * Removes a session with its place and writes the event, all or nothing; false when its status is another by now.
   *
   * @param status undefined for one that cannot be read, whatever its status
   */
  erase(place: SessionPlace, status: ConnectSessionStatus | undefined, event: LifecycleEvent): Promise<boolean>;
  /** Removes the place of a session that is gone. */
  forget(place: SessionPlace): Promise<void>;
}

/** What users picked. */
export interface PickStore {
  /** Keeps a pick for a connection that stays as it is, ends the session with it and writes the event, all or nothing. */
  save(
    ref: ConnectionRef,
    pick: PickRecord,
    session: { readonly sessionHash: string; readonly outcome: SessionOutcome },
    event: LifecycleEvent,
  ): Promise<'saved' | 'session_over' | 'connection_ended'>;
  read(ref: ConnectionRef, pickId: string): Promise<PickRecord | undefined>;
}

export interface PendingAuthorizationStore {
  /** Spends the state by one conditional write; undefined when unknown or spent by another request. */
  spend(stateHash: string, requestId: string): Promise<PendingAuthorization | undefined>;
}

export interface IdTokenVerifier {
  /**
   * Claims of an ID token whose signature, issuer, audience and times hold; undefined otherwise.
   *
   * @param issuers spellings of the one issuer
   */
  verify(
    endpoints: ProviderEndpoints,
    idToken: string,
    clientId: string,
    issuers: readonly string[],
  ): Promise<IdTokenClaims | undefined>;
}

/** Links that were made together. The links themselves are shown once; what is kept opens nothing. */
export interface ReconnectBatch {
  readonly accountId: string;
  /** ULID: sorts by time. */
  readonly batchId: string;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  /** Actor who made them. */
  readonly createdBy: string;
  readonly endsAtEpochSec: number;
  readonly links: readonly {
    readonly integrationId: string;
    readonly connectionId: string;
    /** SHA-256 of the session's token. */
    readonly sessionHash: string;
    /** ISO 8601 UTC; undefined while it counts, and in batches of earlier releases, which were withdrawn as a whole. */
    readonly revokedAt?: string | undefined;
  }[];
  /** When the last of its links was withdrawn, ISO 8601 UTC; undefined while one counts. */
  readonly revokedAt: string | undefined;
}

/** Reconnect links that were made in bulk. */
export interface ReconnectBatchStore {
  create(batch: ReconnectBatch): Promise<void>;
  read(accountId: string, batchId: string): Promise<ReconnectBatch | undefined>;
  /** The newest ones, newest first. */
  list(accountId: string, limit: number): Promise<ReconnectBatch[]>;
  /**
   * Notes that some of its links were withdrawn, and the batch as soon as all are.
   *
   * @param sessionHashes of those links
   */
  markRevoked(
    batch: Pick<ReconnectBatch, 'accountId' | 'batchId'>,
    sessionHashes: ReadonlySet<string>,
    revokedAt: string,
  ): Promise<void>;
}
