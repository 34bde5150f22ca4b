import type { PlaceFor } from '../../gateway/core/ports.ts';

/** The feed of a sealed value. */
interface SealedOf {
  readonly feedId: string;
  readonly connection: { readonly accountId: string; readonly integrationId: string };
}

/** Where a feed's positions are stored. */
export function cursorContext({ feedId, connection: { accountId, integrationId } }: SealedOf): PlaceFor<'cursors'> {
  return { accountId, integrationId, recordId: feedId, field: 'feedCursor', purpose: 'cursors' };
}

/** Where the key of a feed's memory is stored. */
export function statesKeyContext(feed: SealedOf): PlaceFor<'cursors'> {
  return { ...cursorContext(feed), field: 'feedStatesKey' };
}
