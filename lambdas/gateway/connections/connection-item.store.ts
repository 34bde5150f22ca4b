import { DUE_SHARDS, LISTED_HEALTH_ATTRIBUTES } from '../core/contract.ts';
import {
  DEATH_CAUSES,
  type DeathCause,
  type GrantDeath,
  type LikelyCause,
  type ResponsibleParty,
} from '../core/grant-death.ts';
import { cloudProjectOf, dueShardOf, listSortKey } from '../core/identifiers.ts';
import {
  bool,
  connectionRefFromItem,
  type Item,
  num,
  oneOf,
  optionalMap,
  optionalNum,
  optionalStr,
  str,
  stringMap,
  strings,
  UnreadableItemError,
} from '../platform/dynamodb/client.ts';
import { connectionItemKey, connectionListKey, grantKey } from '../platform/dynamodb/keys.ts';
import { PROVIDER_IDS } from '../providers/provider.rules.ts';
import type {
  CallFault,
  Connection,
  ConnectionStatus,
  EndUser,
  ListedFacts,
  RefreshLease,
  WholeConnection,
} from './connection.rules.ts';
import type { StoredAttribute } from './connection-members.rules.ts';
import { listedFactsOf } from './health.rules.ts';
import type { ListedSubject } from './index-rows.rules.ts';
import type { RefreshRefusal } from './refresh-refusal.rules.ts';

const STATUSES: readonly ConnectionStatus[] = ['active', 'reauthorization_required', 'deleted'];

/** Format of the connection item; code refuses rows of a later format and never rewrites them. */
const CONNECTION_ITEM_VERSION = 1;

/** A connection as its item. */
export function connectionToItem(connection: Connection): Record<string, unknown> {
  const account = connection.providerAccount;
  const alive = connection.status === 'active';
  /** A connection without a person is never due, and shares no grant (SA-25). */
  const isDue = alive && connection.delegated !== true;
  return {
    ...connectionItemKey(connection),
    type: 'connection',
    itemVersion: CONNECTION_ITEM_VERSION,
    accountId: connection.accountId,
    integrationId: connection.integrationId,
    connectionId: connection.connectionId,
    provider: connection.provider,
    delegated: connection.delegated,
    status: connection.status,
    cause: connection.death?.cause,
    death: connection.death,
    encryptedAccessToken: connection.encryptedAccessToken,
    encryptedRefreshToken: connection.encryptedRefreshToken,
    tokenPrints: connection.tokenPrints,
    accessTokenExpiresAtEpochSec: connection.accessTokenExpiresAtEpochSec,
    requestedScopes: connection.requestedScopes,
    grantedScopes: connection.grantedScopes,
    clientId: connection.clientId,
    providerAccount: account,
    consentedAtEpochSec: connection.consentedAtEpochSec,
    refreshTokenExpiresAtEpochSec: connection.refreshTokenExpiresAtEpochSec,
    testingAtConsent: connection.testingAtConsent,
    language: connection.language,
    epoch: connection.epoch,
    tokenEpoch: connection.tokenEpoch,
    refreshLease: connection.refreshLease,
    attemptId: connection.attemptId,
    attemptHash: connection.attemptHash,
    lostHash: connection.lostHash,
    retryAt: connection.retryAtEpochSec,
    failureCount: connection.failureCount,
    refreshRefusal: connection.refreshRefusal,
    forcedRefreshAtEpochSec: connection.forcedRefreshAtEpochSec,
    refreshAt: isDue ? connection.refreshAtEpochSec : undefined,
    dueShard: isDue && connection.refreshAtEpochSec !== undefined ? dueShardOf(connection, DUE_SHARDS) : undefined,
    lastUsedAtEpochSec: connection.lastUsedAtEpochSec,
    lastRefreshedAtEpochSec: connection.lastRefreshedAtEpochSec,
    callsRecordedUntilEpochSec: connection.callsRecordedUntilEpochSec,
    callFault: connection.callFault,
    [LISTED_HEALTH_ATTRIBUTES.facts]: connection.status === 'deleted' ? undefined : factsToItem(connection),
    [LISTED_HEALTH_ATTRIBUTES.callFault]: connection.status === 'deleted' ? undefined : connection.callFault,
    expiryWarnings: connection.expiryWarnings,
    limitWarned: connection.limitWarned,
    grantEndedAtEpochSec: connection.grantEndedAtEpochSec,
    revocationRequested: connection.revocationRequested,
    sequence: connection.sequence,
    numericId: connection.numericId,
    endUser: connection.endUser,
    endUserId: connection.endUser?.id,
    tags: connection.tags,
    metadata: connection.metadata,
    budget: connection.budget,
    createdAt: connection.createdAt,
    updatedAt: connection.updatedAt,
    accountListKey: connection.status === 'deleted' ? undefined : connectionListKey(connection.accountId),
    listSortKey: connection.status === 'deleted' ? undefined : listSortKey(connection),
    grantKey:
      isDue && account !== undefined ? grantKey(cloudProjectOf(connection.clientId), account.subject) : undefined,
    grantClientId: isDue && account !== undefined ? connection.clientId : undefined,
  } satisfies { readonly [Name in StoredAttribute]: unknown } & Record<string, unknown>;
}

/** An item as the connection it stores. @throws UnreadableItemError for a form this code does not know */
export function connectionFromItem(item: Item): WholeConnection {
  if (num(item, 'itemVersion') !== CONNECTION_ITEM_VERSION) throw new UnreadableItemError('itemVersion');
  const lease = optionalMap(item, 'refreshLease');
  return {
    ...connectionRefFromItem(item),
    provider: oneOf(item, 'provider', PROVIDER_IDS),
    delegated: item.delegated === true ? true : undefined,
    status: oneOf(item, 'status', STATUSES),
    death: readDeath(optionalMap(item, 'death')),
    encryptedAccessToken: optionalStr(item, 'encryptedAccessToken'),
    encryptedRefreshToken: optionalStr(item, 'encryptedRefreshToken'),
    tokenPrints: optionalStr(item, 'tokenPrints'),
    accessTokenExpiresAtEpochSec: num(item, 'accessTokenExpiresAtEpochSec'),
    requestedScopes: strings(item, 'requestedScopes'),
    grantedScopes: strings(item, 'grantedScopes'),
    clientId: str(item, 'clientId'),
    providerAccount: readAccount(item),
    consentedAtEpochSec: num(item, 'consentedAtEpochSec'),
    refreshTokenExpiresAtEpochSec: optionalNum(item, 'refreshTokenExpiresAtEpochSec'),
    testingAtConsent: item.testingAtConsent === undefined ? undefined : bool(item, 'testingAtConsent'),
    language: optionalStr(item, 'language'),
    epoch: num(item, 'epoch'),
    tokenEpoch: num(item, 'tokenEpoch'),
    refreshLease: lease === undefined ? undefined : readLease(lease),
    attemptId: optionalStr(item, 'attemptId'),
    attemptHash: optionalStr(item, 'attemptHash'),
    lostHash: optionalStr(item, 'lostHash'),
    retryAtEpochSec: optionalNum(item, 'retryAt'),
    failureCount: num(item, 'failureCount'),
    refreshRefusal: readRefusal(optionalMap(item, 'refreshRefusal'), num(item, 'tokenEpoch')),
    forcedRefreshAtEpochSec: optionalNum(item, 'forcedRefreshAtEpochSec'),
    refreshAtEpochSec: optionalNum(item, 'refreshAt'),
    lastUsedAtEpochSec: optionalNum(item, 'lastUsedAtEpochSec'),
    lastRefreshedAtEpochSec: optionalNum(item, 'lastRefreshedAtEpochSec'),
    callsRecordedUntilEpochSec: optionalNum(item, 'callsRecordedUntilEpochSec'),
    callFault: readCallFault(optionalMap(item, 'callFault')),
    expiryWarnings: optionalNum(item, 'expiryWarnings'),
    grantEndedAtEpochSec: optionalNum(item, 'grantEndedAtEpochSec'),
    limitWarned: item.limitWarned === undefined ? undefined : bool(item, 'limitWarned'),
    revocationRequested: item.revocationRequested === undefined ? undefined : bool(item, 'revocationRequested'),
    sequence: num(item, 'sequence'),
    numericId: num(item, 'numericId'),
    endUser: readEndUser(optionalMap(item, 'endUser')),
    tags: stringMap(item, 'tags'),
    metadata: optionalMap(item, 'metadata'),
    budget: optionalMap(item, 'budget'),
    createdAt: str(item, 'createdAt'),
    updatedAt: str(item, 'updatedAt'),
  };
}

/** The facts of a connection's health for lists, as one attribute; most connections have one or two members. */
export function factsToItem(connection: Connection): Record<string, unknown> {
  const { isUsed, end, endIfTestingEpochSec, limitWarned, death, refusal } = listedFactsOf(connection);
  return {
    ...(isUsed ? { used: true } : {}),
    ...(end === undefined ? {} : { ends: end.kind, endsAt: end.atEpochSec }),
    ...(endIfTestingEpochSec === undefined ? {} : { testingEndsAt: endIfTestingEpochSec }),
    ...(limitWarned ? { limitWarned } : {}),
    ...(death === undefined ? {} : { certain: death.certain, since: death.sinceEpochSec }),
    ...(refusal === undefined ? {} : { refused: refusal.error, refusedSince: refusal.sinceEpochSec }),
  };
}

/** Reads those facts from a connection's item or its entry in the index of lists; undefined where none were written. */
export function factsFromItem(item: Item): ListedFacts | undefined {
  const map = optionalMap(item, LISTED_HEALTH_ATTRIBUTES.facts);
  if (map === undefined) return item.itemVersion === undefined ? undefined : listedFactsOf(connectionFromItem(item));
  const since = optionalNum(map, 'since');
  const refused = optionalStr(map, 'refused');
  return {
    isUsed: map.used === true,
    end:
      map.ends === undefined
        ? undefined
        : {
            kind: oneOf(map, 'ends', ['testing_mode', 'time_limited_access'] as const),
            atEpochSec: num(map, 'endsAt'),
          },
    endIfTestingEpochSec: optionalNum(map, 'testingEndsAt'),
    limitWarned: map.limitWarned === true,
    death: since === undefined ? undefined : { certain: bool(map, 'certain'), sinceEpochSec: since },
    refusal: refused === undefined ? undefined : { error: refused, sinceEpochSec: num(map, 'refusedSince') },
  };
}

/** The refusal of its calls, for lists. */
export function listedCallFault(item: Item): CallFault | undefined {
  return readCallFault(optionalMap(item, LISTED_HEALTH_ATTRIBUTES.callFault));
}

/** The readable part of a damaged row that determines its places in lists; undefined where it has none. */
export function remainsOf(item: Item): ListedSubject | undefined {
  const { status, integrationId, connectionId, numericId, listSortKey: position } = item;
  const isListed = typeof position === 'string' && typeof numericId === 'number';
  if (!isListed || typeof integrationId !== 'string' || typeof connectionId !== 'string') return undefined;
  return {
    integrationId,
    connectionId,
    status: status === 'active' ? 'active' : 'reauthorization_required',
    cause: typeof item.cause === 'string' ? item.cause : undefined,
    callFault: readOr(undefined, () => readCallFault(optionalMap(item, 'callFault'))),
    endUser: readOr(undefined, () => readEndUser(optionalMap(item, 'endUser'))),
    providerAccount: readOr(undefined, () => readAccount(item)),
    tokenPrints: typeof item.tokenPrints === 'string' ? item.tokenPrints : undefined,
    tags: readOr({}, () => stringMap(item, 'tags')),
    numericId,
    position,
  };
}

function readOr<T>(instead: T, read: () => T): T {
  try {
    return read();
  } catch {
    return instead;
  }
}

function readAccount(item: Item): Connection['providerAccount'] {
  const account = optionalMap(item, 'providerAccount');
  if (account === undefined) return undefined;
  return {
    subject: str(account, 'subject'),
    email: optionalStr(account, 'email') ?? null,
    hostedDomain: 'hostedDomain' in account ? (optionalStr(account, 'hostedDomain') ?? null) : undefined,
  };
}

function readCallFault(map: Item | undefined): CallFault | undefined {
  if (map === undefined) return undefined;
  return {
    status: num(map, 'status'),
    reason: optionalStr(map, 'reason'),
    sinceEpochSec: num(map, 'sinceEpochSec'),
  };
}

/** A refusal of tokens that were renewed since no longer counts: an earlier version does not remove it. */
function readRefusal(map: Item | undefined, tokenEpoch: number): RefreshRefusal | undefined {
  if (map === undefined || num(map, 'tokenEpoch') !== tokenEpoch) return undefined;
  const toldAtEpochSec = optionalNum(map, 'toldAtEpochSec');
  return {
    error: str(map, 'error'),
    sinceEpochSec: num(map, 'sinceEpochSec'),
    count: num(map, 'count'),
    tokenEpoch,
    ...(toldAtEpochSec === undefined ? {} : { toldAtEpochSec }),
  };
}

function readLease(lease: Item): RefreshLease {
  return { owner: str(lease, 'owner'), epoch: num(lease, 'epoch'), expiresAtEpochSec: num(lease, 'expiresAtEpochSec') };
}

export function readEndUser(map: Item | undefined): EndUser | undefined {
  if (map === undefined) return undefined;
  const organization = optionalMap(map, 'organization');
  return {
    id: str(map, 'id'),
    email: optionalStr(map, 'email') ?? null,
    displayName: optionalStr(map, 'displayName') ?? null,
    tags: optionalMap(map, 'tags') === undefined ? null : stringMap(map, 'tags'),
    organization:
      organization === undefined
        ? null
        : { id: str(organization, 'id'), displayName: optionalStr(organization, 'displayName') ?? null },
  };
}

function readDeath(map: Item | undefined): GrantDeath | undefined {
  if (map === undefined) return undefined;
  const causes = map.likelyCauses;
  if (!Array.isArray(causes)) throw new UnreadableItemError('death.likelyCauses');
  return {
    status: 'reauthorization_required',
    cause: readCause(map),
    certain: bool(map, 'certain'),
    likelyCauses: causes.map((cause: Item): LikelyCause => {
      return {
        cause: readCause(cause),
        likelihood: num(cause, 'likelihood'),
        who: oneOf<ResponsibleParty>(cause, 'who', ['end_user', 'developer', 'workspace_admin']),
        explanation: str(cause, 'explanation'),
        remedy: str(cause, 'remedy'),
      };
    }),
    remedy: str(map, 'remedy'),
    providerError: str(map, 'providerError'),
    since: str(map, 'since'),
    ...readEvidence(optionalMap(map, 'evidence')),
    ...(map.tokensRevoked === true ? { tokensRevoked: true } : {}),
  };
}

function readEvidence(map: Item | undefined): Pick<GrantDeath, 'evidence'> {
  if (map === undefined) return {};
  return { evidence: { type: str(map, 'type'), reason: optionalStr(map, 'reason'), statedAt: str(map, 'statedAt') } };
}

/** A cause from a later version is unknown here; the stored texts describe it. */
function readCause(map: Item): DeathCause {
  const cause = str(map, 'cause');
  return DEATH_CAUSES.find((one) => one === cause) ?? 'unknown';
}
