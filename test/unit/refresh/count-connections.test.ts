import { describe, expect, it } from 'vitest';
import { fake } from '../../../dev/support/fake.ts';
import { type Census, type CountedRow, dayOf, presentOf } from '../../../lambdas/gateway/connections/census.rules.ts';
import type { ChangeRow } from '../../../lambdas/gateway/connections/change-counts.rules.ts';
import type { CensusStore } from '../../../lambdas/gateway/connections/ports.ts';
import { CENSUS_PAGES_PER_TICK, CENSUS_REST_SEC, CENSUS_SMALL } from '../../../lambdas/gateway/core/limits.ts';
import type { Metrics } from '../../../lambdas/gateway/core/ports.ts';
import { countConnections } from '../../../lambdas/refresh/housekeeping.ts';
import { integration } from './support/connection.ts';

const ACCOUNT = 'default';

/** A list of pages, the item of the running count, and ticks over both. */
function world(pages: readonly (readonly CountedRow[])[]) {
  const clock = { sec: 1_800_000_000, nowMs: () => clock.sec * 1000 };
  const gauge: [status: string, value: number][] = [];
  const logged: unknown[][] = [];
  const state: { item: Census | undefined; reads: number } = { item: undefined, reads: 0 };
  const changes: ChangeRow[] = [];
  const apps = [integration()];
  const store: CensusStore = {
    read: async () => state.item,
    async save(census) {
      if (census.version !== (state.item?.version ?? 0)) return false;
      state.item = { ...census, version: census.version + 1 };
      return true;
    },
    async page(_accountId, position) {
      state.reads++;
      const at = Number(position ?? 0);
      return { rows: pages[at] ?? [], next: at + 1 < pages.length ? String(at + 1) : undefined };
    },
  };
  const deps = {
    changeCounts: { ofDay: async (_: string, day: string) => changes.filter((row) => row.day === day) },
    integrations: { list: async () => apps },
    clock,
    logger: { info() {}, warn() {}, error: (...line: unknown[]) => void logged.push(line) },
    metrics: fake<Metrics>({
      count: (name: string, { status = '' } = {}, value = 1) => {
        if (name !== 'Connections') throw new Error(name);
        gauge.push([status, value]);
      },
    }),
  };
  const tick = (census = store) => countConnections({ ...deps, census }, ACCOUNT, 'request-1');
  return { clock, gauge, logged, state, changes, apps, store, tick };
}

let made = 0;
const row = (fields: Partial<CountedRow> = {}): CountedRow => ({
  integrationId: 'drive',
  connectionId: `c${made++}`,
  status: 'active',
  cause: undefined,
  facts: { isUsed: true, end: undefined, endIfTestingEpochSec: undefined, limitWarned: false, death: undefined },
  ...fields,
});
const dead = (cause: string) => row({ status: 'reauthorization_required', cause });
const page = (active: number, causes: Readonly<Record<string, number>> = {}): CountedRow[] => [
  ...Array.from({ length: active }, () => row()),
  ...Object.entries(causes).flatMap(([cause, count]) => Array.from({ length: count }, () => dead(cause))),
];

describe('the count of connections', () => {
  it('the count of connections of a small account is made in one tick and published by status, also of dead connections alone', async () => {
    const dead = world([page(0, { user_revoked: 1 })]);
    await dead.tick();
    expect(dead.gauge).toEqual(Object.entries({ active: 0, reauthorization_required: 1 }));
    const { tick, gauge, state, clock } = world([page(3, { user_revoked: 2, admin_restricted: 1 })]);
    await tick();
    expect(gauge).toEqual(Object.entries({ active: 3, reauthorization_required: 3 }));
    const counted = { active: 3, causes: { user_revoked: 2, admin_restricted: 1 }, countedAtEpochSec: clock.sec };
    expect(state.item?.counted).toMatchObject(counted);
  });

  it('the count of connections of a large account continues from tick to tick, and adds up', async () => {
    const pages = Array.from({ length: 2 * CENSUS_PAGES_PER_TICK + 1 }, () => page(10, { user_revoked: 1 }));
    const { tick, gauge, state } = world(pages);
    await tick();
    await tick();
    expect(gauge).toEqual([]);
    expect(state.reads).toBe(2 * CENSUS_PAGES_PER_TICK);
    await tick();
    expect(gauge).toEqual(Object.entries({ active: 10 * pages.length, reauthorization_required: pages.length }));
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

  it('the count of connections does not rest until a time that a wrong clock wrote', async () => {
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
    const pages: CountedRow[][] = [];
    const { tick, gauge, state, changes, clock, logged } = world(pages);
    changes.push({ day: dayOf(clock.sec), integrationId: 'drive', counts: { created: 1 } });
    await tick();
    expect([gauge, state.item, logged]).toEqual([[], undefined, []]);
    pages.push(page(1));
    await tick();
    expect(gauge[0]).toEqual(['active', 1]);
  });

  it('the count of connections of an account whose last connection is gone ends with nothing, which is written and not published', async () => {
    const pages = [page(1)];
    const { tick, gauge, state, clock } = world(pages);
    await tick();
    gauge.length = 0;
    pages[0] = page(0);
    clock.sec += CENSUS_REST_SEC;
    await tick();
    expect(gauge).toEqual([]);
    expect(state.item?.counted).toMatchObject({ active: 0, causes: {}, countedAtEpochSec: clock.sec });
  });

  it('counts for each integration what is active, failing, dead and about to end, and names the next ends', async () => {
    const { tick, state, store, clock } = world([]);
    const end = { kind: 'time_limited_access', atEpochSec: clock.sec + 86_400 } as const;
    const facts = { isUsed: true, end, endIfTestingEpochSec: undefined, limitWarned: true, death: undefined };
    const callFault = { status: 401, reason: undefined, sinceEpochSec: clock.sec };
    const later = { ...facts, end: { ...end, atEpochSec: clock.sec + 40 * 86_400 }, limitWarned: false };
    const rows = [
      row({ connectionId: 'ends', facts }),
      row({ connectionId: 'fails', callFault, facts: later }),
      { ...dead('user_revoked'), integrationId: 'calendar' },
    ];
    const { page: listed } = world([rows]).store;
    await tick({ ...store, page: listed });
    const day = new Date(end.atEpochSec * 1000).toISOString().slice(0, 10);
    expect(state.item?.counted).toMatchObject({
      integrations: {
        drive: { active: 2, failing: 1, causes: {}, endsByDay: { [day]: 1 } },
        calendar: { active: 0, failing: 0, causes: { user_revoked: 1 }, endsByDay: {} },
      },
      ends: [{ connectionId: 'ends', atEpochSec: end.atEpochSec }],
      crowded: [{ connectionId: 'ends' }],
    });
  });

  it('the count of connections of a small account is made again as soon as its connections change, and moved on until then', async () => {
    const pages = [page(2)];
    const { tick, state, clock, changes } = world(pages);
    const day = new Date(clock.sec * 1000).toISOString().slice(0, 10);
    changes.push({ day, integrationId: 'drive', counts: { created: 2 } });
    await tick();
    expect(presentOf(state.item?.counted, changes, 'drive')).toEqual({ active: 2, causes: {} });
    changes[0] = { day, integrationId: 'drive', counts: { created: 3, 'died.user_revoked': 1 } };
    expect(presentOf(state.item?.counted, changes, 'drive')).toEqual({ active: 2, causes: { user_revoked: 1 } });
    pages[0] = page(2, { user_revoked: 1 });
    clock.sec += 60;
    await tick();
    expect(state.reads).toBe(2);
    expect(presentOf(state.item?.counted, changes, 'drive')).toEqual({ active: 2, causes: { user_revoked: 1 } });
    clock.sec += 60;
    await tick();
    expect(state.reads).toBe(2);
  });

  it('the count of connections of a small account is not made again for a death that was fixed, alongside a connection that came and went', async () => {
    const { tick, state, clock, changes } = world([page(2)]);
    await tick();
    const day = dayOf(clock.sec);
    const counts = { created: 1, 'deleted.active': 1, 'died.user_revoked': 1, 'mended.user_revoked': 1 };
    changes.push({ day, integrationId: 'drive', counts });
    clock.sec += 60;
    await tick();
    expect(state.reads).toBe(1);
    changes.push({ day, integrationId: 'drive', counts: { 'mended.user_revoked': 1, 'died.unknown': 1 } });
    await tick();
    expect(state.reads, 'as many active, and other causes').toBe(2);
  });

  it('counts the ends that come of an app in Testing by what its integration says', async () => {
    const { tick, state, clock, apps } = world([
      [
        row({
          facts: {
            isUsed: true,
            end: undefined,
            endIfTestingEpochSec: 1_800_086_400,
            limitWarned: false,
            death: undefined,
          },
        }),
      ],
    ]);
    await tick();
    expect(state.item?.counted?.ends).toEqual([]);
    apps[0] = integration({ publishingStatus: 'testing', audience: 'external' });
    clock.sec += CENSUS_REST_SEC;
    await tick();
    expect(state.item?.counted?.ends).toMatchObject([{ integrationId: 'drive', atEpochSec: 1_800_086_400 }]);
  });

  it.each([
    ['small', page(CENSUS_SMALL), 2],
    ['large', page(CENSUS_SMALL, { user_revoked: 1 }), 1],
  ])(
    'the count of connections of a %s account that changed is made again at once only if it is small',
    async (_, rows, reads) => {
      const { tick, state, clock, changes } = world([rows]);
      await tick();
      changes.push({ day: dayOf(clock.sec), integrationId: 'drive', counts: { created: 1 } });
      clock.sec += 60;
      await tick();
      expect(state.reads).toBe(reads);
    },
  );

  it('the count of connections is not moved by the clocks of others: what they count on the day before or after is known when it begins', async () => {
    const { tick, state, clock, changes } = world([page(3)]);
    const day = (days: number) => dayOf(clock.sec + days * 86_400);
    const made = (days: number, created: number): ChangeRow => ({
      day: day(days),
      integrationId: 'drive',
      counts: { created },
    });
    changes.push(made(-1, 1), made(0, 1), made(1, 1));
    await tick();
    const now = () => presentOf(state.item?.counted, changes, 'drive').active;
    expect(now()).toBe(3);
    changes[0] = made(-1, 2);
    expect(now()).toBe(4);
    changes[2] = made(1, 2);
    expect(now()).toBe(5);
  });

  it('the count of connections that a wrong clock began is begun again', async () => {
    const pages = Array.from({ length: CENSUS_PAGES_PER_TICK + 1 }, () => page(1));
    const { tick, state, clock } = world(pages);
    clock.sec += 10 * 86_400;
    await tick();
    clock.sec -= 10 * 86_400;
    await tick();
    expect(state.item?.counted).toBeUndefined();
    await tick();
    const from = { day: dayOf(clock.sec - 86_400) };
    expect(state.item?.counted).toMatchObject({ active: pages.length, from });
  });

  it('the count of connections that a clock a day ahead began continues', async () => {
    const { tick, state, clock } = world(Array.from({ length: CENSUS_PAGES_PER_TICK + 1 }, () => page(1)));
    clock.sec += 86_400;
    await tick();
    clock.sec -= 86_400;
    await tick();
    expect([state.reads, state.item?.counted?.active]).toEqual([CENSUS_PAGES_PER_TICK + 1, CENSUS_PAGES_PER_TICK + 1]);
  });

  it('the count of connections of several ticks is as of its first: what changes meanwhile comes on top', async () => {
    const { tick, state, clock, changes } = world(Array.from({ length: CENSUS_PAGES_PER_TICK + 1 }, () => page(1)));
    const day = dayOf(clock.sec);
    changes.push({ day, integrationId: 'drive', counts: { created: 1 } });
    await tick();
    changes[0] = { day, integrationId: 'drive', counts: { created: 3 } };
    clock.sec += 86_400;
    await tick();
    const dayBefore = dayOf(clock.sec - 2 * 86_400);
    expect(state.item?.counted?.from).toEqual({ day: dayBefore, changes: { drive: { created: 1 } } });
    expect(state.item?.changesSince).toBe(day);
  });

  it('the count of connections that cannot be made is logged and fails nothing', async () => {
    const { tick, store, gauge, logged } = world([page(1)]);
    const throttled = new Error('throttled');
    await tick({ ...store, page: () => Promise.reject(throttled) });
    expect([gauge, logged]).toEqual([
      [],
      [['connections could not be counted', { requestId: 'request-1' }, throttled]],
    ]);
  });
});
