import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { vi } from 'vitest';
import { urlEvent } from '../../dev/local/front/url-event.ts';
import { endpointVariables } from '../../dev/local/google-endpoints.ts';
import { functionEnvironment } from '../../dev/local/lambda/environment.ts';
import { readAssembly } from '../../dev/local/template/read-stack.ts';
import { ensureAssembly } from '../../dev/tools/assembly.ts';
import { FUNCTION_NAMES } from '../../lambdas/gateway/core/contract.ts';
import type { StreamHead } from '../../lambdas/gateway/http/front-door.ts';
import type { Door } from './door.ts';
import type { TestGateway } from './gateway.ts';

/** A request of the proxy, without the front door's additions. */
export interface ProxyInvocation {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** @default - a new one */
  readonly requestId?: string;
  /** @default 'rest-api' */
  readonly door?: Door;
  /** Where the answer is written, for who reads it in a way of their own. @default - it is read to its end */
  readonly stream?: PassThrough;
}

/** The function's output. */
export interface ProxyAnswer {
  readonly status: number;
  /** First value of a header. */
  header(name: string): string | undefined;
  readonly body: string;
}

/** The environment of this process that replaces the deployed function's. */
export interface GatewayFacts {
  readonly dynamodb: string;
  readonly aws: string;
  readonly googleApi: string;
  /** Variables of the function that have another value than in the template. @default - none */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Heads of the answers of all processes: there is one runtime for them. */
const heads = new WeakMap<PassThrough, StreamHead>();

/**
 * The proxy's bundle, as it deploys with the lean AWS client, inside the test's own process, so that calls overlap in one memory,
 * which a front door with one call a process never lets happen. Stubs environment and runtime; the caller takes the stubs back.
 */
export async function loadProxy(
  test: TestGateway,
  settings: GatewayFacts,
): Promise<(invocation: ProxyInvocation) => Promise<ProxyAnswer>> {
  const { codeFolder, environment } = await functionOf(test, settings);
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  vi.stubGlobal('awslambda', {
    streamifyResponse: (handler: unknown) => handler,
    HttpResponseStream: {
      from(stream: PassThrough, head: StreamHead) {
        heads.set(stream, head);
        return stream;
      },
    },
  });
  // As a new process has none, this function shares nothing with one that another test file loaded: each has a name of its own.
  const bundle = `${pathToFileURL(join(codeFolder, 'index.mjs')).href}?${randomUUID()}`;
  const { handler }: { handler: unknown } = await import(bundle);
  if (typeof handler !== 'function') throw new Error('The proxy has no handler');
  return async ({ path, headers, requestId = randomUUID(), door = 'rest-api', stream = new PassThrough() }) => {
    const body = buffer(stream);
    const event = door === 'rest-api' ? restEvent(path, headers, requestId) : eventOfUrl(path, headers, requestId);
    await handler(event, stream, {
      awsRequestId: requestId,
      invokedFunctionArn: INVOKED_BY_FRONT_DOOR,
      getRemainingTimeInMillis: () => 30_000,
    });
    const head = heads.get(stream);
    const all = { ...head?.multiValueHeaders, ...head?.headers };
    const header = (name: string) => [Object.entries(all).find(([key]) => key.toLowerCase() === name)?.[1]].flat()[0];
    return { status: head?.statusCode ?? 0, header, body: (await body).toString() };
  };
}

/** Front doors invoke the alias `live`, behind which is no inner door. */
const INVOKED_BY_FRONT_DOOR = 'arn:aws:lambda:us-east-1:000000000000:function:proxy:live';

function restEvent(path: string, headers: ProxyInvocation['headers'], requestId: string) {
  const multiValueHeaders = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  const requestContext = { requestId, identity: { sourceIp: '203.0.113.9' } };
  const message = {
    resource: '/proxy/{proxy+}',
    httpMethod: 'GET',
    path,
    multiValueHeaders,
    multiValueQueryStringParameters: null,
  };
  return { ...message, requestContext, body: null, isBase64Encoded: false };
}

function eventOfUrl(path: string, headers: ProxyInvocation['headers'], requestId: string) {
  return urlEvent({
    method: 'GET',
    target: { path, query: undefined },
    headers: [['Host', 'abc.lambda-url.test'], ...Object.entries(headers)],
    body: Buffer.alloc(0),
    client: { sourceIp: '203.0.113.9', port: 443, protocol: 'https', traceId: 'Root=1-2-3' },
    urlId: 'abc',
    requestId,
    receivedAt: new Date(),
  });
}

async function functionOf(test: TestGateway, settings: GatewayFacts) {
  const folder = await ensureAssembly({ mode: 'reuse', step: (_name, work) => work() });
  const stack = await readAssembly(folder);
  const fn = stack.functions.find(({ displayName }) => displayName === FUNCTION_NAMES[0]);
  const endpoints = test.gateway.simulator?.endpoints;
  if (fn === undefined || endpoints === undefined) throw new Error('There is no proxy function or no simulator');
  const environment = functionEnvironment(fn, {
    region: stack.region,
    runtimeApi: '',
    awsEndpoint: settings.aws,
    dynamoDbEndpoint: settings.dynamodb,
    credentials: test.gateway.credentials,
    emptyConfigFile: '/dev/null',
    overrides: {
      ...endpointVariables({ ...endpoints, api_base_url: settings.googleApi }),
      BASE_URL: test.gateway.gatewayUrl,
      ...settings.variables,
    },
  });
  // Its own PATH and time zone are the test's.
  const { PATH: _path, TZ: _zone, LANG: _language, ...rest } = environment;
  return { codeFolder: fn.codeFolder, environment: rest };
}
