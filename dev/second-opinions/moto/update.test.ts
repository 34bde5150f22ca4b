/**
 * A stack of the last version that led its events through a pipe, deployed by that version's own command, then updated by this
 * version's `npm run deploy` (docs/deploy.md, decision 0038), against moto's server instead of AWS. The tests follow one another.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capture } from '../../tools/installed-programs.ts';
import { PROJECT_ROOT } from '../../tools/run.ts';
import { hasCommit, unpackedVersion } from '../earlier-version.ts';
import { type MotoServer, startMoto } from './server.ts';

/** The commit before the trigger took the pipe's place. */
const WITH_PIPE = '806eab8bab037b97aea594d662bdf0a60c1f4ed4';
const REGION = 'eu-central-1';
const STACK = 'IntegrationGateway';
const COMMAND_TIMEOUT_MS = 600_000;

const tableSchema = z.object({ Table: z.object({ TableName: z.string(), LatestStreamArn: z.string().optional() }) });
const mappingsSchema = z.object({
  EventSourceMappings: z.array(
    z.looseObject({ EventSourceArn: z.string(), StartingPosition: z.string(), FunctionArn: z.string() }),
  ),
});

let moto: MotoServer;

beforeAll(async () => {
  moto = await startMoto(REGION);
});
afterAll(async () => {
  await moto?.[Symbol.asyncDispose]();
});

async function succeed(command: string, args: readonly string[], cwd = PROJECT_ROOT): Promise<string> {
  // The programs of the version that is deployed, not of this one.
  const PATH = `${join(cwd, 'node_modules', '.bin')}:${moto.environment.PATH ?? ''}`;
  // `deploy` validates what this version deploys; of the earlier one nothing is judged.
  const env = { ...moto.environment, CDK_VALIDATION: 'false', PATH };
  const { code, out, err } = await capture(command, args, { env, timeoutMs: COMMAND_TIMEOUT_MS, cwd });
  if (code !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${out.slice(-3000)}\n${err.slice(-3000)}`);
  return out;
}

const deploy = (cwd?: string) =>
  succeed(
    'npm',
    ['run', 'deploy', '--', '--require-approval', 'never', '-c', 'gateway:operatorEmail=operator@example.com'],
    cwd,
  );

/** The physical ids of what holds data, by type. */
const kept = async () =>
  Object.values(await moto.readBack(STACK))
    .filter(({ type }) => /GlobalTable|KMS::Key|UserPool$|S3::Bucket$|ApiGateway::RestApi$|Events::EventBus/.test(type))
    .map(({ type, id }) => `${type} ${id}`)
    .toSorted();

async function streams() {
  const { TableNames } = z.object({ TableNames: z.array(z.string()) }).parse(await moto.ask('dynamodb', 'list_tables'));
  const tables = await Promise.all(
    TableNames.map(
      async (TableName) => tableSchema.parse(await moto.ask('dynamodb', 'describe_table', { TableName })).Table,
    ),
  );
  return tables.filter((table) => table.LatestStreamArn !== undefined);
}

describe.runIf(hasCommit(WITH_PIPE))('ST-21: a stack that leads its events through a pipe', () => {
  let before: string[];

  it('is deployed by its own version', async () => {
    await succeed('cdk', ['bootstrap', `aws://123456789012/${REGION}`]);
    await deploy(await unpackedVersion(WITH_PIPE));
    expect(await moto.ask('pipes', 'list_pipes')).toMatchObject({ Pipes: [{ CurrentState: 'RUNNING' }] });
    expect(mappingsSchema.parse(await moto.ask('lambda', 'list_event_source_mappings')).EventSourceMappings).toEqual(
      [],
    );
    before = await kept();
    const [table] = await streams();
    await moto.ask('dynamodb', 'put_item', {
      TableName: table?.TableName ?? '',
      Item: { pk: { S: 'ACCOUNT#default' }, sk: { S: 'kept' } },
    });
  });

  it('is updated by one command: the trigger reads the same stream from its oldest record, and the pipe is gone', async () => {
    const [was] = await streams();
    await deploy();
    const [is] = await streams();
    expect(is?.LatestStreamArn).toBe(was?.LatestStreamArn);
    const { EventSourceMappings } = mappingsSchema.parse(await moto.ask('lambda', 'list_event_source_mappings'));
    expect(EventSourceMappings).toMatchObject([
      { EventSourceArn: is?.LatestStreamArn, StartingPosition: 'TRIM_HORIZON' },
    ]);
    expect(await moto.ask('pipes', 'list_pipes')).toMatchObject({ Pipes: [] });
  });

  it('keeps its tables with their rows, its keys, operators, buckets, bus and address', async () => {
    expect(before.length).toBeGreaterThanOrEqual(6);
    expect(await kept()).toEqual(expect.arrayContaining(before));
    const [table] = await streams();
    const Key = { pk: { S: 'ACCOUNT#default' }, sk: { S: 'kept' } };
    expect(await moto.ask('dynamodb', 'get_item', { TableName: table?.TableName ?? '', Key })).toMatchObject({
      Item: Key,
    });
  });
});
