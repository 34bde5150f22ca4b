/**
 * What each function may do to rows of the table. Policies are generated from it and tests compare with it; no function reads it, so no
 * bundle contains it.
 */
import { FEATURE_CORE_ALIASES, FEATURE_FUNCTIONS, FEATURES } from '../../features/index.ts';
import {
  type FeatureFunction,
  FUNCTION_NAMES,
  type FunctionName,
  KEY_FAMILIES,
  KEY_PURPOSES,
  type KeyFamily,
  type KeyPurpose,
} from './contract.ts';

/** Actions on items that change them. */
export type WriteAction = 'DeleteItem' | 'PutItem' | 'UpdateItem';

/** Families of items by the action that a function may do to them. */
export type WriteRights = Readonly<Partial<Record<WriteAction, readonly KeyFamily[]>>>;

/** Families of features that a function may reach by an action. */
function ofFeatures(name: FunctionName, action: WriteAction | 'GetItem' | 'Query'): readonly KeyFamily[] {
  return FEATURES.flatMap(({ rights }) => rights[name]?.[action] ?? []).filter((one) => isFamily(one));
}

/** A row for each function of a feature. */
function ofOwnFunctions<Row>(rowOf: (name: FeatureFunction) => Row): Readonly<Record<FeatureFunction, Row>> {
  const rows: Partial<Record<FeatureFunction, Row>> = Object.fromEntries(
    FEATURE_FUNCTIONS.map((name) => [name, rowOf(name)]),
  );
  if (!isWhole(rows)) throw new Error('A function of a feature has no row.');
  return rows;
}

function isWhole<Row>(rows: Partial<Record<FeatureFunction, Row>>): rows is Readonly<Record<FeatureFunction, Row>> {
  return FEATURE_FUNCTIONS.every((name) => Object.hasOwn(rows, name));
}

/** Functions that a deployment without some features lacks. @param without ids of features */
export function functionsWithout(without: readonly string[]): ReadonlySet<FunctionName> {
  const left = FEATURES.filter(({ id }) => without.includes(id));
  const names = new Set(left.flatMap(({ functions }) => functions));
  // The function `core` is there for those that ask it, and `inbox` for features that take messages.
  if (FEATURE_CORE_ALIASES.every((name) => names.has(name))) names.add('core');
  if (FEATURES.every((feature) => left.includes(feature) || feature.messagePaths.length === 0)) names.add('inbox');
  return new Set(FUNCTION_NAMES.filter((name) => names.has(name)));
}

/** Purposes that only features have which a deployment leaves out. */
export function purposesOf(without: readonly string[]): ReadonlySet<string> {
  return new Set(FEATURES.filter(({ id }) => without.includes(id)).flatMap(({ keyPurposes }) => keyPurposes));
}

/** Purposes of features whose data keys a function may create and unwrap. */
function purposesOfFeatures(name: FunctionName): readonly KeyPurpose[] {
  const named = FEATURES.flatMap(({ dataKeys }) => dataKeys[name] ?? []);
  return KEY_PURPOSES.filter((purpose) => named.includes(purpose));
}

function isFamily(name: string): name is KeyFamily {
  return Object.hasOwn(KEY_FAMILIES, name);
}

/** Families that a function may query for features, in addition to those that it reads for itself. */
export function queriedForFeatures(name: FunctionName): readonly KeyFamily[] {
  return ofFeatures(name, 'Query');
}

/** Whether a function of a feature reads any row by its key, as those of the core that read connections do. */
export function readsAnyRow(name: FeatureFunction): boolean {
  return FEATURES.some((feature) => feature.readsAnyRow.includes(name));
}

/** Families of the features that a deployment leaves out: no function of it has a right to them. @param without ids of features */
export function familiesOf(without: readonly string[]): ReadonlySet<string> {
  const left = FEATURES.filter(({ id }) => without.includes(id));
  return new Set(left.flatMap(({ families }) => Object.keys(families)));
}

/** Writes of a connection's refresh, in whichever function it runs: the row with its events, and data keys. */
const REFRESH_WRITES = {
  PutItem: ['account', 'connection', 'escrow', 'event', 'listed'],
  // `usage` contains the counters of deaths, recoveries and consents, which are written in the transactions of those changes.
  UpdateItem: ['account', 'connection', 'usage'],
} as const;

/** Writes of calls as a user: refreshes, and the counts of limits. */
const CALL_WRITES = {
  PutItem: REFRESH_WRITES.PutItem,
  UpdateItem: [...REFRESH_WRITES.UpdateItem, 'calls'],
} as const;

/**
 * The writes of each function, complete (IN-11): only two may write a secret key, and a function that reports an event of a connection
 * needs no right on its row. Policies are generated from it, and the local runtime checks every call by those.
 */
export const TABLE_WRITES = {
  /** Calls, and what tools of assistants need: pinned lists, and connect sessions, with which an end user renews a dead grant. */
  proxy: {
    PutItem: [...CALL_WRITES.PutItem, 'serverTools', 'session', 'sessionOf'],
    UpdateItem: CALL_WRITES.UpdateItem,
  },
  /** The connection of an authorization, its places in lists and search, the end of session and authorization. */
  'oauth-callback': {
    PutItem: [...REFRESH_WRITES.PutItem, 'search'],
    UpdateItem: [...REFRESH_WRITES.UpdateItem, 'authorization', 'consents', 'session'],
  },
  /** New authorizations, their events and counts, data keys; sessions that their end users end. */
  connect: {
    DeleteItem: ['session'],
    PutItem: ['account', 'authorization', 'event'],
    UpdateItem: ['account', 'session'],
  },
  /** Keys, webhooks, sessions and what reports of an account keep; no connection. */
  management: {
    DeleteItem: ['account', ...ofFeatures('management', 'DeleteItem'), 'session', 'sessionOf'],
    PutItem: ['account', 'event', 'key', 'serverTools', 'session', 'sessionOf', ...ofFeatures('management', 'PutItem')],
    UpdateItem: ['account', 'calls', 'key', ...ofFeatures('management', 'UpdateItem'), 'session'],
  },
  /** Integrations and connections: imported, renewed, checked, ended; sessions whose grants it ends. No key. */
  grants: {
    DeleteItem: [
      'account',
      'clientSecret',
      'connection',
      'consents',
      'listed',
      ...ofFeatures('grants', 'DeleteItem'),
      'session',
      'sessionOf',
    ],
    PutItem: [...REFRESH_WRITES.PutItem, 'clientSecret', 'search', ...ofFeatures('grants', 'PutItem')],
    UpdateItem: [...CALL_WRITES.UpdateItem, 'consents', ...ofFeatures('grants', 'UpdateItem'), 'session'],
  },
  /** Ends the unfinished work of others, and creates the first secret key. */
  refresh: {
    DeleteItem: ['account', 'connection', 'consents', 'escrow', 'listed', ...ofFeatures('refresh', 'DeleteItem')],
    PutItem: [...REFRESH_WRITES.PutItem, 'heartbeat', 'key', 'search'],
    UpdateItem: [
      ...CALL_WRITES.UpdateItem,
      'consents',
      'escrow',
      'key',
      ...ofFeatures('refresh', 'UpdateItem'),
      'sweep',
      'ticks',
    ],
  },
  ...ofOwnFunctions((name) => ({
    DeleteItem: ofFeatures(name, 'DeleteItem'),
    PutItem: ofFeatures(name, 'PutItem'),
    UpdateItem: ofFeatures(name, 'UpdateItem'),
  })),
  /** Refreshes, and what calls in the background need of features' rows. */
  core: {
    DeleteItem: ofFeatures('core', 'DeleteItem'),
    PutItem: [...REFRESH_WRITES.PutItem, ...ofFeatures('core', 'PutItem')],
    UpdateItem: [...REFRESH_WRITES.UpdateItem, ...ofFeatures('core', 'UpdateItem')],
  },
  /** Of features only: the sender of a message has proved nothing (SH-4). */
  inbox: {
    PutItem: ofFeatures('inbox', 'PutItem'),
    UpdateItem: ofFeatures('inbox', 'UpdateItem'),
  },
  /** It reads the table's stream and reaches no item. */
  events: {},
  /** Sums of calls, and events about quotas. */
  'roll-up': { PutItem: ['account', 'book', 'event', 'page'], UpdateItem: ['ticks'] },
  /** It asks the management API and reaches no item. */
  declared: {},
} as const satisfies Record<FunctionName, WriteRights>;

/** Reads of functions that need only a part of the table: `GetItem` and, where stated, queries. All others read any item. */
export const TABLE_READS = {
  connect: { GetItem: ['account', 'connection', 'session'], Query: ['account'] },
  ...ofOwnFunctions((name) => ({ GetItem: ofFeatures(name, 'GetItem'), Query: ofFeatures(name, 'Query') })),
  inbox: { GetItem: ofFeatures('inbox', 'GetItem'), Query: [] },
  'roll-up': { GetItem: ['book', 'page'], Query: ['account', 'book', 'page'] },
} as const satisfies Partial<Record<FunctionName, Readonly<Record<'GetItem' | 'Query', readonly KeyFamily[]>>>>;

/**
 * The purposes whose data keys each function may create and unwrap, complete but for features that grant their own (IN-12).
 * Only `tokens` opens refresh and access tokens; only `clients` opens client secrets that are rows, for the functions that read those in
 * Secrets Manager, too. Values that 0.2.0 wrote are under `tokens` whatever they are.
 */
export const DATA_KEY_PURPOSES = {
  proxy: ['tokens', 'clients', ...purposesOfFeatures('proxy'), 'cursors'],
  'oauth-callback': ['tokens', 'clients', 'flows'],
  /** The PKCE verifier of a flow that it starts. */
  connect: ['flows'],
  management: [...purposesOfFeatures('management'), 'answers', 'cursors'],
  grants: ['tokens', 'clients', ...purposesOfFeatures('grants'), 'answers', 'cursors'],
  refresh: ['tokens', 'clients', ...purposesOfFeatures('refresh')],
  ...ofOwnFunctions(purposesOfFeatures),
  core: ['tokens', 'clients', 'cursors'],
  inbox: [],
  events: [],
  'roll-up': [],
  declared: [],
} as const satisfies Record<FunctionName, readonly KeyPurpose[]>;

/** What code in a function could do to grants with its role's credentials. */
export interface Powers {
  /** Read refresh tokens in plain text. */
  readonly opensRefreshTokens: boolean;
  /** Read access tokens in plain text, and with them send requests for any connection. */
  readonly opensAccessTokens: boolean;
  /** Send requests for any connection with what the role may open; a key that it creates is a power of its own. */
  readonly sendsAsAnyone: boolean;
  /** Create a secret key, or extend the rights of one. */
  readonly makesKeys: boolean;
}

const NONE: Powers = { opensRefreshTokens: false, opensAccessTokens: false, sendsAsAnyone: false, makesKeys: false };
const TOKENS: Powers = { ...NONE, opensRefreshTokens: true, opensAccessTokens: true, sendsAsAnyone: true };
const ALL: Powers = { ...TOKENS, makesKeys: true };

/** The boundary around tokens: the powers of each function, complete (IN-12). */
export const FUNCTION_POWERS: Readonly<Record<FunctionName, Powers>> = {
  proxy: TOKENS,
  'oauth-callback': TOKENS,
  // It reads connections for re-authorization, and unwraps no data key of tokens.
  connect: NONE,
  // With a key that it makes it is a caller like any other.
  management: { ...NONE, makesKeys: true },
  grants: TOKENS,
  refresh: ALL,
  // What reaches more than its own rows and tokens of nobody belongs to the core.
  ...ofOwnFunctions(() => NONE),
  // It makes calls that features ask for, each only where a row grants it that the asking function cannot write (TB-3).
  core: TOKENS,
  inbox: NONE,
  events: NONE,
  'roll-up': NONE,
  // What it may ask of the management API gives roles the right proxy and opens no token.
  declared: NONE,
};
