/**
 * One size, in a process of its own whose heap its parent has limited: prints what it found as one line of JSON. With faults, lines come
 * late, answers of the log are slow, refused or lost, replies of the table are lost, and two processes tick at once.
 */
import { bookReader } from '../../../lambdas/gateway/calls/book.store.ts';
import { CALL_SLICES, sliceOfConnection } from '../../../lambdas/gateway/calls/call-line.rules.ts';
import { type CallSums, LEVEL_MS } from '../../../lambdas/gateway/calls/page.rules.ts';
import { pageReader, pageStore } from '../../../lambdas/gateway/calls/page.store.ts';
import { CALL_QUERY_MAX_ROWS } from '../../../lambdas/gateway/core/contract.ts';
import type { CallLog } from '../../../lambdas/roll-up/ports.ts';
import { progressStore } from '../../../lambdas/roll-up/progress.store.ts';
import { RollUp } from '../../../lambdas/roll-up/roll-up.ts';
import { seededRandom } from '../day/seeded-random.ts';
import { BufferTable } from './buffer-table.ts';
import { type LogFaults, logFaults, losingReplies } from './log-faults.ts';

/** What one size took. */
export interface ScaleResult {
  readonly connections: number;
  readonly callsPerMonth: number;
  readonly callsCounted: number;
  /** Connections whose sum in the page of the hour or of the day differs from the calls made. */
  readonly wrong: number;
  /** Processor time of the longest tick, the made log included, in seconds. */
  readonly longestTickSec: number;
  /** Processor time of all ticks of the hour, and of the fold of the day. */
  readonly hourSec: number;
  readonly daySec: number;
  /** Ticks that the fold of the day was spread over. */
  readonly dayTicks: number;
  readonly hour: { readonly readUnits: number; readonly writeUnits: number; readonly requests: number };
  readonly day: { readonly readUnits: number; readonly writeUnits: number; readonly requests: number };
  readonly hottestSecond: number;
  readonly logQuestions: number;
}

const MINUTES_A_MONTH = 43_200;
const START = Date.parse('2026-03-01T22:00:00Z');
const DAY = Date.parse('2026-03-01T00:00:00Z');
const [connections = 0, callsPerMonth = 0, seed = 1, withFaults = 0] = process.argv.slice(2).map(Number);
/** Undefined for a log and a table that always answer. */
const faults: LogFaults | undefined = withFaults === 0 ? undefined : logFaults(seed);

let nowMs = START - 2 * LEVEL_MS.minute;

const idOf = (at: number): string => `3f0c2a8e-7b1d-4c5e-9f00-${String(at).padStart(12, '0')}`;
const expected = new Uint32Array(connections);
/** Of one answer of the log. */
const counts = new Uint32Array(connections);
const asked: {
  readonly fromMs: number;
  readonly toMs: number;
  readonly slices: number;
  readonly slice: number;
  readonly atMs: number;
  /** How often it is answered with that it runs. */
  runs: number;
}[] = [];

/** The part of the log that a connection's lines are in. */
const sliceOf = Uint8Array.from({ length: connections }, (_, at) => sliceOfConnection('google-drive', idOf(at)));

/** Lines of one minute, outside the heap, in the order of their slices: the first of each slice is at `begins`. */
interface MinuteOfLines {
  readonly connection: Uint32Array;
  readonly lateMs: Float32Array;
  readonly begins: Uint32Array;
}

const minutes: (MinuteOfLines | undefined)[] = [];

/** The same lines whenever the log is asked: they are drawn once, because each question would draw those of all slices again. */
function linesOf(minute: number): MinuteOfLines {
  const random = seededRandom(seed * 1_000 + minute);
  const callsBefore = (minutes: number): number => Math.round((minutes * callsPerMonth) / MINUTES_A_MONTH);
  const calls = callsBefore(minute + 1) - callsBefore(minute);
  const drawn = new Uint32Array(calls);
  const drawnLateMs = new Float32Array(calls);
  const begins = new Uint32Array(CALL_SLICES + 1);
  for (let call = 0; call < calls; call += 1) {
    const one = Math.floor(random() * connections);
    drawn[call] = one;
    drawnLateMs[call] = faults === undefined ? 0 : faults.lateMs(random());
    const next = (sliceOf[one] ?? 0) + 1;
    begins[next] = (begins[next] ?? 0) + 1;
  }
  for (let slice = 0; slice < CALL_SLICES; slice += 1)
    begins[slice + 1] = (begins[slice + 1] ?? 0) + (begins[slice] ?? 0);
  const ends = begins.slice();
  const lines = { connection: new Uint32Array(calls), lateMs: new Float32Array(calls), begins };
  for (const [call, one] of drawn.entries()) {
    const slice = sliceOf[one] ?? 0;
    const at = ends[slice] ?? 0;
    ends[slice] = at + 1;
    lines.connection[at] = one;
    lines.lateMs[at] = drawnLateMs[call] ?? 0;
  }
  return lines;
}

/** Calls of one minute, of a part of the connections, whose lines can be seen at a moment. */
function callsOf(
  minuteMs: number,
  seenAtMs: number,
  take: (connection: number) => void,
  { slices, slice }: { readonly slices: number; readonly slice: number } = { slices: 1, slice: 0 },
): void {
  if (minuteMs < START || minuteMs >= START + LEVEL_MS.hour) return;
  const minute = (minuteMs - START) / LEVEL_MS.minute;
  const lines = minutes[minute] ?? linesOf(minute);
  minutes[minute] = lines;
  const { connection, lateMs, begins } = lines;
  const mostLateMs = seenAtMs - minuteMs - LEVEL_MS.minute;
  for (let of = slice; of < CALL_SLICES; of += slices) {
    for (let at = begins[of] ?? 0; at < (begins[of + 1] ?? 0); at += 1) {
      if ((lateMs[at] ?? 0) <= mostLateMs) take(connection[at] ?? 0);
    }
  }
}

const log: CallLog = {
  askSums: async ({ fromMs, toMs }, slices, slice) => {
    if (faults?.isRefused() === true) return { kind: 'busy' };
    asked.push({ fromMs, toMs, slices, slice, atMs: nowMs, runs: faults?.runs() ?? 0 });
    return { kind: 'asked', queryId: String(asked.length - 1) };
  },
  async sums(queryId, take) {
    const question = asked[Number(queryId)];
    if (question === undefined || faults?.isLost() === true) return { kind: 'lost' };
    if (question.runs-- > 0) return { kind: 'running' };
    const { fromMs, toMs, slices, slice, atMs } = question;
    // As the log groups them: one row for each connection of the window.
    const found: number[] = [];
    for (let ms = fromMs; ms < toMs; ms += LEVEL_MS.minute) {
      callsOf(
        ms,
        atMs,
        (connection) => {
          const known = counts[connection] ?? 0;
          if (known === 0) found.push(connection);
          counts[connection] = known + 1;
        },
        { slices, slice },
      );
    }
    let rows = 0;
    for (const connection of found) {
      const calls = counts[connection] ?? 0;
      counts[connection] = 0;
      if (rows >= CALL_QUERY_MAX_ROWS) continue;
      rows += 1;
      take(rowOf(connection, calls, toMs));
    }
    return { kind: 'done', rows };
  },
  askBegun: async () => ({ kind: 'asked', queryId: 'begun' }),
  begun: async () => ({ kind: 'done', rows: 0 }),
};

function rowOf(connection: number, calls: number, lastEndedAtMs: number): CallSums {
  return {
    ...{ account: 'default', integration: 'google-drive', connection: idOf(connection), key: '0a1b2c3d4e5f' },
    ...{ provider: 'google-drive', project: '123456789012', class: 'ok', lastEndedAtMs, refreshed: 0 },
    ...{ calls, bytesIn: 512 * calls, bytesOut: 10_240 * calls, totalMs: 164 * calls, units: 5 * calls },
  };
}

const buffers = new BufferTable(() => nowMs);
const table = faults === undefined ? buffers.table : losingReplies(buffers.table, faults);
const newProcess = () =>
  new RollUp({
    log,
    invocations: { byHour: async () => new Map() },
    // The virtual clock moves with the pauses between writes, which are most of a tick's time.
    pages: pageStore(table, async (ms) => {
      nowMs += ms;
    }),
    quotas: { report: async () => {} },
    progress: progressStore(table),
    logRetentionMs: 7 * LEVEL_MS.day,
    clock: { nowMs: () => nowMs },
    metrics: { count: () => {} },
    logger: {
      ...{ info: () => {}, warn: () => {} },
      error: (message, _, error) => {
        if (faults === undefined) fail(message, error);
      },
    },
  });
/** The second one ticks at the same time, where there are faults. */
const processes = [newProcess(), newProcess()].slice(0, faults === undefined ? 1 : 2);

function fail(message: string, error: unknown): never {
  process.stderr.write(`${message}: ${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
}

let longestTickSec = 0;
/** A tick each minute until progress owes nothing and has come so far, and until a moment. @returns processor seconds and ticks */
async function ticksUntil(untilMs: number, waitMs = 0): Promise<{ readonly seconds: number; readonly ticks: number }> {
  let seconds = 0;
  for (let ticks = 1; ; ticks += 1) {
    nowMs = Math.max(nowMs, Math.ceil((nowMs + 1) / LEVEL_MS.minute) * LEVEL_MS.minute);
    const before = process.cpuUsage();
    const ends = await Promise.allSettled(
      processes.map((rollUp) => rollUp.tick(nowMs, nowMs + 5 * LEVEL_MS.minute, 'bench')),
    );
    const [first] = ends;
    if (first?.status === 'rejected' && faults === undefined) throw first.reason;
    const countedUntilMs = first?.status === 'fulfilled' ? Date.parse(first.value.countedUntil) : 0;
    const { user, system } = process.cpuUsage(before);
    const took = (user + system) / 1e6;
    longestTickSec = Math.max(longestTickSec, took);
    seconds += took;
    const folded = await foldedUntilMs();
    if (countedUntilMs >= untilMs && folded >= untilMs && nowMs >= waitMs) return { seconds, ticks };
    if (ticks > 2_000) fail('The roll-up does not come to an end', new Error(new Date(countedUntilMs).toISOString()));
  }
}

async function foldedUntilMs(): Promise<number> {
  return (await bookReader(buffers.table).state()).foldedUntilMs ?? 0;
}

/** Connections whose sum on a page is not as many times the calls of the hour. */
async function wrongOf(level: 'hour' | 'day', startMs: number, times: number): Promise<number> {
  const reader = pageReader(buffers.table, true);
  const [head] = await reader.heads('default', level, startMs, startMs + LEVEL_MS[level]);
  if (head === undefined) return connections;
  const found = new Uint32Array(connections);
  for (let shard = 0; shard < Math.max(1, head.connectionShards); shard += 1) {
    const entries = head.connectionShards === 0 ? head.entries : await reader.shard('default', level, head, shard);
    for (const { kind, ids, sums } of entries) {
      if (kind === 'connection') found[Number((ids[1] ?? '').slice(24))] = sums.ok;
    }
  }
  return found.reduce((wrong, calls, at) => wrong + (calls === times * (expected[at] ?? 0) ? 0 : 1), 0);
}

for (let minute = 0; minute < 60; minute += 1) {
  callsOf(START + minute * LEVEL_MS.minute, Number.POSITIVE_INFINITY, (connection) => {
    expected[connection] = (expected[connection] ?? 0) + 1;
  });
}
const callsCounted = expected.reduce((sum, calls) => sum + calls, 0);
const used = () => ({ ...buffers.use });
const since = (before: ReturnType<typeof used>) => ({
  readUnits: buffers.use.readUnits - before.readUnits,
  writeUnits: buffers.use.writeUnits - before.writeUnits,
  requests: buffers.use.requests - before.requests,
});

const atStart = used();
const hour = await ticksUntil(START + LEVEL_MS.hour);
const hourUse = since(atStart);
const wrongHours = faults === undefined ? await wrongOf('hour', START, 1) : 0;
// The other hours of the day, as busy as this one. With faults the log would be asked for them again, and knows only this one.
for (let other = 0; other < 24 && faults === undefined; other += 1) {
  const place = String(other).padStart(2, '0');
  buffers.copy('PAGE#default#hour#2026-03-01', /^(SUM|CONNECTION)#22(#|$)/, (sk) => sk.replace('#22', `#${place}`));
}
const beforeDay = used();
// Lines of two hours late are found at night, three hours after the day.
const day = await ticksUntil(DAY + LEVEL_MS.day, faults === undefined ? 0 : DAY + LEVEL_MS.day + 5 * LEVEL_MS.hour);
const hours = faults === undefined ? 24 : 1;
const result: ScaleResult = {
  connections,
  callsPerMonth,
  callsCounted,
  wrong: wrongHours + (await wrongOf('hour', START, 1)) + (await wrongOf('day', DAY, hours)),
  longestTickSec,
  hourSec: hour.seconds,
  daySec: day.seconds,
  dayTicks: day.ticks,
  hour: hourUse,
  day: since(beforeDay),
  hottestSecond: buffers.use.hottestSecond,
  logQuestions: asked.length,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
