/** One account with one connection, as every measurement uses it, and the call that names it. */

import type { Connection } from '../../lambdas/gateway/connections/connection.rules.ts';
import { sha256Hex } from '../../lambdas/gateway/core/identifiers.ts';
import { DATA_KEY_ROTATION_SEC } from '../../lambdas/gateway/core/limits.ts';
import type { Integration } from '../../lambdas/gateway/integrations/integration.rules.ts';
import { formatSecretKey, type SecretKeyRecord } from '../../lambdas/gateway/keys/credentials.rules.ts';
import { systemRandom } from '../../lambdas/gateway/platform/clock.ts';
import { type DataKeys, tokenCipher } from '../../lambdas/gateway/platform/kms/token-cipher.ts';
import { accessTokenContext } from '../../lambdas/gateway/tokens/ciphertexts.rules.ts';

const ACCOUNT_ID = 'default';
const INTEGRATION_ID = 'google-drive';
const CONNECTION_ID = 'first-user';
const CREATED_AT = '2026-01-01T00:00:00.000Z';
/** As long as Google's access tokens are. */
const ACCESS_TOKEN = `ya29.${'a'.repeat(200)}`;
const DAY_SEC = 24 * 3600;

const SECRET_KEY = formatSecretKey(ACCOUNT_ID, 'k'.repeat(43));

/** The plain data key of every period: the emulated KMS hands it out, nothing here is secret. */
export const DATA_KEY = Buffer.alloc(32, 7);

/** Data keys without a table and without KMS. */
export function memoryDataKeys(): DataKeys {
  return {
    current: async () => ({ keyNumber: Math.floor(Date.now() / 1000 / DATA_KEY_ROTATION_SEC), key: DATA_KEY }),
    byNumber: async () => DATA_KEY,
  };
}

/** Path and query of the small call. */
export const SMALL_TARGET = '/drive/v3/files?pageSize=10&fields=files(id%2Cname)';

/** Path and query of a download, and how long the provider takes to begin it. */
export function downloadTarget(bytes: number, delayMs = 0): string {
  const delay = delayMs === 0 ? '' : `&delayMs=${delayMs}`;
  return `/drive/v3/files/1A2b3C4d5E6f7G8h9I0j?alt=media&bytes=${bytes}${delay}`;
}

/** Headers of every call: what a backend sends, and the three that name key, integration and connection. */
export const CALL_HEADERS: Readonly<Record<string, string>> = {
  Authorization: `Bearer ${SECRET_KEY}`,
  'Provider-Config-Key': INTEGRATION_ID,
  'Connection-Id': CONNECTION_ID,
  Accept: 'application/json',
  'Accept-Encoding': 'gzip, deflate, br',
  'User-Agent': 'bench/1.0',
};

/** The records behind the call. */
export interface SampleRecords {
  readonly key: SecretKeyRecord;
  readonly integration: Integration;
  readonly connection: Connection;
}

/** Records that are valid for a day from now, the token encrypted as the gateway stores it. */
export async function sampleRecords(nowMs: number): Promise<SampleRecords> {
  const ref = { accountId: ACCOUNT_ID, integrationId: INTEGRATION_ID, connectionId: CONNECTION_ID };
  const cipher = tokenCipher(memoryDataKeys(), systemRandom);
  const nowEpochSec = Math.floor(nowMs / 1000);
  return {
    key: {
      accountId: ACCOUNT_ID,
      keyHash: sha256Hex(SECRET_KEY),
      name: 'bench',
      right: 'full',
      integrationIds: undefined,
      canReadCredentials: false,
      createdAt: CREATED_AT,
      createdBy: undefined,
      lastUsedAtEpochSec: undefined,
      revokedAt: undefined,
    },
    integration: {
      accountId: ACCOUNT_ID,
      integrationId: INTEGRATION_ID,
      provider: 'google-drive',
      displayName: 'Google Drive',
      credentialsSource: 'test',
      clientId: undefined,
      secretId: undefined,
      scopes: [],
      publishingStatus: 'production',
      audience: 'external',
      mode: 'test',
      includeGrantedScopes: true,
      clientFault: undefined,
      sequence: 1,
      version: 1,
      createdAt: CREATED_AT,
      updatedAt: CREATED_AT,
    },
    connection: {
      ...ref,
      provider: 'google-drive',
      status: 'active',
      death: undefined,
      encryptedAccessToken: await cipher.encrypt(accessTokenContext(ref), ACCESS_TOKEN),
      encryptedRefreshToken: undefined,
      accessTokenExpiresAtEpochSec: nowEpochSec + DAY_SEC,
      requestedScopes: [],
      grantedScopes: [],
      clientId: '1-bench.apps.example',
      providerAccount: { subject: '1', email: 'first.user@example.com' },
      consentedAtEpochSec: nowEpochSec - DAY_SEC,
      refreshTokenExpiresAtEpochSec: undefined,
      epoch: 1,
      tokenEpoch: 1,
      refreshLease: undefined,
      attemptId: undefined,
      attemptHash: undefined,
      lostHash: undefined,
      retryAtEpochSec: undefined,
      failureCount: 0,
      refreshAtEpochSec: nowEpochSec + DAY_SEC,
      lastUsedAtEpochSec: nowEpochSec,
      lastRefreshedAtEpochSec: nowEpochSec,
      sequence: 1,
      numericId: 1,
      endUser: undefined,
      tags: {},
      metadata: undefined,
      createdAt: CREATED_AT,
      updatedAt: CREATED_AT,
    },
  };
}
