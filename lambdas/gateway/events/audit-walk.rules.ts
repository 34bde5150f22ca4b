/**
 * The walk that gives events of an earlier version their place in the account's list: first those of the account, then those of its
 * connections. Events of deleted connections cannot be found.
 */
export interface AuditWalk {
  readonly phase: 'account' | 'connections' | 'complete';
  readonly position: string | undefined;
  /** Time of the first event in the list when the walk began; all later ones are in it. Epoch milliseconds. */
  readonly sinceMs: number;
  /** Events that were not in the list. */
  readonly found: number;
}

/**
 * Since when an account's list is complete, epoch milliseconds; undefined where nothing is missing.
 *
 * @param oldestKeptMs before this no event is kept anyway
 */
export function listedCompletelySince(walk: AuditWalk | undefined, oldestKeptMs: number): number | undefined {
  if (walk === undefined || walk.sinceMs <= oldestKeptMs) return undefined;
  // If none was found, no earlier version wrote any.
  return walk.phase === 'complete' && walk.found === 0 ? undefined : walk.sinceMs;
}
