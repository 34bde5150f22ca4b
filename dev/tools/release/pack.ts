/** What every npm package of a release has in common: a manifest with the release's version, a build, an archive that is complete. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import * as z from 'zod';
import { packageFolderOf, packageOf } from '../bundled-packages.ts';
import { PROJECT_ROOT } from '../run.ts';

/** A package of the release. */
export interface PackageSource {
  /** Folder of its `package.json` and `README.md`, relative to the project. */
  readonly folder: string;
  /** Writes what `package.json` names into the folder `dist` of the package that is being made. */
  build(dist: string): Promise<void>;
}

const manifestSchema = z.looseObject({ name: z.string(), files: z.array(z.string()) });
const packedSchema = z.tuple([
  z.looseObject({ filename: z.string(), files: z.array(z.looseObject({ path: z.string() })) }),
]);

/** The version of the release: that of the project. */
export function releaseVersion(): string {
  const text = readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8');
  return z.looseObject({ version: z.string() }).parse(JSON.parse(text)).version;
}

/** Host of an address that is nobody's: anyone who publishes the packages puts theirs into `repository` of the project's `package.json`. */
export const PLACEHOLDER_HOST = 'repository.invalid';

/** The project's address for people, from `repository` in its `package.json`, the one place that names it. */
export function projectAddress(): string {
  const text = readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8');
  const { repository } = z.looseObject({ repository: z.object({ url: z.string() }) }).parse(JSON.parse(text));
  return repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
}

/** What every package says of where it comes from; npm compares `repository` with the origin of a build with provenance. */
function originOf(folder: string): Readonly<Record<string, unknown>> {
  const address = projectAddress();
  return {
    homepage: `${address}#readme`,
    repository: { type: 'git', url: `git+${address}.git`, directory: folder },
    bugs: { url: `${address}/issues` },
  };
}

/** Where a package is put together before it is packed. */
function stageOf(source: PackageSource): string {
  return join(PROJECT_ROOT, 'dist', 'stage', source.folder);
}

/**
 * Builds a package and packs it. The manifest in the project has no version, so that npm refuses to pack the folder itself,
 * which holds sources only.
 *
 * @param into folder that receives the archive
 * @returns path of the archive
 * @throws Error naming what the manifest promises and the archive lacks
 */
export async function packPackage(source: PackageSource, into: string): Promise<string> {
  const stage = stageOf(source);
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(join(stage, 'dist'), { recursive: true });
  await source.build(join(stage, 'dist'));
  const manifest = manifestSchema.parse(
    JSON.parse(readFileSync(join(PROJECT_ROOT, source.folder, 'package.json'), 'utf8')),
  );
  const { scripts: _scripts, devDependencies: _tools, private: _kept, ...published } = manifest;
  writeFileSync(
    join(stage, 'package.json'),
    `${JSON.stringify({ ...published, version: releaseVersion(), ...originOf(source.folder) }, undefined, 2)}\n`,
  );
  writeFileSync(
    join(stage, 'README.md'),
    packagedReadme(readFileSync(join(PROJECT_ROOT, source.folder, 'README.md'), 'utf8')),
  );
  copyFileSync(join(PROJECT_ROOT, 'LICENSE'), join(stage, 'LICENSE'));
  mkdirSync(into, { recursive: true });
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--pack-destination', into], {
    cwd: stage,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`npm pack failed for ${manifest.name}: ${stderr}`);
  const [{ filename, files }] = packedSchema.parse(JSON.parse(stdout));
  const missing = missingFiles(
    manifest,
    files.map(({ path }) => path),
  );
  if (missing.length > 0) throw new Error(`The archive of ${manifest.name} lacks ${missing.join(', ')}.`);
  return join(into, filename);
}

/**
 * A README as a package carries it. Links to other files of the project lead nowhere from there: the file's path in the project
 * takes their place. Comments for the project's own tests are left out.
 */
export function packagedReadme(text: string): string {
  const named = text
    .replace(/^ *<!-- not run: .* -->\n/gm, '')
    .replace(/\[([^\]]+)\]\((?:\.\.\/)+([^)\s#]+)(?:#[^)\s]*)?\)/g, (_, words: string, path: string) =>
      words === path ? `\`${path}\`` : `${words} (\`${path}\`)`,
    );
  if (named === text || !/`(?:docs\/|[a-z/]*README\.md)/.test(named)) return named;
  return `${named.trimEnd()}\n\nPaths such as \`docs/…\` are files of the gateway's repository.\n`;
}

/** Files that a manifest names (`main`, `types`, `bin`, `exports`) and that are not among those packed. */
export function missingFiles(manifest: Readonly<Record<string, unknown>>, packed: readonly string[]): string[] {
  const named = [manifest.main, manifest.types, manifest.bin, manifest.exports].flatMap(pathsIn);
  return [...new Set(named)].map((path) => path.replace(/^\.\//, '')).filter((path) => !packed.includes(path));
}

function pathsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pathsIn) : [];
}

/** The licences of the libraries in bundles, as they ask to be passed on. @throws Error naming a library without one */
export function licenceTexts(bundles: readonly Pick<Metafile, 'inputs'>[]): string {
  const paths = bundles.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = new Set(paths.flatMap((path) => packageFolderOf(path) ?? []));
  return [...new Set([...folders].map(licenceIn))].sort().join('\n----\n\n');
}

/** The licence in a package's folder, below the package's name. The folder may lie in another package, which brought it along. */
function licenceIn(packageFolder: string): string {
  const name = packageOf(`${packageFolder}/`);
  const folder = join(PROJECT_ROOT, packageFolder);
  const file = existsSync(folder) ? readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry)) : undefined;
  if (file !== undefined) return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  const manifest = existsSync(folder) ? readFileSync(join(folder, 'package.json'), 'utf8') : '{}';
  const { license } = z.looseObject({ license: z.string().optional() }).parse(JSON.parse(manifest));
  if (license === undefined) throw new Error(`${name} says nothing of its licence.`);
  return `${name}\n\nIts package carries no text; the licence that it names is ${license}.\n`;
}

/** Marks a folder of CommonJS inside a package of ES modules. */
export function markCommonJs(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
}
