import { expect } from 'vitest';
import { countCalls, linesWritten } from '../../support/roll-up.ts';
import type { AwsCall } from '../support/fault-proxy.ts';
import { type FaultWorld, type Subject, statusesOf, until } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ROLL_UP = 'roll-up';

/** The calls of one connection as `GET /usage` has them, however ticks, processes and the log fail. */
export const callRows: readonly FaultRow[] = [
  {
    id: 'F123',
    claim: 'BK-22: a tick that another overtakes in the middle, and ticks that come twice, leave the same sums',
    runs: 'matrix',
    async run(world) {
      const subject = await counted(world);
      await calls(subject, 20);
      await linesWritten(world.gateway);
      const writing = world.table.add(isPage('minute'), { kind: 'hold', side: 'before' });
      const [overtaken] = await tickUntilMet(world, writing.met, MINUTE);
      await count(world, subject);
      expect(await callsOf(world, subject), 'by the other').toBe(20);
      writing.release();
      await overtaken;
      expect(await callsOf(world, subject), 'by both').toBe(20);
      await calls(subject, 10);
      await linesWritten(world.gateway);
      for (let minute = 0; minute < 75; minute += 1) {
        pass(world, MINUTE);
        await Promise.all([tick(world), tick(world)]);
      }
      expect(processes(world, ROLL_UP).length).toBeGreaterThan(1);
      expect(await callsOf(world, subject), 'an hour later').toBe(30);
    },
  },
  {
    id: 'F124',
    claim:
      'BK-23: lines that the log holds back for ten minutes and for two hours are in their day, and reported as late',
    runs: 'matrix',
    async run(world) {
      const { logs } = world.gateway.gateway.switches;
      const subject = await counted(world);
      const lateBefore = sumOf(world, 'LateCalls');
      await calls(subject, 7);
      await linesWritten(world.gateway);
      await heldBack(world, subject, 5, 10 * MINUTE);
      expect(await callsOf(world, subject), 'held back').toBe(7);
      logs.isHeldBack = false;
      await ticks(world, 15 * MINUTE, MINUTE);
      expect(await callsOf(world, subject), 'ten minutes late').toBe(12);
      await heldBack(world, subject, 3, 2 * HOUR);
      logs.isHeldBack = false;
      await ticks(world, 20 * MINUTE, MINUTE);
      expect(await callsOf(world, subject), 'not before night').toBe(12);
      await ticks(world, DAY + 4 * HOUR, HOUR);
      // Ticks that are rare read times for the first time before all else: the night's reading comes when those are behind.
      for (let minute = 0; minute < 180 && (await callsOf(world, subject)) < 15; minute += 1) {
        await ticks(world, MINUTE, MINUTE);
      }
      expect(await callsOf(world, subject), 'two hours late').toBe(15);
      expect(sumOf(world, 'LateCalls') - lateBefore).toBe(8);
    },
  },
  {
    id: 'F125',
    claim: 'BK-22: a roll-up that is killed at any of its steps and continues leaves each call counted once',
    runs: 'matrix',
    async run(world) {
      const subject = await counted(world);
      let made = 0;
      for (const { where, at, matches, sides, stepMs } of steps(world)) {
        for (const side of sides) {
          await calls(subject, 4);
          made += 4;
          await linesWritten(world.gateway);
          const fault = at.add(matches, { kind: 'hold', side });
          const [dying] = await tickUntilMet(world, fault.met, stepMs);
          await world.killBusy(ROLL_UP);
          fault.release('drop');
          await dying;
          await count(world, subject);
          expect(await callsOf(world, subject), `${side} ${where}`).toBe(made);
        }
      }
      await ticks(world, 2 * DAY, HOUR);
      expect(await callsOf(world, subject), 'days later').toBe(made);
    },
  },
  {
    id: 'F126',
    claim: 'BK-23: after three hours in which the log answers no question, all calls are counted within 15 ticks',
    runs: 'matrix',
    async run(world) {
      const { logs } = world.gateway.gateway.switches;
      const subject = await counted(world);
      logs.isThrottled = true;
      for (let part = 0; part < 6; part += 1) {
        await calls(subject, 5);
        await linesWritten(world.gateway);
        await ticks(world, 30 * MINUTE, MINUTE);
      }
      expect(await callsOf(world, subject), 'while it lasts').toBe(0);
      Object.assign(logs, { isThrottled: false, delayMs: 20 });
      expect(await countCalls(world.gateway)).toBeLessThanOrEqual(15);
      await count(world, subject);
      expect(await callsOf(world, subject)).toBe(30);
    },
  },
];

/** Calls that leave no line, in a world of their own: `missing_calls` is of all calls of the gateway. */
export const lossRows: readonly FaultRow[] = [
  {
    id: 'F127',
    claim: 'BK-23: calls whose lines the platform loses are reported as missing, raise an alarm, and are not counted',
    runs: 'matrix',
    async run(world) {
      const { logs } = world.gateway.gateway.switches;
      const subject = await world.connect({ expired: false });
      // The first hour that is compared begins after the first tick.
      logs.aheadMs = -2 * HOUR;
      await tick(world);
      logs.aheadMs = 0;
      const untilHourMs = HOUR - (Date.now() % HOUR);
      if (untilHourMs < 10_000) await until('the next hour', () => Date.now() % HOUR < MINUTE);
      logs.losesOneIn = 5;
      await calls(subject, 40);
      await count(world, subject);
      expect(await callsOf(world, subject)).toBe(32);
      await countCalls(world.gateway, 90);
      expect(await callsOf(world, subject), 'later').toBe(32);
      expect((await usage(world, subject)).missing_calls).toBe(8);
      expect(sumOf(world, 'MissingCalls')).toBe(8);
    },
  },
  {
    id: 'F122',
    claim: 'BK-20: of calls whose processes all end by SIGTERM or kill -9, those that were over are counted, once',
    runs: 'matrix',
    async run(world) {
      const subject = await counted(world);
      for (const [round, signal] of (['SIGTERM', 'SIGKILL'] as const).entries()) {
        await calls(subject, 30);
        await until('all calls are over', () => processes(world, 'proxy').every(({ state }) => state === 'idle'));
        await world.provider({ origin: 'api' }, { delayMs: 10_000 }, { times: 2 });
        const inFlight = [0, 1].map(() => subject.call());
        await until('two are in flight', () => busy(world) === 2);
        for (const { pid } of processes(world, 'proxy')) process.kill(pid, signal);
        expect((await Promise.all(inFlight)).map(({ status }) => status)).toEqual([502, 502]);
        await count(world, subject);
        expect(await callsOf(world, subject), signal).toBe(30 * (round + 1));
      }
    },
  },
];

/** A connection with no call yet, in a world whose count has begun. */
async function counted(world: FaultWorld): Promise<Subject> {
  const subject = await world.connect({ expired: false });
  await tick(world);
  return subject;
}

/** So many calls that succeed, ten at a time. */
async function calls(subject: Subject, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 10) {
    expect(await statusesOf(Math.min(10, left), () => subject.call())).toEqual(new Set([200]));
  }
}

async function usage(world: FaultWorld, { integrationId, connectionId }: Subject) {
  const nowMs = Date.now();
  const range = `from=${dayOf(nowMs - DAY)}&to=${dayOf(timeOf(world) + DAY)}`;
  const of = `by=connection&provider_config_key=${integrationId}&connection_id=${encodeURIComponent(connectionId)}`;
  const { status, body } = await world.gateway.json('GET', `/usage?${of}&${range}`);
  expect(status).toBe(200);
  return body.data;
}

async function callsOf(world: FaultWorld, subject: Subject): Promise<number> {
  const { rows } = await usage(world, subject);
  return rows.reduce((sum: number, row: { readonly calls: number }) => sum + row.calls, 0);
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The time of the log and of the schedule, which go faster than that of the processes. */
function timeOf(world: FaultWorld): number {
  return Date.now() + world.gateway.gateway.switches.logs.aheadMs;
}

function pass(world: FaultWorld, ms: number): void {
  world.gateway.gateway.switches.logs.aheadMs += ms;
}

function tick(world: FaultWorld): Promise<unknown> {
  return world.gateway.gateway.tick(ROLL_UP, { at: new Date(timeOf(world)).toISOString() });
}

/** Lets time pass, a tick at each step. */
async function ticks(world: FaultWorld, ms: number, stepMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
    pass(world, stepMs);
    await tick(world);
  }
}

/**
 * Ticks until all calls that have ended are counted, and until it is on record that they are: with time running ahead,
 * `GET /usage` looks no further than that, and of two processes that take turns one has to read the record first.
 */
async function count(world: FaultWorld, subject: Subject): Promise<void> {
  const endedMs = timeOf(world);
  await countCalls(world.gateway);
  for (let more = 0; more < 30; more += 1) {
    if (Date.parse((await usage(world, subject)).counted_until) > endedMs) return;
    await ticks(world, MINUTE, MINUTE);
  }
  throw new Error('The count does not get on record');
}

/** Calls whose lines are held back, and that time, with its ticks. */
async function heldBack(world: FaultWorld, subject: Subject, count: number, ms: number): Promise<void> {
  world.gateway.gateway.switches.logs.isHeldBack = true;
  await calls(subject, count);
  await linesWritten(world.gateway);
  await ticks(world, ms, MINUTE);
}

/** Ticks until one stands at a fault. @returns what that one comes to; a death is none of its failures */
async function tickUntilMet(world: FaultWorld, met: Promise<unknown>, stepMs: number): Promise<Promise<unknown>[]> {
  for (let count = 0; count < 100; count += 1) {
    pass(world, stepMs);
    const ticking = tick(world).catch(() => undefined);
    const isMet = await Promise.race([met.then(() => true), ticking.then(() => false)]);
    // In an array: a promise of a promise would be waited for.
    if (isMet) return [ticking];
  }
  throw new Error('No tick meets the fault');
}

function isPage(level: 'minute' | 'hour' | 'day'): (call: AwsCall) => boolean {
  return ({ caller, operation, body }) =>
    caller === ROLL_UP && operation === 'PutItem' && body.includes('usage_page') && body.includes(`#${level}#`);
}

/** Where a tick may die: as it asks, as it is answered, and around each of its writes. */
function steps({ aws, table }: FaultWorld) {
  const both = ['before', 'after'] as const;
  const asks = (wanted: string) => (call: AwsCall) => call.operation === wanted;
  return [
    { where: 'a question', at: aws, matches: asks('StartQuery'), sides: both, stepMs: MINUTE },
    { where: 'an answer', at: aws, matches: asks('GetQueryResults'), sides: ['after'], stepMs: MINUTE },
    { where: 'the page of a minute', at: table, matches: isPage('minute'), sides: both, stepMs: MINUTE },
    { where: 'progress', at: table, matches: isProgress, sides: both, stepMs: MINUTE },
    { where: 'the page of an hour', at: table, matches: isPage('hour'), sides: both, stepMs: 5 * MINUTE },
    { where: 'the page of a day', at: table, matches: isPage('day'), sides: both, stepMs: HOUR },
  ] as const;
}

function isProgress({ caller, operation, body }: AwsCall): boolean {
  return caller === ROLL_UP && operation === 'PutItem' && body.includes('book_cursor');
}

function processes(world: FaultWorld, functionName: string) {
  return world.gateway.gateway.children().filter((child) => child.functionName === functionName);
}

function busy(world: FaultWorld): number {
  return processes(world, 'proxy').filter(({ state }) => state === 'busy').length;
}

function sumOf(world: FaultWorld, name: string): number {
  const values = world.gateway.gateway.measurements().filter(({ metricName }) => metricName === name);
  return values.reduce((sum, { value }) => sum + value, 0);
}
