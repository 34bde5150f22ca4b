import {
  addChanges,
  byPart,
  type ChangeCounts,
  type ChangeRow,
  movedBy,
  sumOf,
} from '../../gateway/connections/change-counts.rules.ts';

/** Changes of connections in a day (UTC). */
export interface ChangeDay {
  /** `2026-01-31`. */
  readonly day: string;
  readonly counts: ChangeCounts;
}

/** Connections by their status at the end of a day. */
export interface StatusDay {
  readonly day: string;
  readonly active: number;
  readonly dead: number;
}

/** Changes of each day over all given integrations, in the order of the days. */
export function changesByDay(rows: readonly ChangeRow[], days: readonly string[]): readonly ChangeDay[] {
  return days.map((day) => ({
    day,
    counts: rows.filter((row) => row.day === day).reduce((sum, { counts }) => addChanges(sum, counts), {}),
  }));
}

/** The numbers of active and dead connections at the end of each day, computed backwards from the current ones. */
export function statusByDay(
  now: { readonly active: number; readonly dead: number },
  changes: readonly ChangeDay[],
): readonly StatusDay[] {
  let { active, dead } = now;
  const days: StatusDay[] = [];
  for (const { day, counts } of changes.toReversed()) {
    days.unshift({ day, active: Math.max(0, active), dead: Math.max(0, dead) });
    const moved = movedBy(counts);
    active -= moved.active;
    dead -= sumOf(moved.causes);
  }
  return days;
}

/** The counts in the API's spelling. */
export function changesOnTheWire(counts: ChangeCounts) {
  const died = byPart(counts, 'died');
  const refreshes = byPart(counts, 'refresh');
  return {
    created: counts.created ?? 0,
    deleted: sumOf(byPart(counts, 'deleted')),
    died: sumOf(died),
    died_by_cause: Object.entries(died)
      .map(([cause, count]) => ({ cause, count }))
      .sort((a, b) => b.count - a.count),
    mended: sumOf(byPart(counts, 'mended')),
    refreshes: {
      renewed: refreshes.renewed ?? 0,
      refused: refreshes.refused ?? 0,
      client_refused: refreshes.clientRefused ?? 0,
      failed: refreshes.failed ?? 0,
    },
  };
}
