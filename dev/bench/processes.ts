/** Processes that are measured from outside, by what the kernel counts for them. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { errorCode } from '../tools/json.ts';
import { processorTime } from '../tools/processor-time.ts';

const BYTES_PER_KB = 1024;

/** Processor time of a process and all its threads so far, user and system, in ms; steps of 10 ms. */
export function cpuMs(pid: number): number {
  return processorTime(readFileSync(`/proc/${pid}/stat`, 'utf8')).ownMs;
}

/** The same to the nanosecond, without threads that have ended: those of a start live on (`/proc/<pid>/task/<tid>/schedstat`). */
export function exactCpuMs(pid: number): number {
  const ns = readdirSync(`/proc/${pid}/task`).map((id) => threadNs(`/proc/${pid}/task/${id}/schedstat`));
  return ns.reduce((sum, one) => sum + one, 0) / 1_000_000;
}

/** Of one that ends while it is looked at: none. */
function threadNs(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8').split(' ')[0]);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ESRCH') return 0;
    throw error;
  }
}

/** Resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
  return statusBytes(pid, /^VmRSS:\s+(\d+) kB$/m);
}

/** The most resident memory that a process has had since it started, in bytes. */
export function peakBytes(pid: number): number {
  return statusBytes(pid, /^VmHWM:\s+(\d+) kB$/m);
}

function statusBytes(pid: number, line: RegExp): number {
  return Number(line.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * BYTES_PER_KB;
}

/** A server of `dev/bench/servers/` in a process of its own. */
export interface ServerProcess extends AsyncDisposable {
  readonly pid: number;
  readonly origin: string;
  readonly port: number;
}

/**
 * Starts a server and returns once it has printed its port.
 * @throws Error when it ends before
 */
export async function startServer(
  name: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const script = fileURLToPath(new URL(`./servers/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    // It ends by itself when standard input closes: nothing outlives a bench that was killed.
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const started = Promise.withResolvers<number>();
  child.once('error', started.reject);
  child.once('exit', (code) => started.reject(new Error(`The server ${name} ended with ${code} before it listened`)));
  createInterface({ input: child.stdout }).once('line', (line) => started.resolve(Number(line)));
  const port = await started.promise;
  if (child.pid === undefined) throw new Error(`The server ${name} has no process`);
  return {
    pid: child.pid,
    port,
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}
