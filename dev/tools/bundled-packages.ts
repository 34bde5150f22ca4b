import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { FUNCTION_NAMES, type FunctionName } from '../../lambdas/gateway/core/contract.ts';

const bytesSchema = z.looseObject({ bytesInOutput: z.number() });
const metafileSchema = z.looseObject({
  outputs: z.record(z.string(), z.looseObject({ inputs: z.record(z.string(), bytesSchema) })),
});

/**
 * Names of the packages in each function's bundle, with the functions that hold them, from the metafiles of a build.
 * @param outputRoot folder of the build, as `buildFunctions` takes it
 */
export function bundledPackages(outputRoot: string): Map<string, FunctionName[]> {
  const found = new Map<string, FunctionName[]>();
  for (const name of FUNCTION_NAMES) {
    const { outputs } = metafileSchema.parse(
      JSON.parse(readFileSync(join(outputRoot, 'meta', `${name}.json`), 'utf8')),
    );
    // The bundler reads more than it keeps.
    const kept = Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    );
    for (const one of new Set(kept.map(packageOf))) {
      if (one !== undefined) found.set(one, [...(found.get(one) ?? []), name]);
    }
  }
  return new Map([...found].toSorted(([a], [b]) => a.localeCompare(b)));
}

/** The innermost package that a file belongs to. */
export function packageOf(path: string): string | undefined {
  return packageFolderOf(path)?.replace(/^.*node_modules\//, '');
}

/** Folder of the innermost package that a file belongs to, where the bundler found it. */
export function packageFolderOf(path: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
}
