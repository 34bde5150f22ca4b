import type { Random } from './ports.ts';

/**
 * What an account, integration and connection id may look like. Every one is checked at the edge, once.
 */

/** Which connection: every dimension is in every cache key, lease key and AAD. */
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

/** Injective text of a connection's identity, for in-process maps: components cannot contain the separator. */
export function connectionRefKey(ref: ConnectionRef): string {
  return `${encodeURIComponent(ref.accountId)}#${encodeURIComponent(ref.integrationId)}#${encodeURIComponent(ref.connectionId)}`;
}

/** Injective text of an integration's identity. */
export function integrationRefKey(ref: IntegrationRef): string {
  return `${encodeURIComponent(ref.accountId)}#${encodeURIComponent(ref.integrationId)}`;
}

/** 144 random bits; what the first letter loses below still leaves more than the 128 that nobody guesses (CS-7). */
const CONNECTION_ID_BYTES = 18;

/** An id for a new connection: 24 letters of base64url, never with a hyphen in front, where command lines see an option. */
export function newConnectionId(random: Random): string {
  return Buffer.from(random.bytes(CONNECTION_ID_BYTES)).toString('base64url').replace(/^-/, 'x');
}

/** Milliseconds and ten random bits: a stable number that is unique in an account for all practical purposes, below 2^53 until the year 2248. */
export function numericId(nowMs: number, random: Random): number {
  return nowMs * 1024 + Math.floor(random.number() * 1024);
}
