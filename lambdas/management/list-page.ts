import type { FEATURE_CURSORS } from '../features/index.ts';
import { refusal } from '../gateway/core/errors.ts';
import { LIST_ANSWER_MAX_BYTES } from '../gateway/core/limits.ts';
import type { CipherContext, TokenCipher } from '../gateway/core/ports.ts';
import type { Services } from './services.ts';

/** The lists with pages; a cursor is valid for one of them. */
export type ListCursorName =
  | 'connectionListCursor'
  | 'integrationListCursor'
  | 'secretKeyListCursor'
  | (typeof FEATURE_CURSORS)[number];

/** A position in a list of an account, encrypted so that no caller can forge one or use another account's (AK-10). */
export function sealCursor(
  cipher: TokenCipher,
  accountId: string,
  name: ListCursorName,
  position: string,
): Promise<string> {
  return cipher.encrypt(contextOf(accountId, name), position);
}

/** The position in an encrypted cursor. @throws GatewayError `invalid_query_params` for an invalid one */
export async function openCursor(
  cipher: TokenCipher,
  accountId: string,
  name: ListCursorName,
  cursor: string,
): Promise<string> {
  try {
    return await cipher.decrypt(contextOf(accountId, name), cursor);
  } catch (error) {
    // An unavailable key service is no fault of the cursor.
    if (error instanceof Error && '$metadata' in error) throw error;
    throw refusal('invalid_query_params', [
      { path: 'cursor', message: 'send next_cursor of the previous page, unchanged' },
    ]);
  }
}

function contextOf(accountId: string, field: ListCursorName): CipherContext {
  return { accountId, integrationId: '', recordId: '', field, purpose: 'cursors' };
}

/** Reserved for the rest of a response: member names, the cursor. */
const ENVELOPE_BYTES = 4 * 1024;

/** Collects the items of one page until its response would be larger than a buffered function may send (DS-7). */
export class ListPage<Item> {
  readonly items: Item[] = [];
  #bytesLeft = LIST_ANSWER_MAX_BYTES - ENVELOPE_BYTES;

  /** Adds an item in the API's spelling; false where it does not fit. The first one always fits. */
  take(item: Item): boolean {
    const bytes = Buffer.byteLength(JSON.stringify(item)) + 1;
    if (bytes > this.#bytesLeft && this.items.length > 0) return false;
    this.#bytesLeft -= bytes;
    this.items.push(item);
    return true;
  }
}

/** A list that is in memory as a whole. */
export interface WholeList<T, Item> {
  readonly accountId: string;
  readonly name: ListCursorName;
  readonly items: readonly T[];
  /** Text that orders the items, unique in the list, in descending order. */
  positionOf(item: T): string;
  onTheWire(item: T): Item;
}

/**
 * The page of a list behind a cursor, as its response.
 *
 * @param cursor `next_cursor` of the page before; undefined for the first
 * @throws GatewayError `invalid_query_params` for an invalid cursor
 */
export async function pageOf<T, Item>(
  { cipher }: Pick<Services, 'cipher'>,
  list: WholeList<T, Item>,
  cursor: string | undefined,
) {
  const { accountId, name } = list;
  const after = cursor === undefined ? undefined : await openCursor(cipher, accountId, name, cursor);
  const rest = list.items
    .map((item) => ({ item, position: list.positionOf(item) }))
    .filter(({ position }) => after === undefined || position < after)
    .sort((a, b) => (a.position < b.position ? 1 : -1));
  const page = new ListPage<Item>();
  const left = rest.find(({ item }) => !page.take(list.onTheWire(item)));
  const last = left === undefined ? undefined : rest[page.items.length - 1];
  return {
    data: page.items,
    next_cursor: last === undefined ? null : await sealCursor(cipher, accountId, name, last.position),
  };
}
