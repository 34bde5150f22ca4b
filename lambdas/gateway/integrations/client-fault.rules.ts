import { CLIENT_SUSPICION_CONNECTIONS, CLIENT_SUSPICION_WINDOW_SEC } from '../core/limits.ts';

/** What is wrong with an OAuth client the provider refuses, and how to mend it: for the developer, never the end user. */
export interface ClientFaultExplanation {
  readonly explanation: string;
  readonly remedy: string;
}

/** The answers of a token endpoint that are about the OAuth client, whoever's token was sent: a closed list (TK-4). */
const CLIENT_FAULTS: ReadonlySet<string> = new Set([
  'invalid_client',
  'deleted_client',
  'disabled_client',
  'redirect_uri_mismatch',
]);

/** Whether a token endpoint's error concerns the integration's OAuth client, and so every connection of it. */
export function isClientFault(error: string): boolean {
  return CLIENT_FAULTS.has(error);
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
      'Google does not let this OAuth client use the refresh tokens of several of its connections, so probably the client was changed and not they.',
    remedy: 'Check in the Google Cloud console that the client still exists and is of type "Web application".',
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
  // Codes come from outside: one that is named like a member of every object is not in the list.
  const known = Object.hasOwn(KNOWN, error) ? KNOWN[error] : undefined;
  return (
    known ?? {
      explanation: `Google answers the token requests of several connections of this integration with "${error}", so probably its OAuth client is the cause and not they.`,
      remedy: 'Check the OAuth client of this integration in the Google Cloud console.',
    }
  );
}

/** What the caller of one connection is told when the provider refuses its refresh token for a reason that ends nothing. */
export function explainRefusal(error: string): string {
  return error === 'unauthorized_client'
    ? 'Google refuses the refresh token of this connection (unauthorized_client): it was probably issued to another OAuth client. No other connection is affected; if it stays so, ask the user to connect again.'
    : `Google refuses to renew the token of this connection ("${error}"). No other connection is affected; the gateway goes on trying, and if it stays so, ask the user to connect again.`;
}

/**
 * An answer of the token endpoint that is in no list. It belongs to the connection that got it; only when several connections
 * of an integration get the same one, and none of them is refreshed meanwhile, does it point at the OAuth client (TK-4).
 */
export interface SuspectedFault {
  /** The provider's error code. */
  readonly error: string;
  /** When the first of them got it; the window counts from here. */
  readonly sinceEpochSec: number;
  /** Ids of the distinct connections that got it, as many as it takes to agree and no more. */
  readonly connectionIds: readonly string[];
  /** A connection of the integration was refreshed since: the answer is not about the client. */
  readonly refuted: boolean;
}

/** What an answer adds to what is suspected. `next` is to be stored where it differs from what is there. */
export interface Suspicion {
  readonly next: SuspectedFault;
  /** Enough connections agree, and nothing speaks against them. */
  readonly agreed: boolean;
}

/**
 * Weighs one more unlisted answer. A suspicion that is refuted, agreed on or holds this connection already stays as it is, so
 * that an integration's record is written a few times per window and not once per answer.
 */
export function suspect(
  current: SuspectedFault | undefined,
  error: string,
  connectionId: string,
  nowEpochSec: number,
): Suspicion {
  const counts =
    current?.error === error && nowEpochSec - current.sinceEpochSec < CLIENT_SUSPICION_WINDOW_SEC ? current : undefined;
  if (counts === undefined) {
    return {
      next: { error, sinceEpochSec: nowEpochSec, connectionIds: [connectionId], refuted: false },
      agreed: false,
    };
  }
  if (counts.refuted) return { next: counts, agreed: false };
  const known = counts.connectionIds.includes(connectionId) || areEnough(counts);
  const next = known ? counts : { ...counts, connectionIds: [...counts.connectionIds, connectionId] };
  return { next, agreed: areEnough(next) };
}

function areEnough({ connectionIds }: SuspectedFault): boolean {
  return connectionIds.length >= CLIENT_SUSPICION_CONNECTIONS;
}
