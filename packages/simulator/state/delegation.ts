import { flag, listOf, number, object, oneOf, text } from '../parse.ts';

/** A service account of a Cloud project that may act for users of Workspace domains. */
const delegateRecord = object({
  email: text,
  /** Its numeric OAuth client id, which administrators list. */
  clientId: text,
  /** Number of its Cloud project. */
  project: text,
  /** Public halves of its user-managed keys, as PEM. */
  keys: listOf(object({ id: text, publicKey: text })),
  /** The key that Google keeps and `signJwt` signs with, as PEM. */
  ownKey: object({ id: text, privateKey: text, publicKey: text }),
  /** Workload identity pool providers whose principals may make tokens for it (role Service Account Token Creator). */
  principals: listOf(text),
  state: oneOf('enabled', 'disabled', 'deleted'),
});
export type DelegateRecord = ReturnType<typeof delegateRecord>;

/** What an administrator of a domain has listed for a client id, and from when it counts. */
const listingRecord = object({ domain: text, clientId: text, scopes: listOf(text), effectiveAtMs: number });
export type ListingRecord = ReturnType<typeof listingRecord>;

/** What has become of a user of the domain; those who are in no record are as usual. */
const domainUserRecord = object({ email: text, state: oneOf('suspended', 'deleted', 'restricted', 'alias') });
export type DomainUserRecord = ReturnType<typeof domainUserRecord>;

/** The part of the state file about service accounts that act for users. */
export const delegationRecord = object({
  delegates: listOf(delegateRecord),
  listings: listOf(listingRecord),
  users: listOf(domainUserRecord),
  /** Tokens that were made for a client stop with its listing. */
  tokensEndWithListing: flag,
});

/** See {@link delegationRecord}. */
export interface DelegationState {
  delegates: DelegateRecord[];
  listings: ListingRecord[];
  users: DomainUserRecord[];
  tokensEndWithListing: boolean;
  /** Tokens of workload identity federation by SHA-256, of this run: the principal's pool provider and the token's end. */
  federated: Map<string, { principal: string; expiresAtMs: number }>;
  /** Secret access keys by access key id, of this run: signatures of those are checked, of others their form alone. */
  awsSecrets: Map<string, string>;
}

/** The part of a state about service accounts, from its record or empty. */
export function createDelegation(record: ReturnType<typeof delegationRecord> | undefined): DelegationState {
  return {
    delegates: record?.delegates ?? [],
    listings: record?.listings ?? [],
    users: record?.users ?? [],
    tokensEndWithListing: record?.tokensEndWithListing ?? true,
    federated: new Map(),
    awsSecrets: new Map(),
  };
}
