import { FIRST_ACCOUNT_ID, KEY_FAMILIES, type KeyPurpose } from '../../core/contract.ts';
import {
  type CallSubject,
  type ConnectionRef,
  callSubjectKey,
  cloudProjectOf,
  connectionRefKey,
  type IntegrationRef,
  type ListName,
  keyPart as part,
  sha256Hex,
} from '../../core/identifiers.ts';

/**
 * Keys of the one table. Every component is percent-encoded before joining, so no two identities share a key (AK-6), and has a bound,
 * so no key is longer than the table allows.
 */
export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

export function accountPk(accountId: string): string {
  return `${KEY_FAMILIES.account}#${part(accountId)}`;
}

export function integrationItemKey(ref: IntegrationRef): ItemKey {
  return { pk: accountPk(ref.accountId), sk: `INTEGRATION#${part(ref.integrationId)}` };
}

/** A client secret that is a row, by the random part of its name. */
export function clientSecretItemKey(accountId: string, id: string): ItemKey {
  return { pk: `${KEY_FAMILIES.clientSecret}#${part(accountId)}#${part(id)}`, sk: 'SECRET' };
}

/** The pinned tools of one endpoint of a provider's MCP server, as an account has accepted them. */
export function serverToolsItemKey(of: {
  readonly accountId: string;
  readonly provider: string;
  readonly endpoint: string;
}): ItemKey {
  return { pk: `${KEY_FAMILIES.serverTools}#${part(of.accountId)}`, sk: `${part(of.provider)}#${part(of.endpoint)}` };
}

export const INTEGRATION_SK_PREFIX = 'INTEGRATION#';

export const DATA_KEY_SK_PREFIX = 'DATAKEY#';

/** Keys of other purposes than tokens, under names that earlier versions do not read. */
export const PURPOSE_KEY_SK_PREFIX = 'DATAKEYOF#';

/** The row of an account's data key for a purpose. */
export function dataKeyItemKey(
  { accountId, purpose }: { readonly accountId: string; readonly purpose: KeyPurpose },
  keyNumber: number,
): ItemKey {
  const prefix = purpose === 'tokens' ? DATA_KEY_SK_PREFIX : `${PURPOSE_KEY_SK_PREFIX}${purpose}#`;
  return { pk: accountPk(accountId), sk: prefix + keyNumber };
}

export function secretKeyItemKey(keyHash: string): ItemKey {
  return { pk: `${KEY_FAMILIES.key}#${keyHash}`, sk: 'KEY' };
}

export function connectionPk(ref: ConnectionRef): string {
  return `${KEY_FAMILIES.connection}#${connectionRefKey(ref)}`;
}

export function connectionItemKey(ref: ConnectionRef): ItemKey {
  return { pk: connectionPk(ref), sk: 'CONNECTION' };
}

/** The identity in a key, for index entries that contain only keys. */
export function connectionRefOfPk(pk: string, expectedTag = 'CONNECTION'): ConnectionRef | undefined {
  const [tag, accountId, integrationId, connectionId] = pk.split('#');
  if (tag !== expectedTag || accountId === undefined || integrationId === undefined || connectionId === undefined) {
    return undefined;
  }
  return {
    accountId: decodeURIComponent(accountId),
    integrationId: decodeURIComponent(integrationId),
    connectionId: decodeURIComponent(connectionId),
  };
}

export const EVENT_SK_PREFIX = 'EVENT#';

/** The subject of an event: a connection, or the account itself and its other records. */
export type EventSubject = ConnectionRef | { readonly accountId: string };

/**
 * Partition of the events of a connection, or of an account. Separate from the row that they report on, so that a right to report needs
 * no right to write that row.
 */
export function eventPk(subject: EventSubject): string {
  const about = 'connectionId' in subject ? connectionRefKey(subject) : part(subject.accountId);
  return `${KEY_FAMILIES.event}#${about}`;
}

/** Where versions up to 0.2.0 wrote the same events: in the partition of their subject. */
export function formerEventPk(subject: EventSubject): string {
  return 'connectionId' in subject ? connectionPk(subject) : accountPk(subject.accountId);
}

export function revocationItemKey(ref: ConnectionRef): ItemKey {
  return { pk: connectionPk(ref), sk: 'REVOCATION' };
}

/** One pick of a connection; its id sorts by time. */
export function pickItemKey(ref: ConnectionRef, pickId: string): ItemKey {
  return { pk: connectionPk(ref), sk: `PICK#${pickId}` };
}

export const UNCONFIRMED_SK = 'UNCONFIRMED';

/**
 * A grant that waits for confirmation: one for each future connection, and for an existing connection one for each session that
 * authorizes it again.
 */
export function unconfirmedItemKey(ref: ConnectionRef, reconnectSession: string | undefined): ItemKey {
  return {
    pk: connectionPk(ref),
    sk: reconnectSession === undefined ? UNCONFIRMED_SK : `${UNCONFIRMED_SK}#${reconnectSession}`,
  };
}

/** The same from a sort key; undefined for another kind of item. */
export function unconfirmedOfSk(sk: string): { readonly reconnectSession: string | undefined } | undefined {
  const [tag, reconnectSession] = sk.split('#');
  return tag === UNCONFIRMED_SK ? { reconnectSession } : undefined;
}

/** A partition of its own, because a failed write to a hot row must not meet the same row again. */
export function escrowItemKey(ref: ConnectionRef): ItemKey {
  return { pk: `${KEY_FAMILIES.escrow}#${connectionRefKey(ref)}`, sk: 'ESCROW' };
}

/** Consents of a provider account to an OAuth client; the account is in no key, because they outlive connections. */
export function consentLogItemKey(clientId: string, subject: string): ItemKey {
  return {
    pk: `${KEY_FAMILIES.consents}#${sha256Hex(grantKey(cloudProjectOf(clientId), subject))}`,
    sk: `CONSENTS#${part(clientId)}`,
  };
}

/** State of a Workspace domain for an integration that acts by a service account. */
export function delegatedDomainItemKey(ref: IntegrationRef, domain: string): ItemKey {
  const { pk, sk } = delegatedDomainSkPrefix(ref);
  return { pk, sk: sk + sha256Hex(domain) };
}

/** Start of the sort keys of an integration's domains. */
export function delegatedDomainSkPrefix(ref: IntegrationRef): ItemKey {
  return { pk: accountPk(ref.accountId), sk: `DELEGATION#${part(ref.integrationId)}#` };
}

/** Count of recent deaths under an integration. */
export function deathCountItemKey(ref: IntegrationRef): ItemKey {
  return { pk: accountPk(ref.accountId), sk: `DEATHS#${part(ref.integrationId)}` };
}

/** The running count of an account's connections. */
export function censusItemKey(accountId: string): ItemKey {
  return { pk: accountPk(accountId), sk: 'CENSUS' };
}

/** The lease of a function's part of the due index. */
export function sliceItemKey(slice: {
  readonly sweeper: string;
  readonly index: number;
  readonly count: number;
}): ItemKey {
  return { pk: `${KEY_FAMILIES.sweep}#${part(slice.sweeper)}`, sk: `SLICE#${slice.count}#${slice.index}` };
}

/** A part of an account's search index. @param shard the partition of the bucket */
export function searchBucketItemKey(accountId: string, shard: number, bucket: number): ItemKey {
  return { pk: searchShardPk(accountId, shard), sk: `BUCKET#${bucket}` };
}

export function searchShardPk(accountId: string, shard: number): string {
  return `${KEY_FAMILIES.search}#${part(accountId)}#${shard}`;
}

/** Partition of a list of some of an account's connections; values that may name a person are hashed, because keys may be logged. */
export function listedPk(accountId: string, { kind, value }: ListName): string {
  const isHashed = ['END_USER', 'ORGANIZATION', 'TAG', 'DEAD_ACCOUNT'].includes(kind);
  return `${KEY_FAMILIES.listed}#${part(accountId)}#${kind}#${isHashed ? sha256Hex(value) : part(value)}`;
}

/** Progress of the walk that looks for connections without a search entry. */
export function searchCheckItemKey(accountId: string): ItemKey {
  return { pk: accountPk(accountId), sk: 'SEARCH' };
}

export const RECONNECT_BATCH_SK_PREFIX = 'RECONNECT#';

/** Reconnect links that were created together; the id sorts by time. */
export function reconnectBatchItemKey(accountId: string, batchId: string): ItemKey {
  return { pk: accountPk(accountId), sk: `${RECONNECT_BATCH_SK_PREFIX}${part(batchId)}` };
}

/** Progress of the walk that lists events of earlier versions. */
export function auditWalkItemKey(accountId: string): ItemKey {
  return { pk: accountPk(accountId), sk: 'AUDIT' };
}

/** How full the provider's day of an account is. */
export function dayUseItemKey(accountId: string): ItemKey {
  return { pk: accountPk(accountId), sk: 'DAYUSE' };
}

/** The process that creates something of a kind now. */
export function creationGateItemKey(accountId: string, what: string): ItemKey {
  return { pk: accountPk(accountId), sk: `CREATION#${part(what)}` };
}

/** The record of a request of an account. @param digest of its caller and `Idempotency-Key` */
export function requestNoteItemKey(accountId: string, digest: string): ItemKey {
  return { pk: accountPk(accountId), sk: `REQUEST#${digest}` };
}

/** Uses of an account in one window of time. */
export function rateItemKey(accountId: string, use: string, window: number): ItemKey {
  return { pk: accountPk(accountId), sk: `RATE#${part(use)}#${window}` };
}

/** Calls of a secret key, connection or integration in one window: a partition of its own, so that no other row shares its writes. */
export function callCountItemKey(subject: CallSubject, window: number): ItemKey {
  const identity = callSubjectKey(subject);
  return { pk: `${KEY_FAMILIES.calls}#${subject.kind}#${identity}`, sk: `CALLS#${window}` };
}

/** Calls of an account by day: a partition each, which all counters of the day share. */
export function usagePk(accountId: string, day: string): string {
  return `${KEY_FAMILIES.usage}#${part(accountId)}#${day}`;
}

/** A partition of pages of an account's calls. @param partition of `placeOf` */
export function pagePk(accountId: string, level: string, partition: string): string {
  return `${KEY_FAMILIES.page}#${part(accountId)}#${level}#${partition}`;
}

/** When an account's keys were last used for a proxied call. */
export function lastUsesItemKey(accountId: string): ItemKey {
  return { pk: `${KEY_FAMILIES.page}#${part(accountId)}`, sk: 'KEYS' };
}

/** When an account's keys were last used in the function that writes no keys. */
export function keyUsesItemKey(accountId: string): ItemKey {
  return { pk: accountPk(accountId), sk: 'KEYUSES' };
}

/** Partition of the roll-up's progress. */
export const BOOK_PK = `${KEY_FAMILIES.book}#calls`;

export const BOOK_CURSOR_KEY: ItemKey = { pk: BOOK_PK, sk: 'CURSOR' };
export const BOOK_HOURS_SK_PREFIX = 'HOURS#';
export const BOOK_GAP_SK_PREFIX = 'GAP#';

export function sessionItemKey(sessionHash: string): ItemKey {
  return { pk: `${KEY_FAMILIES.session}#${sessionHash}`, sk: 'SESSION' };
}

/** Partition of the sessions that were created for an end user; the end user's id is hashed, because keys may be logged. */
export function sessionsOfPk(accountId: string, endUserId: string): string {
  return `${KEY_FAMILIES.sessionOf}#${part(accountId)}#${sha256Hex(endUserId)}`;
}

/** Records that a session was created for an end user. */
export function sessionPlaceItemKey(accountId: string, endUserId: string, sessionHash: string): ItemKey {
  return { pk: sessionsOfPk(accountId, endUserId), sk: sessionHash };
}

export function authorizationItemKey(stateHash: string): ItemKey {
  return { pk: `${KEY_FAMILIES.authorization}#${stateHash}`, sk: 'AUTHORIZATION' };
}

/** The row with the client id of a provider's test credentials, for functions that read no secret. */
export function testClientItemKey(provider: string): ItemKey {
  return { pk: accountPk(FIRST_ACCOUNT_ID), sk: `TESTCLIENT#${part(provider)}` };
}

/** Partition of the `byAccount` index that lists an account's events, by their ids and so by time. */
export function eventListKey(accountId: string): string {
  return `${accountPk(accountId)}#EVENT`;
}

/** Partition of the `byAccount` index that lists an account's connections. */
export function connectionListKey(accountId: string): string {
  return `${accountPk(accountId)}#CONNECTION`;
}

/** Partition of heartbeats, which belong to no account's events. */
export const HEARTBEAT_PK = KEY_FAMILIES.heartbeat;

/** The one item with the time at which each sweep last ended. */
export const TICK_BOARD_KEY: ItemKey = { pk: KEY_FAMILIES.ticks, sk: 'TICKS' };

/** Prefix of the display names of an account's operators. */
export const OPERATOR_SK_PREFIX = 'OPERATOR#';

export function operatorItemKey(accountId: string, subject: string): ItemKey {
  return { pk: accountPk(accountId), sk: OPERATOR_SK_PREFIX + part(subject) };
}

/** Partition of the `byAccount` index that lists an account's secret keys. */
export function secretKeyListKey(accountId: string): string {
  return `${accountPk(accountId)}#KEY`;
}

/** The same of those that are revoked. */
export function revokedKeyListKey(accountId: string): string {
  return `${accountPk(accountId)}#REVOKED_KEY`;
}

/** Partition of the `byAccount` index that lists an account's pending revocations. */
export function revocationListKey(accountId: string): string {
  return `${accountPk(accountId)}#REVOCATION`;
}

/** Partition of the `byGrant` index: Cloud project and provider account. */
export function grantKey(cloudProject: string, subject: string): string {
  return `${part(cloudProject)}#${part(subject)}`;
}
