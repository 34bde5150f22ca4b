/**
 * `node tools/sbom.ts`: builds the functions and writes `dist/sbom.json`, every package of the lockfile with version, hash and
 * license (CycloneDX). Packages that end up in a function carry the property `integration-gateway:bundled-in`.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { buildFunctions } from './build.ts';
import { bundledPackages } from './bundled-packages.ts';
import { PROJECT_ROOT } from './run.ts';

/** Property that names the functions a package is part of. */
export const BUNDLED_IN = 'integration-gateway:bundled-in';

const componentSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  properties: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
});
const sbomSchema = z.looseObject({ bomFormat: z.literal('CycloneDX'), components: z.array(componentSchema) });

/** A list of packages in the form of CycloneDX 1.5. */
export type Sbom = z.output<typeof sbomSchema>;

/**
 * Lists the lockfile's packages; needs no network.
 * @param bundled packages and the functions that hold them
 * @throws Error with npm's own words when npm cannot read the lockfile
 */
export function makeSbom(bundled: ReadonlyMap<string, readonly string[]>): Sbom {
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: PROJECT_ROOT,
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

if (import.meta.main) {
  await buildFunctions();
  const bundled = bundledPackages(join(PROJECT_ROOT, 'dist'));
  const sbom = makeSbom(bundled);
  writeFileSync(join(PROJECT_ROOT, 'dist', 'sbom.json'), `${JSON.stringify(sbom, undefined, 2)}\n`);
  console.log(`dist/sbom.json: ${sbom.components.length} packages, ${bundled.size} of them in functions`);
}
