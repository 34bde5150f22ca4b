/** Builds the dashboard alongside a running gateway when its files are missing or older than what they are made of. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { filesBelow } from './files-below.ts';

const PROJECT_ROOT = join(import.meta.dirname, '..', '..');
const WORKSPACE = join(PROJECT_ROOT, 'packages', 'dashboard');

/** Where the built dashboard lies. */
export const DASHBOARD_FILES = join(WORKSPACE, 'dist');

/** What it is made of, from the project's folder. */
export const DASHBOARD_SOURCES = [
  'packages/dashboard/src',
  'packages/dashboard/public',
  'packages/dashboard/index.html',
  'packages/dashboard/vite.config.ts',
  'packages/client/src',
];

export interface BuildState {
  /** Why there are no files yet, for the person who waits for them; undefined when there is no build to wait for. */
  problem: string | undefined;
  /** Settles when it is done, with or without success. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/** Whether `index.html` is missing or older than a source. */
export function isStale(root: string = PROJECT_ROOT): boolean {
  const index = join(root, 'packages', 'dashboard', 'dist', 'index.html');
  if (!existsSync(index)) return true;
  const builtAtMs = statSync(index).mtimeMs;
  return DASHBOARD_SOURCES.flatMap((source) => filesBelow(join(root, source))).some(
    (file) => statSync(file).mtimeMs > builtAtMs,
  );
}

/** The gateway answers meanwhile and comes first. A process that has given way further already may not come back, and need not. */
function giveWay(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It keeps the priority that it has.
  }
}

/** Starts the build and returns at once; the old files stay in place until the new ones are complete. */
export function buildInBackground(warn: (message: string) => void): BuildState {
  const target = join(PROJECT_ROOT, 'dist', `dashboard.${process.pid}`);
  mkdirSync(join(PROJECT_ROOT, 'dist'), { recursive: true });
  const vite = join(PROJECT_ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  const child: ChildProcess = spawn(process.execPath, [vite, 'build', '--outDir', target, '--emptyOutDir'], {
    cwd: WORKSPACE,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (child.pid !== undefined) giveWay(child.pid);
  let output = '';
  let stopped = false;
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const state: BuildState = { problem: 'The dashboard is being built.', ended, stop };
  const finish = (failure: string | undefined): void => {
    if (failure === undefined) replaceFiles(target);
    else rmSync(target, { recursive: true, force: true });
    state.problem = failure;
    if (failure !== undefined && !stopped) warn(failure);
    end();
  };
  child.once('error', (error) => finish(`The dashboard cannot be built: ${error.message}`));
  child.once('exit', (code) => {
    finish(
      code === 0
        ? undefined
        : `The dashboard was not built (npm run build -w @integration-gateway/dashboard):\n${output.trim()}`,
    );
  });
  return state;

  async function stop(): Promise<void> {
    stopped = true;
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  }
}

function replaceFiles(built: string): void {
  const old = `${built}.old`;
  if (existsSync(DASHBOARD_FILES)) renameSync(DASHBOARD_FILES, old);
  renameSync(built, DASHBOARD_FILES);
  rmSync(old, { recursive: true, force: true });
}
