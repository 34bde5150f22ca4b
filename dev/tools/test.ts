/**
 * `npm test [-- vitest arguments]`: runs every test but those tagged `long`. `npm run test:long` runs those, and again
 * those tagged `drawn`, with all of their random cases; it loads no file without such a test. Leaves a JSON report in
 * `dist/test-report.json`, of the long ones in `dist/long-test-report.json`.
 */

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { exitWithHelp } from './help.ts';
import { PROJECT_ROOT, run } from './run.ts';
import { filesTagged, taggedTests } from './tagged-tests.ts';

exitWithHelp(import.meta.filename);
/** What V8 compiled. Nobody deletes what was compiled of sources that have changed since: beyond so many files it begins again. */
const COMPILED = join(PROJECT_ROOT, 'dist', 'compile-cache');
const COMPILED_FILES_MAX = 30_000;
if (existsSync(COMPILED) && readdirSync(COMPILED, { recursive: true }).length > COMPILED_FILES_MAX) {
  rmSync(COMPILED, { recursive: true });
}

const isLong = process.argv.includes('--long');
const args = process.argv.slice(2).filter((one) => one !== '--long');
const report = isLong ? 'dist/long-test-report.json' : 'dist/test-report.json';
if (isLong && args.length === 0) {
  // Whatever is tagged: a door may change what any of these tests claims. `npm test` has run the others.
  const code = await run('vitest', ['run', '--project', 'function-url'], { WHOLE_SECOND_DOOR: 'rest' });
  if (code !== 0) process.exit(code);
}
// Loading a file takes time, even where none of its tests runs.
const whole = args.length === 0;
const files = isLong && whole ? taggedTests(['long', 'drawn']) : [];
const without = isLong || !whole ? [] : filesTagged('long');
process.exitCode = await run(
  'vitest',
  [
    'run',
    '--reporter=./test/support/short-reporter.ts',
    '--reporter=json',
    `--outputFile.json=${report}`,
    '--tags-filter',
    isLong ? 'long or drawn' : '!long',
    ...args,
    ...files,
  ],
  // The programs that tests start load the same modules again and again: V8 compiles them once.
  { NODE_COMPILE_CACHE: COMPILED, WITHOUT_FILES: without.join(), ...(isLong ? { DRAWS: 'all' } : {}) },
);
