import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { BATCH_STARTS_ATTRIBUTE, EVENT_ITEM_TYPE, TABLE } from '../../gateway/core/contract.ts';
import { BACKUP_RETENTION_SEC, TTL_GRACE_SEC } from '../../gateway/core/limits.ts';
import type { Whole } from '../../gateway/core/whole.ts';
import { eventPut, eventToItem, writeTogether, writeTransition } from '../../gateway/events/event.store.ts';
import { batchGet } from '../../gateway/platform/dynamodb/batch-get.ts';
import {
  type Item,
  isDone,
  num,
  oneOf,
  optionalMap,
  optionalNum,
  optionalStr,
  readable,
  str,
  type Table,
  UnreadableItemError,
  unlessRefused,
} from '../../gateway/platform/dynamodb/client.ts';
import type { ItemKey } from '../../gateway/platform/dynamodb/keys.ts';
import { managedByOf } from '../../gateway/platform/dynamodb/managed-by.ts';
import {
  batchBefore,
  type ChannelRecord,
  changeOnTheWire,
  type DriveLog,
  FEED_DELIVERIES,
  FEED_STATES,
  FEED_WAIT_REASONS,
  type Feed,
  type FeedBatch,
  type FeedChannel,
  type FeedMark,
  type FeedProgress,
  type FeedRef,
  type FeedWait,
  feedDueAt,
  feedShardOf,
  type LentChannel,
  logsMarked,
  markedLog,
  type NewBatch,
  type SequenceLeap,
  startsShardOf,
} from './feed.rules.ts';
import {
  BATCH_SK_PREFIX,
  batchSk,
  channelItemKey,
  deletedFeedItemKey,
  FEED_CURSOR_SK_PREFIX,
  FEED_LOG_SK_PREFIX,
  FEED_STATE_SK_PREFIX,
  feedItemKey,
  feedListKey,
  feedMarkItemKey,
  feedOfItemKey,
  feedRefOfPk,
  feedStartsItemKey,
  plainFeedOfItemKey,
} from './feed-keys.store.ts';
import {
  type FeedChange,
  feedResourceText,
  GAP_REASONS,
  MEANINGS,
  type Meaning,
  parseFeedResource,
} from './feed-resource.rules.ts';
import { folderName, type KnownFolder } from './folder.rules.ts';
import {
  FEED_BATCH_RETENTION_SEC,
  FEED_BATCHES_KEPT,
  FEED_LOG_RETENTION_SEC,
  FEED_STATES_ERASED_AT_ONCE,
  FEEDS_PER_CONNECTION_MAX,
} from './limits.rules.ts';
import type { DueFeeds, FeedDirectory, FeedIndex, FeedMarks, FeedStore, ThingState } from './ports.ts';
import { readReported, reportedText, type StartsPlan } from './starts.rules.ts';

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Feeds with their leases, batches, marks and channels. */
export function feedStore(table: Table): FeedStore & FeedIndex & FeedDirectory & FeedMarks {
  const { client, tableName } = table;

  /** The part of a transaction, or the one update, that writes progress. */
  const progressUpdate = (feed: Feed, batches: number, isOverdueNoMore: boolean) => {
    const { sets, removes, values } = progressChange(feed);
    if (isOverdueNoMore) removes.push('overdueSinceEpochSec');
    const removal = removes.length === 0 ? '' : ` REMOVE ${removes.join(', ')}`;
    return {
      TableName: tableName,
      Key: feedItemKey(feed),
      UpdateExpression: `SET ${sets.join(', ')}${removal}`,
      ...heldBy({ epoch: feed.epoch, sequence: feed.sequence - batches }, values),
    };
  };

  /** Marks a feed without a message. @param sets further assignments, in terms of `:now` and `:value` */
  const markUpdate = (ref: FeedRef, sets: string, nowEpochSec: number, value: string) => ({
    TableName: tableName,
    Key: feedMarkItemKey(ref),
    UpdateExpression: `SET #type = :type, accountId = :account, feedId = :feed, messages = if_not_exists(messages, :none), dueShard = :shard, ${sets}`,
    ExpressionAttributeNames: { '#type': 'type' },
    ExpressionAttributeValues: {
      ':type': 'feed_mark',
      ':account': ref.accountId,
      ':feed': ref.feedId,
      ':none': 0,
      ':shard': feedShardOf(ref.feedId),
      ':now': nowEpochSec,
      ':value': value,
    },
  });

  const listOf = async (ref: Feed['connection']) => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: tableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': feedOfItemKey(ref, '').pk },
        ConsistentRead: true,
      }),
    );
    return Items;
  };

  /**
   * Keys of a feed's places at its connection. Up to 0.2.0 that of a calendar has another key, and after a rollback to it each key may
   * name a feed of its own.
   */
  const placesOf = async ({ connection, resource, feedId }: Feed): Promise<ItemKey[]> => {
    const key = feedOfItemKey(connection, feedResourceText(resource));
    const plain = plainFeedOfItemKey(connection, feedResourceText(resource));
    if (plain === undefined) return [key];
    const items = await batchGet(table, [key, plain], { isConsistent: true });
    return items.filter((item) => item.feedId === feedId).map((item) => ({ pk: str(item, 'pk'), sk: str(item, 'sk') }));
  };

  const logsOf = async (ref: FeedRef): Promise<DriveLog[]> => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: tableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :logs)',
        ExpressionAttributeValues: { ':pk': feedItemKey(ref).pk, ':logs': FEED_LOG_SK_PREFIX },
        ConsistentRead: true,
      }),
    );
    return Items.map(logFromItem);
  };

  return {
    async create(feed, event) {
      const { connection, resource } = feed;
      const place = feedOfItemKey(connection, feedResourceText(resource));
      for (;;) {
        const others = await listOf(connection);
        const plain = plainFeedOfItemKey(connection, feedResourceText(resource));
        const same = others.find(({ sk }) => sk === place.sk || sk === plain?.sk);
        if (same !== undefined) {
          const feedId = str(same, 'feedId');
          const Key = feedItemKey({ accountId: feed.accountId, feedId });
          const { Item } = await client.send(new GetCommand({ TableName: tableName, Key, ConsistentRead: true }));
          if (Item !== undefined) return { kind: 'existing', feedId };
          // The place of a version with another layout, which that version did not remove with the feed.
          const left = { pk: str(same, 'pk'), sk: str(same, 'sk') };
          await client.send(new DeleteCommand({ TableName: tableName, Key: left }));
          continue;
        }
        if (others.length >= FEEDS_PER_CONNECTION_MAX) return { kind: 'full' };
        const failed = await writeTogether(table, [
          {
            Put: { TableName: tableName, Item: placeToItem(feed), ConditionExpression: 'attribute_not_exists(pk)' },
          },
          { Put: { TableName: tableName, Item: feedToItem(feed), ConditionExpression: 'attribute_not_exists(pk)' } },
          eventPut(tableName, event),
        ]);
        if (failed === undefined) return { kind: 'created' };
      }
    },

    async read(ref) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: feedItemKey(ref), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : feedFromItem(Item);
    },

    async takeLease(known, lease, nowMs) {
      const update = new UpdateCommand({
        TableName: tableName,
        Key: feedItemKey(known),
        UpdateExpression: 'SET epoch = :next, leaseOwner = :owner, leaseExpiresAtMs = :until',
        // A feed that was pulled since it was read is left to its holder, who looks for new messages when returning the lease. A holder
        // whose clock was ahead must not hold the feed for longer than two leases.
        ConditionExpression:
          'epoch = :epoch AND lastPullAtMs = :pulled AND (attribute_not_exists(leaseOwner) OR leaseExpiresAtMs <= :now OR leaseExpiresAtMs > :impossible)',
        ExpressionAttributeValues: {
          ':epoch': known.epoch,
          ':pulled': known.lastPullAtMs,
          ':next': known.epoch + 1,
          ':owner': lease.owner,
          ':until': lease.expiresAtMs,
          ':now': nowMs,
          ':impossible': lease.expiresAtMs + (lease.expiresAtMs - nowMs),
        },
        // The row as read before may be stale: an earlier holder may have written under the same epoch since.
        ReturnValues: 'ALL_NEW',
      });
      const taken = await unlessRefused(client.send(update));
      return taken?.Attributes === undefined ? undefined : feedFromItem(taken.Attributes);
    },

    position: async ({ encryptedCursor }) => encryptedCursor,

    async save(
      feed,
      {
        batches = [],
        event,
        channel,
        forgotten = [],
        logs = [],
        leftDrives = [],
        states = [],
        forgottenStates = [],
        statesKey,
        starts,
        isOverdueNoMore = false,
      },
    ) {
      const update = progressUpdate(feed, batches.length, isOverdueNoMore);
      const others = [batches, forgotten, logs, leftDrives, states, forgottenStates].reduce(
        (sum, list) => sum + list.length,
        0,
      );
      if (
        others === 0 &&
        event === undefined &&
        channel === undefined &&
        statesKey === undefined &&
        starts === undefined
      ) {
        return isDone(client.send(new UpdateCommand(update)));
      }
      const items: TransactItem[] = [
        { Update: update },
        ...batches.map((batch) => batchPut(tableName, feed, batch)),
        ...(event === undefined ? [] : [eventPut(tableName, event)]),
        ...(channel === undefined ? [] : [channelPut(tableName, channel)]),
        ...forgotten.map((id) => ({ Delete: { TableName: tableName, Key: channelItemKey(id) } })),
        ...logs.map((log) => ({ Put: { TableName: tableName, Item: logToItem(feed, log) } })),
        ...leftDrives.map((id) => ({ Delete: { TableName: tableName, Key: logKey(feed, id) } })),
        ...states.map((state) => ({ Put: { TableName: tableName, Item: stateToItem(feed, state) } })),
        ...forgottenStates.map((name) => ({ Delete: { TableName: tableName, Key: stateKey(feed, name) } })),
        ...(statesKey === undefined ? [] : [{ Put: { TableName: tableName, Item: statesKeyToItem(feed, statesKey) } }]),
        ...(starts === undefined ? [] : [startsWrite(tableName, feed, starts)]),
      ];
      if ((await writeTogether(table, items)) !== undefined) return false;
      // After the main write: readers judge by number which batches are kept, and TTL deletes what this leaves.
      await Promise.allSettled(
        batches
          .map(({ sequence }) => batchBefore(feed, sequence, FEED_BATCHES_KEPT))
          .filter((sequence) => sequence > 0)
          .map((sequence) => {
            const Key = { pk: feedItemKey(feed).pk, sk: batchSk(sequence) };
            return client.send(new DeleteCommand({ TableName: tableName, Key }));
          }),
      );
      return true;
    },

    giveUp(feed, owner, { failureCount, notBeforeEpochSec, pullAtEpochSec }) {
      return isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: feedItemKey(feed),
            UpdateExpression:
              'SET epoch = :next, failureCount = :failures, notBeforeEpochSec = :until, pullAtEpochSec = :pull, refreshAt = :until REMOVE leaseOwner, leaseExpiresAtMs',
            ConditionExpression: 'epoch = :epoch AND leaseOwner = :owner',
            ExpressionAttributeValues: {
              ':epoch': feed.epoch,
              ':next': feed.epoch + 1,
              ':owner': owner,
              ':failures': failureCount,
              ':until': notBeforeEpochSec,
              ':pull': pullAtEpochSec,
            },
          }),
        ),
      );
    },

    async lastStored(ref) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :batches)',
          ExpressionAttributeValues: { ':pk': feedItemKey(ref).pk, ':batches': BATCH_SK_PREFIX },
          ScanIndexForward: false,
          Limit: 1,
          ConsistentRead: true,
        }),
      );
      const [last] = Items;
      return last === undefined ? 0 : Number(str(last, 'sequence'));
    },

    renumber(feed, sequence) {
      return isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: feedItemKey(feed),
            UpdateExpression: 'SET #sequence = :sequence',
            ...heldBy(feed, { ':sequence': sequence }),
          }),
        ),
      );
    },

    noteOverdue(ref, sinceEpochSec, event) {
      const Update = {
        TableName: tableName,
        Key: feedItemKey(ref),
        UpdateExpression: 'SET overdueSinceEpochSec = :since',
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(overdueSinceEpochSec)',
        ExpressionAttributeValues: { ':since': sinceEpochSec },
      };
      return writeTransition(table, { Update }, event);
    },

    async remove(feed, nowEpochSec, event) {
      const failed = await writeTogether(table, [
        {
          Delete: {
            TableName: tableName,
            Key: feedItemKey(feed),
            ConditionExpression: 'epoch = :epoch',
            ExpressionAttributeValues: { ':epoch': feed.epoch },
          },
        },
        ...(await placesOf(feed)).map((Key) => ({ Delete: { TableName: tableName, Key } })),
        remembers(feed)
          ? { Put: { TableName: tableName, Item: eraseMarkToItem(feed, nowEpochSec) } }
          : { Delete: { TableName: tableName, Key: feedMarkItemKey(feed) } },
        ...(feed.reminders.length > 0 ? [{ Delete: { TableName: tableName, Key: feedStartsItemKey(feed) } }] : []),
        ...(remembers(feed) ? [{ Delete: { TableName: tableName, Key: stateKey(feed, '') } }] : []),
        {
          Put: {
            TableName: tableName,
            Item: {
              ...deletedFeedItemKey(feed),
              type: 'feed_deleted',
              accountId: feed.accountId,
              [TABLE.timeToLive]: nowEpochSec + BACKUP_RETENTION_SEC,
            },
          },
        },
        ...feed.channels.map(({ id }) => ({ Delete: { TableName: tableName, Key: channelItemKey(id) } })),
        eventPut(tableName, event),
      ]);
      if (failed !== undefined) return false;
      // They exceed a transaction and are of no use without the feed; TTL deletes what this leaves.
      const logs = feed.resource.kind === 'drives' ? await logsOf(feed) : [];
      const keys = logs.flatMap(({ driveId, channels }) => [
        logKey(feed, driveId),
        ...channels.map(({ id }) => channelItemKey(id)),
      ]);
      await Promise.allSettled(keys.map((Key) => client.send(new DeleteCommand({ TableName: tableName, Key }))));
      return true;
    },

    logs: logsOf,

    async starts(ref) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: feedStartsItemKey(ref), ConsistentRead: true }),
      );
      return Item === undefined
        ? undefined
        : {
            minutes: minutesOf(Item.minutes),
            reported: readReported(str(Item, 'told')),
            dueAtEpochSec: num(Item, 'refreshAt'),
          };
    },

    async postponeStarts(ref, nowEpochSec, untilEpochSec) {
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: feedStartsItemKey(ref),
            UpdateExpression: 'SET refreshAt = :until',
            ConditionExpression: 'attribute_exists(dueShard) AND refreshAt <= :now',
            ExpressionAttributeValues: { ':until': untilEpochSec, ':now': nowEpochSec },
          }),
        ),
      );
    },

    async removeStarts(ref) {
      await client.send(new DeleteCommand({ TableName: tableName, Key: feedStartsItemKey(ref) }));
    },

    async statesKey(ref) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: stateKey(ref, ''), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : str(Item, 'encryptedKey');
    },

    async states(ref, names, nowEpochSec) {
      const items = await batchGet(
        table,
        names.map((name) => stateKey(ref, name)),
        { isConsistent: true },
      );
      // Deletion by TTL may lag by days: expiry is judged here.
      const valid = items.filter((item) => (optionalNum(item, TABLE.timeToLive) ?? nowEpochSec + 1) > nowEpochSec);
      return new Map(valid.map(stateFromItem).map((state) => [state.name, state]));
    },

    async folders(ref) {
      const found: KnownFolder[] = [];
      let position: Record<string, unknown> | undefined;
      do {
        const { Items = [], LastEvaluatedKey } = await client.send(
          new QueryCommand({
            TableName: tableName,
            KeyConditionExpression: 'pk = :pk AND begins_with(sk, :folders)',
            ExpressionAttributeValues: {
              ':pk': feedItemKey(ref).pk,
              ':folders': FEED_STATE_SK_PREFIX + folderName(''),
            },
            ConsistentRead: true,
            ExclusiveStartKey: position,
          }),
        );
        found.push(...Items.map(folderFromItem));
        position = LastEvaluatedKey;
      } while (position !== undefined);
      return found;
    },

    async eraseStates(ref, holder, isLate) {
      const Key = feedItemKey(ref);
      const { pk } = Key;
      const condition = holder === undefined ? { ConditionExpression: 'attribute_not_exists(pk)' } : heldBy(holder);
      // Without the condition, a holder whose lease ran out would delete what the next holder has stored.
      const check = { ConditionCheck: { TableName: tableName, Key, ...condition } };
      while (!isLate()) {
        const { Items = [] } = await client.send(
          new QueryCommand({
            TableName: tableName,
            KeyConditionExpression: 'pk = :pk AND begins_with(sk, :states)',
            ExpressionAttributeValues: { ':pk': pk, ':states': FEED_STATE_SK_PREFIX },
            Limit: FEED_STATES_ERASED_AT_ONCE,
            ConsistentRead: true,
          }),
        );
        if (Items.length === 0) return 'erased';
        const deletes = Items.map((item) => ({
          Delete: { TableName: tableName, Key: { pk, sk: str(item, 'sk') } },
        }));
        if ((await writeTogether(table, [check, ...deletes])) !== undefined) return 'superseded';
      }
      return 'late';
    },

    async readMark(ref) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: feedMarkItemKey(ref), ConsistentRead: true }),
      );
      return markFromItem(Item);
    },

    async passOn(ref, name, nowEpochSec) {
      const update = markUpdate(
        ref,
        'refreshAt = if_not_exists(refreshAt, :now), passedOn = :value',
        nowEpochSec,
        name,
      );
      const { Attributes } = await client.send(new UpdateCommand({ ...update, ReturnValues: 'ALL_NEW' }));
      return markFromItem(Attributes);
    },

    clearMark(ref, { messages, follows, logs, passedOn }) {
      const known = asRead({ follows, passedOn });
      const names = Object.fromEntries(logs.map((driveId, index) => [`#log${index}`, markedLog(driveId)]));
      return isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: feedMarkItemKey(ref),
            UpdateExpression: `REMOVE ${['dueShard', 'refreshAt', 'follows', 'passedOn', 'announced', ...Object.keys(names)].join(', ')}`,
            ConditionExpression: `messages = :messages AND ${known.condition}`,
            ...(logs.length === 0 ? {} : { ExpressionAttributeNames: names }),
            ExpressionAttributeValues: { ':messages': messages, ...known.values },
          }),
        ),
      );
    },

    async leaveMark(ref) {
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: feedMarkItemKey(ref),
            UpdateExpression: 'SET leftBehind = :true',
            ConditionExpression: 'attribute_exists(dueShard)',
            ExpressionAttributeValues: { ':true': true },
          }),
        ),
      );
    },

    postponeMark(ref, { follows }, untilEpochSec) {
      const known = asRead({ follows });
      return isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: feedMarkItemKey(ref),
            UpdateExpression: 'SET refreshAt = :until REMOVE follows',
            ConditionExpression: `attribute_exists(dueShard) AND ${known.condition}`,
            ExpressionAttributeValues: { ':until': untilEpochSec, ...known.values },
          }),
        ),
      );
    },

    async markChange(ref, change, nowEpochSec) {
      const update = markUpdate(ref, 'refreshAt = :now, follows = :value', nowEpochSec, change);
      await client.send(new UpdateCommand(update));
    },

    async removeMark(ref) {
      await client.send(new DeleteCommand({ TableName: tableName, Key: feedMarkItemKey(ref) }));
    },

    async due(shard, untilEpochSec, limit, after) {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: tableName,
          IndexName: TABLE.indexes.due.name,
          KeyConditionExpression: 'dueShard = :shard AND refreshAt <= :until',
          ExpressionAttributeValues: { ':shard': shard, ':until': untilEpochSec },
          Limit: limit,
          ExclusiveStartKey: after,
        }),
      );
      const refs = new Map<string, DueFeeds['refs'][number]>();
      for (const item of Items) {
        const ref = feedRefOfPk(str(item, 'pk'));
        const key = `${ref?.accountId} ${ref?.feedId}`;
        // The oldest of a feed and its mark comes first.
        if (ref !== undefined && !refs.has(key)) refs.set(key, { ...ref, dueAtEpochSec: num(item, 'refreshAt') });
      }
      const oldest = Items[0];
      return {
        refs: [...refs.values()],
        oldestEpochSec: oldest === undefined ? undefined : num(oldest, 'refreshAt'),
        next: LastEvaluatedKey,
      };
    },

    async postpone(ref, untilEpochSec) {
      for (const Key of [feedItemKey(ref), feedMarkItemKey(ref), feedStartsItemKey(ref)]) {
        await isDone(
          client.send(
            new UpdateCommand({
              TableName: tableName,
              Key,
              UpdateExpression: 'SET refreshAt = :until',
              ConditionExpression: 'attribute_exists(dueShard)',
              ExpressionAttributeValues: { ':until': untilEpochSec },
            }),
          ),
        );
      }
    },

    async ofConnection(ref) {
      return (await listOf(ref)).map((item) => ({ accountId: ref.accountId, feedId: str(item, 'feedId') }));
    },

    async siblings({ accountId, feedId, connection }) {
      const ids = (await listOf(connection)).map((item) => str(item, 'feedId')).filter((id) => id !== feedId);
      const keys = ids.map((id) => feedItemKey({ accountId, feedId: id }));
      const items = keys.length === 0 ? [] : await batchGet(table, keys, { isConsistent: true });
      const feeds = readable(items, feedFromItem, table.onUnreadable);
      return feeds.sort((a, b) => (a.feedId < b.feedId ? -1 : 1));
    },

    async ofAccount(accountId) {
      const refs: FeedRef[] = [];
      let position: Record<string, unknown> | undefined;
      do {
        const { Items = [], LastEvaluatedKey } = await client.send(
          new QueryCommand({
            TableName: tableName,
            IndexName: TABLE.indexes.byAccount.name,
            KeyConditionExpression: `${TABLE.indexes.byAccount.partitionKey} = :list`,
            ExpressionAttributeValues: { ':list': feedListKey(accountId) },
            ExclusiveStartKey: position,
          }),
        );
        for (const item of Items) {
          const ref = feedRefOfPk(str(item, 'pk'));
          if (ref !== undefined) refs.push(ref);
        }
        position = LastEvaluatedKey;
      } while (position !== undefined && refs.length < FEED_LIST_MAX);
      return refs.slice(0, FEED_LIST_MAX);
    },

    async readMany(refs) {
      const items = await batchGet(table, refs.map(feedItemKey));
      const feeds = readable(items, feedFromItem, table.onUnreadable);
      return feeds.sort((a, b) => (a.feedId < b.feedId ? -1 : 1));
    },

    changeSettings(ref, settings, event) {
      const entries = Object.entries(settings).filter(([, value]) => value !== undefined);
      const Update = {
        TableName: tableName,
        Key: feedItemKey(ref),
        UpdateExpression: `SET ${entries.map(([name]) => `${name} = :${name}`).join(', ')}`,
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: Object.fromEntries(entries.map(([name, value]) => [`:${name}`, value])),
      };
      return event === undefined
        ? isDone(client.send(new UpdateCommand(Update)))
        : writeTransition(table, { Update }, event);
    },

    async batches(ref, after, limit, nowEpochSec) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
          ExpressionAttributeValues: {
            ':pk': feedItemKey(ref).pk,
            ':from': batchSk(after + 1),
            ':to': `${BATCH_SK_PREFIX}~`,
          },
          Limit: limit,
          ConsistentRead: true,
        }),
      );
      // Deletion by TTL may lag by days: expiry is judged here.
      return Items.filter((item) => num(item, TABLE.timeToLive) > nowEpochSec).map(batchFromItem);
    },

    async cursors(ref) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :cursors)',
          ExpressionAttributeValues: { ':pk': feedItemKey(ref).pk, ':cursors': FEED_CURSOR_SK_PREFIX },
          ConsistentRead: true,
        }),
      );
      return Items.map((item) => ({
        name: str(item, 'cursorName'),
        sequence: num(item, 'sequence'),
        movedAt: str(item, 'movedAt'),
        behindSince: optionalStr(item, 'behindSince'),
      }));
    },

    noteBehind(ref, { name, sequence, behindSince }, event) {
      const Update = {
        TableName: tableName,
        Key: cursorKey(ref, name),
        UpdateExpression: 'SET behindSince = :since',
        ConditionExpression: '#sequence = :sequence AND attribute_not_exists(behindSince)',
        ExpressionAttributeNames: { '#sequence': 'sequence' },
        ExpressionAttributeValues: { ':since': behindSince, ':sequence': sequence },
      };
      return writeTransition(table, { Update }, event);
    },

    async moveCursor(ref, { name, sequence, movedAt, behindSince }) {
      const Item = {
        ...cursorKey(ref, name),
        type: 'feed_cursor',
        accountId: ref.accountId,
        cursorName: name,
        sequence,
        movedAt,
        behindSince,
      };
      await client.send(new PutCommand({ TableName: tableName, Item }));
    },

    async removeCursor(ref, name) {
      await client.send(new DeleteCommand({ TableName: tableName, Key: cursorKey(ref, name) }));
    },
  };
}

/** Feeds that one list shows. */
const FEED_LIST_MAX = 1_000;

function cursorKey(ref: FeedRef, name: string) {
  return { pk: feedItemKey(ref).pk, sk: FEED_CURSOR_SK_PREFIX + name };
}

/** A feed as its item. */
export function feedToItem(feed: Feed): Item {
  const { sets, values } = progressChange(feed);
  const progress = Object.fromEntries(
    sets.map((set) => {
      const [name = '', value = ''] = set.split(' = ');
      return [name.replace('#', ''), values[value]];
    }),
  );
  return {
    ...feedItemKey(feed),
    ...progress,
    type: 'feed',
    accountId: feed.accountId,
    integrationId: feed.connection.integrationId,
    connectionId: feed.connection.connectionId,
    [TABLE.indexes.byAccount.partitionKey]: feedListKey(feed.accountId),
    [TABLE.indexes.byAccount.sortKey]: feed.feedId,
    feedId: feed.feedId,
    resource: feedResourceText(feed.resource),
    feedEndUserId: feed.endUserId,
    delivery: feed.delivery,
    safetyIntervalSec: feed.safetyIntervalSec,
    pollIntervalSec: feed.pollIntervalSec,
    // Absent where they are not wanted: a feed fits into one write unit.
    ...(feed.meaning ? { meaning: true } : {}),
    ...(feed.seen ? { seen: true } : {}),
    ...(feed.reminders.length > 0 ? { reminders: [...feed.reminders] } : {}),
    dueShard: feedShardOf(feed.feedId),
    epoch: feed.epoch,
    createdAt: feed.createdAt,
    ...(feed.leap === undefined ? {} : { sequenceLeap: feed.leap }),
    ...(feed.managedBy === undefined ? {} : { managedBy: feed.managedBy }),
  };
}

/** A feed's place at its connection, as its item. */
export function placeToItem({ accountId, feedId, connection, resource }: Feed): Item {
  return { ...feedOfItemKey(connection, feedResourceText(resource)), type: 'feed_place', accountId, feedId };
}

/** Progress, lease and due time as parts of an update expression. */
function progressChange(feed: Feed) {
  const attributes: Record<keyof FeedProgress | 'leaseOwner' | 'leaseExpiresAtMs' | 'refreshAt', unknown> = {
    state: feed.state,
    reason: feed.reason,
    encryptedCursor: feed.encryptedCursor,
    subject: feed.subject,
    clientId: feed.clientId,
    sequence: feed.sequence,
    channels: feed.channels,
    watchAtEpochSec: feed.watchAtEpochSec,
    pullAtEpochSec: feed.pullAtEpochSec,
    notBeforeEpochSec: feed.notBeforeEpochSec,
    waiting: feed.waiting,
    failureCount: feed.failureCount,
    refusedSinceEpochSec: feed.refusedSinceEpochSec,
    lastPullAtMs: feed.lastPullAtMs,
    lastPullChanges: feed.lastPullChanges,
    lastBatchAtEpochSec: feed.lastBatchAtEpochSec,
    lastGapAtEpochSec: feed.lastGapAtEpochSec,
    unannounced: feed.unannounced,
    logsDueAtEpochSec: feed.logsDueAtEpochSec,
    logsFrom: feed.logsFrom,
    drivesFollowed: feed.drivesFollowed,
    statesSinceMs: feed.statesSinceMs,
    followedLog: feed.followedLog,
    lentChannel: feed.lentChannel,
    leaseOwner: feed.lease?.owner,
    leaseExpiresAtMs: feed.lease?.expiresAtMs,
    refreshAt: feedDueAt(feed),
  };
  const sets: string[] = [];
  const removes: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(attributes)) {
    const stored = { state: 'feedState', reason: 'feedReason', sequence: '#sequence' }[name] ?? name;
    if (value === undefined) removes.push(stored);
    else {
      sets.push(`${stored} = :${name}`);
      values[`:${name}`] = value;
    }
  }
  return { sets, removes, values };
}

/** An item as the feed it stores. */
export function feedFromItem(item: Item): Whole<Feed> {
  const resource = parseFeedResource(str(item, 'resource'));
  if (resource === undefined) throw new UnreadableItemError('resource');
  const accountId = str(item, 'accountId');
  const leaseOwner = optionalStr(item, 'leaseOwner');
  return {
    accountId,
    feedId: str(item, 'feedId'),
    connection: { accountId, integrationId: str(item, 'integrationId'), connectionId: str(item, 'connectionId') },
    endUserId: optionalStr(item, 'feedEndUserId'),
    resource,
    delivery: oneOf(item, 'delivery', FEED_DELIVERIES),
    safetyIntervalSec: num(item, 'safetyIntervalSec'),
    pollIntervalSec: num(item, 'pollIntervalSec'),
    meaning: item.meaning === true,
    seen: item.seen === true,
    reminders: minutesOf(item.reminders),
    leap: leapOf(item),
    overdueSinceEpochSec: optionalNum(item, 'overdueSinceEpochSec'),
    managedBy: item.managedBy === undefined ? undefined : managedByOf(item),
    epoch: num(item, 'epoch'),
    lease: leaseOwner === undefined ? undefined : { owner: leaseOwner, expiresAtMs: num(item, 'leaseExpiresAtMs') },
    createdAt: str(item, 'createdAt'),
    state: oneOf(item, 'feedState', FEED_STATES),
    reason: optionalStr(item, 'feedReason'),
    encryptedCursor: optionalStr(item, 'encryptedCursor'),
    subject: optionalStr(item, 'subject'),
    clientId: optionalStr(item, 'clientId'),
    sequence: num(item, 'sequence'),
    channels: channelsOf(item),
    watchAtEpochSec: num(item, 'watchAtEpochSec'),
    pullAtEpochSec: num(item, 'pullAtEpochSec'),
    notBeforeEpochSec: num(item, 'notBeforeEpochSec'),
    waiting: waitOf(item),
    failureCount: num(item, 'failureCount'),
    refusedSinceEpochSec: optionalNum(item, 'refusedSinceEpochSec'),
    lastPullAtMs: num(item, 'lastPullAtMs'),
    lastPullChanges: num(item, 'lastPullChanges'),
    lastBatchAtEpochSec: optionalNum(item, 'lastBatchAtEpochSec'),
    lastGapAtEpochSec: optionalNum(item, 'lastGapAtEpochSec'),
    unannounced: num(item, 'unannounced'),
    logsDueAtEpochSec: optionalNum(item, 'logsDueAtEpochSec'),
    logsFrom: optionalStr(item, 'logsFrom'),
    drivesFollowed: optionalNum(item, 'drivesFollowed'),
    statesSinceMs: optionalNum(item, 'statesSinceMs'),
    followedLog: optionalStr(item, 'followedLog'),
    lentChannel: lentChannelOf(item),
  };
}

function logKey(ref: FeedRef, driveId: string) {
  return { pk: feedItemKey(ref).pk, sk: FEED_LOG_SK_PREFIX + driveId };
}

function logToItem(feed: Feed, { driveId, encryptedCursor, channels, watchAtEpochSec }: DriveLog): Item {
  const writtenAtMs = Math.max(feed.lastPullAtMs, Date.parse(feed.createdAt));
  return {
    ...logKey(feed, driveId),
    type: 'feed_log',
    accountId: feed.accountId,
    driveId,
    encryptedCursor,
    channels,
    watchAtEpochSec,
    [TABLE.timeToLive]: Math.floor(writtenAtMs / 1000) + FEED_LOG_RETENTION_SEC,
  };
}

function minutesOf(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'number') : [];
}

function startsWrite(TableName: string, feed: Feed, starts: StartsPlan | 'none'): TransactItem {
  return starts === 'none'
    ? { Delete: { TableName, Key: feedStartsItemKey(feed) } }
    : { Put: { TableName, Item: startsToItem(feed, starts) } };
}

function startsToItem(feed: Feed, { minutes, reported, dueAtEpochSec }: StartsPlan): Item {
  return {
    ...feedStartsItemKey(feed),
    type: 'feed_starts',
    accountId: feed.accountId,
    feedId: feed.feedId,
    minutes: [...minutes],
    told: reportedText(reported),
    dueShard: startsShardOf(feed.feedId),
    refreshAt: dueAtEpochSec,
  };
}

/** Whether a feed has more rows than those that are deleted with it or by TTL. */
function remembers(feed: Feed): boolean {
  return feed.statesSinceMs !== undefined;
}

/** A mark of a deleted feed, due at once, so that its memory is erased. Its key was deleted with the feed. */
function eraseMarkToItem(feed: Feed, nowEpochSec: number): Item {
  return {
    ...feedMarkItemKey(feed),
    type: 'feed_mark',
    accountId: feed.accountId,
    feedId: feed.feedId,
    messages: 1,
    dueShard: feedShardOf(feed.feedId),
    refreshAt: nowEpochSec,
  };
}

/**
 * The condition that a row is its holder's. The epoch excludes other holders. The sequence excludes a write of the same holder that
 * arrives late, and a holder from before a restore, whose epoch may come again.
 *
 * @param values of the write's own expression
 */
function heldBy({ epoch, sequence }: Pick<Feed, 'epoch' | 'sequence'>, values: Record<string, unknown> = {}) {
  return {
    ConditionExpression: 'epoch = :epoch AND #sequence = :before',
    ExpressionAttributeNames: { '#sequence': 'sequence' },
    ExpressionAttributeValues: { ...values, ':epoch': epoch, ':before': sequence },
  };
}

function stateKey(ref: FeedRef, name: string) {
  return { pk: feedItemKey(ref).pk, sk: FEED_STATE_SK_PREFIX + name };
}

/** The key of a feed's memory: first in its partition, and in a row of its own because a feed fits into one write unit. */
function statesKeyToItem(feed: Feed, encryptedKey: string): Item {
  return { ...stateKey(feed, ''), type: 'feed_states_key', encryptedKey };
}

function folderFromItem(item: Item): KnownFolder {
  return {
    id: str(item, 'sk').slice((FEED_STATE_SK_PREFIX + folderName('')).length),
    parent: optionalStr(item, 'inFolder') ?? '',
    listing: optionalStr(item, 'listing'),
    enters: optionalStr(item, 'enters'),
  };
}

function stateFromItem(item: Item): ThingState {
  return {
    name: str(item, 'sk').slice(FEED_STATE_SK_PREFIX.length),
    state: str(item, 'known'),
    expiresAtEpochSec: optionalNum(item, TABLE.timeToLive),
    folder: optionalStr(item, 'inFolder'),
  };
}

function stateToItem(feed: Feed, { name, state, expiresAtEpochSec, folder, listing, enters }: ThingState): Item {
  return {
    ...stateKey(feed, name),
    type: 'feed_state',
    known: state,
    ...(folder === undefined ? {} : { inFolder: folder }),
    ...(listing === undefined ? {} : { listing }),
    ...(enters === undefined ? {} : { enters }),
    ...(expiresAtEpochSec === undefined ? {} : { [TABLE.timeToLive]: expiresAtEpochSec }),
  };
}

function logFromItem(item: Item): DriveLog {
  return {
    driveId: str(item, 'driveId'),
    encryptedCursor: str(item, 'encryptedCursor'),
    channels: channelsOf(item),
    watchAtEpochSec: num(item, 'watchAtEpochSec'),
  };
}

function waitOf(item: Item): FeedWait | undefined {
  const wait = optionalMap(item, 'waiting');
  return wait === undefined
    ? undefined
    : { reason: oneOf(wait, 'reason', FEED_WAIT_REASONS), untilEpochSec: num(wait, 'untilEpochSec') };
}

function lentChannelOf(item: Item): LentChannel | undefined {
  const lent = optionalMap(item, 'lentChannel');
  return lent === undefined
    ? undefined
    : { endsAtEpochSec: num(lent, 'endsAtEpochSec'), renewAtEpochSec: num(lent, 'renewAtEpochSec') };
}

function leapOf(item: Item): SequenceLeap | undefined {
  const leap = optionalMap(item, 'sequenceLeap');
  return leap === undefined ? undefined : { from: num(leap, 'from'), to: num(leap, 'to') };
}

function channelsOf(item: Item): FeedChannel[] {
  const value = item.channels;
  if (!Array.isArray(value)) throw new UnreadableItemError('channels');
  return value.map((_, index) => {
    const channel = optionalMap({ ...value }, String(index));
    if (channel === undefined) throw new UnreadableItemError('channels');
    return {
      id: str(channel, 'id'),
      resourceId: str(channel, 'resourceId'),
      openedAtEpochSec: num(channel, 'openedAtEpochSec'),
      endsAtEpochSec: num(channel, 'endsAtEpochSec'),
      renewAtEpochSec: num(channel, 'renewAtEpochSec'),
    };
  });
}

/** The members of a mark that have not changed since it was read. */
function asRead(known: Partial<Pick<FeedMark, 'follows' | 'passedOn'>>) {
  const parts = Object.entries(known).map(([name, value]) =>
    value === undefined
      ? { condition: `attribute_not_exists(${name})`, values: {} }
      : { condition: `${name} = :${name}`, values: { [`:${name}`]: value } },
  );
  return {
    condition: parts.map(({ condition }) => condition).join(' AND '),
    values: Object.assign({}, ...parts.map(({ values }) => values)),
  };
}

function markFromItem(item: Item | undefined): FeedMark {
  if (item === undefined) {
    return {
      messages: 0,
      lastMessageAtEpochSec: undefined,
      marked: false,
      follows: undefined,
      logs: [],
      announced: false,
      passedOn: undefined,
    };
  }
  return {
    messages: num(item, 'messages'),
    lastMessageAtEpochSec: optionalNum(item, 'lastMessageAtEpochSec'),
    marked: optionalNum(item, 'dueShard') !== undefined,
    follows: optionalStr(item, 'follows'),
    logs: logsMarked(Object.keys(item)),
    announced: item.announced === true,
    passedOn: optionalStr(item, 'passedOn'),
  };
}

/** A batch that is not delivered as an event is in no list of events either. */
const NOT_IN_LISTS = { accountListKey: undefined, listSortKey: undefined };

/** A batch is its own event: the stream carries it where the feed is delivered on the bus (CF-24, CF-30). */
export function batchPut(tableName: string, feed: Feed, batch: NewBatch): TransactItem {
  const item = eventToItem({
    eventId: batch.eventId,
    eventType: 'FeedChanged',
    sequence: batch.sequence,
    occurredAt: batch.storedAt,
    subject: feed.connection,
    endUserId: feed.endUserId,
    cause: batch.reason,
    says: { reason: batch.reason },
    remedy:
      batch.kind === 'gap' ? 'Compare everything you have stored of this resource: changes may be missing.' : undefined,
    requestId: batch.requestId,
    about: {
      feed_id: feed.feedId,
      resource: feedResourceText(feed.resource),
      // Earlier versions know no other kinds, and read starting events as changes.
      kind: batch.kind === 'gap' ? 'gap' : 'changes',
      changes: JSON.stringify(batch.changes.map(changeOnTheWire)),
    },
  });
  return {
    Put: {
      TableName: tableName,
      Item: {
        ...item,
        pk: feedItemKey(feed).pk,
        sk: batchSk(batch.sequence),
        ...(batch.kind === 'starts' ? { [BATCH_STARTS_ATTRIBUTE]: 'yes' } : {}),
        type: feed.delivery === 'bus' ? EVENT_ITEM_TYPE : 'feed_batch',
        ...(feed.delivery === 'bus' ? {} : NOT_IN_LISTS),
        [TABLE.timeToLive]: Math.floor(Date.parse(batch.storedAt) / 1000) + FEED_BATCH_RETENTION_SEC,
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** An item as the batch it stores. */
export function batchFromItem(item: Item): FeedBatch {
  const changes: unknown = JSON.parse(str(item, 'changes'));
  if (!Array.isArray(changes)) throw new UnreadableItemError('changes');
  const reason = optionalStr(item, 'cause');
  return {
    sequence: Number(str(item, 'sequence')),
    kind: item[BATCH_STARTS_ATTRIBUTE] === undefined ? oneOf(item, 'batchKind', ['changes', 'gap'] as const) : 'starts',
    reason: GAP_REASONS.find((one) => one === reason),
    changes: changes.map(changeFromText),
    storedAt: str(item, 'occurredAt'),
  };
}

const KINDS = ['file', 'drive', 'event', 'calendar', 'acl', 'setting'] as const;

function changeFromText(value: unknown): FeedChange {
  const item = optionalMap({ change: value }, 'change') ?? {};
  return {
    id: str(item, 'id'),
    kind: oneOf(item, 'kind', KINDS),
    removed: item.removed === true,
    time: optionalStr(item, 'time'),
    mimeType: optionalStr(item, 'mime_type'),
    ...(item.subtree === true ? { subtree: true } : {}),
    ...(typeof item.minutes_before === 'number' ? { minutesBefore: item.minutes_before } : {}),
    ...(Array.isArray(item.what) ? { what: item.what.flatMap(meaningOf) } : {}),
  };
}

function meaningOf(word: unknown): Meaning[] {
  const known = MEANINGS.find((one) => one === word);
  return known === undefined ? [] : [known];
}

function channelPut(tableName: string, channel: ChannelRecord): TransactItem {
  return {
    Put: {
      TableName: tableName,
      Item: channelToItem(channel),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** A channel as its item. */
export function channelToItem({ channelId, accountId, feedId, log, tokenHash, endsAtEpochSec }: ChannelRecord): Item {
  return {
    ...channelItemKey(channelId),
    type: 'channel',
    accountId,
    feedId,
    channelId,
    tokenHash,
    endsAtEpochSec,
    ...(log === undefined ? {} : { driveLog: log }),
    [TABLE.timeToLive]: endsAtEpochSec + TTL_GRACE_SEC,
  };
}
