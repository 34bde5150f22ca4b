import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandOutput,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { dynamoDbClient } from '../../dev/local/dynamodb/client.ts';
import { openStreamReader } from '../../dev/local/events/stream-reader.ts';
import type { LocalGateway } from '../../dev/local/start.ts';
import { asObject, asString } from '../../dev/tools/json.ts';
import { type Workspace, workspace } from '../unit/local/fixtures/gateway.ts';

let space: Workspace;
let gateway: LocalGateway;
let documents: DynamoDBDocumentClient;
let TableName: string;

beforeAll(async () => {
  space = workspace();
  gateway = await space.start();
  TableName = gateway.tableName;
  const credentials = gateway.credentials.operator;
  documents = DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint: gateway.dynamodbEndpoint, region: 'eu-central-1', credentials, maxAttempts: 1 }),
  );
});
afterAll(() => space.dispose());

function put(Item: Record<string, unknown>): Promise<unknown> {
  return documents.send(new PutCommand({ TableName, Item }));
}

function takeLease(owner: string, key: { pk: string; sk: string }): Promise<unknown> {
  return documents.send(
    new UpdateCommand({
      TableName,
      Key: key,
      UpdateExpression: 'SET #owner = :owner, epoch = if_not_exists(epoch, :zero) + :one',
      ConditionExpression: 'attribute_not_exists(#owner)',
      ExpressionAttributeNames: { '#owner': 'leaseOwner' },
      ExpressionAttributeValues: { ':owner': owner, ':zero': 0, ':one': 1 },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
}

test('keeps idle connections to the local AWS endpoints open for 65 seconds', async () => {
  for (const address of [gateway.dynamodbEndpoint, gateway.awsEndpoint]) {
    const answer = await fetch(address, { method: 'POST', body: '{}' });
    expect(answer.headers.get('keep-alive')).toBe('timeout=65');
    await answer.body?.cancel();
  }
});

describe('a failed condition', () => {
  it('returns the stored item when asked for ALL_OLD', async () => {
    const key = { pk: 'lease', sk: 'one' };
    await takeLease('winner', key);
    const failure = await takeLease('loser', key).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: 'ConditionalCheckFailedException',
      Item: { leaseOwner: { S: 'winner' }, epoch: { N: '1' } },
    });
  });

  it('lets exactly one of 50 parallel leases win', async () => {
    const key = { pk: 'lease', sk: 'many' };
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => takeLease(`owner-${index}`, key)),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    const { Item } = await documents.send(new GetCommand({ TableName, Key: key, ConsistentRead: true }));
    expect(Item?.epoch).toBe(1);
  });
});

describe('a transaction', () => {
  it('applies all of its writes', async () => {
    await documents.send(
      new TransactWriteCommand({
        TransactItems: ['1', '2'].map((sk) => ({ Put: { TableName, Item: { pk: 'both', sk } } })),
      }),
    );
    const { Items } = await documents.send(
      new QueryCommand({ TableName, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': 'both' } }),
    );
    expect(Items).toHaveLength(2);
  });

  it('applies none of them when one condition fails, and says which, with the stored item', async () => {
    await put({ pk: 'tx', sk: 'taken', holder: 'first' });
    const failure = await documents
      .send(
        new TransactWriteCommand({
          TransactItems: [
            { Put: { TableName, Item: { pk: 'tx', sk: 'new' } } },
            {
              Put: {
                TableName,
                Item: { pk: 'tx', sk: 'taken' },
                ConditionExpression: 'attribute_not_exists(pk)',
                ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
              },
            },
          ],
        }),
      )
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: { holder: { S: 'first' } } }],
    });
    const { Item } = await documents.send(new GetCommand({ TableName, Key: { pk: 'tx', sk: 'new' } }));
    expect(Item).toBeUndefined();
  });

  it('a transaction is applied once for a repeated client token', async () => {
    await put({ pk: 'counter', sk: '1', n: 0 });
    const increment = new TransactWriteCommand({
      ClientRequestToken: 'the-same-token',
      TransactItems: [
        {
          Update: {
            TableName,
            Key: { pk: 'counter', sk: '1' },
            UpdateExpression: 'SET n = n + :one',
            ExpressionAttributeValues: { ':one': 1 },
          },
        },
      ],
    });
    await documents.send(increment);
    await documents.send(increment);
    const { Item } = await documents.send(new GetCommand({ TableName, Key: { pk: 'counter', sk: '1' } }));
    expect(Item?.n).toBe(1);
  });
});

describe('an index', () => {
  it('an index is sparse and pages in key order', async () => {
    await Promise.all(Array.from({ length: 7 }, (_, index) => put({ pk: `p${index}`, sk: `s${index}`, owner: 'me' })));
    await put({ pk: 'p9', sk: 's9' });
    const found: unknown[] = [];
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const page: QueryCommandOutput = await documents.send(
        new QueryCommand({
          TableName,
          IndexName: 'byOwner',
          KeyConditionExpression: '#owner = :me',
          ExpressionAttributeNames: { '#owner': 'owner' },
          ExpressionAttributeValues: { ':me': 'me' },
          Limit: 3,
          ...(ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }),
        }),
      );
      found.push(...(page.Items ?? []).map((item) => item.sk));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey !== undefined);
    expect(found).toEqual(['s0', 's1', 's2', 's3', 's4', 's5', 's6']);
  });
});

describe('reads and streams', () => {
  it('reads several items in one batch', async () => {
    await put({ pk: 'batch', sk: '1' });
    const { Responses } = await documents.send(
      new BatchGetCommand({
        RequestItems: {
          [TableName]: {
            Keys: [
              { pk: 'batch', sk: '1' },
              { pk: 'batch', sk: 'none' },
            ],
          },
        },
      }),
    );
    expect(Responses?.[TableName]).toEqual([{ pk: 'batch', sk: '1' }]);
  });

  it('streams insert, change and removal in order, with both images', async () => {
    const client = dynamoDbClient(gateway.dynamodbEndpoint, 'eu-central-1', gateway.credentials.operator);
    const described = asObject((await client.call('DescribeTable', { TableName })).Table, 'Table');
    const reader = await openStreamReader({
      client,
      streamArn: asString(described.LatestStreamArn, 'LatestStreamArn'),
      positionPath: join(space.folder, 'position.json'),
      startFromOldest: true,
    });
    const key = { pk: 'streamed', sk: '1' };
    await put({ ...key, value: 'a' });
    await put({ ...key, value: 'b' });
    await documents.send(new DeleteCommand({ TableName, Key: key }));
    const records = (await reader.read(1000)).filter((record) => JSON.stringify(record).includes('"streamed"'));
    const image = (value: string) => ({ pk: { S: 'streamed' }, sk: { S: '1' }, value: { S: value } });
    expect(records).toMatchObject([
      { eventName: 'INSERT', dynamodb: { NewImage: image('a') } },
      { eventName: 'MODIFY', dynamodb: { OldImage: image('a'), NewImage: image('b') } },
      { eventName: 'REMOVE', dynamodb: { OldImage: image('b') } },
    ]);
    client.close();
  });
});
