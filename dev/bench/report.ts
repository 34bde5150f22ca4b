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
export function jsonReport(facts: RunFacts, findings: readonly Finding[]): string {
  return `${JSON.stringify({ run: facts, findings }, undefined, 2)}\n`;
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
