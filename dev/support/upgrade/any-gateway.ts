import { existsSync } from 'node:fs';
/** A gateway of this version or another one, as far as tests of upgrades use it: by its HTTP API and its schedules. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ConsentChoice } from '../../../packages/simulator/consent.ts';
import type { LocalGateway, StartOptions } from '../../local/local-gateway.ts';

/** An answer of the API, read. */
export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: versions answer differently; each claim reads what it is about
  readonly body: any;
}

/** A running gateway. */
export interface AnyGateway {
  readonly gateway: Pick<
    LocalGateway,
    'gatewayUrl' | 'simulatorUrl' | 'secretKey' | 'tick' | 'waitForEvent' | 'events'
  >;
  /** Sends JSON to the API. @param key instead of the first one */
  ask(method: string, path: string, body?: unknown, key?: string): Promise<Answer>;
  /** Calls Google as a connection: a read, or with a body a POST. @param key instead of the first one */
  proxy(connection: ConnectionName, path: string, body?: unknown, key?: string): Promise<Answer>;
  /** Calls one of the simulator's control routes. @throws Error where it refuses */
  control(method: string, path: string, body?: unknown): Promise<void>;
}

/** A connection by its ids. */
export interface ConnectionName {
  readonly integration: string;
  readonly connection: string;
}

/** What every proxied test call asks for: something that a read-only grant of its provider may see. */
export const READ_PATHS: Readonly<Record<string, string>> = {
  'google-drive': '/drive/v3/files?pageSize=1',
  'google-calendar': '/calendar/v3/users/me/calendarList?maxResults=1',
};

/** A gateway by what it answers. */
export function anyGateway(gateway: AnyGateway['gateway']): AnyGateway {
  const send = async (address: string, init: RequestInit): Promise<Answer> => {
    const answer = await fetch(address, { redirect: 'manual', ...init });
    const text = await answer.text();
    return { status: answer.status, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
  };
  const json = (method: string, body: unknown, headers: Record<string, string> = {}): RequestInit =>
    body === undefined
      ? { method, headers }
      : { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return {
    gateway,
    ask: (method, path, body, key = gateway.secretKey) =>
      send(gateway.gatewayUrl + path, json(method, body, { authorization: `Bearer ${key}` })),
    proxy: ({ integration, connection }, path, body, key = gateway.secretKey) =>
      send(
        `${gateway.gatewayUrl}/proxy${path}`,
        json(body === undefined ? 'GET' : 'POST', body, {
          authorization: `Bearer ${key}`,
          'provider-config-key': integration,
          'connection-id': connection,
        }),
      ),
    async control(method, path, body) {
      const { status, body: told } = await send(`${gateway.simulatorUrl}/__sim${path}`, json(method, body));
      if (status >= 300) throw new Error(`Simulator control ${method} ${path}: ${status} ${JSON.stringify(told)}`);
    },
  };
}

/** A checkout of the project, of whatever version. */
export interface Checkout {
  start(options: StartOptions): Promise<LocalGateway>;
  walkConsent(authorizationUrl: string, choice?: ConsentChoice): Promise<{ location: string }>;
}

/** What starts gateways in a checkout. @param root its folder, with what it needs installed */
export async function checkoutAt(root: string): Promise<Checkout> {
  const load = (...path: string[]) => import(pathToFileURL(join(root, ...path)).href);
  // Versions up to 0.2.0 have these folders at the root.
  const isOld = existsSync(join(root, 'local', 'start.ts'));
  const { startLocal } = await load(isOld ? 'local' : 'dev/local', 'start.ts');
  const { walkConsent } = await load(isOld ? 'simulator' : 'packages/simulator', 'consent.ts');
  return { start: startLocal, walkConsent };
}
