/** The synthesized template and bundles the gateway runs: made when a source changed, reused when none did. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { filesBelow } from './files-below.ts';
import { errorCode } from './json.ts';

/** `auto` rebuilds what changed; `reuse` takes what is there and builds only when there is nothing. */
export type SynthMode = 'auto' | 'reuse';

export interface AssemblyOptions {
  mode: SynthMode;
  /** Options of the stack as a deployment takes them. @default - none */
  stackOptions?: Readonly<Record<string, unknown>>;
  /** Keep it alongside the usual one, under this name and of that one's bundles, which have to be there. @default - the usual one */
  variant?: string;
  /** Runs a step of the start under a name. */
  step: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}

const PROJECT_ROOT = join(import.meta.dirname, '..', '..');
/** Not `cdk.out`: a synthesis by the CDK command line, with other context, must not change what runs here. */
const ASSEMBLY_FOLDER = join(PROJECT_ROOT, 'cdk.out.local');
const SOURCES = ['lambdas', 'lib', 'bin', 'dev/tools/build.ts', 'cdk.json', 'package-lock.json'];
/** What the proxy calls AWS with, by dev/tools/build.ts. */
const AWS_CLIENT = process.env.BUILD_AWS_CLIENT ?? '';
const ASSET_LIFETIME_MS = 86_400_000;
const BUILD_LOCK = join(ASSEMBLY_FOLDER, 'building');
const BUILD_WAIT_MS = 120_000;

/**
 * Makes sure the assembly is there.
 * @returns its folder.
 * @throws Error with the output of a failed bundling or synthesis.
 */
export async function ensureAssembly({ mode, step, stackOptions = {}, variant }: AssemblyOptions): Promise<string> {
  const folder = variant === undefined ? ASSEMBLY_FOLDER : `${ASSEMBLY_FOLDER}.${variant}`;
  const keyFile = join(folder, 'local-key.txt');
  const context = contextOf(stackOptions);
  if (mode === 'reuse' && storedKey(keyFile) !== undefined) return folder;
  if (storedKey(keyFile) === sourceKey(context, stackOptions)) return folder;
  mkdirSync(folder, { recursive: true });
  // One lock for all: the bundles of all are in one place.
  mkdirSync(ASSEMBLY_FOLDER, { recursive: true });
  await withBuildLock(async () => {
    const key = sourceKey(context, stackOptions);
    // Another process may have built the same while this one waited.
    if (storedKey(keyFile) === key) return;
    if (variant === undefined) {
      await step('bundle the functions', async () => {
        const { buildFunctions } = await import('./build.ts');
        await buildFunctions();
      });
    }
    // Only now: bundles that do not build leave the assembly of before as it was.
    rmSync(keyFile, { force: true });
    await step('synthesize the stack', () => synthesize(context, folder));
    pruneAssets(folder);
    // Last, so that an interrupted run is never taken for a complete one.
    writeFileSync(keyFile, key);
  });
  return folder;
}

/**
 * Why tests would run bundles that are not those of the sources; undefined where they would not, or where there is nothing yet and a
 * start builds it. Takes some tens of milliseconds: nothing is built.
 */
export function staleAssembly(folder = ASSEMBLY_FOLDER): string | undefined {
  const stored = storedKey(join(folder, 'local-key.txt'));
  if (stored === undefined || stored === sourceKey(contextOf({}), {})) return undefined;
  return 'The bundles in cdk.out.local are older than the sources. Run npm test, which builds them.';
}

/** Removes bundles of earlier builds. Not those of the last day: a gateway that still runs may start processes in them. */
function pruneAssets(assembly: string): void {
  const manifest = readdirSync(assembly)
    .filter((name) => name.endsWith('.assets.json'))
    .map((name) => readFileSync(join(assembly, name), 'utf8'))
    .join();
  for (const name of readdirSync(assembly).filter((entry) => entry.startsWith('asset.'))) {
    const folder = join(assembly, name);
    const old = Date.now() - statSync(folder).mtimeMs > ASSET_LIFETIME_MS;
    if (old && !manifest.includes(name)) rmSync(folder, { recursive: true, force: true });
  }
}

/** The context of the CDK app: the shell's, overridden by the options of this start. */
function contextOf(stackOptions: Readonly<Record<string, unknown>>): string {
  const given = process.env.CDK_CONTEXT_JSON;
  const options = Object.entries(stackOptions).map(([name, value]) => [`gateway:${name}`, value] as const);
  if (options.length === 0) return given ?? '';
  return JSON.stringify({ ...JSON.parse(given ?? '{}'), ...Object.fromEntries(options) });
}

/** SHA-256 over everything the assembly is made of. */
function sourceKey(context: string, { connectLogo }: Readonly<Record<string, unknown>>): string {
  const hash = createHash('sha256').update(process.version).update(context).update(AWS_CLIENT);
  // The picture becomes part of the bundles; one that cannot be read is refused by the synthesis.
  if (typeof connectLogo === 'string' && existsSync(connectLogo)) hash.update(readFileSync(connectLogo));
  for (const file of SOURCES.flatMap((source) => filesBelow(join(PROJECT_ROOT, source))))
    hash.update(`\0${relative(PROJECT_ROOT, file)}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

function storedKey(keyFile: string): string | undefined {
  try {
    return readFileSync(keyFile, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function withBuildLock(work: () => Promise<void>): Promise<void> {
  const giveUpAt = Date.now() + BUILD_WAIT_MS;
  while (!takeBuildLock()) {
    if (Date.now() > giveUpAt) throw new Error(`Another build holds ${BUILD_LOCK}. Delete it if none is running.`);
    await delay(100);
  }
  try {
    await work();
  } finally {
    rmSync(BUILD_LOCK, { force: true });
  }
}

function takeBuildLock(): boolean {
  try {
    writeFileSync(BUILD_LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  if (!holderRuns()) rmSync(BUILD_LOCK, { force: true });
  return false;
}

function holderRuns(): boolean {
  try {
    const pid = Number(readFileSync(BUILD_LOCK, 'utf8'));
    // An empty file belongs to a process that is writing its id this moment.
    if (pid > 0) process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

/** What the stack says of its options, without the stack trace around it. */
function problemIn(output: string): string | undefined {
  return /These gateway options are not valid:(?:\n {2}- .*)+/.exec(output)?.[0];
}

/** Runs the CDK app without its command line. No region: stored ARNs must not change with the shell's settings. */
function synthesize(context: string, folder: string): Promise<void> {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    CDK_OUTDIR: folder,
    // The checks of the template belong to the tests and to deployment; here they would double the start.
    CDK_VALIDATION: 'false',
    BUILD_AWS_CLIENT: AWS_CLIENT,
    ...(context === '' ? {} : { CDK_CONTEXT_JSON: context }),
  };
  return new Promise((resolve, reject) => {
    const app = spawn(process.execPath, ['bin/gateway.ts'], {
      cwd: PROJECT_ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [app.stdout, app.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString('utf8');
      });
    }
    app.once('error', reject);
    app.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(problemIn(output) ?? `bin/gateway.ts failed with exit code ${code}:\n${output.trim()}`));
    });
  });
}
