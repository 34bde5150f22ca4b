import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { connect, Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type AwsCredentials, openCredentialBook } from '../../dev/local/aws/credentials.ts';
import { signedHeaders } from '../../dev/local/aws/signature.ts';
import { closeServer } from '../../dev/local/network.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { signIn } from '../support/operator.ts';
import { useTestGateway } from '../support/use-gateway.ts';

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

/** The port that the engine's process has bound. */
async function enginePort(dataDir: string): Promise<number> {
  const { engine } = JSON.parse(readFileSync(join(dataDir, 'lock.json'), 'utf8'));
  const args = readFileSync(`/proc/${engine.pid}/cmdline`, 'utf8').split('\0');
  return Number(args[args.indexOf('--port') + 1]);
}

function statusOf(url: string, headers: Record<string, string>, method = 'GET', body = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    call.once('error', reject);
    call.end(body);
  });
}

describe('a gateway on this computer', () => {
  test('IN-7: listens on loopback and nowhere else', async () => {
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

  test.runIf(process.platform === 'linux')(
    'IN-8: the engine, which checks no credentials, listens on an address that nothing prints',
    async () => {
      const { dynamodbEndpoint, dataDir } = gateway.gateway;
      const port = await enginePort(dataDir);
      expect(port).not.toBe(Number(new URL(dynamodbEndpoint).port));
      expect(await answers('127.0.0.1', port)).toBe(false);
      const told = readFileSync(join(dataDir, 'local.json'), 'utf8');
      expect(told).toContain(dynamodbEndpoint);
      expect(told).not.toContain(`:${port}`);
    },
  );

  describe('IN-8: the stand-ins of AWS', () => {
    const body = '{}';
    const targets = [
      ['secretsmanager', 'secretsmanager.ListSecrets'],
      ['kms', 'TrentService.ListKeys'],
      ['dynamodb', 'DynamoDB_20120810.ListTables'],
    ] as const;
    const ask = (
      [service, target]: readonly [service: string, target: string],
      credentials: AwsCredentials | undefined,
      more: Record<string, string> = {},
    ) => {
      const { dynamodbEndpoint, awsEndpoint } = gateway.gateway;
      const url = service === 'dynamodb' ? dynamodbEndpoint : awsEndpoint;
      const host = more.host ?? new URL(url).host;
      const call = { host, region: 'us-east-1', service, target, body };
      const headers = credentials === undefined ? { 'x-amz-target': target } : signedHeaders(credentials, call);
      return statusOf(url, { ...headers, ...more, host }, 'POST', body);
    };

    test.each(targets)(
      'the stand-ins of AWS answer %s calls with this run’s credentials and a loopback name only',
      async (...target) => {
        const { operator } = gateway.gateway.credentials;
        const known = target[0] === 'kms' ? 501 : 200;
        expect(await ask(target, operator)).toBe(known);
        expect(await ask(target, operator, { host: 'localhost:1' })).toBe(known);
        expect(await ask(target, operator, { host: 'evil.example' })).toBe(403);
        expect(await ask(target, operator, { host: '127.0.0.1.evil.example' })).toBe(403);
        expect(await ask(target, undefined)).toBe(403);
        expect(await ask(target, openCredentialBook().operator)).toBe(403);
        expect(await ask(target, { ...operator, secretAccessKey: 'guessed' })).toBe(403);
        expect(await ask(target, operator, { 'x-amz-date': '20260101T000000Z' })).toBe(403);
        expect(await ask(target, operator, { 'x-amz-security-token': 'other' })).toBe(403);
      },
    );

    test('the stand-ins of AWS take no session credentials without their session', async () => {
      const fn = { displayName: 'probe', name: 'probe', roleArn: 'arn:aws:iam::000000000000:role/none' };
      const { accessKeyId, secretAccessKey } = gateway.gateway.credentials.ofFunction(fn);
      expect(await ask(targets[2], { accessKeyId, secretAccessKey })).toBe(403);
    });

    test('hand no call of a function to anybody but its process', async () => {
      const { gatewayUrl, dashboardUrl, simulatorUrl } = gateway.gateway;
      const others = [gatewayUrl, dashboardUrl, simulatorUrl].map((url) => Number(new URL(url ?? '').port));
      const ports = servers
        .filter((server) => server.listening)
        .map((server) => Number(Object(server.address()).port))
        .filter((port) => !others.includes(port));
      const statuses = await Promise.all(
        ports.map((port) => statusOf(`http://127.0.0.1:${port}/2018-06-01/runtime/invocation/next`, {})),
      );
      // One for each process of a function, and the two of AWS.
      expect(ports.length).toBeGreaterThanOrEqual(gateway.gateway.children().length + 2);
      expect(new Set(statuses)).toEqual(new Set([403]));
      expect((await gateway.proxy('google-drive', '/drive/v3/files?pageSize=1')).status).toBe(200);
    });
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

describe('IN-10: a gateway as npm start has it', () => {
  const started = useTestGateway({ guarded: true, seed: false });
  /** What the dashboard sends a browser to, as far as the issuer judges who may ask. */
  const signInPage = async (cookie?: string) => {
    const { issuer } = await (await fetch(`${started.gateway.dashboardUrl}/config.json`)).json();
    const answer = await fetch(`${issuer}/oauth2/authorize`, cookie === undefined ? {} : { headers: { cookie } });
    return { status: answer.status, text: await answer.text() };
  };
  const open = (address: string | null) => fetch(address ?? '', { redirect: 'manual' });

  test('lets no browser sign in that does not come from the printed address, and each address in once', async () => {
    expect(await signInPage()).toMatchObject({ status: 403, text: expect.stringContaining('npm start printed') });
    await expect(signIn(started.gateway)).rejects.toThrow();
    const address = started.gateway.dashboardAddress;
    expect((await open(`${started.gateway.dashboardUrl}/open/guessed`)).status).toBe(403);
    const opened = await open(address);
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/']);
    const cookie = opened.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^opened_\d+=[\w-]{43}; Path=\/issuer; HttpOnly; SameSite=Lax$/);
    // Let in: what is wrong now is the request itself, which names no client.
    expect((await signInPage(cookie.split(';')[0])).status).toBe(400);
    expect((await open(address)).status).toBe(403);
    expect(started.gateway.dashboardAddress).not.toBe(address);
    expect((await open(started.gateway.dashboardAddress)).status).toBe(303);
  });

  test('lets nobody steer the simulated Google without its key', async () => {
    const statusAt = async (url: string) =>
      (await fetch(`${url}/clock`, { method: 'POST', body: '{"offsetSec":0}' })).status;
    const control = `${started.gateway.simulatorUrl}/__sim`;
    expect(await statusAt(control)).toBe(403);
    expect(await statusAt(`${control}/guessed`)).toBe(403);
    expect(await statusAt(started.gateway.simulatorControlUrl ?? '')).toBe(200);
    expect(started.gateway.simulatorControlUrl).toMatch(/\/__sim\/[\w-]{32}$/);
    const file = join(started.gateway.dataDir, 'local.json');
    expect(JSON.parse(readFileSync(file, 'utf8')).simulator_control_url).toBe(started.gateway.simulatorControlUrl);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
