import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { TestGateway } from './gateway.ts';
import { tableClient } from './table.ts';

/** Copies every row of a gateway's table into a new one, as a recovery to a point in time does. Returns its name. */
export async function backUp(test: TestGateway, name: string): Promise<string> {
  const { tableName, dynamodbEndpoint } = test.gateway;
  await new DynamoDBClient({
    endpoint: dynamodbEndpoint,
    region: 'us-east-1',
    credentials: test.gateway.credentials.operator,
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
  const { Items = [], LastEvaluatedKey } = await client.send(new ScanCommand({ TableName: tableName }));
  if (LastEvaluatedKey !== undefined) throw new Error('The table is larger than one page');
  await Promise.all(Items.map((Item) => client.send(new PutCommand({ TableName: name, Item }))));
  return name;
}
