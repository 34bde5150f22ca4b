import { readFileSync } from 'node:fs';

/** How a run of mutations ended. */
export interface MutationScore {
  /** Share of the mutants that a test noticed, in percent; those that do not run at all count nowhere. */
  readonly percent: number;
  readonly noticed: number;
  readonly survived: number;
  /** Mutants of code that no test of the area runs. */
  readonly uncovered: number;
}

/** States of all mutants in a report of Stryker (mutation-testing-report-schema), by file. */
export function readMutationReport(path: string): ReadonlyMap<string, readonly string[]> {
  const report: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const files = Object.entries(Object(Object(report).files));
  return new Map(
    files.map(([file, content]) => {
      const mutants: unknown = Object(content).mutants;
      const states = Array.isArray(mutants) ? mutants.map((mutant) => String(Object(mutant).status)) : [];
      return [file, states];
    }),
  );
}

/** Counts the states of every file. */
export function mutationScore(report: ReadonlyMap<string, readonly string[]>): MutationScore {
  const states = [...report.values()].flat();
  const count = (...names: string[]) => states.filter((state) => names.includes(state)).length;
  const noticed = count('Killed', 'Timeout');
  const survived = count('Survived');
  const uncovered = count('NoCoverage');
  const all = noticed + survived + uncovered;
  return { percent: all === 0 ? 0 : (100 * noticed) / all, noticed, survived, uncovered };
}
