import type { ConnectionRef } from '../core/identifiers.ts';
import type { ProviderId } from '../providers/provider.rules.ts';
import type { EndUser, ProviderAccount } from './connection.rules.ts';

/** What an authorization brought: the part of a connection that a consent makes new, tokens encrypted in its places. */
export interface AuthorizedGrant {
  readonly provider: ProviderId;
  readonly encryptedAccessToken: string;
  readonly encryptedRefreshToken: string;
  /** What the refresh token is found by; absent where it is found by nothing, and on older rows. */
  readonly tokenPrints?: string | undefined;
  readonly accessTokenExpiresAtEpochSec: number;
  readonly requestedScopes: readonly string[];
  readonly grantedScopes: readonly string[];
  readonly clientId: string;
  readonly providerAccount: ProviderAccount | undefined;
  readonly consentedAtEpochSec: number;
  readonly refreshTokenExpiresAtEpochSec: number | undefined;
  /** Whether the integration was declared to be in Testing at the consent. */
  readonly testingAtConsent: boolean;
  /** Id of the language in which its end user read the pages; absent where no page was read, and on older rows. */
  readonly language?: string | undefined;
}

/**
 * A grant that is no connection until the app's backend confirms that the browser which brought it belongs to the end user
 * it was asked for (CS-15). A connection that is authorized again stays as it is meanwhile.
 */
export interface UnconfirmedGrant {
  readonly ref: ConnectionRef;
  /** The session it came of: there is one grant of each. */
  readonly sessionHash: string;
  /** Whether it is for a connection that exists. */
  readonly isReconnect: boolean;
  /** As the session names them; a reconnect may leave it to the connection. */
  readonly endUser: EndUser | undefined;
  readonly tags: Readonly<Record<string, string>>;
  readonly allowAccountChange: boolean;
  readonly grant: AuthorizedGrant & { readonly providerAccount: ProviderAccount };
  /** Number of the connection to come. */
  readonly numericId: number;
  /** From then on it can only be ended. */
  readonly confirmUntilEpochSec: number;
  readonly failureCount: number;
}

const HANDLE_PREFIX = 'cf_';
const HASH_BYTES = 32;
const HANDLE = /^cf_[A-Za-z0-9_-]{86}$/;

/** A one-time handle: names its session, and holds 256 random bits in addition to that only the finishing browser is given. */
export function confirmationHandle(sessionHash: string, secret: Uint8Array): string {
  return HANDLE_PREFIX + Buffer.concat([Buffer.from(sessionHash, 'hex'), secret]).toString('base64url');
}

/** Hash of the session that a handle names; undefined for a text that is no handle. */
export function sessionHashOfHandle(handle: string): string | undefined {
  if (!HANDLE.test(handle)) return undefined;
  const bytes = Buffer.from(handle.slice(HANDLE_PREFIX.length), 'base64url');
  return bytes.subarray(0, HASH_BYTES).toString('hex');
}
