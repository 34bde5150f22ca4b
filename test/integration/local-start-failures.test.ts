// @module-tag long
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it } from 'vitest';
import { closeServer, listen } from '../../dev/local/network.ts';
import type { LocalGateway } from '../../dev/local/start.ts';
import { asObject } from '../../dev/tools/json.ts';
import { tableResource } from '../unit/local/fixtures/assembly.ts';
import { BUFFERED_SOURCE } from '../unit/local/fixtures/functions.ts';
import { STANDARD_FIXTURE, until, type Workspace, workspace } from '../unit/local/fixtures/gateway.ts';

let space: Workspace;
afterEach(() => space.dispose());

function documents(gateway: LocalGateway): DynamoDBDocumentClient {
  const credentials = gateway.credentials.operator;
  const client = new DynamoDBClient({ endpoint: gateway.dynamodbEndpoint, region: 'eu-central-1', credentials });
  return DynamoDBDocumentClient.from(client);
}

describe('a function that cannot start', () => {
  it('answers 502 with the reason in the log while other functions serve, and starts again once it can', async () => {
    const source = `
import { existsSync } from 'node:fs';
if (!existsSync('repaired')) throw new Error('TABLE_NAME is missing');
export const handler = async () => ({ statusCode: 200 });`;
    space = workspace({
      functions: { ManagementFunction: { source: BUFFERED_SOURCE }, ConnectFunction: { source } },
      routes: { '/{proxy+}': 'ManagementFunction', '/connect': 'ConnectFunction' },
    });
    const gateway = await space.start();
    const [broken, healthy] = await Promise.all([
      fetch(`${gateway.gatewayUrl}/connect`),
      fetch(`${gateway.gatewayUrl}/other`),
    ]);
    expect([broken.status, healthy.status]).toEqual([502, 200]);
    expect(
      gateway.logs().some((line) => line.functionName === 'connect' && line.text.includes('TABLE_NAME is missing')),
    ).toBe(true);
    const starts = (): number =>
      gateway.logs().filter((line) => line.text.startsWith('the function could not start')).length;
    const before = starts();
    for (let call = 0; call < 8; call += 1) await fetch(`${gateway.gatewayUrl}/connect`);
    expect(starts() - before).toBeLessThan(3);
    const { env } = await (await fetch(`${gateway.gatewayUrl}/other`)).json();
    const assembly = dirname(env.LAMBDA_TASK_ROOT);
    for (const folder of readdirSync(assembly).filter((name) => name.startsWith('asset.'))) {
      writeFileSync(join(assembly, folder, 'repaired'), '');
    }
    await until('the function to start', async () => (await fetch(`${gateway.gatewayUrl}/connect`)).status === 200);
  });

  it('a function that cannot start is refused when its handler takes a callback', async () => {
    const source = 'export function handler(event, context, callback) { callback(null, {}); }';
    space = workspace({ functions: { ConnectFunction: { source } }, routes: { '/connect': 'ConnectFunction' } });
    const gateway = await space.start();
    expect((await fetch(`${gateway.gatewayUrl}/connect`)).status).toBe(502);
    expect(gateway.logs().some((line) => line.text.includes('CallbackHandlerDeprecated'))).toBe(true);
  });
});

describe('a start that cannot succeed', () => {
  it('names the taken port and the option, and releases the data folder', async () => {
    space = workspace();
    const other = createServer();
    const port = await listen(other, 0, 'test', '');
    await expect(space.start({ port })).rejects.toThrow(
      new RegExp(`Port ${port} \\(the gateway\\) is taken: .*--port`),
    );
    await closeServer(other);
    await space.start();
  });

  it('leaves no addresses of an earlier gateway to anyone who waits for local.json', async () => {
    space = workspace();
    await (await space.start()).close();
    expect(existsSync(join(space.dataDir, 'local.json'))).toBe(true);
    const other = createServer();
    const port = await listen(other, 0, 'test', '');
    await expect(space.start({ port })).rejects.toThrow(/is taken/);
    await closeServer(other);
    expect(existsSync(join(space.dataDir, 'local.json'))).toBe(false);
  });

  it('refuses a data folder another gateway uses', async () => {
    space = workspace();
    await space.start();
    await expect(space.start()).rejects.toThrow(/Another gateway \(process \d+\) uses .*--data/);
  });

  it('makes the indexes of a data folder those of the template, out of the items that are there', async () => {
    space = workspace();
    const first = await space.start();
    const item = { pk: 'a', sk: 'b', owner: 'c', topic: 'd' };
    await documents(first).send(new PutCommand({ TableName: first.tableName, Item: item }));
    await first.close();
    const table = tableResource();
    const properties = asObject(table.Properties, 'Properties');
    properties.AttributeDefinitions = ['pk', 'sk', 'topic'].map((name) => ({
      AttributeName: name,
      AttributeType: 'S',
    }));
    const keys = [{ AttributeName: 'topic', KeyType: 'HASH' }];
    properties.GlobalSecondaryIndexes = [
      { IndexName: 'byTopic', KeySchema: keys, Projection: { ProjectionType: 'KEYS_ONLY' } },
    ];
    const changed = workspace({ ...STANDARD_FIXTURE, resources: { Table: table } });
    const second = await changed.start({ dataDir: space.dataDir });
    const ask = (IndexName: string, name: string, value: string) =>
      documents(second).send(
        new QueryCommand({
          ...{ TableName: second.tableName, IndexName, KeyConditionExpression: '#key = :value' },
          ...{ ExpressionAttributeNames: { '#key': name }, ExpressionAttributeValues: { ':value': value } },
        }),
      );
    expect((await ask('byTopic', 'topic', 'd')).Items).toEqual([{ pk: 'a', sk: 'b', topic: 'd' }]);
    await expect(ask('byOwner', 'owner', 'c')).rejects.toThrow('does not have the specified index');
    await changed.dispose();
  });

  it('refuses a table that differs from the data folder’s and says how to start over', async () => {
    space = workspace();
    await (await space.start()).close();
    const changed = workspace({
      ...STANDARD_FIXTURE,
      resources: {
        Table: {
          Type: 'AWS::DynamoDB::GlobalTable',
          Properties: {
            BillingMode: 'PAY_PER_REQUEST',
            AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
            KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
            Replicas: [{ Region: 'eu-central-1' }],
            StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
          },
        },
      },
    });
    const other = changed.start({ dataDir: space.dataDir });
    await expect(other).rejects.toThrow(/differs from the template in: keys, index byOwner.*--fresh/);
    const fresh = await changed.start({ dataDir: space.dataDir, fresh: true });
    expect(fresh.tableName).toBe('Fixture-Table');
    await changed.dispose();
  });
});
