import { beforeEach, describe, expect, it } from 'vitest';
import type { ThresholdReporter } from '../../../lambdas/gateway/calls/ports.ts';
import { BudgetReporter, type DayOfBudget } from '../../../lambdas/gateway/calls/report-budgets.ts';
import { thresholdReporter } from '../../../lambdas/gateway/calls/report-threshold.ts';
import { TTL_GRACE_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { newEvent } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import { memoryThresholds } from './support.ts';

const NOON_MS = Date.parse('2026-03-29T12:00:00Z');
const DAY_MS = 24 * 60 * 60_000;
const MIDNIGHT = '2026-03-30T00:00:00.000Z';

const INTEGRATION = { accountId: 'acme', integrationId: 'drive' };
const OF_INTEGRATION: DayOfBudget = {
  accountId: 'acme',
  holder: 'integration',
  name: 'day.units',
  subject: { kind: 'day_units', integration: INTEGRATION },
  most: 200,
  whenSpent: 'stop',
  atMs: NOON_MS,
};
const OF_KEY: DayOfBudget = {
  ...OF_INTEGRATION,
  holder: 'key',
  subject: { kind: 'day_units', keyHash: 'abcdefghijklmnop' },
};

describe('the use of a day’s budget', () => {
  let reported: Parameters<ThresholdReporter['report']>[];
  let warned: unknown[][];
  let failure: unknown;
  let reporter: BudgetReporter;
  beforeEach(() => {
    reported = [];
    warned = [];
    failure = undefined;
    reporter = new BudgetReporter({
      thresholds: {
        async report(mark, event) {
          if (failure !== undefined) throw failure;
          reported.push([mark, event]);
          return true;
        },
      },
      clock: { nowMs: () => NOON_MS },
      random: memoryThresholds().random,
      logger: { info() {}, error() {}, warn: (...line) => void warned.push(line) },
    });
  });
  const percents = () => reported.map(([{ percent }]) => percent);

  it('the use of a day’s budget is reported with its owner, how much was used, and when it begins again', async () => {
    await reporter.used(OF_INTEGRATION, 101, 'req');
    await reporter.used(OF_KEY, 100, 'req');
    const of = { day: '2026-03-29', percent: 50, goneAfterEpochSec: Date.parse(MIDNIGHT) / 1000 + TTL_GRACE_SEC };
    const says = { percent: '50', most: '200', when_spent: 'stop', day: '2026-03-29', resets_at: MIDNIGHT };
    expect(reported).toEqual([
      [
        { accountId: 'acme', what: '["budget","integration","day.units","acme#drive"]', ...of },
        expect.objectContaining({
          eventType: 'BudgetReached',
          subject: INTEGRATION,
          says: { ...says, budget: 'integration.day.units', used: '101' },
        }),
      ],
      [
        { accountId: 'acme', what: '["budget","key","day.units","abcdefghijklmnop"]', ...of },
        expect.objectContaining({
          eventType: 'BudgetReached',
          subject: { accountId: 'acme' },
          says: { ...says, budget: 'key.day.units', used: '100', key_id: 'abcdefghijkl' },
        }),
      ],
    ]);
    expect(warned).toEqual([]);
  });

  it('the use of a day’s budget is reported at 50, 80 and 100 percent, each once a day by this process, with nothing to wait for in between', async () => {
    expect(reporter.used(OF_INTEGRATION, 99, 'req')).toBeUndefined();
    await reporter.used(OF_INTEGRATION, 100, 'req');
    expect(reporter.used(OF_INTEGRATION, 159, 'req')).toBeUndefined();
    await reporter.used(OF_INTEGRATION, 200, 'req');
    expect(percents()).toEqual([50, 80, 100]);
    expect(reporter.used(OF_INTEGRATION, 400, 'req')).toBeUndefined();
    await reporter.used({ ...OF_INTEGRATION, atMs: NOON_MS + DAY_MS / 2 }, 100, 'req');
    expect(reported.at(-1)?.[0]).toMatchObject({ day: '2026-03-30', percent: 50 });
  });

  it.each([
    ['another holder', OF_KEY],
    ['another amount', { ...OF_INTEGRATION, name: 'day.calls' }],
    [
      'another integration',
      {
        ...OF_INTEGRATION,
        subject: { kind: 'day_units', integration: { ...INTEGRATION, integrationId: 'calendar' } },
      },
    ],
  ] as const)('the use of a day’s budget is reported whatever was reported of the budget of %s', async (_, other) => {
    await reporter.used(OF_INTEGRATION, 100, 'req');
    await reporter.used(other, 100, 'req');
    expect(percents()).toEqual([50, 50]);
  });

  it.each([
    [Object.assign(new Error('Too much'), { name: 'ThrottlingException' }), 'ThrottlingException'],
    ['no error', 'unknown'],
  ])(
    'the use of a day’s budget is reported with the next report where it could not be (%s)',
    async (thrown, outcome) => {
      failure = thrown;
      await reporter.used(OF_INTEGRATION, 160, 'req');
      expect(warned).toEqual([['the use of a budget could not be reported', { outcome }]]);
      failure = undefined;
      await reporter.used(OF_INTEGRATION, 160, 'req');
      expect(percents()).toEqual([50, 80]);
    },
  );
});

it('the mark of what was reported stays with the rows of its account until nobody asks for its day', async () => {
  const put: unknown[][] = [];
  const items = { putNew: async (...item: unknown[]) => put.push(item) === 1 };
  const mark = {
    accountId: 'acme',
    what: '["budget","a#b"]',
    day: '2026-03-29',
    percent: 80,
    goneAfterEpochSec: 9,
  } as const;
  const event = newEvent({ nowMs: () => NOON_MS }, memoryThresholds().random, 'BudgetReached', {
    subject: { accountId: 'acme' },
    sequence: 0,
    requestId: 'req',
  });
  expect([
    await thresholdReporter(items).report(mark, event),
    await thresholdReporter(items).report(mark, event),
  ]).toEqual([true, false]);
  expect(put[0]).toEqual([
    'acme',
    'THRESHOLD#%5B%22budget%22%2C%22a%23b%22%5D#2026-03-29#80',
    {
      type: 'threshold',
      expiresAtEpochSec: 9,
      about: { accountId: 'acme' },
      says: {},
      toldAt: new Date(NOON_MS).toISOString(),
    },
    event,
  ]);
});
