import { GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ReconnectBatch, ReconnectBatchStore } from '../../gateway/authorization/ports.ts';
import { TABLE } from '../../gateway/core/contract.ts';
import { RECONNECT_BATCH_RETENTION_SEC } from '../../gateway/core/limits.ts';
import {
  type Item,
  isDone,
  num,
  optionalStr,
  readable,
  str,
  type Table,
  UnreadableItemError,
} from '../../gateway/platform/dynamodb/client.ts';
import { accountPk, RECONNECT_BATCH_SK_PREFIX, reconnectBatchItemKey } from '../../gateway/platform/dynamodb/keys.ts';

/** Batches of reconnect links, each one item of its account. */
export function reconnectBatchStore(table: Table): ReconnectBatchStore {
  const { client, tableName } = table;
  return {
    async create(batch) {
      await client.send(
        new PutCommand({
          TableName: tableName,
          Item: {
            ...reconnectBatchItemKey(batch.accountId, batch.batchId),
            type: 'reconnect_batch',
            ...batch,
            [TABLE.timeToLive]: Math.floor(Date.parse(batch.createdAt) / 1000) + RECONNECT_BATCH_RETENTION_SEC,
          },
        }),
      );
    },

    async read(accountId, batchId) {
      const { Item } = await client.send(
        new GetCommand({
          TableName: tableName,
          Key: reconnectBatchItemKey(accountId, batchId),
          ConsistentRead: true,
        }),
      );
      return Item === undefined ? undefined : batchFromItem(Item);
    },

    async list(accountId, limit) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':pk': accountPk(accountId), ':prefix': RECONNECT_BATCH_SK_PREFIX },
          ScanIndexForward: false,
          Limit: limit,
        }),
      );
      return readable(Items, batchFromItem, table.onUnreadable);
    },

    async markRevoked({ accountId, batchId }, sessionHashes, revokedAt) {
      for (;;) {
        const key = { TableName: tableName, Key: reconnectBatchItemKey(accountId, batchId) };
        const { Item } = await client.send(new GetCommand({ ...key, ConsistentRead: true }));
        if (Item === undefined) return;
        const seen = Item.links;
        const links = batchFromItem(Item).links.map((link) =>
          sessionHashes.has(link.sessionHash) ? { ...link, revokedAt: link.revokedAt ?? revokedAt } : link,
        );
        const isWhole = links.every((link) => link.revokedAt !== undefined);
        const marked = client.send(
          new UpdateCommand({
            ...key,
            UpdateExpression: `SET links = :links${isWhole ? ', revokedAt = if_not_exists(revokedAt, :now)' : ''}`,
            // Another key may withdraw another part at the same time: neither may undo the other's change.
            ConditionExpression: 'links = :seen',
            ExpressionAttributeValues: { ':links': links, ':seen': seen, ...(isWhole ? { ':now': revokedAt } : {}) },
          }),
        );
        if (await isDone(marked)) return;
      }
    },
  };
}

function batchFromItem(item: Item): ReconnectBatch {
  const { links } = item;
  if (!Array.isArray(links)) throw new UnreadableItemError('links');
  return {
    accountId: str(item, 'accountId'),
    batchId: str(item, 'batchId'),
    createdAt: str(item, 'createdAt'),
    createdBy: str(item, 'createdBy'),
    endsAtEpochSec: num(item, 'endsAtEpochSec'),
    links: links.map((link: Item) => ({
      integrationId: str(link, 'integrationId'),
      connectionId: str(link, 'connectionId'),
      sessionHash: str(link, 'sessionHash'),
      revokedAt: optionalStr(link, 'revokedAt'),
    })),
    revokedAt: optionalStr(item, 'revokedAt'),
  };
}
