import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '..', '..');
const PROVIDERS = join('lambdas', 'gateway', 'providers');
/** Building and starting takes as long as everything on a busy machine. */
const START_WAIT_MS = 400_000;

/** A copy of the project with the folders of `examples/provider/` alongside the shipped ones, its catalogue written again. */
export interface ProjectCopy {
  readonly root: string;
  /** Files of the project that differ from the original, and files that the original lacks, the added folders left out. */
  readonly changed: readonly string[];
  /** Runs one of the copy's programs. @returns its output, even if it failed */
  run(script: string, ...args: string[]): string;
  remove(): void;
}

/** Copies git's files and follows the page on adding a provider. */
export function copyWithProviders(ids: readonly string[]): ProjectCopy {
  return copyWith((root) => {
    for (const id of ids)
      cpSync(join(ROOT, 'examples', 'provider', id), join(root, PROVIDERS, id), { recursive: true });
  });
}

/** Copies git's files, adds others to the copy, and writes the generated files again. @param add gets the copy's folder */
export function copyWith(add: (root: string) => void): ProjectCopy {
  const root = mkdtempSync(join(tmpdir(), 'gateway-copy-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  const files = listed.split('\0').filter((file) => file !== '' && !file.startsWith('docs/images/'));
  for (const file of files) {
    const to = join(root, file);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(ROOT, file), to);
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  add(root);
  const run = (script: string, ...args: string[]): string => {
    try {
      const options = { cwd: root, encoding: 'utf8', stdio: 'pipe' } as const;
      return execFileSync(process.execPath, [join(root, script), ...args], options);
    } catch (error) {
      if (error instanceof Error && 'stderr' in error && 'stdout' in error) return `${error.stdout}${error.stderr}`;
      throw error;
    }
  };
  run('dev/tools/generate.ts');
  const changed = files.filter((file) => !readFileSync(join(ROOT, file)).equals(readFileSync(join(root, file))));
  // The page is made of the same sources: types alone are written again.
  const page = join('packages', 'dashboard', 'dist');
  if (existsSync(join(ROOT, page, 'index.html'))) {
    cpSync(join(ROOT, page), join(root, page), { recursive: true });
    utimesSync(join(root, page, 'index.html'), new Date(), new Date());
  }
  return { root, changed, run, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** A gateway that the copy's `npm start` runs. */
export interface CopiedGateway {
  readonly gatewayUrl: string;
  readonly dashboardUrl: string;
  /** The address that opens the dashboard, once, in a browser that may then sign in. */
  readonly dashboardAddress: string;
  call(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** Starts the copy's gateway with addresses of authorization servers. @throws Error with its output when it does not start */
export async function startCopy(copy: ProjectCopy, endpoints: object = {}): Promise<CopiedGateway> {
  const file = join(copy.root, 'provider-endpoints.json');
  writeFileSync(file, JSON.stringify(endpoints));
  const data = join(copy.root, '.gateway-data');
  const child = spawn(
    process.execPath,
    [join(copy.root, 'dev', 'local', 'cli.ts'), '--port', '0', '--data', data, '--provider-endpoints', file],
    { cwd: copy.root, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const output = await started(child);
  const local: Record<'gateway_url' | 'dashboard_url' | 'secret_key', string> = JSON.parse(
    readFileSync(join(data, 'local.json'), 'utf8'),
  );
  return {
    gatewayUrl: local.gateway_url,
    dashboardUrl: local.dashboard_url,
    dashboardAddress: /Dashboard +(\S+)/.exec(output)?.[1] ?? local.dashboard_url,
    call: (path, init = {}) =>
      fetch(local.gateway_url + path, {
        ...init,
        redirect: 'manual',
        headers: { authorization: `Bearer ${local.secret_key}`, 'content-type': 'application/json', ...init.headers },
      }),
    async close() {
      if (child.exitCode !== null) return;
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}

/** @returns its output so far */
async function started(child: ChildProcess): Promise<string> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk));
  const giveUpAt = Date.now() + START_WAIT_MS;
  while (!output.includes('Press Ctrl-C to stop')) {
    if (child.exitCode !== null || Date.now() > giveUpAt) throw new Error(`The copy did not start:\n${output}`);
    await delay(100);
  }
  return output;
}
