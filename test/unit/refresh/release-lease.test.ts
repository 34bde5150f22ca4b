import { describe, expect, test } from 'vitest';
import { putOff, releaseUntouched, timedOut } from '../../../lambdas/gateway/tokens/lease.ts';
import { connection, START_SEC } from './support/connection.ts';
import { held, heldWorld } from './support/held-world.ts';

const attempt = (failureCount: number) => held({ connection: connection({ failureCount }) });
const failure = (retryAfterSec?: number) => ({ reason: 'http_503', retryAfterSec, closed: false });

describe('an attempt without tokens', () => {
  test.each([
    [0, undefined, 15],
    [1, undefined, 30],
    [2, undefined, 45],
    [30, undefined, 45],
    [0, 14, 15],
    [0, 90, 90],
  ])('after %i failures and Retry-After %s waits %i seconds', async (failures, retryAfterSec, waitSec) => {
    const world = heldWorld();
    expect(await putOff(world.deps, attempt(failures), failure(retryAfterSec))).toEqual({
      kind: 'transient',
      reason: 'http_503',
      retryAfterSec: waitSec,
    });
    expect(world.callsOf('releaseLease')).toEqual([
      [
        connection({ failureCount: failures }),
        held().lease,
        { retryAtEpochSec: START_SEC + waitSec, failureCount: failures + 1, answered: false },
      ],
    ]);
  });

  test('says why in one line, with the connection’s account and integration', async () => {
    const world = heldWorld();
    await putOff(world.deps, attempt(0), failure());
    expect(world.logged).toEqual([
      [
        'warn',
        'refresh failed for now',
        { accountId: 'default', integrationId: 'drive', cause: 'http_503', requestId: 'request-1' },
      ],
    ]);
  });

  test('closes the lease where the provider has answered', async () => {
    const world = heldWorld();
    await putOff(world.deps, attempt(0), { ...failure(), closed: true });
    expect(world.callsOf('releaseLease')).toMatchObject([[{}, {}, { answered: true }]]);
  });

  test('ends the same when the lease cannot be given back', async () => {
    const world = heldWorld();
    world.failing.add('releaseLease');
    expect(await putOff(world.deps, attempt(0), failure())).toMatchObject({ kind: 'transient' });
    expect(world.logged).toContainEqual([
      'error',
      'a lease could not be given back',
      { requestId: 'request-1' },
      'releaseLease is away',
    ]);
  });
});

test('a lease that is given back untouched changes neither failures nor due time', async () => {
  const world = heldWorld();
  await releaseUntouched(world.deps, attempt(3), false);
  expect(world.callsOf('releaseLease')).toEqual([
    [connection({ failureCount: 3 }), held().lease, { retryAtEpochSec: undefined, failureCount: 3, answered: false }],
  ]);
});

test('F12: whoever waited past the deadline is told to come again', () => {
  expect(timedOut()).toEqual({ kind: 'transient', reason: 'refresh_timed_out', retryAfterSec: 20 });
});
