import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { TestGateway } from './gateway.ts';

/** One for each address: every client keeps connections of its own. */
const clients = new Map<string, DynamoDBDocumentClient>();

/** The gateway's table from outside, for arranging what time alone would bring about. */
export function tableClient(test: TestGateway): DynamoDBDocumentClient {
  const endpoint = test.gateway.dynamodbEndpoint;
  const known = clients.get(endpoint);
  if (known !== undefined) return known;
  const credentials = test.gateway.credentials.operator;
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region: 'us-east-1', credentials }), {
    marshallOptions: { removeUndefinedValues: true },
  });
  clients.set(endpoint, client);
  return client;
}

export function connectionKey(
  integrationId: string,
  connectionId: string,
  accountId = 'default',
): { pk: string; sk: string } {
  const parts = [accountId, integrationId, connectionId].map(encodeURIComponent);
  return { pk: `CONNECTION#${parts.join('#')}`, sk: 'CONNECTION' };
}

export async function readConnection(
  test: TestGateway,
  integrationId: string,
  connectionId: string,
): Promise<Record<string, unknown>> {
  const { Item } = await tableClient(test).send(
    new GetCommand({
      TableName: test.gateway.tableName,
      Key: connectionKey(integrationId, connectionId),
      ConsistentRead: true,
    }),
  );
  return Item ?? {};
}

/** Sets attributes of a connection's row. */
export async function changeConnection(
  test: TestGateway,
  integrationId: string,
  connectionId: string,
  attributes: Record<string, unknown>,
): Promise<void> {
  await changeItem(test, connectionKey(integrationId, connectionId), attributes);
}

/** Sets attributes of any row. */
export async function changeItem(
  test: TestGateway,
  key: { pk: string; sk: string },
  attributes: Record<string, unknown>,
): Promise<void> {
  const names = Object.keys(attributes);
  await tableClient(test).send(
    new UpdateCommand({
      TableName: test.gateway.tableName,
      Key: key,
      UpdateExpression: `SET ${names.map((_, i) => `#a${i} = :a${i}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#a${i}`, name])),
      ExpressionAttributeValues: Object.fromEntries(names.map((name, i) => [`:a${i}`, attributes[name]])),
    }),
  );
}
