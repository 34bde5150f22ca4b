/** Bundles every function of the stack into `dist/lambdas/<name>/index.mjs`: the files that deploy and that run locally. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import {
  type BuildOptions as BundlerOptions,
  build,
  context,
  type Metafile,
  type OutputFile,
  type Plugin,
} from 'esbuild';
import * as z from 'zod';
import { FEATURES } from '../../lambdas/features/index.ts';
import { FUNCTION_NAMES } from '../../lambdas/gateway/core/contract.ts';
import { openBuild, type RecordOptions, resultOfLastBuild } from './build-record.ts';

// The bundler holds much and soon ends: its Go runtime collects later. Bundling takes a quarter less time, and 15 % more memory.
process.env.GOGC ??= '400';

/** Folder of the project; the bundler names files from there. */
export const PROJECT_ROOT = join(import.meta.dirname, '..', '..');

/** A few CommonJS dependencies call `require` at run time, which an ES module does not have. */
export const REQUIRE_BANNER =
  "const require = (name) => process.getBuiltinModule('node:module').createRequire(import.meta.url)(name);";

const PLATFORM = join(PROJECT_ROOT, 'lambdas/gateway/platform');
/** Parts of dependencies that a function never runs, and what takes their place. */
const SUBSTITUTES = {
  '@aws-sdk/credential-provider-node': join(PLATFORM, 'environment-credentials.ts'),
};
/** Packages of the AWS SDK whose place the lean client takes, under the same names. */
const LEAN_SUBSTITUTES = {
  '@aws-sdk/client-dynamodb': join(PLATFORM, 'lean/dynamodb.ts'),
  '@aws-sdk/lib-dynamodb': join(PLATFORM, 'lean/document.ts'),
  '@aws-sdk/client-kms': join(PLATFORM, 'lean/kms.ts'),
  '@aws-sdk/client-secrets-manager': join(PLATFORM, 'lean/secrets-manager.ts'),
};
/** Functions whose first byte a person, a backend or another function waits for, with the lean client in their bundles: it takes a quarter off their start and more. */
const LEAN_FUNCTIONS: readonly string[] = ['proxy', 'connect', 'oauth-callback', 'core'];
/** Sources that come with others into a bundle, but hold what its function has no right to do, or words of pages that it does not serve. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  proxy: [
    'gateway/connections/connection-list.store.ts',
    'gateway/integrations/integration-settings.store.ts',
    'gateway/providers/google-calendar/method-meanings.ts',
    'gateway/providers/google-calendar/scopes.ts',
    'gateway/providers/google-drive/method-meanings.ts',
    'gateway/providers/google-drive/scopes.ts',
    'gateway/providers/google/flow-errors.ts',
    'gateway/providers/google/flow-texts.rules.ts',
  ],
  connect: [
    'gateway/providers/google-calendar/method-meanings.ts',
    'gateway/providers/google-drive/method-meanings.ts',
  ],
  'oauth-callback': [
    'gateway/connections/connection-list.store.ts',
    'gateway/providers/google-calendar/method-meanings.ts',
    'gateway/providers/google-drive/method-meanings.ts',
  ],
};
/** Modules that know what methods do, and no pages of the provider's flows. */
const WITH_MEANINGS: readonly string[] = [
  'gateway/providers/google-calendar/scopes.ts',
  'gateway/providers/google-drive/scopes.ts',
  'gateway/providers/google/flow-errors.ts',
  'gateway/providers/google/flow-texts.rules.ts',
];
/** Likewise of modules that are read later, where they need more than the bundle does. */
const LEFT_OUT_OF_MODULES: Readonly<Record<string, readonly string[]>> = {
  agents: WITH_MEANINGS,
  decisions: WITH_MEANINGS,
  'signed-in': WITH_MEANINGS,
};
/** Names of variables, metrics, keys and the like: long lists, of which a function uses some. */
const CONTRACT = 'gateway/core/contract.ts';
/** Plain data of features, of which a function uses some as well. */
const FEATURE_LIST = 'features/index.ts';
/** Members of a feature that only documents, the template and the build read. */
const OF_DOCUMENTS: readonly string[] = [
  ...['errorWords', 'tags', 'statements', 'lazy'],
  ...['alarms', 'alarmMeanings', 'graphs', 'memoryMb'],
  ...['families', 'rights', 'duePartitions'],
];
/** Parses a browser's user agent; the SDK's Node half never asks for it. */
const NEVER_LOADED = /^bowser$/;
/** Makes JSON schemas of zod's, which the build does for the API's document and no function does. */
const SCHEMA_MAKER = /[\\/]zod[\\/]v4[\\/]core[\\/](to-json-schema|json-schema-processors)\.js$/;
const BUILTIN = 'node-builtin';
const WHOLE_BUILTIN = 'whole-node-builtin';
const EMPTY = 'never-loaded';

/**
 * Scripts that a function serves to browsers, compressed alongside its bundle as `<name>.br`: a published component as it comes, then
 * what fills it.
 */
const PAGE_SCRIPTS: Readonly<Record<string, { name: string; component: string; entry: string }>> = {
  management: {
    name: 'reference.js',
    component: 'openapi-explorer/dist/browser/openapi-explorer.min.js',
    entry: 'reference/page-script.ts',
  },
};

/** Scripts that stand inside the pages of a function, each alongside its bundle as `<name>.js`, from `browser/<name>.ts`. */
const INLINE_SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  connect: ['connect-page', 'direct-page'],
  'oauth-callback': ['result-page'],
};

/** Modules that a function loads when it first needs them, each next to its bundle as `<name>.mjs`, from `<name>.ts`: most processes never do. */
const LATER_MODULES: Readonly<Record<string, readonly string[]>> = {
  proxy: ['judge-limits', 'pacing', 'refresh'],
  management: ['docs-page', 'server-tools'],
};

/** Functions whose pages end users see, with the texts of every language alongside the bundle as `texts.<language>.json`. */
const TEXTS_FOR: readonly string[] = ['connect', 'oauth-callback', 'approvals'];

/** Calls that describe routes for the API's document (`lambdas/gateway/openapi/documented.ts`). */
const DESCRIPTIONS = /\bdocumented\(/g;

/** What a schema says for the API's document alone; functions only check with it. */
const DESCRIPTION_OF_SCHEMA = /\.meta\(\{\s*description:\s*'(?:[^'\\]|\\.)*',?\s*\}\)/g;

/** One bundled function: its name, the bundle's path and its size in bytes. */
export interface BuiltFunction {
  name: string;
  bundlePath: string;
  sizeBytes: number;
}

/** A file of a bundle, by its path. */
export type BundleFile = Pick<OutputFile, 'path' | 'contents'>;

/** Where sources are read from and bundles are written to; both default to the project. */
export interface BuildOptions {
  sourceRoot?: string;
  outputRoot?: string;
  functionNames?: readonly string[];
  /** @default what `BUILD_AWS_CLIENT` says, or `lean` */
  awsClient?: AwsClientName;
}

/** Which AWS client the functions get whose start the SDK would lengthen: its lean double, or the SDK as the others have it. */
export type AwsClientName = 'lean' | 'sdk';

/** The client that the environment asks for. @throws Error for any other name */
function awsClientOfEnvironment(): AwsClientName {
  const name = process.env.BUILD_AWS_CLIENT || 'lean';
  if (name !== 'lean' && name !== 'sdk') throw new Error(`BUILD_AWS_CLIENT is lean or sdk, not ${name}.`);
  return name;
}

/** What a bundle has instead of packages, by their names. */
export function substitutesOf(functionName: string, awsClient: AwsClientName): Record<string, string> {
  return awsClient === 'lean' && LEAN_FUNCTIONS.includes(functionName)
    ? { ...SUBSTITUTES, ...LEAN_SUBSTITUTES }
    : SUBSTITUTES;
}

const builtSchema = z.array(z.object({ name: z.string(), bundlePath: z.string(), sizeBytes: z.number() }));

/** Not sources, but they decide the bundles as well: the packages as they are installed, the bundler's settings, and this file. */
const SETTINGS = [
  ...['package-lock.json', 'node_modules/.package-lock.json', 'package.json'],
  ...['tsconfig.json', 'dev/tools/build.ts'],
];

/**
 * Bundles the functions side by side and writes each esbuild metafile to `dist/meta/<name>.json`. Bundles of the same sources that
 * are in place are not made again.
 * @throws Error naming every function without a `handler.ts`, or esbuild's own error with file and line.
 */
export async function buildFunctions(options: BuildOptions = {}): Promise<BuiltFunction[]> {
  const sourceRoot = options.sourceRoot ?? join(PROJECT_ROOT, 'lambdas');
  const outputRoot = options.outputRoot ?? join(PROJECT_ROOT, 'dist');
  const names = options.functionNames ?? FUNCTION_NAMES;
  const missing = names.filter((name) => !existsSync(join(folderOf(name, sourceRoot), 'handler.ts')));
  if (missing.length > 0) {
    throw new Error(`No handler.ts in ${sourceRoot} for: ${missing.join(', ')}. Every function needs one.`);
  }
  const awsClient = options.awsClient ?? awsClientOfEnvironment();
  const meta = join(outputRoot, 'meta');
  const record: RecordOptions = {
    file: join(meta, 'build.json'),
    sources: sourceRoot,
    settings: SETTINGS.map((path) => join(PROJECT_ROOT, path)),
    about: [process.version, awsClient, names],
    folders: names.map((name) => join(outputRoot, 'lambdas', name)),
  };
  const last = builtSchema.safeParse(await resultOfLastBuild(record));
  if (last.success) return last.data;
  await mkdir(meta, { recursive: true });
  const open = await openBuild(record);
  const done = await Promise.all(names.map((name) => buildFunction(name, sourceRoot, outputRoot, awsClient)));
  const result = done.map(({ built }) => built);
  const made = done.flatMap(({ files }) => files);
  await open.finish({ read: done.flatMap(({ inputs }) => [...inputs]), made, result });
  return result;
}

async function buildFunction(
  name: string,
  sourceRoot: string,
  outputRoot: string,
  awsClient: AwsClientName,
): Promise<{ built: BuiltFunction; inputs: ReadonlySet<string>; files: readonly BundleFile[] }> {
  const folder = join(outputRoot, 'lambdas', name);
  const builder = functionBuilder({ name, sourceRoot, folder, awsClient });
  try {
    const { files, metafile } = await builder.build();
    await writeBundle(folder, files);
    const meta = { path: join(outputRoot, 'meta', `${name}.json`), contents: Buffer.from(JSON.stringify(metafile)) };
    await writeFile(meta.path, meta.contents);
    return {
      built: { name, bundlePath: join(folder, 'index.mjs'), sizeBytes: bundleSize(metafile) },
      inputs: builder.inputs(),
      files: [...files, meta],
    };
  } finally {
    await builder.dispose();
  }
}

/** What a builder is made for. */
export interface BuilderOptions {
  name: string;
  /** Folder that holds the functions' sources. */
  sourceRoot: string;
  /** Folder that the bundle is meant for: source maps lead from there to the sources. Nothing is written. */
  folder: string;
  /** Leave names and lines as they are, for a debugger. @default false */
  readable?: boolean;
  /** @default what `BUILD_AWS_CLIENT` says, or `lean` */
  awsClient?: AwsClientName;
}

/** Builds one function, as often as its sources change. */
export interface FunctionBuilder {
  /** Absolute paths of all files that the last build read. */
  inputs(): ReadonlySet<string>;
  /**
   * Builds again what reads one of the changed files, or failed, and takes the rest from before.
   * @param changed absolute paths; everything is built where it is left out
   * @throws esbuild's error with the place of every problem, or Error for what a page cannot hold
   */
  build(changed?: ReadonlySet<string>): Promise<{ files: BundleFile[]; metafile: Metafile }>;
  dispose(): Promise<void>;
}

/** Opens the builder of a function; nothing is built yet. */
export function functionBuilder(options: BuilderOptions): FunctionBuilder {
  const { name, sourceRoot, folder, readable = false, awsClient = awsClientOfEnvironment() } = options;
  const bundlePath = join(folder, 'index.mjs');
  let metafile: Metafile = { inputs: {}, outputs: {} };
  const forNode = (leftOut = LEFT_OUT[name]): BundlerOptions => ({
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minify: !readable,
    // An escaped letter takes six bytes: texts in Japanese would be twice as long.
    charset: 'utf8',
    sourcemap: true,
    sourcesContent: false,
    mainFields: ['module', 'main'],
    banner: { js: REQUIRE_BANNER },
    alias: substitutesOf(name, awsClient),
    plugins: [leanStart(leftOut, join(sourceRoot, CONTRACT), join(sourceRoot, FEATURE_LIST))],
  });
  const bundle = bundled(
    { ...forNode(), entryPoints: [join(folderOf(name, sourceRoot), 'handler.ts')], outfile: bundlePath },
    (outputs, read) => {
      metafile = read;
      return outputs;
    },
  );
  const later = [
    ...(LATER_MODULES[name] ?? []).map((module) => ({ module, entry: join(sourceRoot, name, `${module}.ts`) })),
    ...lazyOfFeatures(name, sourceRoot),
  ]
    .filter(({ entry }) => existsSync(entry))
    .map(({ module, entry }) =>
      bundled(
        { ...forNode(LEFT_OUT_OF_MODULES[module]), entryPoints: [entry], outfile: join(folder, `${module}.mjs`) },
        (outputs) => outputs,
      ),
    );
  const parts = [
    bundle,
    ...later,
    ...pageScripts(name, sourceRoot, folder),
    ...inlineScripts(name, sourceRoot, folder),
    ...texts(name, sourceRoot, folder),
    ...apiDocument(name, sourceRoot, folder),
  ].map(remembering);
  return {
    inputs: () => new Set(parts.flatMap((part) => [...part.inputs()])),
    async build(changed) {
      const files = await Promise.all(parts.map((part) => part.files(changed)));
      return { files: files.flat(), metafile };
    },
    dispose: async () => void (await Promise.all(parts.map((part) => part.dispose()))),
  };
}

/** Where the sources of a function are: in the folder of its feature, or in one of its own. */
export function folderOf(name: string, sourceRoot: string): string {
  const feature = FEATURES.find(({ functions }) => functions.includes(name));
  return feature === undefined ? join(sourceRoot, name) : join(sourceRoot, 'features', feature.id, name);
}

/** Modules of features that a function loads later: `<name>.mjs` is made of `features/<feature>/<name>.lazy.ts`. */
function lazyOfFeatures(name: string, sourceRoot: string): { module: string; entry: string }[] {
  return FEATURES.flatMap(({ id, lazy }) =>
    Object.entries(lazy)
      .filter(([, functions]) => functions.includes(name))
      .map(([module]) => ({ module, entry: join(sourceRoot, 'features', id, `${module}.lazy.ts`) })),
  );
}

/** Files of a bundle that are made of the same sources. */
interface Part {
  make(): Promise<{ files: BundleFile[]; inputs: readonly string[] }>;
  dispose(): Promise<void>;
}

/** A part that is made again only where a source of it changed. */
function remembering(part: Part) {
  let inputs: ReadonlySet<string> = new Set();
  let made: BundleFile[] | undefined;
  return {
    inputs: () => inputs,
    async files(changed: ReadonlySet<string> | undefined): Promise<BundleFile[]> {
      if (made !== undefined && changed !== undefined && ![...changed].some((path) => inputs.has(path))) return made;
      // A failure in between must not leave the files of before for good.
      made = undefined;
      const result = await part.make();
      inputs = new Set(result.inputs);
      made = result.files;
      return made;
    },
    dispose: () => part.dispose(),
  };
}

/** A part that the bundler makes; what it has read it keeps for the next time. */
function bundled(
  options: BundlerOptions,
  finish: (
    outputs: readonly OutputFile[],
    metafile: Metafile,
  ) => readonly BundleFile[] | Promise<readonly BundleFile[]>,
): Part {
  const common = {
    bundle: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
    absWorkingDir: PROJECT_ROOT,
  } as const;
  let opened: ReturnType<typeof openContext> | undefined;
  const openContext = () => context({ ...options, ...common });
  return {
    async make() {
      opened ??= openContext();
      const { outputFiles, metafile } = await (await opened).rebuild();
      return { files: [...(await finish(outputFiles, metafile))], inputs: inputsOf(metafile) };
    },
    dispose: async () => (await opened)?.dispose(),
  };
}

function inputsOf(metafile: Metafile): string[] {
  const own = Object.keys(metafile.inputs).filter((path) => !/(^|\/)node_modules\/|^[a-z-]+:/.test(path));
  return own.map((path) => resolve(PROJECT_ROOT, path));
}

const FOR_BROWSERS = { platform: 'browser', target: 'es2022', minify: true } as const;

function pageScripts(name: string, sourceRoot: string, folder: string): Part[] {
  const script = PAGE_SCRIPTS[name];
  if (script === undefined || !existsSync(join(sourceRoot, name, script.entry))) return [];
  const entryPoints = [join(sourceRoot, name, script.entry)];
  const part = bundled({ ...FOR_BROWSERS, entryPoints, format: 'esm' }, async (outputs) => {
    const component = await readFile(createRequire(import.meta.url).resolve(script.component), 'utf8');
    const text = [component.replace(/^\/\/# sourceMappingURL=.*$/m, ''), textOf(outputs)].join('\n');
    // Higher qualities take seconds of every build and save less than 10 %.
    const contents = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
    return [{ path: join(folder, `${script.name}.br`), contents }];
  });
  return [part];
}

/** Parts that fail for a script whose text would end the element it stands in. */
function inlineScripts(name: string, sourceRoot: string, folder: string): Part[] {
  const entries = (INLINE_SCRIPTS[name] ?? [])
    .map((script) => ({ script, entry: join(sourceRoot, name, 'browser', `${script}.ts`) }))
    .filter(({ entry }) => existsSync(entry));
  return entries.map(({ script, entry }) =>
    bundled({ ...FOR_BROWSERS, entryPoints: [entry], format: 'iife' }, (outputs) => {
      const text = textOf(outputs);
      if (/<\/script|<!--/i.test(text)) throw new Error(`${entry} must not contain the end of its own element.`);
      return [{ path: join(folder, `${script}.js`), contents: Buffer.from(text.trim()) }];
    }),
  );
}

function textOf(outputs: readonly OutputFile[]): string {
  return outputs.map((file) => file.text).join('\n');
}

function texts(name: string, sourceRoot: string, folder: string): Part[] {
  const source = join(sourceRoot, 'gateway', 'languages', 'index.ts');
  if (!TEXTS_FOR.includes(name) || !existsSync(source)) return [];
  return [
    evaluated<typeof import('../../lambdas/gateway/languages/index.ts')>(source, ({ TEXTS }) =>
      Object.entries(TEXTS).map(([language, all]) => ({
        path: join(folder, `texts.${language}.json`),
        contents: Buffer.from(JSON.stringify(all)),
      })),
    ),
  ];
}

/** The API's document, which the management function serves, from the sources themselves. */
function apiDocument(name: string, sourceRoot: string, folder: string): Part[] {
  const tool = join(sourceRoot, '..', 'dev', 'tools', 'api-document.ts');
  if (name !== 'management' || !existsSync(tool)) return [];
  return [
    evaluated<typeof import('./api-document.ts')>(tool, ({ apiDocument, ADDRESS_PLACE }) => [
      { path: join(folder, 'openapi.json'), contents: Buffer.from(JSON.stringify(apiDocument(ADDRESS_PLACE))) },
    ]),
  ];
}

/** Modules that were evaluated so far, for names that were never imported before. */
let evaluations = 0;

/** A part made of what a module exports. Node keeps modules for as long as it runs: each time it gets one of another name. */
function evaluated<Exports>(entry: string, filesOf: (exports: Exports) => BundleFile[]): Part {
  const forNode = { format: 'esm', platform: 'node', target: 'node24', packages: 'external' } as const;
  return bundled({ ...forNode, entryPoints: [entry] }, async (outputs) => {
    evaluations += 1;
    const copy = join(PROJECT_ROOT, 'dist', `evaluated.${process.pid}.${evaluations}.mjs`);
    await mkdir(dirname(copy), { recursive: true });
    await writeFile(copy, textOf(outputs));
    try {
      return filesOf(await import(copy));
    } finally {
      await rm(copy, { force: true });
    }
  });
}

/** Makes the folder hold these files and no others; one that does already is not touched, since somebody may be reading it. */
export async function writeBundle(folder: string, files: readonly BundleFile[]): Promise<void> {
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
 * Keeps out of a start what it does not need, such as the named sources below `lambdas/`, and lists of names of which it uses some. Node's own modules come by `process.getBuiltinModule` instead of by an import
 * statement: an import statement makes Node read every export of the module to build its namespace, and one of
 * `node:http`'s is WebSocket, whose getter loads the whole of undici: 15 ms of a cold start for a class nothing here uses.
 */
export function leanStart(leftOut: readonly string[] = [], contract?: string, features?: string): Plugin {
  return {
    name: 'lean-start',
    setup({ onStart, onResolve, onLoad }) {
      let names: Names = {};
      let featureNames: Names = {};
      onStart(async () => {
        names = contract === undefined || !existsSync(contract) ? {} : await namesIn(contract);
        featureNames = features === undefined || !existsSync(features) ? {} : await namesIn(features);
      });
      onResolve({ filter: NEVER_LOADED }, ({ path }) => ({ path, namespace: EMPTY }));
      onLoad({ filter: /.*/, namespace: EMPTY }, () => ({ contents: 'export {};' }));
      onLoad({ filter: SCHEMA_MAKER }, async ({ path }) => ({ contents: makersLeftOut(await readFile(path, 'utf8')) }));
      // What stands after `false &&` is left out before the bundler looks for what is used: descriptions, and all that only they use.
      onLoad({ filter: /[\\/]lambdas[\\/].*\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        if (path === features) return { contents: literals(featureNames) };
        if (leftOut.some((one) => path.endsWith(join('lambdas', one)))) return { contents: namesAlone(source) };
        return {
          contents: withNames(
            withSpread(source, featureNames),
            path === contract ? Object.keys(names) : importedNames(source),
            names,
          )
            .replaceAll(DESCRIPTIONS, 'false && $&')
            .replaceAll(DESCRIPTION_OF_SCHEMA, ''),
          loader: 'ts',
        };
      });
      onResolve({ filter: /^[a-z]/ }, ({ path, kind }) =>
        isBuiltin(path)
          ? {
              path: path.replace(/^(?!node:)/, 'node:'),
              namespace: kind === 'import-statement' ? BUILTIN : WHOLE_BUILTIN,
            }
          : undefined,
      );
      onLoad({ filter: /.*/, namespace: BUILTIN }, ({ path }) => ({ contents: namedExportsOf(path) }));
      onLoad({ filter: /.*/, namespace: WHOLE_BUILTIN }, ({ path }) => ({
        contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
      }));
    },
  };
}

type Names = Readonly<Record<string, unknown>>;

/** A module of plain data, written out: what nobody imports the bundler leaves out. */
function literals(names: Names): string {
  return Object.entries(names)
    .map(
      ([name, value]) =>
        `export const ${name} = ${JSON.stringify(value, (member, held) => (OF_DOCUMENTS.includes(member) ? undefined : held))};`,
    )
    .join('\n');
}

/** A source in which `...NAME` is written out: the bundler keeps a list into which a name is spread, used or not. */
function withSpread(source: string, names: Names): string {
  return source.replaceAll(/\.\.\.(FEATURE_[A-Z_]+)/g, (all, name: string) =>
    Object.hasOwn(names, name) ? `...${JSON.stringify(names[name])}` : all,
  );
}

/** What contracts hold, by their text: each is evaluated once. */
const contracts = new Map<string, Promise<Names>>();

/** The values that a module of nothing but data exports. */
async function namesIn(path: string): Promise<Names> {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  });
  const text = textOf(outputFiles);
  const known = contracts.get(text) ?? import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
  contracts.set(text, known);
  return known;
}

/** What a source imports of the contract. */
function importedNames(source: string): string[] {
  const imported = /import \{([^}]*)\} from '[^']*\/contract\.ts'/.exec(source)?.[1] ?? '';
  return imported.split(',').map((name) => name.trim());
}

/** A source in which members of the contract's lists are written out: what nobody names any more the bundler leaves out. */
function withNames(source: string, lists: readonly string[], names: Names): string {
  const used = lists.filter((name) => /^[A-Z_]+$/.test(name) && typeof names[name] === 'object');
  if (used.length === 0) return source;
  return source.replaceAll(
    new RegExp(`(?<![\\w.$])(${used.join('|')})((?:\\.\\w+)+)`, 'g'),
    (all, list: string, path: string) => {
      const members = path.split('.').slice(1);
      let value: unknown = names[list];
      for (const [index, member] of members.entries()) {
        value = Object.entries(Object(value)).find(([name]) => name === member)?.[1];
        const rest = members.slice(index + 1).map((name) => `.${name}`);
        if (typeof value === 'string' || typeof value === 'number') return [JSON.stringify(value), ...rest].join('');
      }
      return all;
    },
  );
}

/** One of Node's modules, of which a bundle takes only the exports that it uses: some are getters that load further modules. */
function namedExportsOf(path: string): string {
  const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter((name) => /^[a-z_]\w*$/i.test(name));
  const exports = names.filter((name) => name !== 'default').map((name) => `${name} = /* @__PURE__ */ take('${name}')`);
  return `const whole = process.getBuiltinModule(${JSON.stringify(path)});
const take = (name) => whole[name];
export default whole;
export const ${exports.join(', ')};`;
}

/** What a module exports by name, without what it does: its data is undefined, and its functions say why they cannot be called. */
function namesAlone(source: string): string {
  const exports = source.matchAll(/^export (?:async )?(function|const) (\w+)/gm);
  // Once, not in each: there are many.
  const refusal =
    "function leftOut(name) { throw new Error(name + ' is left out of this function (dev/tools/build.ts)'); }";
  const stubs = Array.from(exports, ([, kind, name]) =>
    kind === 'const' ? `export const ${name} = undefined;` : `export function ${name}() { leftOut('${name}'); }`,
  );
  return [refusal, ...stubs].join('\n');
}

/** The same for a module whose functions every schema calls when it is made: what they return cannot be called. */
function makersLeftOut(source: string): string {
  const names = Array.from(source.matchAll(/^export (?:function|const) (\w+)/gm), ([, name]) => name);
  const refusal = "() => { throw new Error('JSON schemas are left out of functions (dev/tools/build.ts)'); }";
  return [`const leftOut = ${refusal};`, ...names.map((name) => `export const ${name} = () => leftOut;`)].join('\n');
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
