import { describe, expect, test } from 'vitest';
import type { LeaseResult } from '../../../lambdas/gateway/connections/ports.ts';
import { LEASE_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { refreshTiming } from '../../../lambdas/gateway/tokens/freshness.rules.ts';
import { connection, START_SEC } from './support/connection.ts';
import { DEATH } from './support/held-world.ts';
import { LEASE, leased, refresherWorld } from './support/refresher-world.ts';

const stored = connection({ epoch: 2, tokenEpoch: 2, accessTokenExpiresAtEpochSec: START_SEC + 3599 });
const refused = (current: LeaseResult & { taken: false }) => async (): Promise<LeaseResult> => current;

describe('who finds another at it', () => {
  test('and does not wait is told so, with the row as the refusal showed it', async () => {
    const world = refresherWorld();
    const current = leased(20);
    world.script.lease = refused({ taken: false, current });
    expect(await world.refresh()).toEqual({ kind: 'busy', connection: current });
    expect([world.attempts, world.pauses, world.state.reads]).toEqual([[], [], 0]);
  });

  test('and waits takes the other’s tokens as soon as they are stored', async () => {
    const world = refresherWorld();
    world.script.lease = refused({ taken: false, current: leased(20) });
    world.script.rows = [leased(20), leased(20), stored];
    expect(await world.refresh({ wait: true })).toEqual({ kind: 'fresh', connection: stored, accessToken: undefined });
    expect([world.attempts, world.leases.length, world.state.reads]).toEqual([[], 1, 3]);
  });

  test('and waits looks after pauses that grow to half a second and no more', async () => {
    const world = refresherWorld();
    world.script.rows = [...Array.from({ length: 8 }, () => leased(25)), stored];
    await world.refresh({ wait: true }, leased(25));
    expect(world.pauses.map(Math.round)).toEqual([45, 68, 101, 152, 228, 342, 375, 375, 375]);
  });

  test('takes the tokens that the refusal itself showed', async () => {
    const world = refresherWorld();
    world.script.lease = refused({ taken: false, current: stored });
    expect(await world.refresh()).toEqual({ kind: 'fresh', connection: stored, accessToken: undefined });
    const beside = refresherWorld();
    const renewing = { ...stored, refreshLease: leased(20).refreshLease };
    beside.script.lease = refused({ taken: false, current: renewing });
    expect(await beside.refresh()).toEqual({ kind: 'fresh', connection: renewing, accessToken: undefined });
  });

  test('tries again where the refusal showed a row that nobody holds', async () => {
    const world = refresherWorld();
    const answers: LeaseResult[] = [
      { taken: false, current: connection({ epoch: 2 }) },
      { taken: true, lease: LEASE, lostHash: undefined },
    ];
    world.script.lease = async () => answers.shift() ?? { taken: false, current: undefined };
    expect(await world.refresh()).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
    expect([world.leases.length, world.pauses, world.state.reads]).toEqual([2, [], 0]);
    expect(world.attempts[0]?.connection.epoch).toBe(2);
  });

  test('takes over when the other’s lease has ended without tokens', async () => {
    const world = refresherWorld();
    world.script.rows = [leased(20), connection({ epoch: 3 })];
    expect(await world.refresh({ wait: true }, leased(20))).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
    expect(world.attempts.map((attempt) => attempt.connection.epoch)).toEqual([3]);
  });

  test('shares the other’s failure', async () => {
    const world = refresherWorld();
    world.script.rows = [connection({ epoch: 3, retryAtEpochSec: START_SEC + 30 })];
    expect(await world.refresh({ wait: true }, leased(20))).toEqual({
      kind: 'transient',
      reason: 'refresh_backoff',
      retryAfterSec: 30,
    });
    const dead = connection({ status: 'reauthorization_required', death: DEATH });
    world.script.rows = [dead];
    expect(await world.refresh({ wait: true }, leased(20))).toMatchObject({ kind: 'dead', connection: dead });
  });

  test.each([[undefined], [connection({ status: 'deleted' })]])(
    'ends with a connection that is gone meanwhile',
    async (row) => {
      const world = refresherWorld();
      world.script.rows = [row];
      expect(await world.refresh({ wait: true }, leased(20))).toEqual({ kind: 'gone' });
      world.script.lease = refused({ taken: false, current: row });
      expect(await world.refresh()).toEqual({ kind: 'gone' });
    },
  );

  test.each([
    [undefined, refreshTiming().waitMs],
    [3_000, 3_000],
  ])('with a budget of %s is told to come again after %i ms', async (budgetMs, waitMs) => {
    const world = refresherWorld();
    const startedMs = world.state.nowMs;
    // Somebody else always holds it, as when every holder dies.
    world.script.rows = [leased(LEASE_SEC + 40)];
    const options = budgetMs === undefined ? { wait: true } : { wait: true, budgetMs };
    expect(await world.refresh(options, leased(LEASE_SEC))).toEqual({
      kind: 'transient',
      reason: 'refresh_in_progress',
      retryAfterSec: 1,
    });
    expect(world.counted).toEqual(['RefreshWaitTimedOut']);
    expect(world.state.nowMs - startedMs).toBeGreaterThan(waitMs);
    expect(world.state.nowMs - startedMs).toBeLessThanOrEqual(waitMs + 375);
    expect(world.attempts).toEqual([]);
  });
});
