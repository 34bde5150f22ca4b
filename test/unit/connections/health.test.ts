import { describe, expect, it } from 'vitest';
import type { CallFault } from '../../../lambdas/gateway/connections/health.rules.ts';
import { healthOf, refusesConnection } from '../../../lambdas/gateway/connections/health.rules.ts';
import type { GrantDeath } from '../../../lambdas/gateway/core/grant-death.ts';
import { ENDS_SOON_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { connection, NOW_EPOCH_SEC } from '../support/connection.ts';

const used = { lastUsedAtEpochSec: NOW_EPOCH_SEC + 60 };
const fault: CallFault = { status: 403, reason: 'insufficientPermissions', sinceEpochSec: NOW_EPOCH_SEC };
const clientFault = { error: 'invalid_client', sinceEpochSec: NOW_EPOCH_SEC, retryAtEpochSec: NOW_EPOCH_SEC };
const death: GrantDeath = {
  status: 'reauthorization_required',
  cause: 'user_revoked',
  certain: false,
  likelyCauses: [],
  remedy: '',
  providerError: 'invalid_grant',
  since: '2026-01-01T00:00:00.000Z',
};

describe('the health of a connection', () => {
  it('is active once it was used, and not before', () => {
    expect(healthOf(connection(used), undefined, undefined, NOW_EPOCH_SEC).status).toBe('active');
    // A new row says that it has just been used.
    const made = connection({ lastUsedAtEpochSec: NOW_EPOCH_SEC });
    expect(healthOf(made, undefined, undefined, NOW_EPOCH_SEC).status).toBe('not_used_yet');
  });

  it('is failing while the provider refuses its calls, with its reason and since when', () => {
    expect(healthOf(connection({ ...used, callFault: fault }), undefined, undefined, NOW_EPOCH_SEC)).toEqual({
      status: 'failing',
      reason: 'insufficientPermissions',
      certain: undefined,
      sinceEpochSec: NOW_EPOCH_SEC,
      endsAtEpochSec: undefined,
    });
    const without = { ...fault, status: 401, reason: undefined };
    expect(healthOf(connection({ callFault: without }), undefined, undefined, NOW_EPOCH_SEC).reason).toBe('401');
  });

  it('ends soon from two days before a known end', () => {
    const at = (leftSec: number) => healthOf(connection(used), undefined, NOW_EPOCH_SEC + leftSec, NOW_EPOCH_SEC);
    expect(at(ENDS_SOON_SEC)).toMatchObject({ status: 'ends_soon', endsAtEpochSec: NOW_EPOCH_SEC + ENDS_SOON_SEC });
    expect(at(ENDS_SOON_SEC + 1)).toMatchObject({ status: 'active', endsAtEpochSec: undefined });
  });

  it('names what stops every call first: a dead grant, then a refused client, then refused calls', () => {
    const all = connection({ ...used, callFault: fault, status: 'reauthorization_required', death });
    const soon = NOW_EPOCH_SEC + 1;
    expect(healthOf(all, clientFault, soon, NOW_EPOCH_SEC)).toMatchObject({
      status: 'dead',
      reason: 'user_revoked',
      certain: false,
      sinceEpochSec: NOW_EPOCH_SEC,
    });
    const alive = connection({ ...used, callFault: fault });
    expect(healthOf(alive, clientFault, soon, NOW_EPOCH_SEC)).toMatchObject({
      status: 'client_refused',
      reason: 'invalid_client',
    });
    expect(healthOf(alive, undefined, soon, NOW_EPOCH_SEC).status).toBe('failing');
  });
});

describe('an answer', () => {
  it('refuses the connection when it is 401, or 403 for a reason that concerns every call', () => {
    expect(refusesConnection(401, undefined)).toBe(true);
    expect(refusesConnection(403, 'insufficientPermissions')).toBe(true);
    expect(refusesConnection(403, 'accessNotConfigured')).toBe(true);
    for (const reason of ['insufficientFilePermissions', 'rateLimitExceeded', 'appNotAuthorizedToFile', undefined]) {
      expect(refusesConnection(403, reason)).toBe(false);
    }
    expect(refusesConnection(404, 'insufficientPermissions')).toBe(false);
    expect(refusesConnection(500, undefined)).toBe(false);
  });
});
