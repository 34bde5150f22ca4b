import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { connectionToItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import { sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import {
  FORCED_REFRESH_COOL_DOWN_SEC,
  LEASE_CLOCK_TOLERANCE_SEC,
  LEASE_SEC,
} from '../../../lambdas/gateway/core/limits.ts';
import { refreshTiming } from '../../../lambdas/gateway/tokens/freshness.rules.ts';
import { pause } from '../../../lambdas/gateway/tokens/lease.ts';
import {
  ConnectionRefresher,
  LeaseHolder,
  type RefreshOptions,
  type RefreshOutcome,
} from '../../../lambdas/gateway/tokens/refresher.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import { answer, DEATH, direct, INVALID_GRANT, leased, refreshWorld, tokens } from './support/refresh-world.ts';

afterEach(() => vi.useRealTimers());

const timing = refreshTiming();
const stored = connection({ epoch: 3, tokenEpoch: 3, accessTokenExpiresAtEpochSec: START_SEC + 3599 });
const dead = connection({
  status: 'reauthorization_required',
  death: DEATH,
  epoch: 3,
  refreshAtEpochSec: undefined,
});

describe('a lease', () => {
  test('stands in this process’s name, for the token at hand, rounded up, while the provider is asked', async () => {
    let held: Connection | undefined;
    const world = refreshWorld(connection(), integration(), () => {
      held = world.table.row;
      return tokens();
    });
    world.clock.advance(0.4);
    await world.refresh();
    expect(held).toMatchObject({
      refreshLease: { owner: 'me', epoch: 2, expiresAtEpochSec: START_SEC + 1 + LEASE_SEC },
      attemptId: expect.stringMatching(/^[\w-]{22}$/),
      attemptHash: sha256Hex('refresh-0'),
    });
  });

  test('stands in a name that the process has made for itself, where it was given none', async () => {
    const owners: unknown[] = [];
    const world = refreshWorld(connection(), integration(), () => {
      owners.push(world.table.row?.refreshLease?.owner);
      return tokens();
    });
    for (let process = 0; process < 2; process++) {
      const deps = world.deps(direct);
      const unnamed = new ConnectionRefresher({ ...deps, holder: new LeaseHolder(deps) });
      for (let round = 0; round < 2; round++) {
        await unnamed.refresh(world.table.row ?? connection(), integration(), {
          wait: false,
          force: true,
          requestId: 'request-1',
        });
        world.clock.advance(3600);
      }
    }
    expect(owners).toEqual(Array(4).fill(expect.stringMatching(/^[\w-]{22}$/)));
    expect([owners[0] === owners[1], owners[2] === owners[3], owners[0] === owners[2]]).toEqual([true, true, false]);
  });

  test('a lease is not taken for a grant that has ended and whose tokens are erased: an operator, too, gets the error of its end', async () => {
    const erased = connection({ ...dead, encryptedRefreshToken: undefined });
    const world = refreshWorld(erased);
    expect(await world.refresh({ force: true })).toEqual({ kind: 'dead', connection: erased, death: DEATH });
    expect(world.table.row).toEqual(erased);
  });

  test.each([{ encryptedRefreshToken: undefined }, { status: 'deleted' } as const])(
    'a lease is not taken where there is nothing to refresh with: %j',
    async (changes) => {
      const world = refreshWorld(connection(changes));
      const { row } = world.table;
      expect(await world.refresh()).toEqual({ kind: 'gone' });
      expect(world.table.row).toEqual(row);
    },
  );

  test('a lease is taken again from the second at which a back-off ends', async () => {
    expect(await refreshWorld(connection({ retryAtEpochSec: START_SEC })).refresh()).toMatchObject({ kind: 'fresh' });
  });

  test('TK-6: a lease is taken for a refused token once per cool-down; while another asks, that is waited for', async () => {
    const recent = { forcedRefreshAtEpochSec: START_SEC - FORCED_REFRESH_COOL_DOWN_SEC + 1 };
    const world = refreshWorld(connection(recent));
    const outcome = { kind: 'transient', reason: 'refresh_backoff', retryAfterSec: 1 };
    expect(await world.refresh({ afterRefusal: true })).toEqual(outcome);
    expect(await world.refresh({ afterRefusal: true }, leased(20, recent))).toMatchObject({ kind: 'busy' });
    expect(world.asked).toEqual([]);
    world.clock.advance(1);
    expect(await world.refresh({ afterRefusal: true })).toMatchObject({ kind: 'fresh' });
    const unasked = refreshWorld(connection(recent));
    expect(await unasked.refresh()).toMatchObject({ kind: 'fresh' });
  });

  test.each([
    [1, 'busy'],
    [0, 'fresh'],
    [LEASE_SEC + LEASE_CLOCK_TOLERANCE_SEC, 'busy'],
    [LEASE_SEC + LEASE_CLOCK_TOLERANCE_SEC + 1, 'fresh'],
  ])(
    'a lease of another with %i seconds to go leaves a caller %s: one of an impossible length binds nobody',
    async (leftSec, kind) => {
      expect(await refreshWorld(leased(leftSec)).refresh()).toMatchObject({ kind });
    },
  );
});

describe('callers of one process', () => {
  test('callers of one process of the same kind share an attempt', async () => {
    const world = refreshWorld();
    const outcomes = await Promise.all([world.refresh(), world.refresh(), world.refresh()]);
    expect(new Set(outcomes).size).toBe(1);
    expect(world.asked).toHaveLength(1);
  });

  test.each<[string, Partial<RefreshOptions>, Partial<Connection>]>([
    ['one that does not wait', { wait: false }, {}],
    ['one for another connection', { wait: true }, { connectionId: 'c2' }],
    ['an operator’s', { wait: true, force: true }, {}],
    ['one that looks for escrow', { wait: true, adopt: true }, {}],
    ['one after a refusal', { wait: true, afterRefusal: true }, {}],
  ])('callers of one process do not share with %s', async (_, options, changes) => {
    const world = refreshWorld(connection(), integration(), async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return tokens();
    });
    world.table.memory.put(connectionToItem(connection(changes)));
    const both = [world.refresh({ wait: true }), world.refresh(options, connection(changes))] as const;
    const [first, second] = await Promise.all(both);
    expect(first).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
    expect(second).not.toBe(first);
    expect(second.kind).toBe(options.wait === true ? 'fresh' : 'busy');
  });

  test('F12: callers of one process begin again after an attempt that was rejected', async () => {
    const decrypt = vi.fn().mockRejectedValueOnce(new Error('KMS')).mockResolvedValue('refresh-0');
    const cipher = { encrypt: async (_: unknown, text: string) => text, decrypt };
    const world = refreshWorld(connection(), integration(), () => tokens(), { cipher });
    await expect(world.refresh()).rejects.toThrow('KMS');
    expect(await world.refresh()).toMatchObject({ kind: 'fresh' });
  });

  test.each([
    [{ wait: false }, LEASE_SEC * 1000],
    [{ wait: true }, timing.waitMs + LEASE_SEC * 1000],
    [{ wait: true, budgetMs: 12_000 }, 12_000 + LEASE_SEC * 1000],
    [{ wait: false, budgetMs: 12_000 }, LEASE_SEC * 1000],
  ])(
    'F12: callers of one process are let go with %j after %i ms, whatever hangs, and asked to come again; the next one asks',
    async (options, deadlineMs) => {
      vi.useFakeTimers();
      const never = new Promise<never>(() => {});
      const world = refreshWorld(connection(), integration(), () => (world.asked.length === 1 ? never : tokens()));
      let outcome: RefreshOutcome | undefined;
      void world.refresh(options).then((settled) => {
        outcome = settled;
      });
      await vi.advanceTimersByTimeAsync(deadlineMs - 1);
      expect(outcome).toBeUndefined();
      const late = world.refresh(options);
      await vi.advanceTimersByTimeAsync(1);
      expect(outcome).toEqual({ kind: 'transient', reason: 'refresh_timed_out', retryAfterSec: 20 });
      expect(await late, 'joined while it stood').toBe(outcome);
      world.clock.advance(LEASE_SEC);
      expect(await world.refresh(options)).toMatchObject({ kind: 'fresh' });
    },
  );
});

test('a refresh that has ended leaves no timer behind, which would keep a process from ending', async () => {
  vi.useFakeTimers();
  const world = refreshWorld();
  expect(await world.refresh()).toMatchObject({ kind: 'fresh' });
  expect(vi.getTimerCount()).toBe(0);
});

describe('who remembers a refusal', () => {
  test.each([
    ['a back-off', connection({ retryAtEpochSec: START_SEC + 600 })],
    ['a death', dead],
  ])('such as %s looks at the row before it is repeated: it may live, or be gone', async (_, known) => {
    const world = refreshWorld(stored);
    expect(await world.refresh({}, known)).toMatchObject({ kind: 'fresh', connection: { tokenEpoch: 3 } });
    world.clock.advance(1);
    world.table.row = undefined;
    expect(await world.refresh({}, known)).toEqual({ kind: 'gone' });
    expect(world.asked).toEqual([]);
  });
});

describe('an attempt that ends late and without tokens', () => {
  const endsOn = (row: Connection | undefined) => {
    const world = refreshWorld(connection(), integration(), () => {
      world.table.row = row;
      return answer(503, {});
    });
    return world;
  };

  test('gives way to those another has stored, and is no back-off either', async () => {
    const world = endsOn(stored);
    expect(await world.refresh()).toEqual({ kind: 'fresh', connection: stored, accessToken: undefined });
    await world.refresh({}, connection());
    await world.refresh({}, connection({ ...stored, accessTokenExpiresAtEpochSec: START_SEC }));
    expect(world.asked).toHaveLength(2);
  });

  test.each<[string, Connection | undefined]>([
    ['is as it was', connection({ epoch: 2 })],
    ['is gone', undefined],
    ['has newer tokens that have expired', { ...stored, accessTokenExpiresAtEpochSec: START_SEC }],
    ['died with newer tokens', { ...stored, status: 'reauthorization_required', death: DEATH }],
  ])('stays a failure where the row %s', async (_, row) => {
    const world = endsOn(row);
    expect(await world.refresh()).toMatchObject({ kind: 'transient', reason: 'http_503' });
  });
});

test('a pause is as long as it says', async () => {
  vi.useFakeTimers();
  let isOver = false;
  void pause(45).then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(44);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isOver).toBe(true);
});

describe('who finds another at it', () => {
  /** The row while its holder works: every pause of a waiting process brings the next one, and the last one stays. */
  function waiting(known: Connection, ...rows: (Connection | undefined)[]) {
    const pauses: number[] = [];
    const pause = async (ms: number) => {
      pauses.push(ms);
      world.clock.advance(ms / 1000);
      if (rows.length > 0) world.table.row = rows.shift();
    };
    const world = refreshWorld(known, integration(), () => tokens(), { pause });
    return { ...world, pauses, wait: (options = {}) => world.refresh({ wait: true, ...options }) };
  }

  test('a process that finds another one refreshing and does not wait gets that answer, with the row as the refusal showed it', async () => {
    const { refresh, asked } = refreshWorld(leased(20));
    expect(await refresh({}, connection())).toEqual({ kind: 'busy', connection: leased(20) });
    // This holds during a back-off, too: the holder of the lease may have been forced to try.
    const forced = refreshWorld(leased(20, { retryAtEpochSec: START_SEC + 600 }));
    expect(await forced.refresh({}, connection())).toMatchObject({ kind: 'busy' });
    expect([...asked, ...forced.asked]).toEqual([]);
  });

  test('waits for the other also where its own attempt is refused because its lease has ended', async () => {
    const world = refreshWorld(
      connection(),
      integration(),
      () => {
        world.table.row = leased(25, { epoch: 3 });
        return INVALID_GRANT;
      },
      {
        pause: async () => {
          world.table.row = { ...stored, epoch: 3 };
        },
      },
    );
    expect(await world.refresh({ wait: true })).toMatchObject({ kind: 'fresh', connection: { tokenEpoch: 3 } });
    expect(world.asked).toHaveLength(1);
  });

  test('a process that waits for another one’s refresh takes the tokens as soon as they are stored, looking after pauses that grow to half a second', async () => {
    const world = waiting(leased(25), ...Array.from({ length: 8 }, () => leased(25)), stored);
    expect(await world.wait()).toEqual({ kind: 'fresh', connection: stored, accessToken: undefined });
    expect(world.pauses.map(Math.round)).toEqual([45, 68, 101, 152, 228, 342, 375, 375, 375]);
    expect(world.asked).toEqual([]);
  });

  test.each([
    ['stored', stored],
    ['renewing', { ...stored, refreshLease: leased(20).refreshLease }],
  ])('takes the tokens that the refusal itself showed: %s', async (_, row) => {
    const taken = { kind: 'fresh', connection: row, accessToken: undefined };
    expect(await refreshWorld(row).refresh({}, connection())).toEqual(taken);
  });

  test('tries again where the refusal showed a row that nobody holds, and takes over where a lease ended without tokens', async () => {
    const free = refreshWorld(connection({ epoch: 2 }));
    expect(await free.refresh({}, connection())).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
    expect(free.pauses).toEqual([]);
    const ended = waiting(leased(20), connection({ epoch: 3 }));
    expect(await ended.wait()).toMatchObject({ kind: 'fresh', accessToken: 'access-1', connection: { epoch: 4 } });
  });

  const backoff = { kind: 'transient', reason: 'refresh_backoff', retryAfterSec: 30 };

  test.each<[string, Connection | undefined, object]>([
    ['shares the other’s failure', connection({ epoch: 3, retryAtEpochSec: START_SEC + 30 }), backoff],
    ['shares the death the other found', dead, { kind: 'dead', connection: dead, death: DEATH }],
    ['ends with a row that is gone', undefined, { kind: 'gone' }],
    ['ends with a row that was deleted', connection({ status: 'deleted', epoch: 3 }), { kind: 'gone' }],
  ])('%s, waiting or not', async (_, row, outcome) => {
    expect(await waiting(leased(20), row).wait()).toEqual(outcome);
    const now = refreshWorld();
    now.table.row = row;
    expect(await now.refresh({}, connection())).toEqual(outcome);
  });

  test.each([
    [{}, timing.waitMs],
    [{ budgetMs: 3_000 }, 3_000],
  ])(
    'a process that finds another one refreshing, with a budget of %j, is asked to come again after %i ms',
    async (budget, waitMs) => {
      // Somebody else always holds it, as when every holder dies.
      const world = waiting(leased(LEASE_SEC), leased(LEASE_SEC + 40));
      expect(await world.wait(budget)).toEqual({ kind: 'transient', reason: 'refresh_in_progress', retryAfterSec: 1 });
      expect(world.counted).toEqual(['RefreshWaitTimedOut']);
      const waitedMs = world.clock.nowMs() - START_SEC * 1000;
      expect(waitedMs).toBeGreaterThan(waitMs);
      expect(waitedMs).toBeLessThanOrEqual(waitMs + 375);
      expect(world.asked).toEqual([]);
    },
  );
});
