/** Connect sessions and authorizations under way. */
import type {
  ConnectSession,
  ConnectSessionStatus,
  PendingAuthorization,
  SessionOutcome,
} from '../domain/connect-session.ts';
import type { LifecycleEvent } from '../domain/lifecycle-event.ts';

export interface ConnectSessionStore {
  create(session: ConnectSession, event: LifecycleEvent): Promise<void>;
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
}

export interface PendingAuthorizationStore {
  /** Spends the state by one conditional write; undefined when unknown or spent by another request. */
  spend(stateHash: string, requestId: string): Promise<PendingAuthorization | undefined>;
}
