import type { Clock, Random } from '../core/ports.ts';
import { type LifecycleEvent, type LifecycleEventType, ulid } from './lifecycle-event.rules.ts';

/** What an event says beyond its type, time and id. */
export interface EventFacts {
  readonly subject: LifecycleEvent['subject'];
  readonly sequence: number;
  readonly endUserId?: string | undefined;
  readonly cause?: string | undefined;
  readonly remedy?: string | undefined;
  readonly requestId: string;
  readonly actor?: string | undefined;
}

/** A new event, to be written in the transaction of the change it reports. */
export function newEvent(
  clock: Clock,
  random: Random,
  eventType: LifecycleEventType,
  facts: EventFacts,
): LifecycleEvent {
  const nowMs = clock.nowMs();
  return {
    eventId: ulid(nowMs, random.bytes(10)),
    eventType,
    sequence: facts.sequence,
    occurredAt: new Date(nowMs).toISOString(),
    subject: facts.subject,
    endUserId: facts.endUserId,
    cause: facts.cause,
    remedy: facts.remedy,
    requestId: facts.requestId,
    actor: facts.actor,
  };
}
