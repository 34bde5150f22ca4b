import assert from 'node:assert/strict';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Item } from '../../../dev/support/expression.ts';
import { type Connection, NO_REFRESH_UNDER_WAY } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { connectionFromItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import { keptPrints } from '../../../lambdas/gateway/core/identifiers.ts';
import { LEASE_SEC } from '../../../lambdas/gateway/core/limits.ts';
import {
  type LifecycleEvent,
  type LifecycleEventType,
  newEvent,
} from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import { tokenFreshness } from '../../../lambdas/gateway/tokens/freshness.rules.ts';
import { connection, integration } from './support/connection.ts';
import { type Chooser, everyPath, Stage } from './support/interleaving.ts';
import type { RefreshTable } from './support/refresh-table.ts';
import { refreshWorld, type World } from './support/refresh-world.ts';
import { RotatingProvider, type Rotation } from './support/rotating-provider.ts';

interface Scenario {
  readonly rotation: Rotation;
  readonly refreshers: number;
  /** Each refresher reads the row at a moment of its own, as a caller's process does; else all start from the first row. */
  readonly readsFirst: boolean;
  /** How often a lease length passes somewhere in between. */
  readonly timePasses: number;
  readonly deletes: boolean;
  readonly reauthorizes: boolean;
  readonly maxCrashes: number;
  /** Every refresh answers with other scopes than the row has at first. */
  readonly scopesChange?: boolean;
  /** An event of another kind takes the connection's next number somewhere in between. */
  readonly warns?: boolean;
}

const OTHER_SCOPE = 'https://www.googleapis.com/auth/drive.file';

/** Plays one interleaving to its end, lets the schedule repair what is left, and checks the invariants. */
async function play(scenario: Scenario, choose: Chooser): Promise<void> {
  const provider = new RotatingProvider(
    scenario.rotation,
    'refresh-0',
    scenario.scopesChange === true ? OTHER_SCOPE : undefined,
  );
  const world = refreshWorld(connection(), integration(), (token) => provider.refresh(token));
  const { table, clock, stores } = world;
  const history = new RowHistory(table);
  const stage = new Stage(clock, () => [...table.memory.items.values(), provider.state(), history.lostLeases]);
  const known = connection();
  const step = <T>(name: string, effect: () => Promise<T>, isShared = true) =>
    stage.step(name, () => history.during(effect), isShared);

  for (let i = 0; i < scenario.refreshers; i++) {
    const name = `refresher-${i}`;
    const refresher = world.refresher(name, (effect, isShared) => step(name, effect, isShared));
    const options = { wait: false, force: false, requestId: name };
    if (!scenario.readsFirst) void refresher.refresh(known, integration(), options);
    else {
      void stage
        .step(name, async () => table.row ?? known)
        // What a process has read grows old in its memory before it is used.
        .then((row) => stage.step(name, async () => row))
        .then((row) =>
          tokenFreshness(row, clock.nowMs() / 1000) === 'fresh'
            ? undefined
            : refresher.refresh(row, integration(), options),
        );
    }
  }
  for (let i = 0; i < scenario.timePasses; i++) void step(`time-${i}`, async () => clock.advance(LEASE_SEC + 1));
  const change = (name: string, type: LifecycleEventType, write: (row: Connection, event: LifecycleEvent) => unknown) =>
    void step(name, async () => {
      const { row } = table;
      if (row === undefined || row.status === 'deleted') return;
      await write(
        row,
        newEvent(clock, world.random, type, { subject: known, sequence: row.sequence + 1, requestId: name }),
      );
    });
  if (scenario.deletes) {
    change('delete', 'ConnectionDeleted', (row, event) => stores.connections.delete(row, event));
  }
  if (scenario.reauthorizes) {
    change('reauthorization', 'ConnectionReauthorized', (row, event) =>
      stores.connections.save(reauthorized(row, provider.consent(), clock.nowMs()), row, event),
    );
  }
  // As the schedule writes it, which asks for no lease.
  if (scenario.warns === true) {
    change('warning', 'ConnectionExpiring', (row, event) =>
      stores.connections.warn(row, { kind: 'expiry', number: 1 }, event),
    );
  }
  if (!(await stage.run(choose, scenario.maxCrashes))) return;

  await repair(world, history);
  checkInvariants(scenario, world, history, provider, stage.crashes);
}

/** What became of the row by one step after the other. */
class RowHistory {
  readonly #table: RefreshTable;
  /** Leases that were overridden because their time had passed. */
  lostLeases = 0;
  readonly breaches: string[] = [];

  constructor(table: RefreshTable) {
    this.#table = table;
  }

  async during<T>(effect: () => Promise<T>): Promise<T> {
    const before = this.#table.item;
    const result = await effect();
    if (this.#table.item !== before) this.#note(before, this.#table.item);
    return result;
  }

  #note(before: Item = {}, after: Item = {}): void {
    const was = connectionFromItem(before);
    const is = connectionFromItem(after);
    if (is.epoch < was.epoch || is.tokenEpoch < was.tokenEpoch) this.breaches.push('I2: an epoch fell');
    if (was.status === 'deleted' && is.status !== 'deleted') this.breaches.push('I8: a deleted connection lives again');
    if (is.tokenPrints !== printsOf(is)) this.breaches.push('RI-14: a token is not found by its prints');
    if (was.refreshLease !== undefined && (is.refreshLease?.epoch ?? 0) > was.refreshLease.epoch) this.lostLeases++;
  }
}

const knownPrints = new Map<string, string | undefined>();

/** What its stored refresh token is found by. */
function printsOf({ encryptedRefreshToken: stored }: Connection): string | undefined {
  if (stored === undefined) return undefined;
  if (!knownPrints.has(stored)) knownPrints.set(stored, keptPrints(stored.replace(/^enc:/, ''), true));
  return knownPrints.get(stored);
}

/** As the callback stores it: a new grant, fenced against every attempt in flight. */
function reauthorized(row: Connection, refreshToken: string, nowMs: number): Connection {
  return {
    ...row,
    ...NO_REFRESH_UNDER_WAY,
    status: 'active',
    death: undefined,
    encryptedAccessToken: 'enc:access-new',
    encryptedRefreshToken: `enc:${refreshToken}`,
    tokenPrints: keptPrints(refreshToken, true),
    accessTokenExpiresAtEpochSec: Math.floor(nowMs / 1000) + 3599,
    epoch: row.epoch + 1,
    tokenEpoch: row.epoch + 1,
    sequence: row.sequence + 1,
  };
}

/** What the schedule does in the ticks after the faults have stopped. */
async function repair(world: World, history: RowHistory): Promise<void> {
  const { table, clock, stores } = world;
  for (let tick = 0; tick < 3; tick++) {
    clock.advance(LEASE_SEC + 61);
    const refresher = world.refresher(`tick-${tick}`, (effect) => history.during(effect));
    const { row } = table;
    if (row === undefined || row.status === 'deleted') return;
    const escrowed = await stores.escrow.read(row);
    const adopt = escrowed !== undefined && escrowed.epoch > row.tokenEpoch;
    if (!adopt && row.status !== 'active') return;
    if (!adopt && row.accessTokenExpiresAtEpochSec > clock.nowMs() / 1000) return;
    await refresher.refresh(row, integration(), { wait: false, force: false, adopt, requestId: 'tick' });
  }
}

/** Asserted by Node's means: in a hundred thousand paths `expect` itself would be most of the time. */
function checkInvariants(
  scenario: Scenario,
  { table }: World,
  { breaches, lostLeases }: RowHistory,
  provider: RotatingProvider,
  crashes: number,
): void {
  const { row, events } = table;
  if (row === undefined) throw new Error('The row is gone');
  const history = events.map(({ eventType }) => eventType);
  assert.deepEqual(breaches, []);
  // I7: one event per transition, without gap or repeat.
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, i) => i + 2),
  );
  const isRescoped = row.grantedScopes.includes(OTHER_SCOPE);
  assert.equal(history.filter((type) => type === 'ConnectionScopesChanged').length, isRescoped ? 1 : 0);
  // I3: one token call per expiry, and one per lease that was lost.
  assert.ok(provider.calls <= 1 + lostLeases, `I3: ${provider.calls} token calls, ${lostLeases} lost leases`);
  if (history.includes('ConnectionDeleted')) {
    assert.equal(row.status, 'deleted');
    assert.equal(row.encryptedRefreshToken, undefined);
    return;
  }
  if (row.status === 'active') {
    const stored = row.encryptedRefreshToken?.replace(/^enc:/, '') ?? '';
    assert.ok(provider.isLive(stored), `I1: ${stored} is dead, events ${history}`);
    return;
  }
  // I4 and I1: dead only where a rotated token died with its process, and then it says so.
  assert.equal(scenario.rotation, 'strict');
  assert.ok(crashes > 0, 'I4: dead without a crash');
  assert.equal(row.death?.cause, 'rotation_lost');
}

describe('refreshes in every order', () => {
  // Frozen processes leave their timers behind.
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => vi.useRealTimers());

  const searches: Scenario[] = (['none', 'strict', 'grace'] as const).flatMap((rotation) => [
    { rotation, refreshers: 2, readsFirst: false, timePasses: 1, deletes: true, reauthorizes: true, maxCrashes: 0 },
    { rotation, refreshers: 2, readsFirst: false, timePasses: 1, deletes: false, reauthorizes: false, maxCrashes: 2 },
    { rotation, refreshers: 2, readsFirst: true, timePasses: 1, deletes: false, reauthorizes: false, maxCrashes: 0 },
    { rotation, refreshers: 2, readsFirst: false, timePasses: 1, deletes: true, reauthorizes: false, maxCrashes: 1 },
    { rotation, refreshers: 2, readsFirst: false, timePasses: 1, deletes: false, reauthorizes: true, maxCrashes: 1 },
  ]);

  const rescoped: Omit<Scenario, 'refreshers' | 'readsFirst' | 'scopesChange'>[] = [
    { rotation: 'none', timePasses: 0, deletes: false, reauthorizes: false, maxCrashes: 0, warns: true },
    { rotation: 'none', timePasses: 0, deletes: true, reauthorizes: false, maxCrashes: 0, warns: true },
    { rotation: 'strict', timePasses: 1, deletes: false, reauthorizes: false, maxCrashes: 1, warns: false },
  ];

  test.each(rescoped)(
    'LG-5: other scopes are reported once in every interleaving: rotation $rotation, another event $warns, delete $deletes, $maxCrashes crashes',
    async (scenario) => {
      const paths = await everyPath(async (choose) => {
        await play({ ...scenario, refreshers: 2, readsFirst: false, scopesChange: true }, choose);
        vi.clearAllTimers();
      });
      expect(paths).toBeGreaterThan(10);
    },
  );

  const isStrict = ({ rotation }: Scenario) => rotation === 'strict';
  const claim =
    'I1-I4, I8 hold in every interleaving: rotation $rotation, rows of their own $readsFirst, delete $deletes, re-authorization $reauthorizes, $maxCrashes crashes';
  // Strict rotation is where a token can be lost, and a crash is how; the property below has all three.
  const isQuick = (one: Scenario) => isStrict(one) && one.maxCrashes > 0 && !one.reauthorizes && !one.deletes;
  test.each(searches.filter(isQuick))(claim, holdsEverywhere);
  test.each(searches.filter((one) => !isQuick(one)))(claim, { tags: ['long'] }, holdsEverywhere);

  async function holdsEverywhere(scenario: Scenario): Promise<void> {
    const paths = await everyPath(async (choose) => {
      await play(scenario, choose);
      vi.clearAllTimers();
    });
    expect(paths).toBeGreaterThan(100);
  }

  test('I1-I4, I8 hold for four refreshers, any time, any crash', () => holdsWhenDrawn(60));
  test('I1-I4, I8 hold for four refreshers, any time, any crash, in many tries', { tags: ['long'] }, () =>
    holdsWhenDrawn(1_000),
  );

  async function holdsWhenDrawn(numRuns: number): Promise<void> {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          rotation: fc.constantFrom<Rotation>('none', 'strict', 'grace'),
          refreshers: fc.integer({ min: 1, max: 4 }),
          readsFirst: fc.boolean(),
          timePasses: fc.integer({ min: 0, max: 3 }),
          deletes: fc.boolean(),
          reauthorizes: fc.boolean(),
          maxCrashes: fc.integer({ min: 0, max: 3 }),
          scopesChange: fc.boolean(),
          warns: fc.boolean(),
        }),
        fc.array(fc.nat(), { maxLength: 60 }),
        async (scenario, choices) => {
          let next = 0;
          await play(scenario, (options) => (choices[next++] ?? 0) % options);
          vi.clearAllTimers();
        },
      ),
      { numRuns },
    );
  }
});
