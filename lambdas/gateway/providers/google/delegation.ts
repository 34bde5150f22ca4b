import type { DeathText } from '../../core/grant-death.ts';
import type { ClientFaultText, DelegationRules } from '../authorization-server.rules.ts';

const LIST =
  'Admin console, Security, Access and data control, API controls, Domain-wide delegation: the numeric client id with every scope of this integration, separated by commas';

const LIST_IT = `Ask the administrator to list it (${LIST}). The gateway asks again every ten minutes, and all connections of the domain come back with the first success.`;

/** Problems of a service account that Google refuses, by the gateway's code. */
export const GOOGLE_DELEGATION_FAULTS: Readonly<Record<string, ClientFaultText>> = {
  service_account_key_refused: {
    explanation: 'Google does not accept the key of this integration’s service account, the previous key included.',
    remedy:
      'Make a new key in the Google Cloud console (IAM, Service accounts, Keys) and store it in the integration, or change it to via aws, which needs no key.',
  },
  service_account_unavailable: {
    explanation: 'The service account of this integration was deleted or disabled.',
    remedy: 'Enable it in the Google Cloud console (IAM, Service accounts), or undelete it within 30 days.',
  },
  federation_refused: {
    explanation:
      'Google does not accept the AWS role of the gateway for the workload identity pool of this integration.',
    remedy:
      'Compare delegation.audience with the full name of the pool’s provider, and the provider’s AWS account with this gateway’s (Google Cloud console, IAM, Workload identity federation).',
  },
  signing_denied: {
    explanation: 'Google does not let the gateway sign for the service account of this integration.',
    remedy:
      'Grant the pool’s principal the role Service Account Token Creator on the service account, and enable the IAM Service Account Credentials API in its project.',
  },
  delegated_scope_invalid: {
    explanation: 'Google does not know one of the scopes of this integration.',
    remedy: 'Correct the scopes of the integration.',
  },
};

/** Why Google gives no token for a user, in words for the person who can fix it. */
const TEXTS = {
  delegation_pending: {
    who: 'workspace_admin',
    explanation:
      'The administrator of the user’s domain has not listed the service account, or Google does not know of it yet: that takes some minutes, and up to 24 hours.',
    remedy: LIST_IT,
  },
  delegation_missing: {
    who: 'workspace_admin',
    explanation: 'The administrator of the user’s domain does not list the service account (any more).',
    remedy: LIST_IT,
  },
  delegation_incomplete: {
    who: 'workspace_admin',
    explanation:
      'One of the scopes of the integration is probably not listed for the service account in the user’s domain.',
    remedy: `Ask the administrator to list all of them (${LIST}); POST /integrations/{id}/delegation/check names the one that is missing. Then ask Google again (POST /connections/{id}/refresh).`,
  },
  account_restricted: {
    who: 'workspace_admin',
    explanation: 'Google or the administrator of the domain restricts this user.',
    remedy: 'Ask the administrator to lift the restriction; then ask Google again (POST /connections/{id}/refresh).',
  },
  admin_restricted: {
    who: 'workspace_admin',
    explanation: 'The API controls of the user’s domain restrict the service or the service account.',
    remedy:
      'Ask the administrator to trust the service account (Admin console, Security, API controls, App access control); then ask Google again (POST /connections/{id}/refresh).',
  },
  account_unavailable: {
    who: 'workspace_admin',
    explanation: 'The user was deleted or suspended in their domain.',
    remedy:
      'Delete the connection, or have the administrator restore the user; then ask Google again (POST /connections/{id}/refresh).',
  },
  subject_unknown: {
    who: 'developer',
    explanation: 'Google knows no user of this address: it was misspelt, renamed, or is an alias or a group.',
    remedy: 'Connect the user’s first address, and delete this connection.',
  },
} as const satisfies Partial<Record<string, DeathText>>;

/**
 * Answers of Google's token endpoint to assertions of service accounts ("Using OAuth 2.0 for Server to Server Applications", JWT error
 * codes; refusals reported by public projects). The first match counts; words in lower case.
 */
export const GOOGLE_DELEGATION: DelegationRules = {
  serviceAccounts: {
    pattern: '^[a-z0-9.-]+@[a-z0-9.-]+\\.gserviceaccount\\.com$',
    looks: 'looks like name@project.iam.gserviceaccount.com',
  },
  pools: {
    pattern:
      '^//iam\\.googleapis\\.com/projects/\\d+/locations/global/workloadIdentityPools/[a-z0-9-]+/providers/[a-z0-9-]+$',
    looks:
      'looks like //iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/my-pool/providers/my-provider',
  },
  adminForm: 'https://admin.google.com/ac/owl/domainwidedelegation',
  answers: [
    { error: 'unauthorized_client', meaning: 'not_listed' },
    { error: 'access_denied', words: 'restricted', meaning: 'user_restricted' },
    { error: 'access_denied', meaning: 'scope_not_listed' },
    { error: 'admin_policy_enforced', meaning: 'admin_policy' },
    { error: 'invalid_grant', words: 'short-lived token', meaning: 'clock' },
    { error: 'invalid_grant', words: 'signature', meaning: 'key_refused' },
    { error: 'invalid_grant', words: 'account not found', meaning: 'robot_gone' },
    { error: 'invalid_grant', words: 'robot is disabled', meaning: 'robot_gone' },
    { error: 'invalid_grant', words: 'deleted', meaning: 'subject_gone' },
    { error: 'invalid_grant', words: 'suspended', meaning: 'subject_gone' },
    { error: 'invalid_grant', words: 'not a valid email', meaning: 'subject_unknown' },
    { error: 'invalid_grant', words: 'invalid email', meaning: 'subject_unknown' },
    { error: 'invalid_request', words: 'impersonation', meaning: 'subject_unknown' },
    { error: 'disabled_client', meaning: 'robot_gone' },
    { error: 'deleted_client', meaning: 'robot_gone' },
    { error: 'invalid_scope', meaning: 'scope_unknown' },
  ],
  faults: {
    key: 'service_account_key_refused',
    account: 'service_account_unavailable',
    federation: 'federation_refused',
    signing: 'signing_denied',
    scope: 'delegated_scope_invalid',
  },
  texts: TEXTS,
};
