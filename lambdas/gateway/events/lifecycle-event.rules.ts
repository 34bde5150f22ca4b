import { HEARTBEAT_EVENT_TYPE } from '../core/contract.ts';
import { type ConnectionRef, type IntegrationRef, keyIdOf, ulid } from '../core/identifiers.ts';
import type { Clock, Random } from '../core/ports.ts';
import { formerCause, type SaidMember } from './event-detail.rules.ts';

/** Everything the gateway reports on its bus and keeps as its audit trail. */
export const LIFECYCLE_EVENT_TYPES = [
  'ConnectionCreated',
  'ConnectionReauthorized',
  'ConnectionScopesChanged',
  'ConnectionExpiring',
  'ConnectionReauthorizationRequired',
  'ConnectionRecovered',
  'ConnectionRefreshRefused',
  'ConnectionRefreshRecovered',
  'ConnectionDeleted',
  'ConnectionUpdated',
  'ConnectionRestored',
  'IntegrationCredentialsRejected',
  'IntegrationRecovered',
  'IntegrationGrantsFailing',
  'RefreshTokenLimitNear',
  'IntegrationCreated',
  'IntegrationUpdated',
  'IntegrationDeleted',
  'SecretKeyCreated',
  'SecretKeyRevoked',
  'TestCredentialsChanged',
  'TestCredentialsRemoved',
  'ConnectSessionCreated',
  'AuthorizationStarted',
  'AuthorizationFailed',
  'ConnectionConfirmationPending',
  'ConnectionNotConfirmed',
  'FilesPicked',
  'ConnectionCredentialsRead',
  'ConnectionTried',
  'ConnectionGrantRevoked',
  'WebhookCreated',
  'WebhookUpdated',
  'WebhookDeleted',
  'WebhookSecretRotated',
  'WebhookEnabled',
  'WebhookDisabled',
  'FeedChanged',
  'FeedPaused',
  'FeedResumed',
  'FeedFailing',
  HEARTBEAT_EVENT_TYPE,
] as const;

export type LifecycleEventType = (typeof LIFECYCLE_EVENT_TYPES)[number];

/**
 * Events about the gateway itself. They are on the bus and nowhere else: in no list, and at no webhook that does not name them in its
 * `types`. A new one has its row in `openapi/event-catalog.ts` like every other, with the audience `operator`.
 */
export const OPERATOR_EVENT_TYPES: ReadonlySet<string> = new Set<LifecycleEventType>([HEARTBEAT_EVENT_TYPE]);

/** What an event says beside whom it is about: members of its detail, as the catalogue describes them. */
export type EventSays = Readonly<Partial<Record<SaidMember, string | undefined>>>;

/** One transition, written in the same transaction as the change it reports. Never holds a secret. */
export interface LifecycleEvent {
  /** ULID: sorts by time, also the key of its item. */
  readonly eventId: string;
  readonly eventType: LifecycleEventType;
  /** Counter per connection (or integration): consumers order by it. 0 for events that report no change of one. */
  readonly sequence: number;
  /** ISO 8601 UTC. */
  readonly occurredAt: string;
  readonly subject: ConnectionRef | IntegrationRef | { readonly accountId: string };
  readonly endUserId: string | undefined;
  /** Why the grant died; of all other types what `says` has under a name of its own, until 0.4.0. */
  readonly cause: string | undefined;
  readonly remedy: string | undefined;
  readonly says?: EventSays | undefined;
  /** The health of its connection or integration afterwards, in the words of `health` of both. */
  readonly health?: string | undefined;
  /** Request or scheduled run that caused it. */
  readonly requestId: string;
  /** Who asked for it: `key:<id>` of a secret key, `session:<id>` of a connect session, `operator:<id>`, absent for the gateway's own work. */
  readonly actor?: string | undefined;
  /** The feed that an event of the change feed is about. */
  readonly feed?: EventFeed | undefined;
}

/** An event as it was stored. */
export interface StoredEvent extends LifecycleEvent {
  /** What the bus and webhooks carry of it. */
  readonly detail: Readonly<Record<string, string>>;
}

/** What an event of the change feed says beside the connection it belongs to. */
export interface EventFeed {
  readonly feedId: string;
  /** As callers write it, such as `calendar:primary`. */
  readonly resource: string;
  /** Of a batch: `changes` or `gap`. */
  readonly kind?: string;
  /** Of a batch: its changes as JSON text. */
  readonly changes?: string;
}

/** What an event says beyond its type, time and id. */
export interface EventFacts {
  readonly subject: LifecycleEvent['subject'];
  readonly sequence: number;
  readonly endUserId?: string | undefined;
  /** Why the grant died. */
  readonly cause?: string | undefined;
  readonly remedy?: string | undefined;
  readonly says?: EventSays | undefined;
  readonly health?: string | undefined;
  readonly requestId: string;
  readonly actor?: string | undefined;
  readonly feed?: EventFeed | undefined;
}

/** A new event, to be written in the transaction of the change it reports. */
export function newEvent(
  clock: Clock,
  random: Random,
  eventType: LifecycleEventType,
  facts: EventFacts,
): LifecycleEvent {
  const nowMs = clock.nowMs();
  return {
    eventId: ulid(nowMs, random.bytes(10)),
    eventType,
    sequence: facts.sequence,
    occurredAt: new Date(nowMs).toISOString(),
    subject: facts.subject,
    endUserId: facts.endUserId,
    cause: facts.cause ?? formerCause(eventType, facts.says ?? {}),
    remedy: facts.remedy,
    says: facts.says,
    health: facts.health,
    requestId: facts.requestId,
    actor: facts.actor,
    feed: facts.feed,
  };
}

/** A key's name in the audit trail. */
export function actorOf(key: { readonly keyHash: string }): string {
  return `key:${keyIdOf(key)}`;
}

/** The start of a connect session's digest, likewise. */
export function sessionIdOf(session: { readonly sessionHash: string }): string {
  return session.sessionHash.slice(0, 12);
}

/** A connect session's name in the audit trail. */
export function sessionActor(session: { readonly sessionHash: string }): string {
  return `session:${sessionIdOf(session)}`;
}
