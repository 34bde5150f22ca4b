import {
  FEATURE_EVENT_ATTRIBUTES,
  FEATURE_EVENT_MEMBERS,
  FEATURE_EVENTS,
  FEATURE_FORMER_CAUSES,
} from '../../features/index.ts';
import { BATCH_STARTS_ATTRIBUTE, EVENT_DETAIL_ATTRIBUTES, HEARTBEAT_EVENT_TYPE } from '../core/contract.ts';
import { type ConnectionRef, type IntegrationRef, keyIdOf, ulid } from '../core/identifiers.ts';
import type { Clock, Random } from '../core/ports.ts';

/** Everything the gateway reports on its bus and keeps as its audit trail. */
export const LIFECYCLE_EVENT_TYPES = [
  'ConnectionCreated',
  'ConnectionReauthorized',
  'ConnectionScopesChanged',
  'ConnectionExpiring',
  'ConnectionReauthorizationRequired',
  'ConnectionCauseProven',
  'ConnectionRecovered',
  'ConnectionRefreshRefused',
  'ConnectionRefreshRecovered',
  'ConnectionDeleted',
  'ConnectionUpdated',
  'ConnectionRestored',
  'IntegrationCredentialsRejected',
  'IntegrationRecovered',
  'IntegrationGrantsFailing',
  'DelegationGranted',
  'DelegationLost',
  'RefreshTokenLimitNear',
  'IntegrationCreated',
  'IntegrationUpdated',
  'IntegrationDeleted',
  'SecretKeyCreated',
  'SecretKeyRevoked',
  'SecretKeyLimitsChanged',
  ...FEATURE_EVENTS,
  'BudgetReached',
  'QuotaReached',
  'HigherLimitsEnding',
  'ServerToolsChanged',
  'ServerToolsAccepted',
  'TestCredentialsChanged',
  'TestCredentialsRemoved',
  'ConnectSessionCreated',
  'ConnectSessionDeleted',
  'AuthorizationStarted',
  'AuthorizationFailed',
  'ConnectionConfirmationPending',
  'ConnectionNotConfirmed',
  'FilesPicked',
  'ConnectionCredentialsRead',
  'ConnectionTried',
  'ConnectionGrantRevoked',
  HEARTBEAT_EVENT_TYPE,
] as const;

export type LifecycleEventType = (typeof LIFECYCLE_EVENT_TYPES)[number];

/**
 * Events about the gateway itself. They are only on the bus: in no list, and at no webhook that does not name them in its `types`. A
 * new one has its row in `openapi/event-catalog.ts` like every other, with the audience `operator`.
 */
export const OPERATOR_EVENT_TYPES: ReadonlySet<string> = new Set<LifecycleEventType>([HEARTBEAT_EVENT_TYPE]);

/** Members of an event's detail in addition to its subject, as described in the catalogue. */
export type EventSays = Readonly<Partial<Record<SaidMember, string | undefined>>>;

/** One transition, written in the same transaction as the change it reports. Never contains a secret. */
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
  /** Why the grant died; for all other types a copy of a member of `says`, until 0.4.0. */
  readonly cause: string | undefined;
  readonly remedy: string | undefined;
  readonly says?: EventSays | undefined;
  /** The health of its connection or integration afterwards, with the values of `health`. */
  readonly health?: string | undefined;
  /** Request or scheduled run that caused it. */
  readonly requestId: string;
  /**
   * The actor: `key:<id>` of a secret key, `iam:<AWS account>:<name>` of an IAM role, `session:<id>` of a connect session,
   * `operator:<id>`, `stack:<name>` of a CloudFormation stack, absent for the gateway's own work.
   */
  readonly actor?: string | undefined;
  /** What it is about in addition to its connection. */
  readonly about?: EventObject | undefined;
}

/** An event as it was stored. */
export interface StoredEvent extends LifecycleEvent {
  /** Its detail on the bus and in webhooks. */
  readonly detail: Readonly<Record<string, string>>;
}

/** What a feature's event is about, by the members of its detail. */
export type EventObject = Readonly<Partial<Record<keyof typeof FEATURE_EVENT_ATTRIBUTES, string>>>;

const OBJECT_MEMBERS = Object.keys(FEATURE_EVENT_ATTRIBUTES).filter(isObjectMember);

function isObjectMember(name: string): name is keyof EventObject {
  return Object.hasOwn(FEATURE_EVENT_ATTRIBUTES, name);
}

/** Members of an event in addition to its type, time and id. */
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
  readonly about?: EventObject | undefined;
}

/** A new event, to be written in the transaction of the change it reports. */
export function newEvent(
  clock: Clock,
  random: Pick<Random, 'bytes'>,
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
    about: facts.about,
  };
}

/** A key's name in the audit trail. */
export function actorOf(key: { readonly keyHash: string; readonly roleArn?: string | undefined }): string {
  const [, awsAccount, role] = /::(\d+):role\/(?:.*\/)?([^/]+)$/.exec(key.roleArn ?? '') ?? [];
  return role === undefined ? `key:${keyIdOf(key)}` : `iam:${awsAccount}:${role}`;
}

/** The start of a connect session's digest, likewise. */
export function sessionIdOf(session: { readonly sessionHash: string }): string {
  return session.sessionHash.slice(0, 12);
}

/** A connect session's name in the audit trail. */
export function sessionActor(session: { readonly sessionHash: string }): string {
  return `session:${sessionIdOf(session)}`;
}

/** Members that only some types have. An item has those with a value, in attributes of the same names in camel case. */
const SAID = [
  'reason',
  'provider_error',
  'outcome',
  'ends_at',
  'live_tokens',
  'token_limit',
  'files',
  'credentials',
  'provider',
  'key_id',
  'session_id',
  'budget',
  'when_spent',
  'cloud_project',
  'quota',
  'percent',
  'used',
  'most',
  'day',
  'resets_at',
  ...FEATURE_EVENT_MEMBERS,
  'method',
  'domain',
  'tools',
  'days_left',
] as const;
export type SaidMember = (typeof SAID)[number];

const SAID_MEMBERS = SAID.map(
  (member) => [member, member.replace(/_./g, ([, letter = '']) => letter.toUpperCase())] as const,
);

function isSaidMember(name: string): boolean {
  return SAID.some((member) => member === name);
}

/** The same, read from an item. */
type Said = Readonly<Partial<Record<SaidMember, string>>>;

/** Types whose `cause` is the cause of a grant's death. */
const DEATH_TYPES: ReadonlySet<string> = new Set<LifecycleEventType>([
  'ConnectionReauthorizationRequired',
  'ConnectionCauseProven',
  'ConnectionRecovered',
  'IntegrationGrantsFailing',
]);

/** The former meaning of `cause`; for all types that are missing here it was a code, `reason`. */
const FORMER_CAUSE: Readonly<Partial<Record<LifecycleEventType, SaidMember>>> = {
  IntegrationCredentialsRejected: 'provider_error',
  IntegrationRecovered: 'provider_error',
  SecretKeyCreated: 'key_id',
  SecretKeyRevoked: 'key_id',
  SecretKeyLimitsChanged: 'key_id',
  TestCredentialsChanged: 'provider',
  TestCredentialsRemoved: 'provider',
  ConnectSessionCreated: 'session_id',
  FilesPicked: 'files',
  ConnectionCredentialsRead: 'credentials',
  ConnectionGrantRevoked: 'outcome',
  ...FEATURE_FORMER_CAUSES,
};

/** Prefixes of ids in `cause`. */
const PREFIXES: Readonly<Partial<Record<SaidMember, string>>> = { key_id: 'key:', session_id: 'session:' };

/** Whether `cause` of a type is deprecated, because it repeats another member. */
export function hasFormerCause(eventType: string): boolean {
  return !DEATH_TYPES.has(eventType);
}

/** The text of `cause` until 0.4.0, for a value that has a member of its own now. */
export function formerCause(eventType: LifecycleEventType, says: EventSays): string | undefined {
  if (says.live_tokens !== undefined) return `${says.live_tokens}_of_${says.token_limit}`;
  const member = FORMER_CAUSE[eventType] ?? 'reason';
  // A restored key had only the word for its restoration, not its id.
  if (member === 'key_id' && says.reason !== undefined) return says.reason;
  const value = says[member];
  return value === undefined ? undefined : `${PREFIXES[member] ?? ''}${value}`;
}

/** The members of an event from before `cause` had a single meaning. */
function saidByCause(eventType: string, cause: string): Said {
  if (cause === '' || !hasFormerCause(eventType)) return {};
  const tokens = /^(\d+)_of_(\d+)$/.exec(cause);
  if (tokens !== null) return { live_tokens: tokens[1] ?? '', token_limit: tokens[2] ?? '' };
  const [, member = 'reason'] = Object.entries(FORMER_CAUSE).find(([type]) => type === eventType) ?? [];
  const prefix = PREFIXES[member] ?? '';
  return cause.startsWith(prefix) ? { [member]: cause.slice(prefix.length) } : { reason: cause };
}

/** Attributes of an item for an event's members. */
export function saidAttributes(says: EventSays): Readonly<Record<string, string>> {
  return Object.fromEntries(
    SAID_MEMBERS.flatMap(([member, attribute]) => {
      const value = says[member];
      return value === undefined || value === '' ? [] : [[attribute, value]];
    }),
  );
}

/** The members of a stored event, including those of a version that had all of them in `cause`. @param attribute a text of the item */
export function saidBy(eventType: string, attribute: (name: string) => string | undefined): Said {
  const own = SAID_MEMBERS.flatMap(([member, name]) => {
    const value = attribute(name) ?? '';
    return value === '' ? [] : [[member, value] as const];
  });
  const former = saidByCause(eventType, attribute(EVENT_DETAIL_ATTRIBUTES.cause) ?? '');
  return { ...(own.length === 0 ? former : {}), ...Object.fromEntries(own) };
}

/**
 * An event for its receivers and in lists: the detail on the bus, `data` of a webhook and `data` in lists. Members without
 * a value are absent.
 *
 * @param attribute a text of the event's item; undefined where it has none
 */
export function eventDetail(
  eventType: string,
  attribute: (name: string) => string | undefined,
): Readonly<Record<string, string>> {
  const shared = Object.entries(EVENT_DETAIL_ATTRIBUTES).flatMap(([member, name]) => {
    const value = attribute(name) ?? '';
    return value === '' ? [] : [[member, value] as const];
  });
  const kind = attribute(BATCH_STARTS_ATTRIBUTE) === undefined ? {} : { kind: 'starts' };
  return { ...Object.fromEntries(shared), ...kind, ...saidBy(eventType, attribute) };
}

/**
 * A detail in this version's form: the pipe of an earlier one sends empty members, and puts everything into `cause`. Both continue for
 * a while after an update.
 */
export function renewedDetail(
  eventType: string,
  detail: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const filled = Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== ''));
  if (Object.keys(filled).some(isSaidMember)) return filled;
  return { ...filled, ...saidByCause(eventType, typeof filled.cause === 'string' ? filled.cause : '') };
}

/** Attributes of an item for what its event is about; each is a text, also where there is none. */
export function objectAttributes(about: EventObject): Readonly<Record<string, string>> {
  return Object.fromEntries(OBJECT_MEMBERS.map((member) => [FEATURE_EVENT_ATTRIBUTES[member], about[member] ?? '']));
}

/** What a stored event is about; undefined where it is only about its connection. @param attribute a text of the item */
export function objectBy(attribute: (name: string) => string | undefined): EventObject | undefined {
  const found = OBJECT_MEMBERS.flatMap((member) => {
    const value = attribute(FEATURE_EVENT_ATTRIBUTES[member]) ?? '';
    return value === '' ? [] : [[member, value] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Ids of what a feature's event is about. */
export function reportedIds({ about = {} }: Pick<LifecycleEvent, 'about'>): readonly (string | undefined)[] {
  return Object.entries<string | undefined>(about).flatMap(([member, value]) =>
    member.endsWith('_id') ? [value] : [],
  );
}
