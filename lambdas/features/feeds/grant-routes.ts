import * as z from 'zod';
import { findConnection, findIntegration } from '../../gateway/connections/find-connection.ts';
import { epochSecNow } from '../../gateway/core/clock.ts';
import { GatewayError, type Problem, refusal } from '../../gateway/core/errors.ts';
import { connectionRefKey } from '../../gateway/core/identifiers.ts';
import { managedAfter, managedWithout } from '../../gateway/core/managed-by.rules.ts';
import { count, nextCursor, success, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { CONNECTION, INTEGRATION } from '../../gateway/openapi/sample.ts';
import { reaches, requireReach } from '../../management/authenticate.ts';
import { nameOf } from '../../management/calls/name-connections.ts';
import { refuseUnknownFilter } from '../../management/integrations/unknown-integrations.ts';
import { pageOf } from '../../management/list-page.ts';
import { type Caller, grantRoute, isoTime, isoTimeOrNull, type Route } from '../../management/route.ts';
import { connectionId, cursor, integerParam, integrationId } from '../../management/schemas/common.ts';
import { changing, forceQuery, managedByAnswer, managedByOnTheWire } from '../../management/schemas/managed-by.ts';
import type { GrantServices } from '../../management/services.ts';
import { endFeed } from './end-feed.ts';
import {
  batchesAfter,
  changeOnTheWire,
  explainFeed,
  FEED_DELIVERIES,
  type Feed,
  type FeedBatch,
  lastDroppedBatch,
  liveChannel,
  overdueSince,
  SHOWN_FEED_STATES,
  shownState,
} from './feed.rules.ts';
import { newFeedEvent } from './feed-event.ts';
import {
  FEED_RESOURCE_RULE,
  type FeedResource,
  feedResourceText,
  MEANINGS,
  parseFeedResource,
} from './feed-resource.rules.ts';
import {
  FEED_BATCHES_PER_ANSWER,
  FEED_CURSORS_MAX,
  FEED_POLL_INTERVAL_SEC,
  FEED_REMINDERS_MAX,
  FEED_REQUEST_BUDGET_MS,
  FEED_SAFETY_INTERVAL_SEC,
  REMINDER_MAX_MINUTES,
} from './limits.rules.ts';
import { createFeed, resourceProblems, unknownFeed } from './manage-feeds.ts';
import { hasMeaning } from './meaning.rules.ts';
import type { FeedCursorName } from './ports.ts';
import { workOnFeed } from './work-on-feed.ts';

const resource = z.string().refine((text) => parseFeedResource(text) !== undefined, FEED_RESOURCE_RULE);
const delivery = z.enum(FEED_DELIVERIES, { error: `must be one of: ${FEED_DELIVERIES.join(', ')}` });
const DAY_SEC = 24 * 3600;
const interval = (min: number) =>
  z
    .int(`must be a whole number of seconds from ${min} to ${DAY_SEC}`)
    .min(min, `must be at least ${min}`)
    .max(DAY_SEC, `must be at most ${DAY_SEC}`);
const reminders = z
  .array(
    z
      .int('must be a whole number of minutes')
      .min(1, 'must be at least 1')
      .max(REMINDER_MAX_MINUTES, `must be at most ${REMINDER_MAX_MINUTES}, which is a day`),
  )
  .max(FEED_REMINDERS_MAX, `must be at most ${FEED_REMINDERS_MAX} reminders`)
  .refine((minutes) => new Set(minutes).size === minutes.length, 'must name each number once');
const settings = {
  delivery: delivery.optional(),
  safety_interval_sec: interval(60).optional(),
  poll_interval_sec: interval(60).optional(),
  meaning: z.boolean('must be true or false').optional(),
  seen: z.boolean('must be true or false').optional(),
  reminders: reminders.optional(),
};

/** Body of `POST /feeds`. */
const createFeedBody = z.strictObject({
  provider_config_key: integrationId,
  connection_id: connectionId,
  resource,
  ...settings,
});

/** Body of `PATCH /feeds/{feedId}`. */
const changeFeedBody = z
  .strictObject(settings)
  .refine((body) => Object.keys(body).length > 0, 'name at least one setting to change')
  .meta({ minProperties: 1 });

const listQuery = z
  .strictObject({ provider_config_key: integrationId.optional(), connection_id: connectionId.optional(), cursor })
  .refine((query) => query.connection_id === undefined || query.provider_config_key !== undefined, {
    path: ['provider_config_key'],
    message: 'is required with connection_id',
  });

const SEQUENCE_MAX = 999_999_999;
const cursorName = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, 'use 1 to 64 letters, digits, dots, underscores or hyphens');

const changesQuery = z
  .strictObject({
    after: integerParam(0, SEQUENCE_MAX).optional(),
    name: cursorName.optional(),
    limit: integerParam(1, FEED_BATCHES_PER_ANSWER).optional(),
  })
  .refine((query) => (query.after === undefined) !== (query.name === undefined), {
    path: ['after'],
    message: 'send either after, a sequence, or name, one of your cursors',
  });

const cursorBody = z.strictObject({
  sequence: z.int('must be a whole number').min(0, 'must be at least 0').max(SEQUENCE_MAX),
});

const cursorAnswer = documented(() =>
  z
    .object({
      name: z.string(),
      sequence: count().meta({ description: 'The last batch that the consumer has processed.' }),
      lag: count().meta({ description: 'Batches that the consumer has not read.' }),
      moved_at: time(),
    })
    .meta({ id: 'FeedCursor' }),
);

const listedMembers = documented(() => ({
  id: z.string(),
  provider_config_key: z.string(),
  connection_id: z.string(),
  resource: z.string().meta({
    description: 'drive, drives, drive:<id>, folder:<id>, calendar:<id>, calendar_list, acl:<id> or settings.',
  }),
  state: z.enum(SHOWN_FEED_STATES).meta({
    description:
      'starting: the first position in the history is being fetched. watching: a push channel is open. polling: push is not available, and reason says why. waiting: the next pull waits for Google’s quota until next_pull_at. paused: the connection needs a new authorization. failing: Google refuses the resource or, with the reason overdue, no read has succeeded for eight minutes after it was due.',
  }),
  reason: z
    .string()
    .nullable()
    .meta({ description: 'Why the feed polls, waits, pauses or fails, or what it leaves out.' }),
  explanation: z.string().nullable(),
  remedy: z.string().nullable(),
  delivery: z
    .enum(FEED_DELIVERIES)
    .meta({ description: 'bus: batches are also sent as events. pull: batches are available only through this API.' }),
  safety_interval_sec: count().meta({
    description: 'Seconds between pulls without a message, while a channel is open.',
  }),
  poll_interval_sec: count().meta({ description: 'Seconds between pulls without a channel.' }),
  meaning: z.boolean().meta({ description: 'Whether changes say in `what` what they were.' }),
  seen: z.boolean().meta({
    description:
      'Whether, with meaning, changes of files are also reported that only `seen` describes, such as that somebody opened a file.',
  }),
  reminders: z.array(count()).meta({
    description: 'Of a calendar: how many minutes before its start an event is reported in a batch of kind `starts`.',
  }),
  last_sequence: count().meta({ description: 'Number of the last batch; 0 before the first.' }),
  last_change_at: time().nullable(),
  last_pull_at: time().nullable(),
  next_pull_at: time().meta({ description: 'When the next pull is due if no message arrives before.' }),
  channel_ends_at: time()
    .nullable()
    .meta({ description: 'End granted by Google; a new channel is opened before then.' }),
  failed_attempts: count(),
  behind_since: time().nullable().meta({
    description:
      'Set while the feed is behind, because it fails, is paused, waits for quota, or was not pulled for eight minutes after it was due: its last pull, or its creation before the first.',
  }),
  created_at: time(),
  managed_by: managedByAnswer().nullable(),
}));

const summaryAnswer = documented(() =>
  z
    .object({
      ...listedMembers(),
      connection_name: z.string().meta({
        description: 'Name, e-mail address or id of the end user, or the connection’s id where nothing else is known.',
      }),
    })
    .meta({ id: 'FeedSummary' }),
);

const detailAnswer = documented(() =>
  z
    .object({
      ...listedMembers(),
      messages: count().meta({ description: 'Messages that Google has sent.' }),
      last_message_at: time().nullable(),
      pull_waiting: z.boolean().meta({ description: 'A message has arrived that no pull has followed yet.' }),
      cursors: z.array(cursorAnswer()),
      drives: z.array(z.string()).nullable().meta({
        description: 'Ids of the shared drives that a feed of drives follows; null for every other resource.',
      }),
    })
    .meta({ id: 'Feed' }),
);

const oneFeed = documented(() => z.object({ data: detailAnswer() }).meta({ id: 'FeedAnswer' }));

const feedPage = documented(() =>
  z.object({ data: z.array(summaryAnswer()), next_cursor: nextCursor() }).meta({ id: 'FeedPage' }),
);

const changeAnswer = documented(() =>
  z
    .object({
      id: z.string().meta({ description: 'Google’s id of the changed item.' }),
      kind: z.enum(['file', 'drive', 'event', 'calendar', 'acl', 'setting']),
      removed: z.boolean().meta({
        description:
          'Deleted, or no longer accessible to the account; in a feed of drive:<id> also moved out of that shared drive. In a feed of drive or drives, a file that was moved and can still be read is not removed. In a feed of folder:<id>, whatever is not below the folder any more, or in the trash.',
      }),
      time: time().optional(),
      mime_type: z.string().optional(),
      minutes_before: count().optional().meta({
        description: 'In a batch of kind starts: which reminder it is. `time` is when the event starts.',
      }),
      subtree: z.boolean().optional().meta({
        description:
          'In a feed of folder:<id>, of a folder: everything below it has come, moved or gone with it. List what is below it, or drop that if the folder is removed.',
      }),
      what: z.array(z.enum(MEANINGS)).optional().meta({
        description:
          'With meaning, what the change was; several words if several things changed. Files: created, content, renamed, moved, shared, trashed, restored, removed, updated, seen. In a feed of folder:<id>, also without meaning: entered, left. Events: created, moved, responded, updated, cancelled. unknown: the feed has not seen the item before, and the item is older than the feed’s knowledge.',
      }),
    })
    .meta({ id: 'FeedChange' }),
);

const batchAnswer = documented(() =>
  z
    .object({
      sequence: count(),
      kind: z.enum(['changes', 'gap', 'starts']).meta({
        description:
          'gap: changes before this batch may be missing; compare everything that you store of the resource. starts: events that start soon, as `reminders` of the feed ask for; they have not changed.',
      }),
      reason: z.string().nullable().meta({ description: 'Reason for a gap.' }),
      stored_at: time(),
      changes: z.array(changeAnswer()),
    })
    .meta({ id: 'FeedBatch' }),
);

const standingMembers = documented(() => {
  const { state, reason, explanation, remedy } = listedMembers();
  return { state, reason, explanation, remedy };
});

const standingAnswer = documented(() =>
  z.object(standingMembers()).meta({
    id: 'FeedStanding',
    description: 'Whether the feed is read at all: no batches can mean that nothing changed, or that it is paused.',
  }),
);

const changesAnswer = documented(() =>
  z
    .object({
      data: z.array(batchAnswer()),
      last_sequence: count().meta({ description: 'Number of the feed’s last batch.' }),
      has_more: z
        .boolean()
        .meta({ description: 'There are more batches: ask again at once after the last batch of this answer.' }),
      feed: standingAnswer(),
    })
    .meta({ id: 'FeedChanges' }),
);

const movedCursor = documented(() => z.object({ data: cursorAnswer() }).meta({ id: 'FeedCursorAnswer' }));

/** One feed with its consumers and messages. */
async function shown(services: GrantServices, feed: Feed): Promise<AnswerOf<typeof detailAnswer>> {
  const { feeds } = services.parts.feeds;
  const [mark, cursors, logs] = await Promise.all([
    feeds.readMark(feed),
    feeds.cursors(feed),
    feed.resource.kind === 'drives' ? feeds.logs(feed) : undefined,
  ]);
  return {
    ...feedOnTheWire(feed, nowSec(services)),
    messages: mark?.messages ?? 0,
    last_message_at: isoTimeOrNull(mark?.lastMessageAtEpochSec),
    pull_waiting: mark?.marked ?? false,
    cursors: cursors.map((one) => cursorOnTheWire(one, feed)),
    drives: logs?.map(({ driveId }) => driveId) ?? null,
  };
}

/** A feed in the API's spelling, without the provider's cursors and channel tokens. */
function feedOnTheWire(feed: Feed, nowEpochSec: number): Omit<AnswerOf<typeof summaryAnswer>, 'connection_name'> {
  const channel = liveChannel(feed, nowEpochSec);
  return {
    id: feed.feedId,
    provider_config_key: feed.connection.integrationId,
    connection_id: feed.connection.connectionId,
    resource: feedResourceText(feed.resource),
    ...standingOf(feed, nowEpochSec),
    delivery: feed.delivery,
    safety_interval_sec: feed.safetyIntervalSec,
    poll_interval_sec: feed.pollIntervalSec,
    meaning: feed.meaning,
    seen: feed.seen,
    reminders: [...feed.reminders],
    last_sequence: feed.sequence,
    last_change_at: isoTimeOrNull(feed.lastBatchAtEpochSec),
    last_pull_at: feed.lastPullAtMs === 0 ? null : new Date(feed.lastPullAtMs).toISOString(),
    next_pull_at: isoTime(Math.max(feed.pullAtEpochSec, feed.notBeforeEpochSec)),
    channel_ends_at: isoTimeOrNull(channel?.endsAtEpochSec),
    failed_attempts: feed.failureCount,
    behind_since: behindSince(feed, nowEpochSec),
    created_at: feed.createdAt,
    managed_by: feed.managedBy === undefined ? null : managedByOnTheWire(feed.managedBy),
  };
}

/** How a feed is, and what to do. */
function standingOf(feed: Feed, nowEpochSec: number): AnswerOf<typeof standingAnswer> {
  const { state, reason } = shownState(feed, nowEpochSec);
  const explained = explainFeed(reason);
  return {
    state,
    reason: reason ?? null,
    explanation: explained?.explanation ?? null,
    remedy: explained?.remedy ?? null,
  };
}

/** States in which changes are not pulled. */
const STOPPED = new Set(['failing', 'paused', 'waiting']);

function behindSince(feed: Feed, nowEpochSec: number): string | null {
  if (overdueSince(feed, nowEpochSec) === undefined && !STOPPED.has(shownState(feed, nowEpochSec).state)) return null;
  return feed.lastPullAtMs === 0 ? feed.createdAt : new Date(feed.lastPullAtMs).toISOString();
}

function cursorOnTheWire(cursorOf: FeedCursorName, feed: Feed): AnswerOf<typeof cursorAnswer> {
  return {
    name: cursorOf.name,
    sequence: cursorOf.sequence,
    lag: batchesAfter(feed, cursorOf.sequence),
    moved_at: cursorOf.movedAt,
  };
}

function batchOnTheWire(batch: FeedBatch): AnswerOf<typeof batchAnswer> {
  return {
    sequence: batch.sequence,
    kind: batch.kind,
    reason: batch.reason ?? null,
    stored_at: batch.storedAt,
    changes: batch.changes.map(changeOnTheWire),
  };
}

const tag = 'Feeds';
const FEED = '01JN8Z4H9V6Q3W2X1Y0ZABCDEF';
const CURSOR = { name: 'mirror', sequence: 41, lag: 1, moved_at: '2026-03-01T12:05:00.000Z' };
const SUMMARY = {
  id: FEED,
  provider_config_key: INTEGRATION,
  connection_id: CONNECTION,
  resource: 'drive',
  state: 'watching',
  reason: null,
  explanation: null,
  remedy: null,
  delivery: 'bus',
  safety_interval_sec: 21600,
  poll_interval_sec: 300,
  meaning: false,
  seen: false,
  reminders: [],
  last_sequence: 42,
  last_change_at: '2026-03-01T12:04:59.000Z',
  last_pull_at: '2026-03-01T12:04:59.120Z',
  next_pull_at: '2026-03-01T18:02:11.000Z',
  channel_ends_at: '2026-03-08T11:50:00.000Z',
  failed_attempts: 0,
  behind_since: null,
  created_at: '2026-03-01T11:50:00.000Z',
  managed_by: null,
};
const DETAIL = {
  ...SUMMARY,
  messages: 57,
  last_message_at: '2026-03-01T12:04:58.000Z',
  pull_waiting: false,
  cursors: [CURSOR],
  drives: null,
};
const EXAMPLE = { feedId: FEED };

/** Settings that a resource cannot have. */
function settingProblems(
  resource: FeedResource,
  body: { readonly meaning?: boolean | undefined; readonly reminders?: readonly unknown[] | undefined },
): Problem[] {
  const hasReminders = (body.reminders ?? []).length > 0;
  return [
    ...(body.meaning === true && !hasMeaning(resource)
      ? [{ path: 'meaning', message: 'only changes of files and of events have a meaning' }]
      : []),
    ...(hasReminders && resource.kind !== 'calendar'
      ? [{ path: 'reminders', message: 'only events of a calendar have reminders: watch calendar:<calendar id>' }]
      : []),
  ];
}

/** Feeds: resources under watch, and their changes. */
export const grantRoutes: readonly Route<GrantServices>[] = [
  grantRoute({
    method: 'POST',
    pattern: '/feeds',
    access: { right: 'full', stack: true },
    creates: true,
    body: createFeedBody,
    async furtherProblems({ caller, body }, services) {
      const parsed = body.resource === undefined ? undefined : parseFeedResource(body.resource);
      if (parsed === undefined) return [];
      const integrationId = body.provider_config_key ?? '';
      requireReach(caller, integrationId);
      const integration = await findIntegration(services, { accountId: caller.accountId, integrationId });
      return [...resourceProblems(integration, parsed), ...settingProblems(parsed, body)];
    },
    describe: documented(() => ({
      id: 'createFeed',
      tag,
      summary: 'Create a feed that watches a resource; for the same resource again it returns the existing feed',
      description:
        'Opens a push channel and stores the position in the history before it answers. To miss nothing, list everything once when `state` is no longer `starting`, then read the changes. If push is not available, the feed polls and says why.',
      answer: oneFeed(),
      errors: [
        'unknown_integration',
        'unknown_connection',
        'agentic_integration',
        'confirmation_required',
        'reauthorization_required',
        'conflict',
      ],
      example: {
        body: { provider_config_key: INTEGRATION, connection_id: CONNECTION, resource: 'drive' },
        answer: { data: { ...DETAIL, last_sequence: 0, last_change_at: null, cursors: [] } },
      },
    })),
    async handle({ caller, body, requestId }, services) {
      requireReach(caller, body.provider_config_key);
      const parsed = parseFeedResource(body.resource);
      if (parsed === undefined) throw new Error('A resource passed its schema unread');
      const problems = settingProblems(parsed, body);
      if (problems.length > 0) throw refusal('invalid_body', problems);
      const { feed, created } = await createFeed(
        services,
        {
          accountId: caller.accountId,
          integrationId: body.provider_config_key,
          connectionId: body.connection_id,
        },
        parsed,
        {
          delivery: body.delivery ?? 'bus',
          safetyIntervalSec: body.safety_interval_sec ?? FEED_SAFETY_INTERVAL_SEC,
          pollIntervalSec: body.poll_interval_sec ?? FEED_POLL_INTERVAL_SEC,
          meaning: body.meaning ?? false,
          seen: body.seen ?? false,
          reminders: body.reminders ?? [],
        },
        { requestId, actor: caller.actor },
        caller.stack,
      );
      if (caller.stack !== undefined && !created) {
        throw new GatewayError(
          'conflict',
          'This connection has a feed of this resource, which this stack does not declare.',
        );
      }
      return { data: await shown(services, feed) };
    },
  }),
  grantRoute({
    method: 'GET',
    pattern: '/feeds',
    access: { right: 'read', stack: true },
    query: listQuery,
    describe: documented(() => ({
      id: 'listFeeds',
      tag,
      summary: 'List feeds of the account or of one connection, newest first',
      description: '`connection_id` also needs `provider_config_key`.',
      answer: feedPage(),
      errors: [],
      example: {
        query: { provider_config_key: INTEGRATION, connection_id: CONNECTION },
        answer: { data: [{ ...SUMMARY, connection_name: 'First User' }], next_cursor: null },
      },
    })),
    async handle({ caller, query }, services) {
      const { accountId } = caller;
      const { feeds } = services.parts.feeds;
      const asked = query.provider_config_key;
      if (asked !== undefined && reaches(caller, asked)) await refuseUnknownFilter(services, caller, [asked]);
      const refs =
        query.connection_id === undefined || query.provider_config_key === undefined
          ? await feeds.ofAccount(accountId)
          : await feeds.ofConnection({
              accountId,
              integrationId: query.provider_config_key,
              connectionId: query.connection_id,
            });
      const items = (await feeds.readMany(refs)).filter(
        ({ connection, managedBy }) =>
          reaches(caller, connection.integrationId) &&
          // A stack gets its own feeds, because a list names end users.
          (caller.stack === undefined || caller.stack.stackId === managedBy?.stackId) &&
          (query.provider_config_key === undefined || query.provider_config_key === connection.integrationId),
      );
      const found = await services.search.summaries(items.map(({ connection }) => connection));
      const names = new Map(found.map((one) => [connectionRefKey(one), nameOf(one)]));
      const list = {
        accountId,
        name: 'feedListCursor' as const,
        items,
        positionOf: ({ feedId }: Feed) => feedId,
        onTheWire: (feed: Feed) => ({
          ...feedOnTheWire(feed, nowSec(services)),
          connection_name: names.get(connectionRefKey(feed.connection)) ?? feed.connection.connectionId,
        }),
      };
      return pageOf(services, list, query.cursor);
    },
  }),
  grantRoute({
    method: 'GET',
    pattern: '/feeds/{feedId}',
    access: { right: 'read' },
    describe: documented(() => ({
      id: 'getFeed',
      tag,
      summary: 'Get a feed with its state, its last message and the cursors of its consumers',
      answer: oneFeed(),
      errors: ['not_found'],
      example: { params: EXAMPLE, answer: { data: DETAIL } },
    })),
    async handle({ caller, params }, services) {
      return { data: await shown(services, await reachedFeed(caller, params, services)) };
    },
  }),
  grantRoute({
    method: 'PATCH',
    pattern: '/feeds/{feedId}',
    access: { right: 'full', stack: true },
    query: forceQuery,
    body: changeFeedBody,
    describe: documented(() => ({
      id: 'updateFeed',
      tag,
      summary: 'Change how a feed is delivered, how often it is polled, whether changes have a meaning, and reminders',
      description:
        'The position in the history is kept. New settings apply from the next pull. Without `meaning`, what the feed remembers is erased.',
      answer: oneFeed(),
      errors: ['not_found', 'conflict'],
      example: { params: EXAMPLE, body: { delivery: 'pull' }, answer: { data: { ...DETAIL, delivery: 'pull' } } },
    })),
    async handle({ caller, params, query, body, requestId }, services) {
      const feed = await reachedFeed(caller, params, services);
      const managedBy = managedAfter(feed.managedBy, changing(caller, query), 'feed');
      const problems = settingProblems(feed.resource, body);
      if (problems.length > 0) throw refusal('invalid_body', problems);
      const event = newFeedEvent(services, 'FeedUpdated', feed, { requestId, actor: caller.actor });
      const settings = {
        ...(body.delivery === undefined ? {} : { delivery: body.delivery }),
        ...(body.safety_interval_sec === undefined ? {} : { safetyIntervalSec: body.safety_interval_sec }),
        ...(body.poll_interval_sec === undefined ? {} : { pollIntervalSec: body.poll_interval_sec }),
        ...(body.meaning === undefined ? {} : { meaning: body.meaning }),
        ...(body.seen === undefined ? {} : { seen: body.seen }),
        ...(body.reminders === undefined ? {} : { reminders: body.reminders }),
        ...(managedBy === undefined ? {} : { managedBy }),
      };
      const changed = await services.parts.feeds.feeds.changeSettings(feed, settings, event);
      if (!changed) throw unknownFeed();
      // Its next turn may be hours away, and a reminder minutes.
      if (body.reminders !== undefined) {
        const deadlineMs = services.clock.nowMs() + FEED_REQUEST_BUDGET_MS;
        await workOnFeed(services.parts.feeds, feed, { requestId, deadlineMs, starts: true });
      }
      return { data: await shown(services, await reachedFeed(caller, params, services)) };
    },
  }),
  grantRoute({
    method: 'DELETE',
    pattern: '/feeds/{feedId}',
    access: { right: 'full', stack: true },
    query: forceQuery,
    describe: documented(() => ({
      id: 'deleteFeed',
      tag,
      summary: 'Stop a feed’s channels and delete it',
      answer: success(),
      errors: ['not_found', 'conflict', 'confirmation_required'],
      example: { params: EXAMPLE, answer: { success: true } },
    })),
    async handle({ caller, params, query, requestId }, services) {
      const feed = await reachedFeed(caller, params, services);
      if (caller.stack === undefined) managedAfter(feed.managedBy, changing(caller, query), 'feed');
      const left = caller.stack && managedWithout(feed.managedBy, caller.stack, 'feed');
      if (left !== undefined) {
        if (!(await services.parts.feeds.feeds.changeSettings(feed, { managedBy: left }))) throw unknownFeed();
        return { success: true };
      }
      const grant = await grantOf(services, feed);
      const ended = await endFeed(services.parts.feeds, feed, grant, { requestId, actor: caller.actor });
      if (!ended) throw new GatewayError('conflict', 'The feed is being worked on at this moment. Try again.');
      return { success: true };
    },
  }),
  grantRoute({
    method: 'POST',
    pattern: '/feeds/{feedId}/pull',
    access: { right: 'full' },
    describe: documented(() => ({
      id: 'pullFeed',
      tag,
      summary: 'Pull now, whatever is due',
      description:
        'Waits for the pull. If another pull is running, the answer shows the present state of the feed. If the pull waits for Google’s quota, `state` is `waiting`, `reason` says for which, and `next_pull_at` until when.',
      answer: oneFeed(),
      errors: ['not_found'],
      example: { params: EXAMPLE, answer: { data: DETAIL } },
    })),
    async handle({ caller, params, requestId }, services) {
      const feed = await reachedFeed(caller, params, services);
      const deadlineMs = services.clock.nowMs() + FEED_REQUEST_BUDGET_MS;
      await workOnFeed(services.parts.feeds, feed, { requestId, deadlineMs, asked: true });
      return { data: await shown(services, await reachedFeed(caller, params, services)) };
    },
  }),
  grantRoute({
    method: 'GET',
    pattern: '/feeds/{feedId}/changes',
    access: { right: 'read' },
    query: changesQuery,
    describe: documented(() => ({
      id: 'listFeedChanges',
      tag,
      summary: 'List the batches after a sequence number or after a named cursor, in order',
      description:
        'Send either `after` or `name`, one of them. All stored batches above `after`, in order and without gaps. Up to 10,000 batches are stored for 14 days. Reading removes nothing: remember the sequence of the last batch that you have processed, or store it in the gateway under a name (`PUT …/cursors/{name}`) and send `name`.',
      answer: changesAnswer(),
      errors: ['not_found', 'cursor_too_old'],
      example: {
        params: EXAMPLE,
        query: { after: '41' },
        answer: {
          data: [
            {
              sequence: 42,
              kind: 'changes',
              reason: null,
              stored_at: '2026-03-01T12:04:59.000Z',
              changes: [
                {
                  id: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms',
                  kind: 'file',
                  removed: false,
                  time: '2026-03-01T12:04:57.000Z',
                  mime_type: 'application/vnd.google-apps.spreadsheet',
                },
              ],
            },
          ],
          last_sequence: 42,
          has_more: false,
          feed: { state: 'watching', reason: null, explanation: null, remedy: null },
        },
      },
    })),
    async handle({ caller, params, query }, services) {
      const feed = await reachedFeed(caller, params, services);
      const { feeds } = services.parts.feeds;
      const after = query.after ?? (await placeOf(services, feed, query.name ?? ''));
      const lastSequence = await lastSequenceOf(services, feed, after);
      if (query.after !== undefined && after > lastSequence) {
        throw refusal('invalid_query_params', [beyondLast('after', lastSequence)]);
      }
      const limit = query.limit ?? FEED_BATCHES_PER_ANSWER;
      if (after < lastDroppedBatch(feed)) throw tooOld(after);
      const batches = await feeds.batches(feed, after, limit, nowSec(services));
      const first = batches[0];
      // A gap itself reports that batches may be missing before it.
      const isNext = first?.kind === 'gap' || first?.sequence === after + 1;
      if (first === undefined ? after < lastSequence : !isNext) throw tooOld(after);
      const last = batches.at(-1)?.sequence ?? after;
      return {
        data: batches.map(batchOnTheWire),
        last_sequence: Math.max(lastSequence, last),
        has_more: last < lastSequence,
        feed: standingOf(feed, nowSec(services)),
      };
    },
  }),
  grantRoute({
    method: 'PUT',
    pattern: '/feeds/{feedId}/cursors/{name}',
    access: { right: 'full' },
    body: cursorBody,
    describe: documented(() => ({
      id: 'moveFeedCursor',
      tag,
      summary: 'Store how far a consumer has read',
      description: 'Each consumer needs its own name. The feed shows the lag of each.',
      answer: movedCursor(),
      errors: ['not_found', 'conflict'],
      example: {
        params: { feedId: FEED, name: 'mirror' },
        body: { sequence: 41 },
        answer: { data: CURSOR },
      },
    })),
    async handle({ caller, params, body }, services) {
      const feed = await reachedFeed(caller, params, services);
      const { feeds } = services.parts.feeds;
      const name = checkedName(params.name);
      const cursors = await feeds.cursors(feed);
      if (cursors.length >= FEED_CURSORS_MAX && !cursors.some((one) => one.name === name)) {
        throw new GatewayError('conflict', `This feed has ${FEED_CURSORS_MAX} cursors. Delete one first.`);
      }
      const lastSequence = await lastSequenceOf(services, feed, body.sequence);
      if (body.sequence > lastSequence) throw refusal('invalid_body', [beyondLast('sequence', lastSequence)]);
      const moved: FeedCursorName = {
        name,
        sequence: body.sequence,
        movedAt: new Date(services.clock.nowMs()).toISOString(),
        // Reported again only for a consumer that had caught up.
        behindSince: body.sequence >= feed.sequence ? undefined : cursors.find((one) => one.name === name)?.behindSince,
      };
      await feeds.moveCursor(feed, moved);
      return { data: cursorOnTheWire(moved, feed) };
    },
  }),
  grantRoute({
    method: 'DELETE',
    pattern: '/feeds/{feedId}/cursors/{name}',
    access: { right: 'full' },
    describe: documented(() => ({
      id: 'deleteFeedCursor',
      tag,
      summary: 'Delete a consumer’s cursor',
      answer: success(),
      errors: ['not_found'],
      example: { params: { feedId: FEED, name: 'mirror' }, answer: { success: true } },
    })),
    async handle({ caller, params }, services) {
      const feed = await reachedFeed(caller, params, services);
      await services.parts.feeds.feeds.removeCursor(feed, checkedName(params.name));
      return { success: true };
    },
  }),
];

/** @throws GatewayError `not_found`: the same for a missing, a deleted, another account's and an unreachable one */
async function reachedFeed(
  caller: Caller,
  params: Readonly<Record<string, string>>,
  { parts: { feeds: work } }: GrantServices,
): Promise<Feed> {
  const feedId = params.feedId ?? '';
  const feed = /^[0-9A-Z]{26}$/.test(feedId)
    ? await work.feeds.read({ accountId: caller.accountId, feedId })
    : undefined;
  if (feed === undefined || !reaches(caller, feed.connection.integrationId)) throw unknownFeed();
  return feed;
}

/** An unreadable connection has no token to stop channels with. */
async function grantOf(services: GrantServices, feed: Feed) {
  try {
    return await findConnection(services, feed.connection);
  } catch (error) {
    if (error instanceof GatewayError && error.status === 404) return undefined;
    throw error;
  }
}

async function placeOf({ parts: { feeds: work } }: GrantServices, feed: Feed, name: string): Promise<number> {
  const cursors = await work.feeds.cursors(feed);
  return cursors.find((one) => one.name === name)?.sequence ?? 0;
}

function checkedName(name: string | undefined): string {
  const parsed = cursorName.safeParse(name);
  if (parsed.success) return parsed.data;
  throw new GatewayError(
    'invalid_query_params',
    'A cursor’s name has 1 to 64 letters, digits, dots, underscores or hyphens.',
  );
}

/** A consumer at this place would silently miss all batches up to it (CF-31). */
function beyondLast(path: string, lastSequence: number): Problem {
  return { path, message: `is beyond the feed's last batch, whose sequence is ${lastSequence}` };
}

/** Number of the last batch. A row may be behind its batches until its next read; a consumer that has read them is at their end, not beyond. */
async function lastSequenceOf({ parts: { feeds: work } }: GrantServices, feed: Feed, asked: number): Promise<number> {
  return asked <= feed.sequence ? feed.sequence : Math.max(feed.sequence, await work.feeds.lastStored(feed));
}

function tooOld(after: number): GatewayError {
  return new GatewayError(
    'cursor_too_old',
    `Batches behind ${after} are no longer stored. Compare everything you have stored of the resource, then continue after the feed's last_sequence.`,
  );
}

function nowSec({ clock }: GrantServices): number {
  return epochSecNow(clock);
}
