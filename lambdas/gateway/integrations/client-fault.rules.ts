import { CLIENT_SUSPICION_CONNECTIONS, CLIENT_SUSPICION_WINDOW_SEC } from '../core/limits.ts';
import { type AuthorizationServer, type ClientFaultText, named } from '../providers/authorization-server.rules.ts';

const COMMON: Readonly<Record<string, ClientFaultText>> = {
  invalid_client: {
    explanation:
      '{provider} does not accept the client id and secret of this integration, the previous secret included.',
    remedy: 'Copy the client secret from {provider} again and store it in the integration.',
  },
  unauthorized_client: {
    explanation:
      '{provider} does not let this OAuth client use the refresh tokens of several of its connections, so the client was probably changed, not the connections.',
    remedy: 'Check at {provider} that the client still exists and may use refresh tokens.',
  },
  credentials_missing: {
    explanation: 'No OAuth client is set up for this integration.',
    remedy: 'Store client id and secret in the integration.',
  },
};

/**
 * Explains a client fault by the provider's error code (RFC 6749 section 5.2 and the server's own codes). No connection is at fault or
 * marked.
 */
export function explainClientFault(error: string, server: AuthorizationServer): ClientFaultText {
  // Codes come from outside, so names of built-in object members must not match.
  const known = [server.clientFaults ?? {}, COMMON].find((texts) => Object.hasOwn(texts, error))?.[error] ?? {
    explanation: `{provider} answers the token requests of several connections of this integration with "${error}", so its OAuth client is probably the cause, not the connections.`,
    remedy: `Check the OAuth client of this integration ${server.consoleName ?? 'at {provider}'}.`,
  };
  return { explanation: named(known.explanation, server), remedy: named(known.remedy, server) };
}

/** The meaning of a standard code that refuses one connection's refresh token (RFC 6749 section 5.2). */
const COMMON_REFUSALS: Readonly<Record<string, ClientFaultText>> = {
  unauthorized_client: {
    explanation: 'the refresh token was probably issued to another OAuth client.',
    remedy: 'Restore the OAuth client that the user consented to, or ask the user to connect again.',
  },
  invalid_scope: {
    explanation: 'the scopes that were granted are not what {provider} gives the app any more.',
    remedy: `Check the scopes of the app {console}, then ask the user to connect again.`,
  },
};

/**
 * The explanation for a connection whose tokens the provider does not renew for a reason that ends nothing: the code, its known
 * meaning, and the remedy. An unknown code is quoted without a meaning. The same text in every response while it lasts.
 *
 * @param error the provider's error code, or the kind of its answer, such as `http_403`
 */
export function explainRefusal(error: string, server: AuthorizationServer): ClientFaultText {
  // Codes come from outside, so names of built-in object members must not match.
  const known = [server.refusals ?? {}, COMMON_REFUSALS].find((texts) => Object.hasOwn(texts, error))?.[error];
  const status = /^http_(\d{3})$/.exec(error)?.[1];
  const word = status === undefined ? `"${error}"` : `HTTP ${status}`;
  const explanation =
    known !== undefined
      ? `{provider} does not renew the token of this connection (${error}): ${known.explanation}`
      : error === 'unusable_token_response'
        ? '{provider} does not renew the token of this connection: its answer holds no token that can be used.'
        : `{provider} does not renew the token of this connection and answers ${word}.`;
  const remedy =
    known?.remedy ??
    'Look up what {provider} says of it and check the OAuth client {console}; then ask again (POST /connections/{id}/refresh). If {provider} answers the same, ask the user to connect again, which makes a new grant.';
  const inWords = (sentence: string) =>
    named(sentence.replaceAll('{console}', server.consoleName ?? 'at {provider}'), server);
  return { explanation: inWords(explanation), remedy: inWords(remedy) };
}

/**
 * An unlisted answer of the token endpoint. It concerns the connection that got it. Only when several connections of an integration get
 * the same one, and none of them is refreshed meanwhile, is the OAuth client suspected (TK-4).
 */
export interface SuspectedFault {
  /** The provider's error code. */
  readonly error: string;
  /** When the first of them got it; the window counts from here. */
  readonly sinceEpochSec: number;
  /** Ids of the distinct connections that got it, up to the number required. */
  readonly connectionIds: readonly string[];
  /** A connection of the integration was refreshed since, so the answer does not concern the client. */
  readonly refuted: boolean;
}

/** The effect of an answer on the suspicion. `next` is to be stored where it differs from the stored one. */
export interface Suspicion {
  readonly next: SuspectedFault;
  /** Enough connections agree, and none was refreshed. */
  readonly agreed: boolean;
}

/**
 * Adds one more unlisted answer. A suspicion that is refuted, confirmed or contains this connection already stays unchanged, so that an
 * integration's record is written a few times per window instead of once per answer.
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
