import * as z from 'zod';
import { time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import { STREAM_STATES } from './stream-state.rules.ts';

/** The member `security_events` of an integration's readiness. */
export const describedReadiness = documented(() => ({
  security_events: z
    .object({
      cloud_project: z.string(),
      state: z.enum(STREAM_STATES),
      verified_at: time().nullable(),
      last_event_at: time().nullable(),
      what: z.string().meta({ description: 'Where they stand, and what is missing.' }),
    })
    .nullable()
    .meta({
      description:
        'Whether Google’s security events of the OAuth client’s Cloud project reach the gateway: recommended, not required. Null without an own client, for providers that send none, and in a deployment without them.',
    }),
}));
