/**
 * The DynamoDB engine: a native process on SQLite, started on a free port, restarted when it dies, and ended with the runner even when
 * the runner is killed. It answers every client, including web pages of every origin, so its address is kept secret: everything else
 * uses the endpoint in front of it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { START_OVER } from '../aws/state-file.ts';
import { hiddenAddress, type LoopbackAddress } from '../network.ts';

export interface DynamoDbEngine {
  /** Only for the runner. */
  endpoint: string;
  /** Selects the database: an engine may keep one for each access key and region, as DynamoDB Local does. */
  accessKeyId: string;
  /** Someone else runs it, and may empty it. */
  isElsewhere: boolean;
  /** Process id of the engine itself; changes after a restart. Undefined for an endpoint given from outside. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

export interface EngineOptions {
  databasePath: string;
  /** Called for each engine process, so that the lock file can name it, and for each unexpected end. */
  onStarted?: (pid: number) => void;
  onDied?: (exitCode: number | null) => void;
}

/** The variable that names another DynamoDB-compatible endpoint, as `--dynamodb` does. */
export const ENDPOINT_VARIABLE = 'GATEWAY_DYNAMODB_ENDPOINT';

/** Runs the engine and ends it with the runner. */
const GUARDIAN = join(import.meta.dirname, 'guardian.mjs');

const START_ATTEMPTS = 5;
const START_TIMEOUT_MS = 5_000;
const POLL_INTERVAL_MS = 5;
const RESTART_DELAY_MS = 200;
const MAX_RESTARTS = 5;

/**
 * Starts the engine and waits until it answers.
 * @throws Error with the command to run when the engine is not installed, or when it does not answer within five seconds.
 */
export async function startEngine(options: EngineOptions): Promise<DynamoDbEngine> {
  const binary = findBinary();
  for (let attempt = 1; ; attempt += 1) {
    const address = await hiddenAddress();
    const first = launch(binary, address, options);
    if (await answers(address, first)) {
      indexStreamRecords(options.databasePath);
      return supervise(binary, address, first, options);
    }
    await end(first);
    if (attempt === START_ATTEMPTS) {
      throw new Error(`The DynamoDB engine ${binary} did not start on ${options.databasePath}. ${START_OVER}`);
    }
  }
}

/**
 * An external engine; stopping it does nothing.
 * @param accessKeyId returns letters and digits, different for each data folder, so that folders do not share tables if the engine
 * distinguishes them; called once the engine was found
 * @throws Error when the address is not plain HTTP, or nothing answers there.
 */
export async function externalEngine(endpoint: string, accessKeyId: () => string): Promise<DynamoDbEngine> {
  const url = URL.parse(endpoint);
  if (url?.protocol !== 'http:' || url.href !== `${url.origin}/`) {
    throw new Error(
      `The address of the DynamoDB engine (--dynamodb, ${ENDPOINT_VARIABLE}) must be http://<host>:<port>, not "${endpoint}".`,
    );
  }
  if (!(await reachable({ host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port || 80) }))) {
    throw new Error(`No DynamoDB engine answers at ${endpoint}. Start it first, or leave --dynamodb out.`);
  }
  return {
    endpoint: url.origin,
    accessKeyId: accessKeyId(),
    isElsewhere: true,
    pid: () => undefined,
    stop: async () => {},
  };
}

/**
 * The engine numbers a stream record by the highest number before, for which it reads every record of the table, and it deletes none.
 * With this index a write takes the same time however many records there are.
 */
function indexStreamRecords(databasePath: string): void {
  const database = new DatabaseSync(databasePath, { timeout: START_TIMEOUT_MS });
  try {
    database.exec(
      'CREATE INDEX IF NOT EXISTS gateway_stream_numbers ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
    );
  } finally {
    database.close();
  }
}

interface EngineProcess {
  guardian: ChildProcess;
  pid: Promise<number | undefined>;
  exited: Promise<number | null>;
}

/** Systems that the engine has builds for, in the version that is pinned here. */
const BUILDS = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'win32-x64'];
/** The build that `npm ci` installs; the others are of the same version. */
const INSTALLED_BUILD = '@dynoxide/linux-x64';
const ELSEWHERE =
  'Or run DynamoDB Local, or another engine with streams, and name it: npm start -- --dynamodb http://127.0.0.1:8000';

function findBinary(): string {
  const system = `${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const folder = dirname(require.resolve(`@dynoxide/${system}/package.json`));
    const path = ['dynoxide', 'dynoxide.exe'].map((name) => join(folder, name)).find((one) => existsSync(one));
    if (path !== undefined) return path;
  } catch {
    // Not installed: the message below contains the remedy.
  }
  throw new Error(missingEngine(system));
}

/** The remedy where the engine is not installed. @param system as Node names platform and processor: `darwin-arm64` */
export function missingEngine(system: string): string {
  if (!BUILDS.includes(system)) return `There is no DynamoDB engine for ${system}. ${ELSEWHERE}`;
  const manifest: { optionalDependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(import.meta.dirname, '..', '..', '..', 'package.json'), 'utf8'),
  );
  const version = manifest.optionalDependencies[INSTALLED_BUILD];
  return [
    `The DynamoDB engine for ${system} is not installed. Install it, and do so again after each npm ci:`,
    `  npm install --no-save @dynoxide/${system}@${version}`,
    ELSEWHERE,
  ].join('\n');
}

function launch(binary: string, { host, port }: LoopbackAddress, options: EngineOptions): EngineProcess {
  const serve = [binary, 'serve', '--host', host, '--port', String(port), '--db-path', options.databasePath];
  const guardian = spawn(process.execPath, [GUARDIAN, ...serve], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // A group of its own: Ctrl-C reaches the runner only, which then stops everything in order.
    detached: true,
    env: { PATH: process.env.PATH ?? '' },
  });
  guardian.stdin?.on('error', () => {});
  const exited = new Promise<number | null>((resolve) => {
    guardian.once('error', () => resolve(null));
    guardian.once('exit', (code) => {
      guardian.stdin?.destroy();
      resolve(code);
    });
  });
  const pid = new Promise<number | undefined>((resolve) => {
    guardian.stdout?.once('data', (line: Buffer) => resolve(Number(line.toString().trim())));
    void exited.then(() => resolve(undefined));
  });
  void pid.then((known) => known !== undefined && options.onStarted?.(known));
  return { guardian, pid, exited };
}

async function answers(address: LoopbackAddress, engine: EngineProcess): Promise<boolean> {
  const giveUpAt = Date.now() + START_TIMEOUT_MS;
  let gone = false;
  void engine.exited.then(() => {
    gone = true;
  });
  while (!gone && Date.now() < giveUpAt) {
    if (await reachable(address)) return !gone;
    await delay(POLL_INTERVAL_MS);
  }
  return false;
}

function reachable({ host, port }: LoopbackAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = get({ host, port, path: '/', agent: false }, (reply) => {
      reply.resume();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}

async function supervise(
  binary: string,
  address: LoopbackAddress,
  first: EngineProcess,
  options: EngineOptions,
): Promise<DynamoDbEngine> {
  let current = first;
  let currentPid = await first.pid;
  let stopping = false;
  let restarts = 0;
  const watch = (engine: EngineProcess): void => {
    void engine.exited.then(async (exitCode) => {
      if (stopping) return;
      options.onDied?.(exitCode);
      restarts += 1;
      if (restarts > MAX_RESTARTS) return;
      await delay(RESTART_DELAY_MS);
      if (stopping) return;
      current = launch(binary, address, options);
      watch(current);
      currentPid = await current.pid;
    });
  };
  watch(first);
  return {
    endpoint: `http://${address.host}:${address.port}`,
    // Each data folder has an engine of its own, which keeps one database for everybody.
    accessKeyId: 'local',
    isElsewhere: false,
    pid: () => currentPid,
    async stop() {
      stopping = true;
      await end(current);
    },
  };
}

async function end(engine: EngineProcess): Promise<void> {
  engine.guardian.stdin?.end();
  const ended = await Promise.race([engine.exited.then(() => true), delay(2_000, false, { ref: false })]);
  const pid = await engine.pid;
  if (!ended && pid !== undefined) killQuietly(pid);
  await engine.exited;
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended between the question and the signal.
  }
}
