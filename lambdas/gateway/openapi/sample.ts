/** Pieces of examples: one made-up integrator with one connection. */

const DRIVE_READONLY = 'https://www.googleapis.com/auth/drive.readonly';
const SCOPES = ['openid', 'https://www.googleapis.com/auth/userinfo.email', DRIVE_READONLY];

export const INTEGRATION = 'google-drive';
export const CONNECTION = 'user-42-drive';
export const SCOPE = {
  scope: DRIVE_READONLY,
  review_class: 'restricted',
  meaning: 'See and download all Drive files.',
};
export const END_USER = { id: 'user-42', email: 'first.user@example.com', display_name: 'First User' };

const END_USER_ANSWER = { ...END_USER, tags: null, organization: null };

const SHARED = {
  id: 4503599627370496,
  connection_id: CONNECTION,
  provider_config_key: INTEGRATION,
  provider: 'google-drive',
  errors: [],
  end_user: END_USER_ANSWER,
  tags: { end_user_id: 'user-42', end_user_email: 'first.user@example.com', end_user_display_name: 'First User' },
  metadata: null,
  status: 'active',
  cause: null,
  provider_account: { subject: '100200300400500600701', email: 'first.user@example.com' },
};

export const NAMED_CONNECTION = { ...SHARED, created: '2026-03-01T11:50:00.000Z' };

const HEALTH = { status: 'active', reason: null, certain: null, since: null, ends_at: null };

export const LIST_ITEM = { ...NAMED_CONNECTION, health: HEALTH };

export const CONNECTION_ANSWER = {
  ...SHARED,
  connection_config: {},
  webhook_url_override: null,
  created_at: '2026-03-01T11:50:00.000Z',
  updated_at: '2026-03-01T11:50:00.000Z',
  last_fetched_at: null,
  credentials: {},
  death: null,
  refresh_refusal: null,
  call_fault: null,
  requested_scopes: SCOPES,
  granted_scopes: SCOPES,
  missing_scopes: [],
  consented_at: '2026-03-01T11:50:00.000Z',
  access_token_expires_at: '2026-03-01T12:49:59.000Z',
  last_used_at: null,
  last_refreshed_at: null,
  health: HEALTH,
  budget: null,
  shares_grant_with: 0,
  forecasts: { testing_mode_ends_at: '2026-03-08T11:50:00.000Z', access_ends_at: null, refresh_token_limit: null },
};

export const INTEGRATION_ANSWER = {
  unique_key: INTEGRATION,
  provider: 'google-drive',
  display_name: 'Google Drive',
  public_name: null,
  public_names: null,
  logo: 'https://ssl.gstatic.com/images/branding/product/2x/drive_2020q4_48dp.png',
  forward_webhooks: false,
  created_at: '2026-03-01T10:00:00.000Z',
  updated_at: '2026-03-01T10:00:00.000Z',
  scopes: [DRIVE_READONLY],
  kind: 'oauth',
  delegation: null,
  credentials_source: 'test',
  publishing_status: 'testing',
  audience: 'external',
  mode: 'test',
  include_granted_scopes: false,
  hosted_domain: null,
  agentic: false,
  budget: null,
  quota: null,
  managed_by: null,
  testing_seen_at: null,
  credentials_fault: null,
  health: {
    status: 'working',
    reason: null,
    certain: null,
    since: '2026-03-01T11:50:00.000Z',
    who: null,
    remedy: null,
  },
};
