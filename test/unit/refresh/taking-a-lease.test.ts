import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { sha256Hex } from '../../../lambdas/gateway/core/digest.ts';
import { LEASE_CLOCK_TOLERANCE_SEC, LEASE_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { refreshTiming } from '../../../lambdas/gateway/tokens/freshness.rules.ts';
import type { RefreshOutcome } from '../../../lambdas/gateway/tokens/lease.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import { DEATH } from './support/held-world.ts';
import { LEASE, leased, refresherWorld } from './support/refresher-world.ts';

afterEach(() => vi.useRealTimers());

const dead = connection({ status: 'reauthorization_required', death: DEATH });
const stored = connection({ tokenEpoch: 2, accessTokenExpiresAtEpochSec: START_SEC + 3599 });
const fault = { error: 'invalid_client', sinceEpochSec: START_SEC, retryAtEpochSec: START_SEC + 7 };
const timing = refreshTiming();

describe('a lease', () => {
  test('is asked for in this process’s name, for the token at hand, rounded up', async () => {
    const world = refresherWorld();
    world.state.nowMs += 400;
    await world.refresh();
    expect(world.leases).toEqual([
      {
        owner: 'me',
        attemptId: Buffer.alloc(16, 255).toString('base64url'),
        attemptHash: sha256Hex('refresh-0'),
        nowEpochSec: START_SEC,
        expiresAtEpochSec: START_SEC + 1 + LEASE_SEC,
        evenIfDead: false,
      },
    ]);
    expect(world.state.encrypted, 'F51: the key is at hand before').toBe(1);
  });

  test('starts an attempt with what it needs to know, and times that end inside the lease', async () => {
    const world = refresherWorld();
    world.script.lease = async () => ({ taken: true, lease: LEASE, lostHash: 'lost' });
    await world.refresh({ usedAtEpochSec: START_SEC - 3 });
    expect(world.attempts).toEqual([
      {
        connection: connection(),
        integration: integration(),
        lease: LEASE,
        refreshToken: 'refresh-0',
        lostHash: 'lost',
        adopt: false,
        usedAtEpochSec: START_SEC - 3,
        callUntilMs: START_SEC * 1000 + timing.callBudgetMs,
        writeUntilMs: START_SEC * 1000 + timing.writeBudgetMs,
        requestId: 'request-1',
      },
    ]);
  });

  test('leaves calls no more time than the caller has', async () => {
    const world = refresherWorld();
    await world.refresh({ budgetMs: 5_000 });
    await world.refresh({ budgetMs: 60_000 });
    expect(world.attempts.map(({ callUntilMs }) => callUntilMs - START_SEC * 1000)).toEqual([
      5_000,
      timing.callBudgetMs,
    ]);
  });

  test.each([
    [{ force: true }, true, false],
    [{ adopt: true }, true, true],
    [{ force: true, adopt: true }, true, true],
    [{ adopt: false }, false, false],
  ])('of a refresh with %j is taken of a dead connection too: %s', async (options, evenIfDead, adopt) => {
    const world = refresherWorld();
    await world.refresh(options);
    expect(world.leases.map((lease) => lease.evenIfDead)).toEqual([evenIfDead]);
    expect(world.attempts.map((attempt) => attempt.adopt)).toEqual([adopt]);
  });

  test('is not asked for where there is nothing to refresh with', async () => {
    const world = refresherWorld();
    expect(await world.refresh({}, connection({ encryptedRefreshToken: undefined }))).toEqual({ kind: 'gone' });
    expect(await world.refresh({}, connection({ status: 'deleted' }))).toEqual({ kind: 'gone' });
    expect(world.leases).toEqual([]);
  });
});

describe('nobody is asked', () => {
  test.each<[string, Connection, object]>([
    ['for a dead connection', dead, { kind: 'dead', connection: dead, death: DEATH }],
    [
      'before the end of a back-off',
      connection({ retryAtEpochSec: START_SEC + 9 }),
      { kind: 'transient', reason: 'refresh_backoff', retryAfterSec: 9 },
    ],
  ])('%s, unless an operator or the schedule’s escrow wants it', async (_, row, outcome) => {
    const world = refresherWorld();
    expect(await world.refresh({}, row)).toEqual(outcome);
    expect(world.leases).toEqual([]);
    await world.refresh({ force: true }, row);
    await world.refresh({ adopt: true }, row);
    expect(world.leases).toHaveLength(2);
  });

  test('while a refused client cools down, unless an operator wants it', async () => {
    const world = refresherWorld();
    const marked = integration({ clientFault: fault });
    expect(await world.refresh({}, connection(), marked)).toEqual({
      kind: 'client_fault',
      error: 'invalid_client',
      retryAfterSec: 7,
    });
    expect(world.leases).toEqual([]);
    await world.refresh({ force: true }, connection(), marked);
    expect(world.leases).toHaveLength(1);
  });

  test('again from the second at which the back-off ends', async () => {
    const world = refresherWorld();
    expect(await world.refresh({}, connection({ retryAtEpochSec: START_SEC }))).toMatchObject({ kind: 'fresh' });
  });
});

describe('callers of one process', () => {
  test('of the same kind share an attempt; those that may do more or less have their own', async () => {
    const world = refresherWorld();
    const kinds = [
      { wait: true },
      { wait: false },
      { wait: true, force: true },
      { wait: false, force: true },
      { adopt: true },
    ];
    await Promise.all([...kinds, ...kinds].map((options) => world.refresh(options)));
    expect(world.attempts).toHaveLength(kinds.length);
    await Promise.all(['c1', 'c2'].map((connectionId) => world.refresh({}, connection({ connectionId }))));
    expect(world.attempts).toHaveLength(kinds.length + 2);
  });

  test.each([
    [{ wait: false }, LEASE_SEC * 1000],
    [{ wait: true }, timing.waitMs + LEASE_SEC * 1000],
    [{ wait: true, budgetMs: 12_000 }, 12_000 + LEASE_SEC * 1000],
    [{ wait: false, budgetMs: 12_000 }, LEASE_SEC * 1000],
  ])('F12: are let go with %j after %i ms, whatever hangs', async (options, deadlineMs) => {
    vi.useFakeTimers();
    const world = refresherWorld();
    world.script.attempt = () => new Promise(() => {});
    let outcome: RefreshOutcome | undefined;
    void world.refresh(options).then((settled) => {
      outcome = settled;
    });
    await vi.advanceTimersByTimeAsync(deadlineMs - 1);
    expect(outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toMatchObject({ kind: 'transient', reason: 'refresh_timed_out' });
  });
});

describe('an attempt that ends', () => {
  test('late and without tokens gives way to those another has stored', async () => {
    const world = refresherWorld();
    const transient: RefreshOutcome = { kind: 'transient', reason: 'http_503', retryAfterSec: 20 };
    world.script.attempt = async () => transient;
    world.script.rows = [stored];
    expect(await world.refresh()).toEqual({ kind: 'fresh', connection: stored, accessToken: undefined });
    // It is no back-off either: the next refresh asks.
    await world.refresh();
    expect(world.attempts).toHaveLength(2);
  });

  test.each([
    [connection()],
    [undefined],
    [{ ...stored, accessTokenExpiresAtEpochSec: START_SEC }],
    [{ ...stored, ...dead, tokenEpoch: 2 }],
  ])('without tokens stays so when the row has none that work', async (row) => {
    const world = refresherWorld();
    const transient: RefreshOutcome = { kind: 'transient', reason: 'http_503', retryAfterSec: 20 };
    world.script.attempt = async () => transient;
    world.script.rows = [row];
    expect(await world.refresh()).toEqual(transient);
    expect(await world.refresh()).toEqual({ kind: 'transient', reason: 'refresh_backoff', retryAfterSec: 20 });
    expect(world.attempts).toHaveLength(1);
  });

  test('with tokens has the row not read again', async () => {
    const world = refresherWorld();
    expect(await world.refresh()).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
    expect(world.state.reads).toBe(0);
  });

  test('with escrowed tokens that have expired goes on to refresh them', async () => {
    const world = refresherWorld();
    const outdated = { ...stored, accessTokenExpiresAtEpochSec: START_SEC };
    const answers: RefreshOutcome[] = [
      { kind: 'fresh', connection: outdated, accessToken: undefined },
      { kind: 'fresh', connection: stored, accessToken: 'access-2' },
    ];
    world.script.attempt = async () => answers.shift() ?? { kind: 'gone' };
    expect(await world.refresh()).toMatchObject({ kind: 'fresh', accessToken: 'access-2' });
    expect(world.attempts.map((attempt) => attempt.connection.tokenEpoch)).toEqual([1, 2]);
  });

  test('with escrowed tokens that work is done', async () => {
    const world = refresherWorld();
    world.script.attempt = async () => ({ kind: 'fresh', connection: stored, accessToken: undefined });
    expect(await world.refresh({ adopt: true })).toMatchObject({ kind: 'fresh', connection: stored });
    expect(world.attempts).toHaveLength(1);
  });

  test('busy names the row of the one who is at it', async () => {
    const world = refresherWorld();
    const row = leased(20);
    world.script.attempt = async () => ({ kind: 'busy', connection: row });
    expect(await world.refresh()).toEqual({ kind: 'busy', connection: row });
    expect(world.attempts).toHaveLength(1);
  });
});

describe('a lease that another holds', () => {
  test.each([
    [1, 0],
    [0, 1],
    [LEASE_SEC + LEASE_CLOCK_TOLERANCE_SEC, 0],
    [LEASE_SEC + LEASE_CLOCK_TOLERANCE_SEC + 1, 1],
  ])('with %i seconds to go makes %i attempts: one of an impossible length binds nobody', async (leftSec, attempts) => {
    const world = refresherWorld();
    const outcome = await world.refresh({}, leased(leftSec));
    expect(world.attempts).toHaveLength(attempts);
    expect(outcome.kind).toBe(attempts === 0 ? 'busy' : 'fresh');
  });
});
