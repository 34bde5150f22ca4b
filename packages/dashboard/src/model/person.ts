import type { ConnectionSummary } from '../gateway/library.ts';

/** The end user of a connection, also one that only the tag of Nango's client names. */
export function endUserIdOf({ endUser, tags }: Pick<ConnectionSummary, 'endUser' | 'tags'>): string | undefined {
  return endUser?.id ?? tags.end_user_id;
}

/** A connection's display name: a name, else an address, else an id. */
export function titleOf({
  endUser,
  providerAccount,
  connectionId,
}: Pick<ConnectionSummary, 'endUser' | 'providerAccount' | 'connectionId'>): string {
  const titles = [endUser?.displayName, endUser?.email, endUser?.id, providerAccount?.email, connectionId];
  return titles.find((title) => title !== undefined && title.trim() !== '') ?? connectionId;
}

/** Further known facts about them, in addition to the title. */
export function detailsOf({ endUser, providerAccount, connectionId }: ConnectionSummary): readonly string[] {
  const title = titleOf({ endUser, providerAccount, connectionId });
  const details = [endUser?.email, providerAccount?.email, endUser?.organization?.displayName];
  return [...new Set(details.filter((text) => text !== undefined && text !== title))].filter(
    (text) => text !== undefined,
  );
}
