import type { Connection } from './connection.rules.ts';

/**
 * Writes of a part of a connection's row. `revived`, `numbered`, `brought`, `erased` and `answered` are additions where they apply: a
 * connection that is active again, a number of the history, members brought by a refresh, tokens to erase, an attempt that the provider
 * has answered.
 */
export type PartialWrite =
  | 'leased'
  | 'released'
  | 'refreshed'
  | 'revived'
  | 'brought'
  | 'numbered'
  | 'died'
  | 'erased'
  | 'explained'
  | 'token_dropped'
  | 'refused'
  | 'answered'
  | 'described'
  | 'recording_changed'
  | 'expiry_warned'
  | 'limit_warned'
  | 'fault_changed'
  | 'used'
  | 'rescheduled'
  | 'grant_ended';

/** The rule for a member of a connection. */
export interface MemberRule<Value> {
  /** Writes that set it, in addition to those of the whole row (`saved`, `restored`, `deleted`). */
  readonly writtenBy: readonly PartialWrite[];
  /** The effect of deletion on it; `set`: the deletion gives it a value. */
  readonly deletion: 'stays' | 'set' | (undefined extends Value ? 'goes' : never);
  /** Attributes of the row that it is stored in. @default one of its own name */
  readonly storedAs?: readonly string[];
}

const FIXED = { writtenBy: [], deletion: 'stays' } as const;

/**
 * Every member of a connection: who writes it, and the effect of deletion. Writes, the row and the remains of a deleted connection
 * follow from here, so a missing member does not compile (CR-11). Personal data and tokens are erased.
 */
export const CONNECTION_MEMBERS = {
  accountId: FIXED,
  integrationId: FIXED,
  connectionId: FIXED,
  provider: FIXED,
  delegated: FIXED,
  status: { writtenBy: ['revived', 'died'], deletion: 'set', storedAs: ['status', 'grantKey', 'grantClientId'] },
  death: { writtenBy: ['revived', 'died', 'explained'], deletion: 'goes', storedAs: ['cause', 'death'] },
  encryptedAccessToken: { writtenBy: ['refreshed', 'erased'], deletion: 'goes' },
  encryptedRefreshToken: { writtenBy: ['brought', 'erased'], deletion: 'goes' },
  tokenPrints: { writtenBy: ['brought', 'erased'], deletion: 'goes' },
  accessTokenExpiresAtEpochSec: { writtenBy: ['refreshed', 'token_dropped'], deletion: 'stays' },
  requestedScopes: FIXED,
  grantedScopes: { writtenBy: ['refreshed'], deletion: 'stays' },
  clientId: FIXED,
  providerAccount: { writtenBy: [], deletion: 'goes' },
  consentedAtEpochSec: FIXED,
  refreshTokenExpiresAtEpochSec: { writtenBy: ['brought'], deletion: 'stays' },
  testingAtConsent: FIXED,
  language: { writtenBy: [], deletion: 'goes' },
  epoch: { writtenBy: ['leased'], deletion: 'set' },
  tokenEpoch: { writtenBy: ['refreshed'], deletion: 'stays' },
  refreshLease: { writtenBy: ['leased', 'released', 'refreshed', 'died', 'refused'], deletion: 'goes' },
  attemptId: { writtenBy: ['leased'], deletion: 'goes' },
  attemptHash: { writtenBy: ['leased', 'released', 'refreshed', 'died', 'answered'], deletion: 'goes' },
  lostHash: { writtenBy: ['leased', 'refreshed', 'died'], deletion: 'goes' },
  retryAtEpochSec: {
    writtenBy: ['released', 'refreshed', 'died', 'refused'],
    deletion: 'stays',
    storedAs: ['retryAt'],
  },
  failureCount: { writtenBy: ['released', 'refreshed', 'refused'], deletion: 'stays' },
  refreshRefusal: { writtenBy: ['released', 'refreshed', 'died', 'refused'], deletion: 'goes' },
  forcedRefreshAtEpochSec: { writtenBy: ['leased'], deletion: 'stays' },
  refreshAtEpochSec: {
    writtenBy: ['released', 'refreshed', 'died', 'refused', 'used', 'rescheduled'],
    deletion: 'stays',
    storedAs: ['refreshAt'],
  },
  lastUsedAtEpochSec: { writtenBy: ['brought', 'used'], deletion: 'stays' },
  lastRefreshedAtEpochSec: { writtenBy: ['refreshed'], deletion: 'stays' },
  callsRecordedUntilEpochSec: { writtenBy: ['recording_changed'], deletion: 'stays' },
  callFault: { writtenBy: ['fault_changed'], deletion: 'goes', storedAs: ['callFault', 'name'] },
  expiryWarnings: { writtenBy: ['expiry_warned'], deletion: 'goes' },
  limitWarned: { writtenBy: ['limit_warned'], deletion: 'goes' },
  grantEndedAtEpochSec: { writtenBy: ['grant_ended'], deletion: 'stays' },
  revocationRequested: { writtenBy: [], deletion: 'set' },
  sequence: {
    writtenBy: [
      ...(['revived', 'numbered', 'died', 'explained', 'refused', 'described', 'recording_changed'] as const),
      ...(['expiry_warned', 'limit_warned'] as const),
    ],
    deletion: 'set',
  },
  numericId: FIXED,
  endUser: { writtenBy: ['described'], deletion: 'goes', storedAs: ['endUser', 'endUserId'] },
  tags: { writtenBy: ['described'], deletion: 'set' },
  metadata: { writtenBy: ['described'], deletion: 'goes' },
  budget: { writtenBy: ['described'], deletion: 'goes' },
  createdAt: FIXED,
  updatedAt: {
    writtenBy: ['revived', 'numbered', 'died', 'explained', 'refused', 'described', 'recording_changed'],
    deletion: 'set',
  },
} as const satisfies MemberRules<Connection>;

/** A rule for each member of a record. */
export type MemberRules<Row> = { readonly [Member in keyof Required<Row>]: MemberRule<Row[Member]> };

type Rules = typeof CONNECTION_MEMBERS;
type MemberThat<Deletion> = {
  [Member in keyof Rules]: Rules[Member]['deletion'] extends Deletion ? Member : never;
}[keyof Rules];

/** Attributes of a connection's row that its members are stored in. */
export type StoredAttribute = {
  [Member in keyof Rules]: Rules[Member] extends { readonly storedAs: readonly (infer Name extends string)[] }
    ? Name
    : Member;
}[keyof Rules];

/** Members that a deletion sets itself. */
export type SetByDeletion = Pick<Connection, MemberThat<'set'>>;

function isMember(name: string): name is keyof Rules {
  return Object.hasOwn(CONNECTION_MEMBERS, name);
}

const MEMBERS = Object.keys(CONNECTION_MEMBERS).filter(isMember);

function goes(member: keyof Rules): member is MemberThat<'goes'> {
  return CONNECTION_MEMBERS[member].deletion === 'goes';
}

/** Members that a write sets. */
export function membersOf(write: PartialWrite): readonly (keyof Connection)[] {
  return MEMBERS.filter((member) => writtenBy(member).includes(write));
}

/** Attributes of the row that writes set, each once. */
export function attributesOf(...writes: readonly PartialWrite[]): readonly string[] {
  return [...new Set(writes.flatMap(membersOf).flatMap(storedAs))];
}

function writtenBy(member: keyof Rules): readonly PartialWrite[] {
  return CONNECTION_MEMBERS[member].writtenBy;
}

function storedAs(member: keyof Rules): readonly string[] {
  const rule: MemberRule<unknown> = CONNECTION_MEMBERS[member];
  return rule.storedAs ?? [member];
}

/** The remaining members of a deleted connection. */
export function remainsOfDeleted(connection: Connection, set: SetByDeletion): Connection {
  const remains: { -readonly [Member in keyof Connection]: Connection[Member] } = { ...connection, ...set };
  for (const member of MEMBERS.filter(goes)) remains[member] = undefined;
  return remains;
}
