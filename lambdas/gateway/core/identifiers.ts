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
