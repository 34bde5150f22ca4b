/** What a run found, as a Markdown table and as JSON. */
import { arch, cpus } from 'node:os';

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
}

/** Facts of this machine. */
export function runFacts(quick: boolean): RunFacts {
  return { node: process.version, platform: `${process.platform} ${arch()}`, processors: cpus().length, quick };
}

/** The findings as a table, one line each. */
export function markdownTable(findings: readonly Finding[]): string {
  const rows = findings.map(({ measure, subject, value, range, goal, within }) => {
    const verdict = within === undefined ? '' : within ? 'yes' : 'NO';
    return [measure, subject, value, range, goal, verdict];
  });
  return [['Measure', 'Subject', 'Median', 'Range', 'Goal', 'Within'], ['---', '---', '---:', '---', '---', '---'], ...rows]
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
export function range({ min, max }: { readonly min: number; readonly max: number }, format: (value: number) => string): string {
  return `${format(min)} to ${format(max)}`;
}
