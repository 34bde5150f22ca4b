/** The connections that the sweep's benchmark refreshes, and the integration they belong to. */

import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import type { Integration } from '../../../lambdas/gateway/integrations/integration.rules.ts';
import { systemRandom } from '../../../lambdas/gateway/platform/clock.ts';
import { tokenCipher } from '../../../lambdas/gateway/platform/kms/token-cipher.ts';
import { accessTokenContext, refreshTokenContext } from '../../../lambdas/gateway/tokens/ciphertexts.rules.ts';
import { memoryDataKeys } from '../sample.ts';

const CREATED_AT = '2026-01-01T00:00:00.000Z';
const SCOPE = 'https://www.googleapis.com/auth/drive.readonly';
const DAY_SEC = 86_400;

/** OAuth client of every connection here. */
export const CLIENT_ID = '123456789012-bench.apps.googleusercontent.com';

/** Encrypts as the gateway does, with a data key in memory: KMS is asked once in a quarter of an hour, not per connection. */
export const cipher = tokenCipher(memoryDataKeys(), systemRandom);

/** The integration behind the connections. */
export const INTEGRATION: Integration = {
  accountId: 'default',
  integrationId: 'google-drive',
  provider: 'google-drive',
  displayName: 'Google Drive',
  credentialsSource: 'own',
  clientId: CLIENT_ID,
  secretId: 'bench',
  scopes: [],
  publishingStatus: 'production',
  audience: 'external',
  mode: 'live',
  includeGrantedScopes: false,
  clientFault: undefined,
  sequence: 1,
  version: 1,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
};

/** A connection that is due at a moment, epoch seconds, its tokens as long and as well encrypted as real ones. */
export async function dueConnection(number: number, refreshAtEpochSec: number): Promise<Connection> {
  const row = idleConnection(number, refreshAtEpochSec);
  return {
    ...row,
    encryptedAccessToken: await cipher.encrypt(accessTokenContext(row), `ya29.${'a'.repeat(200)}`),
    encryptedRefreshToken: await cipher.encrypt(refreshTokenContext(row), `1//${'r'.repeat(100)}`),
  };
}

/** A connection nobody will look at: everything but the length of its tokens is as in a real one. */
export function idleConnection(number: number, refreshAtEpochSec: number): Connection {
  return {
    accountId: INTEGRATION.accountId,
    integrationId: INTEGRATION.integrationId,
    connectionId: `connection-${number}`,
    provider: INTEGRATION.provider,
    status: 'active',
    death: undefined,
    encryptedAccessToken: 'none',
    encryptedRefreshToken: 'none',
    accessTokenExpiresAtEpochSec: refreshAtEpochSec + 600,
    requestedScopes: [SCOPE],
    grantedScopes: [SCOPE],
    clientId: CLIENT_ID,
    providerAccount: { subject: `1${String(number).padStart(20, '0')}`, email: `user-${number}@example.com` },
    consentedAtEpochSec: refreshAtEpochSec - DAY_SEC,
    refreshTokenExpiresAtEpochSec: undefined,
    epoch: 1,
    tokenEpoch: 1,
    refreshLease: undefined,
    attemptId: undefined,
    attemptHash: undefined,
    lostHash: undefined,
    retryAtEpochSec: undefined,
    failureCount: 0,
    refreshAtEpochSec,
    lastUsedAtEpochSec: refreshAtEpochSec - 60,
    lastRefreshedAtEpochSec: refreshAtEpochSec - 3_000,
    sequence: 1,
    numericId: number + 1,
    endUser: { id: `user-${number}`, email: null, displayName: null, tags: null, organization: null },
    tags: {},
    metadata: undefined,
    createdAt: CREATED_AT,
    updatedAt: CREATED_AT,
  };
}
