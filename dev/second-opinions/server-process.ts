/** A program that serves on a free loopback port for as long as an opinion is asked. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { closeServer, LOOPBACK, listen } from '../local/network.ts';
import { PROJECT_ROOT } from '../tools/run.ts';

const START_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 100;

/** A running server. */
export interface ServerProcess extends AsyncDisposable {
  readonly port: number;
  /** `http://<host>:<port>`. */
  readonly endpoint: string;
  /** What it has printed so far. */
  log(): string;
}

/** What to start, and how to see that it serves. */
export interface ServerProgram {
  /** As messages name it, such as "moto's server". */
  readonly name: string;
  readonly command: string;
  /** Arguments that make it listen on a port. */
  args(port: number): readonly string[];
  /** Path of a request that it answers with any status once it serves. */
  readonly readyPath: string;
}

/** Starts the server on a free port. @throws Error with its output when it ends or does not answer within a minute */
export async function startServer({ name, command, args, readyPath }: ServerProgram): Promise<ServerProcess> {
  const placeholder = createServer();
  const port = await listen(placeholder, 0, name, 'try again');
  await closeServer(placeholder);
  const endpoint = `http://${LOOPBACK}:${port}`;
  const child = spawn(command, args(port), { cwd: PROJECT_ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (log += text.toString()));
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  // Also where the opinion is cut short.
  process.once('exit', kill);
  void exited.then(() => process.off('exit', kill));
  const giveUpAt = Date.now() + START_TIMEOUT_MS;
  while (!(await answers(endpoint + readyPath))) {
    if (child.exitCode !== null || Date.now() > giveUpAt) {
      kill();
      throw new Error(`${name} did not start:\n${log}`);
    }
    await delay(POLL_INTERVAL_MS);
  }
  return {
    port,
    endpoint,
    log: () => log,
    async [Symbol.asyncDispose]() {
      kill();
      await exited;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
