import { rmSync } from 'node:fs';
import { type LocalGateway, type StartOptions, startLocal } from '../../dev/local/start.ts';
import { assemblyOfDoor } from './door.ts';
import { copyPreparedData, newDataFolder } from './prepared-data.ts';

/** A gateway of its own for one test file: the assembly of this test run, a temporary data folder, free ports. */
export interface TestGateway extends AsyncDisposable {
  readonly gateway: LocalGateway;
  /** Calls the gateway with the secret key; `path` starts with a slash. */
  call(path: string, init?: RequestInit): Promise<Response>;
  /** Sends JSON to the API and reads the JSON it answers. @param key instead of the first one */
  json(method: string, path: string, body?: unknown, key?: string): Promise<JsonAnswer>;
  /** Calls the proxy as the seeded connection of an integration. */
  proxy(integrationId: string, path: string, init?: RequestInit): Promise<Response>;
  /** Calls the proxy as any connection. */
  proxyAs(integrationId: string, connectionId: string, path: string, init?: RequestInit): Promise<Response>;
  connectionId(integrationId: string): string;
}

/** An answer of the API; `body` is undefined where it has none. */
export interface JsonAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Awaited<ReturnType<Response['json']>>;
}

/**
 * Starts a gateway on a copy of data that the test run prepared: with a first key and, unless `seed` is false, the first
 * connections. Function processes start with their first call. With `fresh: true`, a data folder, another Google or
 * another template it makes its own data.
 */
export async function startTestGateway(options: Partial<StartOptions> = {}): Promise<TestGateway> {
  const dataDir = options.dataDir ?? newDataFolder();
  const { fresh, assemblyFolder, googleEndpoints } = options;
  const ofDoor = assemblyFolder === undefined ? await assemblyOfDoor() : undefined;
  const makesItsOwn =
    fresh === true || [options.dataDir, assemblyFolder, googleEndpoints].some((one) => one !== undefined);
  if (!makesItsOwn) copyPreparedData(dataDir, options.seed ?? true);
  const gateway = await startLocal({
    dataDir,
    quiet: true,
    synth: 'reuse',
    schedules: false,
    // Each event would start a process that no test but those of webhooks looks at.
    rules: false,
    warmUp: false,
    // Two race each other as well as four, and each takes 10 % of a second of processor time to start.
    maxChildrenPerFunction: 2,
    ...(ofDoor === undefined ? {} : { assemblyFolder: ofDoor }),
    ...options,
  });
  const connectionId = (integrationId: string) => {
    const found = gateway.connections.find((connection) => connection.integration_id === integrationId);
    if (found === undefined) throw new Error(`No seeded connection of ${integrationId}`);
    return found.connection_id;
  };
  const call = (path: string, init: RequestInit = {}) =>
    fetch((path.startsWith('/proxy') ? gateway.proxyUrl : gateway.gatewayUrl) + path, {
      redirect: 'manual',
      ...init,
      headers: { authorization: `Bearer ${gateway.secretKey}`, ...headersOf(init) },
    });
  const proxyAs = (integrationId: string, connection: string, path: string, init: RequestInit = {}) => {
    const identity = { 'provider-config-key': integrationId, 'connection-id': connection };
    return call(`/proxy${path}`, { ...init, headers: { ...identity, ...headersOf(init) } });
  };
  return {
    gateway,
    call,
    async json(method, path, body, key) {
      const { headers = {}, ...request } = body === undefined ? { method } : jsonRequest(method, body);
      const answer = await call(path, {
        ...request,
        headers: { ...headersOf({ headers }), ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
    },
    connectionId,
    proxy: (integrationId, path, init) => proxyAs(integrationId, connectionId(integrationId), path, init),
    proxyAs,
    async [Symbol.asyncDispose]() {
      await gateway.close();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A request with a body of JSON. */
export function jsonRequest(method: string, body: unknown): RequestInit {
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function headersOf(init: RequestInit): Record<string, string> {
  return Object.fromEntries(new Headers(init.headers).entries());
}
