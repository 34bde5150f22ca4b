/** Answers of the management API as they stand on the wire, and what the library makes of them. */
import { expect } from 'vitest';
import type { Stub } from './stub.ts';

/** Method, path below the stage, and parsed body of the only request; it names no connection in its headers. */
export function managementCall(stub: Stub): [string, string, unknown] {
  expect(stub.arrived.length).toBe(1);
  const { method, target, headers, body } = stub.last();
  expect(headers).not.toHaveProperty('connection-id');
  return [method, target.replace('/v1', ''), body.length === 0 ? undefined : JSON.parse(body.toString())];
}

export const INTEGRATION_ON_THE_WIRE = {
  unique_key: 'drive',
  provider: 'google-drive',
  display_name: 'Drive',
  logo: 'https://example.com/drive.svg',
  forward_webhooks: false,
  created_at: '2026-10-01T00:00:00.000Z',
  updated_at: '2026-10-02T00:00:00.000Z',
  scopes: ['https://www.googleapis.com/auth/drive.file'],
  credentials_source: 'own',
  publishing_status: 'testing',
  audience: 'external',
  mode: 'test',
  include_granted_scopes: false,
  hosted_domain: 'workspace.example',
  credentials_fault: {
    error: 'invalid_client',
    since: '2026-11-01T00:00:00.000Z',
    retry_at: '2026-11-01T00:01:00.000Z',
  },
};

const SHARED = {
  id: 42,
  connection_id: 'user-1',
  provider_config_key: 'google-drive',
  provider: 'google-drive',
  errors: [{ type: 'auth', log_id: 'user-1' }],
  end_user: {
    id: 'u',
    display_name: null,
    email: 'first.user@example.com',
    tags: null,
    organization: { id: 'o', display_name: 'O' },
  },
  tags: { end_user_id: 'u' },
  metadata: { Some_Key: [1] },
  status: 'reauthorization_required',
  provider_account: { subject: '123', email: 'first.user@example.com' },
  cause: 'user_revoked',
};

export const LIST_ITEM_ON_THE_WIRE = { ...SHARED, created: '2026-10-01T00:00:00.000Z' };

export const SUMMARY = {
  id: 42,
  connectionId: 'user-1',
  providerConfigKey: 'google-drive',
  provider: 'google-drive',
  status: 'reauthorization_required',
  cause: 'user_revoked',
  endUser: { id: 'u', email: 'first.user@example.com', organization: { id: 'o', displayName: 'O' } },
  tags: { end_user_id: 'u' },
  metadata: { Some_Key: [1] },
  providerAccount: { subject: '123', email: 'first.user@example.com' },
  createdAt: '2026-10-01T00:00:00.000Z',
};

export const CONNECTION_ON_THE_WIRE = {
  ...SHARED,
  created_at: '2026-10-01T00:00:00.000Z',
  updated_at: '2026-10-02T00:00:00.000Z',
  credentials: {},
  death: {
    status: 'reauthorization_required',
    cause: 'user_revoked',
    certain: false,
    likely_causes: [{ cause: 'user_revoked', likelihood: 0.75, who: 'end_user', explanation: 'e', remedy: 'r' }],
    remedy: 'r',
    since: '2026-11-01T00:00:00.000Z',
  },
  requested_scopes: ['a', 'b'],
  granted_scopes: ['a'],
  missing_scopes: ['b'],
  consented_at: '2026-10-01T00:00:00.000Z',
  access_token_expires_at: '2026-10-01T01:00:00.000Z',
  last_used_at: null,
  last_refreshed_at: null,
  shares_grant_with: 2,
  forecasts: {
    testing_mode_ends_at: '2026-11-30T00:00:00.000Z',
    access_ends_at: null,
    refresh_token_limit: { live: 93, limit: 100 },
  },
};
