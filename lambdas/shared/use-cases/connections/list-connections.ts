import type { ConnectionSummary } from '../../domain/connection.ts';
import { refusal } from '../../domain/errors.ts';
import type { CipherContext, ConnectionFilter, ConnectionStore, TokenCipher } from '../../ports.ts';

/** Index reads for one answer: a filter that matches little then ends in a cursor. */
const ROUNDS_MAX = 20;

export interface ListConnectionsDependencies {
  readonly connections: ConnectionStore;
  readonly cipher: TokenCipher;
}

export interface ConnectionListRequest {
  readonly accountId: string;
  readonly filter: ConnectionFilter;
  readonly limit: number;
  /** Items passed over first, for clients that count pages. */
  readonly skip: number;
  readonly cursor: string | undefined;
}

/**
 * One page, newest first. The cursor is sealed under the account, so no caller can make one up or bring another's (AK-10).
 *
 * @throws GatewayError `invalid_query_params` for a cursor that is not ours
 */
export async function listConnections(
  deps: ListConnectionsDependencies,
  request: ConnectionListRequest,
): Promise<{ readonly connections: ConnectionSummary[]; readonly nextCursor: string | undefined }> {
  const context = cursorContext(request.accountId);
  let position = request.cursor === undefined ? undefined : await openCursor(deps.cipher, context, request.cursor);
  const wanted = request.skip + request.limit;
  const found: ConnectionSummary[] = [];
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const page = await deps.connections.list(request.accountId, request.filter, wanted - found.length, position);
    found.push(...page.connections);
    position = page.next;
    if (position === undefined || found.length >= wanted) break;
  }
  return {
    connections: found.slice(request.skip),
    nextCursor: position === undefined ? undefined : await deps.cipher.encrypt(context, position),
  };
}

async function openCursor(cipher: TokenCipher, context: CipherContext, cursor: string): Promise<string> {
  try {
    return await cipher.decrypt(context, cursor);
  } catch (error) {
    // The key service being down is no fault of the cursor.
    if (error instanceof Error && '$metadata' in error) throw error;
    throw refusal('invalid_query_params', [
      { path: 'cursor', message: 'send next_cursor of the page before, unchanged' },
    ]);
  }
}

function cursorContext(accountId: string): CipherContext {
  return { accountId, integrationId: '', recordId: '', field: 'connectionListCursor' };
}
