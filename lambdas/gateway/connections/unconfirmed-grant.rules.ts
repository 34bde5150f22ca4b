import type { ConnectionRef } from '../core/identifiers.ts';
import type { ProviderId } from '../providers/provider.rules.ts';
import type { EndUser, ProviderAccount } from './connection.rules.ts';

/** The result of an authorization: the part of a connection that a consent renews, tokens encrypted in its contexts. */
export interface AuthorizedGrant {
  readonly provider: ProviderId;
  readonly encryptedAccessToken: string;
  readonly encryptedRefreshToken: string;
  /** Index keys of the refresh token; absent where it has none, and on older rows. */
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
  /** Id of the language of the consent's pages; absent without pages, and on older rows. */
  readonly language?: string | undefined;
}

/**
 * A grant that becomes a connection only when the app's backend confirms that the browser which brought it belongs to the intended end
 * user (CS-15). An existing connection stays unchanged meanwhile.
 */
export interface UnconfirmedGrant {
  readonly ref: ConnectionRef;
  /** The session that brought it: there is one grant for each. */
  readonly sessionHash: string;
  /** Whether it is for a connection that exists. */
  readonly isReconnect: boolean;
  /** As named by the session; a reconnect may use the connection's. */
  readonly endUser: EndUser | undefined;
  readonly tags: Readonly<Record<string, string>>;
  readonly allowAccountChange: boolean;
  readonly grant: AuthorizedGrant & { readonly providerAccount: ProviderAccount };
  /** Number of the connection to come. */
  readonly numericId: number;
  /** After this it can only be ended. */
  readonly confirmUntilEpochSec: number;
  readonly failureCount: number;
}

const HANDLE_PREFIX = 'cf_';
const HASH_BYTES = 32;
const HANDLE = /^cf_[A-Za-z0-9_-]{86}$/;

/** A one-time handle: names its session, and contains 256 random bits that only the finishing browser gets. */
export function confirmationHandle(sessionHash: string, secret: Uint8Array): string {
  return HANDLE_PREFIX + Buffer.concat([Buffer.from(sessionHash, 'hex'), secret]).toString('base64url');
}

/** Hash of the session that a handle names; undefined for a malformed handle. */
export function sessionHashOfHandle(handle: string): string | undefined {
  if (!HANDLE.test(handle)) return undefined;
  const bytes = Buffer.from(handle.slice(HANDLE_PREFIX.length), 'base64url');
  return bytes.subarray(0, HASH_BYTES).toString('hex');
}
