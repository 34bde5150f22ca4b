/**
 * `npm run sbom`: builds the functions and writes `dist/sbom.json`, every package of the lockfile with version, hash and
 * license (CycloneDX). Packages that end up in a function carry the property `integration-gateway:bundled-in`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { buildFunctions } from './build.ts';
import { bundledPackages } from './bundled-packages.ts';
import { exitWithHelp } from './help.ts';
import { PROJECT_ROOT } from './run.ts';

/** Property that names the functions a package is part of. */
export const BUNDLED_IN = 'integration-gateway:bundled-in';

const componentSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  properties: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
});
const sbomSchema = z.looseObject({ bomFormat: z.literal('CycloneDX'), components: z.array(componentSchema) });

const lockSchema = z.looseObject({
  version: z.string(),
  packages: z.record(z.string(), z.looseObject({ version: z.string().optional() })),
});

/** A list of packages in the form of CycloneDX 1.5. */
export type Sbom = z.output<typeof sbomSchema>;

/**
 * Lists the lockfile's packages; needs no network.
 * @param bundled packages and the functions that hold them
 * @throws Error with npm's own words when npm cannot read the lockfile
 */
export function makeSbom(bundled: ReadonlyMap<string, readonly string[]>): Sbom {
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  using folder = lockedVersions();
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: folder.path,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
  const sbom = sbomSchema.parse(JSON.parse(stdout));
  return {
    ...sbom,
    components: sbom.components.map((component) => {
      const functions = bundled.get(component.name);
      if (functions === undefined) return component;
      return { ...component, properties: [...component.properties, { name: BUNDLED_IN, value: functions.join(', ') }] };
    }),
  };
}

/** A copy of the lockfile in which the workspaces have the version of the project, as they have once they are packed. */
function lockedVersions(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'gateway-sbom-'));
  const lock = lockSchema.parse(JSON.parse(readFileSync(join(PROJECT_ROOT, 'package-lock.json'), 'utf8')));
  for (const [place, entry] of Object.entries(lock.packages)) {
    if (place.includes('node_modules/')) continue;
    entry.version ??= lock.version;
    // npm asks the folders of workspaces what they are.
    mkdirSync(join(path, place), { recursive: true });
    const manifest = readFileSync(join(PROJECT_ROOT, place, 'package.json'), 'utf8');
    writeFileSync(
      join(path, place, 'package.json'),
      JSON.stringify({ version: lock.version, ...JSON.parse(manifest) }),
    );
  }
  writeFileSync(join(path, 'package-lock.json'), JSON.stringify(lock));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

if (import.meta.main) {
  exitWithHelp(import.meta.filename);
  await buildFunctions();
  const bundled = bundledPackages(join(PROJECT_ROOT, 'dist'));
  const sbom = makeSbom(bundled);
  writeFileSync(join(PROJECT_ROOT, 'dist', 'sbom.json'), `${JSON.stringify(sbom, undefined, 2)}\n`);
  console.log(`dist/sbom.json: ${sbom.components.length} packages, ${bundled.size} of them in functions`);
}
