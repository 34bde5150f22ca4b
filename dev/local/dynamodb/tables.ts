/** Creates the template's tables in the engine, brings their indexes up to date and refuses data made for another key layout. */
import { asObject, asString, type Json, type JsonObject, optionalString } from '../../tools/json.ts';
import type { LocalTable } from '../template/tables.ts';
import { type DynamoDbClient, DynamoDbError } from './client.ts';

/**
 * Makes sure that a table exists as the template describes it. As in a deployed stack, an index that the template no longer has is
 * removed and a new one is built from the existing items.
 * @param mayMake false: it was created at an earlier start.
 * @param beforeIndexesChange awaited before that, because versions before 0.3.0 refuse a table with other indexes than their own.
 * @returns the ARN of its stream, or undefined when it has none.
 * @throws Error with the reset command when a table with other keys or another stream exists, or a required one is missing.
 */
export async function ensureTable(
  client: DynamoDbClient,
  table: LocalTable,
  mayMake: boolean,
  beforeIndexesChange: () => Promise<void> = async () => {},
): Promise<string | undefined> {
  const found = mayMake ? await createOrDescribe(client, table) : await describe(client, table);
  const parts = differingParts(table.createTable, found);
  const isOnlyIndexes = parts.length > 0 && parts.every((part) => part.startsWith('index '));
  if (isOnlyIndexes) await beforeIndexesChange();
  const description = isOnlyIndexes ? await withIndexesOf(client, table, found) : found;
  const differences = differingParts(table.createTable, description);
  if (differences.length > 0) {
    throw new Error(
      `The table ${table.name} in the data folder differs from the template in: ${differences.join(', ')}. ` +
        'Start over with an empty data folder: npm start -- --fresh',
    );
  }
  return optionalString(description.LatestStreamArn, 'LatestStreamArn');
}

async function createOrDescribe(client: DynamoDbClient, table: LocalTable): Promise<JsonObject> {
  try {
    const created = asObject(
      (await client.call('CreateTable', table.createTable)).TableDescription,
      'TableDescription',
    );
    await enableTimeToLive(client, table);
    return created;
  } catch (error) {
    if (!(error instanceof DynamoDbError) || error.code !== 'ResourceInUseException') throw error;
    return describe(client, table);
  }
}

async function describe(client: DynamoDbClient, { name }: LocalTable): Promise<JsonObject> {
  try {
    return asObject((await client.call('DescribeTable', { TableName: name })).Table, 'Table');
  } catch (cause) {
    if (!(cause instanceof DynamoDbError) || cause.code !== 'ResourceNotFoundException') throw cause;
    throw new Error(
      `The engine no longer has the table ${name} of this data folder. Name the engine that has it, or start over: npm start -- --fresh`,
      { cause },
    );
  }
}

/** Brings the global indexes of a table up to date, one after the other as DynamoDB asks. @returns the table's description then */
async function withIndexesOf(client: DynamoDbClient, table: LocalTable, found: JsonObject): Promise<JsonObject> {
  const { AttributeDefinitions = [], GlobalSecondaryIndexes } = table.createTable;
  const [wanted, actual] = [indexesOf(table.createTable), indexesOf(found)];
  const isSame = (index: JsonObject) => wanted.get(String(index.IndexName)) === actual.get(String(index.IndexName));
  const updates = [
    ...list(found.GlobalSecondaryIndexes)
      .filter((index) => !isSame(index))
      .map(({ IndexName = null }) => ({ Delete: { IndexName } })),
    ...list(GlobalSecondaryIndexes)
      .filter((index) => !isSame(index))
      .map((index) => ({ Create: index })),
  ];
  for (const update of updates) {
    await client.call('UpdateTable', {
      ...{ TableName: table.name, AttributeDefinitions, GlobalSecondaryIndexUpdates: [update] },
    });
  }
  return updates.length === 0 ? found : describe(client, table);
}

async function enableTimeToLive(client: DynamoDbClient, table: LocalTable): Promise<void> {
  if (table.timeToLiveAttribute === undefined) return;
  await client.call('UpdateTimeToLive', {
    TableName: table.name,
    TimeToLiveSpecification: { Enabled: true, AttributeName: table.timeToLiveAttribute },
  });
}

/** The parts (`keys`, `index <name>`, `stream`) in which a table differs from the template. */
export function differingParts(wanted: JsonObject, actual: JsonObject): string[] {
  const differing: string[] = [];
  if (keysOf(wanted) !== keysOf(actual)) differing.push('keys');
  const wantedIndexes = indexesOf(wanted);
  const actualIndexes = indexesOf(actual);
  for (const name of new Set([...wantedIndexes.keys(), ...actualIndexes.keys()])) {
    if (wantedIndexes.get(name) !== actualIndexes.get(name)) differing.push(`index ${name}`);
  }
  if (streamOf(wanted) !== streamOf(actual)) differing.push('stream');
  return differing;
}

function keysOf(table: JsonObject): string {
  const types = new Map(
    list(table.AttributeDefinitions).map((one) => [
      asString(one.AttributeName, 'name'),
      asString(one.AttributeType, 'type'),
    ]),
  );
  return list(table.KeySchema)
    .map((key) => `${String(key.KeyType)}:${String(key.AttributeName)}:${types.get(String(key.AttributeName))}`)
    .sort()
    .join();
}

function indexesOf(table: JsonObject): Map<string, string> {
  const indexes = [...list(table.GlobalSecondaryIndexes), ...list(table.LocalSecondaryIndexes)];
  return new Map(
    indexes.map((index) => {
      const projection = asObject(index.Projection, 'Projection');
      const attributes = Array.isArray(projection.NonKeyAttributes)
        ? projection.NonKeyAttributes.map(String).sort()
        : [];
      const keys = keysOf({ KeySchema: index.KeySchema ?? [], AttributeDefinitions: table.AttributeDefinitions ?? [] });
      return [String(index.IndexName), `${keys} ${String(projection.ProjectionType)} ${attributes.join()}`];
    }),
  );
}

function streamOf(table: JsonObject): string {
  const specification = table.StreamSpecification;
  return specification === undefined ? 'none' : String(asObject(specification, 'StreamSpecification').StreamViewType);
}

function list(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.map((one) => asObject(one, 'entry')) : [];
}
