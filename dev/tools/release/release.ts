/**
 * `npm run release [-- --preview] [name ...]`: makes everything that a version consists of in `dist/release`, all or the parts
 * named. Only a release commit makes a version; `--preview` packs any state, under a version that names its commit. Publishes nothing.
 */

import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { exitWithHelp } from '../help.ts';
import { errorMessage } from '../json.ts';
import { PROJECT_ROOT, run } from '../run.ts';
import { filesOf, previewVersion, readCheckout, whyNoRelease } from './checkout.ts';
import { PART_NAMES, RELEASE_FOLDER } from './make.ts';
import { PLACEHOLDER_HOST, projectAddress, releaseVersion } from './pack.ts';
import { unreleasedChanges } from './release-notes.ts';
import { writeVersion } from './version-places.ts';

exitWithHelp(import.meta.filename);
const MAKE = join('dev', 'tools', 'release', 'make.ts');
const USAGE = `npm run release [-- --preview] [${PART_NAMES.join(' | ')} ...]`;

/** Installed once for the project, and as good for a copy of it. */
const INSTALLED = ['node_modules', '.second-opinions'];

/** Makes a release of a copy that bears the preview's version in all places, and brings it back. @returns exit code */
async function makePreview(version: string, names: readonly string[]): Promise<number> {
  mkdirSync(join(PROJECT_ROOT, 'dist'), { recursive: true });
  const copy = mkdtempSync(join(PROJECT_ROOT, 'dist', 'preview-'));
  try {
    for (const file of filesOf(PROJECT_ROOT).filter((one) => existsSync(join(PROJECT_ROOT, one)))) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      cpSync(join(PROJECT_ROOT, file), join(copy, file));
    }
    for (const name of INSTALLED.filter((one) => existsSync(join(PROJECT_ROOT, one)))) {
      symlinkSync(join(PROJECT_ROOT, name), join(copy, name));
    }
    writeVersion(copy, releaseVersion(), version);
    const exitCode = await run(process.execPath, [join(copy, MAKE), ...names]);
    if (exitCode !== 0) return exitCode;
    rmSync(RELEASE_FOLDER, { recursive: true, force: true });
    renameSync(join(copy, 'dist', 'release'), RELEASE_FOLDER);
    return 0;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function endWith(exitCode: number, text: string): never {
  console.error(text);
  process.exit(exitCode);
}

function readArguments(): { preview: boolean; names: string[] } {
  try {
    const { values, positionals } = parseArgs({ options: { preview: { type: 'boolean' } }, allowPositionals: true });
    const unknown = positionals.filter((name) => !PART_NAMES.includes(name));
    if (unknown.length > 0) endWith(2, `Unknown: ${unknown.join(', ')}. There are: ${PART_NAMES.join(', ')}.`);
    return { preview: values.preview === true, names: positionals };
  } catch (error) {
    return endWith(2, `${errorMessage(error)}\n\n${USAGE}`);
  }
}

const { preview, names } = readArguments();
const before = releaseVersion();
const checkout = readCheckout(PROJECT_ROOT);
if (checkout === undefined && existsSync(join(PROJECT_ROOT, '.git'))) {
  endWith(1, 'git cannot read this clone, so nobody knows which commit it is (git status says why). Nothing was made.');
}
const wanted = preview && checkout !== undefined ? previewVersion(before, checkout) : before;
if (preview) {
  if (checkout === undefined) endWith(1, 'A preview is named after its commit, and git knows none here.');
} else {
  const hasUnreleased = unreleasedChanges(readFileSync(join(PROJECT_ROOT, 'CHANGELOG.md'), 'utf8')) !== '';
  const reason = whyNoRelease(checkout, before, hasUnreleased);
  if (reason !== undefined) {
    const example = checkout === undefined ? 'a preview' : previewVersion(before, checkout);
    endWith(
      1,
      `This is not a release: ${reason}. Nothing was made. Either
  npm run release:version -- X.Y.Z   makes it a version, as one commit "Release X.Y.Z" (or check such a commit out), or
  npm run release -- --preview       packs it as it is, as ${example}`,
    );
  }
}
const exitCode = preview ? await makePreview(wanted, names) : await run(process.execPath, [MAKE, ...names]);
if (exitCode !== 0) process.exit(exitCode);
console.log(`dist/release: version ${wanted}, with SHA256SUMS, sbom.json and RELEASE-NOTES.md`);
if (projectAddress().includes(PLACEHOLDER_HOST)) {
  console.log(
    `The packages name ${projectAddress()} as the project's address, which is nobody's: who publishes them sets "repository" in package.json first.`,
  );
}
