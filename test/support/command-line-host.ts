/**
 * Runs commands of `npm run gateway` one after another in one process: each through `packages/cli/cli.ts` itself, with arguments,
 * environment, standard input and outputs of its own. Most of a command's time is loading the program, which is done once here.
 */
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** What is asked of the host: one command. */
export interface HostedCommand {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly input: string;
}

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const CLI = join(import.meta.dirname, '../../packages/cli/cli.ts');
const ENTRY = pathToFileURL(CLI).href;
let runs = 0;

async function run({ args, environment, input }: HostedCommand): Promise<Ended> {
  const streams = { stdin: Readable.from([Buffer.from(input)]), stdout: new PassThrough(), stderr: new PassThrough() };
  for (const [name, value] of Object.entries(streams)) Object.defineProperty(process, name, { value });
  process.argv = [process.execPath, CLI, ...args];
  process.env = { ...environment };
  process.exitCode = undefined;
  const written = Promise.all([text(streams.stdout), text(streams.stderr)]);
  const before = process.getActiveResourcesInfo().length;
  runs += 1;
  await import(`${ENTRY}?run=${runs}`);
  // As long as a process of its own would stay: a command that leaves something open hangs, and its test with it.
  while (process.getActiveResourcesInfo().length > before) await delay(1);
  streams.stdout.end();
  streams.stderr.end();
  const [out, err] = await written;
  return { code: Number(process.exitCode ?? 0), out, err };
}

if (import.meta.main) {
  process.on('message', async (command: HostedCommand) => process.send?.(await run(command)));
  process.once('disconnect', () => process.exit());
}
