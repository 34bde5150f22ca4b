import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { TestGateway } from './gateway.ts';
import { tableClient } from './table.ts';

/** Copies every row of a gateway's table into a new one, as a recovery to a point in time does. Returns its name. */
export async function backUp(test: TestGateway, name: string): Promise<string> {
  return backUpAs(test, name, await rowsOf(test));
}

/** Makes a table of rows beside a gateway's own, which may be those of another gateway. Returns its name. */
export async function backUpAs(
  test: TestGateway,
  name: string,
  rows: readonly Record<string, unknown>[],
): Promise<string> {
  await engineOf(test).send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
    }),
  );
  const client = tableClient(test);
  await Promise.all(rows.map((Item) => client.send(new PutCommand({ TableName: name, Item }))));
  return name;
}

/** Every row of a gateway's table. @throws Error where they are more than one page */
export async function rowsOf(test: TestGateway): Promise<Record<string, unknown>[]> {
  const { Items = [], LastEvaluatedKey } = await tableClient(test).send(
    new ScanCommand({ TableName: test.gateway.tableName }),
  );
  if (LastEvaluatedKey !== undefined) throw new Error('The table is larger than one page');
  return Items;
}

/** The gateway's engine, for what concerns tables themselves. */
export function engineOf(test: TestGateway): DynamoDBClient {
  const { dynamodbEndpoint, credentials } = test.gateway;
  return new DynamoDBClient({ endpoint: dynamodbEndpoint, region: 'us-east-1', credentials: credentials.operator });
}

/**
 * Deletes a gateway's table and makes it again under its name from a backup of the moment before, as AWS does from the backup that
 * it keeps of a deleted table: the rows come first, and the stream is another, which does not tell of them.
 */
export async function replaceTable(test: TestGateway): Promise<void> {
  const rows = await rowsOf(test);
  const engine = engineOf(test);
  const TableName = test.gateway.tableName;
  const { Table } = await engine.send(new DescribeTableCommand({ TableName }));
  if (Table?.KeySchema === undefined) throw new Error('There is no table');
  await engine.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
  await engine.send(new DeleteTableCommand({ TableName }));
  await engine.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: Table.KeySchema,
      AttributeDefinitions: Table.AttributeDefinitions,
      GlobalSecondaryIndexes: Table.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
        IndexName,
        KeySchema,
        Projection,
      })),
    }),
  );
  const client = tableClient(test);
  await Promise.all(rows.map((Item) => client.send(new PutCommand({ TableName, Item }))));
  await engine.send(new UpdateTableCommand({ TableName, StreamSpecification: Table.StreamSpecification }));
}
