/**
 * What each function may do to rows of the table. Policies are made of it and tests compare with it; no function reads it, so it is in
 * no bundle.
 */
import type { FunctionName, KeyFamily } from './contract.ts';

/** Actions on items that change them. */
export type WriteAction = 'DeleteItem' | 'PutItem' | 'UpdateItem';

/** Families of items by the action that a function may do to them. */
export type WriteRights = Readonly<Partial<Record<WriteAction, readonly KeyFamily[]>>>;

/** What a refresh of a connection writes, in whichever function it runs: the row with its events, and data keys. */
const REFRESH_WRITES = {
  PutItem: ['account', 'connection', 'escrow', 'event', 'listed'],
  // `usage` holds the counters of deaths, recoveries and consents: they are in the transactions of those changes.
  UpdateItem: ['account', 'connection', 'usage'],
} as const;

/** Calls as a user: refreshes, and the counts that limits are judged by. */
const CALL_WRITES = {
  PutItem: REFRESH_WRITES.PutItem,
  UpdateItem: [...REFRESH_WRITES.UpdateItem, 'calls'],
} as const;

/** Changes of feeds, which the function that works on them and the one that manages them make. */
const FEED_FAMILIES = ['feed', 'feedMark'] as const;

/**
 * What each function may write, and no more (IN-11): only two of them a secret key, and one that reports an event of a connection
 * needs no right on its row. Policies are made of it, and the local runtime judges every call by those.
 */
export const TABLE_WRITES = {
  proxy: CALL_WRITES,
  /** The connection that an authorization brings, its places in lists and search, the end of session and authorization. */
  'oauth-callback': {
    PutItem: [...REFRESH_WRITES.PutItem, 'search'],
    UpdateItem: [...REFRESH_WRITES.UpdateItem, 'authorization', 'consents', 'session'],
  },
  /** Authorizations that begin, their events and counts, data keys; sessions that their end users end. */
  connect: {
    DeleteItem: ['session'],
    PutItem: ['account', 'authorization', 'event'],
    UpdateItem: ['account', 'session'],
  },
  management: {
    DeleteItem: [
      'account',
      'channel',
      'connection',
      'consents',
      ...FEED_FAMILIES,
      'feedOf',
      'listed',
      'securityProject',
      'session',
      'sessionOf',
    ],
    PutItem: [
      ...REFRESH_WRITES.PutItem,
      'channel',
      ...FEED_FAMILIES,
      'feedOf',
      'key',
      'search',
      'session',
      'sessionOf',
      'webhook',
    ],
    UpdateItem: [
      ...CALL_WRITES.UpdateItem,
      'consents',
      ...FEED_FAMILIES,
      'feedQuota',
      'key',
      'securityProject',
      'session',
      'webhook',
    ],
  },
  /** What others left unfinished ends here, and the first secret key is made here. */
  refresh: {
    DeleteItem: ['account', 'connection', 'consents', 'escrow', 'listed', 'securityProject'],
    PutItem: [...REFRESH_WRITES.PutItem, 'heartbeat', 'key', 'search'],
    UpdateItem: [
      ...CALL_WRITES.UpdateItem,
      'consents',
      'escrow',
      'key',
      'securityEvent',
      'securityProject',
      'sweep',
      'ticks',
    ],
  },
  /** Deliveries, and how their endpoints do. */
  deliver: { PutItem: ['event', 'webhook'], UpdateItem: ['account', 'sweep', 'ticks', 'webhook'] },
  feeds: {
    DeleteItem: ['channel', ...FEED_FAMILIES, 'feedOf'],
    PutItem: [...REFRESH_WRITES.PutItem, 'channel', ...FEED_FAMILIES, 'feedOf'],
    UpdateItem: [...CALL_WRITES.UpdateItem, ...FEED_FAMILIES, 'feedQuota', 'sweep', 'ticks'],
  },
  /** That a message came: its sender has shown nothing (SH-4). Statements only after Google's signature was checked. */
  inbox: { PutItem: ['securityEvent'], UpdateItem: ['evidence', 'feedMark', 'securityProject'] },
  /** It reads the table's stream and reaches no item. */
  events: {},
  /** Sums of calls, and events about quotas. */
  'roll-up': { PutItem: ['account', 'book', 'event', 'page'], UpdateItem: ['ticks'] },
  /** Calls of tools, and connect sessions: the link by which an end user gives a dead grant again. */
  mcp: { PutItem: [...CALL_WRITES.PutItem, 'session', 'sessionOf'], UpdateItem: CALL_WRITES.UpdateItem },
  approvals: CALL_WRITES,
} as const satisfies Record<FunctionName, WriteRights>;

/** What functions may read that need only a part of the table: `GetItem` and, where it says so, queries. All others read any item. */
export const TABLE_READS = {
  connect: { GetItem: ['account', 'connection', 'session'], Query: ['account'] },
  deliver: { GetItem: ['account', 'webhook'], Query: ['account'] },
  inbox: { GetItem: ['channel', 'securityProject'], Query: [] },
  'roll-up': { GetItem: ['book', 'page'], Query: ['account', 'book', 'page'] },
} as const satisfies Partial<Record<FunctionName, Readonly<Record<'GetItem' | 'Query', readonly KeyFamily[]>>>>;

/** What code in a function could do to grants, with the credentials of its role. */
export interface Powers {
  /** Read refresh tokens in plain text. */
  readonly opensRefreshTokens: boolean;
  /** Read access tokens in plain text, and with them send as any connection. */
  readonly opensAccessTokens: boolean;
  /** Send as any connection, by an access token or by a key that it makes. */
  readonly sendsAsAnyone: boolean;
  /** Make a secret key, or give one more rights. */
  readonly makesKeys: boolean;
}

const NONE: Powers = { opensRefreshTokens: false, opensAccessTokens: false, sendsAsAnyone: false, makesKeys: false };
const TOKENS: Powers = { ...NONE, opensRefreshTokens: true, opensAccessTokens: true, sendsAsAnyone: true };
const ALL: Powers = { ...TOKENS, makesKeys: true };

/** The boundary around tokens: what each function has, and nothing beyond it (IN-12). */
export const FUNCTION_POWERS: Readonly<Record<FunctionName, Powers>> = {
  proxy: TOKENS,
  'oauth-callback': TOKENS,
  // It reads connections that are authorized again, and seals values under the data keys of tokens.
  connect: TOKENS,
  management: ALL,
  refresh: ALL,
  deliver: NONE,
  feeds: TOKENS,
  inbox: NONE,
  events: NONE,
  'roll-up': NONE,
  mcp: TOKENS,
  approvals: TOKENS,
};
