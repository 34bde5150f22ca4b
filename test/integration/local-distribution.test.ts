// @module-tag long
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureAssembly } from '../../dev/tools/assembly.ts';
import { connectAccount } from '../support/connect.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type RawAnswer, type RawRequest, rawRequest } from '../support/raw-http.ts';

const PROXY_DOMAIN = {
  domainName: 'proxy.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/0a1b2c3d-0000-4000-8000-000000000001',
};

let test: TestGateway;
let writer: string;
beforeAll(async () => {
  const stackOptions = { frontDoor: 'function-url', proxyDomain: PROXY_DOMAIN };
  const step = <T>(_name: string, work: () => Promise<T>) => work();
  const assemblyFolder = await ensureAssembly({ mode: 'auto', stackOptions, variant: 'proxy-domain', step });
  test = await startTestGateway({ assemblyFolder });
  const integration = { provider: 'google-drive', unique_key: 'drive-writer', scopes: ['drive'] };
  await test.json('POST', '/integrations', { ...integration, credentials_source: 'test' });
  writer = await connectAccount(test, 'drive-writer');
});
afterAll(() => test[Symbol.asyncDispose]());

const identity = (): [string, string][] => [
  ['Authorization', `Bearer ${test.gateway.secretKey}`],
  ['Provider-Config-Key', 'drive-writer'],
  ['Connection-Id', writer],
];
const send = (request: RawRequest): Promise<RawAnswer> =>
  rawRequest(test.gateway.proxyUrl, { ...request, headers: [...identity(), ...(request.headers ?? [])] });

describe('a distribution in front of the function URL', () => {
  it('FD-3: passes calls on, with their paths, and answers lead back to it', async () => {
    const about = await send({ path: '/proxy/drive/v3/about?fields=user' });
    expect([about.status, about.header('content-type')]).toEqual([200, expect.stringContaining('json')]);
    const headers: [string, string][] = [['Content-Type', 'application/json']];
    const path = '/proxy/upload/drive/v3/files?uploadType=resumable';
    const begun = await send({ method: 'POST', path, headers, body: '{"name":"a"}' });
    expect(begun.header('location')).toMatch(`${test.gateway.proxyUrl}/proxy/upload/drive/v3/files?`);
  });

  it('FD-21: a distribution in front of the function URL is the only way to the function URL: what brings another secret is refused', async () => {
    const forged = await send({ path: '/proxy/drive/v3/about', headers: [['X-Gateway-Door', 'guessed']] });
    // The distribution sets its own instead of a caller's.
    expect(forged.status).not.toBe(403);
    const own = test.gateway.directDoorUrl;
    if (own === undefined) throw new Error('There is no function URL');
    for (const headers of [identity(), [...identity(), ['X-Gateway-Door', 'guessed'] as [string, string]]]) {
      const answer = await rawRequest(own, { path: '/proxy/drive/v3/about?fields=user', headers });
      expect([answer.status, answer.header('x-gateway-error')]).toEqual([403, 'forbidden']);
      expect(answer.body.toString()).toContain(test.gateway.proxyUrl);
    }
  });

  it('FD-3: refuses what CloudFront refuses: a GET with a body, other methods, long addresses', async () => {
    const path = '/proxy/drive/v3/files';
    expect((await send({ path, body: 'x' })).status).toBe(403);
    expect((await send({ method: 'PROPFIND', path })).status).toBe(403);
    expect((await send({ path: `${path}?q=${'x'.repeat(8_200)}` })).status).toBe(414);
  });
});
