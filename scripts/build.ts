/** Bundles every function of the stack into `dist/lambdas/<name>/index.mjs`: the files that deploy and that run locally. */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { FUNCTION_NAMES } from '../lambdas/shared/contract.ts';

const PROJECT_ROOT = join(import.meta.dirname, '..');

/** A few CommonJS dependencies call `require` at run time, which an ES module does not have. */
const REQUIRE_BANNER =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** One bundled function: its name, the bundle's path and its size in bytes. */
export interface BuiltFunction {
  name: string;
  bundlePath: string;
  sizeBytes: number;
}

/** Where sources are read from and bundles are written to; both default to the project. */
export interface BuildOptions {
  sourceRoot?: string;
  outputRoot?: string;
  functionNames?: readonly string[];
}

/**
 * Bundles the functions side by side and writes each esbuild metafile to `dist/meta/<name>.json`.
 * @throws Error naming every function without a `handler.ts`, or esbuild's own error with file and line.
 */
export async function buildFunctions(options: BuildOptions = {}): Promise<BuiltFunction[]> {
  const sourceRoot = options.sourceRoot ?? join(PROJECT_ROOT, 'lambdas');
  const outputRoot = options.outputRoot ?? join(PROJECT_ROOT, 'dist');
  const names = options.functionNames ?? FUNCTION_NAMES;
  const missing = names.filter((name) => !existsSync(join(sourceRoot, name, 'handler.ts')));
  if (missing.length > 0) {
    throw new Error(`No handler.ts in ${sourceRoot} for: ${missing.join(', ')}. Every function needs one.`);
  }
  await mkdir(join(outputRoot, 'meta'), { recursive: true });
  return Promise.all(names.map((name) => buildFunction(name, sourceRoot, outputRoot)));
}

async function buildFunction(name: string, sourceRoot: string, outputRoot: string): Promise<BuiltFunction> {
  const folder = join(outputRoot, 'lambdas', name);
  // A file left by an earlier build would become part of the deployed asset and change its hash.
  await rm(folder, { recursive: true, force: true });
  const bundlePath = join(folder, 'index.mjs');
  const result = await build({
    entryPoints: [join(sourceRoot, name, 'handler.ts')],
    outfile: bundlePath,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minify: true,
    sourcemap: true,
    sourcesContent: false,
    mainFields: ['module', 'main'],
    banner: { js: REQUIRE_BANNER },
    metafile: true,
    logLevel: 'silent',
    absWorkingDir: PROJECT_ROOT,
  });
  await writeFile(join(outputRoot, 'meta', `${name}.json`), JSON.stringify(result.metafile));
  return { name, bundlePath, sizeBytes: bundleSize(result.metafile) };
}

function bundleSize(metafile: Metafile): number {
  const bundle = Object.entries(metafile.outputs).find(([path]) => path.endsWith('index.mjs'));
  return bundle?.[1].bytes ?? 0;
}

if (import.meta.main) {
  const built = await buildFunctions();
  for (const { name, sizeBytes } of built) {
    console.log(`${name.padEnd(16)} ${(sizeBytes / 1024).toFixed(0).padStart(5)} KB`);
  }
}
