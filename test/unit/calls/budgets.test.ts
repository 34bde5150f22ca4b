import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LimitsJudge, type Spenders } from '../../../lambdas/gateway/calls/judge-limits.ts';
import { type Budget, readBudget } from '../../../lambdas/gateway/core/budget.ts';
import { storedLimits } from '../../../lambdas/gateway/keys/key-limits.rules.ts';
import { googleDrive } from '../support/google.ts';
import { memoryCallTotals } from '../support/memory-call-totals.ts';
import { secretKeyRecord } from '../support/secret-key.ts';
import { MINUTE_MS, START_MS } from './support.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;
const NOON_MS = Math.floor(START_MS / DAY_MS) * DAY_MS + DAY_MS / 2;
const LIST = { method: 'GET', target: '/drive/v3/files' };
const ACCOUNT = { accountId: 'acme', integrationId: 'drive' };

/** Processes over one table and one clock. */
function world() {
  const totals = memoryCallTotals();
  const clock = { ms: NOON_MS, nowMs: () => clock.ms };
  const logger = { info() {}, warn() {}, error() {} };
  const process = () => {
    const judge = new LimitsJudge({ totals, clock, logger });
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
  return { process, clock, totals };
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
    const told = totals.tellings.reduce((sum, { calls }) => sum + calls, 0);
    expect(told).toBeGreaterThanOrEqual(30);
    // Beyond the budget nothing is left to take a share of, so reports come with time alone.
    expect(totals.tellings.length).toBeLessThan(10);
  });

  it('PC-25: of a minute refuses with 429 until the minute is over, whatever becomes of a day', async () => {
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

  it('PC-21: that of an integration is shared by its keys and connections, that of a connection is its own', async () => {
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

  it('PC-21: bytes are spent by answers, and processes learn of each other’s', async () => {
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
