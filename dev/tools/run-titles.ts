/**
 * `npm run test:titles -- --since main`: prints the titles of tests, and the statements they name, that the sources had where the branch left
 * a revision and the working tree lacks. Nothing runs. A title that moved to another file is not lost; one that was reworded is.
 *
 * `npm run test:titles -- before.json after.json …`: compares the titles of the tests that ran, rows of tables included, by the reports of
 * `npm test`. Prints those that only the first report has. With further reports, such as that of `npm run test:long`, only those that none
 * of them has. Exits with 1 where anything is lost.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { exitWithHelp } from './help.ts';
import { lostClaims, type SourceText } from './lost-claims.ts';
import { PROJECT_ROOT } from './run.ts';

const reportSchema = z.object({
  testResults: z.array(z.object({ assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })) })),
});

exitWithHelp(import.meta.filename);
const [before, ...after] = process.argv.slice(2);
const [revision] = after;
if (before === undefined || revision === undefined) {
  console.error('Usage: npm run test:titles -- --since main\n       npm run test:titles -- before.json after.json …');
  process.exit(2);
}
if (before === '--since') compareSources(revision);
else compareReports(before, after);

function compareSources(since: string): void {
  const revision = git('merge-base', 'HEAD', since).trim();
  const here = new Set(globSync('test/**/*.ts', { cwd: PROJECT_ROOT }));
  const differing = git('diff', '--name-only', '--no-renames', '-z', revision, '--', 'test').split('\0');
  const known = git('ls-tree', '-r', '--name-only', '-z', revision, 'test').split('\0');
  const changed = new Set([...differing, ...[...here].filter((file) => !known.includes(file))].filter(isSource));
  const { titles, statements } = lostClaims(
    [...changed]
      .filter((file) => known.includes(file))
      .map((file) => ({ file, text: git('show', `${revision}:${file}`) })),
    [...changed].filter((file) => existsSync(join(PROJECT_ROOT, file))).map(read),
    [...here].filter((file) => !changed.has(file)).map(read),
  );
  for (const { file, title } of titles) console.log(`${file}: ${title}`);
  for (const statement of statements) console.log(`No test names ${statement} any more.`);
  console.error(`${titles.length} titles and ${statements.length} statements of ${since} are no longer in test/`);
  if (titles.length + statements.length > 0) process.exitCode = 1;
}

function compareReports(before: string, after: readonly string[]): void {
  const kept = new Set(after.flatMap(titlesIn));
  const lost = titlesIn(before).filter((title) => !kept.has(title));
  for (const title of lost) console.log(title);
  console.error(`${lost.length} titles of ${before} are in none of ${after.join(', ')}`);
  if (lost.length > 0) process.exitCode = 1;
}

/** Titles of tests that a run has run. */
function titlesIn(file: string): string[] {
  const { testResults } = reportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const ran = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status !== 'skipped'),
  );
  return [...new Set(ran.map(({ fullName }) => fullName))];
}

function read(file: string): SourceText {
  return { file, text: readFileSync(join(PROJECT_ROOT, file), 'utf8') };
}

function isSource(file: string): boolean {
  return file.endsWith('.ts');
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: PROJECT_ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}
