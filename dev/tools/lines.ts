/**
 * `npm run lines`: counts the lines of TypeScript of the core and of each feature: of functions with the stack, and of the command line,
 * the client and the dashboard.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURE_IDS } from '../../lambdas/features/index.ts';
import { exitWithHelp } from './help.ts';
import { PROJECT_ROOT } from './run.ts';

const FILES = ['{lambdas,lib,bin}/**/*.ts', 'packages/cli/**/*.ts', 'packages/{client,dashboard}/src/**/*.{ts,tsx}'];

/** Lines of each part: `core`, and each feature by its id. A feature's part of a package lies in a folder with its id, too. */
export function countLines(
  files: readonly { readonly path: string; readonly text: string }[],
): ReadonlyMap<string, { readonly functions: number; readonly packages: number }> {
  const counts = new Map(['core', ...FEATURE_IDS].map((part) => [part, { functions: 0, packages: 0 }]));
  for (const { path, text } of files) {
    const [, folder = ''] = /\/features\/([^/]+)\//.exec(path) ?? [];
    const count = counts.get(folder) ?? counts.get('core');
    if (count !== undefined)
      count[path.startsWith('packages/') ? 'packages' : 'functions'] += text.split('\n').length - 1;
  }
  return counts;
}

if (import.meta.main) {
  exitWithHelp(import.meta.filename);
  const paths = globSync(FILES, { cwd: PROJECT_ROOT });
  const files = paths.map((path) => ({ path, text: readFileSync(join(PROJECT_ROOT, path), 'utf8') }));
  console.table(Object.fromEntries(countLines(files)));
}
