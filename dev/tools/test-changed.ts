/**
 * `npm run test:changed [-- vitest arguments]`: runs the tests that import, directly or not, a file that differs from the last commit, and
 * those that read the whole project. Of the tests that start gateways, runs only those that have changed themselves and are not long; it
 * names the long ones.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { importsBelow } from '../../test/support/imports.ts';
import { exitWithHelp } from './help.ts';
import { reachedTests } from './reached-tests.ts';
import { PROJECT_ROOT, run } from './run.ts';
import { filesTagged } from './tagged-tests.ts';

exitWithHelp(import.meta.filename);
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: PROJECT_ROOT, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '');
const changed = [
  ...git('diff', '--name-only', '-z', 'HEAD'),
  ...git('ls-files', '--others', '--exclude-standard', '-z'),
];
const imports = importsBelow(PROJECT_ROOT, ['lambdas', 'lib', 'bin', 'packages', 'dev', 'examples', 'test']);
const { files, gateways } = reachedTests(changed, imports);
if (gateways > 0) console.log(`npm test also runs ${gateways} files that start gateways with what has changed.`);
const existing = files.filter((file) => existsSync(join(PROJECT_ROOT, file)));
const wholeLong = new Set(filesTagged('long'));
const left = existing.filter((file) => wholeLong.has(file));
if (left.length > 0) console.log(`Long tests that have changed: npm run test:long -- ${left.join(' ')}`);
process.exitCode = await run('node', ['dev/tools/test.ts', ...process.argv.slice(2), ...existing]);
