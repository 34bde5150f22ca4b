/**
 * What the gateway relies on DynamoDB for, asked of both engines: the local runtime's own and DynamoDB Local. Where they
 * differ, AWS's documents decide who is right.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DescribeTimeToLiveCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DynamoDbClient, dynamoDbClient } from '../../local/dynamodb/client.ts';
import { type DynamoDbEngine, startEngine } from '../../local/dynamodb/engine.ts';
import { ensureTable } from '../../local/dynamodb/tables.ts';
import { openStreamReader } from '../../local/events/stream-reader.ts';
import { readAssembly } from '../../local/template/read-stack.ts';
import type { LocalTable } from '../../local/template/tables.ts';
import { ensureAssembly } from '../../tools/assembly.ts';
import type { JsonObject } from '../../tools/json.ts';
import type { ServerProcess } from '../server-process.ts';
import { type Bench, errorOf, PROBES, tableOperations } from './probes.ts';
import { startDynamoDbLocal } from './server.ts';

const REGION = 'eu-central-1';
const CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };

type EngineName = 'dynoxide' | 'DynamoDB Local';

/** Where an engine answers otherwise than AWS's documents say, by claim. One that has come to agree fails the run: take it out. */
const DIFFERENCES: Readonly<Record<EngineName, Readonly<Record<string, unknown>>>> = {
  dynoxide: {
    'a start key of another partition is refused': { items: [], count: 0, scanned: 0, last: undefined },
    'a start key outside the range of its query is refused': { items: [], count: 0, scanned: 0, last: undefined },
    'a stream does not tell of a write that changed nothing': ['INSERT', 'MODIFY', 'MODIFY'],
  },
  'DynamoDB Local': {
    'a write that does not fit its item cancels the transaction with a reason of its own': {
      error: 'ValidationException',
    },
  },
};

let folder: string;
let own: DynamoDbEngine;
let local: ServerProcess;
let layout: LocalTable;
let tables = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'engines-'));
  [own, local] = await Promise.all([
    startEngine({ databasePath: join(folder, 'dynamodb.sqlite') }),
    startDynamoDbLocal(),
  ]);
  const assembly = await ensureAssembly({ mode: 'auto', step: (_, work) => work() });
  const [table] = (await readAssembly(assembly)).tables;
  if (table === undefined) throw new Error('The stack has no table.');
  layout = table;
});
afterAll(async () => {
  await Promise.all([own?.stop(), local?.[Symbol.asyncDispose]()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Makes a new table and hands it to `use`. */
async function onBench<T>(endpoint: string, use: (bench: Bench) => Promise<T>): Promise<T> {
  tables += 1;
  const TableName = `probe-${tables}`;
  const runner: DynamoDbClient = dynamoDbClient(endpoint, REGION, CREDENTIALS);
  const client = new DynamoDBClient({ endpoint, region: REGION, credentials: CREDENTIALS, maxAttempts: 1 });
  const options = { marshallOptions: { removeUndefinedValues: true } };
  try {
    const streamArn = await ensureTable(
      runner,
      { ...layout, name: TableName, createTable: { ...layout.createTable, TableName } },
      true,
    );
    return await use({
      ...tableOperations(DynamoDBDocumentClient.from(client, options), TableName),
      async records() {
        const positionPath = join(folder, `${TableName}.json`);
        const reader = await openStreamReader({
          client: runner,
          streamArn: streamArn ?? '',
          positionPath,
          startFromOldest: true,
        });
        const records: JsonObject[] = [];
        for (let page = await reader.read(1000); page.length > 0; page = await reader.read(1000)) {
          records.push(...page);
          reader.commit(page);
        }
        return records;
      },
      timeToLive: async () => (await client.send(new DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription,
    });
  } finally {
    runner.close();
    client.destroy();
  }
}

describe.each(['dynoxide', 'DynamoDB Local'] as const)('%s', (name) => {
  it.each(PROBES.map((probe) => [probe.claim, probe] as const))('%s', async (claim, { run, expected }) => {
    const endpoint = name === 'dynoxide' ? own.endpoint : local.endpoint;
    const seen = await onBench(endpoint, (bench) => run(bench).catch(errorOf));
    const different = DIFFERENCES[name];
    expect(seen).toEqual(claim in different ? different[claim] : expected);
    if (claim in different) expect(seen).not.toEqual(expected);
  });

  it('differs from AWS’s documents only where dev/second-opinions/README.md says so', () => {
    const page = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
    const claims: string[] = PROBES.map(({ claim }) => claim);
    const listed = [...page.matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm)].flatMap(([, engine, claim = '']) =>
      engine === name ? [claim] : [],
    );
    expect(claims).toEqual(expect.arrayContaining(Object.keys(DIFFERENCES[name])));
    expect(listed.toSorted()).toEqual(Object.keys(DIFFERENCES[name]).toSorted());
  });
});
