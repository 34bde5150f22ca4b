/** Both clients behind one face, and the server that they are compared by. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest';
import { type AwsClientName, leanStart, REQUIRE_BANNER, substitutesOf } from '../../../../dev/tools/build.ts';
import type { AwsCallLimits } from '../../../../lambdas/gateway/platform/aws-client.ts';
import { serve } from '../../support/upstream.ts';

/** All that sources may do with AWS, by one of the clients. */
export type Driver = typeof import('./driver.ts');

const CLIENTS: readonly AwsClientName[] = ['sdk', 'lean'];

/** Time enough, so that only what a test is about ends a call. */
export const LIMITS: AwsCallLimits = { attempts: 4, connectMs: 5_000, answerMs: 60_000, lastRepeatMs: 120_000 };

/** The drivers, bundled as the proxy is; to be called once in a file. */
export function useDrivers(): (name: AwsClientName) => Driver {
  const drivers = new Map<AwsClientName, Driver>();
  const folder = mkdtempSync(join(tmpdir(), 'aws-clients-'));
  beforeAll(async () => {
    for (const name of CLIENTS) {
      const outfile = join(folder, `${name}.mjs`);
      await build({
        entryPoints: [join(import.meta.dirname, 'driver.ts')],
        outfile,
        bundle: true,
        format: 'esm',
        platform: 'node',
        target: 'node24',
        mainFields: ['module', 'main'],
        banner: { js: REQUIRE_BANNER },
        alias: substitutesOf('proxy', name),
        plugins: [leanStart()],
        logLevel: 'silent',
      });
      drivers.set(name, await import(pathToFileURL(outfile).href));
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name) => {
    const driver = drivers.get(name);
    if (driver === undefined) throw new Error(`There is no driver ${name}`);
    return driver;
  };
}

/** Where both clients find themselves: a function in Frankfurt with a role's credentials. */
export function inLambda(variables: Readonly<Record<string, string>> = {}): void {
  const environment = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_SESSION_TOKEN: 'a session/token+of=some length',
    AWS_LAMBDA_FUNCTION_NAME: 'proxy',
    _X_AMZN_TRACE_ID: 'Root=1-5e272390-8c398be037738dc042009320',
    ...variables,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
}

/** A request as it came in. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Identifies the connection. */
  readonly port: number;
}

/** Answers the nth request, counted from one. */
export type Answer = (response: ServerResponse, count: number, request: Received) => void;

/** A service that notes what it is asked; every client of the test is sent there. */
export async function recordingService(answer: Answer = (response) => response.end('{}')): Promise<Received[]> {
  const received: Received[] = [];
  const origin = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, path: url, headers, body: Buffer.concat(chunks), port: request.socket.remotePort ?? 0 });
      const last = received.at(-1);
      if (last !== undefined) answer(response, received.length, last);
    });
  });
  vi.stubEnv('AWS_ENDPOINT_URL', origin);
  return received;
}

/** An answer with a status and a body, which is JSON where it is no text. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'x-amzn-requestid': 'REQUEST-1', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** What a call ended with: an answer, or all that its error says. */
export interface Outcome {
  readonly output?: unknown;
  readonly error?: Readonly<Record<string, unknown>>;
}

/** What a call ends with, fit to be compared. */
export async function outcomeOf(call: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { output: withoutAbsent(await call()) };
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    return { error: errorOf(thrown) };
  }
}

/** All that an error says, and what caused it. */
function errorOf(error: Error): Record<string, unknown> {
  const { stack: _, $response: __, cause: ___, ...own } = Object.assign({ stack: '', $response: '', cause: '' }, error);
  return {
    ...withoutAbsent(own),
    name: error.name,
    message: error.message,
    has$response: '$response' in error,
    cause: error.cause instanceof Error ? errorOf(error.cause) : error.cause,
  };
}

/** Without members that the SDK lists as undefined, such as ids of services that are not called here. */
function withoutAbsent(result: unknown): Record<string, unknown> {
  const present = Object.entries(Object.assign({}, result)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    present.map(([name, value]) => (name === '$metadata' ? [name, withoutAbsent(value)] : [name, value])),
  );
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
/** Headers by which clients may differ: who sent it, when, and the ids of the call. */
const OWN_HEADERS = ['user-agent', 'x-amz-user-agent', 'amz-sdk-invocation-id', 'x-amz-date', 'authorization'];

/** A request without what differs from call to call; a signature stays with its scope and the names it covers. */
export function comparable({ method, path, headers, body }: Received) {
  const others = Object.entries(headers).filter(([name]) => !OWN_HEADERS.includes(name));
  const authorization = String(headers.authorization)
    .replace(/\/\d{8}\//, '/DATE/')
    .replace(/Signature=[0-9a-f]{64}$/, 'Signature=')
    .replace(';x-amz-user-agent', '');
  const text = body.toString('latin1').replaceAll(UUID, 'UUID');
  const isToken = text !== body.toString('latin1');
  return {
    method,
    path,
    headers: Object.fromEntries(others.filter(([name]) => !(isToken && name === 'x-amz-content-sha256'))),
    authorization,
    date: /^\d{8}T\d{6}Z$/.test(String(headers['x-amz-date'])),
    invocation: String(headers['amz-sdk-invocation-id']).replaceAll(UUID, 'UUID'),
    body: text,
  };
}

/** Lets both clients do the same against the same service, and holds their requests and outcomes against each other. */
export async function compared(
  driverOf: (name: AwsClientName) => Driver,
  answer: Answer | undefined,
  act: (driver: Driver) => Promise<unknown>,
): Promise<{ readonly requests: Received[]; readonly outcome: Outcome }> {
  const [sdk, lean] = [await play('sdk'), await play('lean')];
  expect(lean.requests.map(comparable)).toEqual(sdk.requests.map(comparable));
  expect(lean.outcome).toStrictEqual(sdk.outcome);
  return lean;

  async function play(name: AwsClientName) {
    const requests = await recordingService(answer);
    // Chance is the same for both: the delays before repeats.
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.01);
    onTestFinished(() => void random.mockRestore());
    const outcome = await outcomeOf(() => act(driverOf(name)));
    random.mockRestore();
    // Ports are the server's and differ between the two.
    for (const { headers } of requests) headers.host = headers.host?.replace(/:\d+$/, ':PORT');
    return { requests, outcome };
  }
}
