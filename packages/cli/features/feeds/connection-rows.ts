import { QueryCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { type Feed, lastDroppedBatch, newProgress } from '../../../../lambdas/features/feeds/feed.rules.ts';
import { batchPut, feedFromItem, feedToItem, placeToItem } from '../../../../lambdas/features/feeds/feed.store.ts';
import { newFeedEvent } from '../../../../lambdas/features/feeds/feed-event.ts';
import {
  BATCH_SK_PREFIX,
  batchSk,
  deletedFeedItemKey,
  FEED_CURSOR_SK_PREFIX,
  feedItemKey,
  feedOfItemKey,
  plainFeedOfItemKey,
} from '../../../../lambdas/features/feeds/feed-keys.store.ts';
import { feedResourceText } from '../../../../lambdas/features/feeds/feed-resource.rules.ts';
import { cursorContext } from '../../../../lambdas/features/feeds/sealed-places.rules.ts';
import { epochSecNow } from '../../../../lambdas/gateway/core/clock.ts';
import { type ConnectionRef, ulid } from '../../../../lambdas/gateway/core/identifiers.ts';
import { eventPut, writeTogether } from '../../../../lambdas/gateway/events/event.store.ts';
import { systemClock, systemRandom } from '../../../../lambdas/gateway/platform/clock.ts';
import { type Item, readable, str, type Table } from '../../../../lambdas/gateway/platform/dynamodb/client.ts';
import { connectionItemKey } from '../../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { readRow } from '../../restore/bring-along.ts';
import { copyMissing } from '../../restore/copy-rows.ts';
import { type Outcome, present, type RestoreContext, restored, skipped } from '../../restore/restore-context.ts';
import type { BringAfterConnections } from '../../restore/restored-after-connections.ts';

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Added to the epoch where the last one is unknown: more than any earlier writer can have reached. */
const UNKNOWN_EPOCH_STEP = 1_000_000;
/** More batches than a feed stores in the 35 days that a backup reaches back, at three a second. */
const UNKNOWN_SEQUENCE_STEP = 10_000_000;
const ATTEMPTS = 3;

/** Outcomes of a feed and its rows. */
interface FeedOutcome {
  readonly feed: Outcome;
  readonly cursors: readonly Outcome[];
  readonly batches: readonly Outcome[];
}

/**
 * Restores a feed with its position in Google's history, its consumers' cursors and the batches that are still kept. It requests a
 * new channel at its next turn, which is due soon. Its numbers continue behind the last batch of the table; without any,
 * the consumers' progress is unknown, and the feed continues far behind with a gap.
 *
 * Batches come first, so that an interrupted run leaves no feed that lacks them.
 *
 * @param isComing whether a connection that is not in the table would be restored; for a dry run
 * @throws Error when the feed keeps changing
 */
async function restoreFeed(
  context: RestoreContext,
  item: Item,
  isComing: (ref: ConnectionRef) => boolean,
): Promise<FeedOutcome> {
  const [backup] = readable([item], feedFromItem, () => {});
  if (backup === undefined) return nothingOf(skipped('unreadable_in_backup'));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const judged = await judgeFeed(context, backup, isComing);
    if (judged.outcome.kind === 'skipped') return nothingOf(judged.outcome);
    const kept = judged.live === undefined ? lastDroppedBatch(backup) : lastDroppedBatch(judged.live);
    const batches = await copyBatches(context, backup, kept);
    const cursors = await missingCursors(context, backup);
    if (judged.outcome.kind === 'present') {
      return { feed: judged.outcome, batches, cursors: await copyMissing(context, cursors.all) };
    }
    const restoredCursors = cursors.all.map(({ sk }) =>
      cursors.missing.some((one) => one.sk === sk) ? restored() : present(),
    );
    const done = { feed: judged.outcome, batches, cursors: restoredCursors };
    if (context.dryRun || (await write(context, backup, judged.damaged, cursors.missing))) return done;
  }
  throw new Error('The feed is being changed by others at the moment. Run this again.');
}

interface JudgedFeed {
  readonly outcome: Outcome;
  /** The feed in the table, where it is there and whole. */
  readonly live: Feed | undefined;
  /** The row in the table that cannot be read. */
  readonly damaged: Item | undefined;
}

async function judgeFeed(
  { into, wishes, resealer, dryRun }: RestoreContext,
  backup: Feed,
  isComing: (ref: ConnectionRef) => boolean,
): Promise<JudgedFeed> {
  const judged = (outcome: Outcome, live?: Feed, damaged?: Item): JudgedFeed => ({ outcome, live, damaged });
  const row = await readRow(into, { ...feedItemKey(backup) });
  const [live] = row === undefined ? [] : readable([row], feedFromItem, () => {});
  if (live !== undefined) return judged(present(), live);
  const resource = feedResourceText(backup.resource);
  const plain = plainFeedOfItemKey(backup.connection, resource);
  const place =
    (await readRow(into, { ...feedOfItemKey(backup.connection, resource) })) ??
    (plain === undefined ? undefined : await readRow(into, { ...plain }));
  if (place !== undefined && place.feedId !== backup.feedId) return judged(skipped('replaced_here'));
  const wasDeleted = (await readRow(into, { ...deletedFeedItemKey(backup) })) !== undefined;
  if (wasDeleted && !wishes.includeDeleted) return judged(skipped('deleted_here'));
  const connection = await readRow(into, { ...connectionItemKey(backup.connection) });
  const isThere = connection !== undefined && connection.status !== 'deleted';
  if (!isThere && !(dryRun && isComing(backup.connection))) return judged(skipped('no_connection'));
  if (resealer.isLost(backup.accountId, backup.encryptedCursor)) return judged(skipped('key_differs'));
  const why = row !== undefined ? 'damaged' : wasDeleted ? 'deleted' : 'missing';
  return judged(restored(why), undefined, row);
}

/** Batches of the backup that are still kept and that the table lacks. */
async function copyBatches(context: RestoreContext, feed: Feed, dropped: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for await (const page of partition(context.from, feed, BATCH_SK_PREFIX)) {
    const kept = page.filter(({ sk }) => String(sk) > batchSk(dropped));
    outcomes.push(...page.slice(kept.length).map(() => skipped('expired')), ...(await copyMissing(context, kept)));
  }
  return outcomes;
}

async function missingCursors({ from, into }: RestoreContext, feed: Feed) {
  const all: Item[] = [];
  for await (const page of partition(from, feed, FEED_CURSOR_SK_PREFIX)) all.push(...page);
  const here = new Set<unknown>();
  for await (const page of partition(into, feed, FEED_CURSOR_SK_PREFIX)) for (const { sk } of page) here.add(sk);
  return { all, missing: all.filter(({ sk }) => !here.has(sk)) };
}

async function write(
  context: RestoreContext,
  backup: Feed,
  damaged: Item | undefined,
  cursors: readonly Item[],
): Promise<boolean> {
  const { into, runName } = context;
  const feed = await restoredFeed(context, backup, damaged);
  const nowMs = systemClock.nowMs();
  const gap = {
    sequence: feed.sequence,
    kind: 'gap' as const,
    reason: 'restored' as const,
    changes: [],
    storedAt: new Date(nowMs).toISOString(),
    eventId: ulid(nowMs, systemRandom.bytes(10)),
    requestId: runName,
  };
  const plain = plainFeedOfItemKey(feed.connection, feedResourceText(feed.resource));
  const isUnchanged =
    damaged === undefined
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : typeof damaged.epoch === 'number'
        ? { ConditionExpression: 'epoch = :epoch', ExpressionAttributeValues: { ':epoch': damaged.epoch } }
        : { ConditionExpression: 'attribute_not_exists(epoch)' };
  const event = newFeedEvent({ clock: systemClock, random: systemRandom }, 'FeedCreated', feed, {
    says: { reason: 'restored' },
    requestId: runName,
  });
  const items: TransactItem[] = [
    { Put: { TableName: into.tableName, Item: feedToItem(feed), ...isUnchanged } },
    {
      Put: {
        TableName: into.tableName,
        Item: placeToItem(feed),
        ConditionExpression: 'attribute_not_exists(pk) OR feedId = :feed',
        ExpressionAttributeValues: { ':feed': feed.feedId },
      },
    },
    ...(plain === undefined ? [] : [{ Delete: { TableName: into.tableName, Key: plain } }]),
    {
      ConditionCheck: {
        TableName: into.tableName,
        Key: connectionItemKey(feed.connection),
        ConditionExpression: 'attribute_exists(pk) AND #status <> :deleted',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':deleted': 'deleted' },
      },
    },
    { Delete: { TableName: into.tableName, Key: deletedFeedItemKey(feed) } },
    ...cursors.map((Item) => ({ Put: { TableName: into.tableName, Item } })),
    ...(feed.leap?.to === feed.sequence ? [batchPut(into.tableName, feed, gap)] : []),
    eventPut(into.tableName, event),
  ];
  return (await writeTogether(into, items)) === undefined;
}

/** The feed as it comes back. */
async function restoredFeed(
  { into, spreadSec, resealer }: RestoreContext,
  backup: Feed,
  damaged: Item | undefined,
): Promise<Feed> {
  const stored = (await lastBatchOf(into, backup)) ?? 0;
  const last = Math.max(stored, typeof damaged?.sequence === 'number' ? damaged.sequence : 0);
  // The table stores a batch and its number together: it has the last one, or it has lost where the numbers were.
  const isKnown = last > backup.sequence;
  const leap = { from: backup.sequence, to: backup.sequence + UNKNOWN_SEQUENCE_STEP };
  const dueAt = epochSecNow(systemClock) + Math.floor(systemRandom.number() * spreadSec);
  const { encryptedCursor } = backup;
  return {
    ...backup,
    ...newProgress(dueAt),
    state: backup.state === 'watching' ? 'polling' : backup.state,
    reason: backup.reason,
    encryptedCursor:
      encryptedCursor === undefined ? undefined : await resealer.sealed(cursorContext(backup), encryptedCursor),
    subject: backup.subject,
    clientId: backup.clientId,
    // Its rows of logs stay behind: the feed begins each of them behind a gap.
    drivesFollowed: backup.drivesFollowed,
    sequence: isKnown ? last : leap.to,
    leap: isKnown ? backup.leap : leap,
    lastBatchAtEpochSec: backup.lastBatchAtEpochSec,
    lastGapAtEpochSec: backup.lastGapAtEpochSec,
    epoch: Math.max(backup.epoch, typeof damaged?.epoch === 'number' ? damaged.epoch : 0) + UNKNOWN_EPOCH_STEP,
    lease: undefined,
  };
}

/** Number of the last batch that the table has of a feed. */
async function lastBatchOf(table: Table, feed: Feed): Promise<number | undefined> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.tableName,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :batches)',
      ExpressionAttributeValues: { ':pk': feedItemKey(feed).pk, ':batches': BATCH_SK_PREFIX },
      ScanIndexForward: false,
      Limit: 1,
      ConsistentRead: true,
    }),
  );
  const [last] = Items;
  return last === undefined ? undefined : Number(str(last, 'sequence'));
}

/** Rows of a feed's partition, page by page. */
async function* partition(table: Table, feed: Feed, prefix: string): AsyncGenerator<Item[]> {
  let position: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.tableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': feedItemKey(feed).pk, ':prefix': prefix },
        ConsistentRead: true,
        ...(position === undefined ? {} : { ExclusiveStartKey: position }),
      }),
    );
    yield Items;
    position = LastEvaluatedKey;
  } while (position !== undefined);
}

function nothingOf(feed: Outcome): FeedOutcome {
  return { feed, cursors: [], batches: [] };
}

/** A feed, after its connection. */
const bringFeed: BringAfterConnections = async (context, item, { isComing, count }) => {
  const { feed, cursors, batches } = await restoreFeed(context, item, isComing);
  for (const one of cursors) count('cursors of feeds', one);
  for (const one of batches) count('batches of feeds', one);
  return feed;
};

export const connectionRows = { feed: bringFeed };
