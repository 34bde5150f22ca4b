import { GatewayError } from '../../gateway/core/errors.ts';
import type { CreationGate } from './ports.ts';

/**
 * Creates one thing of a kind that an account may have only so many of, alone: anyone who counts sees all that others have made, so the
 * number holds however many create at once (WH-17).
 *
 * @param what the kind, with the connection where the number is a connection's
 * @param create counts and makes it; `recent`: ids of the last minute, which an index may not show yet
 * @throws GatewayError `conflict` when others create for longer than a caller waits
 */
export async function createWithin<T extends { readonly id: string | undefined }>(
  gate: CreationGate,
  accountId: string,
  what: string,
  create: (recent: readonly string[]) => Promise<T>,
): Promise<T> {
  const entered = await gate.enter(accountId, what);
  if (entered === undefined) {
    throw new GatewayError('conflict', 'Others create the same at this moment. Nothing was created; try again.');
  }
  let id: string | undefined;
  try {
    const made = await create(entered.recent);
    id = made.id;
    return made;
  } finally {
    // What was made is made, and a refusal stays one: a gate that nobody could close opens by itself, and by then the index shows the rest.
    await entered.leave(id).catch(() => {});
  }
}
