/** What is wrong with an OAuth client the provider refuses, and how to mend it: for the developer, never the end user. */
export interface ClientFaultExplanation {
  readonly explanation: string;
  readonly remedy: string;
}

const KNOWN: Readonly<Record<string, ClientFaultExplanation>> = {
  invalid_client: {
    explanation: 'Google does not accept the client id and secret of this integration, the previous secret included.',
    remedy: 'Copy the client secret from the Google Cloud console again and store it in the integration.',
  },
  deleted_client: {
    explanation: 'The OAuth client of this integration was deleted in the Google Cloud console.',
    remedy:
      'Restore the client in the Google Cloud console (possible for 30 days), or set up another one and have the users connect again.',
  },
  unauthorized_client: {
    explanation: 'Google does not let this OAuth client use refresh tokens.',
    remedy: 'Check that the client is of type "Web application" and is not disabled in the Google Cloud console.',
  },
  credentials_missing: {
    explanation: 'No OAuth client is set up for this integration.',
    remedy: 'Store client id and secret in the integration.',
  },
};

/**
 * Explains a client fault by the provider's error code (RFC 6749 section 5.2 and Google's own codes). Connections are
 * not at fault and none of them is marked.
 */
export function explainClientFault(error: string): ClientFaultExplanation {
  return (
    KNOWN[error] ?? {
      explanation: `Google refuses the token requests of this integration (${error}).`,
      remedy: 'Check the OAuth client of this integration in the Google Cloud console.',
    }
  );
}
