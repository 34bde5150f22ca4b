/**
 * `npm run release:version -- X.Y.Z`: makes the unreleased changes a version: its number in `package.json` and the lockfile, its
 * date in the change log, today's resources as those that the next version may not lose. Commits and tags nothing.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildFunctions } from '../build.ts';
import { RELEASED_TEMPLATE, renewReleasedTemplate } from '../released-template.ts';
import { PROJECT_ROOT, run } from '../run.ts';
import { releaseVersion } from './pack.ts';
import { datedChanges } from './release-notes.ts';
import { VERSION_PLACES } from './version-places.ts';

const CHANGES = join(PROJECT_ROOT, 'CHANGELOG.md');

const [wanted = ''] = process.argv.slice(2);
const before = releaseVersion();
const isHigher = wanted.localeCompare(before, 'en', { numeric: true }) > 0;
if (!/^\d+\.\d+\.\d+$/.test(wanted) || !isHigher) {
  console.error(`Give a version above ${before}: npm run release:version -- X.Y.Z`);
  process.exit(2);
}
// First: without changes there is no version, and nothing may have been written then.
const changes = datedChanges(readFileSync(CHANGES, 'utf8'), wanted, new Date().toISOString().slice(0, 10));
const { status, stderr } = spawnSync('npm', ['version', wanted, '--no-git-tag-version', '--no-workspaces-update'], {
  cwd: PROJECT_ROOT,
  encoding: 'utf8',
});
if (status !== 0) throw new Error(`npm version failed: ${stderr}`);
writeFileSync(CHANGES, changes);
for (const [file, around] of VERSION_PLACES) {
  const path = join(PROJECT_ROOT, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(around(before))) throw new Error(`${file} does not say ${around(before)}.`);
  writeFileSync(path, text.replaceAll(around(before), around(wanted)));
}
await buildFunctions();
await renewReleasedTemplate();
await run('biome', ['format', '--write', RELEASED_TEMPLATE]);
console.log(`
Version ${wanted} is written. Read the changes, then:
  npm run check && npm test
  git commit -am "Release ${wanted}" && git tag -a v${wanted} -m "Version ${wanted}"
  npm run release`);
