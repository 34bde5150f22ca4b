import { expect, it } from 'vitest';
import { LimitsJudge, type Spenders } from '../../../lambdas/gateway/calls/judge-limits.ts';
import { quotaDay } from '../../../lambdas/gateway/calls/quota.rules.ts';
import type { ToolSpender } from '../../../lambdas/gateway/calls/tool-days.ts';
import { CHANGES } from '../../../lambdas/gateway/providers/changes.ts';
import { googleDrive } from '../support/google.ts';
import { memoryCallTotals } from '../support/memory-call-totals.ts';
import { secretKeyRecord } from '../support/secret-key.ts';
import { memoryThresholds, START_MS } from './support.ts';

const LIST = { method: 'GET', target: '/drive/v3/files' };
const DAY_MS = 86_400_000;

/** Processes over one table, each of which may be asked by any key. */
function world() {
  const totals = memoryCallTotals();
  const { thresholds, random } = memoryThresholds();
  const clock = { ms: quotaDay(START_MS).startMs + DAY_MS / 2, nowMs: () => clock.ms };
  const logger = { info() {}, warn() {}, error() {} };
  const process = () => {
    const judge = new LimitsJudge({ totals, clock, logger, thresholds, random, changes: CHANGES });
    const ask = async (from: Spenders) => {
      const refused = judge.ask(from, { methods: googleDrive.methods, requests: [LIST] }, clock.ms);
      await judge.pending();
      return refused;
    };
    return { judge, ask };
  };
  return { process, clock, totals };
}

/** Whose calls those of `tool` are. */
function spender(keyHash: string, changes: object = {}): ToolSpender {
  const quota = { toolRequestsPerDay: 400, toolKeys: 20, ...changes };
  return { provider: 'google-drive', cloudProject: '42', quota, keyHash };
}

/** A call of a tool by a key, in a project whose day has 400 requests for 20 keys. */
function tool(key: string, changes: object = {}): Spenders {
  return { key: secretKeyRecord({ right: 'proxy', keyHash: key }), tools: spender(key, changes) };
}

it('GA-25: a greedy key at three processes is refused once its share and the common half are used, and each other key has its share', async () => {
  const { process } = world();
  const processes = [process(), process(), process()];
  const askOf = async (key: string, at: number) => processes[at % 3]?.ask(tool(key));
  let greedy = 0;
  for (let i = 0; i < 600; i += 1) if ((await askOf('greedy', i)) === undefined) greedy += 1;
  // Its share is 10 and the common half 200; processes may exceed a budget by what they have not reported.
  expect(greedy).toBeGreaterThanOrEqual(210);
  expect(greedy).toBeLessThanOrEqual(216);
  let others = 0;
  for (let key = 1; key < 20; key += 1) {
    for (let i = 0; i < 9; i += 1) if ((await askOf(`key-${key}`, key)) === undefined) others += 1;
  }
  expect(others).toBe(19 * 9);
});

it('GA-25: the refusal has the day, what is left of it and when the next one begins in Pacific Time', async () => {
  const { process, clock } = world();
  const { ask } = process();
  const few = { toolRequestsPerDay: 4, toolKeys: 2 };
  for (let i = 0; i < 3; i += 1) expect(await ask(tool('a', few))).toBeUndefined();
  const { endMs } = quotaDay(clock.ms);
  const resetsAt = new Date(endMs).toISOString();
  expect(await ask(tool('a', few))).toMatchObject({
    code: 'budget_spent',
    isObserved: false,
    message: `The Cloud project has 4 requests a day to this MCP server. This key has used its share of 1, and the half that all keys have in common is used. Nothing was sent. The next day begins at ${resetsAt}.`,
    details: { limit: { name: 'project.day.tools', most: 4, left: 1, resets_at: resetsAt }, applied: 'no' },
  });
  expect(await ask(tool('b', few))).toBeUndefined();
  expect(await ask(tool('b', few))).toMatchObject({ message: expect.stringContaining('All are used.') });
  clock.ms = endMs - 1;
  expect(await ask(tool('b', few))).toBeDefined();
  clock.ms = endMs;
  expect(await ask(tool('b', few))).toBeUndefined();
});

it('GA-25: a 429 for the day ends it in all processes, until the next day', async () => {
  const { process, clock } = world();
  const [one, two] = [process(), process()];
  expect(await one.ask(tool('a'))).toBeUndefined();
  one.judge.toolEnded(spender('a'), { more: 0, refusedForDay: clock.ms });
  await one.judge.pending();
  expect(await one.ask(tool('b'))).toBeDefined();
  // A process that has not counted yet learns it with its first request.
  expect(await two.ask(tool('c'))).toBeUndefined();
  expect(await two.ask(tool('c'))).toBeDefined();
  clock.ms += DAY_MS;
  expect([await one.ask(tool('a')), await two.ask(tool('c'))]).toEqual([undefined, undefined]);
});

it('GA-25: a 429 for the day that has just ended does not end the next one', async () => {
  const { process, clock } = world();
  const { judge, ask } = process();
  const { endMs } = quotaDay(clock.ms);
  for (const [sentAtMs, answeredAtMs] of [
    [endMs - 1, endMs + 1],
    // Google may begin its day a little later than this clock.
    [endMs + 30_000, endMs + 31_000],
  ] as const) {
    clock.ms = answeredAtMs;
    judge.toolEnded(spender('a'), { more: 0, refusedForDay: sentAtMs });
    await judge.pending();
    expect(await ask(tool('a'))).toBeUndefined();
  }
  clock.ms = endMs + 3_600_000;
  judge.toolEnded(spender('a'), { more: 0, refusedForDay: clock.ms - 1 });
  expect(await ask(tool('a'))).toBeDefined();
});

it('GA-25: other projects and products have days of their own, and other calls count in none', async () => {
  const { process, totals } = world();
  const { ask } = process();
  const one = { toolRequestsPerDay: 1, toolKeys: 1 };
  const other = (changes: object): Spenders => {
    const { tools, ...from } = tool('a', one);
    return { ...from, ...(tools && { tools: { ...tools, ...changes } }) };
  };
  expect(await ask(other({}))).toBeUndefined();
  expect(await ask(other({}))).toBeDefined();
  expect(await ask(other({ cloudProject: '43' }))).toBeUndefined();
  expect(await ask(other({ provider: 'google-calendar' }))).toBeUndefined();
  const before = totals.reports.length;
  expect(await ask({ key: secretKeyRecord({ right: 'proxy', keyHash: 'plain' }) })).toBeUndefined();
  expect(totals.reports.length).toBe(before);
});

it('GA-25: few requests in the 25th hour of a day are reported once they are ten seconds old', async () => {
  const { process, clock, totals } = world();
  const { ask } = process();
  clock.ms = quotaDay(Date.parse('2026-11-01T20:00:00Z')).endMs - 1_800_000;
  const many = { toolRequestsPerDay: 100_000, toolKeys: 1 };
  expect(await ask(tool('a', many))).toBeUndefined();
  const first = totals.reports.length;
  expect(await ask(tool('a', many))).toBeUndefined();
  expect(totals.reports.length).toBe(first);
  clock.ms += 11_000;
  expect(await ask(tool('a', many))).toBeUndefined();
  expect(totals.reports.length).toBeGreaterThan(first);
});

it('GA-25, GA-26: what is read for the journal of a call counts in the day', async () => {
  const { process } = world();
  const { judge, ask } = process();
  const few = { toolRequestsPerDay: 4, toolKeys: 1 };
  expect(await ask(tool('a', few))).toBeUndefined();
  judge.toolEnded(spender('a', few), { more: 2, refusedForDay: undefined });
  expect(await ask(tool('a', few))).toBeUndefined();
  expect(await ask(tool('a', few))).toBeDefined();
});
