// @module-tag long
/** examples/indexer on loopback, as `npm start -- --app examples/indexer` runs it: synthesized, declared, and its function invoked. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { synthesizeApp } from '../../../dev/local/synthesize-app.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const folder = mkdtempSync(join(tmpdir(), 'indexer-'));
const assemblyFolder = await synthesizeApp({
  ...{ folder: 'examples/indexer', outdir: join(folder, 'assembly'), mode: 'reuse' },
  step: (_name, work) => work(),
});
const running = useTestGateway({ assemblyFolder, app: true });

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const template = () => readFileSync(join(assemblyFolder, 'Indexer.template.json'), 'utf8');

test('the example’s function indexes a user’s files as its role, with what the stack declares', async () => {
  const { app, connections } = running.gateway;
  expect(app).toMatchObject({ failure: undefined, replaced: [], notRun: [] });
  const [name = '', ...others] = app?.functions ?? [];
  expect(others).toEqual([]);
  const [connection] = connections;
  expect(connection?.integration_id).toBe('drive-index');
  const connectionId = connection?.connection_id ?? '';

  const answer = await running.gateway.tick(name, { connectionId });
  const index = await rowsOfIndex();
  expect(index.length).toBeGreaterThan(0);
  expect(answer).toEqual({ indexed: index.length });
  for (const file of index)
    expect(file).toMatchObject({ connectionId, fileId: expect.any(String), name: expect.any(String) });
});

test('the role of the function may read metadata and nothing else, and no secret of the gateway is in the template', async () => {
  const { body } = await running.json('GET', '/account/keys');
  const declared = body.data.filter((one: Record<string, unknown>) => one.managed_by !== null);
  expect(declared).toMatchObject([
    { right: 'proxy', limits: { allow: ['drive:metadata'], integrations: ['drive-index'], day: { units: 500_000 } } },
  ]);
  expect(template()).not.toMatch(/sk_default|GOCSPX|resolve:secretsmanager/);
});

test('the app has the outputs of a gateway, and its functions’ .js files are CommonJS as in Lambda', () => {
  expect(Object.keys(JSON.parse(template()).Outputs)).toEqual(expect.arrayContaining(['BaseUrl', 'ApiId']));
  expect(readFileSync(join(assemblyFolder, 'package.json'), 'utf8')).toBe('{}\n');
});

async function rowsOfIndex(): Promise<readonly Record<string, unknown>[]> {
  const { dynamodbEndpoint: endpoint, credentials } = running.gateway;
  const client = new DynamoDBClient({ endpoint, credentials: credentials.operator, region: 'eu-central-1' });
  const resources: Record<string, { Type: string }> = JSON.parse(template()).Resources;
  const [table] = Object.entries(resources).filter(
    ([id, { Type }]) => /^Index[0-9A-F]{8}$/.test(id) && /Table/.test(Type),
  );
  const TableName = `Indexer-${table?.[0]}`;
  const { Items = [] } = await DynamoDBDocumentClient.from(client).send(new ScanCommand({ TableName }));
  client.destroy();
  return Items;
}
