import { describe, expect, it } from 'vitest';
import { type Census, NOTHING_COUNTED, type Tally } from '../../../lambdas/gateway/connections/census.rules.ts';
import type { CensusStore } from '../../../lambdas/gateway/connections/ports.ts';
import { CENSUS_PAGES_PER_TICK, CENSUS_REST_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { countConnections } from '../../../lambdas/refresh/count-connections.ts';

const ACCOUNT = 'default';

/** A list of pages, the item of the running count, and ticks over both. */
function world(pages: readonly Tally[]) {
  const clock = { sec: 1_800_000_000, nowMs: () => clock.sec * 1000 };
  const gauge: [status: string, value: number][] = [];
  const logged: string[] = [];
  const state: { item: Census | undefined; reads: number } = { item: undefined, reads: 0 };
  const store: CensusStore = {
    read: async () => state.item,
    async save(census) {
      if (census.version !== (state.item?.version ?? 0)) return false;
      state.item = { ...census, version: census.version + 1 };
      return true;
    },
    async countPage(_accountId, position) {
      state.reads++;
      const at = Number(position ?? 0);
      return { tally: pages[at] ?? NOTHING_COUNTED, next: at + 1 < pages.length ? String(at + 1) : undefined };
    },
  };
  const tick = (census = store) =>
    countConnections(
      {
        census,
        clock,
        logger: { info() {}, warn() {}, error: (message) => void logged.push(message) },
        metrics: {
          count: (_name, dimensions = {}, value = 1) => void gauge.push([dimensions.status ?? '', value]),
        },
      },
      ACCOUNT,
      'request-1',
    );
  return { clock, gauge, logged, state, store, tick };
}

const page = (active: number, causes: Tally['causes'] = {}): Tally => ({ active, causes });

describe('the count of connections', () => {
  it('of a small account is made in one tick and published by status', async () => {
    const { tick, gauge, state, clock } = world([page(3, { user_revoked: 2, admin_restricted: 1 })]);
    await tick();
    expect(gauge).toEqual([
      ['active', 3],
      ['reauthorization_required', 3],
    ]);
    expect(state.item?.counted).toEqual({
      active: 3,
      causes: { user_revoked: 2, admin_restricted: 1 },
      countedAtEpochSec: clock.sec,
    });
  });

  it('of a large account goes on from tick to tick, and adds up', async () => {
    const pages = Array.from({ length: 2 * CENSUS_PAGES_PER_TICK + 1 }, () => page(10, { user_revoked: 1 }));
    const { tick, gauge, state } = world(pages);
    await tick();
    await tick();
    expect(gauge).toEqual([]);
    expect(state.reads).toBe(2 * CENSUS_PAGES_PER_TICK);
    await tick();
    expect(gauge).toEqual([
      ['active', 10 * pages.length],
      ['reauthorization_required', pages.length],
    ]);
  });

  it('rests after it is finished, and is published meanwhile', async () => {
    const { tick, gauge, state, clock } = world([page(1)]);
    await tick();
    clock.sec += CENSUS_REST_SEC - 1;
    await tick();
    expect([state.reads, gauge.length]).toEqual([1, 4]);
    clock.sec += 1;
    await tick();
    expect(state.reads).toBe(2);
  });

  it('does not rest until a time that a wrong clock wrote', async () => {
    const { tick, state, clock } = world([page(1)]);
    clock.sec += 10 * 365 * 86_400;
    await tick();
    clock.sec -= 10 * 365 * 86_400;
    await tick();
    expect(state.reads).toBe(2);
  });

  it('keeps the last total while the next one is under way', async () => {
    const pages = Array.from({ length: CENSUS_PAGES_PER_TICK + 1 }, () => page(1));
    const { tick, gauge, clock } = world(pages);
    await tick();
    await tick();
    clock.sec += CENSUS_REST_SEC;
    gauge.length = 0;
    await tick();
    expect(gauge[0]).toEqual(['active', pages.length]);
  });

  it('counts no page twice when two ticks run side by side', async () => {
    const pages = Array.from({ length: CENSUS_PAGES_PER_TICK + 1 }, () => page(1));
    const { tick, state } = world(pages);
    await Promise.all([tick(), tick()]);
    expect(state.item?.sofar.active).toBe(CENSUS_PAGES_PER_TICK);
    await tick();
    expect(state.item?.counted?.active).toBe(pages.length);
  });

  it('publishes and writes nothing before the first connection, and does not rest', async () => {
    const pages: Tally[] = [];
    const { tick, gauge, state } = world(pages);
    await tick();
    expect([gauge, state.item]).toEqual([[], undefined]);
    pages.push(page(1));
    await tick();
    expect(gauge[0]).toEqual(['active', 1]);
  });

  it('of an account whose last connection is gone ends with nothing, which is written and not published', async () => {
    const pages = [page(1)];
    const { tick, gauge, state, clock } = world(pages);
    await tick();
    gauge.length = 0;
    pages[0] = page(0);
    clock.sec += CENSUS_REST_SEC;
    await tick();
    expect([gauge, state.item?.counted]).toEqual([[], { active: 0, causes: {}, countedAtEpochSec: clock.sec }]);
  });

  it('of dead connections alone is published', async () => {
    const { tick, gauge } = world([page(0, { user_revoked: 1 })]);
    await tick();
    expect(gauge).toEqual([
      ['active', 0],
      ['reauthorization_required', 1],
    ]);
  });

  it('that cannot be made is logged and fails nothing', async () => {
    const { tick, store, gauge, logged } = world([page(1)]);
    await tick({ ...store, countPage: () => Promise.reject(new Error('throttled')) });
    expect([gauge, logged]).toEqual([[], ['connections could not be counted']]);
  });
});
