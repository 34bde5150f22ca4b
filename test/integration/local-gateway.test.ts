// @module-tag long
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startEngine } from '../../dev/local/dynamodb/engine.ts';
import { closeServer, listen } from '../../dev/local/network.ts';
import { type LocalGateway, type StartOptions, startLocal } from '../../dev/local/start.ts';
import { connectAccount } from '../support/connect.ts';
import { startTestGateway } from '../support/gateway.ts';

let folder: string;
let started: LocalGateway[];
/** Started as `npm start` does: with nothing prepared, and a process of each function before the first call. */
let whole: LocalGateway;
const wholeFolder = mkdtempSync(join(tmpdir(), 'gateway-real-'));
beforeAll(async () => {
  whole = await startLocal({ dataDir: join(wholeFolder, 'data'), quiet: true, seed: true });
});
afterAll(async () => {
  await whole?.close();
  rmSync(wholeFolder, { recursive: true, force: true });
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-real-'));
  started = [];
});
afterEach(async () => {
  vi.unstubAllEnvs();
  // The last first: a gateway may use an earlier one's data.
  for (const gateway of started.reverse()) await gateway.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A gateway that makes its own data; its function processes start with their first calls. */
async function start(name: string, options: Partial<StartOptions> = {}): Promise<LocalGateway> {
  const gateway = await startLocal({ dataDir: join(folder, name), quiet: true, warmUp: false, ...options });
  started.push(gateway);
  return gateway;
}

async function listFiles(gateway: LocalGateway, through = gateway.gatewayUrl): Promise<Response> {
  const drive = gateway.connections.find((one) => one.integration_id === 'google-drive');
  return fetch(`${through}/proxy/drive/v3/files?pageSize=3`, {
    headers: {
      authorization: `Bearer ${gateway.secretKey}`,
      'provider-config-key': 'google-drive',
      'connection-id': drive?.connection_id ?? '',
    },
  });
}

describe('the synthesized stack', () => {
  it('numbers the records of a stream by an index, so that writes do not slow down as it grows', () => {
    const database = new DatabaseSync(join(wholeFolder, 'data', 'dynamodb.sqlite'), { readOnly: true });
    // As the engine asks before each write.
    const highest =
      'SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) FROM _stream_records WHERE table_name = ?';
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${highest}`).all('table');
    database.close();
    expect(JSON.stringify(plan)).toContain('gateway_stream_numbers');
  });

  it('serves a proxied call to the seeded connection and counts what its functions asked of AWS', async () => {
    const reply = await listFiles(whole);
    expect([reply.status, (await reply.json()).files.length]).toEqual([200, 3]);
    const services = new Set(whole.awsCalls().map((call) => `${call.functionName} ${call.service}`));
    expect([...services]).toEqual(
      expect.arrayContaining(['proxy DynamoDB', 'refresh secretsmanager', 'oauth-callback TrentService']),
    );
  });

  it('reports the seeded connections on its bus', async () => {
    const event = await whole.waitForEvent((one) => one['detail-type'] === 'ConnectionCreated');
    expect(event).toMatchObject({ source: 'integration-gateway', detail: { integration_id: 'google-drive' } });
  });

  it('AK-14: sends an event with the creator of a secret key', async () => {
    const headers = { authorization: `Bearer ${whole.secretKey}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'second', right: 'read' });
    await fetch(`${whole.gatewayUrl}/account/keys`, { method: 'POST', headers, body });
    const { data } = await (await fetch(`${whole.gatewayUrl}/account/keys`, { headers })).json();
    const [made, first] = data;
    const event = await whole.waitForEvent(({ detail }) =>
      JSON.stringify(detail).includes(`key:${made.id.slice(0, 12)}`),
    );
    expect(event).toMatchObject({
      'detail-type': 'SecretKeyCreated',
      detail: { actor: `key:${first.id.slice(0, 12)}` },
    });
    expect([made.created_by, first.created_by]).toEqual([`key:${first.id.slice(0, 12)}`, 'gateway']);
  });

  it('connects and proxies below a stage, with every part of Google on an origin of its own', async () => {
    await using test = await startTestGateway({ stagePrefix: 'v1', simulator: { separateOrigins: true } });
    const { gateway } = test;
    const connectionId = await connectAccount(test, 'google-drive');
    expect(
      (await test.proxy('google-drive', '/drive/v3/files', { headers: { 'connection-id': connectionId } })).status,
    ).toBe(200);
    const endpoints = gateway.simulator?.endpoints;
    expect(new URL(endpoints?.token_endpoint ?? '').origin).not.toBe(new URL(endpoints?.api_base_url ?? '').origin);
  });
});

describe('several gateways', () => {
  it('several gateways share one data plane: a key and a connection of the first work at the second', async () => {
    const second = await start('second', {
      seed: false,
      endpointOverrides: { dynamodb: whole.dynamodbEndpoint, aws: whole.awsEndpoint },
      credentials: whole.credentials,
      ...(whole.simulator === undefined ? {} : { googleEndpoints: whole.simulator.endpoints }),
    });
    expect(second.secretKey).toBe(whole.secretKey);
    expect((await listFiles(whole, second.gatewayUrl)).status).toBe(200);
  });

  it('several gateways run side by side without seeing each other', async () => {
    const second = await start('second', { seed: false });
    expect(second.secretKey).not.toBe(whole.secretKey);
    expect((await listFiles(whole, second.gatewayUrl)).status).toBe(401);
  });

  it('several gateways use an engine that runs elsewhere when one is named, and refuse a folder whose table is in another', async () => {
    const [engine, other] = await Promise.all(
      ['elsewhere', 'other'].map((name) => startEngine({ databasePath: join(folder, `${name}.sqlite`) })),
    );
    if (engine === undefined || other === undefined) throw new Error('Two engines are needed.');
    try {
      const gateway = await start('first', { seed: true, dynamoDb: engine.endpoint });
      expect((await listFiles(gateway)).status).toBe(200);
      await gateway.close();
      expect(statSync(join(folder, 'elsewhere.sqlite')).size).toBeGreaterThan(0);
      expect(existsSync(join(folder, 'first', 'dynamodb.sqlite'))).toBe(false);

      vi.stubEnv('GATEWAY_DYNAMODB_ENDPOINT', engine.endpoint);
      const again = await start('first');
      expect((await listFiles(gateway, again.gatewayUrl)).status).toBe(200);
      await again.close();
      vi.unstubAllEnvs();

      await expect(start('first')).rejects.toThrow('is in an engine that runs elsewhere: name it with --dynamodb');
      await expect(start('first', { dynamoDb: other.endpoint })).rejects.toThrow(/no longer has the table .*--fresh/);
      await (await start('second', { seed: false })).close();
      await expect(start('second', { dynamoDb: other.endpoint })).rejects.toThrow(
        `is not at ${other.endpoint}: leave --dynamodb out`,
      );
    } finally {
      await Promise.all([engine.stop(), other.stop()]);
    }
    await expect(start('first', { dynamoDb: other.endpoint })).rejects.toThrow(
      `No DynamoDB engine answers at ${other.endpoint}`,
    );
    for (const wrong of ['elsewhere', 'https://127.0.0.1:8000', 'http://127.0.0.1:8000/path']) {
      await expect(start('third', { dynamoDb: wrong })).rejects.toThrow(
        `(--dynamodb, GATEWAY_DYNAMODB_ENDPOINT) must be http://<host>:<port>, not "${wrong}"`,
      );
    }
  });
});

describe('a proxy of the test', () => {
  it('stands in front of an endpoint: it gets the real address before any function starts', async () => {
    let passed = 0;
    let real = '';
    const proxy = createServer((incoming, response) => {
      passed += 1;
      const upstream = request(real, { method: incoming.method, headers: incoming.headers }, (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      });
      incoming.pipe(upstream);
    });
    const address = `http://127.0.0.1:${await listen(proxy, 0, 'test', '')}`;
    const dynamodb = (realEndpoint: string): string => {
      real = realEndpoint;
      return address;
    };
    {
      await using test = await startTestGateway({ endpointOverrides: { dynamodb } });
      expect((await listFiles(test.gateway)).status).toBe(200);
      expect(passed).toBeGreaterThan(0);
      expect(real).toBe(test.gateway.dynamodbEndpoint);
    }
    await closeServer(proxy);
  });
});
