import type { ConnectionRef } from '../core/identifiers.ts';
import type { CipherContext } from '../core/ports.ts';

/** Whether two stored values are encrypted under the same data key: both begin with format and key number (`v1.<n>.`). */
export function underSameDataKey(one: string, other: string): boolean {
  return prefixOf(one) === prefixOf(other);
}

function prefixOf(ciphertext: string): string {
  return ciphertext.slice(0, ciphertext.lastIndexOf('.') + 1);
}

/** Where a connection's refresh token is stored. */
export function refreshTokenContext(ref: ConnectionRef): CipherContext {
  return {
    accountId: ref.accountId,
    integrationId: ref.integrationId,
    recordId: ref.connectionId,
    field: 'refreshToken',
    purpose: 'tokens',
  };
}

/** Where a connection's access token is stored. */
export function accessTokenContext(ref: ConnectionRef): CipherContext {
  return {
    accountId: ref.accountId,
    integrationId: ref.integrationId,
    recordId: ref.connectionId,
    field: 'accessToken',
    purpose: 'tokens',
  };
}

/** Where a pending authorization's code verifier is stored. */
export function codeVerifierContext(accountId: string, integrationId: string, stateHash: string): CipherContext {
  return { accountId, integrationId, recordId: stateHash, field: 'codeVerifier', purpose: 'flows' };
}
