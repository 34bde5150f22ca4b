import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import type { TestGateway } from './gateway.ts';
import { tableClient } from './table.ts';

/**
 * Loses a gateway's table and brings it back under its old name, as a recovery to a point in time does: with its indexes, and without
 * a stream. Waits until no function works: what is sent while a table is lost may be missing in its copy, and is then sent again.
 *
 * @param isCopied false for rows that are younger than the copy; all are copied without it
 */
export async function restoreUnderOldName(
  test: TestGateway,
  isCopied: (row: Readonly<Record<string, unknown>>) => boolean = () => true,
): Promise<void> {
  const { tableName, dynamodbEndpoint, credentials } = test.gateway;
  const engine = new DynamoDBClient({
    endpoint: dynamodbEndpoint,
    region: 'us-east-1',
    credentials: credentials.operator,
  });
  const client = tableClient(test);
  const underWay = () => test.gateway.children().filter(({ state }) => state === 'starting' || state === 'busy').length;
  await expect.poll(underWay).toBe(0);
  const { Items = [], LastEvaluatedKey } = await client.send(new ScanCommand({ TableName: tableName }));
  if (LastEvaluatedKey !== undefined) throw new Error('The table is larger than one page');
  const { Table } = await engine.send(new DescribeTableCommand({ TableName: tableName }));
  await engine.send(new UpdateTableCommand({ TableName: tableName, DeletionProtectionEnabled: false })).catch(() => {});
  await engine.send(new DeleteTableCommand({ TableName: tableName }));
  await engine.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: Table?.KeySchema,
      AttributeDefinitions: Table?.AttributeDefinitions,
      GlobalSecondaryIndexes: (Table?.GlobalSecondaryIndexes ?? []).map(({ IndexName, KeySchema, Projection }) => ({
        IndexName,
        KeySchema,
        Projection,
      })),
    }),
  );
  await Promise.all(Items.filter(isCopied).map((Item) => client.send(new PutCommand({ TableName: tableName, Item }))));
}
