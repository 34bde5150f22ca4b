/** What tests claimed and no longer do, by their sources, and what no run checks, by the reports of runs. */
import { readTitles, type TestTitle } from './test-titles.ts';

/** A report of Vitest's JSON reporter, as far as it is read here. */
export interface RunReport {
  readonly testResults: readonly {
    /** Path of the file. */
    readonly name: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** The text of a file. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
}

const STATEMENT = /\b[A-Z]{2}-\d+\b/g;

/** Tests that reports list and none of them ran: no run selects their tag, or they are skipped. */
export function neverRun(reports: readonly RunReport[]): readonly TestTitle[] {
  const all = new Map<string, TestTitle>();
  const ran = new Set<string>();
  for (const { name: file, assertionResults } of reports.flatMap(({ testResults }) => testResults)) {
    for (const { fullName: title, status } of assertionResults) {
      const key = `${file}\n${title}`;
      all.set(key, { file, title });
      if (status === 'passed' || status === 'failed') ran.add(key);
    }
  }
  return [...all].filter(([key]) => !ran.has(key)).map(([, test]) => test);
}

/** What sources of tests had before and no longer have. */
export interface LostClaims {
  /** Titles that stand in fewer places, each with a file that had it. */
  readonly titles: readonly TestTitle[];
  /** Statements, such as `GA-20`, that no test names any more. */
  readonly statements: readonly string[];
}

/**
 * Compares sources of tests. A title that moved to another file is not lost; a table of cases has one title however many rows it has.
 * @param rest texts that did not change
 */
export function lostClaims(
  before: readonly SourceText[],
  after: readonly SourceText[],
  rest: readonly SourceText[],
): LostClaims {
  const left = Map.groupBy(
    after.flatMap(({ text }) => readTitles(text)),
    (title) => title,
  );
  const titles = before.flatMap(({ file, text }) =>
    readTitles(text)
      .filter((title) => left.get(title)?.pop() === undefined)
      .map((title) => ({ file, title })),
  );
  const named = new Set([...after, ...rest].flatMap(({ text }) => text.match(STATEMENT) ?? []));
  const statements = new Set(before.flatMap(({ text }) => text.match(STATEMENT) ?? []));
  return { titles, statements: [...statements].filter((one) => !named.has(one)).sort() };
}
