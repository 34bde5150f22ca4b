/**
 * `npm run check:words [-- path …]`: counts listed words and sentences over 40 words in documents, comments and test titles, and fails
 * where a room has more than `dev/tools/words-budget.json` allows. With paths it lists what it found there. `-- --lower` lowers the
 * budget to what is there now; it never raises it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { exitWithHelp } from './help.ts';
import { PROJECT_ROOT } from './run.ts';
import {
  type Budget,
  type Finding,
  findingsIn,
  lowered,
  overBudget,
  textsOfComments,
  textsOfMarkdown,
  textsOfTitles,
} from './words.ts';

exitWithHelp(import.meta.filename);

const BUDGET = join(PROJECT_ROOT, 'dev/tools/words-budget.json');
const budgetSchema = z.record(z.string(), z.object({ words: z.int(), sentences: z.int() }));

/** Pages whose text is made from titles of tests, and code that is made from the API's descriptions. */
const GENERATED = /^docs\/security\.md$|\/wire\.(?:ts|py)$|^test\/fixtures\//;

interface Found extends Finding {
  readonly room: string;
  readonly file: string;
}

function foundIn(file: string): Found[] {
  const text = readFileSync(join(PROJECT_ROOT, file), 'utf8');
  const of = (room: string, texts: readonly string[]) =>
    texts.flatMap((one) => findingsIn(one)).map((finding) => ({ ...finding, room, file }));
  // Released versions of the change log stay as they were published.
  if (file === 'CHANGELOG.md') return of('documents', textsOfMarkdown(text.split(/^## \d/m)[0] ?? ''));
  if (file.endsWith('.md')) return of('documents', textsOfMarkdown(text));
  const titles = /^(?:test|dev\/second-opinions)\//.test(file) ? of('titles', textsOfTitles(text)) : [];
  return [...of('comments', textsOfComments(text)), ...titles];
}

const tracked = execFileSync('git', ['ls-files', '*.md', '*.ts', '*.tsx', '*.mjs'], {
  cwd: PROJECT_ROOT,
  encoding: 'utf8',
});
const files = tracked
  .split('\n')
  .filter((file) => file !== '' && !GENERATED.test(file) && existsSync(join(PROJECT_ROOT, file)));
const found = files.flatMap(foundIn);
const count = (room: string, kind: Finding['kind']) =>
  found.filter((one) => one.room === room && one.kind === kind).length;
const counted: Budget = Object.fromEntries(
  ['documents', 'titles', 'comments'].map((room) => [
    room,
    { words: count(room, 'words'), sentences: count(room, 'sentences') },
  ]),
);
const budget = budgetSchema.parse(JSON.parse(readFileSync(BUDGET, 'utf8')));

const paths = process.argv.slice(2).filter((one) => !one.startsWith('--'));
for (const { file, text, instead } of found.filter((one) => paths.some((path) => one.file.startsWith(path)))) {
  console.log(`${file}: “${text}” (${instead})`);
}
const over = overBudget(counted, budget);
for (const problem of over) console.error(problem);
if (over.length > 0) {
  console.error('Rewrite what you added. `npm run check:words -- <path>` lists what a file or folder has.');
  process.exitCode = 1;
} else if (process.argv.includes('--lower')) {
  writeFileSync(BUDGET, `${JSON.stringify(lowered(counted, budget), undefined, 2)}\n`);
}
console.log(JSON.stringify(counted));
