import { GatewayError } from '../../gateway/core/errors.ts';
import type { CreationGate } from './ports.ts';

/**
 * Creates one thing of a limited kind under a lock, so that the count includes all others' creations and the limit holds under
 * concurrency (WH-17).
 *
 * @param what the kind, with the connection where the limit is per connection
 * @param create counts and creates it; `recent`: ids of the last minute, which an index may not show yet
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
    // The outcome is final: a gate that could not be closed opens by itself, when the index shows the rest.
    await entered.leave(id).catch(() => {});
  }
}
