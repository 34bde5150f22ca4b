import { createHmac } from 'node:crypto';
import type { GatewayErrorCode } from '../core/errors.ts';
import type { HeaderPairs } from '../core/http-message.ts';
import { QUOTA_USER_HEADER } from '../providers/google/quota-user.rules.ts';

/** Users of Workspace domains that an integration may act for; there is no default, and an exception overrides. */
export interface DelegatedSubjects {
  /** Whole domains, without their subdomains. */
  readonly domains: readonly string[];
  readonly addresses: readonly string[];
  /** Excluded addresses of those domains. */
  readonly exceptions: readonly string[];
}

/** Acting without a person: by a service account that administrators of Workspace domains have listed. */
export interface Delegation {
  /** Address of the service account. */
  readonly serviceAccount: string;
  /** Its numeric OAuth client id, which administrators list. */
  readonly clientId: string;
  /** Number of its Cloud project, whose quota its calls use. */
  readonly projectNumber: string;
  /** `aws`: without a key, by the function's role; `key`: by an uploaded one. */
  readonly via: 'aws' | 'key';
  /** Of `aws`: full name of the workload identity pool provider. */
  readonly audience: string | undefined;
  /** For `key`: its id, and when it was uploaded, epoch seconds. Only the integration's secret contains the key itself. */
  readonly keyId: string | undefined;
  readonly keyAddedAtEpochSec: number | undefined;
  readonly subjects: DelegatedSubjects;
  /** Calls may use the rights of a domain's administrator (`useDomainAdminAccess`). */
  readonly allowsDomainAdmin: boolean;
  /** Users that it may be connected to for the first time in an hour. */
  readonly newSubjectsPerHour: number;
  /** Salt of connection ids, base64url. */
  readonly idSalt: string;
}

/**
 * An address as it is compared and signed: lower case, only plain characters, without a plus-form, so that no lookalike passes for a
 * user of a domain. Undefined for any other text.
 */
export function subjectOf(text: string): string | undefined {
  // Before lower-casing, because the Kelvin sign, for one, becomes a plain letter.
  if (!/^[!-~]*$/.test(text)) return undefined;
  const address = text.toLowerCase();
  return address.length <= 254 &&
    /^[a-z0-9](?:[a-z0-9._'-]{0,62}[a-z0-9])?@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/.test(address)
    ? address
    : undefined;
}

/** The domain of an address. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

/**
 * Whether an integration may act for a user. The domain must match exactly: a subdomain is another domain (SA-20). @param address of
 * `subjectOf`
 */
export function isAllowedSubject(address: string, { domains, addresses, exceptions }: DelegatedSubjects): boolean {
  if (exceptions.includes(address)) return false;
  return addresses.includes(address) || domains.includes(domainOf(address));
}

/** Prefix with which calls name a user instead of a connection's id. */
export const SUBJECT_PREFIX = 'subject:';

/** The id of a user's connection, made from a digest because keys and logs must not contain addresses. @param address of `subjectOf` */
export function connectionIdOfSubject({ idSalt }: Pick<Delegation, 'idSalt'>, address: string): string {
  return `sub_${createHmac('sha256', Buffer.from(idSalt, 'base64url')).update(address).digest('base64url').slice(0, 32)}`;
}

/**
 * The OAuth client id of a service account's connections: preceded by its project's number, as those of other clients are, because the
 * id alone would look like a project.
 */
export function storedClientId({ projectNumber, clientId }: Pick<Delegation, 'projectNumber' | 'clientId'>): string {
  return `${projectNumber}-${clientId}`;
}

/** The header that gives a user a quota of their own; none where a person stands behind the connection (SA-22). */
export function quotaUserOf(connection: {
  readonly connectionId: string;
  readonly delegated?: true | undefined;
}): HeaderPairs {
  return connection.delegated === true ? [[QUOTA_USER_HEADER, connection.connectionId]] : [];
}

/** The refusal for a user that an integration may not act for. */
export const SUBJECT_NOT_ALLOWED: readonly [GatewayErrorCode, string] = [
  'subject_not_allowed',
  'This integration may not act for this user: its delegation.subjects names neither the domain nor the address, or excepts the address. Nothing was signed and nothing was sent.',
];

/** A key of a service account as the integration's secret holds it. */
export interface ServiceAccountKey {
  readonly id: string;
  /** PEM, PKCS #8. */
  readonly privateKey: string;
}

/** Converts a key to the text of a secret, and back; undefined for a malformed text. */
export function keyToSecret({ id, privateKey }: ServiceAccountKey): string {
  return JSON.stringify({ private_key_id: id, private_key: privateKey });
}

export function keyFromSecret(text: string | undefined): ServiceAccountKey | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    if (typeof value !== 'object' || value === null) return undefined;
    const { private_key_id: id, private_key: privateKey } = { private_key_id: '', private_key: '', ...value };
    return typeof id === 'string' && typeof privateKey === 'string' && privateKey !== ''
      ? { id, privateKey }
      : undefined;
  } catch {
    return undefined;
  }
}
