// @module-tag long
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { countCalls, linesWritten } from '../../support/roll-up.ts';
import { control } from '../../support/simulator.ts';

const DRIVE = 'google-drive';
const folder = join(mkdtempSync(join(tmpdir(), 'usage-')), 'data');
let gateway: TestGateway;
const start = () => startTestGateway({ dataDir: folder, maxChildrenPerFunction: 2 });

beforeAll(async () => {
  gateway = await start();
  // The first tick says where the count begins.
  await gateway.gateway.tick('roll-up');
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const usage = async (query = 'by=integration') => (await gateway.json('GET', `/usage?${query}`)).body.data;
const callsBy = async (query = 'by=integration'): Promise<number> =>
  (await usage(query)).rows.reduce((sum: number, { calls }: { calls: number }) => sum + calls, 0);
const call = () => gateway.proxy(DRIVE, '/drive/v3/files?pageSize=1').then((answer) => answer.text());

test('a new gateway says of no call that it is not counted yet', async () => {
  expect(await usage()).toMatchObject({ counted_until: null, missing_calls: 0, incomplete: [] });
});

test('30 calls in three bursts and silence are 30, by integration, key and connection, and the key shows its use (BK-20)', async () => {
  for (let burst = 0; burst < 3; burst += 1) await Promise.all(Array.from({ length: 10 }, call));
  const usedAtMs = Date.now();
  expect(await countCalls(gateway)).toBeLessThanOrEqual(5);
  expect(await callsBy()).toBe(30);
  expect(await callsBy('by=key')).toBe(30);
  expect(await callsBy(`by=connection&provider_config_key=${DRIVE}`)).toBe(30);
  expect(await callsBy(`by=connection&provider_config_key=${DRIVE}&connection_id=${gateway.connectionId(DRIVE)}`)).toBe(
    30,
  );
  const data = await usage();
  expect(data.rows[0]).toMatchObject({ ok: 30, units: expect.any(Number), refreshed: expect.any(Number) });
  expect(data.rows[0].units).toBeGreaterThan(0);
  expect(data).toMatchObject({ missing_calls: 0, incomplete: [] });
  expect(Date.parse(data.counted_until)).toBeGreaterThanOrEqual(usedAtMs);
  const { data: keys } = (await gateway.json('GET', '/account/keys')).body;
  expect(Date.parse(keys[0].last_used_at)).toBeGreaterThan(usedAtMs - 60_000);
});

test('300 calls that end in any way are 300, each in its class (BK-20)', async () => {
  const before = (await usage()).rows;
  const next = async (action: object) =>
    control(gateway, 'POST', '/faults', { match: { origin: 'api' }, action, times: 1 });
  const found = '/drive/v3/files?pageSize=1';
  const ways: [name: string, status: number | undefined, make: () => Promise<Response>][] = [
    ['ok', 200, () => gateway.proxy(DRIVE, found)],
    ['ok', 200, () => gateway.proxy(DRIVE, '/drive/v3/about?fields=user')],
    ['provider_refused', 404, () => gateway.proxy(DRIVE, '/drive/v3/files/not-there')],
    ['gateway_refused', 403, () => gateway.proxy(DRIVE, '/calendar/v3/calendars/primary')],
    ['provider_failed', 500, () => next({ status: 500 }).then(() => gateway.proxy(DRIVE, found))],
    ['broken_off', undefined, () => next({ truncateAfterBytes: 40 }).then(() => gateway.proxy(DRIVE, found))],
  ];
  for (let round = 0; round < 50; round += 1) {
    for (const [name, status, make] of ways) {
      const answer = await make();
      const seen = await answer.arrayBuffer().then(
        () => answer.status,
        () => undefined,
      );
      expect(seen, name).toBe(status);
    }
  }
  await countCalls(gateway);
  const sumOf = (rows: readonly Record<string, number>[], name: string) =>
    rows.reduce((sum, row) => sum + (row[name] ?? 0), 0);
  const { rows } = await usage();
  const added = (name: string) => sumOf(rows, name) - sumOf(before, name);
  expect(['calls', 'ok', 'provider_refused', 'gateway_refused', 'provider_failed', 'broken_off'].map(added)).toEqual([
    300, 100, 50, 50, 50, 50,
  ]);
});

test('lines and progress survive a restart, in files that nobody else reads', async () => {
  const before = await callsBy();
  for (let one = 0; one < 5; one += 1) await call();
  await linesWritten(gateway);
  const { aheadMs } = gateway.gateway.switches.logs;
  await gateway[Symbol.asyncDispose]();
  const kept = folderOfLines();
  expect(kept.length).toBeGreaterThan(0);
  for (const path of kept) expect(statSync(path).mode & 0o077).toBe(0);
  gateway = await start();
  gateway.gateway.switches.logs.aheadMs = aheadMs;
  await countCalls(gateway);
  expect(await callsBy()).toBe(before + 5);
});

function folderOfLines(): string[] {
  const logs = join(folder, 'logs');
  if (!existsSync(logs)) return [];
  return readdirSync(logs, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
