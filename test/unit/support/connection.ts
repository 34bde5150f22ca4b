import { type Connection, NO_REFRESH_UNDER_WAY } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import { ProcessorTime } from '../../support/processor-time.ts';

/** A fixed moment: 2026-01-01T00:00:00Z, in epoch seconds. */
export const NOW_EPOCH_SEC = 1_767_225_600;

/** An active connection; override what a test is about. */
export function connection(overrides: Partial<Connection> = {}): Connection {
  return {
    accountId: 'default',
    integrationId: 'drive',
    connectionId: 'c-1',
    provider: 'google-drive',
    status: 'active',
    death: undefined,
    encryptedAccessToken: 'v1.1.AAAA',
    encryptedRefreshToken: 'v1.1.BBBB',
    accessTokenExpiresAtEpochSec: NOW_EPOCH_SEC + 3600,
    requestedScopes: [],
    grantedScopes: [],
    clientId: '123-abc.apps.googleusercontent.com',
    providerAccount: { subject: '1', email: 'first.user@example.com' },
    consentedAtEpochSec: NOW_EPOCH_SEC,
    refreshTokenExpiresAtEpochSec: undefined,
    epoch: 1,
    tokenEpoch: 1,
    ...NO_REFRESH_UNDER_WAY,
    refreshAtEpochSec: undefined,
    lastUsedAtEpochSec: undefined,
    lastRefreshedAtEpochSec: undefined,
    sequence: 1,
    numericId: 1,
    endUser: undefined,
    tags: {},
    metadata: undefined,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...overrides,
  };
}

/** The refusal an action ends with; fails when it ends otherwise. */
export function refusalOf(action: () => unknown): GatewayError {
  try {
    action();
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error('Nothing was refused');
}

/** Code of the refusal, or what was returned. */
export function codeOf(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    if (error instanceof GatewayError) return error.code;
    throw error;
  }
}

/** Milliseconds of this thread an action takes, its refusal included, as {@link ProcessorTime} measures them against a limit. */
export function elapsedMs(action: () => unknown, limitMs = 50): number {
  const time = new ProcessorTime(limitMs);
  for (const _ of time) codeOf(action);
  return time.ms;
}
