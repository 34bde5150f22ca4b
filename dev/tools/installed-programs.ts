/**
 * Programs that are not among the project's packages, installed from pinned versions into `.second-opinions/`, once for each set of pins. Python
 * ones need Python 3.10 or later, Java ones Java 17 or later and Maven.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from './run.ts';

const execute = promisify(execFile);

const WORK_PATH = join(PROJECT_ROOT, '.second-opinions');
/**
 * Everything that is installed, cached and left behind; not under version control. The copy of the project that a preview is made of has a
 * link in its place: what is installed holds its own path, and the copy is deleted.
 */
export const WORK_FOLDER = existsSync(WORK_PATH) ? realpathSync(WORK_PATH) : WORK_PATH;

const OLDEST_PYTHON = [3, 10] as const;
const OLDEST_JAVA = 17;
/** What `go.mod` of a generated client asks for. */
const OLDEST_GO = [1, 23] as const;
/** A first download of everything on a slow line. */
const INSTALL_TIMEOUT_MS = 600_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** How a program ended, and what it wrote. */
export interface Output {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface CaptureOptions {
  readonly timeoutMs?: number;
  readonly env?: NodeJS.ProcessEnv;
  /** Where it runs; the project's folder unless given. */
  readonly cwd?: string;
}

/**
 * Runs a program to its end.
 * @throws Error when it cannot be started or takes longer than `timeoutMs`
 */
export async function capture(
  command: string,
  args: readonly string[],
  { timeoutMs = 120_000, env = process.env, cwd = PROJECT_ROOT }: CaptureOptions = {},
): Promise<Output> {
  try {
    const options = { cwd, timeout: timeoutMs, maxBuffer: MAX_OUTPUT_BYTES, env };
    const { stdout, stderr } = await execute(command, args, options);
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'number') throw error;
    const { stdout, stderr } = Object.assign({ stdout: '', stderr: '' }, error);
    return { code: error.code, out: String(stdout), err: String(stderr) };
  }
}

/** The packages that environments were made of: what another one can be made of without a network. */
export function downloadsOf(environment: string): string {
  return join(environment, 'downloads');
}

/**
 * A virtual environment with pinned packages.
 *
 * @param requirements a file of pip's, with hashes
 * @returns its folder
 * @throws Error saying what is missing
 */
export async function pythonEnvironment(name: string, requirements: string): Promise<string> {
  const folder = join(WORK_FOLDER, name);
  const version = await versionOf('python3', ['--version'], /Python (\d+)\.(\d+)/);
  const [major = 0, minor = 0] = version ?? [];
  if (major < OLDEST_PYTHON[0] || (major === OLDEST_PYTHON[0] && minor < OLDEST_PYTHON[1])) {
    throw new Error(
      `Python ${OLDEST_PYTHON.join('.')} or later is needed as python3, and ${
        version === undefined ? 'there is none' : `this is ${version.join('.')}`
      } (Debian: apt-get install python3 python3-venv).`,
    );
  }
  await installOnce(folder, [requirements, version?.join('.') ?? ''], async () => {
    await install('python3', ['-m', 'venv', folder], 'Debian: apt-get install python3-venv');
    const pinned = ['--quiet', '--no-deps', '--require-hashes', '--requirement', requirements];
    const python = join(folder, 'bin', 'python');
    const download = ['-m', 'pip', 'download', ...pinned, '--dest', downloadsOf(folder)];
    await install(python, download, 'PyPI must be within reach the first time');
    const offline = ['--no-index', '--find-links', downloadsOf(folder)];
    await install(python, ['-m', 'pip', 'install', ...offline, ...pinned], 'the downloads are incomplete');
  });
  return folder;
}

/**
 * A folder with pinned libraries of Maven Central and all that they need.
 *
 * @param pom a file of Maven's that pins them
 * @returns the folder
 * @throws Error saying what is missing
 */
export async function javaLibraries(name: string, pom: string): Promise<string> {
  const folder = join(WORK_FOLDER, name);
  const java = await versionOf('java', ['-version'], /version "(\d+)/);
  if (java === undefined || (java[0] ?? 0) < OLDEST_JAVA) {
    throw new Error(
      `Java ${OLDEST_JAVA} or later is needed as java, and ${
        java === undefined ? 'there is none' : `this is ${java[0]}`
      } (Debian: apt-get install openjdk-17-jdk-headless).`,
    );
  }
  await installOnce(folder, [pom], async () => {
    if ((await versionOf('mvn', ['--version'], /Maven (\d+)/)) === undefined) {
      throw new Error('Maven is needed to fetch Java libraries, and there is no mvn (Debian: apt-get install maven).');
    }
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${folder}`];
    const quiet = ['--batch-mode', '--quiet', '--strict-checksums', '--file', pom];
    await install('mvn', [...quiet, ...goal], 'Maven Central must be within reach the first time');
  });
  return folder;
}

/** @throws Error where there is no Go, or an older one than generated clients need */
export async function requireGo(): Promise<void> {
  const version = await versionOf('go', ['version'], /go version go(\d+)\.(\d+)/);
  const [major = 0, minor = 0] = version ?? [];
  if (major > OLDEST_GO[0] || (major === OLDEST_GO[0] && minor >= OLDEST_GO[1])) return;
  const found = version === undefined ? 'there is none' : `this is ${version.join('.')}`;
  throw new Error(
    `Go ${OLDEST_GO.join('.')} or later is needed as go, and ${found} (Debian: apt-get install golang-go).`,
  );
}

/**
 * A folder with pinned packages of npm and all that they need; no script of theirs runs.
 *
 * @param pins folder with `package.json` and `package-lock.json`
 * @returns the folder that holds `node_modules`
 * @throws Error saying what is missing
 */
export async function nodePackages(name: string, pins: string): Promise<string> {
  const folder = join(WORK_FOLDER, name);
  const files = ['package.json', 'package-lock.json'];
  await installOnce(
    folder,
    files.map((file) => join(pins, file)),
    async () => {
      for (const file of files) copyFileSync(join(pins, file), join(folder, file));
      await install(
        'npm',
        ['ci', '--ignore-scripts', '--prefix', folder],
        'the npm registry must be within reach the first time',
      );
    },
  );
  return folder;
}

async function versionOf(command: string, args: readonly string[], pattern: RegExp): Promise<number[] | undefined> {
  try {
    const { out, err } = await capture(command, args);
    return pattern
      .exec(out + err)
      ?.slice(1)
      .map(Number);
  } catch {
    return undefined;
  }
}

/** Installations of this process by folder: two that need the same one wait for it together. */
const installations = new Map<string, Promise<void>>();

/** Runs `work` unless its result for the same pins (files' contents and texts) is already in the folder. */
function installOnce(folder: string, pins: readonly string[], work: () => Promise<void>): Promise<void> {
  const started = installations.get(folder) ?? installUnlessThere(folder, pins, work);
  installations.set(folder, started);
  return started;
}

async function installUnlessThere(folder: string, pins: readonly string[], work: () => Promise<void>): Promise<void> {
  const hash = createHash('sha256');
  for (const pin of pins) hash.update(existsSync(pin) ? readFileSync(pin) : pin).update('\0');
  const key = hash.digest('hex');
  const keyFile = join(folder, 'installed.txt');
  if (existsSync(keyFile) && readFileSync(keyFile, 'utf8') === key) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await work();
  // Last, so that an interrupted installation is never taken for a complete one.
  writeFileSync(keyFile, key);
}

async function install(command: string, args: readonly string[], hint: string): Promise<void> {
  const { code, out, err } = await capture(command, args, { timeoutMs: INSTALL_TIMEOUT_MS });
  if (code === 0) return;
  const lines = `${out}\n${err}`.split('\n').filter((line) => line.trim() !== '');
  throw new Error(`${command} ${args.join(' ')} failed (${hint}):\n${lines.slice(-12).join('\n')}`);
}
