import type { DeathText } from '../../core/grant-death.ts';

const API_NOT_ENABLED: DeathText = {
  who: 'developer',
  explanation: 'The API is not enabled in the Google Cloud project of the OAuth client.',
  remedy: 'Enable the API in the Google Cloud console (APIs and services, Library), then wait a few minutes.',
};
const SCOPES_MISSING: DeathText = {
  who: 'end_user',
  explanation: 'The user granted fewer scopes than the calls need.',
  remedy: 'Ask the user to connect again and to grant everything that is asked for.',
};
const TOKEN_REFUSED: DeathText = {
  who: 'end_user',
  explanation: 'Google refuses the access token although it was refreshed.',
  remedy: 'Ask the user to connect again.',
};

/**
 * Meanings of Google's reasons for refusing all calls of a connection (Google, "Resolve errors" of Drive and Calendar; "Cloud APIs",
 * ErrorInfo).
 */
export const GOOGLE_CALL_FAULTS: Readonly<Record<string, DeathText>> = {
  accessNotConfigured: API_NOT_ENABLED,
  SERVICE_DISABLED: API_NOT_ENABLED,
  domainPolicy: {
    who: 'workspace_admin',
    explanation: 'The administrator of the user’s domain does not allow this service or app.',
    remedy: 'Ask the Workspace administrator to allow the app and the service (Admin console, Security, API controls).',
  },
  insufficientPermissions: SCOPES_MISSING,
  insufficientScopes: SCOPES_MISSING,
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: SCOPES_MISSING,
  authError: TOKEN_REFUSED,
  '401': TOKEN_REFUSED,
};

/** Where the cause of such a reason is fixed: the page of the API, or an address. Reasons without a console are omitted. */
export const GOOGLE_CALL_FAULT_CONSOLES: Readonly<Record<string, 'api' | `https://${string}`>> = {
  accessNotConfigured: 'api',
  SERVICE_DISABLED: 'api',
  domainPolicy: 'https://admin.google.com/ac/owl',
};
