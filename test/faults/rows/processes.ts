import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { forgetRequests, tokenCalls } from '../../support/simulator.ts';
import type { AwsCall } from '../support/fault-proxy.ts';
import { type FaultWorld, nowSec, statusesOf, until } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';
import { describeConnection } from './events.ts';

/** Time limit of the management function, as the template states it. */
const MANAGEMENT_LIMIT_MS = 15_000;

/** While this file is there, processes of the connect function start without the name of their table; each adds a byte to it. */
export function brokenStart(flagFile: string): string {
  const file = JSON.stringify(flagFile);
  return (
    `import { appendFileSync, existsSync } from 'node:fs';` +
    `if (process.env.AWS_SDK_UA_APP_ID === 'connect' && existsSync(${file})) {` +
    `appendFileSync(${file}, 'x'); delete process.env.TABLE_NAME; }`
  );
}

/** Processes of functions and of the emulated table that start, hang and die. @param flagFile as given to `brokenStart` */
export const processRows = (flagFile: string): readonly FaultRow[] => [
  {
    id: 'F62',
    claim: 'processes that start at once read each key and secret once, and start no refresh by themselves',
    runs: 'matrix',
    async run(world) {
      const [valid, due] = [await world.connect({ expired: false }), await world.connect()];
      await due.set({ refreshAt: nowSec() - 5 });
      for (const name of ['proxy', 'refresh']) await world.restart(name);
      await forgetRequests(world.gateway);
      const keys = world.aws.add((call) => call.operation === 'Decrypt', { kind: 'pass' }, 1_000);
      const secrets = world.aws.add((call) => call.operation === 'GetSecretValue', { kind: 'pass' }, 1_000);
      expect(await statusesOf(60, () => valid.call())).toEqual(new Set([200]));
      const processes = running(world, 'proxy').length;
      expect(processes).toBeGreaterThan(1);
      expect(keys.count()).toBeLessThanOrEqual(processes);
      expect(secrets.count(), 'a valid token needs no client secret').toBe(0);
      expect(await tokenCalls(world.gateway)).toHaveLength(0);
      expect(await statusesOf(40, () => due.call())).toEqual(new Set([200]));
      expect(await tokenCalls(world.gateway)).toHaveLength(1);
      expect(secrets.count()).toBeLessThanOrEqual(processes);
    },
  },
  {
    id: 'F91',
    claim: 'a function that cannot start names the setting, is tried again with growing pauses, and stops no other',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect();
      const page = `${world.gateway.gateway.gatewayUrl}/connect/session`;
      writeFileSync(flagFile, '');
      try {
        await world.restart('connect');
        const linesBefore = world.gateway.gateway.logs().length;
        const startedMs = Date.now();
        let refused = 0;
        await until(
          'three seconds of failing starts',
          async () => {
            if ((await fetch(page)).status >= 500) refused++;
            return Date.now() - startedMs > 3_000;
          },
          15_000,
        );
        const lines = world.gateway.gateway.logs().slice(linesBefore);
        expect(refused).toBeGreaterThan(10);
        const starts = statSync(flagFile).size;
        expect(starts).toBeGreaterThan(1);
        expect(starts, 'no spin').toBeLessThanOrEqual(5);
        expect(lines.map(({ text }) => text).join('\n')).toContain('TABLE_NAME');
        expect((await subject.call()).status, 'another function').toBe(200);
      } finally {
        rmSync(flagFile);
      }
      await until('the function is back', async () => (await fetch(page)).status === 401, undefined, 100);
    },
  },
  {
    id: 'F92',
    claim: 'a process that hangs past its time limit and ignores signals is killed: 504, and its place is free',
    runs: 'matrix',
    async run(world) {
      await world.connect();
      const reading = world.table.add(({ caller }) => caller === 'management', { kind: 'hold', side: 'before' });
      const startedMs = Date.now();
      const call = showConnections(world);
      await reading.met;
      const pid = await world.signalBusy('management', 'SIGSTOP');
      reading.release();
      expect((await call).status).toBe(504);
      expect(Date.now() - startedMs).toBeGreaterThanOrEqual(MANAGEMENT_LIMIT_MS - 500);
      await until('the process is gone', () => running(world, 'management').every((child) => child.pid !== pid));
      expect(await statusesOf(8, () => showConnections(world))).toEqual(new Set([200]));
    },
  },
  {
    id: 'F93',
    claim:
      'the table crashes: 503 until it is back, then everything continues by itself and nothing that was written is lost',
    runs: 'matrix',
    async run(world) {
      const [warm, cold] = [await world.connect(), await world.connect()];
      await describeConnection(world, warm, 'before the crash');
      const pids = running(world, 'proxy').map(({ pid }) => pid);
      const engine = enginePid(world);
      const statuses: number[] = [];
      process.kill(engine, 'SIGKILL');
      await until('another engine serves', async () => {
        statuses.push((await cold.call()).status);
        return statuses.at(-1) === 200 && enginePid(world) !== engine;
      });
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
      expect((await warm.row()).tags).toMatchObject({ value: 'before the crash' });
      await describeConnection(world, warm, 'after the crash');
      expect((await warm.call()).status).toBe(200);
      expect(pids.every((pid) => running(world, 'proxy').some((child) => child.pid === pid))).toBe(true);
    },
  },
  {
    id: 'F130',
    claim:
      'a process that dies over a request with an Idempotency-Key: a repeat carries it out where nothing was made yet, is refused where something was, and nothing is made twice',
    runs: 'matrix',
    async run(world) {
      const ask = (id: string) =>
        world.gateway.call('/connect/sessions', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': id },
          body: JSON.stringify({ end_user: { id } }),
        });
      const deaths = {
        'dies-before': ({ operation, body }: AwsCall) =>
          operation === 'TransactWriteItems' && body.includes('REQUEST#'),
        'dies-after': ({ operation, body }: AwsCall) => operation === 'UpdateItem' && body.includes('SET answer = '),
      };
      for (const [id, at] of Object.entries(deaths)) {
        const reached = world.table.add(at, { kind: 'hold', side: 'before' });
        const lost = ask(id);
        await reached.met;
        await world.killBusy('management');
        reached.release('drop');
        expect((await lost).status, id).toBeGreaterThanOrEqual(500);
      }
      const repeated = async (id: string, wanted: string) => {
        const { status, headers } = await ask(id);
        return `${status} ${headers.get('x-gateway-error') ?? ''}`.trim() === wanted;
      };
      await until('the one that made nothing is carried out', () => repeated('dies-before', '201'));
      await until('the other says that it was', () => repeated('dies-after', '409 answer_not_kept'));
      expect((await ask('dies-before')).headers.get('idempotent-replayed')).toBe('true');
      for (const id of Object.keys(deaths)) {
        const { body } = await world.gateway.json('GET', '/events?type=ConnectSessionCreated');
        const made = body.data.filter((event: { end_user_id: unknown }) => event.end_user_id === id);
        expect(made, id).toHaveLength(1);
      }
    },
  },
];

function running(world: FaultWorld, functionName: string) {
  return world.gateway.gateway.children().filter((child) => child.functionName === functionName);
}

function showConnections(world: FaultWorld): Promise<Response> {
  return world.gateway.call('/connections?limit=1');
}

function enginePid(world: FaultWorld): number {
  const lock = JSON.parse(readFileSync(join(world.gateway.gateway.dataDir, 'lock.json'), 'utf8'));
  return Number(lock.engine.pid);
}
