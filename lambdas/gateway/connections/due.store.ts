import { GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { DUE_SHARDS, TABLE } from '../core/contract.ts';
import { type ConnectionRef, connectionRefKey, dueShardOf } from '../core/identifiers.ts';
import { writeTransition } from '../events/event.store.ts';
import {
  connectionRefFromItem,
  type Item,
  isDone,
  num,
  oneOf,
  optionalStr,
  str,
  type Table,
} from '../platform/dynamodb/client.ts';
import {
  connectionItemKey,
  connectionRefOfPk,
  revocationItemKey,
  revocationListKey,
  UNCONFIRMED_SK,
} from '../platform/dynamodb/keys.ts';
import { PROVIDER_IDS } from '../providers/provider.rules.ts';
import type { ConnectionUpkeep, DuePosition, PendingRevocation, RevocationStore } from './ports.ts';

/** A page of the due index: one kind of work, one shard. */
export interface DueQuery {
  /** Partition of the index; each kind of work has 64 of its own. */
  readonly shard: number;
  readonly untilEpochSec: number;
  readonly limit: number;
  readonly after?: DuePosition | undefined;
  /** First part of the partition keys of this kind of work. @default that of connections */
  readonly tag?: string;
}

/** Items whose work is due, by identity and sort key. */
export interface DueEntries {
  readonly entries: readonly { readonly ref: ConnectionRef; readonly sk: string }[];
  /** Undefined at the end of the shard. */
  readonly next: DuePosition | undefined;
}

/** Items whose work is due, oldest first; entries of other kinds are skipped. */
export async function dueEntries(table: Table, query: DueQuery): Promise<DueEntries> {
  const { Items = [], LastEvaluatedKey } = await dueItems(table, query);
  const entries = Items.flatMap((item) => {
    const ref = connectionRefOfPk(str(item, 'pk'), query.tag);
    return ref === undefined ? [] : [{ ref, sk: str(item, 'sk') }];
  });
  return { entries, next: LastEvaluatedKey };
}

function dueItems({ client, tableName }: Table, { shard, untilEpochSec, limit, after }: DueQuery) {
  return client.send(
    new QueryCommand({
      TableName: tableName,
      IndexName: TABLE.indexes.due.name,
      KeyConditionExpression: 'dueShard = :shard AND refreshAt <= :until',
      ExpressionAttributeValues: { ':shard': shard, ':until': untilEpochSec },
      Limit: limit,
      ExclusiveStartKey: after,
    }),
  );
}

/** Due connections, and their postponement. */
export function connectionUpkeep(table: Table): ConnectionUpkeep {
  const { client, tableName } = table;
  return {
    async postpone(ref, refreshAtEpochSec) {
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: connectionItemKey(ref),
            UpdateExpression: 'SET refreshAt = :refreshAt, failureCount = if_not_exists(failureCount, :zero) + :one',
            ConditionExpression: 'attribute_exists(dueShard)',
            ExpressionAttributeValues: { ':refreshAt': refreshAtEpochSec, ':zero': 0, ':one': 1 },
          }),
        ),
      );
    },

    async duePage(shard, untilEpochSec, limit, after) {
      const { entries, next } = await dueEntries(table, { shard, untilEpochSec, limit, after });
      return { refs: entries.map(({ ref }) => ref), next };
    },

    async hasDue(partition, untilEpochSec) {
      const { Items = [] } = await dueItems(table, { shard: partition, untilEpochSec, limit: 1 });
      return Items.length > 0;
    },
  };
}

/**
 * Partition of the due index for a grant to end: a pending revocation, or one that waits for confirmation. These have 64 partitions of
 * their own behind those of refreshes, so that neither kind of work delays the other.
 */
export function revocationShard(refreshShard: number): number {
  return DUE_SHARDS + refreshShard;
}

/** A pending revocation as its item. */
export function revocationToItem(revocation: PendingRevocation): Record<string, unknown> {
  const { ref } = revocation;
  return {
    ...revocationItemKey(ref),
    type: 'revocation',
    ...ref,
    provider: revocation.provider,
    encryptedRefreshToken: revocation.encryptedRefreshToken,
    clientId: revocation.clientId,
    subject: revocation.subject,
    endUserId: revocation.endUserId,
    requestedAtEpochSec: revocation.requestedAtEpochSec,
    failureCount: revocation.failureCount,
    refreshAt: revocation.retryAtEpochSec,
    dueShard: revocationShard(dueShardOf(ref, DUE_SHARDS)),
    accountListKey: revocationListKey(ref.accountId),
    listSortKey: `${new Date(revocation.requestedAtEpochSec * 1000).toISOString()}#${connectionRefKey(ref)}`,
  };
}

/** An item as the revocation it stores. */
function revocationFromItem(item: Item): PendingRevocation {
  return {
    ref: connectionRefFromItem(item),
    // Rows from before there was another server than Google's lack it; Google's providers share one.
    provider: item.provider === undefined ? 'google-drive' : oneOf(item, 'provider', PROVIDER_IDS),
    encryptedRefreshToken: str(item, 'encryptedRefreshToken'),
    clientId: str(item, 'clientId'),
    subject: optionalStr(item, 'subject'),
    endUserId: optionalStr(item, 'endUserId'),
    requestedAtEpochSec: num(item, 'requestedAtEpochSec'),
    retryAtEpochSec: num(item, 'refreshAt'),
    failureCount: num(item, 'failureCount'),
  };
}

/** Grants that the provider still has to end; written by the deletion of their connection, or when they were not confirmed. */
export function revocationStore(table: Table): RevocationStore {
  const { client, tableName } = table;
  return {
    async read(ref) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: revocationItemKey(ref), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : revocationFromItem(Item);
    },

    async due(shard, untilEpochSec, limit) {
      const { entries } = await dueEntries(table, { shard: revocationShard(shard), untilEpochSec, limit });
      return entries.map(({ ref, sk }) => {
        const [kind, reconnectSession] = sk.split('#');
        return kind === UNCONFIRMED_SK ? { kind: 'unconfirmed', ref, reconnectSession } : { kind: 'revocation', ref };
      });
    },

    finish: (revocation, event) =>
      writeTransition(
        table,
        {
          Delete: {
            TableName: tableName,
            Key: revocationItemKey(revocation.ref),
            // A later deletion of a connection of the same name has put its own item here.
            ConditionExpression: 'requestedAtEpochSec = :requestedAt',
            ExpressionAttributeValues: { ':requestedAt': revocation.requestedAtEpochSec },
          },
        },
        event,
      ),

    async put(revocation) {
      await client.send(new PutCommand({ TableName: tableName, Item: revocationToItem(revocation) }));
    },

    async postpone(revocation, retryAtEpochSec) {
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: revocationItemKey(revocation.ref),
            UpdateExpression: 'SET refreshAt = :retryAt, failureCount = :failures',
            ConditionExpression: 'requestedAtEpochSec = :requestedAt',
            ExpressionAttributeValues: {
              ':retryAt': retryAtEpochSec,
              ':failures': revocation.failureCount + 1,
              ':requestedAt': revocation.requestedAtEpochSec,
            },
          }),
        ),
      );
    },
  };
}
