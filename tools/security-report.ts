/** `node tools/security-report.ts`: writes docs/security.md, every security statement with the tests that name it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from './run.ts';
import { STATEMENT_FAMILIES, type StatementFamily } from './security-statements.ts';
import { readTestTitles, type TestTitle } from './test-titles.ts';

/** Where the report is kept. */
export const SECURITY_REPORT = join(PROJECT_ROOT, 'docs', 'security.md');

const STATEMENT_ID = /\b(?:OA|CS|TK|PX|PR|AK|CR|LG|DS|UI|IN)-\d+\b/g;

const INTRODUCTION = `# Security statements and their tests

Written by \`node tools/security-report.ts\`: every statement with the tests whose titles name its id. A named test shows that the
statement is exercised, not that every reading of it is; what a test does not name counts as open, even where the code
does it. The threat model is in [SECURITY.md](../SECURITY.md).`;

/** Ids that the titles of tests name, each with its tests. */
function testsById(titles: readonly TestTitle[]): Map<string, TestTitle[]> {
  const found = new Map<string, TestTitle[]>();
  for (const test of titles) {
    for (const id of new Set(test.title.match(STATEMENT_ID) ?? [])) {
      found.set(id, [...(found.get(id) ?? []), test]);
    }
  }
  return found;
}

/** Text that a table cell can hold. */
function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('`', '');
}

/** Link to each test; the ids in its title are what the row says already. */
function testLinks(tests: readonly TestTitle[]): string {
  return tests
    .map(({ file, title }) => {
      const claim = title.replace(/^(?:[A-Z]{2}-\d+(?:, )?)+:? ?/, '').replace(/ ?\((?:[A-Z]{2}-\d+(?:, )?)+\)$/, '');
      return `[${cell(claim === '' ? title : claim)}](../${file})`;
    })
    .join('<br>');
}

/**
 * Makes the report from statements and titles.
 * @throws Error naming every test whose title names an id that is no statement
 */
export function securityReport(families: readonly StatementFamily[], titles: readonly TestTitle[]): string {
  const tests = testsById(titles);
  const ids = families.flatMap(({ statements }) => Object.keys(statements));
  const unknown = [...tests].filter(([id]) => !ids.includes(id));
  if (unknown.length > 0) {
    const lines = unknown.flatMap(([id, named]) => named.map(({ file, title }) => `${id}: ${file}, "${title}"`));
    throw new Error(`These tests name statements that do not exist:\n  ${lines.join('\n  ')}`);
  }
  const open = ids.filter((id) => !tests.has(id));
  const sections = families.map(({ title, statements }) =>
    [
      `## ${title}`,
      '',
      '| Id | Statement | Tests |',
      '|---|---|---|',
      ...Object.entries(statements).map(([id, statement]) => {
        const named = tests.get(id);
        return `| ${id} | ${statement} | ${named === undefined ? '**open**' : testLinks(named)} |`;
      }),
    ].join('\n'),
  );
  const summary = [
    `${ids.length - open.length} of ${ids.length} statements are named by a test.`,
    ...(open.length === 0 ? [] : [`Open: ${open.join(', ')}.`]),
  ].join(' ');
  return `${[INTRODUCTION, summary, ...sections].join('\n\n')}\n`;
}

/** The report of this project as it is now. */
export function currentSecurityReport(): string {
  return securityReport(STATEMENT_FAMILIES, readTestTitles(PROJECT_ROOT, 'test'));
}

if (import.meta.main) {
  writeFileSync(SECURITY_REPORT, currentSecurityReport());
}
