import type { Connection } from '../../../client/src/index.ts';

/** A connection with the given facts and unremarkable others. */
export function connection(facts: Partial<Connection>): Connection {
  return {
    id: 1,
    connectionId: 'one',
    providerConfigKey: 'google-drive',
    provider: 'google-drive',
    status: 'active',
    cause: undefined,
    endUser: undefined,
    tags: {},
    metadata: undefined,
    providerAccount: undefined,
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
    diagnosis: undefined,
    requestedScopes: [],
    grantedScopes: [],
    missingScopes: [],
    consentedAt: undefined,
    accessTokenExpiresAt: undefined,
    lastUsedAt: undefined,
    lastRefreshedAt: undefined,
    health: undefined,
    sharesGrantWith: undefined,
    forecasts: { testingModeEndsAt: undefined, accessEndsAt: undefined, refreshTokenLimit: undefined },
    credentials: undefined,
    ...facts,
  };
}
