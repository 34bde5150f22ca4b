import type { Connection } from '../../../../lambdas/gateway/connections/connection.rules.ts';
import { keptPrints } from '../../../../lambdas/gateway/core/identifiers.ts';
import type { Integration } from '../../../../lambdas/gateway/integrations/integration.rules.ts';
import { connection as base } from '../../support/connection.ts';

/** Start of every test's time, epoch seconds. */
export const START_SEC = 1_800_000_000;

/** A live connection whose access token has just expired; `changes` win. */
export function connection(changes: Partial<Connection> = {}): Connection {
  // A delegated connection has no refresh token, so no statement can name one.
  const tokenPrints = changes.delegated === true ? undefined : keptPrints('refresh-0', true);
  return base({
    connectionId: 'c1',
    encryptedAccessToken: 'enc:access-0',
    encryptedRefreshToken: 'enc:refresh-0',
    tokenPrints,
    accessTokenExpiresAtEpochSec: START_SEC - 1,
    requestedScopes: ['https://www.googleapis.com/auth/drive.readonly'],
    grantedScopes: ['https://www.googleapis.com/auth/drive.readonly'],
    clientId: '123-test.apps.googleusercontent.com',
    providerAccount: { subject: 'subject-1', email: 'first.user@example.com' },
    consentedAtEpochSec: START_SEC - 7200,
    refreshAtEpochSec: START_SEC - 700,
    lastUsedAtEpochSec: START_SEC - 60,
    lastRefreshedAtEpochSec: START_SEC - 3600,
    createdAt: '2027-01-15T00:00:00.000Z',
    updatedAt: '2027-01-15T00:00:00.000Z',
    ...changes,
  });
}

/** A working integration; `changes` win. */
export function integration(changes: Partial<Integration> = {}): Integration {
  return {
    accountId: 'default',
    integrationId: 'drive',
    provider: 'google-drive',
    displayName: 'Drive',
    credentialsSource: 'own',
    clientId: '123-test.apps.googleusercontent.com',
    secretId: 'secret',
    scopes: [],
    publishingStatus: 'production',
    clientWorksSinceEpochSec: 1,
    audience: 'external',
    mode: 'test',
    includeGrantedScopes: false,
    clientFault: undefined,
    sequence: 1,
    version: 1,
    createdAt: '2027-01-15T00:00:00.000Z',
    updatedAt: '2027-01-15T00:00:00.000Z',
    ...changes,
  };
}
