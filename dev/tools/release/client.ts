/** The client library's package: ES modules and CommonJS, each with its types. */
import { cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT_ROOT, run } from '../run.ts';
import { markCommonJs, type PackageSource } from './pack.ts';

const CLIENT = join(PROJECT_ROOT, 'packages', 'client');

/** The Node client of the gateway and the module for browsers. */
export const clientPackage: PackageSource = {
  folder: 'packages/client',
  async build(dist) {
    await compile(CLIENT, dist, []);
    // What a file compiles to follows from the package around it: the same sources in a package of CommonJS.
    const sources = join(dirname(dist), 'commonjs-sources');
    markCommonJs(sources);
    for (const name of ['src', 'tsconfig.json']) cpSync(join(CLIENT, name), join(sources, name), { recursive: true });
    await compile(sources, join(dist, 'commonjs'), ['--verbatimModuleSyntax', 'false']);
    markCommonJs(join(dist, 'commonjs'));
    rmSync(sources, { recursive: true });
  },
};

async function compile(folder: string, outDir: string, more: readonly string[]): Promise<void> {
  const exitCode = await run('tsc', ['-p', join(folder, 'tsconfig.json'), '--outDir', outDir, ...more]);
  if (exitCode !== 0) throw new Error('The client library does not compile.');
}
