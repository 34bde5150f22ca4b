/**
 * The walk that gives events of an earlier version their place in the account's list: first those of the account, then those of its
 * connections. Events of connections that are gone cannot be found.
 */
export interface AuditWalk {
  readonly phase: 'account' | 'connections' | 'complete';
  readonly position: string | undefined;
  /** Time of the first event that was in the list when the walk began: everything later is in it. Epoch milliseconds. */
  readonly sinceMs: number;
  /** Events that were not in the list. */
  readonly found: number;
}

/**
 * From when an account's list has every event, epoch milliseconds; undefined where nothing is missing.
 *
 * @param oldestKeptMs before this no event is kept anyway
 */
export function listedCompletelySince(walk: AuditWalk | undefined, oldestKeptMs: number): number | undefined {
  if (walk === undefined || walk.sinceMs <= oldestKeptMs) return undefined;
  // Where none was found, no earlier version wrote any.
  return walk.phase === 'complete' && walk.found === 0 ? undefined : walk.sinceMs;
}
