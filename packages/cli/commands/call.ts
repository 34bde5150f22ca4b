import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Argument, type Command } from 'commander';
import { allProviders } from '../../../lambdas/gateway/providers/index.ts';
import { isUnder } from '../../../lambdas/gateway/proxying/request-line.rules.ts';
import { type ConnectionRef, type GatewayClient, type Method, ProviderError } from '../../client/src/index.ts';
import { openContext } from '../command-context.ts';
import { wholeNumber } from '../options.ts';
import { note } from '../output.ts';
import { CommandProblem, EXIT } from '../problems.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

interface CallOptions {
  readonly integration?: string;
  readonly connection?: string;
  readonly header: readonly string[];
  readonly data?: string;
  readonly include?: boolean;
  readonly retries?: number;
}

/** `call METHOD PATH`: a proxied request, its body streamed to standard output. */
export function addCall(program: Command): void {
  program
    .command('call')
    .description('one call to the provider as the user of a connection; writes the body to standard output')
    .addArgument(new Argument('<method>', 'the method').argParser((text) => text.toUpperCase()))
    .argument('<path>', 'path and query at the provider, such as /drive/v3/files?pageSize=3')
    .option('-i, --integration <id>', 'integration of the connection')
    .option('-c, --connection <id>', 'the connection (optional if there is only one)')
    .option('-H, --header <line>', 'a header, such as "Range: bytes=0-99"; may be repeated', collect, [])
    .option('-d, --data <text>', 'the body; @FILE reads it from a file, @- from standard input')
    .option('--include', 'print status and headers to standard error')
    .option('--retries <number>', 'how often the gateway may retry the call, at most 5', wholeNumber)
    .action(async (method: string, path: string, options: CallOptions, command: Command) => {
      const { gateway } = await openContext(command);
      const call = {
        method: knownMethod(method),
        endpoint: path,
        headers: headersOf(options),
        ...(await connectionFor(gateway, path, options)),
        ...(options.data === undefined ? {} : { data: await bodyOf(options.data) }),
        ...(options.retries === undefined ? {} : { retries: options.retries }),
        responseType: 'stream' as const,
      };
      try {
        const { status, headers, data } = await gateway.proxy(call);
        if (options.include === true) noteHead(status, headers);
        await pipeline(chunksOf(data), process.stdout, { end: false });
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        if (options.include === true) noteHead(error.status, error.headers);
        // Google's own words, as they are: they say more than any summary.
        process.stdout.write(
          typeof error.body === 'string' ? error.body : `${JSON.stringify(error.body, undefined, 2)}\n`,
        );
        note(error.message);
        process.exitCode = EXIT.refused;
      }
    });
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

function collect(line: string, before: readonly string[]): readonly string[] {
  return [...before, line];
}

function knownMethod(method: string): Method {
  const known = METHODS.find((name) => name === method);
  if (known === undefined) throw new CommandProblem(`${method} is not forwarded: use ${METHODS.join(', ')}.`);
  return known;
}

function headersOf({ header, data }: CallOptions): [string, string][] {
  const pairs = header.map((line): [string, string] => {
    const colon = line.indexOf(':');
    if (colon < 1) throw new CommandProblem(`--header takes "Name: value", not "${line}".`);
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
  const hasType = pairs.some(([name]) => name.toLowerCase() === 'content-type');
  // A typed body is nearly always JSON; a file may be anything, so its type is required.
  return data === undefined || data.startsWith('@') || hasType
    ? pairs
    : [...pairs, ['content-type', 'application/json']];
}

/** The provider of a path; the first one for an unknown path, so that the gateway reports the problem. */
function providerOfPath(target: string): string | undefined {
  const path = target.split('?')[0] ?? '';
  const all = allProviders();
  return (all.find(({ apiPaths }) => apiPaths.some(({ prefix }) => isUnder(path, prefix))) ?? all[0])?.id;
}

async function bodyOf(data: string): Promise<Uint8Array> {
  if (data === '@-') return buffer(process.stdin);
  if (!data.startsWith('@')) return Buffer.from(data);
  try {
    return readFileSync(data.slice(1));
  } catch (cause) {
    throw new CommandProblem(`${data.slice(1)} cannot be read: ${cause instanceof Error ? cause.message : cause}`);
  }
}

/** The connection that is named, or the only one that the path can mean. @throws CommandProblem listing the choices */
async function connectionFor(gateway: GatewayClient, path: string, options: CallOptions): Promise<ConnectionRef> {
  const { integration: providerConfigKey, connection: connectionId } = options;
  if (providerConfigKey !== undefined && connectionId !== undefined) return { providerConfigKey, connectionId };
  const provider = providerOfPath(path);
  const { connections } = await gateway.connections.list({ limit: 100 });
  const fitting = connections.filter(
    (one) =>
      one.provider === provider &&
      (providerConfigKey === undefined || one.providerConfigKey === providerConfigKey) &&
      (connectionId === undefined || one.connectionId === connectionId),
  );
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only;
  const choices = fitting.map((one) => `  -i ${one.providerConfigKey} -c ${one.connectionId}`);
  throw new CommandProblem(
    only === undefined
      ? `There is no such connection to ${provider}. See connections list, or create one with connect.`
      : ['Which connection? Add one of:', ...choices].join('\n'),
  );
}

function noteHead(status: number, headers: Headers): void {
  note(`HTTP ${status}`);
  for (const [name, value] of headers) note(`${name}: ${value}`);
}
