import { refusal } from '../gateway/core/errors.ts';
import type { CipherContext } from '../gateway/tokens/ciphertexts.rules.ts';
import type { TokenCipher } from '../gateway/tokens/ports.ts';

/** The lists that are read page by page; a cursor of one is none of another. */
export type ListCursorName = 'connectionListCursor' | 'integrationListCursor' | 'secretKeyListCursor';

/** A position in a list of an account, sealed so that no caller can make one up or bring another account's (AK-10). */
export function sealCursor(
  cipher: TokenCipher,
  accountId: string,
  name: ListCursorName,
  position: string,
): Promise<string> {
  return cipher.encrypt(contextOf(accountId, name), position);
}

/** The position in a sealed cursor. @throws GatewayError `invalid_query_params` for a cursor that is not ours */
export async function openCursor(
  cipher: TokenCipher,
  accountId: string,
  name: ListCursorName,
  cursor: string,
): Promise<string> {
  try {
    return await cipher.decrypt(contextOf(accountId, name), cursor);
  } catch (error) {
    // The key service being down is no fault of the cursor.
    if (error instanceof Error && '$metadata' in error) throw error;
    throw refusal('invalid_query_params', [
      { path: 'cursor', message: 'send next_cursor of the page before, unchanged' },
    ]);
  }
}

function contextOf(accountId: string, field: ListCursorName): CipherContext {
  return { accountId, integrationId: '', recordId: '', field };
}
