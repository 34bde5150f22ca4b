import type { LifecycleEvent } from '../../gateway/events/lifecycle-event.rules.ts';

/** One event of a timeline in the API's spelling. */
export function eventOnTheWire(event: LifecycleEvent): Record<string, unknown> {
  return {
    event_id: event.eventId,
    type: event.eventType,
    sequence: event.sequence,
    time: event.occurredAt,
    end_user_id: event.endUserId ?? null,
    cause: event.cause ?? null,
    remedy: event.remedy ?? null,
    actor: event.actor ?? null,
    request_id: event.requestId,
  };
}
