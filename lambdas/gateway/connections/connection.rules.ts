import type { StoredBudget } from '../core/budget.ts';
import type { GrantDeath } from '../core/grant-death.ts';
import type { ConnectionRef } from '../core/identifiers.ts';
import type { Whole } from '../core/whole.ts';
import type { ProviderId } from '../providers/provider.rules.ts';
import type { RefreshRefusal } from './refresh-refusal.rules.ts';

/** `deleted` rows keep no token; they exist until cleaned up so that late writers are fenced. */
export type ConnectionStatus = 'active' | 'reauthorization_required' | 'deleted';

/**
 * `lostHash` of a row restored from a backup: its refresh token may be outdated, so escrow is checked before the provider is asked.
 */
export const RESTORED_TOKEN = 'restored';

/** Who the connection belongs to on the integrator's side. */
export interface EndUser {
  readonly id: string;
  readonly email: string | null;
  readonly displayName: string | null;
  readonly tags: Readonly<Record<string, string>> | null;
  readonly organization: { readonly id: string; readonly displayName: string | null } | null;
}

/** Who granted access, at the provider. Identity is (issuer, subject), never the e-mail. */
export interface ProviderAccount {
  readonly subject: string;
  readonly email: string | null;
  /** Its Google Workspace domain; null for an account without one, undefined where it was not requested at consent. */
  readonly hostedDomain?: string | null | undefined;
}

/**
 * Whether an account belongs to no Workspace, so that it has no administrator; undefined where that is unknown (Google, "OpenID
 * Connect": claim `hd`).
 */
export function isConsumerAccount(account: ProviderAccount | undefined): boolean | undefined {
  if (account === undefined) return undefined;
  if (typeof account.hostedDomain === 'string') return false;
  if (/@(?:gmail|googlemail)\.com$/i.test(account.email ?? '')) return true;
  return account.hostedDomain === null ? true : undefined;
}

/** Exclusive right to refresh, held by one process until a moment; `epoch` fences its writes. */
export interface RefreshLease {
  readonly owner: string;
  readonly epoch: number;
  readonly expiresAtEpochSec: number;
}

/** One end user's authorized link, tokens still encrypted. Times are epoch seconds unless named otherwise. */
export interface Connection extends ConnectionRef {
  readonly provider: ProviderId;
  /** Without a person: a service account acts for its user, whose encrypted address replaces the refresh token. */
  readonly delegated?: true | undefined;
  readonly status: ConnectionStatus;
  readonly death: GrantDeath | undefined;
  /** Ciphertexts, see `TokenCipher`. Absent once deleted. */
  readonly encryptedAccessToken: string | undefined;
  readonly encryptedRefreshToken: string | undefined;
  /** Index keys of its refresh token (see `keptPrints`); absent without one, and on older rows until their next refresh. */
  readonly tokenPrints?: string | undefined;
  readonly accessTokenExpiresAtEpochSec: number;
  readonly requestedScopes: readonly string[];
  readonly grantedScopes: readonly string[];
  /** OAuth client the grant belongs to: refresh tokens are useless under another. */
  readonly clientId: string;
  readonly providerAccount: ProviderAccount | undefined;
  readonly consentedAtEpochSec: number;
  /** End of the grant that the provider announced with it. */
  readonly refreshTokenExpiresAtEpochSec: number | undefined;
  /** The integration was declared External and in Testing when consent was given. */
  readonly testingAtConsent?: boolean | undefined;
  /** Id of the language of the consent's pages; absent without pages, and on older rows. */
  readonly language?: string | undefined;
  /** Raised by each lease, re-authorization and delete; never lowered. */
  readonly epoch: number;
  /** Epoch whose holder wrote the current tokens. */
  readonly tokenEpoch: number;
  readonly refreshLease: RefreshLease | undefined;
  readonly attemptId: string | undefined;
  /** SHA-256 of the refresh token that an open attempt is using. */
  readonly attemptHash: string | undefined;
  /** The same for an attempt that never closed. */
  readonly lostHash: string | undefined;
  /** No refresh before this, after transient failures. */
  readonly retryAtEpochSec: number | undefined;
  readonly failureCount: number;
  /** Set while the provider answers refreshes of the current tokens without new ones. */
  readonly refreshRefusal?: RefreshRefusal | undefined;
  /** When a refresh was last requested because the API had refused the access token. */
  readonly forcedRefreshAtEpochSec?: number | undefined;
  readonly refreshAtEpochSec: number | undefined;
  readonly lastUsedAtEpochSec: number | undefined;
  readonly lastRefreshedAtEpochSec: number | undefined;
  /** Until when every call leaves a row in the call log, because an operator asked for it. */
  readonly callsRecordedUntilEpochSec?: number | undefined;
  /** Set while the provider's API refuses its calls although the grant is alive. */
  readonly callFault?: CallFault | undefined;
  /** How many warnings of a known end were given for this consent. */
  readonly expiryWarnings?: number | undefined;
  /** Set once the limit of refresh tokens was announced for this consent. */
  readonly limitWarned?: boolean | undefined;
  /** When the gateway asked the provider to end another connection's grant that is also this one's. */
  readonly grantEndedAtEpochSec?: number | undefined;
  /** On a deleted row: its grant was to be revoked, and so are tokens that arrive late. */
  readonly revocationRequested?: boolean | undefined;
  /** Number of the last lifecycle event. */
  readonly sequence: number;
  /** Stable integer below 2^53, for clients that want a number. */
  readonly numericId: number;
  readonly endUser: EndUser | undefined;
  readonly tags: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /** The budget of its calls; absent: unlimited. */
  readonly budget?: StoredBudget | undefined;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A connection with every member present, including optional ones: for code that creates whole connections. */
export type WholeConnection = Whole<Connection>;

/** The refresh state of a grant that nobody is refreshing and whose last refresh did not fail. */
export const NO_REFRESH_UNDER_WAY = {
  refreshLease: undefined,
  attemptId: undefined,
  attemptHash: undefined,
  lostHash: undefined,
  retryAtEpochSec: undefined,
  failureCount: 0,
  refreshRefusal: undefined,
  forcedRefreshAtEpochSec: undefined,
} as const satisfies Partial<Connection>;

/** The initial state of a new grant: no call was refused, no end is known. */
export const NOTHING_KNOWN_OF_GRANT = {
  callFault: undefined,
  expiryWarnings: undefined,
  limitWarned: undefined,
  grantEndedAtEpochSec: undefined,
  revocationRequested: undefined,
} as const satisfies Partial<Connection>;

/** Tokens as the provider gave them, in clear: lives in memory only. */
export interface TokenSet {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly accessTokenExpiresAtEpochSec: number;
  readonly grantedScopes: readonly string[] | undefined;
  readonly refreshTokenExpiresAtEpochSec: number | undefined;
  readonly idToken: string | undefined;
}

/** The row's state after an attempt without tokens. */
export interface LeaseRelease {
  readonly retryAtEpochSec: number | undefined;
  readonly failureCount: number;
  /** The provider has answered, or was never reached. */
  readonly answered: boolean;
  /** The provider's refusal as known; undefined leaves it unchanged. */
  readonly refusal?: RefreshRefusal | undefined;
}

/** New tokens of a refresh, encrypted. */
export interface StoredTokens {
  readonly encryptedAccessToken: string;
  /** Absent: the provider sent none, the old one stays. */
  readonly encryptedRefreshToken: string | undefined;
  /** Index keys of the refresh token to store; undefined where it has none. */
  readonly tokenPrints: string | undefined;
  readonly accessTokenExpiresAtEpochSec: number;
  readonly grantedScopes: readonly string[];
  readonly refreshAtEpochSec: number | undefined;
  /** Set when the refresh announced an unknown end of the grant. */
  readonly refreshTokenExpiresAtEpochSec?: number | undefined;
  readonly nowEpochSec: number;
  /** Set when the refresh serves a call: the use is stored in the same write. */
  readonly lastUsedAtEpochSec?: number | undefined;
}

/** A connection in a list: everything but tokens and refresh state. */
export type ConnectionSummary = Pick<
  Connection,
  | 'accountId'
  | 'integrationId'
  | 'connectionId'
  | 'provider'
  | 'status'
  | 'numericId'
  | 'endUser'
  | 'tags'
  | 'metadata'
  | 'providerAccount'
  | 'createdAt'
> & {
  readonly cause: string | undefined;
  readonly callFault?: CallFault | undefined;
  /** Undefined on rows that an earlier version wrote. */
  readonly facts: ListedFacts | undefined;
  /** Place in the account's list. */
  readonly position: string;
};

/** Criteria of a list of connections. */
export interface ConnectionFilter {
  readonly integrationIds?: readonly string[];
  readonly status?: string;
  /** Why a connection needs a new authorization. */
  readonly cause?: string;
  /** Those whose calls the provider refuses. */
  readonly isFailing?: boolean;
  readonly endUserId?: string;
  readonly organizationId?: string;
  readonly connectionId?: string;
  /** All of them must be present with these values. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** The provider's API refuses the connection's calls, although its grant is alive. */
export interface CallFault {
  readonly status: number;
  /** The provider's reason. */
  readonly reason: string | undefined;
  readonly sinceEpochSec: number;
}

/**
 * A connection's facts in lists, in addition to its status: enough for its health without reading the connection itself. They follow
 * only from the connection; token writes rarely change them.
 */
export interface ListedFacts {
  /** Somebody has called since it was made. */
  readonly isUsed: boolean;
  /** End of the grant that is known whatever its integration declares. */
  readonly end: ListedEnd | undefined;
  /** Otherwise: the end that applies if its integration is declared to be in Testing. */
  readonly endIfTestingEpochSec: number | undefined;
  /** A warning about its account's limit of refresh tokens was given. */
  readonly limitWarned: boolean;
  readonly death: { readonly certain: boolean; readonly sinceEpochSec: number } | undefined;
  /** The provider does not renew its tokens, and that was reported. */
  readonly refusal?: Pick<RefreshRefusal, 'error' | 'sinceEpochSec'> | undefined;
}

/** A known end of a grant. */
export type ListedEnd = Pick<KnownEnd, 'kind' | 'atEpochSec'>;

/** A moment at which a grant ends by itself. */
export interface KnownEnd {
  /** `testing_mode`: External app in Testing, seven days after consent. `time_limited_access`: the end the user chose. */
  readonly kind: 'testing_mode' | 'time_limited_access';
  readonly atEpochSec: number;
  /** Whether the provider announced it with the grant; otherwise it follows from the developer's declaration. */
  readonly announced: boolean;
}

/** The tag that names an end user, as Nango's client sends it. */
export const END_USER_TAG = 'end_user_id';

/** The integrator's end user of a connection or session: from its own member, or from its tags, which Nango's client sends instead. */
export function endUserIdOf(of: {
  readonly endUser: { readonly id: string } | undefined;
  readonly tags: Readonly<Record<string, string>>;
}): string | undefined {
  return of.endUser?.id ?? (Object.hasOwn(of.tags, END_USER_TAG) ? of.tags[END_USER_TAG] : undefined);
}
