import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../lambdas/gateway/platform/dynamodb/client.ts';
import type { Item } from '../../lambdas/gateway/platform/dynamodb/item-reader.ts';

/** What to read of a table. */
export interface ScanFilter {
  /** Values of the attribute `type`. */
  readonly types: readonly string[];
  /** Attributes that must have these values. */
  readonly equal?: Readonly<Record<string, string | undefined>>;
}

/** Every item that fits, page by page, strongly consistent. Reads the whole table, whatever fits. */
export async function* scanTable(table: Table, { types, equal = {} }: ScanFilter): AsyncGenerator<Item> {
  const wanted = Object.entries(equal).filter(([, value]) => value !== undefined);
  const conditions = [`#type IN (${types.map((_, i) => `:type${i}`).join(', ')})`];
  conditions.push(...wanted.map((_, i) => `#a${i} = :a${i}`));
  let position: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new ScanCommand({
        TableName: table.tableName,
        ConsistentRead: true,
        FilterExpression: conditions.join(' AND '),
        ExpressionAttributeNames: {
          '#type': 'type',
          ...Object.fromEntries(wanted.map(([name], i) => [`#a${i}`, name])),
        },
        ExpressionAttributeValues: {
          ...Object.fromEntries(types.map((type, i) => [`:type${i}`, type])),
          ...Object.fromEntries(wanted.map(([, value], i) => [`:a${i}`, value])),
        },
        ...(position === undefined ? {} : { ExclusiveStartKey: position }),
      }),
    );
    yield* Items;
    position = LastEvaluatedKey;
  } while (position !== undefined);
}
