import * as z from 'zod';
import { FEED_DELIVERIES, FEED_STATES } from '../../../gateway/feeds/feed.rules.ts';
import { count, nextCursor, time } from './common.ts';

const feedCursor = z
  .object({
    name: z.string(),
    sequence: count.meta({ description: 'The last batch that the consumer is done with.' }),
    lag: count.meta({ description: 'Batches that wait for the consumer.' }),
    moved_at: time,
  })
  .meta({ id: 'FeedCursor' });

const listed = {
  id: z.string(),
  provider_config_key: z.string(),
  connection_id: z.string(),
  resource: z.string().meta({ description: 'drive, drive:<id>, calendar:<id>, calendar_list, acl:<id> or settings.' }),
  state: z.enum(FEED_STATES).meta({
    description:
      'starting: the first place in the history is being fetched. watching: a push channel is open. polling: push cannot be had, reason says why. paused: the connection needs a new authorization. failing: Google refuses the resource.',
  }),
  reason: z.string().nullable().meta({ description: 'Why it polls, pauses or fails.' }),
  explanation: z.string().nullable(),
  remedy: z.string().nullable(),
  delivery: z.enum(FEED_DELIVERIES).meta({ description: 'bus: batches are events too. pull: by this API alone.' }),
  safety_interval_sec: count.meta({ description: 'Between two pulls without a message, while a channel is open.' }),
  poll_interval_sec: count.meta({ description: 'The same without a channel.' }),
  last_sequence: count.meta({ description: 'Number of the last batch; 0 before the first.' }),
  last_change_at: time.nullable(),
  last_pull_at: time.nullable(),
  next_pull_at: time.meta({ description: 'When it is pulled if no message comes before.' }),
  channel_ends_at: time.nullable().meta({ description: 'As Google granted it; a new channel is opened before.' }),
  failed_attempts: count,
  created_at: time,
};

const feedObject = z.object(listed).meta({ id: 'FeedSummary' });

const feedDetail = z
  .object({
    ...listed,
    messages: count.meta({ description: 'Messages that Google sent so far.' }),
    last_message_at: time.nullable(),
    pull_waiting: z.boolean().meta({ description: 'A message has come that no pull has answered yet.' }),
    cursors: z.array(feedCursor),
  })
  .meta({ id: 'Feed' });

/** Answer of the routes that give one feed. */
export const feed = z.object({ data: feedDetail }).meta({ id: 'FeedAnswer' });

/** Answer of `GET /feeds`. */
export const feedPage = z.object({ data: z.array(feedObject), next_cursor: nextCursor }).meta({ id: 'FeedPage' });

const feedChange = z
  .object({
    id: z.string().meta({ description: 'Google’s id of what changed.' }),
    kind: z.enum(['file', 'drive', 'event', 'calendar', 'acl', 'setting']),
    removed: z.boolean().meta({ description: 'Deleted, or out of the account’s reach.' }),
    time: time.optional(),
    mime_type: z.string().optional(),
  })
  .meta({ id: 'FeedChange' });

const feedBatch = z
  .object({
    sequence: count,
    kind: z.enum(['changes', 'gap']).meta({
      description: 'gap: changes may be missing before it; compare everything you have stored of the resource.',
    }),
    reason: z.string().nullable().meta({ description: 'Of a gap.' }),
    stored_at: time,
    changes: z.array(feedChange),
  })
  .meta({ id: 'FeedBatch' });

/** Answer of `GET /feeds/{feedId}/changes`. */
export const feedChanges = z
  .object({
    data: z.array(feedBatch),
    last_sequence: count.meta({ description: 'Number of the feed’s last batch.' }),
    has_more: z.boolean().meta({ description: 'Ask again behind the last batch of this answer at once.' }),
  })
  .meta({ id: 'FeedChanges' });

/** Answer of `PUT /feeds/{feedId}/cursors/{name}`. */
export const movedCursor = z.object({ data: feedCursor }).meta({ id: 'FeedCursorAnswer' });
