/** Where events are written that report no change of a record. */
import type { LifecycleEvent } from './lifecycle-event.rules.ts';

export interface AuditTrail {
  /** Writes an event that reports no change of a record, such as a read of credentials. */
  append(event: LifecycleEvent): Promise<void>;
}
