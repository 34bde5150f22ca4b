import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../core/contract.ts';
import type { ConnectionRef } from '../core/identifiers.ts';
import { isDone, type Table } from '../platform/dynamodb/client.ts';
import { str } from '../platform/dynamodb/item-reader.ts';
import { connectionItemKey, connectionRefOfPk } from '../platform/dynamodb/keys.ts';
import type { ConnectionUpkeep, DuePosition } from './ports.ts';

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

/** Items whose work is due, oldest first; entries of another kind are passed over. */
export async function dueEntries({ client, tableName }: Table, query: DueQuery): Promise<DueEntries> {
  const { Items = [], LastEvaluatedKey } = await client.send(
    new QueryCommand({
      TableName: tableName,
      IndexName: TABLE.indexes.due.name,
      KeyConditionExpression: 'dueShard = :shard AND refreshAt <= :until',
      ExpressionAttributeValues: { ':shard': query.shard, ':until': query.untilEpochSec },
      Limit: query.limit,
      ExclusiveStartKey: query.after,
    }),
  );
  const entries = Items.flatMap((item) => {
    const ref = connectionRefOfPk(str(item, 'pk'), query.tag);
    return ref === undefined ? [] : [{ ref, sk: str(item, 'sk') }];
  });
  return { entries, next: LastEvaluatedKey };
}

/** What is due, and what the schedule puts off. */
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
  };
}
