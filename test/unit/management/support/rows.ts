import type { Connection } from '../../../../lambdas/gateway/connections/connection.rules.ts';
import type { GrantDeath } from '../../../../lambdas/gateway/core/grant-death.ts';
import type { Integration } from '../../../../lambdas/gateway/integrations/integration.rules.ts';
import { accessTokenContext, refreshTokenContext } from '../../../../lambdas/gateway/tokens/ciphertexts.rules.ts';
import { connection } from '../../support/connection.ts';
import { memoryCipher } from './memory-cipher.ts';

const READONLY = 'https://www.googleapis.com/auth/drive.readonly';

/** An integration as the table holds it. */
export function integrationRow(fields: Partial<Integration> = {}): Integration {
  return {
    accountId: 'default',
    integrationId: 'drive',
    provider: 'google-drive',
    displayName: 'Google Drive',
    credentialsSource: 'test',
    clientId: undefined,
    secretId: undefined,
    scopes: [READONLY],
    publishingStatus: 'testing',
    audience: 'external',
    mode: 'test',
    includeGrantedScopes: false,
    clientFault: undefined,
    sequence: 1,
    version: 1,
    createdAt: '2026-02-01T00:00:00.000Z',
    updatedAt: '2026-02-01T00:00:00.000Z',
    ...fields,
  };
}

let created = 0;

/** A live connection as the table holds it, with tokens named after its id. */
export async function connectionRow(fields: Partial<Connection> = {}): Promise<Connection> {
  const ref = {
    accountId: fields.accountId ?? 'default',
    integrationId: fields.integrationId ?? 'drive',
    connectionId: fields.connectionId ?? 'first',
  };
  const consentedAt = Date.parse('2026-03-01T11:50:00Z') / 1000;
  return connection({
    ...ref,
    encryptedAccessToken: await memoryCipher.encrypt(accessTokenContext(ref), `access-of-${ref.connectionId}`),
    encryptedRefreshToken: await memoryCipher.encrypt(refreshTokenContext(ref), `refresh-of-${ref.connectionId}`),
    accessTokenExpiresAtEpochSec: consentedAt + 3600,
    requestedScopes: ['openid', 'email', READONLY],
    grantedScopes: ['openid', 'email', READONLY],
    clientId: '900-test',
    providerAccount: { subject: `subject-of-${ref.connectionId}`, email: 'first.user@example.com' },
    consentedAtEpochSec: consentedAt,
    refreshAtEpochSec: consentedAt + 3000,
    numericId: 1_000_000 + created++,
    endUser: { id: 'user-1', email: 'first.user@example.com', displayName: null, tags: null, organization: null },
    tags: { end_user_id: 'user-1', end_user_email: 'first.user@example.com' },
    createdAt: '2026-03-01T11:50:00.000Z',
    updatedAt: '2026-03-01T11:50:00.000Z',
    ...fields,
  });
}

/** A grant that has ended for sure. */
export const DEATH: GrantDeath = {
  status: 'reauthorization_required',
  cause: 'user_revoked',
  certain: false,
  likelyCauses: [
    {
      cause: 'user_revoked',
      likelihood: 0.75,
      who: 'end_user',
      explanation: 'The user removed the app.',
      remedy: 'Ask the user to connect again.',
    },
  ],
  remedy: 'Ask the user to connect again.',
  providerError: 'invalid_grant',
  since: '2026-03-01T11:55:00.000Z',
};
