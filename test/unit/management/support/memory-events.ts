import type { LifecycleEvent } from '../../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import type { AuditTrail } from '../../../../lambdas/gateway/events/ports.ts';

/** The trail of events; may refuse, as a table that is down would. */
export class MemoryEvents implements AuditTrail {
  readonly all: LifecycleEvent[] = [];
  failing = false;

  async append(event: LifecycleEvent): Promise<void> {
    this.write(event);
  }

  write(event: LifecycleEvent): void {
    if (this.failing) throw new Error('The table is not reachable');
    this.all.push(event);
  }

  types(): string[] {
    return this.all.map(({ eventType }) => eventType);
  }
}
