import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  ACCOUNTS,
  CONTROL_ROUTES,
  type Simulator,
  type SimulatorClient,
  StateFileError,
  startSimulator,
} from './index.ts';

const USAGE = `Usage: npx google-simulator [options]      (in the gateway's repository: npm run simulator -- [options])

Runs a stand-in for Google (OAuth, Drive v3, Calendar v3) on this machine.

  --port P      port on 127.0.0.1 (default 3002; 0 picks a free one)
  --seed FILE   add the calendars, events, files and clients of a JSON file to a state that is new
  --state FILE  keep clients, grants, tokens and changed data in FILE (default: memory only)
  --version     print the version
  --completion SHELL  print a script with which bash, zsh or fish completes these options
  --help        this text
`;

const DEFAULT_PORT = 3002;

/** Client that is there from the start; its secret protects nothing but made-up data. */
const BUILT_IN_CLIENT: SimulatorClient = {
  clientId: '123456789012-simulated-app.apps.googleusercontent.com',
  clientSecret: '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ntial',
  redirectUris: ['http://127.0.0.1:3000/oauth/callback', 'http://localhost:3000/oauth/callback'],
};

/** The same of an agent, which Google's MCP servers take. */
const BUILT_IN_AGENT: SimulatorClient = {
  ...BUILT_IN_CLIENT,
  clientId: '123456789012-simulated-agent.apps.googleusercontent.com',
  agentic: true,
};

function readPort(value: string | undefined): number {
  const port = Number(value ?? DEFAULT_PORT);
  if (!/^\d*$/.test(value ?? '') || !Number.isInteger(port) || port > 65_535) {
    throw new Error(`--port needs a number from 0 to 65535, not "${value}".`);
  }
  return port;
}

const FLAGS = ['port', 'seed', 'state', 'version', 'completion', 'help'] as const;

/** Completes the options, and names of files after them. */
function completionScript(shell: string): string {
  const words = FLAGS.map((flag) => `--${flag}`).join(' ');
  const bash = `complete -o default -W '${words}' google-simulator\n`;
  if (shell === 'bash') return bash;
  if (shell === 'zsh') return `autoload -U bashcompinit && bashcompinit\n${bash}`;
  if (shell === 'fish') return FLAGS.map((flag) => `complete -c google-simulator -l ${flag}\n`).join('');
  throw new Error(`--completion needs bash, zsh or fish, not "${shell}".`);
}

/** The version of the package around this file: of the simulator's own, or of the project, which is one folder further up. */
function readVersion(): string {
  const places = ['../package.json', '../../package.json'].map((path) => new URL(path, import.meta.url));
  const manifest: { version?: unknown } = JSON.parse(readFileSync(places.find(existsSync) ?? '', 'utf8'));
  return String(manifest.version);
}

interface Options {
  help: boolean;
  version: boolean;
  completion: string | undefined;
  port: number;
  statePath: string | undefined;
  seedPath: string | undefined;
}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string' },
      seed: { type: 'string' },
      state: { type: 'string' },
      version: { type: 'boolean', default: false },
      completion: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const { help, version, completion } = values;
  return { help, version, completion, port: readPort(values.port), statePath: values.state, seedPath: values.seed };
}

function readSeed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new Error(`${path} is no seed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

function describe(simulator: Simulator): string {
  const endpoints = Object.entries(simulator.endpoints).map(([name, url]) => `  ${name.padEnd(24)} ${url}`);
  const accounts = ACCOUNTS.map(
    ({ email, hostedDomain }) => `  ${email}${hostedDomain === undefined ? '' : ' (Workspace)'}`,
  );
  const controls = CONTROL_ROUTES.map(
    ({ method, path, about }) => `  ${method.padEnd(6)} /__sim/${path.padEnd(16)} ${about}`,
  );
  return [
    `Google simulator: ${simulator.url}`,
    `Its page: ${simulator.pageAddress()}   (accounts, files, calendars, grants, faults; opens once)`,
    `\nEndpoints\n${endpoints.join('\n')}`,
    `\nBuilt-in client\n  id      ${BUILT_IN_CLIENT.clientId}\n  secret  ${BUILT_IN_CLIENT.clientSecret}`,
    `  agent   ${BUILT_IN_AGENT.clientId}   (the same secret; for Google's MCP servers)`,
    ...BUILT_IN_CLIENT.redirectUris.map((redirectUri) => `  redirect ${redirectUri}`),
    `\nAccounts (no password)\n${accounts.join('\n')}`,
    `\nControl routes (not for browsers)\n${controls.join('\n')}`,
    '\nCtrl-C stops it.',
  ].join('\n');
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(USAGE);
    return;
  }
  if (options.version) {
    process.stdout.write(`${readVersion()}\n`);
    return;
  }
  if (options.completion !== undefined) {
    process.stdout.write(completionScript(options.completion));
    return;
  }
  const simulator = await startSimulator({
    port: options.port,
    clients: [BUILT_IN_CLIENT, BUILT_IN_AGENT],
    tellPage: (address) => process.stdout.write(`The page was opened. For another browser: ${address}\n`),
    ...(options.seedPath === undefined ? {} : { seed: readSeed(options.seedPath) }),
    ...(options.statePath === undefined ? {} : { statePath: options.statePath }),
  });
  process.stdout.write(`${describe(simulator)}\n`);
  const stop = () => void simulator.close();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

try {
  await main();
} catch (error) {
  const isUsage = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  const wayOut = error instanceof StateFileError ? ' Move it away to start afresh.' : '';
  process.stderr.write(
    `${error instanceof Error ? error.message : String(error)}${wayOut}\n${isUsage ? `\n${USAGE}` : ''}`,
  );
  process.exitCode = isUsage ? 2 : 1;
}
