/**
 * `npm run check:words [-- path …]`: finds listed words and sentences over 40 words in documents, comments, messages and test titles, and such words in names,
 * in the whole project or below the paths, and fails if there are any.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitWithHelp } from './help.ts';
import { PROJECT_ROOT } from './run.ts';
import {
  type Finding,
  findingsIn,
  namesFoundIn,
  textsOfComments,
  textsOfMarkdown,
  textsOfPython,
  textsOfStrings,
  textsOfTitles,
} from './words.ts';

exitWithHelp(import.meta.filename);

/** A page that is made from titles of tests, and code that is made from the API's descriptions. */
const GENERATED = /^contributing\/security-statements\.md$|\/wire\.(?:ts|py)$|^test\/fixtures\//;

function findingsOf(file: string): readonly Finding[] {
  const text = readFileSync(join(PROJECT_ROOT, file), 'utf8');
  return [...textsOf(file, text).flatMap(findingsIn), ...(/\.(?:tsx?|mjs)$/.test(file) ? namesFoundIn(text) : [])];
}

function textsOf(file: string, text: string): string[] {
  // Released versions of the change log stay as they were published.
  if (file === 'CHANGELOG.md') return textsOfMarkdown(text.split(/^## \d/m)[0] ?? '');
  if (file.endsWith('.md')) return textsOfMarkdown(text);
  if (file.endsWith('.py')) return textsOfPython(text);
  const isTest = /^(?:test|dev\/second-opinions)\//.test(file);
  return [...textsOfComments(text), ...(isTest ? textsOfTitles(text) : textsOfStrings(text))];
}

const paths = process.argv.slice(2);
const tracked = execFileSync('git', ['ls-files', '*.md', '*.ts', '*.tsx', '*.mjs', '*.py'], {
  cwd: PROJECT_ROOT,
  encoding: 'utf8',
});
const found = tracked
  .split('\n')
  .filter((file) => file !== '' && !GENERATED.test(file) && existsSync(join(PROJECT_ROOT, file)))
  .filter((file) => paths.length === 0 || paths.some((path) => file.startsWith(path)))
  .flatMap((file) => findingsOf(file).map((finding) => ({ file, ...finding })));
for (const { file, text, instead } of found) console.error(`${file}: “${text}” (${instead})`);
if (found.length > 0) process.exitCode = 1;
