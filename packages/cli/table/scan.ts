import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Item, Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';

/** Which items to read; all by default. */
export interface ScanFilter {
  /** Values of the attribute `type`. */
  readonly types?: readonly string[];
  /** Attributes that must have these values. */
  readonly equal?: Readonly<Record<string, string | undefined>>;
  /** Called after each page with its number of items, matching or not. */
  readonly onPage?: (count: number) => void;
}

/** Every item that fits, page by page, strongly consistent. Reads the whole table, whatever fits. */
export async function* scanTable(table: Table, filter: ScanFilter = {}): AsyncGenerator<Item> {
  let position: Record<string, unknown> | undefined;
  do {
    const {
      Items = [],
      LastEvaluatedKey,
      ScannedCount = 0,
    } = await table.client.send(
      new ScanCommand({
        TableName: table.tableName,
        ConsistentRead: true,
        ...filterOf(filter),
        ...(position === undefined ? {} : { ExclusiveStartKey: position }),
      }),
    );
    filter.onPage?.(ScannedCount);
    yield* Items;
    position = LastEvaluatedKey;
  } while (position !== undefined);
}

function filterOf({ types = [], equal = {} }: ScanFilter): Partial<ScanCommandInput> {
  const values = Object.entries(equal).filter(([, value]) => value !== undefined);
  const conditions = values.map((_, i) => `#a${i} = :a${i}`);
  if (types.length > 0) conditions.push(`#type IN (${types.map((_, i) => `:type${i}`).join(', ')})`);
  if (conditions.length === 0) return {};
  return {
    FilterExpression: conditions.join(' AND '),
    ExpressionAttributeNames: {
      ...(types.length > 0 && { '#type': 'type' }),
      ...Object.fromEntries(values.map(([name], i) => [`#a${i}`, name])),
    },
    ExpressionAttributeValues: {
      ...Object.fromEntries(types.map((type, i) => [`:type${i}`, type])),
      ...Object.fromEntries(values.map(([, value], i) => [`:a${i}`, value])),
    },
  };
}
