import type { ClientFaultText } from '../authorization-server.rules.ts';

/** Meanings of Google's refusals to renew one connection's token that end nothing. */
export const GOOGLE_REFUSALS: Readonly<Record<string, ClientFaultText>> = {
  org_internal: {
    explanation: 'the app admits only accounts of its own organization.',
    remedy:
      'Set the app’s audience to External in the Google Cloud console (Google Auth Platform, Audience), then ask Google again (POST /connections/{id}/refresh), or ask the user to connect an account of that organization.',
  },
  restricted_client: {
    explanation: 'Google does not let the OAuth client have the scopes that were granted.',
    remedy:
      'Look into the app’s verification and its scopes in the Google Cloud console (Google Auth Platform, Verification Center and Data Access), then ask Google again (POST /connections/{id}/refresh).',
  },
};
