import { readdirSync, statSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { connect, Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closeServer } from '../../local/network.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { signIn } from '../support/operator.ts';

/** Addresses of this computer that a server on 127.0.0.1 does not answer at; the first is another loopback address. */
const ELSEWHERE = [
  '127.0.0.2',
  ...Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)),
].filter((address) => address !== '127.0.0.1' && !address.startsWith('fe80'));

let gateway: TestGateway;
const servers: Server[] = [];
beforeAll(async () => {
  const original = Server.prototype.listen;
  vi.spyOn(Server.prototype, 'listen').mockImplementation(function listen(this: Server, ...args: unknown[]) {
    servers.push(this);
    return Reflect.apply(original, this, args);
  });
  gateway = await startTestGateway();
  await gateway.proxy('google-drive', '/drive/v3/files?pageSize=1');
  await signIn(gateway.gateway);
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  vi.restoreAllMocks();
});

/** Whether somebody listens there. */
function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const settle = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.setTimeout(2_000, () => settle(false));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(url, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    call.once('error', reject);
    call.end();
  });
}

describe('a gateway on this computer', () => {
  test('IN-7: listens on loopback and nowhere else: every server of its own, and the engine', async () => {
    const own = servers.filter((server) => server.listening).map((server) => Object(server.address()));
    // Front door, dashboard, simulator, AWS services, and one runtime API a function process.
    expect(own.length).toBeGreaterThan(5);
    expect(new Set(own.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']));
    const { gatewayUrl, dashboardUrl, simulatorUrl, dynamodbEndpoint, awsEndpoint } = gateway.gateway;
    const urls = [gatewayUrl, dashboardUrl, simulatorUrl, dynamodbEndpoint, awsEndpoint].map(
      (url) => new URL(url ?? ''),
    );
    expect(new Set(urls.map(({ hostname }) => hostname))).toEqual(new Set(['127.0.0.1']));
    const ports = new Set([...own.map(({ port }) => Number(port)), ...urls.map(({ port }) => Number(port))]);
    for (const port of ports) {
      expect(await answers('127.0.0.1', port), `127.0.0.1:${port}`).toBe(true);
      for (const host of ELSEWHERE) expect(await answers(host, port), `${host}:${port}`).toBe(false);
    }
  });

  test.runIf(process.platform === 'linux')('a server on every address would be seen', async () => {
    const open = createServer();
    await new Promise<void>((resolve) => open.listen(0, '0.0.0.0', resolve));
    expect(await answers('127.0.0.2', Object(open.address()).port)).toBe(true);
    await closeServer(open);
  });

  test('IN-7: keeps every folder and file of its data for its owner', () => {
    const { dataDir } = gateway.gateway;
    const modes = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).map((name) => {
      const stats = statSync(join(dataDir, name));
      return [name, stats.isDirectory() ? 'folder' : 'file', (stats.mode & 0o777).toString(8)] as const;
    });
    expect((statSync(dataDir).mode & 0o777).toString(8)).toBe('700');
    expect(modes.length).toBeGreaterThan(5);
    expect(modes.filter(([, kind, mode]) => mode !== (kind === 'folder' ? '700' : '600'))).toEqual([]);
  });

  test.each<[who: string, headers: Record<string, string>]>([
    ['a page', { origin: 'https://evil.example' }],
    ['a page of the simulator itself', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
    [
      'a picture or script tag',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
    ],
    [
      'an address typed into a browser',
      { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ],
    ['a name that was bound to this computer', { host: 'evil.example' }],
  ])('IN-7: the simulator’s controls refuse %s', async (_who, headers) => {
    const url = `${gateway.gateway.simulatorUrl}/__sim/state`;
    expect(await statusOf(url, {})).toBe(200);
    expect(await statusOf(url, headers)).toBe(403);
  });
});
