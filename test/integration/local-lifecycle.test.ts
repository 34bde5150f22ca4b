// @module-tag long
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LocalGateway } from '../../dev/local/start.ts';
import { asArray, asNumber, asObject, asString, parseJson } from '../../dev/tools/json.ts';
import { runs, until, type Workspace, workspace } from '../unit/local/fixtures/gateway.ts';

let space: Workspace;
beforeEach(() => {
  space = workspace();
});
afterEach(() => space.dispose());

function documents(gateway: LocalGateway): DynamoDBDocumentClient {
  const credentials = gateway.credentials.operator;
  return DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint: gateway.dynamodbEndpoint, region: 'eu-central-1', credentials }),
  );
}

function eventItem(id: string): Record<string, string> {
  return {
    pk: 'CONNECTION#1',
    sk: `EVENT#${id}`,
    type: 'event',
    eventType: 'ConnectionCreated',
    eventId: id,
    accountId: 'default',
    occurredAt: '2026-11-20T10:00:00.123Z',
  };
}

/** Where the trigger keeps its place in the stream. */
const PLACE_FILE = 'stream-Trigger.json';

/** Waits until the trigger has noted a record as delivered: one that ends before brings it again. */
async function placeKept(): Promise<void> {
  const path = join(space.dataDir, PLACE_FILE);
  await until('the place is kept', () => existsSync(path) && readFileSync(path, 'utf8').includes('sequenceNumber'));
}

function enginePid(space: Workspace): number {
  const lock = asObject(parseJson(readFileSync(join(space.dataDir, 'lock.json'), 'utf8'), 'lock'), 'lock');
  return asNumber(asObject(lock.engine, 'engine').pid, 'pid');
}

describe('closing', () => {
  it('leaves no process, no port and no lock, and the data stays for the next start', async () => {
    const first = await space.start();
    await fetch(`${first.gatewayUrl}/echo`);
    await documents(first).send(new PutCommand({ TableName: first.tableName, Item: { pk: 'a', sk: 'b', kept: 1 } }));
    const pids = [...first.children().map((child) => child.pid), enginePid(space)];
    await first.close();
    expect(pids.filter(runs)).toEqual([]);
    await expect(fetch(`${first.gatewayUrl}/echo`)).rejects.toThrow();
    const second = await space.start();
    const { Item } = await documents(second).send(
      new GetCommand({ TableName: second.tableName, Key: { pk: 'a', sk: 'b' } }),
    );
    expect(Item).toEqual({ pk: 'a', sk: 'b', kept: 1 });
  });

  it('lets a call in flight finish', async () => {
    const gateway = await space.start();
    const call = fetch(`${gateway.gatewayUrl}/echo?do=slow&ms=400`);
    await until('a busy process', () => gateway.children().some((child) => child.state === 'busy'));
    await gateway.close();
    expect((await call).status).toBe(200);
  });

  it('erases the data when asked for a fresh start, and never a folder that is not its own', async () => {
    await (await space.start()).close();
    writeFileSync(join(space.dataDir, 'events.jsonl'), 'old');
    const fresh = await space.start({ fresh: true });
    expect(readdirSync(space.dataDir)).not.toContain('events.jsonl');
    await fresh.close();
    writeFileSync(join(space.folder, 'precious'), '');
    await expect(space.start({ dataDir: space.folder, fresh: true })).rejects.toThrow(/not the gateway's.*--data/);
    expect(readdirSync(space.folder)).toContain('precious');
  });
});

describe('a runner that is killed', () => {
  async function startRunner(
    imports: readonly string[] = [],
    env: NodeJS.ProcessEnv = process.env,
  ): Promise<{ runner: ChildProcess; pids: number[]; gatewayUrl: string }> {
    const script = join(import.meta.dirname, '../unit/local/fixtures/runner.ts');
    const before = imports.flatMap((module) => ['--import', module]);
    const runner = spawn(process.execPath, [...before, script, space.dataDir, space.assemblyFolder], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env,
    });
    const [line] = await once(runner.stdout, 'data');
    const report = asObject(parseJson(String(line), 'report'), 'report');
    const gatewayUrl = asString(report.gatewayUrl, 'gatewayUrl');
    expect(gatewayUrl).toContain('127.0.0.1');
    return { runner, gatewayUrl, pids: asArray(report.pids, 'pids').map((pid) => asNumber(pid, 'pid')) };
  }

  it('leaves no function process and no engine behind', async () => {
    const { runner, pids } = await startRunner();
    const all = [...pids, enginePid(space)];
    expect(all.length).toBeGreaterThan(2);
    runner.kill('SIGKILL');
    await until('every process to end', () => all.every((pid) => !runs(pid)));
  });

  it('leaves a stale lock that the next start takes over', async () => {
    const { runner } = await startRunner();
    runner.kill('SIGKILL');
    await once(runner, 'exit');
    const gateway = await space.start();
    expect((await fetch(`${gateway.gatewayUrl}/echo`)).status).toBe(200);
  });

  it('needs no /proc, shell, ps, other loopback address or PATH: it answers, keeps others out and leaves nothing behind', async () => {
    const hidden = pathToFileURL(join(import.meta.dirname, '../support/without-linux.mjs')).href;
    const env = { HOME: space.folder, PATH: join(space.folder, 'no-programs') };
    const { runner, gatewayUrl, pids } = await startRunner([hidden], env);
    expect((await fetch(`${gatewayUrl}/echo`)).status).toBe(200);
    const engine = enginePid(space);
    expect(JSON.parse(readFileSync(join(space.dataDir, 'lock.json'), 'utf8'))).toEqual({
      gateway: { pid: runner.pid },
      engine: { pid: engine },
    });
    await expect(space.start()).rejects.toThrow(`Another gateway (process ${runner.pid}) uses ${space.dataDir}`);
    runner.kill('SIGKILL');
    await until('every process to end', () => [...pids, engine].every((pid) => !runs(pid)));
    // The id of a gateway that is gone may be another program's by now.
    writeFileSync(join(space.dataDir, 'lock.json'), JSON.stringify({ gateway: { pid: process.pid } }));
    const gateway = await space.start();
    expect((await fetch(`${gateway.gatewayUrl}/echo`)).status).toBe(200);
  });
});

describe('the engine', () => {
  it('the engine is started again on the same address when it dies, with the data it had', async () => {
    const gateway = await space.start();
    const client = documents(gateway);
    await client.send(new PutCommand({ TableName: gateway.tableName, Item: { pk: 'a', sk: 'b' } }));
    const pid = enginePid(space);
    process.kill(pid, 'SIGKILL');
    await until('another engine', () => enginePid(space) !== pid);
    await until('the item', async () => {
      const reply = await client
        .send(new GetCommand({ TableName: gateway.tableName, Key: { pk: 'a', sk: 'b' } }))
        .catch(() => undefined);
      return reply?.Item !== undefined;
    });
  });
});

describe('the trigger', () => {
  it('puts inserted event items on the bus in EventBridge’s envelope, and nothing else', async () => {
    const gateway = await space.start();
    const client = documents(gateway);
    await client.send(new PutCommand({ TableName: gateway.tableName, Item: { pk: 'x', sk: 'y', type: 'connection' } }));
    await client.send(new PutCommand({ TableName: gateway.tableName, Item: eventItem('1') }));
    await client.send(new PutCommand({ TableName: gateway.tableName, Item: { ...eventItem('1'), edited: 'yes' } }));
    await client.send(new PutCommand({ TableName: gateway.tableName, Item: eventItem('2') }));
    await gateway.waitForEvent((event) => asObject(event.detail, 'detail').event_id === '2');
    expect(gateway.events.map((event) => event.detail)).toMatchObject([
      { event_id: '1', account_id: 'default' },
      { event_id: '2', account_id: 'default' },
    ]);
    expect(gateway.events[0]).toMatchObject({
      version: '0',
      'detail-type': 'ConnectionCreated',
      source: 'integration-gateway',
      account: '000000000000',
      time: '2026-11-20T10:00:00Z',
      region: 'eu-central-1',
      resources: [],
    });
    const lines = readFileSync(join(space.dataDir, 'events.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map((line) => parseJson(line, 'line'))).toEqual(gateway.events);
  });

  it('continues where it was after a restart, without repeats', async () => {
    const first = await space.start();
    await documents(first).send(new PutCommand({ TableName: first.tableName, Item: eventItem('1') }));
    await first.waitForEvent(() => true);
    await placeKept();
    if (first.switches.trigger !== undefined) first.switches.trigger.paused = true;
    await documents(first).send(new PutCommand({ TableName: first.tableName, Item: eventItem('2') }));
    await first.close();
    const second = await space.start();
    await second.waitForEvent(() => true);
    await documents(second).send(new PutCommand({ TableName: second.tableName, Item: eventItem('3') }));
    await second.waitForEvent((event) => asObject(event.detail, 'detail').event_id === '3');
    expect(second.events.map((event) => asObject(event.detail, 'detail').event_id)).toEqual(['2', '3']);
  });

  it('ST-21: continues where the pipe of an earlier version was', async () => {
    const first = await space.start();
    await documents(first).send(new PutCommand({ TableName: first.tableName, Item: eventItem('1') }));
    await first.waitForEvent(() => true);
    await placeKept();
    await first.close();
    renameSync(join(space.dataDir, PLACE_FILE), join(space.dataDir, 'pipe-GatewayEventsPipeE600983A.json'));
    const second = await space.start();
    await documents(second).send(new PutCommand({ TableName: second.tableName, Item: eventItem('2') }));
    await second.waitForEvent((event) => asObject(event.detail, 'detail').event_id === '2');
    expect(second.events.map((event) => asObject(event.detail, 'detail').event_id)).toEqual(['2']);
  });

  it('repeats everything after its position is lost', async () => {
    const gateway = await space.start();
    await documents(gateway).send(new PutCommand({ TableName: gateway.tableName, Item: eventItem('1') }));
    await gateway.waitForEvent(() => true);
    gateway.switches.loseStreamPosition();
    await until('the repeat', () => gateway.events.length === 2);
    expect(gateway.events[1]?.detail).toEqual(gateway.events[0]?.detail);
  });

  it('queues a refused event alone and delivers its neighbours', async () => {
    const gateway = await space.start();
    const { trigger, bus } = gateway.switches;
    if (trigger === undefined) throw new Error('The fixture has a trigger.');
    trigger.paused = true;
    bus.refuse = (entry) => (asObject(entry.detail, 'detail').event_id === '2' ? 'MalformedDetail' : undefined);
    for (const id of ['1', '2', '3']) {
      await documents(gateway).send(new PutCommand({ TableName: gateway.tableName, Item: eventItem(id) }));
    }
    trigger.paused = false;
    await gateway.waitForEvent((event) => asObject(event.detail, 'detail').event_id === '3');
    const seen = new Set(gateway.events.map((event) => asObject(event.detail, 'detail').event_id));
    expect([...seen].sort()).toEqual(['1', '3']);
    expect(gateway.deadLetters.map(({ body }) => parseJson(body, 'body'))).toMatchObject([{ eventId: '2' }]);
  });
});
