import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { FUNCTION_NAMES, type FunctionName } from '../lambdas/gateway/contract.ts';

const metafileSchema = z.looseObject({ inputs: z.record(z.string(), z.unknown()) });

/**
 * Names of the packages in each function's bundle, with the functions that hold them, from the metafiles of a build.
 * @param outputRoot folder of the build, as `buildFunctions` takes it
 */
export function bundledPackages(outputRoot: string): Map<string, FunctionName[]> {
  const found = new Map<string, FunctionName[]>();
  for (const name of FUNCTION_NAMES) {
    const { inputs } = metafileSchema.parse(JSON.parse(readFileSync(join(outputRoot, 'meta', `${name}.json`), 'utf8')));
    for (const one of new Set(Object.keys(inputs).map(packageOf))) {
      if (one !== undefined) found.set(one, [...(found.get(one) ?? []), name]);
    }
  }
  return new Map([...found].toSorted(([a], [b]) => a.localeCompare(b)));
}

/** The innermost package that a file belongs to. */
export function packageOf(path: string): string | undefined {
  return /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path)?.[1];
}
