import { REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT, UNUSED_GRANT_LIFETIME_SEC } from '../../core/limits.ts';
import type { AuthorizationServer } from '../authorization-server.rules.ts';
import { GOOGLE_CAUSES } from './causes.ts';
import { GOOGLE_CLIENT_FAULTS } from './client-faults.ts';
import { GOOGLE_DELEGATION, GOOGLE_DELEGATION_FAULTS } from './delegation.ts';
import { GOOGLE_FLOW_ERRORS } from './flow-errors.ts';
import { GOOGLE_FLOW_TEXTS } from './flow-texts.rules.ts';
import { GOOGLE_REFUSALS } from './refusals.ts';
import { GOOGLE_SCOPE_PREFIX } from './scope-aliases.rules.ts';

/** Where OAuth clients are made at Google. */
export const GOOGLE_CLIENTS_URL = 'https://console.cloud.google.com/auth/clients/create';

/** Google's authorization server ("Using OAuth 2.0 for Web Server Applications", "OpenID Connect", developers.google.com). */
export const google: AuthorizationServer = {
  id: 'google',
  displayName: 'Google',
  addresses: {
    issuer: 'https://accounts.google.com',
    authorizationEndpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenEndpoint: 'https://oauth2.googleapis.com/token',
    revocationEndpoint: 'https://oauth2.googleapis.com/revoke',
    userinfoEndpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
    jwksUri: 'https://www.googleapis.com/oauth2/v3/certs',
    apiBaseUrl: 'https://www.googleapis.com',
    tokenExchangeEndpoint: 'https://sts.googleapis.com/v1/token',
    serviceAccountsEndpoint: 'https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts',
  },
  // ID tokens contain either ("OpenID Connect").
  issuerSpellings: ['https://accounts.google.com', 'accounts.google.com'],
  // A project's number, in newer ids followed by a name ("Setting up OAuth 2.0").
  clientIds: {
    pattern: '^\\d+(?:-[A-Za-z0-9_-]+)?\\.apps\\.googleusercontent\\.com$',
    looks:
      'looks like 123456789012-abc….apps.googleusercontent.com: copy it from the Google Cloud console, Google Auth Platform, Clients',
  },
  authorization: {
    // Without both no refresh token comes (OA-19).
    parameters: { access_type: 'offline', prompt: 'consent' },
    identityScopes: ['openid', 'email'],
    scopePrefix: GOOGLE_SCOPE_PREFIX,
    understands: ['login_hint', 'hd', 'hl', 'include_granted_scopes', 'select_account'],
    errors: GOOGLE_FLOW_ERRORS,
  },
  account: { from: 'id_token' },
  tokens: {
    errors: {
      admin_policy_enforced: 'dead_grant',
      // For an account in the Advanced Protection Program; not in Google's documentation, but reported by several apps.
      policy_enforced: 'dead_grant',
      access_denied: 'dead_grant',
      deleted_client: 'client_fault',
      disabled_client: 'client_fault',
      redirect_uri_mismatch: 'client_fault',
      internal_failure: 'transient',
      rate_limit_exceeded: 'transient',
    },
    unknownClient: 'The OAuth client was not found.',
    announcesEnd: true,
  },
  grants: {
    sharedInProject: true,
    endsAreStated: true,
    refreshTokensPerAccount: REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT,
    hasTestingMode: true,
    unusedLifetimeSec: UNUSED_GRANT_LIFETIME_SEC,
    namedCauses: {
      admin_policy_enforced: 'admin_restricted',
      policy_enforced: 'advanced_protection',
      invalid_rapt: 'session_length_over',
      rapt_required: 'session_length_over',
    },
    causes: GOOGLE_CAUSES,
  },
  consoleName: 'in the Google Cloud console',
  scopeRefusals: ['insufficientPermissions', 'insufficientScopes'],
  clientFaults: { ...GOOGLE_CLIENT_FAULTS, ...GOOGLE_DELEGATION_FAULTS },
  delegation: GOOGLE_DELEGATION,
  refusals: GOOGLE_REFUSALS,
  flowTexts: GOOGLE_FLOW_TEXTS,
};
