/** moto's server as a process of its own, and the environment in which the AWS tools take it for AWS. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { closeServer, LOOPBACK, listen } from '../../local/network.ts';
import { PROJECT_ROOT } from '../../scripts/run.ts';
import { pythonTool } from '../tools.ts';

const START_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 100;

/** A running server. */
export interface MotoServer extends AsyncDisposable {
  readonly endpoint: string;
  /** Everything a tool needs to take the server for AWS, and nothing of this shell's AWS settings. */
  readonly environment: NodeJS.ProcessEnv;
  /** What it has printed so far. */
  log(): string;
}

/** Starts the server on a free port. @throws Error with its output when it ends or does not answer within a minute */
export async function startMoto(region: string): Promise<MotoServer> {
  const python = await pythonTool('python');
  const placeholder = createServer();
  const port = await listen(placeholder, 0, 'moto', 'try again');
  await closeServer(placeholder);
  const endpoint = `http://${LOOPBACK}:${port}`;
  const child = spawn(python, [join(import.meta.dirname, 'server.py'), '--port', String(port)], {
    cwd: PROJECT_ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (log += text.toString()));
  const exited = once(child, 'exit');
  const giveUpAt = Date.now() + START_TIMEOUT_MS;
  while (!(await answers(endpoint))) {
    if (child.exitCode !== null || Date.now() > giveUpAt) {
      child.kill('SIGKILL');
      throw new Error(`moto's server did not start:\n${log}`);
    }
    await delay(POLL_INTERVAL_MS);
  }
  return {
    endpoint,
    environment: {
      PATH: `${join(PROJECT_ROOT, 'node_modules', '.bin')}:${process.env.PATH ?? ''}`,
      HOME: process.env.HOME ?? '',
      CI: 'true',
      AWS_ENDPOINT_URL: endpoint,
      // moto reads a template by its address, and takes no other host than this for its own.
      AWS_ENDPOINT_URL_S3_FOR_CLOUDFORMATION: `http://localhost:${port}`,
      AWS_REGION: region,
      AWS_DEFAULT_REGION: region,
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    log: () => log,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function answers(endpoint: string): Promise<boolean> {
  try {
    return (await fetch(`${endpoint}/moto-api/data.json`)).ok;
  } catch {
    return false;
  }
}
