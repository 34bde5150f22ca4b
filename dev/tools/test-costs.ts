/** What files of tests cost, as a table. */

/** Processor time of one file of tests, in ms: of the worker, and of the processes that were started meanwhile. */
export interface FileCost {
  readonly file: string;
  readonly ownMs: number;
  readonly startedMs: number;
}

/** One cost a line, as JSON. */
export function readCosts(text: string): readonly FileCost[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** The costliest files, the costliest first, in seconds; then all of a folder together, and the rest of the run: builds and Vitest itself. */
export function costTable(costs: readonly FileCost[], allMs: number, most: number): string {
  const folders = [...Map.groupBy(costs, ({ file }) => file.split('/').slice(0, 2).join('/'))].map(
    ([file, ofFolder]): FileCost => ({
      file: `${file}: ${ofFolder.length} files`,
      ownMs: sum(ofFolder.map(({ ownMs }) => ownMs)),
      startedMs: sum(ofFolder.map(({ startedMs }) => startedMs)),
    }),
  );
  const rest = { file: 'the rest of the run', ownMs: Math.max(0, allMs - sum(costs.map(costOf))), startedMs: 0 };
  const rows = [...costs.toSorted(byCost).slice(0, most), ...folders.toSorted(byCost), rest];
  const lines = rows.map((row) => [seconds(costOf(row)), seconds(row.startedMs), row.file].join('  '));
  return ['   all s  started', ...lines, `${seconds(allMs)} s of processor time`].join('\n');
}

function costOf({ ownMs, startedMs }: FileCost): number {
  return ownMs + startedMs;
}

function byCost(one: FileCost, other: FileCost): number {
  return costOf(other) - costOf(one);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1).padStart(8);
}
