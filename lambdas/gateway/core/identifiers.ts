import { hash, timingSafeEqual } from 'node:crypto';
import type { AmountKind, BudgetPeriod } from './budget.ts';
import { GatewayError } from './errors.ts';
import { KEY_PART_MAX } from './limits.ts';
import type { Random } from './ports.ts';

/**
 * Formats of account, integration and connection ids, each checked once at the edge; ids that the gateway creates; and digests of
 * values that must not be stored.
 */

/** The identity of a connection: every dimension is in every cache key, lease key and AAD. */
export interface ConnectionRef {
  readonly accountId: string;
  readonly integrationId: string;
  readonly connectionId: string;
}

/** Which integration of which account. */
export interface IntegrationRef {
  readonly accountId: string;
  readonly integrationId: string;
}

/** The subject of counted calls: all calls of a minute, long calls under way, or amounts of budgets. */
export type CallSubject =
  | { readonly kind: 'key' | 'long_key' | BudgetKind; readonly keyHash: string }
  | { readonly kind: 'connection' | 'long_connection' | BudgetKind; readonly ref: ConnectionRef }
  | { readonly kind: BudgetKind; readonly integration: IntegrationRef }
  /** The holder of a quota at a provider: a Cloud project, or a user in it. */
  | { readonly kind: 'project_units' | 'user_units' | ToolDayKind; readonly id: string };

/** A provider's day of requests to its MCP server: of all keys, of the half that they have in common, of one key. */
export type ToolDayKind = 'day_tools' | 'day_tools_common' | 'day_tools_key';

/** Subjects of budgets. */
export type BudgetKind = `${BudgetPeriod}_${AmountKind}`;

/** Injective text of a counted subject, among those of its kind. */
export function callSubjectKey(subject: CallSubject): string {
  if ('id' in subject) return subject.id;
  if ('keyHash' in subject) return encodeURIComponent(subject.keyHash);
  return 'ref' in subject ? connectionRefKey(subject.ref) : integrationRefKey(subject.integration);
}

const ACCOUNT_ID = /^[a-z0-9][a-z0-9-]{0,62}$/;
/** No space at either end. */
export const INTEGRATION_ID = /^[A-Za-z0-9~:.@_-](?:[A-Za-z0-9 ~:.@_-]{0,253}[A-Za-z0-9~:.@_-])?$/;
/** No space at either end. */
export const CONNECTION_ID = /^[A-Za-z0-9.:=+~[\]|@_-](?:[A-Za-z0-9 .:=+~[\]|@_-]{0,253}[A-Za-z0-9.:=+~[\]|@_-])?$/;

export const INTEGRATION_ID_RULE = 'use 1 to 255 letters, digits, spaces or ~ : . @ _ -';
export const CONNECTION_ID_RULE = 'use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -';

/** Lower-case letters, digits and hyphens, at most 63; never an underscore, which ends it inside a secret key. */
export function isAccountId(value: string): boolean {
  return ACCOUNT_ID.test(value);
}

export function isIntegrationId(value: string): boolean {
  return INTEGRATION_ID.test(value);
}

export function isConnectionId(value: string): boolean {
  return CONNECTION_ID.test(value);
}

/**
 * An id as part of a stored key: percent-encoded, so that it cannot contain the separator.
 *
 * @throws GatewayError `not_found` for an id that is longer than any stored one
 */
export function keyPart(id: string): string {
  const part = encodeURIComponent(id);
  if (part.length > KEY_PART_MAX) {
    throw new GatewayError('not_found', `Nothing has this id: it has ${id.length} characters, more than any id has.`);
  }
  return part;
}

/** Injective text of a connection's identity, for in-process maps: components cannot contain the separator. */
export function connectionRefKey(ref: ConnectionRef): string {
  return `${keyPart(ref.accountId)}#${keyPart(ref.integrationId)}#${keyPart(ref.connectionId)}`;
}

/** Injective text of an integration's identity. */
export function integrationRefKey(ref: IntegrationRef): string {
  return `${keyPart(ref.accountId)}#${keyPart(ref.integrationId)}`;
}

/** 144 random bits; without those that the first letter loses below, still more than 128, which cannot be guessed (CS-7). */
const CONNECTION_ID_BYTES = 18;

/** An id for a new connection: 24 letters of base64url, never with a leading hyphen, which command lines take for an option. */
export function newConnectionId(random: Random): string {
  return Buffer.from(random.bytes(CONNECTION_ID_BYTES)).toString('base64url').replace(/^-/, 'x');
}

/** Milliseconds and ten random bits: a stable number that is practically unique in an account, below 2^53 until the year 2248. */
export function numericId(nowMs: number, random: Random): number {
  return nowMs * 1024 + Math.floor(random.number() * 1024);
}

/** Sorts an account's connections by age; the number separates two of one millisecond. */
export function listSortKey(connection: { readonly createdAt: string; readonly numericId: number }): string {
  return `${connection.createdAt}#${connection.numericId}`;
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** ULID of a moment and 10 random bytes (github.com/ulid/spec): 26 characters that sort by time. */
export function ulid(nowMs: number, random: Uint8Array): string {
  const time = firstUlidOf(nowMs);
  let bits = 0;
  let buffer = 0;
  let tail = '';
  for (const byte of random.subarray(0, 10)) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      tail += CROCKFORD.charAt((buffer >>> bits) & 31);
    }
    buffer &= (1 << bits) - 1;
  }
  return time + tail;
}

/** Text that sorts before every ULID of a millisecond, and after those of the one before: its ten characters of time. */
export function firstUlidOf(nowMs: number): string {
  let time = '';
  for (let rest = Math.max(0, Math.floor(nowMs)), i = 0; i < 10; i++) {
    time = CROCKFORD.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  return time;
}

/** The millisecond of a ULID's creation; undefined for an invalid one. */
export function timeOfUlid(id: string): number | undefined {
  let ms = 0;
  for (const character of id.slice(0, 10)) {
    const digit = CROCKFORD.indexOf(character);
    if (digit < 0) return undefined;
    ms = ms * 32 + digit;
  }
  return id.length < 10 ? undefined : ms;
}

/** The start of a key's digest, which identifies it without revealing it. */
export function keyIdOf(key: { readonly keyHash: string }): string {
  return key.keyHash.slice(0, 12);
}

/** Cloud project number of a Google client id: the digits before the first hyphen; revocation reaches the whole project. */
export function cloudProjectOf(clientId: string): string {
  const match = /^(\d+)-/.exec(clientId);
  return match?.[1] ?? clientId;
}

/** A list of some of an account's connections, stored as rows of its own. */
export interface ListName {
  /**
   * `DEAD`: all that need a new authorization; `DEAD_ACCOUNT`: those of one provider account; `TOKEN`: those whose refresh token has
   * this index key; `FAILING`: all whose calls are refused; `NAME`: all connections, by name.
   */
  readonly kind:
    | ('INTEGRATION' | 'END_USER' | 'ORGANIZATION' | 'TAG')
    | ('DEAD' | 'CAUSE' | 'DEAD_ACCOUNT' | 'TOKEN')
    | ('FAILING' | 'NAME');
  /** Empty where an account has one list of the kind. */
  readonly value: string;
}

/** A stable number in [0, 1) for a connection: spreads simultaneous work without storing anything. */
export function spread(connection: ConnectionRef): number {
  return fnv1a(connectionRefKey(connection)) / 0x1_0000_0000;
}

/** Partition of the due index a connection belongs to. */
export function dueShardOf(connection: ConnectionRef, shards: number): number {
  return fnv1a(`shard:${connectionRefKey(connection)}`) % shards;
}

/** FNV-1a, 32 bit, of a text: for distribution, not for security. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  // FNV's low bits follow the last characters too closely for short ids; one more mixing step spreads them.
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  return hash >>> 0;
}

/** SHA-256 of a text (as UTF-8) or of bytes, lower-case hex: the stored form of every bearer value. */
export function sha256Hex(value: string | Uint8Array): string {
  return hash('sha256', value, 'hex');
}

/** SHA-256 in base64url, the S256 transformation of PKCE (RFC 7636 section 4.2). */
export function sha256Base64url(text: string | Uint8Array): string {
  return hash('sha256', text, 'base64url');
}

/** Compares two digests without a timing signal; false for different lengths. */
export function equalDigests(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** How a security event of Google identifies a refresh token: by its first 16 characters, or by the hash of its hash. */
export const TOKEN_IDENTIFIERS = ['prefix', 'hash_base64_sha512_sha512'] as const;
export interface TokenIdentifier {
  readonly by: (typeof TOKEN_IDENTIFIERS)[number];
  readonly value: string;
}

/** The lookup key of a token: a digest of its identifier, so that no part of a token is stored (RI-14). */
export function tokenPrint({ by, value }: TokenIdentifier): string {
  return sha256Hex(`${by}:${by === 'prefix' ? value : plainBase64(value)}`);
}

/** The lookup keys of a refresh token: one for each way in which a statement may identify it. */
export function printsOfToken(refreshToken: string): readonly string[] {
  const once = hash('sha512', refreshToken, 'buffer');
  const twice = hash('sha512', once, 'base64');
  return [
    tokenPrint({ by: 'prefix', value: refreshToken.slice(0, PREFIX_LENGTH) }),
    tokenPrint({ by: 'hash_base64_sha512_sha512', value: twice }),
  ];
}

/** Characters of a token's prefix. */
const PREFIX_LENGTH = 16;

/**
 * The index keys that a connection stores for its refresh token, separated by blanks.
 *
 * @param endsAreStated whether the provider ever identifies a token in a statement; for others nothing is stored
 */
export function keptPrints(refreshToken: string | undefined, endsAreStated: boolean | undefined): string | undefined {
  if (endsAreStated !== true || refreshToken === undefined || refreshToken === '') return undefined;
  return printsOfToken(refreshToken).map(keptPrint).join(' ');
}

/** The index key of a print: only a part of it, because the token's row shows whose it is. @param print see `tokenPrint` */
export function keptPrint(print: string): string {
  return Buffer.from(print, 'hex').subarray(0, KEPT_PRINT_BYTES).toString('base64url');
}

/** Of the print's 32: two tokens rarely share so many, and each byte costs with every write of its connection. */
const KEPT_PRINT_BYTES = 12;

/** Both alphabets of Base64, with padding or without, name the same bytes. */
function plainBase64(text: string): string {
  return text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '');
}
