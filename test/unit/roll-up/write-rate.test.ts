// @module-tag long
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import { bookReader } from '../../../lambdas/gateway/calls/book.store.ts';
import { sliceOfConnection } from '../../../lambdas/gateway/calls/call-line.rules.ts';
import type { CallSums } from '../../../lambdas/gateway/calls/page.rules.ts';
import { pageReader, pageStore } from '../../../lambdas/gateway/calls/page.store.ts';
import { readUsage } from '../../../lambdas/gateway/calls/read-usage.ts';
import { usageRows } from '../../../lambdas/gateway/calls/usage-rows.store.ts';
import type { Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import type { CallLog, LogWindow } from '../../../lambdas/roll-up/ports.ts';
import { progressStore } from '../../../lambdas/roll-up/progress.store.ts';
import { RollUp } from '../../../lambdas/roll-up/roll-up.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { HOUR, MINUTE } from './support/world.ts';

const CALLS_PER_SEC = 3_000;
/** Written units that no partition is to get in a second: half of what DynamoDB takes. */
const UNITS_PER_SEC_MAX = 500;
const CONNECTIONS = Array.from(
  { length: 10_000 },
  (_, at) => `3f0c2a8e-7b1d-4c5e-9f00-${String(at).padStart(12, '0')}`,
);

/** A log of one account that makes so many calls in every second of a time, by all its connections evenly. */
class BusyLog implements CallLog {
  readonly #answers: CallSums[][] = [];
  readonly #calls: LogWindow;

  constructor(calls: LogWindow) {
    this.#calls = calls;
  }

  askSums = async ({ fromMs, toMs }: LogWindow, slices: number, slice: number) => {
    const [from, to] = [Math.max(fromMs, this.#calls.fromMs), Math.min(toMs, this.#calls.toMs)];
    const calls = (Math.max(0, to - from) / 1000) * (CALLS_PER_SEC / CONNECTIONS.length);
    const own = CONNECTIONS.filter((connection) => sliceOfConnection('google-drive', connection) % slices === slice);
    this.#answers.push(calls === 0 ? [] : own.map((connection) => sums(connection, calls, to)));
    return { kind: 'asked', queryId: String(this.#answers.length - 1) } as const;
  };
  sums: CallLog['sums'] = async (queryId, take) => {
    const rows = this.#answers[Number(queryId)] ?? [];
    for (const row of rows) take(row);
    return { kind: 'done', rows: rows.length };
  };
  askBegun = async () => ({ kind: 'asked', queryId: 'begun' }) as const;
  begun: CallLog['begun'] = async () => ({ kind: 'done', rows: 0 });
}

function sums(connection: string, calls: number, lastEndedAtMs: number): CallSums {
  return {
    ...{ account: 'default', integration: 'google-drive', connection, key: '0a1b2c3d4e5f' },
    ...{ provider: 'google-drive', project: '123456789012', class: 'ok', lastEndedAtMs, refreshed: 0 },
    ...{ calls, bytesIn: 0, bytesOut: 10_240 * calls, totalMs: 164 * calls, units: 5 * calls },
  };
}

/** Minutes of ticks by processes at once, and what each partition got, on a clock that only their pauses move. */
async function rolledUp(processes: number, fromMs: number, calls: LogWindow, minutes: readonly number[]) {
  const memory = new MemoryTable();
  const time = new VirtualTime(fromMs);
  const writes = new Map<string, { readonly atMs: number; readonly units: number }[]>();
  const { client } = memory.table;
  const send = (command: Parameters<typeof client.send>[0]) => {
    if (command instanceof PutCommand) {
      const { Item = {} } = command.input;
      const own = writes.get(String(Item.pk)) ?? [];
      own.push({ atMs: time.nowMs, units: Math.ceil(JSON.stringify(Item).length / 1024) });
      writes.set(String(Item.pk), own);
    }
    return client.send(command);
  };
  const table = { ...memory.table, client: { send } } as unknown as Table;
  const log = new BusyLog(calls);
  const made = Array.from(
    { length: processes },
    () =>
      new RollUp({
        log,
        invocations: { byHour: async () => new Map() },
        pages: pageStore(table, (ms) => time.sleep(ms)),
        quotas: { report: async () => {} },
        progress: progressStore(table),
        logRetentionMs: 7 * 24 * HOUR,
        clock: { nowMs: () => time.nowMs },
        metrics: { count: () => {} },
        logger: { info: () => {}, warn: () => {}, error: (message) => expect.fail(message) },
      }),
  );
  let longestMs = 0;
  for (const minute of minutes) {
    time.nowMs = Math.max(time.nowMs, fromMs + minute * MINUTE);
    const beganAtMs = time.nowMs;
    await time.run(Promise.all(made.map((one) => one.tick(beganAtMs, beganAtMs + 5 * MINUTE, 'request'))));
    longestMs = Math.max(longestMs, time.nowMs - beganAtMs);
  }
  const reading = { pages: pageReader(memory.table), book: bookReader(memory.table), rows: usageRows(memory.table) };
  const { rows } = await readUsage({ ...reading, clock: { nowMs: () => time.nowMs } }, 'default', ['2026-03-01'], {
    by: 'integration',
  });
  const counted = rows.reduce((sum, one) => sum + (one.counts.calls ?? 0), 0);
  return { counted, longestMs, most: Math.max(...[...writes.values()].map(mostInASecond)), partitions: writes.size };
}

/** The most units in any second, wherever it begins. */
function mostInASecond(writes: readonly { readonly atMs: number; readonly units: number }[]): number {
  let most = 0;
  let sum = 0;
  let first = 0;
  for (const { atMs, units } of writes) {
    sum += units;
    while ((writes[first]?.atMs ?? atMs) <= atMs - 1000) sum -= writes[first++]?.units ?? 0;
    most = Math.max(most, sum);
  }
  return most;
}

// Minutes before midnight: pages of minutes, of their hour and of their day are written in the same ticks.
const FROM = Date.parse('2026-03-01T23:58:00Z');
const CALLS = { fromMs: FROM, toMs: FROM + 2 * MINUTE };
const EACH_MINUTE = Array.from({ length: 7 }, (_, minute) => minute);

const CLAIM = 'at 3,000 calls a second of one account no partition gets over 500 units a second from';

test(`${CLAIM} two processes at once (BK-24)`, { timeout: 60_000 }, () => isWrittenAtAPace(2));
test(`${CLAIM} one process (BK-24)`, { timeout: 60_000 }, () => isWrittenAtAPace(1));

async function isWrittenAtAPace(processes: number): Promise<void> {
  const { counted, most, longestMs, partitions } = await rolledUp(processes, FROM, CALLS, EACH_MINUTE);
  expect(counted).toBe(CALLS_PER_SEC * 120);
  expect(partitions).toBeGreaterThan(2);
  // Really written at that pace, and each tick over before the next begins.
  expect(most).toBeGreaterThan(processes * 150);
  expect(most).toBeLessThanOrEqual(UNITS_PER_SEC_MAX);
  expect(longestMs).toBeLessThan(MINUTE);
}
