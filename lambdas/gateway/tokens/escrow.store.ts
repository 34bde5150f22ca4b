import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dueEntries } from '../connections/due.store.ts';
import { DUE_SHARDS } from '../core/contract.ts';
import { dueShardOf } from '../core/identifiers.ts';
import {
  connectionRefFromItem,
  type Item,
  isDone,
  num,
  optionalStr,
  str,
  strings,
  type Table,
} from '../platform/dynamodb/client.ts';
import { escrowItemKey } from '../platform/dynamodb/keys.ts';
import type { EscrowedTokens, EscrowStore } from './ports.ts';

/** Escrow has 64 partitions of the due index behind those of refreshes and revocations. */
function escrowShard(refreshShard: number): number {
  return 2 * DUE_SHARDS + refreshShard;
}

/**
 * Rotated tokens that could not be written to their connection, each under a partition key of its own. Removing needs a right that the
 * proxy function does not have: it only adopts, and the schedule cleans up.
 */
export function escrowStore(table: Table): EscrowStore {
  const { client, tableName } = table;
  return {
    async put(tokens) {
      await isDone(
        client.send(
          new PutCommand({
            TableName: tableName,
            Item: toItem(tokens),
            ConditionExpression: 'attribute_not_exists(pk) OR epoch < :epoch',
            ExpressionAttributeValues: { ':epoch': tokens.epoch },
          }),
        ),
      );
    },

    async read(ref) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: escrowItemKey(ref), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : fromItem(Item);
    },

    async due(shard, untilEpochSec, limit) {
      const query = { shard: escrowShard(shard), untilEpochSec, limit, tag: 'ESCROW' };
      return (await dueEntries(table, query)).entries.map(({ ref }) => ref);
    },

    async postpone(tokens, refreshAtEpochSec) {
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: escrowItemKey(tokens.ref),
            UpdateExpression: 'SET refreshAt = :refreshAt',
            ConditionExpression: 'epoch = :epoch',
            ExpressionAttributeValues: { ':refreshAt': refreshAtEpochSec, ':epoch': tokens.epoch },
          }),
        ),
      );
    },

    async remove(tokens) {
      await isDone(
        client.send(
          new DeleteCommand({
            TableName: tableName,
            Key: escrowItemKey(tokens.ref),
            ConditionExpression: 'epoch = :epoch',
            ExpressionAttributeValues: { ':epoch': tokens.epoch },
          }),
        ),
      );
    },
  };
}

function toItem(tokens: EscrowedTokens): Record<string, unknown> {
  const { ref } = tokens;
  return {
    ...escrowItemKey(ref),
    type: 'escrow',
    accountId: ref.accountId,
    integrationId: ref.integrationId,
    connectionId: ref.connectionId,
    epoch: tokens.epoch,
    encryptedAccessToken: tokens.encryptedAccessToken,
    encryptedRefreshToken: tokens.encryptedRefreshToken,
    tokenPrints: tokens.tokenPrints,
    accessTokenExpiresAtEpochSec: tokens.accessTokenExpiresAtEpochSec,
    grantedScopes: tokens.grantedScopes,
    createdAtEpochSec: tokens.createdAtEpochSec,
    refreshAt: tokens.createdAtEpochSec,
    dueShard: escrowShard(dueShardOf(ref, DUE_SHARDS)),
  };
}

function fromItem(item: Item): EscrowedTokens {
  return {
    ref: connectionRefFromItem(item),
    epoch: num(item, 'epoch'),
    encryptedAccessToken: str(item, 'encryptedAccessToken'),
    encryptedRefreshToken: str(item, 'encryptedRefreshToken'),
    tokenPrints: optionalStr(item, 'tokenPrints'),
    accessTokenExpiresAtEpochSec: num(item, 'accessTokenExpiresAtEpochSec'),
    grantedScopes: strings(item, 'grantedScopes'),
    createdAtEpochSec: num(item, 'createdAtEpochSec'),
  };
}
