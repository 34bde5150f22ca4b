import type { PickRecord, SessionOutcome } from '../connections/authorized-session.rules.ts';
import type { ConnectionRef } from '../core/identifiers.ts';
import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import type { ProviderEndpoints } from '../providers/provider.rules.ts';
import type { IdTokenClaims } from './callback.rules.ts';
import type { ConnectSession, ConnectSessionStatus, PendingAuthorization } from './connect-session.rules.ts';
/** Ports of authorization: connect sessions, flows under way, grants to be confirmed. */

/** The end user of a session, by which it can be found. */
export interface SessionPlace {
  readonly accountId: string;
  readonly endUserId: string;
  readonly sessionHash: string;
  /** The batch of reconnect links that it belongs to. */
  readonly batchId: string | undefined;
}

export interface ConnectSessionStore {
  /** @param place undefined for a session that names no end user */
  create(session: ConnectSession, event: LifecycleEvent, place?: SessionPlace): Promise<void>;
  find(sessionHash: string): Promise<ConnectSession | undefined>;
  /**
   * Records the start in one browser, stores the data for the callback and writes the event, all or nothing; false when another browser
   * had started, or the session is over or was started too often.
   */
  start(session: ConnectSession, pending: PendingAuthorization, event: LifecycleEvent): Promise<boolean>;
  /** Ends a session without a connection, with its event, which is written even when the session is over already. */
  finish(
    sessionHash: string,
    status: ConnectSessionStatus,
    outcome: SessionOutcome,
    event: LifecycleEvent,
  ): Promise<void>;
  delete(sessionHash: string): Promise<void>;
  /**
   * Sessions created for an end user, strongly consistent; those of versions up to 0.2.0 are missing.
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
   * Removes a session with its place and writes the event, all or nothing; false when its status has changed.
   *
   * @param status undefined for an unreadable one, whatever its status
   */
  erase(place: SessionPlace, status: ConnectSessionStatus | undefined, event: LifecycleEvent): Promise<boolean>;
  /** Removes the place of a deleted session. */
  forget(place: SessionPlace): Promise<void>;
}

/** Picked files. */
export interface PickStore {
  /** Stores a pick for an unchanged connection, ends the session and writes the event, all or nothing. */
  save(
    ref: ConnectionRef,
    pick: PickRecord,
    session: { readonly sessionHash: string; readonly outcome: SessionOutcome },
    event: LifecycleEvent,
  ): Promise<'saved' | 'session_over' | 'connection_ended'>;
  read(ref: ConnectionRef, pickId: string): Promise<PickRecord | undefined>;
}

export interface PendingAuthorizationStore {
  /** Uses up the state by one conditional write; undefined when it is unknown or was used by another request. */
  spend(stateHash: string, requestId: string): Promise<PendingAuthorization | undefined>;
}

export interface IdTokenVerifier {
  /**
   * Claims of an ID token with valid signature, issuer, audience and times; undefined otherwise.
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

/** Links that were created together. Each link is shown only once; the stored data opens nothing. */
export interface ReconnectBatch {
  readonly accountId: string;
  /** ULID: sorts by time. */
  readonly batchId: string;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  /** Actor who created them. */
  readonly createdBy: string;
  readonly endsAtEpochSec: number;
  readonly links: readonly {
    readonly integrationId: string;
    readonly connectionId: string;
    /** SHA-256 of the session's token. */
    readonly sessionHash: string;
    /** ISO 8601 UTC; undefined while it is valid, and in batches of earlier releases, which were withdrawn as a whole. */
    readonly revokedAt?: string | undefined;
  }[];
  /** When the last of its links was withdrawn, ISO 8601 UTC; undefined while one is valid. */
  readonly revokedAt: string | undefined;
}

/** Reconnect links that were made in bulk. */
export interface ReconnectBatchStore {
  create(batch: ReconnectBatch): Promise<void>;
  read(accountId: string, batchId: string): Promise<ReconnectBatch | undefined>;
  /** The newest ones, newest first. */
  list(accountId: string, limit: number): Promise<ReconnectBatch[]>;
  /**
   * Records that some of its links were withdrawn, and the batch once all are.
   *
   * @param sessionHashes of those links
   */
  markRevoked(
    batch: Pick<ReconnectBatch, 'accountId' | 'batchId'>,
    sessionHashes: ReadonlySet<string>,
    revokedAt: string,
  ): Promise<void>;
}
