import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { num, optionalStr, str, type Table } from '../../gateway/platform/dynamodb/client.ts';
import { feedShardOf, markedLog } from './feed.rules.ts';
import { channelItemKey, feedMarkItemKey } from './feed-keys.store.ts';
import type { InboxStore } from './ports.ts';

/** Access of the inbox: channels and marks, but no feed and no connection (SH-4). */
export function inboxStore({ client, tableName }: Table): InboxStore {
  return {
    async channel(channelId) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: channelItemKey(channelId), ConsistentRead: true }),
      );
      if (Item === undefined) return undefined;
      return {
        accountId: str(Item, 'accountId'),
        feedId: str(Item, 'feedId'),
        channelId,
        tokenHash: str(Item, 'tokenHash'),
        endsAtEpochSec: num(Item, 'endsAtEpochSec'),
        log: optionalStr(Item, 'driveLog'),
      };
    },

    async mark(ref, nowEpochSec) {
      // Mark and entry of the due index are one write: a wake-up that is lost costs one tick, never the work (SH-3).
      const { Attributes } = await client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: feedMarkItemKey(ref),
          UpdateExpression:
            'SET #type = :type, accountId = :account, feedId = :feed, lastMessageAtEpochSec = :now, ' +
            `dueShard = :shard, refreshAt = if_not_exists(refreshAt, :now), ${ref.log === undefined ? 'announced = :true' : '#log = :now'} REMOVE leftBehind ADD messages :one`,
          ExpressionAttributeNames: {
            '#type': 'type',
            ...(ref.log === undefined ? {} : { '#log': markedLog(ref.log) }),
          },
          ExpressionAttributeValues: {
            ':type': 'feed_mark',
            ':account': ref.accountId,
            ':feed': ref.feedId,
            ':now': nowEpochSec,
            ':shard': feedShardOf(ref.feedId),
            ':one': 1,
            ...(ref.log === undefined ? { ':true': true } : {}),
          },
          ReturnValues: 'UPDATED_OLD',
        }),
      );
      return Attributes?.dueShard === undefined || Attributes.leftBehind === true;
    },
  };
}
