import * as z from 'zod';
import { LIFECYCLE_EVENT_TYPES } from '../../../gateway/events/lifecycle-event.rules.ts';
import { count, textMap, time } from './common.ts';
import { death } from './error.ts';

/** Answer of `POST /connections/{connectionId}/check`. */
export const check = z
  .object({
    data: z.object({
      works: z.boolean().meta({ description: 'Whether the provider accepts the connection’s token.' }),
      reason: z.string().meta({ description: 'ok, or why not.' }),
      message: z.string(),
      who: z.enum(['end_user', 'developer', 'workspace_admin']).nullable(),
      remedy: z.string().nullable(),
      upstream_status: z.int().nullable().meta({ description: 'Status of the provider, where it was asked.' }),
      connection: death.nullable(),
    }),
  })
  .meta({ id: 'ConnectionCheck' });

const event = z
  .object({
    event_id: z.string(),
    type: z.enum(LIFECYCLE_EVENT_TYPES),
    sequence: count.meta({ description: 'Counts up per connection; 0 for what changed nothing.' }),
    time,
    end_user_id: z.string().nullable(),
    cause: z.string().nullable(),
    remedy: z.string().nullable(),
    actor: z.string().nullable().meta({ description: 'Who asked for it; null for the gateway’s own work.' }),
    request_id: z.string(),
  })
  .meta({ id: 'ConnectionEvent' });

/** Answer of `GET /connections/{connectionId}/events`. */
export const eventPage = z
  .object({
    events: z.array(event),
    next_before: z.string().nullable().meta({ description: 'Send as before for the next page; null at the end.' }),
  })
  .meta({ id: 'EventPage' });

/** Answer of `GET /revocations`. */
export const pendingRevocations = z
  .object({
    data: z.object({
      pending: count.meta({ description: 'How many grants the provider has not ended yet.' }),
      complete: z.boolean().meta({ description: 'false where there are more than were counted.' }),
      oldest: z.array(
        z.object({
          provider_config_key: z.string(),
          connection_id: z.string(),
          requested_at: time,
          retry_at: time,
          failed_attempts: count,
        }),
      ),
    }),
  })
  .meta({ id: 'PendingRevocations' });

/** Answer of `POST /connections/{connectionId}/try`. */
export const triedCall = z
  .object({
    data: z.object({
      status: z.int().meta({ description: 'The provider’s status.' }),
      headers: textMap,
      content_type: z.string().nullable(),
      body: z.string().meta({ description: 'The provider’s body as text.' }),
      truncated: z.boolean(),
      duration_ms: z.number(),
    }),
  })
  .meta({ id: 'TriedCall' });
