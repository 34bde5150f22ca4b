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
import type { StoredAgent } from './agent.rules.ts';
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
  /** Of an IAM role that calls instead of a key: its ARN as it was registered. Its `keyHash` is that of the ARN without the path. */
  readonly roleArn?: string | undefined;
  /** Unique id that the role must have; undefined = any role of this name. */
  readonly roleId?: string | undefined;
  /** Of a key that an assistant has: what it is bound to. It works at /mcp alone, and its text has another form. */
  readonly agent?: StoredAgent | undefined;
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

/** An IAM role in whose name a request was signed. */
export interface SigningRole {
  /** Without the role's path, which AWS does not tell: role names are unique in an AWS account. */
  readonly arn: string;
  /** Unique id, which a role that is made again under the name of another does not share. */
  readonly id: string;
}

/** IAM User Guide, "IAM identifiers": a session is named after the role and by whoever opened it, and each name has these characters alone. */
const ROLE_SESSION = /^(arn:[\w-]+:)sts(::\d{12}:)assumed-(role\/[\w+=,.@-]+)\/[\w+=,.@-]+$/;

/**
 * The role behind a signature (IA-10, IA-11). Users, root users and federated users are none.
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
 * The ARN of a role without its path, by which callers are matched; undefined for whatever is not the ARN of one role (IAM User Guide,
 * "IAM identifiers"): a user, a session, a wildcard.
 */
export function roleWithoutPath(arn: string): string | undefined {
  const [, start, name] =
    /^(arn:aws(?:-[a-z]+)*:iam::\d{12}:role\/)(?:[\x21-\x29\x2b-\x3e\x40-\x7e]+\/)?([\w+=,.@-]{1,64})$/.exec(arn) ?? [];
  return name === undefined ? undefined : `${start}${name}`;
}

/** One answer for everyone who signs and is not on record. @param arn whose signature it was */
export function unknownRole(arn: string): GatewayError {
  return new GatewayError(
    'unknown_role',
    `The gateway knows no such role: ${arn || 'the request has no AWS signature'}. Sign as an IAM role that POST /account/roles has registered.`,
  );
}

/** What a proxied request asks of the gateway itself. */
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
  /** Whether somebody waits for the call (`interactive`); undefined where the request does not say. */
  readonly priority?: CallPriority | undefined;
}

/** What calls may begin with little left of the provider's quotas: those that somebody waits for. */
export const CALL_PRIORITIES = ['interactive', 'background'] as const;
export type CallPriority = (typeof CALL_PRIORITIES)[number];

/**
 * Reads the gateway's own headers from a proxied request, every problem at once (PX-9, PX-10, PX-24).
 *
 * @param apiOrigins the only addresses `Base-Url-Override` may name
 * @param isSigned whether it has an AWS signature, which the front door has checked: `Authorization` says nothing then
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

/** How a caller is found: by the digest of its key or of its role's ARN, in its account. */
export interface Credential {
  readonly keyHash: string;
  readonly accountId: string;
}

/**
 * The credential in a request. Roles are those of the deployment's own account: another account that registered a role of its neighbour's
 * would receive what that role writes.
 *
 * @throws GatewayError `invalid_secret_key` for what is no key
 */
export function credentialOf(secretKey: string, role?: SigningRole): Credential {
  const accountId = role === undefined ? accountOfSecretKey(secretKey) : FIRST_ACCOUNT_ID;
  if (accountId === undefined) throw invalidSecretKey(secretKey);
  return { keyHash: sha256Hex(role?.arn ?? secretKey), accountId };
}

/** What is said where no record counts. */
export function unknownCaller(role: SigningRole | undefined): GatewayError {
  return role === undefined ? invalidSecretKey() : unknownRole(role.arn);
}

/**
 * Whether a key may be the one that the gateway made at its start. Its row never leaves: without it, the key would be created again from
 * its secret. Keys of early versions do not say who created them.
 */
export function isFirstKey({ createdBy }: Pick<SecretKeyRecord, 'createdBy'>): boolean {
  return createdBy === undefined || createdBy === 'gateway';
}

/** The record of a key or role, if it counts: it exists, is the very one, belongs to the account it names and is not revoked (AK-2). */
export function acceptedKey(
  record: SecretKeyRecord | undefined,
  { keyHash, accountId }: Credential,
): SecretKeyRecord | undefined {
  if (record === undefined || record.revokedAt !== undefined) return undefined;
  return equalDigests(record.keyHash, keyHash) && record.accountId === accountId ? record : undefined;
}

/**
 * Asked with each call: the sessions of two roles may follow each other, of which the second was made under the name of the first (IA-11).
 *
 * @throws GatewayError `unknown_role` where the record names another unique id
 */
export function assertSameRole({ roleId }: SecretKeyRecord, role: SigningRole | undefined): void {
  if (roleId !== undefined && roleId !== role?.id) throw unknownCaller(role);
}
