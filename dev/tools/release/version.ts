/**
 * `npm run release:version -- X.Y.Z`: makes the unreleased changes a version, as one commit "Release X.Y.Z": its number in all
 * places, its date in the change log, today's resources as those that the next version may not lose, and data that it wrote, for
 * the tests of later versions. Tags and publishes nothing; what fails leaves the clone as it was.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildFunctions } from '../build.ts';
import { exitWithHelp } from '../help.ts';
import { errorMessage } from '../json.ts';
import { RELEASED_TEMPLATE, renewReleasedTemplate, synthesizeDefaults, undecidedLosses } from '../released-template.ts';
import { PROJECT_ROOT, run } from '../run.ts';
import { namesOf, readCheckout } from './checkout.ts';
import { releaseVersion } from './pack.ts';
import { datedChanges } from './release-notes.ts';
import { writeVersion } from './version-places.ts';

exitWithHelp(import.meta.filename);
const CHANGES = join(PROJECT_ROOT, 'CHANGELOG.md');

function endWith(exitCode: number, text: string): never {
  console.error(text);
  process.exit(exitCode);
}

/** @throws Error with git's own words */
function git(...args: string[]): void {
  const { status, stderr } = spawnSync('git', args, { cwd: PROJECT_ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
}

/** What the last version holds is compared with now, for the last time: after this, the new version's is what is compared with. */
async function refuseLosses(): Promise<void> {
  using synthesis = await synthesizeDefaults();
  const losses = await undecidedLosses(synthesis);
  if (losses.length === 0) return;
  throw new Error(
    `An update from ${before} would lose data or addresses:\n${losses.map((loss) => `  - ${loss}`).join('\n')}`,
  );
}

const [wanted = '', ...more] = process.argv.slice(2);
const before = releaseVersion();
const isHigher = wanted.localeCompare(before, 'en', { numeric: true }) > 0;
if (more.length > 0 || !/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(wanted) || !isHigher) {
  endWith(2, `Give a version above ${before}: npm run release:version -- X.Y.Z`);
}
const checkout = readCheckout(PROJECT_ROOT);
if (checkout === undefined) endWith(1, 'A version is a commit, and this folder is no clone that git can read.');
if (checkout.changed.length > 0) {
  endWith(1, `Commit or put away what is not committed first: ${namesOf(checkout.changed)}. Nothing was written.`);
}
let changes: string;
try {
  changes = datedChanges(readFileSync(CHANGES, 'utf8'), wanted, new Date().toISOString().slice(0, 10));
} catch (error) {
  endWith(1, `${errorMessage(error)} Nothing was written.`);
}
try {
  writeVersion(PROJECT_ROOT, before, wanted);
  writeFileSync(CHANGES, changes);
  console.log('bundles and synthesizes the stack: what the next version may not lose …');
  await buildFunctions();
  await refuseLosses();
  await renewReleasedTemplate();
  if ((await run('biome', ['format', '--write', RELEASED_TEMPLATE])) !== 0)
    throw new Error('biome refused the template.');
  console.log(`has a gateway of ${wanted} write data, for the tests of later versions …`);
  if ((await run('node', ['dev/support/upgrade/record.ts', wanted])) !== 0)
    throw new Error('The data could not be written.');
  git('add', '--all');
  git('commit', '--quiet', '--message', `Release ${wanted}`);
} catch (error) {
  // Everything was committed before, so that this takes nothing away but what was written above.
  git('add', '--all');
  git('reset', '--quiet', '--hard', checkout.commit);
  endWith(1, `${errorMessage(error)}\nThe clone is as it was.`);
}
console.log(`
"Release ${wanted}" is committed. Read it (git show), then:
  npm run check && npm test
  git tag --annotate v${wanted} --message "Version ${wanted}"
  npm run release
What is wrong with it? git reset --hard ${checkout.commit.slice(0, 12)} takes it back.`);
