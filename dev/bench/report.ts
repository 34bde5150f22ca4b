/** What a run found, as a Markdown table and as JSON. */
import { arch, cpus, loadavg } from 'node:os';

/** One line of the table. `value`, `goal` and `within` are what a reader compares; `details` go into the JSON file only. */
export interface Finding {
  readonly measure: string;
  readonly subject: string;
  readonly value: string;
  /** Range over the rounds, '' where there is one number. */
  readonly range: string;
  /** '' where no goal is set. */
  readonly goal: string;
  readonly within: boolean | undefined;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Where and how the numbers came about. */
export interface RunFacts {
  readonly node: string;
  readonly platform: string;
  readonly processors: number;
  readonly quick: boolean;
  /** Processes that wanted a processor in the last minute: above the number of processors the ratios are unreliable. */
  readonly loadAverage: { readonly before: number; readonly after: number };
}

/** One measure as it ran, alone: the load is that of its own time. */
export interface MeasureRun {
  readonly name: string;
  /** When it ended, in ISO 8601. */
  readonly endedAt: string;
  readonly facts: RunFacts;
  readonly findings: readonly Finding[];
}

/** Processes that wanted a processor in the last minute, this one included. */
export function currentLoad(): number {
  return loadavg()[0] ?? Number.NaN;
}

/** Facts of this machine at the end of a run. */
export function runFacts(quick: boolean, loadBefore: number): RunFacts {
  return {
    node: process.version,
    platform: `${process.platform} ${arch()}`,
    processors: cpus().length,
    quick,
    loadAverage: { before: loadBefore, after: currentLoad() },
  };
}

/** One sentence on the conditions of a run, with a warning when other work competed for the processors. */
export function conditions({ node, platform, processors, loadAverage }: RunFacts): string {
  const { before, after } = loadAverage;
  const busy = Math.max(before, after) > processors ? ' Other work competed for them: repeat on an idle machine.' : '';
  return `Node ${node}, ${platform}, ${processors} processors, load ${before.toFixed(1)} before and ${after.toFixed(1)} after.${busy}`;
}

/** The findings as a table, one line each. */
export function markdownTable(findings: readonly Finding[]): string {
  const rows = findings.map(({ measure, subject, value, range, goal, within }) => {
    const verdict = within === undefined ? '' : within ? 'yes' : 'NO';
    return [measure, subject, value, range, goal, verdict];
  });
  return [
    ['Measure', 'Subject', 'Median', 'Range', 'Goal', 'Within'],
    ['---', '---', '---:', '---', '---', '---'],
    ...rows,
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** Everything as JSON with two-space indentation. */
export function jsonReport(runs: readonly MeasureRun[]): string {
  return `${JSON.stringify(runs, undefined, 2)}\n`;
}

/** How many goals there are, and which are missed. */
export function verdict(runs: readonly MeasureRun[]): string {
  const judged = runs.flatMap(({ findings }) => findings).filter(({ within }) => within !== undefined);
  const missed = judged.filter(({ within }) => within === false);
  const names = missed.map(({ measure, subject, value, goal }) => `${measure} (${subject}): ${value}, ${goal}`);
  return [
    `${judged.length - missed.length} of ${judged.length} goals are met.`,
    ...names.map((one) => `NO: ${one}.`),
  ].join(' ');
}

/** The results of a page: for each measure its table, when it ran, where, and how busy the machine was before and after. */
export function resultsPage(runs: readonly MeasureRun[]): string {
  const parts = runs.map(
    ({ endedAt, facts, findings }) => `${markdownTable(findings)}\n\n${endedAt.slice(0, 10)}. ${conditions(facts)}`,
  );
  return [verdict(runs), ...parts].join('\n\n');
}

/** A page whose part between `<!-- results: … -->` and `<!-- end of results -->` is another. @throws Error when it has no such part */
export function withResults(page: string, results: string): string {
  const parts = /^(.*<!-- results: [^>]*-->\n).*(\n<!-- end of results -->.*)$/s.exec(page);
  if (parts === null) throw new Error('The page has no place for results');
  return `${parts[1]}\n${results}\n${parts[2]}`;
}

/** `1.84x`. */
export function times(ratio: number): string {
  return `${ratio.toFixed(2)}x`;
}

/** A range of values, each formatted. */
export function range(
  { min, max }: { readonly min: number; readonly max: number },
  format: (value: number) => string,
): string {
  return `${format(min)} to ${format(max)}`;
}
