import { isAccountId } from '../core/identifiers.ts';

/** What a key may do. `proxy` reaches only /proxy, `read` may also read the management API, `full` may change it. */
export type KeyRight = 'proxy' | 'read' | 'full';

/** A secret key's record; the key itself is stored nowhere. */
export interface SecretKeyRecord {
  readonly accountId: string;
  /** SHA-256 of the whole key, hex. */
  readonly keyHash: string;
  readonly name: string;
  readonly right: KeyRight;
  /** Integrations the key is limited to; absent = all. */
  readonly integrationIds: readonly string[] | undefined;
  /** May read access and refresh tokens through the management API (TK-12); off unless asked for. */
  readonly canReadCredentials: boolean;
  readonly createdAt: string;
  /** Actor of the audit trail that made it, or `gateway`; undefined on keys made before makers were kept. */
  readonly createdBy: string | undefined;
  readonly lastUsedAtEpochSec: number | undefined;
  readonly revokedAt: string | undefined;
}

/** Account named by a well-formed `sk_<accountId>_<43 base64url characters>`, else undefined (AK-1). */
export function accountOfSecretKey(secretKey: string): string | undefined {
  const match = /^sk_([a-z0-9-]{1,63})_[A-Za-z0-9_-]{43}$/.exec(secretKey);
  const accountId = match?.[1];
  return accountId !== undefined && isAccountId(accountId) ? accountId : undefined;
}

/** The key text of an account and 32 random bytes in base64url. */
export function formatSecretKey(accountId: string, random: string): string {
  return `sk_${accountId}_${random}`;
}

/** Credentials of an `Authorization: Bearer` value (RFC 6750 section 2.1), or undefined for anything else. */
export function bearerToken(value: string): string | undefined {
  const match = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(value);
  return match?.[1];
}
