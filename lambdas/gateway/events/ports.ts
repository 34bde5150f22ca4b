/** Where events are written that report no change of a record. */
import type { LifecycleEvent } from './lifecycle-event.rules.ts';

export interface AuditTrail {
  /** Writes an event that reports no change of a record, such as a read of credentials. */
  append(event: LifecycleEvent): Promise<void>;
}

/** Which part of an account's audit trail. */
export interface AuditRange {
  readonly sinceMs: number | undefined;
  /** What is as late or later is left out. */
  readonly untilMs: number | undefined;
  /** Id of an event: what is older follows. */
  readonly before: string | undefined;
}

export interface AuditList {
  /** Events of the account and all its connections, newest first; `next` continues behind the page, undefined at the end. */
  page(
    accountId: string,
    range: AuditRange,
    limit: number,
  ): Promise<{ readonly events: readonly LifecycleEvent[]; readonly next: string | undefined }>;
}
