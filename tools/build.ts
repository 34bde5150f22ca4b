/** Bundles every function of the stack into `dist/lambdas/<name>/index.mjs`: the files that deploy and that run locally. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import { FUNCTION_NAMES } from '../lambdas/gateway/contract.ts';

const PROJECT_ROOT = join(import.meta.dirname, '..');

/** A few CommonJS dependencies call `require` at run time, which an ES module does not have. */
const REQUIRE_BANNER = "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);";

/** Parts of dependencies that a function never runs, and what takes their place. */
const SUBSTITUTES = {
  '@aws-sdk/credential-provider-node': join(PROJECT_ROOT, 'lambdas/gateway/platform/environment-credentials.ts'),
};
/** Parses a browser's user agent; the SDK's Node half never asks for it. */
const NEVER_LOADED = /^bowser$/;
const BUILTIN = 'node-builtin';
const EMPTY = 'never-loaded';

/**
 * Scripts that a function serves to browsers, compressed beside its bundle as `<name>.br`: a published component as it comes, then
 * what fills it.
 */
const PAGE_SCRIPTS: Readonly<Record<string, { name: string; component: string; entry: string }>> = {
  management: {
    name: 'reference.js',
    component: 'openapi-explorer/dist/browser/openapi-explorer.min.js',
    entry: 'reference/page-script.ts',
  },
};

/** Scripts that stand inside the pages of a function, each beside its bundle as `<name>.js`, from `browser/<name>.ts`. */
const INLINE_SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  connect: ['connect-page', 'direct-page'],
  'oauth-callback': ['result-page'],
};

/** Functions whose pages end users see, with the texts of every language beside the bundle as `texts.<language>.json`. */
const TEXTS_FOR: readonly string[] = ['connect', 'oauth-callback'];

/** Calls that describe routes for the API's document (`lambdas/gateway/openapi/documented.ts`). */
const DESCRIPTIONS = /\bdocumented\(/g;

/** One bundled function: its name, the bundle's path and its size in bytes. */
export interface BuiltFunction {
  name: string;
  bundlePath: string;
  sizeBytes: number;
}

type BundleFile = Pick<OutputFile, 'path' | 'contents'>;

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
    alias: SUBSTITUTES,
    plugins: [leanStart()],
    metafile: true,
    write: false,
    logLevel: 'silent',
    absWorkingDir: PROJECT_ROOT,
  });
  const beside = await Promise.all([
    pageScripts(name, sourceRoot, folder),
    inlineScripts(name, sourceRoot, folder),
    texts(name, sourceRoot, folder),
    apiDocument(name, sourceRoot, folder),
  ]);
  await writeBundle(folder, [...result.outputFiles, ...beside.flat()]);
  await writeFile(join(outputRoot, 'meta', `${name}.json`), JSON.stringify(result.metafile));
  return { name, bundlePath, sizeBytes: bundleSize(result.metafile) };
}

async function pageScripts(name: string, sourceRoot: string, folder: string): Promise<BundleFile[]> {
  const script = PAGE_SCRIPTS[name];
  if (script === undefined || !existsSync(join(sourceRoot, name, script.entry))) return [];
  const component = await readFile(createRequire(import.meta.url).resolve(script.component), 'utf8');
  const filling = await browserScript(join(sourceRoot, name, script.entry), 'esm');
  const text = [component.replace(/^\/\/# sourceMappingURL=.*$/m, ''), filling].join('\n');
  // Higher qualities take seconds of every build and save less than a tenth.
  const contents = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  return [{ path: join(folder, `${script.name}.br`), contents }];
}

/** @throws Error for a script whose text would end the element it stands in */
async function inlineScripts(name: string, sourceRoot: string, folder: string): Promise<BundleFile[]> {
  const entries = (INLINE_SCRIPTS[name] ?? [])
    .map((script) => ({ script, entry: join(sourceRoot, name, 'browser', `${script}.ts`) }))
    .filter(({ entry }) => existsSync(entry));
  return Promise.all(
    entries.map(async ({ script, entry }) => {
      const text = await browserScript(entry, 'iife');
      if (/<\/script|<!--/i.test(text)) throw new Error(`${entry} must not contain the end of its own element.`);
      return { path: join(folder, `${script}.js`), contents: Buffer.from(text.trim()) };
    }),
  );
}

async function texts(name: string, sourceRoot: string, folder: string): Promise<BundleFile[]> {
  const source = join(sourceRoot, 'gateway', 'languages', 'index.ts');
  if (!TEXTS_FOR.includes(name) || !existsSync(source)) return [];
  const { TEXTS }: typeof import('../lambdas/gateway/languages/index.ts') = await import(source);
  return Object.entries(TEXTS).map(([language, all]) => ({
    path: join(folder, `texts.${language}.json`),
    contents: Buffer.from(JSON.stringify(all)),
  }));
}

async function browserScript(entry: string, format: 'esm' | 'iife'): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format,
    platform: 'browser',
    target: 'es2022',
    minify: true,
    write: false,
    logLevel: 'silent',
    absWorkingDir: PROJECT_ROOT,
  });
  return outputFiles.map((file) => file.text).join('\n');
}

/** The API's document, which the management function serves, from the sources themselves. */
async function apiDocument(name: string, sourceRoot: string, folder: string): Promise<BundleFile[]> {
  const tool = join(sourceRoot, '..', 'tools', 'api-document.ts');
  if (name !== 'management' || !existsSync(tool)) return [];
  const [{ apiDocument }, { ADDRESS_PLACE }]: [
    typeof import('./api-document.ts'),
    typeof import('../lambdas/management/reference/document-routes.ts'),
  ] = await Promise.all([import(tool), import(join(sourceRoot, name, 'reference', 'document-routes.ts'))]);
  return [{ path: join(folder, 'openapi.json'), contents: Buffer.from(JSON.stringify(apiDocument(ADDRESS_PLACE))) }];
}

/** Makes the folder hold these files and no others; one that does already is not touched, since somebody may be reading it. */
async function writeBundle(folder: string, files: readonly BundleFile[]): Promise<void> {
  if (await holdsExactly(folder, files)) return;
  // A file left by an earlier build would become part of the deployed asset and change its hash.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await Promise.all(files.map(({ path, contents }) => writeFile(path, contents)));
}

async function holdsExactly(folder: string, files: readonly BundleFile[]): Promise<boolean> {
  if (!existsSync(folder)) return false;
  const names = files.map(({ path }) => basename(path));
  if ((await readdir(folder)).toSorted().join('/') !== names.toSorted().join('/')) return false;
  const same = await Promise.all(files.map(async ({ path, contents }) => (await readFile(path)).equals(contents)));
  return !same.includes(false);
}

/**
 * Keeps out of a start what it does not need. Node's own modules come by `process.getBuiltinModule` instead of by an import
 * statement: an import statement makes Node read every export of the module to build its namespace, and one of
 * `node:http`'s is WebSocket, whose getter loads the whole of undici: 15 ms of a cold start for a class nothing here uses.
 */
function leanStart(): Plugin {
  return {
    name: 'lean-start',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: NEVER_LOADED }, ({ path }) => ({ path, namespace: EMPTY }));
      onLoad({ filter: /.*/, namespace: EMPTY }, () => ({ contents: 'export {};' }));
      // What stands after `false &&` is left out before the bundler looks for what is used: descriptions, and all that only they use.
      onLoad({ filter: /[\\/]lambdas[\\/].*\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        return { contents: source.replaceAll(DESCRIPTIONS, 'false && $&'), loader: 'ts' };
      });
      onResolve({ filter: /^[a-z]/ }, ({ path }) =>
        isBuiltin(path) ? { path: path.replace(/^(?!node:)/, 'node:'), namespace: BUILTIN } : undefined,
      );
      onLoad({ filter: /.*/, namespace: BUILTIN }, ({ path }) => ({
        contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
      }));
    },
  };
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
