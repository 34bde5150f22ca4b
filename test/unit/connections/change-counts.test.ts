import { describe, expect, it, test } from 'vitest';
import { byPart, isChangeName, movedBy } from '../../../lambdas/gateway/connections/change-counts.rules.ts';
import { RefreshCounter } from '../../../lambdas/gateway/connections/count-refreshes.ts';
import { REFRESHES_REPORT_AFTER_MS } from '../../../lambdas/gateway/core/limits.ts';

const REF = { accountId: 'default', integrationId: 'drive' };

/** One process, and what it wrote to the table. */
function process(failing = false) {
  const told: unknown[] = [];
  const metrics: string[] = [];
  const clock = { ms: Date.parse('2026-03-01T23:59:55.000Z'), nowMs: () => clock.ms };
  const counter = new RefreshCounter({
    writer: {
      async add(ref, day, counts) {
        if (failing) throw new Error('throttled');
        told.push([ref.integrationId, day, counts]);
      },
    },
    clock,
    metrics: { count: (name) => void metrics.push(name) },
    logger: { info() {}, warn() {}, error() {} },
  });
  return { told, metrics, clock, counter };
}

describe('how refreshes end', () => {
  it('how refreshes end is reported at once, then every ten seconds and at the end of a run', async () => {
    const { told, clock, counter } = process();
    await counter.refreshed(REF, 'renewed');
    expect(told).toEqual([['drive', '2026-03-01', { 'refresh.renewed': 1 }]]);
    told.length = 0;
    await counter.refreshed(REF, 'renewed');
    await counter.refreshed(REF, 'failed');
    expect(told).toEqual([]);
    clock.ms += REFRESHES_REPORT_AFTER_MS;
    await counter.refreshed(REF, 'renewed');
    expect(told).toEqual([
      ['drive', '2026-03-01', { 'refresh.renewed': 1, 'refresh.failed': 1 }],
      ['drive', '2026-03-02', { 'refresh.renewed': 1 }],
    ]);
    await counter.refreshed(REF, 'refused');
    await counter.flush();
    expect(told.at(-1)).toEqual(['drive', '2026-03-02', { 'refresh.refused': 1 }]);
    await counter.flush();
    expect(told).toHaveLength(3);
  });

  it('stays as it is where it cannot be counted, and that is one metric', async () => {
    const { metrics, counter } = process(true);
    await counter.refreshed(REF, 'renewed');
    expect(metrics).toEqual(['UsageNotCounted']);
  });
});

describe('what becomes of connections', () => {
  it('moves the number of connections by status', () => {
    const counts = { 'died.a': 3, 'mended.a': 1, 'deleted.a': 1, 'deleted.active': 1, 'refresh.renewed': 9 };
    expect(movedBy({ created: 5, ...counts })).toEqual({ active: 2, causes: { a: 1 } });
  });

  it('what becomes of connections is reported by part, and what did not happen is not named', () => {
    expect(byPart({ 'died.a': 3, 'died.b': 0, 'mended.a': 1 }, 'died')).toEqual({ a: 3 });
  });

  test.each([
    ['created', true],
    ['died.user_revoked', true],
    ['mended.unknown', true],
    ['deleted.active', true],
    ['refresh.clientRefused', true],
    ['ttl', false],
    ['created.today', false],
    ['died', false],
    ['died.', false],
    ['undied.a', false],
    ['died.a.b', false],
    ['died.a b', false],
  ])('what becomes of connections has names of its own among the attributes of an item: %s is one: %s', (name, is) => {
    expect(isChangeName(name)).toBe(is);
  });
});
