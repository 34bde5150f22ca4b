import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import { REQUESTED_REFRESH_BUDGET_MS } from '../../../lambdas/gateway/core/limits.ts';
import type { RefreshOutcome } from '../../../lambdas/gateway/tokens/lease.ts';
import { refreshNow } from '../../../lambdas/gateway/tokens/refresh-now.ts';
import { endpointsAt } from '../support/google.ts';
import { connection, integration } from './support/connection.ts';
import { DEATH } from './support/refresh-world.ts';

const renewed = connection({ tokenEpoch: 2 });
const asked: unknown[][] = [];
const refresh = (outcome: RefreshOutcome, force = false) =>
  refreshNow(
    {
      refresher: {
        refresh: async (...args) => {
          asked.push(args);
          return outcome;
        },
      },
      endpointsOf: () => endpointsAt({}),
    },
    connection(),
    integration(),
    force,
    'request-1',
  );

describe('a refresh that is asked for', () => {
  test.each([true, false])('waits within its function’s time, forced %s', async (force) => {
    asked.length = 0;
    const outcome: RefreshOutcome = { kind: 'fresh', connection: renewed, accessToken: 'access-1' };
    expect(await refresh(outcome, force)).toEqual({ kind: 'fresh', connection: renewed });
    const options = { wait: true, force, budgetMs: REQUESTED_REFRESH_BUDGET_MS, requestId: 'request-1' };
    expect(asked).toEqual([[connection(), integration(), options]]);
  });

  test('reports a death', async () => {
    const dead = { kind: 'dead', connection: renewed, death: DEATH } as const;
    expect(await refresh(dead)).toEqual(dead);
  });

  const unavailable = 'token_refresh_unavailable';
  const fault = { kind: 'client_fault', error: 'deleted_client', retryAfterSec: 60 } as const;
  const later = (retryAfterSec: number) => ({ kind: 'transient', reason: 'http_503', retryAfterSec }) as const;

  test.each<[RefreshOutcome, string, number | undefined, RegExp]>([
    [{ kind: 'gone' }, 'unknown_connection', undefined, /no connection with this/],
    [fault, 'integration_credentials_rejected', undefined, /\(deleted_client\).*connection is not at fault/],
    [later(7), unavailable, 7, /cannot be refreshed right now/],
    [later(0), unavailable, 1, /try again/],
    [{ kind: 'busy', connection: renewed }, unavailable, 1, /is being refreshed/],
  ])('refuses as the refresh ended: %j', async (outcome, code, retryAfterSec, message) => {
    const refused = await refresh(outcome).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(GatewayError);
    expect(refused).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(Object(refused).retryAfterSec).toBe(retryAfterSec);
  });
});
