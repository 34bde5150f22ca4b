/**
 * `npm run test:titles -- before after …`: compares the titles of the tests that ran, by the reports of `npm test` (JSON). Prints those that only
 * the first report has. With further reports, such as that of `npm run test:long`, only those that none of them has; exits with 1 where there are any.
 */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { exitWithHelp } from './help.ts';

const reportSchema = z.object({
  testResults: z.array(z.object({ assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })) })),
});

exitWithHelp(import.meta.filename);
const [before, ...after] = process.argv.slice(2);
if (before === undefined || after.length === 0) {
  console.error('Usage: npm run test:titles -- before.json after.json [further.json …]');
  process.exit(2);
}
const kept = new Set(after.flatMap(titlesIn));
const lost = titlesIn(before).filter((title) => !kept.has(title));
for (const title of lost) console.log(title);
console.error(`${lost.length} titles of ${before} are in none of ${after.join(', ')}`);
if (lost.length > 0) process.exitCode = 1;

/** Titles of tests that a run has run. */
function titlesIn(file: string): string[] {
  const { testResults } = reportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const ran = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status !== 'skipped'),
  );
  return [...new Set(ran.map(({ fullName }) => fullName))];
}
