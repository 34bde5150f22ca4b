import { FIRST_ACCOUNT_ID } from '../core/contract.ts';
import { GatewayError, type Problem, refusal } from '../core/errors.ts';
import { type AwsSigner, type GatewayRequest, type HeaderPairs, headerValues } from '../core/http-message.ts';
import {
  CONNECTION_ID_RULE,
  equalDigests,
  INTEGRATION_ID_RULE,
  isAccountId,
  isConnectionId,
  isIntegrationId,
  sha256Hex,
} from '../core/identifiers.ts';
import { RETRIES_MAX } from '../core/limits.ts';
import type { ManagedBy } from '../core/managed-by.rules.ts';
import type { StoredLimits } from './key-limits.rules.ts';

/** Rights of a key. `proxy` reaches only /proxy, `read` may also read the management API, `full` may change it. */
export const KEY_RIGHTS = ['proxy', 'read', 'full'] as const;
export type KeyRight = (typeof KEY_RIGHTS)[number];

/** A secret key's record; the key itself is not stored. */
export interface SecretKeyRecord {
  readonly accountId: string;
  /** SHA-256 of the whole key, hex. */
  readonly keyHash: string;
  readonly name: string;
  readonly right: KeyRight;
  /** Integrations the key is limited to; absent = all. */
  readonly integrationIds: readonly string[] | undefined;
  /** May read access and refresh tokens through the management API (TK-12); off by default. */
  readonly canReadCredentials: boolean;
  readonly createdAt: string;
  /** Actor that created it, or `gateway`; undefined on keys from before this was stored. */
  readonly createdBy: string | undefined;
  readonly lastUsedAtEpochSec: number | undefined;
  /** The key's last characters, for recognition; undefined on keys from before they were stored. */
  readonly hint?: string | undefined;
  readonly revokedAt: string | undefined;
  /** Limits of its proxied calls; undefined = none. A key with limits has the right `proxy`. */
  readonly limits?: StoredLimits | undefined;
  /** For an IAM role that calls instead of a key: its registered ARN. Its `keyHash` is that of the ARN without the path. */
  readonly roleArn?: string | undefined;
  /** Unique id that the role must have; undefined = any role of this name. */
  readonly roleId?: string | undefined;
  /** For an assistant's key: its binding. The key works only at /mcp, and has another form. */
  readonly agent?: StoredBinding | undefined;
  /** The CloudFormation stack that declares a role; absent: none. */
  readonly managedBy?: ManagedBy | undefined;
}

/** What a key is bound to, as stored; the feature that has such keys parses it. */
export type StoredBinding = Readonly<Record<string, unknown>>;

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

/** What a person who signed in may do: `operator` everything, `viewer` only look, `none` nothing. */
export type OperatorRole = 'operator' | 'viewer' | 'none';

/** A person who signed in to the dashboard. */
export interface Operator {
  /** The issuer's name for them. */
  readonly subject: string;
  /** When they last signed in; refreshing a token does not change it. */
  readonly authenticatedAtEpochSec: number;
  /** Whether the sign-in had a second factor; undefined where the token does not contain it, as Cognito's never do. */
  readonly secondFactor: boolean | undefined;
  readonly role: OperatorRole;
}

/** Whether a bearer value looks like a signed token: three parts of base64url (RFC 7515 section 3.1). */
export function isCompactJws(bearer: string): boolean {
  return /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*$/.test(bearer);
}

/** The IAM role that signed a request. */
export interface SigningRole {
  /** Without the role's path, which AWS does not send: role names are unique in an AWS account. */
  readonly arn: string;
  /** Unique id, which a recreated role of the same name does not share. */
  readonly id: string;
}

/** IAM User Guide, "IAM identifiers": a session is named by its role and its creator, and names consist only of these characters. */
const ROLE_SESSION = /^(arn:[\w-]+:)sts(::\d{12}:)assumed-(role\/[\w+=,.@-]+)\/[\w+=,.@-]+$/;

/**
 * The role of a signature (IA-10, IA-11). Users, root users and federated users are refused.
 *
 * @throws GatewayError `unknown_role`; `invalid_query_params` for a signature in the address, which logs and histories keep (IA-12)
 */
export function signingRole({ arn, id }: AwsSigner, query: GatewayRequest['query']): SigningRole {
  if (query.some(([name]) => /^x-amz-/i.test(name))) {
    throw refusal('invalid_query_params', [
      { path: 'query', message: 'send the signature in the header Authorization' },
    ]);
  }
  const [, partition, account, role] = ROLE_SESSION.exec(arn) ?? [];
  if (role === undefined) throw unknownRole(arn);
  return { arn: `${partition}iam${account}${role}`, id: id.split(':', 1)[0] ?? '' };
}

/**
 * The ARN of a role without its path, by which callers are matched; undefined for any other ARN (IAM User Guide, "IAM identifiers"): a
 * user, a session, a wildcard.
 */
export function roleWithoutPath(arn: string): string | undefined {
  const [, start, name] =
    /^(arn:aws(?:-[a-z]+)*:iam::\d{12}:role\/)(?:[\x21-\x29\x2b-\x3e\x40-\x7e]+\/)?([\w+=,.@-]{1,64})$/.exec(arn) ?? [];
  return name === undefined ? undefined : `${start}${name}`;
}

/** One answer for all signers without a record. @param arn of the signer */
export function unknownRole(arn: string): GatewayError {
  return new GatewayError(
    'unknown_role',
    `The gateway knows no such role: ${arn || 'the request has no AWS signature'}. Sign as an IAM role that POST /account/roles has registered.`,
  );
}

/** Options of a proxied request for the gateway itself. */
export interface ProxyControl {
  /** Empty where the request is signed instead. */
  readonly secretKey: string;
  readonly integrationId: string;
  readonly connectionId: string;
  /** Extra attempts, 0 to 5. */
  readonly retries: number;
  /** Statuses the caller declared repeatable. */
  readonly retryOn: ReadonlySet<number>;
  /** One of the provider's own addresses, where the caller names it. */
  readonly baseUrlOverride: string | undefined;
  /** Whether a caller waits for the call (`interactive`); undefined where the request does not state it. */
  readonly priority?: CallPriority | undefined;
}

/** Priorities: only interactive calls begin when little of the provider's quotas is left. */
export const CALL_PRIORITIES = ['interactive', 'background'] as const;
export type CallPriority = (typeof CALL_PRIORITIES)[number];

/**
 * Reads the gateway's own headers from a proxied request, and reports every problem at once (PX-9, PX-10, PX-24).
 *
 * @param apiOrigins the only addresses `Base-Url-Override` may name
 * @param isSigned whether it has an AWS signature, which the front door has checked: then `Authorization` is not a key
 * @throws GatewayError `missing_auth_header`, `invalid_secret_key` or `invalid_headers`
 */
export function readProxyControl(headers: HeaderPairs, apiOrigins: readonly string[], isSigned = false): ProxyControl {
  const [authorization, ...others] = isSigned ? [''] : headerValues(headers, 'authorization');
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
  const priority = readPriority(headers, problems);
  if (problems.length > 0) throw refusal('invalid_headers', problems);
  const secretKey = isSigned ? '' : bearerToken(authorization);
  if (secretKey === undefined) throw invalidAuthorization(authorization);
  return { secretKey, integrationId, connectionId, retries, retryOn, baseUrlOverride, priority };
}

/** Prefix of a connect session's token, so that it cannot be mistaken for a secret key. */
export const CONNECT_SESSION_TOKEN_PREFIX = 'cs_';

const SEND_KEY = 'Send a secret key (sk_…) as Authorization: Bearer <SECRET_KEY>.';

/**
 * One answer for every kind of wrong key (AK-3); a text that cannot be a key gets its kind named.
 *
 * @param sent the bearer value
 */
export function invalidSecretKey(sent = ''): GatewayError {
  if (sent.startsWith(CONNECT_SESSION_TOKEN_PREFIX)) {
    return refusedKey(`This is the token of a connect session, which only lets a user connect. ${SEND_KEY}`);
  }
  if (sent.startsWith('ak_')) return refusedKey(`This is an agent's key, which works at /mcp alone. ${SEND_KEY}`);
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

function readPriority(headers: HeaderPairs, problems: Problem[]): CallPriority | undefined {
  const value = lastNonEmpty(headers, 'Gateway-Priority');
  const priority = CALL_PRIORITIES.find((one) => one === value);
  if (value !== priority) {
    problems.push({ path: 'headers.Gateway-Priority', message: 'send interactive or background' });
  }
  return priority;
}

function lastNonEmpty(headers: HeaderPairs, name: string): string | undefined {
  return headerValues(headers, name)
    .map((value) => value.trim())
    .findLast((value) => value !== '');
}

/** The lookup key of a caller: the digest of its key or of its role's ARN, in its account. */
export interface Credential {
  readonly keyHash: string;
  readonly accountId: string;
}

/**
 * The credential in a request. Roles belong to the deployment's own account: an account that registered another's role
 * would receive that role's data.
 *
 * @throws GatewayError `invalid_secret_key` for a text that is no key
 */
export function credentialOf(secretKey: string, role?: SigningRole): Credential {
  const accountId = role === undefined ? accountOfSecretKey(secretKey) : FIRST_ACCOUNT_ID;
  if (accountId === undefined) throw invalidSecretKey(secretKey);
  return { keyHash: sha256Hex(role?.arn ?? secretKey), accountId };
}

/** The refusal without a valid record. */
export function unknownCaller(role: SigningRole | undefined): GatewayError {
  return role === undefined ? invalidSecretKey() : unknownRole(role.arn);
}

/**
 * Whether a key may be the deployment's first one. Its row is never removed, because the key would otherwise be created again from its
 * secret. Keys of early versions have no creator.
 */
export function isFirstKey({ createdBy }: Pick<SecretKeyRecord, 'createdBy'>): boolean {
  return createdBy === undefined || createdBy === 'gateway';
}

/** The word for a record in messages. */
export function nounOf({ roleArn }: Pick<SecretKeyRecord, 'roleArn'>): string {
  return roleArn === undefined ? 'key' : 'role';
}

/** The record of a key or role, if valid: it exists, matches exactly, belongs to the account that it names and is not revoked (AK-2). */
export function acceptedKey(
  record: SecretKeyRecord | undefined,
  { keyHash, accountId }: Credential,
): SecretKeyRecord | undefined {
  if (record === undefined || record.revokedAt !== undefined) return undefined;
  return equalDigests(record.keyHash, keyHash) && record.accountId === accountId ? record : undefined;
}

/**
 * Checked at each call, because a role may be recreated under the name of another (IA-11).
 *
 * @throws GatewayError `unknown_role` where the record names another unique id
 */
export function assertSameRole({ roleId }: SecretKeyRecord, role: SigningRole | undefined): void {
  if (roleId !== undefined && roleId !== role?.id) throw unknownCaller(role);
}
