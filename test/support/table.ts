import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { TestGateway } from './gateway.ts';

/** One for each gateway: every client keeps connections of its own, and a later gateway may be given a port of an earlier one. */
const clients = new WeakMap<TestGateway['gateway'], DynamoDBDocumentClient>();

/** Direct access to the gateway's table, to arrange states that only time would cause. */
export function tableClient(test: TestGateway): DynamoDBDocumentClient {
  const known = clients.get(test.gateway);
  if (known !== undefined) return known;
  const endpoint = test.gateway.dynamodbEndpoint;
  const credentials = test.gateway.credentials.operator;
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region: 'us-east-1', credentials }), {
    marshallOptions: { removeUndefinedValues: true },
  });
  clients.set(test.gateway, client);
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
  return (await readItem(test, connectionKey(integrationId, connectionId))) ?? {};
}

/** Reads any row. */
export async function readItem(
  test: TestGateway,
  Key: { pk: string; sk: string },
): Promise<Record<string, unknown> | undefined> {
  const { tableName: TableName } = test.gateway;
  return (await tableClient(test).send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;
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

/** Sets attributes of any row. @throws ConditionalCheckFailedException where a condition is given that does not hold */
export async function changeItem(
  test: TestGateway,
  Key: { pk: string; sk: string },
  attributes: Record<string, unknown>,
  ConditionExpression?: string,
): Promise<void> {
  const names = Object.keys(attributes);
  await tableClient(test).send(
    new UpdateCommand({
      TableName: test.gateway.tableName,
      Key,
      ConditionExpression,
      UpdateExpression: `SET ${names.map((_, i) => `#a${i} = :a${i}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#a${i}`, name])),
      ExpressionAttributeValues: Object.fromEntries(names.map((name, i) => [`:a${i}`, attributes[name]])),
    }),
  );
}
