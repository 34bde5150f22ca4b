/** `npm start`: runs the gateway until Ctrl-C. */
import { readFile } from 'node:fs/promises';
import { errorMessage, type Json, parseJson } from '../tools/json.ts';
import { textConsole } from './console.ts';
import { fullDiskMessage } from './full-disk.ts';
import {
  type GoogleEndpoints,
  parseGoogleEndpoints,
  parseProviderEndpoints,
  type ServerSettings,
} from './google-endpoints.ts';
import { parseOptions, USAGE, UsageError } from './options.ts';
import { SCOPES_OF_A_FIRST_TRY } from './seed.ts';
import { type LocalGateway, startLocal } from './start.ts';
import { summary } from './summary.ts';

async function main(): Promise<void> {
  const startedAtMs = performance.timeOrigin;
  const options = parseOptions(process.argv.slice(2), process.env);
  if (options.help) {
    console.log(USAGE);
    return;
  }
  // Whatever is written into the data folder is for its owner's eyes only.
  process.umask(0o077);
  const googleEndpoints = await readGoogleEndpoints(options.googleEndpointsFile);
  const providerEndpoints = await readProviderEndpoints(options.providerEndpointsFile);
  const interrupted = new AbortController();
  let running: LocalGateway | undefined;
  const stop = (): void => {
    if (interrupted.signal.aborted) process.exit(1);
    interrupted.abort();
    console.log('\nStopping.');
    running?.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  console.log('Starting the integration gateway.');
  try {
    const assemblyFolder = await assemblyOfApp(options.app);
    const gateway = await startLocal({
      ...(assemblyFolder === undefined ? {} : { assemblyFolder, app: true }),
      port: options.port,
      dataDir: options.dataDir,
      fresh: options.fresh,
      allowedOrigins: options.allowedOrigins,
      returnUrls: options.returnUrls,
      stackOptions: options.stackOptions,
      seedScopes: SCOPES_OF_A_FIRST_TRY,
      dashboard: 'build',
      clock: 'simulator',
      guarded: true,
      signal: interrupted.signal,
      inspect: options.inspect,
      ...(options.watch ? { watch: {} } : {}),
      ...(googleEndpoints === undefined ? {} : { googleEndpoints }),
      providerEndpoints,
      ...(options.dynamoDb === undefined ? {} : { dynamoDb: options.dynamoDb }),
    });
    running = gateway;
    if (interrupted.signal.aborted) await gateway.close();
    else
      console.log(
        `\n${summary({ ...gateway, appFolder: options.app, readyAfterMs: Date.now() - startedAtMs }, process.env)}`,
      );
  } catch (error) {
    if (!interrupted.signal.aborted) {
      const fullDisk = fullDiskMessage(error, options.dataDir);
      throw fullDisk === undefined ? error : new Error(fullDisk, { cause: error });
    }
  }
  if (interrupted.signal.aborted) process.exit(0);
}

/** Undefined without an app: the project's own stack runs. */
async function assemblyOfApp(folder: string | undefined): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  const { synthesizeApp } = await import('./synthesize-app.ts');
  const { step } = textConsole((text) => process.stdout.write(text), process.stdout.isTTY === true);
  return synthesizeApp({ folder, mode: 'auto', step });
}

async function readGoogleEndpoints(path: string | undefined): Promise<GoogleEndpoints | undefined> {
  if (path === undefined) return undefined;
  return parseGoogleEndpoints(await readJson('--google-endpoints', path), path);
}

async function readProviderEndpoints(path: string | undefined): Promise<Record<string, ServerSettings>> {
  return path === undefined ? {} : parseProviderEndpoints(await readJson('--provider-endpoints', path), path);
}

async function readJson(option: string, path: string): Promise<Json> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`${option}: ${path} cannot be read: ${errorMessage(cause)}`, { cause });
  });
  return parseJson(text, path);
}

function fail(error: unknown): never {
  console.error(`\n${errorMessage(error)}`);
  // As of the operators' program: 2 is wrong usage.
  process.exit(error instanceof UsageError ? 2 : 1);
}

main().catch(fail);
