import { GatewayError, type Problem, refusal } from '../core/errors.ts';
import { type HeaderPairs, headerValues } from '../core/http-message.ts';
import {
  CONNECTION_ID_RULE,
  equalDigests,
  INTEGRATION_ID_RULE,
  isAccountId,
  isConnectionId,
  isIntegrationId,
} from '../core/identifiers.ts';
import { RETRIES_MAX } from '../core/limits.ts';
import type { StoredLimits } from './key-limits.rules.ts';

/** What a key may do. `proxy` reaches only /proxy, `read` may also read the management API, `full` may change it. */
export const KEY_RIGHTS = ['proxy', 'read', 'full'] as const;
export type KeyRight = (typeof KEY_RIGHTS)[number];

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
  /** The key's last characters, to tell it from others by; undefined on keys made before they were kept. */
  readonly hint?: string | undefined;
  readonly revokedAt: string | undefined;
  /** What its proxied calls are limited to; undefined = nothing. A key that has them is of the right `proxy`. */
  readonly limits?: StoredLimits | undefined;
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

/** The last characters of a key: four of its 43 random ones, which leave 234 of 258 bits unknown. */
export function hintOf(secretKey: string): string {
  return secretKey.slice(-4);
}

/** Credentials of an `Authorization: Bearer` value (RFC 6750 section 2.1), or undefined for anything else. */
export function bearerToken(value: string): string | undefined {
  const match = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(value);
  return match?.[1];
}

/** A person who signed in to the dashboard. */
export interface Operator {
  /** The issuer's name for them. */
  readonly subject: string;
  /** When they last proved who they are; refreshing a token does not move it. */
  readonly authenticatedAtEpochSec: number;
  /** Whether the sign-in had a second factor; undefined where the token does not say. Cognito's never do. */
  readonly secondFactor: boolean | undefined;
}

/** Whether a bearer value looks like a signed token: three parts of base64url (RFC 7515 section 3.1). */
export function isCompactJws(bearer: string): boolean {
  return /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*$/.test(bearer);
}

/** What a proxied request asks of the gateway itself. */
export interface ProxyControl {
  readonly secretKey: string;
  readonly integrationId: string;
  readonly connectionId: string;
  /** Extra attempts, 0 to 5. */
  readonly retries: number;
  /** Statuses the caller declared repeatable. */
  readonly retryOn: ReadonlySet<number>;
  /** One of the provider's own addresses, where the caller names it. */
  readonly baseUrlOverride: string | undefined;
}

/**
 * Reads the gateway's own headers from a proxied request, every problem at once (PX-9, PX-10, PX-24).
 *
 * @param apiOrigins the only addresses `Base-Url-Override` may name
 * @throws GatewayError `missing_auth_header`, `invalid_secret_key` or `invalid_headers`
 */
export function readProxyControl(headers: HeaderPairs, apiOrigins: readonly string[]): ProxyControl {
  const [authorization, ...others] = headerValues(headers, 'authorization');
  if (authorization === undefined) {
    throw new GatewayError('missing_auth_header', 'Send the secret key as Authorization: Bearer <SECRET_KEY>.');
  }
  const problems: Problem[] = [];
  if (others.length > 0) problems.push({ path: 'headers.Authorization', message: 'send it once' });
  const integrationId = single(headers, 'Provider-Config-Key', problems, isIntegrationId, INTEGRATION_ID_RULE);
  const connectionId = single(headers, 'Connection-Id', problems, isConnectionId, CONNECTION_ID_RULE);
  const retries = readRetries(headers, problems);
  const retryOn = readRetryOn(headers, problems);
  const baseUrlOverride = readBaseUrlOverride(headers, apiOrigins, problems);
  if (problems.length > 0) throw refusal('invalid_headers', problems);
  const secretKey = bearerToken(authorization);
  if (secretKey === undefined) throw invalidAuthorization(authorization);
  return { secretKey, integrationId, connectionId, retries, retryOn, baseUrlOverride };
}

/** How a connect session's token starts: it cannot be taken for a secret key. */
export const CONNECT_SESSION_TOKEN_PREFIX = 'cs_';

const SEND_KEY = 'Send a secret key (sk_…) as Authorization: Bearer <SECRET_KEY>.';

/**
 * One answer for every kind of wrong key (AK-3); what is no key at all, by its form alone, is told what it is.
 *
 * @param sent the bearer value
 */
export function invalidSecretKey(sent = ''): GatewayError {
  if (sent.startsWith(CONNECT_SESSION_TOKEN_PREFIX)) {
    return refusedKey(`This is the token of a connect session, which only lets a user connect. ${SEND_KEY}`);
  }
  if (sent.startsWith('ya29.')) {
    return refusedKey(`This is one of Google's access tokens, which the gateway adds itself. ${SEND_KEY}`);
  }
  return refusedKey(
    'This secret key is not valid: it may be incomplete, revoked, or from another gateway. Send it as Authorization: Bearer <SECRET_KEY>.',
  );
}

/** The same for a header without a bearer value. @param value of Authorization */
export function invalidAuthorization(value: string): GatewayError {
  const text = value.trim();
  if (/^(sk|cs)_/.test(text)) {
    return refusedKey('Put the word Bearer and a space before the key: Authorization: Bearer <SECRET_KEY>.');
  }
  if (/^(bearer)?$/i.test(text)) {
    return refusedKey(
      'The Authorization header holds no key. Is the variable set that should contain it? Send Authorization: Bearer <SECRET_KEY>.',
    );
  }
  if (/^bearer +["'<[{$]/i.test(text)) {
    return refusedKey('Send the key alone after Bearer, without quotes, brackets or the name of a variable.');
  }
  return invalidSecretKey();
}

function refusedKey(message: string): GatewayError {
  return new GatewayError('invalid_secret_key', message);
}

function single(
  headers: HeaderPairs,
  name: string,
  problems: Problem[],
  isValid: (value: string) => boolean,
  rule: string,
): string {
  const [value = '', ...others] = headerValues(headers, name);
  if (value === '') problems.push({ path: `headers.${name}`, message: 'this header is required' });
  else if (others.length > 0) problems.push({ path: `headers.${name}`, message: 'send it once' });
  else if (!isValid(value)) problems.push({ path: `headers.${name}`, message: rule });
  return value;
}

function readRetries(headers: HeaderPairs, problems: Problem[]): number {
  const value = lastNonEmpty(headers, 'Retries');
  if (value === undefined) return 0;
  if (!/^\d{1,6}$/.test(value) || Number(value) > RETRIES_MAX) {
    problems.push({ path: 'headers.Retries', message: `send a whole number from 0 to ${RETRIES_MAX}` });
    return 0;
  }
  return Number(value);
}

function readRetryOn(headers: HeaderPairs, problems: Problem[]): ReadonlySet<number> {
  const value = lastNonEmpty(headers, 'Retry-On');
  const statuses = new Set<number>();
  if (value === undefined) return statuses;
  for (const part of value.split(',')) {
    const trimmed = part.trim();
    if (!/^[1-5]\d\d$/.test(trimmed)) {
      problems.push({ path: 'headers.Retry-On', message: 'send HTTP statuses separated by commas, such as 429,503' });
      break;
    }
    statuses.add(Number(trimmed));
  }
  return statuses;
}

function readBaseUrlOverride(
  headers: HeaderPairs,
  apiOrigins: readonly string[],
  problems: Problem[],
): string | undefined {
  let named: string | undefined;
  for (const value of headerValues(headers, 'Base-Url-Override')) {
    const trimmed = value.trim().replace(/\/$/, '');
    if (trimmed === '') continue;
    named = trimmed;
    if (apiOrigins.includes(trimmed)) continue;
    problems.push({
      path: 'headers.Base-Url-Override',
      message: "the gateway calls only the provider's own address; omit this header",
    });
  }
  return named;
}

function lastNonEmpty(headers: HeaderPairs, name: string): string | undefined {
  return headerValues(headers, name)
    .map((value) => value.trim())
    .findLast((value) => value !== '');
}

/**
 * The record of a key, if it counts: it exists, is the very one, belongs to the account it names and is not revoked (AK-2).
 *
 * @param keyHash SHA-256 of the key as sent, hex
 * @param accountId the account that the key as sent names
 */
export function acceptedKey(
  record: SecretKeyRecord | undefined,
  keyHash: string,
  accountId: string,
): SecretKeyRecord | undefined {
  if (record === undefined || record.revokedAt !== undefined) return undefined;
  return equalDigests(record.keyHash, keyHash) && record.accountId === accountId ? record : undefined;
}
