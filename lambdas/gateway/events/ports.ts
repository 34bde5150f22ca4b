/** Ports for events that report no change of a record, and for reading the audit trail. */
import type { AuditWalk } from './audit-walk.rules.ts';
import type { LifecycleEvent, StoredEvent } from './lifecycle-event.rules.ts';

export interface AuditTrail {
  /** Writes an event that reports no change of a record, such as a read of credentials. */
  append(event: LifecycleEvent): Promise<void>;
}

/** Which part of an account's audit trail. */
export interface AuditRange {
  readonly sinceMs: number | undefined;
  /** Excludes events at or after this time. */
  readonly untilMs: number | undefined;
  /** Id of an event: older ones follow. */
  readonly before: string | undefined;
}

export interface AuditList {
  /** Events of the account and all its connections, newest first; `next` continues behind the page, undefined at the end. */
  page(
    accountId: string,
    range: AuditRange,
    limit: number,
  ): Promise<{ readonly events: readonly StoredEvent[]; readonly next: string | undefined }>;
  /** Progress of listing events of an earlier version; undefined before the first tick. */
  walk(accountId: string): Promise<AuditWalk | undefined>;
}

export interface AuditUpkeep {
  /** Undefined before the first tick. */
  read(accountId: string): Promise<AuditWalk | undefined>;
  /** Takes the next step of the walk, bounded. */
  goOn(
    accountId: string,
    walk: AuditWalk | undefined,
    nowMs: number,
  ): Promise<{ readonly added: number; readonly walk: AuditWalk }>;
}
