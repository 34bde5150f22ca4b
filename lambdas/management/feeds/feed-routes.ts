import * as z from 'zod';
import { findConnection } from '../../gateway/connections/find-connection.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import {
  FEED_BATCHES_PER_ANSWER,
  FEED_CURSORS_MAX,
  FEED_POLL_INTERVAL_SEC,
  FEED_REQUEST_BUDGET_MS,
  FEED_SAFETY_INTERVAL_SEC,
} from '../../gateway/core/limits.ts';
import { endFeed } from '../../gateway/feeds/end-feed.ts';
import {
  changeOnTheWire,
  explainFeed,
  FEED_DELIVERIES,
  type Feed,
  type FeedBatch,
  type FeedMark,
  liveChannel,
} from '../../gateway/feeds/feed.rules.ts';
import { FEED_RESOURCE_RULE, feedResourceText, parseFeedResource } from '../../gateway/feeds/feed-resource.rules.ts';
import type { FeedCursorName } from '../../gateway/feeds/ports.ts';
import { workOnFeed } from '../../gateway/feeds/work-on-feed.ts';
import { reaches, requireReach } from '../authenticate.ts';
import { isoTime, isoTimeOrNull } from '../integrations/integration-routes.ts';
import { pageOf } from '../list-page.ts';
import { bareRoute, bodyRoute, type Caller, type Route } from '../route.ts';
import { connectionId, cursor, integerParam, integrationId, noQuery } from '../schemas/common.ts';
import type { Services } from '../services.ts';
import { createFeed, unknownFeed } from './create-feed.ts';

const resource = z.string().refine((text) => parseFeedResource(text) !== undefined, FEED_RESOURCE_RULE);
const delivery = z.enum(FEED_DELIVERIES, { error: `must be one of: ${FEED_DELIVERIES.join(', ')}` });
const DAY_SEC = 24 * 3600;
const interval = (min: number) =>
  z
    .int(`must be a whole number of seconds from ${min} to ${DAY_SEC}`)
    .min(min, `must be at least ${min}`)
    .max(DAY_SEC, `must be at most ${DAY_SEC}`);
const settings = {
  delivery: delivery.optional(),
  safety_interval_sec: interval(60).optional(),
  poll_interval_sec: interval(60).optional(),
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
  .refine((body) => Object.keys(body).length > 0, 'name at least one setting to change');

const listQuery = z
  .strictObject({ provider_config_key: integrationId.optional(), connection_id: connectionId.optional(), cursor })
  .refine((query) => query.connection_id === undefined || query.provider_config_key !== undefined, {
    path: ['provider_config_key'],
    message: 'is required beside connection_id',
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
    message: 'send after, a sequence, or name, a cursor of yours; not both',
  });

const cursorBody = z.strictObject({
  sequence: z.int('must be a whole number').min(0, 'must be at least 0').max(SEQUENCE_MAX),
});

/** Feeds: resources under watch, and their changes. */
export const feedRoutes: readonly Route[] = [
  bodyRoute({
    method: 'POST',
    pattern: '/feeds',
    access: { right: 'full' },
    summary: 'Put a resource under watch; the same resource twice gives the first feed',
    query: noQuery,
    body: createFeedBody,
    async handle({ caller, body, requestId }, services) {
      requireReach(caller, body.provider_config_key);
      const parsed = parseFeedResource(body.resource);
      if (parsed === undefined) throw new Error('A resource passed its schema unread');
      const { feed } = await createFeed(
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
        },
        requestId,
      );
      return { status: 200, body: { data: await shown(services, feed) } };
    },
  }),
  bareRoute({
    method: 'GET',
    pattern: '/feeds',
    access: { right: 'read' },
    summary: 'Feeds of the account or of one connection, newest first',
    query: listQuery,
    async handle({ caller, query }, services) {
      const { accountId } = caller;
      const { feeds } = services.feedWork;
      const refs =
        query.connection_id === undefined || query.provider_config_key === undefined
          ? await feeds.ofAccount(accountId)
          : await feeds.ofConnection({
              accountId,
              integrationId: query.provider_config_key,
              connectionId: query.connection_id,
            });
      const items = (await feeds.readMany(refs)).filter(
        ({ connection }) =>
          reaches(caller, connection.integrationId) &&
          (query.provider_config_key === undefined || query.provider_config_key === connection.integrationId),
      );
      const list = {
        accountId,
        name: 'feedListCursor' as const,
        items,
        positionOf: ({ feedId }: Feed) => feedId,
        onTheWire: (feed: Feed) => feedOnTheWire(feed, undefined, undefined, nowSec(services)),
      };
      return { status: 200, body: await pageOf(services, list, query.cursor) };
    },
  }),
  bareRoute({
    method: 'GET',
    pattern: '/feeds/{feedId}',
    access: { right: 'read' },
    summary: 'One feed with its state, its last message and the cursors of its consumers',
    query: noQuery,
    async handle({ caller, params }, services) {
      return { status: 200, body: { data: await shown(services, await reachedFeed(caller, params, services)) } };
    },
  }),
  bodyRoute({
    method: 'PATCH',
    pattern: '/feeds/{feedId}',
    access: { right: 'full' },
    summary: 'Change how a feed is delivered and how often it is pulled without a message',
    query: noQuery,
    body: changeFeedBody,
    async handle({ caller, params, body }, services) {
      const feed = await reachedFeed(caller, params, services);
      const changed = await services.feedWork.feeds.changeSettings(feed, {
        ...(body.delivery === undefined ? {} : { delivery: body.delivery }),
        ...(body.safety_interval_sec === undefined ? {} : { safetyIntervalSec: body.safety_interval_sec }),
        ...(body.poll_interval_sec === undefined ? {} : { pollIntervalSec: body.poll_interval_sec }),
      });
      if (!changed) throw unknownFeed();
      return { status: 200, body: { data: await shown(services, await reachedFeed(caller, params, services)) } };
    },
  }),
  bareRoute({
    method: 'DELETE',
    pattern: '/feeds/{feedId}',
    access: { right: 'full' },
    summary: 'Stop a feed’s channels and delete it',
    query: noQuery,
    async handle({ caller, params, requestId }, services) {
      const feed = await reachedFeed(caller, params, services);
      const grant = await grantOf(services, feed);
      const ended = await endFeed(services.feedWork, feed, grant, requestId);
      if (!ended) throw new GatewayError('conflict', 'The feed is being worked on at this moment. Try again.');
      return { status: 200, body: { success: true } };
    },
  }),
  bareRoute({
    method: 'POST',
    pattern: '/feeds/{feedId}/pull',
    access: { right: 'full' },
    summary: 'Pull now, whatever is due',
    query: noQuery,
    async handle({ caller, params, requestId }, services) {
      const feed = await reachedFeed(caller, params, services);
      const deadlineMs = services.clock.nowMs() + FEED_REQUEST_BUDGET_MS;
      await workOnFeed(services.feedWork, feed, { requestId, deadlineMs, asked: true });
      return { status: 200, body: { data: await shown(services, await reachedFeed(caller, params, services)) } };
    },
  }),
  bareRoute({
    method: 'GET',
    pattern: '/feeds/{feedId}/changes',
    access: { right: 'read' },
    summary: 'Stored batches behind a sequence or behind a cursor of yours, in order',
    query: changesQuery,
    async handle({ caller, params, query }, services) {
      const feed = await reachedFeed(caller, params, services);
      const { feeds } = services.feedWork;
      const after = query.after ?? (await placeOf(services, feed, query.name ?? ''));
      const limit = query.limit ?? FEED_BATCHES_PER_ANSWER;
      const batches = await feeds.batches(feed, after, limit, nowSec(services));
      const first = batches[0];
      if (first === undefined ? after < feed.sequence : first.sequence !== after + 1) throw tooOld(after);
      const last = batches.at(-1)?.sequence ?? after;
      const body = {
        data: batches.map(batchOnTheWire),
        last_sequence: Math.max(feed.sequence, last),
        has_more: last < feed.sequence,
      };
      return { status: 200, body };
    },
  }),
  bodyRoute({
    method: 'PUT',
    pattern: '/feeds/{feedId}/cursors/{name}',
    access: { right: 'full' },
    summary: 'Note how far a consumer is',
    query: noQuery,
    body: cursorBody,
    async handle({ caller, params, body }, services) {
      const feed = await reachedFeed(caller, params, services);
      const { feeds } = services.feedWork;
      const name = checkedName(params.name);
      const cursors = await feeds.cursors(feed);
      if (cursors.length >= FEED_CURSORS_MAX && !cursors.some((one) => one.name === name)) {
        throw new GatewayError('conflict', `This feed has ${FEED_CURSORS_MAX} cursors. Delete one first.`);
      }
      const moved: FeedCursorName = {
        name,
        sequence: body.sequence,
        movedAt: new Date(services.clock.nowMs()).toISOString(),
      };
      await feeds.moveCursor(feed, moved);
      return { status: 200, body: { data: cursorOnTheWire(moved, feed) } };
    },
  }),
  bareRoute({
    method: 'DELETE',
    pattern: '/feeds/{feedId}/cursors/{name}',
    access: { right: 'full' },
    summary: 'Forget a consumer’s cursor',
    query: noQuery,
    async handle({ caller, params }, services) {
      const feed = await reachedFeed(caller, params, services);
      await services.feedWork.feeds.removeCursor(feed, checkedName(params.name));
      return { status: 200, body: { success: true } };
    },
  }),
];

/** @throws GatewayError `not_found`: missing, deleted, another account's and out of the key's reach look the same */
async function reachedFeed(
  caller: Caller,
  params: Readonly<Record<string, string>>,
  { feedWork }: Services,
): Promise<Feed> {
  const feedId = params.feedId ?? '';
  const feed = /^[0-9A-Z]{26}$/.test(feedId)
    ? await feedWork.feeds.read({ accountId: caller.accountId, feedId })
    : undefined;
  if (feed === undefined || !reaches(caller, feed.connection.integrationId)) throw unknownFeed();
  return feed;
}

/** A connection that can no longer be read has no token to stop channels with. */
async function grantOf(services: Services, feed: Feed) {
  try {
    return await findConnection(services, feed.connection);
  } catch (error) {
    if (error instanceof GatewayError && error.status === 404) return undefined;
    throw error;
  }
}

async function placeOf({ feedWork }: Services, feed: Feed, name: string): Promise<number> {
  const cursors = await feedWork.feeds.cursors(feed);
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

function tooOld(after: number): GatewayError {
  return new GatewayError(
    'cursor_too_old',
    `Batches behind ${after} are no longer stored. Compare everything you have stored of the resource, then go on behind the feed's last_sequence.`,
  );
}

async function shown(services: Services, feed: Feed): Promise<Record<string, unknown>> {
  const { feeds } = services.feedWork;
  const [mark, cursors] = await Promise.all([feeds.readMark(feed), feeds.cursors(feed)]);
  return feedOnTheWire(feed, mark, cursors, nowSec(services));
}

/** A feed in the API's spelling; cursors of the provider's and tokens of channels are never in it. */
function feedOnTheWire(
  feed: Feed,
  mark: FeedMark | undefined,
  cursors: readonly FeedCursorName[] | undefined,
  nowEpochSec: number,
): Record<string, unknown> {
  const explained = explainFeed(feed.reason);
  const channel = liveChannel(feed, nowEpochSec);
  return {
    id: feed.feedId,
    provider_config_key: feed.connection.integrationId,
    connection_id: feed.connection.connectionId,
    resource: feedResourceText(feed.resource),
    state: feed.state,
    reason: feed.reason ?? null,
    explanation: explained?.explanation ?? null,
    remedy: explained?.remedy ?? null,
    delivery: feed.delivery,
    safety_interval_sec: feed.safetyIntervalSec,
    poll_interval_sec: feed.pollIntervalSec,
    last_sequence: feed.sequence,
    last_change_at: isoTimeOrNull(feed.lastBatchAtEpochSec),
    last_pull_at: feed.lastPullAtMs === 0 ? null : new Date(feed.lastPullAtMs).toISOString(),
    next_pull_at: isoTime(Math.max(feed.pullAtEpochSec, feed.notBeforeEpochSec)),
    channel_ends_at: isoTimeOrNull(channel?.endsAtEpochSec),
    failed_attempts: feed.failureCount,
    created_at: feed.createdAt,
    ...(mark === undefined
      ? {}
      : {
          messages: mark.messages,
          last_message_at: isoTimeOrNull(mark.lastMessageAtEpochSec),
          pull_waiting: mark.marked,
        }),
    ...(cursors === undefined ? {} : { cursors: cursors.map((one) => cursorOnTheWire(one, feed)) }),
  };
}

function cursorOnTheWire(cursorOf: FeedCursorName, feed: Feed): Record<string, unknown> {
  return {
    name: cursorOf.name,
    sequence: cursorOf.sequence,
    lag: Math.max(0, feed.sequence - cursorOf.sequence),
    moved_at: cursorOf.movedAt,
  };
}

function batchOnTheWire(batch: FeedBatch): Record<string, unknown> {
  return {
    sequence: batch.sequence,
    kind: batch.kind,
    reason: batch.reason ?? null,
    stored_at: batch.storedAt,
    changes: batch.changes.map(changeOnTheWire),
  };
}

function nowSec({ clock }: Services): number {
  return Math.floor(clock.nowMs() / 1000);
}
