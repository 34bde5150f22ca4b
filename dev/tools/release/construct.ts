/** The construct's package: one file of CommonJS, which ES modules import as well, its types, and the code of the functions. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { FUNCTION_NAMES } from '../../../lambdas/gateway/core/contract.ts';
import { buildFunctions } from '../build.ts';
import { PROJECT_ROOT, run } from '../run.ts';
import { licenceTexts, markCommonJs, type PackageSource } from './pack.ts';

/** Oldest Node that the package is for. */
const TARGET = 'node20';

/** The construct of the AWS CDK. */
export const constructPackage: PackageSource = {
  folder: 'lib',
  async build(dist) {
    await buildFunctions();
    const bundles = join(PROJECT_ROOT, 'dist');
    for (const name of FUNCTION_NAMES) {
      cpSync(join(bundles, 'lambdas', name), join(dist, 'lambdas', name), { recursive: true });
    }
    const metafiles = FUNCTION_NAMES.map(
      (name): Metafile => JSON.parse(readFileSync(join(bundles, 'meta', `${name}.json`), 'utf8')),
    );
    writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licenceTexts(metafiles));
    await build({
      entryPoints: [join(PROJECT_ROOT, 'lib', 'index.ts')],
      outfile: join(dist, 'index.cjs'),
      ...{ bundle: true, format: 'cjs', platform: 'node', target: TARGET, legalComments: 'none', logLevel: 'silent' },
      // One CDK for the construct and the app around it.
      external: ['aws-cdk-lib', 'constructs', 'zod'],
      define: { 'import.meta.dirname': '__dirname' },
    });
    const tsconfig = join(import.meta.dirname, 'construct.tsconfig.json');
    const exitCode = await run('tsc', ['-p', tsconfig, '--outDir', join(dist, 'types')]);
    if (exitCode !== 0) throw new Error('The types of the construct could not be written.');
    markCommonJs(join(dist, 'types'));
  },
};
