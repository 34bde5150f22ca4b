/**
 * `npm run docs`: builds the static site of the documents into `dist/site`, with a search. Ends with exit code 1 when a link between pages
 * leads nowhere.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exitWithHelp } from './help.ts';
import { PROJECT_ROOT, run } from './run.ts';

exitWithHelp(import.meta.filename);
const FOLDER = join(PROJECT_ROOT, 'dev', 'site');
const VITEPRESS = join(FOLDER, 'node_modules', '.bin', 'vitepress');
if (existsSync(VITEPRESS)) {
  process.exitCode = await run(VITEPRESS, ['build', FOLDER]);
  if (process.exitCode === 0) console.log('dist/site/index.html is the first page');
} else {
  console.error('VitePress is not installed with the project. Once: npm ci --prefix dev/site');
  process.exitCode = 2;
}
