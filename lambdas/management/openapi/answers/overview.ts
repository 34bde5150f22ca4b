import * as z from 'zod';
import { count, time } from './common.ts';

const day = z.string().meta({ format: 'date', description: 'A day in UTC.' });
const ref = { connection_id: z.string(), provider_config_key: z.string() };

/** Answer of `GET /overview`. */
export const overview = z
  .object({
    data: z.object({
      read_at: time,
      covered: z
        .object({
          connections: count.meta({ description: 'The newest connections, which every count is of.' }),
          complete: z.boolean().meta({ description: 'Whether these are all.' }),
          in_detail: count.meta({
            description: 'How many of them were read in full: ends and refreshes are of these.',
          }),
        })
        .meta({ description: 'How much of the account was read.' }),
      integrations: count,
      statuses: z.object({ active: count, reauthorization_required: count }),
      causes: z.array(z.object({ cause: z.string(), count })).meta({ description: 'Of dead connections, most first.' }),
      totals: z
        .object({
          active: count,
          reauthorization_required: count,
          causes: z.array(z.object({ cause: z.string(), count })),
          counted_at: time,
        })
        .nullable()
        .meta({
          description:
            'All connections as last counted, where covered is not complete; null where it is, before the first count, and for a key limited to some integrations.',
        }),
      status_by_day: z
        .array(z.object({ day, active: count, reauthorization_required: count }))
        .meta({ description: 'Today’s connections at the end of each of the last 14 days.' }),
      undated_deaths: count.meta({ description: 'Dead connections that count as dead from the day they were made.' }),
      refreshes_by_day: z
        .array(z.object({ day, renewed: count, refused: count }))
        .meta({ description: 'The latest refresh of each connection, of the last 7 days; earlier ones are not kept.' }),
      ending: z
        .array(
          z.object({
            ...ref,
            end_user: z.object({ id: z.string(), email: z.string().nullable() }).nullable(),
            ends_at: time,
            reason: z.enum(['testing_mode', 'time_limited_access']),
          }),
        )
        .meta({ description: 'Known to end within 7 days, the next one first.' }),
      rejected_integrations: z
        .array(z.object({ unique_key: z.string(), display_name: z.string(), error: z.string(), since: time }))
        .meta({ description: 'Their OAuth client is refused by the provider.' }),
      crowded_accounts: z
        .array(z.object({ ...ref, email: z.string().nullable(), live: count, limit: count }))
        .meta({ description: 'Provider accounts near the limit of refresh tokens, each by its newest connection.' }),
    }),
  })
  .meta({ id: 'Overview' });
