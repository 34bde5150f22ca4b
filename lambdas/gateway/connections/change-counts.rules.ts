/** Outcomes of attempts to refresh a connection, as counted. */
export const REFRESH_RESULTS = ['renewed', 'refused', 'clientRefused', 'failed'] as const;
export type RefreshResult = (typeof REFRESH_RESULTS)[number];

/**
 * Daily counters of an integration's connections: `created`, `died.<cause>`, `mended.<cause>` (a death that is over), `deleted.active`,
 * `deleted.<cause>` (of a dead one), and `refresh.<result>`. A missing name is 0.
 */
export type ChangeCounts = Readonly<Record<string, number>>;

/** Changes of an integration's connections in a day. */
export interface ChangeRow {
  readonly day: string;
  readonly integrationId: string;
  readonly counts: ChangeCounts;
}

/** Whether a name is one of those counters; an item has other attributes, too. */
export function isChangeName(name: string): boolean {
  return name === 'created' || /^(?:died|mended|deleted|refresh)\.\w+$/.test(name);
}

export function addChanges(a: ChangeCounts, b: ChangeCounts): ChangeCounts {
  const sum: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

/** Counts by the second part of a name: of `died` by cause, of `refresh` by result. */
export function byPart(counts: ChangeCounts, name: 'died' | 'mended' | 'deleted' | 'refresh'): Record<string, number> {
  const prefix = `${name}.`;
  return Object.fromEntries(
    Object.entries(counts)
      .filter(([key, count]) => key.startsWith(prefix) && count !== 0)
      .map(([key, count]) => [key.slice(prefix.length), count]),
  );
}

export function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** The effect of the changes on the number of active connections, and of dead ones by cause. */
export function movedBy(counts: ChangeCounts): { readonly active: number; readonly causes: Record<string, number> } {
  const died = byPart(counts, 'died');
  const mended = byPart(counts, 'mended');
  const { active: deletedActive = 0, ...deletedDead } = byPart(counts, 'deleted');
  const causes: Record<string, number> = {};
  for (const cause of new Set([...Object.keys(died), ...Object.keys(mended), ...Object.keys(deletedDead)])) {
    causes[cause] = (died[cause] ?? 0) - (mended[cause] ?? 0) - (deletedDead[cause] ?? 0);
  }
  return { active: (counts.created ?? 0) + sumOf(mended) - sumOf(died) - deletedActive, causes };
}
