/** The simulator's package: one file without dependencies, as ES module and CommonJS, its program and its types. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { PROJECT_ROOT, run } from '../run.ts';
import { writeLauncher } from './launcher.ts';
import { licenceTexts, markCommonJs, type PackageSource } from './pack.ts';

const SIMULATOR = join(PROJECT_ROOT, 'packages', 'simulator');

/** Oldest Node that the package is for. */
const TARGET = 'node20.19';

async function bundle(entry: string, outfile: string, format: 'esm' | 'cjs', external: string[]): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: [join(SIMULATOR, `${entry}.ts`)],
    outfile,
    ...{ bundle: true, format, platform: 'node', target: TARGET, metafile: true, logLevel: 'silent' },
    ...{ external, legalComments: 'none', minifySyntax: true, minifyWhitespace: true, absWorkingDir: PROJECT_ROOT },
  });
  return metafile;
}

/** The simulated Google. */
export const simulatorPackage: PackageSource = {
  folder: 'packages/simulator',
  async build(dist) {
    const metafile = await bundle('index', join(dist, 'index.js'), 'esm', []);
    await bundle('index', join(dist, 'commonjs', 'index.js'), 'cjs', []);
    // The program is a few lines over the library, which thus is there once.
    const program = join(dist, 'cli.js');
    await bundle('cli', program, 'esm', ['./index.ts']);
    writeFileSync(program, readFileSync(program, 'utf8').replaceAll('./index.ts', './index.js'));
    writeLauncher(dist, 'packages/simulator', 'google-simulator', 'cli.js');
    writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licenceTexts([metafile]));
    const exitCode = await run('tsc', ['-p', join(SIMULATOR, 'tsconfig.json'), '--outDir', join(dist, 'types')]);
    if (exitCode !== 0) throw new Error('The types of the simulator could not be written.');
    markCommonJs(join(dist, 'commonjs'));
    cpSync(join(dist, 'types'), join(dist, 'commonjs', 'types'), { recursive: true });
  },
};
