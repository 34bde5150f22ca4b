import { CLIENT_SUSPICION_CONNECTIONS, CLIENT_SUSPICION_WINDOW_SEC } from '../core/limits.ts';

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
