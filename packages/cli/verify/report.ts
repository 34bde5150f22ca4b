/** The results of a verification, for a terminal and for an issue. */
import Table from 'cli-table3';
import type { CheckResult, Verdict } from './check.ts';

const MARKS: Readonly<Record<Verdict, string>> = { holds: 'ok    ', fails: 'FAILED', 'not checked': '-     ' };

/** One line for one result, as it comes. */
export function resultLine({ verdict, claim, seen }: CheckResult): string {
  return `${MARKS[verdict]} ${claim}${verdict === 'holds' ? '' : `\n         seen: ${seen}`}`;
}

/** How many checks ended how. */
export function countsLine(results: readonly CheckResult[]): string {
  const count = (verdict: Verdict): number => results.filter((one) => one.verdict === verdict).length;
  return `${count('holds')} hold, ${count('fails')} fail, ${count('not checked')} not checked`;
}

/** Failed checks and their meaning, as a table, for other programs as lines with tabs; empty when all hold. */
export function failuresTable(results: readonly CheckResult[]): string {
  const failed = results.filter(({ verdict }) => verdict === 'fails');
  if (failed.length === 0) return '';
  if (!process.stdout.isTTY) {
    return failed
      .map(({ claim, seen, otherwise }) =>
        [claim, seen, otherwise].map((text) => text.replaceAll(/\s+/g, ' ')).join('\t'),
      )
      .join('\n');
  }
  const table = new Table({
    head: ['Does not hold', 'Seen', 'What it means'],
    colWidths: [38, 34, 44],
    wordWrap: true,
    style: { head: [], border: [] },
  });
  table.push(...failed.map(({ claim, seen, otherwise }) => [claim, seen, otherwise]));
  return table.toString();
}

/** The heading of a report. */
export interface ReportHeading {
  readonly target: string;
  readonly version: string;
  readonly at: Date;
  readonly durationMs: number;
}

/**
 * The whole result in Markdown, short enough for an issue.
 * @param secrets texts that must not leave this computer: keys, account numbers, host names; each becomes `…`
 */
export function markdownReport(
  heading: ReportHeading,
  results: readonly CheckResult[],
  secrets: readonly string[],
): string {
  const sections = [...new Set(results.map(({ section }) => section))];
  const text = [
    `# Verification of ${heading.target}`,
    `Version ${heading.version}, ${heading.at.toISOString()}, ${Math.round(heading.durationMs / 1000)} s: ${countsLine(results)}.`,
    ...sections.flatMap((section) => [
      `## ${section}`,
      [
        '| | Check | Seen |',
        '|---|---|---|',
        ...results
          .filter((one) => one.section === section)
          .map(
            ({ verdict, claim, seen, otherwise }) =>
              `| ${verdict} | ${cell(verdict === 'fails' ? `${claim}. ${otherwise}` : claim)} | ${cell(seen)} |`,
          ),
      ].join('\n'),
    ]),
  ].join('\n\n');
  return `${secrets.filter((secret) => secret !== '').reduce((out, secret) => out.replaceAll(secret, '…'), text)}\n`;
}

function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
