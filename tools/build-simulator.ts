/** `node tools/build-simulator.ts`: builds the simulator's package in `simulator/dist`, one file without dependencies, its program and its types. */
import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { packageOf } from './bundled-packages.ts';
import { PROJECT_ROOT, run } from './run.ts';

const SIMULATOR = join(PROJECT_ROOT, 'simulator');

/** Oldest Node that the package is for. */
const TARGET = 'node20';

async function bundle(entry: string, external: string[]): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: [join(SIMULATOR, `${entry}.ts`)],
    outfile: join(SIMULATOR, 'dist', `${entry}.js`),
    ...{ bundle: true, format: 'esm', platform: 'node', target: TARGET, metafile: true, logLevel: 'silent' },
    ...{ external, legalComments: 'none', minifySyntax: true, minifyWhitespace: true, absWorkingDir: PROJECT_ROOT },
  });
  return metafile;
}

/** The licences of the libraries in the bundle, as they ask to be passed on. */
function notices({ inputs }: Metafile): string {
  const names = new Set(Object.keys(inputs).flatMap((path) => packageOf(path) ?? []));
  const texts = [...names].sort().map((name) => {
    const folder = join(PROJECT_ROOT, 'node_modules', name);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence file that could be passed on.`);
    return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  return texts.join('\n----\n\n');
}

/** Builds the package's files. */
export async function buildSimulator(): Promise<void> {
  rmSync(join(SIMULATOR, 'dist'), { recursive: true, force: true });
  const metafile = await bundle('index', []);
  // The program is a few lines over the library, which thus is there once.
  await bundle('cli', ['./index.ts']);
  const program = join(SIMULATOR, 'dist', 'cli.js');
  const code = readFileSync(program, 'utf8').replaceAll('./index.ts', './index.js');
  writeFileSync(program, `#!/usr/bin/env node\n${code}`);
  chmodSync(program, 0o755);
  writeFileSync(join(SIMULATOR, 'dist', 'THIRD-PARTY-LICENSES.txt'), notices(metafile));
  copyFileSync(join(PROJECT_ROOT, 'LICENSE'), join(SIMULATOR, 'LICENSE'));
  const exitCode = await run('tsc', ['-p', join(SIMULATOR, 'tsconfig.json')]);
  if (exitCode !== 0) throw new Error('The types of the simulator could not be written.');
}

if (import.meta.main) await buildSimulator();
