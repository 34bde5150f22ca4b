import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureAssembly } from '../../dev/tools/assembly.ts';
import { buildFunctions } from '../../dev/tools/build.ts';
import { PROJECT_ROOT } from '../../dev/tools/run.ts';

const OUTPUT_ROOT = join(PROJECT_ROOT, 'dist');

/**
 * The bundles of the functions with their metafiles, built from the sources as they are.
 * @returns the folder that `buildFunctions` writes to; a test only reads from it
 */
export async function builtFunctions(): Promise<string> {
  await ensureAssembly({ mode: 'auto', step: (_name, work) => work() });
  if (!existsSync(join(OUTPUT_ROOT, 'meta'))) await buildFunctions();
  return OUTPUT_ROOT;
}
