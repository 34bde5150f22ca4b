import type { FlowErrors } from '../authorization-server.rules.ts';

/**
 * How Google ends a flow in addition to the standard codes: those it documents ("Using OAuth 2.0 for Web Server Applications", "Unverified
 * apps"; Google Cloud help 15549945 on `org_internal`), and those that apps have reported.
 */
export const GOOGLE_FLOW_ERRORS: FlowErrors = {
  callback: {
    admin_policy_enforced: 'admin_blocked',
    policy_enforced: 'account_protected',
    org_internal: 'organization_only',
    rate_limit_exceeded: 'provider_trouble',
    invalid_client: 'app_misconfigured',
    deleted_client: 'app_misconfigured',
    disabled_client: 'app_disabled',
    restricted_client: 'app_misconfigured',
    redirect_uri_mismatch: 'app_misconfigured',
  },
  // The user has not cancelled: Google blocks the account for every app.
  described: [{ error: 'access_denied', words: 'account restricted', meaning: 'account_restricted' }],
  exchange: {
    admin_policy_enforced: 'admin_blocked',
    policy_enforced: 'account_protected',
    org_internal: 'organization_only',
    // The user has consented by now, so the refusal is not theirs.
    access_denied: 'account_restricted',
  },
};
