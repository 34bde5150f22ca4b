import { epochSecNow } from '../core/clock.ts';
import { sha256Hex } from '../core/identifiers.ts';
import { CONNECT_SESSION_LIFETIME_SEC } from '../core/limits.ts';
import type { Clock, Random } from '../core/ports.ts';
import { type LifecycleEvent, newEvent, sessionIdOf } from '../events/lifecycle-event.rules.ts';
import type { ConnectSession } from './connect-session.rules.ts';
import type { ConnectSessionStore } from './ports.ts';

/** Prefix of a connect session's token, so that it cannot be mistaken for a secret key. */
const TOKEN_PREFIX = 'cs_';

export interface MakeSessionDependencies {
  readonly sessions: Pick<ConnectSessionStore, 'create'>;
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly random: Random;
}

/** What a session permits. */
export type SessionTerms = Pick<
  ConnectSession,
  | 'accountId'
  | 'endUser'
  | 'tags'
  | 'allowedIntegrations'
  | 'defaults'
  | 'reconnect'
  | 'reusable'
  | 'allowAccountChange'
  | 'returnUrl'
  | 'language'
  | 'confirm'
  | 'pick'
  | 'admin'
>;

/** The end user, creator and lifetime of a session. */
export interface SessionMaking {
  /** Undefined where it names no end user. */
  readonly endUserId: string | undefined;
  /** Seconds until it ends. @default the life of a session that begins in the app */
  readonly lifetimeSec?: number | undefined;
  /** The batch of reconnect links that it belongs to. */
  readonly batchId?: string | undefined;
  readonly requestId: string;
  readonly actor: string;
}

/** The only copy of the token; its digest is stored. */
export interface CreatedSession {
  readonly token: string;
  readonly connectLink: string;
  readonly expiresAtEpochSec: number;
}

/**
 * Creates a connect session from checked terms. The link contains the token in its fragment, which no server and no Referer sees
 * (CS-2).
 */
export async function makeSession(
  deps: MakeSessionDependencies,
  terms: SessionTerms,
  { endUserId, lifetimeSec = CONNECT_SESSION_LIFETIME_SEC, batchId, requestId, actor }: SessionMaking,
): Promise<CreatedSession> {
  const token = TOKEN_PREFIX + Buffer.from(deps.random.bytes(32)).toString('base64url');
  const nowEpochSec = epochSecNow(deps.clock);
  const session: ConnectSession = {
    ...terms,
    sessionHash: sha256Hex(token),
    status: 'pending',
    outcome: undefined,
    browserHash: undefined,
    createdAtEpochSec: nowEpochSec,
    expiresAtEpochSec: nowEpochSec + lifetimeSec,
  };
  const event = newEvent(deps.clock, deps.random, 'ConnectSessionCreated', {
    subject: subjectOf(terms),
    sequence: 0,
    endUserId,
    says: { session_id: sessionIdOf(session) },
    requestId,
    actor,
  });
  const { accountId, language } = terms;
  const { sessionHash } = session;
  const place = endUserId === undefined ? undefined : { accountId, endUserId, sessionHash, batchId };
  await deps.sessions.create(session, event, place);
  return {
    token,
    connectLink: `${deps.baseUrl}/connect${language === undefined ? '' : `?language=${language}`}#session_token=${token}`,
    expiresAtEpochSec: session.expiresAtEpochSec,
  };
}

/** The subject of a session's events: its connection, or else the one integration that it allows. */
export function subjectOf({
  accountId,
  reconnect,
  allowedIntegrations,
}: Pick<ConnectSession, 'accountId' | 'reconnect' | 'allowedIntegrations'>): LifecycleEvent['subject'] {
  if (reconnect !== undefined) return { accountId, ...reconnect };
  const [integrationId] = allowedIntegrations;
  return allowedIntegrations.length === 1 && integrationId !== undefined ? { accountId, integrationId } : { accountId };
}
