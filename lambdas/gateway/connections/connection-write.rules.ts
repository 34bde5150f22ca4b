import { LISTED_HEALTH_ATTRIBUTES } from '../core/contract.ts';
import { type GrantDeath, isToBeErased } from '../core/grant-death.ts';
import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import type { ChangeCounts } from './change-counts.rules.ts';
import type { Connection, LeaseRelease, RefreshLease, StoredTokens } from './connection.rules.ts';
import { attributesOf, membersOf, remainsOfDeleted } from './connection-members.rules.ts';
import { isUsed, useAt } from './health.rules.ts';
import { type ListedRow, type ListedSubject, listedRowsOf, type Searchable, searchText } from './index-rows.rules.ts';

/**
 * What a write of a connection consists of. The caller names the change and passes the connection before and after. From these follow
 * the written attributes, the conditions on the row, and the dependent rows: search entry, places in lists, counters.
 */
export type Happened =
  /** Created, authorized again, or imported: the whole row. */
  | { readonly kind: 'saved' }
  /** Restored from a backup, over a row with these attributes, readable or not; undefined where there was none. */
  | { readonly kind: 'restored'; readonly over: Readonly<Record<string, unknown>> | undefined }
  | { readonly kind: 'deleted' }
  /** New tokens under a lease; a dead connection is active again. */
  | { readonly kind: 'refreshed'; readonly lease: RefreshLease }
  | { readonly kind: 'died'; readonly lease: RefreshLease }
  /** A statement of the provider proves the cause of death, which was a guess. */
  | { readonly kind: 'explained' }
  /** Its access token is no longer used, even before its end. */
  | { readonly kind: 'token_dropped' }
  /** The provider does not renew its tokens, with an event; the lease is returned. */
  | { readonly kind: 'refused'; readonly lease: RefreshLease; readonly answered: boolean }
  /** End user, tags, metadata or budget have changed. */
  | { readonly kind: 'described' }
  /** The time until which its calls are logged has changed. */
  | { readonly kind: 'recording_changed' }
  | { readonly kind: 'warned'; readonly of: 'expiry' | 'token_limit' }
  /** The provider refuses its calls, or accepts them again. */
  | { readonly kind: 'fault_marked' }
  | { readonly kind: 'fault_cleared' }
  | { readonly kind: 'used' }
  /** Its health facts in lists are written again. */
  | { readonly kind: 'facts_listed' }
  /** Its place in the schedule has changed, or was removed. */
  | { readonly kind: 'rescheduled' }
  /** No change: dependent rows were missing, and are written to match the row. */
  | { readonly kind: 'listed' };

/** A condition on an attribute of the row; otherwise the write fails. */
export type RowCondition =
  | readonly [attribute: string, holds: '=' | '<>' | '<', value: unknown]
  | readonly [attribute: string, holds: 'absent' | 'exists']
  /** Of a member of an attribute. */
  | readonly [attribute: string, member: string, holds: '=', value: unknown];

/** The change of the row itself. */
export interface RowChange {
  /** Attributes that get the values of the connection after it, or are removed where it has none; `none` only checks the row. */
  readonly attributes: 'all' | 'none' | readonly string[];
  readonly conditions: readonly RowCondition[];
}

const { facts: FACTS } = LISTED_HEALTH_ATTRIBUTES;
/** Partition of the due index, which a row leaves and enters with its due time. */
const DUE_SHARD = 'dueShard';

/** Attributes of which every change of a row changes at least one. */
const WITNESSES = ['epoch', 'tokenEpoch', 'sequence', 'status', 'encryptedRefreshToken', 'tokenPrints', 'refreshLease'];

const LIVES: RowCondition = ['status', '=', 'active'];
const IS_THERE: RowCondition = ['status', '<>', 'deleted'];

/**
 * Attributes and conditions of a write.
 *
 * @param before undefined where there is no row
 * @param hasEvents the write takes numbers of the connection's history
 */
export function rowChangeOf(
  happened: Happened,
  before: Connection | undefined,
  after: Connection,
  hasEvents: boolean,
): RowChange {
  const { kind } = happened;
  if (kind === 'restored') return { attributes: 'all', conditions: unchangedSince(happened.over) };
  if (before === undefined && kind !== 'listed') return { attributes: 'all', conditions: [['pk', 'absent']] };
  const known = before ?? after;
  const inSequence: RowCondition = ['sequence', '=', known.sequence];
  const sameFault = faultAsRead(known);
  /** New tokens of a refresh change neither the history's number nor the epoch beyond that of the lease. */
  const samePrints = asRead('tokenPrints', known.tokenPrints);
  /** The connection that was read, not another one created under its name. */
  const sameOne: RowCondition = ['numericId', '=', known.numericId];
  const sameUse = asRead('lastUsedAtEpochSec', known.lastUsedAtEpochSec);
  switch (kind) {
    case 'saved':
      return {
        attributes: 'all',
        conditions: [['epoch', '=', known.epoch], inSequence, sameOne, sameFault, samePrints],
      };
    case 'deleted':
      return {
        attributes: 'all',
        conditions: [['epoch', '=', known.epoch], inSequence, sameOne, IS_THERE, sameFault, samePrints],
      };
    case 'refreshed': {
      const brought = membersOf('brought').filter((name) => after[name] !== known[name]);
      const revived = known.status === after.status ? [] : attributesOf('revived');
      const numbered = hasEvents ? attributesOf('numbered') : [];
      return {
        attributes: [...new Set([...attributesOf('refreshed'), DUE_SHARD, FACTS, ...brought, ...revived, ...numbered])],
        conditions: [
          ['epoch', '=', happened.lease.epoch],
          ['status', '=', hasEvents ? known.status : 'active'],
          sameOne,
          ...(hasEvents ? [inSequence] : []),
        ],
      };
    }
    case 'died':
      return {
        attributes: [
          ...attributesOf('died'),
          FACTS,
          DUE_SHARD,
          ...membersOf('erased').filter((name) => after[name] === undefined && known[name] !== undefined),
        ],
        conditions: [['epoch', '=', happened.lease.epoch], LIVES, inSequence, sameOne, samePrints],
      };
    case 'explained':
      return {
        attributes: [...attributesOf('explained', 'erased'), FACTS],
        conditions: [
          ['epoch', '=', known.epoch],
          ['status', '=', known.status],
          ['tokenEpoch', '=', known.tokenEpoch],
          inSequence,
          sameOne,
          ['refreshLease', 'absent'],
        ],
      };
    case 'token_dropped':
      return {
        attributes: attributesOf('token_dropped'),
        conditions: [LIVES, ['tokenEpoch', '=', known.tokenEpoch], sameOne],
      };
    case 'refused':
      return {
        attributes: [...attributesOf('refused', ...(happened.answered ? (['answered'] as const) : [])), FACTS],
        conditions: [
          ['epoch', '=', happened.lease.epoch],
          ['refreshLease', 'owner', '=', happened.lease.owner],
          LIVES,
          inSequence,
        ],
      };
    case 'described':
      return {
        attributes: attributesOf('described'),
        conditions: [IS_THERE, inSequence, sameOne],
      };
    case 'recording_changed':
      return { attributes: attributesOf('recording_changed'), conditions: [IS_THERE, inSequence] };
    case 'warned':
      return happened.of === 'expiry'
        ? {
            attributes: attributesOf('expiry_warned'),
            conditions: [LIVES, inSequence, ['expiryWarnings', '<', after.expiryWarnings]],
          }
        : {
            attributes: [...attributesOf('limit_warned'), FACTS],
            // A refresh and the first use take no number of the history, but the lists' facts follow from them.
            conditions: [
              ...[LIVES, inSequence, sameOne, sameUse],
              ...([
                ['limitWarned', 'absent'],
                ['tokenEpoch', '=', known.tokenEpoch],
              ] as const),
            ],
          };
    case 'fault_marked':
      return { attributes: attributesOf('fault_changed'), conditions: [LIVES, ['callFault', 'absent'], sameOne] };
    case 'fault_cleared':
      return { attributes: attributesOf('fault_changed'), conditions: [LIVES, ['callFault', 'exists'], sameOne] };
    case 'used': {
      const isFirst = !isUsed(known);
      return {
        // Only the first use is written to lists, whose copy costs a write of its own.
        attributes: [...attributesOf('used'), ...(isFirst ? [FACTS] : [])],
        // A concurrent refresh has set a later refreshAt, which must not be reduced.
        conditions: [
          LIVES,
          ['tokenEpoch', '=', known.tokenEpoch],
          ...(known.delegated === true ? [] : ([['dueShard', 'exists']] as const)),
          // The lists' facts follow from these, too: a refusal is recorded under a lease, which raises the epoch.
          ...(isFirst
            ? ([['epoch', '=', known.epoch], sameOne, asRead('limitWarned', known.limitWarned)] as const)
            : []),
        ],
      };
    }
    case 'facts_listed':
      return {
        attributes: [FACTS],
        conditions: [
          ...[LIVES, sameOne, sameUse, asRead('limitWarned', known.limitWarned)],
          ['tokenEpoch', '=', known.tokenEpoch],
        ],
      };
    case 'rescheduled':
      return {
        attributes: [...attributesOf('rescheduled'), ...(after.refreshAtEpochSec === undefined ? [DUE_SHARD] : [])],
        conditions: [
          ['epoch', '=', known.epoch],
          ['tokenEpoch', '=', known.tokenEpoch],
          // A connection that has died since is no longer due.
          ...(after.refreshAtEpochSec === undefined ? [] : ([['dueShard', 'exists']] as const)),
        ],
      };
    case 'listed':
      return {
        attributes: 'none',
        conditions: [inSequence, ['status', '=', known.status], sameFault, samePrints],
      };
  }
}

function asRead(attribute: string, value: unknown): RowCondition {
  return value === undefined ? [attribute, 'absent'] : [attribute, '=', value];
}

/** A mark of refused calls takes no number of the history, so a writer that removes its list row checks that it is unchanged. */
function faultAsRead({ callFault }: Pick<Connection, 'callFault'>): RowCondition {
  return callFault === undefined
    ? ['callFault', 'absent']
    : ['callFault', 'sinceEpochSec', '=', callFault.sinceEpochSec];
}

/** The row is unchanged since it was read, including missing attributes. */
function unchangedSince(over: Readonly<Record<string, unknown>> | undefined): readonly RowCondition[] {
  if (over === undefined) return [['pk', 'absent']];
  const { callFault } = over;
  const since = typeof callFault === 'object' && callFault !== null && 'sinceEpochSec' in callFault;
  return [
    ['pk', 'exists'],
    ...WITNESSES.map((name) => asRead(name, over[name])),
    since ? ['callFault', 'sinceEpochSec', '=', callFault.sinceEpochSec] : [...asRead('callFault', callFault)],
  ];
}

/** Changes of the rows that depend on a connection's row. */
export interface DependentChanges {
  /** Places in lists that it loses and gets. */
  readonly left: readonly ListedRow[];
  readonly entered: readonly ListedRow[];
  /** Whether the search entry must be updated, because its text or the whole row has changed. */
  readonly isSearchChanged: boolean;
  readonly counts: ChangeCounts;
}

/** Whether a write can change dependent rows: most cannot, and few refreshes of an active connection. */
export function mayChangeDependents({ kind }: Happened, before: Connection | undefined, after: Connection): boolean {
  switch (kind) {
    case 'used':
    case 'facts_listed':
    case 'warned':
    case 'rescheduled':
    case 'token_dropped':
    case 'recording_changed':
      return false;
    case 'refreshed':
      return before?.status !== after.status || before?.tokenPrints !== after.tokenPrints;
    default:
      return true;
  }
}

/** The changes of the dependent rows. @param before as its rows show it; undefined where there are none */
export function dependentChanges(
  happened: Happened,
  before: (ListedSubject & Searchable) | undefined,
  after: (ListedSubject & Searchable) | undefined,
): DependentChanges {
  const had = before === undefined ? [] : listedRowsOf(before);
  const has = after === undefined ? [] : listedRowsOf(after);
  return {
    left: without(had, has),
    entered: without(has, had),
    isSearchChanged:
      ['saved', 'restored', 'deleted', 'listed'].includes(happened.kind) || textOf(before) !== textOf(after),
    counts: isCounted(happened) ? countsOf(before, after) : {},
  };
}

/** Counters are restored from the backup, too: there, a connection whose row is missing is counted as created and never deleted. */
function isCounted(happened: Happened): boolean {
  if (happened.kind === 'restored') return happened.over !== undefined;
  return happened.kind !== 'listed';
}

function textOf(subject: (ListedSubject & Searchable) | undefined): string | undefined {
  return subject === undefined || subject.status === 'deleted' ? undefined : searchText(subject);
}

function without(rows: readonly ListedRow[], others: readonly ListedRow[]): ListedRow[] {
  const keyOf = ({ list, place }: ListedRow) => JSON.stringify([list.kind, list.value, place]);
  const known = new Set(others.map(keyOf));
  return rows.filter((row) => !known.has(keyOf(row)));
}

/** Members of a connection that determine the counters. */
type Counted = Pick<ListedSubject, 'status' | 'cause'>;

/** The changes of the day's counters by a write: created, died, recovered, deleted, as `ChangeCounts` names them. */
export function countsOf(before: Counted | undefined, after: Counted | undefined): ChangeCounts {
  const [was, is] = [lifeOf(before), lifeOf(after)];
  if (was === is) return {};
  if (is === undefined) return { [`deleted.${was}`]: 1 };
  return {
    ...(was === undefined ? { created: 1 } : was === 'active' ? {} : { [`mended.${was}`]: 1 }),
    ...(is === 'active' ? {} : { [`died.${is}`]: 1 }),
  };
}

/** `active`, or the cause of a death; undefined without a connection. */
function lifeOf(subject: Counted | undefined): string | undefined {
  if (subject === undefined || subject.status === 'deleted') return undefined;
  return subject.status === 'active' ? 'active' : (subject.cause ?? 'unknown');
}

/** A connection with new tokens: its lease is over and it is active, whatever it was before. Its `sequence` is still the previous one. */
export function withTokens(connection: Connection, lease: RefreshLease, tokens: StoredTokens): Connection {
  return {
    ...connection,
    status: 'active',
    death: undefined,
    encryptedAccessToken: tokens.encryptedAccessToken,
    encryptedRefreshToken: tokens.encryptedRefreshToken ?? connection.encryptedRefreshToken,
    tokenPrints: tokens.tokenPrints,
    accessTokenExpiresAtEpochSec: tokens.accessTokenExpiresAtEpochSec,
    grantedScopes: tokens.grantedScopes,
    refreshTokenExpiresAtEpochSec: tokens.refreshTokenExpiresAtEpochSec ?? connection.refreshTokenExpiresAtEpochSec,
    epoch: lease.epoch,
    tokenEpoch: lease.epoch,
    refreshLease: undefined,
    attemptHash: undefined,
    lostHash: undefined,
    retryAtEpochSec: undefined,
    refreshRefusal: undefined,
    failureCount: 0,
    refreshAtEpochSec: tokens.refreshAtEpochSec,
    lastRefreshedAtEpochSec: tokens.nowEpochSec,
    lastUsedAtEpochSec:
      tokens.lastUsedAtEpochSec === undefined
        ? connection.lastUsedAtEpochSec
        : useAt(connection, tokens.lastUsedAtEpochSec),
  };
}

/** A connection whose grant is dead. @param event that reports it */
export function withDeath(
  connection: Connection,
  death: GrantDeath,
  { sequence, occurredAt }: Pick<LifecycleEvent, 'sequence' | 'occurredAt'>,
): Connection {
  return {
    ...(isToBeErased(death) ? withoutTokens(connection) : connection),
    status: 'reauthorization_required',
    death,
    refreshLease: undefined,
    attemptHash: undefined,
    lostHash: undefined,
    retryAtEpochSec: undefined,
    refreshRefusal: undefined,
    refreshAtEpochSec: undefined,
    sequence,
    updatedAt: occurredAt,
  };
}

/** A dead connection with a better known cause. @param event that reports it; undefined where only its tokens are erased */
export function withExplainedDeath(
  connection: Connection,
  death: GrantDeath,
  event: Pick<LifecycleEvent, 'sequence' | 'occurredAt'> | undefined,
): Connection {
  const kept = isToBeErased(death) ? withoutTokens(connection) : connection;
  return { ...kept, death, ...(event && { sequence: event.sequence, updatedAt: event.occurredAt }) };
}

/** The provider requires that tokens it has revoked are deleted (RI-16). */
function withoutTokens(connection: Connection): Connection {
  return { ...connection, encryptedAccessToken: undefined, encryptedRefreshToken: undefined, tokenPrints: undefined };
}

/** A connection with a reported refusal and its lease returned. @param event that reports it */
export function withRefusal(
  connection: Connection,
  { retryAtEpochSec, failureCount, answered, refusal }: LeaseRelease,
  { sequence, occurredAt }: Pick<LifecycleEvent, 'sequence' | 'occurredAt'>,
): Connection {
  return {
    ...connection,
    refreshLease: undefined,
    ...(answered ? { attemptHash: undefined } : {}),
    retryAtEpochSec,
    refreshAtEpochSec: retryAtEpochSec ?? connection.refreshAtEpochSec,
    failureCount,
    refreshRefusal: refusal,
    sequence,
    updatedAt: occurredAt,
  };
}

/** The remains of a deleted connection: no tokens, no personal data (TK-8). @param event that reports it */
export function tombstone(
  connection: Connection,
  { sequence, occurredAt }: Pick<LifecycleEvent, 'sequence' | 'occurredAt'>,
  revocationRequested: boolean,
): Connection {
  return remainsOfDeleted(connection, {
    status: 'deleted',
    tags: {},
    revocationRequested: revocationRequested ? true : undefined,
    // A refresh in flight holds a lower epoch, so its answer can no longer be stored.
    epoch: connection.epoch + 1,
    sequence,
    updatedAt: occurredAt,
  });
}
