import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { TestGateway } from './gateway.ts';
import { tableClient } from './table.ts';

/** Copies every row of a gateway's table into a new one, as a recovery to a point in time does. Returns its name. */
export async function backUp(test: TestGateway, name: string): Promise<string> {
  return backUpAs(test, name, await rowsOf(test));
}

/** Makes a table of rows alongside a gateway's own, which may be those of another gateway. Returns its name. */
export async function backUpAs(
  test: TestGateway,
  name: string,
  rows: readonly Record<string, unknown>[],
): Promise<string> {
  const { dynamodbEndpoint, credentials } = test.gateway;
  await new DynamoDBClient({
    endpoint: dynamodbEndpoint,
    region: 'us-east-1',
    credentials: credentials.operator,
  }).send(
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
