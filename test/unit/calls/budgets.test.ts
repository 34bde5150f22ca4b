import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LimitsJudge, type Spenders } from '../../../lambdas/gateway/calls/judge-limits.ts';
import { type Budget, readBudget } from '../../../lambdas/gateway/core/budget.ts';
import { storedLimits } from '../../../lambdas/gateway/keys/key-limits.rules.ts';
import { CHANGES } from '../../../lambdas/gateway/providers/changes.ts';
import { googleDrive } from '../support/google.ts';
import { memoryCallTotals } from '../support/memory-call-totals.ts';
import { secretKeyRecord } from '../support/secret-key.ts';
import { MINUTE_MS, memoryThresholds, START_MS } from './support.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;
const NOON_MS = Math.floor(START_MS / DAY_MS) * DAY_MS + DAY_MS / 2;
const LIST = { method: 'GET', target: '/drive/v3/files' };
const ACCOUNT = { accountId: 'acme', integrationId: 'drive' };

/** Processes over one table and one clock. */
function world() {
  const totals = memoryCallTotals();
  const { thresholds, random, told } = memoryThresholds();
  const clock = { ms: NOON_MS, nowMs: () => clock.ms };
  const logger = { info() {}, warn() {}, error() {} };
  const process = () => {
    const judge = new LimitsJudge({ totals, clock, logger, thresholds, random, changes: CHANGES });
    return {
      judge,
      /** Lists files, and gives what refuses it. */
      async list(from: Spenders, parts = 1) {
        const requests = Array.from({ length: parts }, () => LIST);
        const refused = judge.ask(from, { methods: googleDrive.methods, requests }, clock.ms);
        await judge.pending();
        return refused;
      },
    };
  };
  /** The reports, in short. */
  const reportsMade = () => told.map(({ says, subject }) => [says?.budget, says?.percent, Object.keys(subject).length]);
  return { process, clock, totals, told, reportsMade };
}

/** A key of its own that calls through an integration and a connection with these budgets. */
function from(
  budgets: { readonly integration?: Budget; readonly connection?: Budget },
  who: { readonly key?: string; readonly connectionId?: string } = {},
): Spenders {
  const { key = 'hash', connectionId = 'alice' } = who;
  return {
    key: secretKeyRecord({ right: 'proxy', keyHash: key }),
    // Each record has a budget of its own, as it comes from the table.
    integration: { ...ACCOUNT, budget: structuredClone(budgets.integration) },
    connection: { ...ACCOUNT, connectionId, budget: structuredClone(budgets.connection) },
  };
}

describe('budgets of integrations and connections', () => {
  it('PC-25: a budget of a day that stops refuses what does not fit, with what is left and when it begins again', async () => {
    const by = world().process();
    const calling = from({ integration: { day: { units: 250 }, whenSpent: 'stop' } });
    expect([await by.list(calling), await by.list(calling)]).toEqual([undefined, undefined]);
    const resetsAt = new Date(NOON_MS + DAY_MS / 2).toISOString();
    expect(await by.list(calling)).toMatchObject({
      code: 'budget_spent',
      isObserved: false,
      message: `This integration has 250 units a day, of which 50 are left, and this call takes 100. All are free again at ${resetsAt}.`,
      details: {
        limit: { name: 'integration.day.units', most: 250, left: 50, resets_at: resetsAt },
        rate: { policy: 'integration-day-units' },
      },
    });
  });

  it('PC-25: one that warns lets calls pass, and each is counted', async () => {
    const { process, totals, clock } = world();
    const by = process();
    const calling = from({ connection: { day: { calls: 3 }, whenSpent: 'warn' } });
    for (let i = 0; i < 40; i++) {
      expect(await by.list(calling)).toBeUndefined();
      clock.ms += 1000;
    }
    const told = totals.reports.reduce((sum, { calls }) => sum + calls, 0);
    expect(told).toBeGreaterThanOrEqual(30);
    // Beyond the budget nothing is left to take a share of, so reports come with time alone.
    expect(totals.reports.length).toBeLessThan(10);
  });

  it('PC-25: a budget of a minute refuses with 429 until the minute is over, whatever becomes of a day', async () => {
    const { process, clock } = world();
    const by = process();
    const calling = from({ connection: { minute: { calls: 1 }, whenSpent: 'warn' } });
    expect(await by.list(calling)).toBeUndefined();
    expect(await by.list(calling)).toMatchObject({
      code: 'rate_limited',
      details: { limit: { name: 'connection.minute.calls', left: 0 }, retryAfterSec: 60 },
    });
    clock.ms += MINUTE_MS;
    expect(await by.list(calling)).toBeUndefined();
  });

  it('PC-21: the budget of an integration is shared by its keys and connections, and that of a connection is its own', async () => {
    const by = world().process();
    const integration: Budget = { day: { calls: 2 }, whenSpent: 'stop' };
    expect(await by.list(from({ integration }, { key: 'a', connectionId: 'alice' }))).toBeUndefined();
    expect(await by.list(from({ integration }, { key: 'b', connectionId: 'bob' }))).toBeUndefined();
    const third = await by.list(from({ integration }, { key: 'c', connectionId: 'carol' }));
    expect(third?.details.limit.name).toBe('integration.day.calls');
    const connection: Budget = { day: { calls: 1 }, whenSpent: 'stop' };
    expect(await by.list(from({ connection }, { connectionId: 'dora' }))).toBeUndefined();
    expect(await by.list(from({ connection }, { connectionId: 'emil' }))).toBeUndefined();
    expect(await by.list(from({ connection }, { connectionId: 'dora' }))).toBeDefined();
  });

  it('PC-21: bytes are used up by answers, and processes learn of each other’s', async () => {
    const { process, clock } = world();
    const calling = from({ integration: { day: { bytes: 1000 }, whenSpent: 'stop' } });
    const first = process();
    expect(await first.list(calling)).toBeUndefined();
    first.judge.answered(calling, 1500, clock.ms);
    await first.judge.pending();
    const second = process();
    expect(await second.list(calling)).toBeUndefined();
    second.judge.answered(calling, 1, clock.ms);
    await second.judge.pending();
    expect((await second.list(calling))?.details.limit.name).toBe('integration.day.bytes');
  });

  it('PC-25: 50, 80 and 100 % of a day are reported once each, whichever of the processes learn of it', async () => {
    const { process, clock, reportsMade } = world();
    const calling = () => from({ integration: { day: { calls: 100 }, whenSpent: 'warn' } });
    const processes = [process(), process(), process()];
    for (let i = 0; i < 150; i++) {
      await processes[i % 3]?.list(calling());
      clock.ms += 11_000;
    }
    const told = [50, 80, 100].map((percent) => ['integration.day.calls', String(percent), 2]);
    expect(reportsMade()).toEqual(told);
    clock.ms += DAY_MS;
    for (let i = 0; i < 60; i++) await processes[0]?.list(calling());
    expect(reportsMade().slice(3)).toEqual([told[0]]);
  });

  it('PC-25: a report names whose budget it is, of what, how much of it is used and until when', async () => {
    const { process, told } = world();
    const by = process();
    const key = secretKeyRecord({
      right: 'proxy',
      keyHash: 'f3a1c5d2e4b6aaaa',
      limits: storedLimits({ mode: 'enforce', day: { units: 200 } }),
    });
    await by.list({ ...from({ connection: { day: { calls: 1 }, whenSpent: 'stop' } }), key });
    const [first] = told.filter(({ says }) => says?.budget === 'key.day.units');
    expect(first).toMatchObject({
      eventType: 'BudgetReached',
      subject: { accountId: key.accountId },
      says: { key_id: 'f3a1c5d2e4b6', percent: '50', used: '100', most: '200', when_spent: 'stop' },
    });
    expect(first?.says).toMatchObject({ day: new Date(NOON_MS).toISOString().slice(0, 10) });
    const ofConnection = told.filter(({ says }) => says?.budget === 'connection.day.calls');
    expect(ofConnection.map(({ says }) => says?.percent)).toEqual(['50', '80', '100']);
    expect(ofConnection[0]?.subject).toEqual({ ...ACCOUNT, connectionId: 'alice' });
  });

  it('PC-25: a day that has no room for a call is reported as used up, though something is left of it', async () => {
    const { process, reportsMade } = world();
    const by = process();
    const calling = from({ integration: { day: { units: 250 }, whenSpent: 'stop' } });
    for (let i = 0; i < 4; i++) await by.list(calling);
    expect(reportsMade().map(([, percent]) => percent)).toEqual(['50', '80', '100']);
  });

  it('PC-25: what a minute refuses, and a call that is larger than its day, is not reported', async () => {
    const { process, told } = world();
    const by = process();
    const minute = from({ integration: { minute: { calls: 1 }, whenSpent: 'stop' } });
    expect([(await by.list(minute))?.code, (await by.list(minute))?.code]).toEqual([undefined, 'rate_limited']);
    const small = await by.list(from({ connection: { day: { units: 50 }, whenSpent: 'stop' } }));
    expect(small?.message).toBe(
      'This call takes 100 units, and this connection has 50 a day: it can never pass. Split it.',
    );
    expect(told).toEqual([]);
  });

  it('PC-25: a day that is used up is reported with what happens to calls, and the request that found it so', async () => {
    const { process, told } = world();
    const by = process();
    const key = (mode: 'enforce' | 'observe') =>
      secretKeyRecord({ right: 'proxy', keyHash: mode, limits: storedLimits({ mode, day: { calls: 3 } }) });
    const budget = (whenSpent: 'warn' | 'stop') => ({ day: { calls: 3 }, whenSpent });
    const first = { ...from({ integration: budget('warn'), connection: budget('stop') }), requestId: 'req-1' };
    await by.list({ ...first, key: key('observe') });
    // As large as the whole day: reported as used up, because no request of this size fits any more.
    await by.list({ ...first, key: key('observe') }, 3);
    await by.list({ ...from({}), key: key('enforce'), requestId: 'req-2' }, 3);
    const spent = told.filter(({ says }) => says?.percent === '100');
    expect(spent.map(({ says, requestId }) => [says?.budget, says?.when_spent, requestId])).toEqual([
      ['key.day.calls', 'observe', 'req-1'],
      ['connection.day.calls', 'stop', 'req-1'],
      ['key.day.calls', 'stop', 'req-2'],
    ]);
    await by.list(from({ integration: budget('warn') }), 2);
    expect(told.at(-1)?.says).toMatchObject({ budget: 'integration.day.calls', percent: '100', when_spent: 'warn' });
  });

  it('PC-26: where a report fails, calls still pass, and the next report contains it', async () => {
    const totals = memoryCallTotals();
    const { thresholds, random, told } = memoryThresholds();
    const clock = { ms: NOON_MS, nowMs: () => clock.ms };
    let isDown = true;
    const report: typeof thresholds.report = async (...args) => {
      if (isDown) throw new Error('throttled');
      return thresholds.report(...args);
    };
    const judge = new LimitsJudge({
      totals,
      clock,
      logger: { info() {}, warn() {}, error() {} },
      thresholds: { report },
      random,
      changes: CHANGES,
    });
    const calling = from({ integration: { day: { calls: 2 }, whenSpent: 'warn' } });
    const list = async () => {
      const refused = judge.ask(calling, { methods: googleDrive.methods, requests: [LIST] }, clock.ms);
      await judge.pending();
      clock.ms += 11_000;
      return refused;
    };
    expect([await list(), told.length]).toEqual([undefined, 0]);
    isDown = false;
    expect([await list(), told.length]).toEqual([undefined, 3]);
  });

  it('LK-16: what any budget refuses spends nothing of the others', async () => {
    const by = world().process();
    const stop = (most: number): Budget => ({ day: { calls: most }, whenSpent: 'stop' });
    const small = from({ integration: stop(3), connection: stop(1) });
    expect(await by.list(small)).toBeUndefined();
    expect((await by.list(small))?.details.limit.name).toBe('connection.day.calls');
    const other = from({ integration: stop(3) }, { connectionId: 'bob' });
    expect([await by.list(other), await by.list(other)]).toEqual([undefined, undefined]);
    expect(await by.list(other)).toBeDefined();
  });

  it('LK-15: a key that only observes does not get past the budget of its integration', async () => {
    const by = world().process();
    const observed = secretKeyRecord({ right: 'proxy', limits: storedLimits({ mode: 'observe', methods: [] }) });
    const calling = { ...from({ integration: { day: { calls: 1 }, whenSpent: 'stop' } }), key: observed };
    expect(await by.list(calling)).toMatchObject({ code: 'limited_by_key', isObserved: true });
    expect(await by.list(calling)).toMatchObject({ code: 'budget_spent', isObserved: false });
  });

  it('PC-21: within one process never more pass than each budget has, whatever calls come', async () => {
    const most = fc.integer({ min: 1, max: 30 });
    const calls = fc.array(
      fc.record({ connectionId: fc.constantFrom('a', 'b', 'c'), parts: fc.integer({ min: 1, max: 5 }) }),
      {
        maxLength: 40,
      },
    );
    await fc.assert(
      fc.asyncProperty(most, most, calls, async (shared, own, wanted) => {
        const by = world().process();
        const passed: Record<string, number> = {};
        for (const { connectionId, parts } of wanted) {
          const calling = from(
            {
              integration: { day: { calls: shared }, whenSpent: 'stop' },
              connection: { day: { calls: own }, whenSpent: 'stop' },
            },
            { connectionId },
          );
          const sum = Object.values(passed).reduce((all, one) => all + one, 0);
          const fits = sum + parts <= shared && (passed[connectionId] ?? 0) + parts <= own;
          expect((await by.list(calling, parts)) === undefined).toBe(fits);
          if (fits) passed[connectionId] = (passed[connectionId] ?? 0) + parts;
        }
      }),
      { numRuns: 100 },
    );
  });

  it.each<unknown>([
    undefined,
    null,
    'no',
    [],
    {},
    { whenSpent: 'later' },
    { whenSpent: 'stop', day: { moons: 1 } },
    { whenSpent: 'stop', week: {} },
  ])('a stored budget of another form is none: %j', (stored) => expect(readBudget(stored)).toBeUndefined());
});
