import type { ClientFaultText } from '../authorization-server.rules.ts';

/** Problems of an OAuth client that Google refuses, by Google's error code. */
export const GOOGLE_CLIENT_FAULTS: Readonly<Record<string, ClientFaultText>> = {
  invalid_client: {
    explanation: 'Google does not accept the client id and secret of this integration, the previous secret included.',
    remedy: 'Copy the client secret from the Google Cloud console again and store it in the integration.',
  },
  deleted_client: {
    explanation: 'The OAuth client of this integration was deleted in the Google Cloud console.',
    remedy:
      'Restore the client in the Google Cloud console (possible for 30 days), or set up another one and have the users connect again.',
  },
  disabled_client: {
    explanation: 'Google has disabled the OAuth client of this integration.',
    remedy:
      'Look for the reason in the Google Cloud console and in the mail of the project’s owners; Google disables clients for breaches of its policies, and an appeal enables them again.',
  },
  redirect_uri_mismatch: {
    explanation: 'The redirect URI of this gateway is not registered with the OAuth client of this integration.',
    remedy: 'Register the gateway’s /oauth/callback address with the OAuth client in the Google Cloud console.',
  },
  unauthorized_client: {
    explanation:
      'Google does not let this OAuth client use the refresh tokens of several of its connections, so the client was probably changed, not the connections.',
    remedy: 'Check in the Google Cloud console that the client still exists and is of type "Web application".',
  },
};
