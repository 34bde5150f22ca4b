import { renewedDetail } from '../../../gateway/events/lifecycle-event.rules.ts';
import { messageBody, type WebhookEvent } from '../webhook.rules.ts';

/** The requested work. */
export type Invocation = { readonly kind: 'sweep' } | { readonly kind: 'event'; readonly event: WebhookEvent };

/**
 * Reads an event of the bus, or the schedule's `{"slice": …}`.
 *
 * @throws Error for any other input: it goes to the dead letters, where it is visible
 */
export function readInvocation(input: unknown): Invocation {
  if (typeof input === 'object' && input !== null) {
    // One tick sweeps the whole index.
    if ('slice' in input) return { kind: 'sweep' };
    const event =
      'detail-type' in input && 'detail' in input ? readEvent(input['detail-type'], input.detail) : undefined;
    if (event !== undefined) return { kind: 'event', event };
  }
  throw new Error('This is neither an event of the gateway nor a tick of its schedule.');
}

function readEvent(eventType: unknown, detail: unknown): WebhookEvent | undefined {
  if (typeof eventType !== 'string' || typeof detail !== 'object' || detail === null) return undefined;
  const data: Record<string, unknown> = { ...detail };
  const { account_id: accountId, event_id: eventId, integration_id: integrationId, time } = data;
  if (typeof accountId !== 'string' || typeof eventId !== 'string' || typeof time !== 'string') return undefined;
  // An id with a dot could be read as another message's id and time.
  if (accountId === '' || !/^[0-9A-Za-z_-]{1,64}$/.test(eventId)) return undefined;
  return {
    accountId,
    eventId,
    eventType,
    integrationId: typeof integrationId === 'string' ? integrationId : '',
    body: messageBody(eventType, time, renewedDetail(eventType, data)),
  };
}
