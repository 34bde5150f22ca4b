/**
 * Makes the parts of a version in `dist/release` of the project around this file, with checksums, a list of packages (CycloneDX)
 * and the version's notes. `release.ts` says of what it is made, and starts this in a copy of the project for a preview.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildFunctions } from '../build.ts';
import { bundledPackages } from '../bundled-packages.ts';
import { PROJECT_ROOT, run } from '../run.ts';
import { makeSbom } from '../sbom.ts';
import { cliPackage } from './cli.ts';
import { clientPackage } from './client.ts';
import { constructPackage } from './construct.ts';
import { packPackage, releaseVersion } from './pack.ts';
import { hasPython, makeWheel } from './python.ts';
import { releaseNotes } from './release-notes.ts';
import { simulatorPackage } from './simulator.ts';
import { makeTemplateArchive } from './template.ts';

/** Where a release is made. */
export const RELEASE_FOLDER = join(PROJECT_ROOT, 'dist', 'release');

const PARTS: Readonly<Record<string, (into: string) => Promise<string>>> = {
  client: (into) => packPackage(clientPackage, into),
  construct: (into) => packPackage(constructPackage, into),
  simulator: (into) => packPackage(simulatorPackage, into),
  cli: async (into) => {
    const code = await run('npm', [
      'run',
      'build',
      '--silent',
      '-w',
      '@integration-gateway/dashboard',
      '--',
      '--logLevel',
      'warn',
    ]);
    if (code !== 0) throw new Error('The dashboard could not be built.');
    return packPackage(cliPackage, into);
  },
  template: makeTemplateArchive,
  python: makeWheel,
};

/** What a release consists of. */
export const PART_NAMES: readonly string[] = Object.keys(PARTS);

/** Writes `SHA256SUMS` of everything in the folder, in the form that `sha256sum --check` reads. */
function writeChecksums(folder: string): void {
  const lines = readdirSync(folder)
    .filter((name) => name !== 'SHA256SUMS')
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}

/** Makes the parts named, all where none is. @throws Error with what could not be made */
async function makeRelease(wanted: readonly string[]): Promise<void> {
  const notes = releaseNotes(readFileSync(join(PROJECT_ROOT, 'CHANGELOG.md'), 'utf8'), releaseVersion());
  rmSync(RELEASE_FOLDER, { recursive: true, force: true });
  mkdirSync(RELEASE_FOLDER, { recursive: true });
  for (const [name, make] of Object.entries(PARTS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    if (name === 'python' && wanted.length === 0 && !hasPython()) {
      console.log('python     left out: there is no python3 here, and a version to publish needs it');
      continue;
    }
    console.log(`${name.padEnd(10)} ${basename(await make(RELEASE_FOLDER))}`);
  }
  await buildFunctions();
  const sbom = makeSbom(bundledPackages(join(PROJECT_ROOT, 'dist')));
  writeFileSync(join(RELEASE_FOLDER, 'sbom.json'), `${JSON.stringify(sbom, undefined, 2)}\n`);
  writeFileSync(join(RELEASE_FOLDER, 'RELEASE-NOTES.md'), notes);
  writeChecksums(RELEASE_FOLDER);
}

if (import.meta.main) await makeRelease(process.argv.slice(2));
