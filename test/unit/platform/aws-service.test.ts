import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createPlainServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isSignedBy, readAuthorization } from '../../../dev/local/aws/signature.ts';
import { authorizationOf, openAwsService } from '../../../lambdas/gateway/platform/aws-service.ts';

const KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };

const servers: { close(): unknown; closeAllConnections?(): void }[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) {
    server.closeAllConnections?.();
    server.close();
  }
});

async function listen(server: Server | ReturnType<typeof createPlainServer>): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address: string | AddressInfo | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

/** A service with given answers, and the credentials that Lambda gives a function. */
async function service(answer: RequestListener, callMs = 5_000) {
  vi.stubEnv('AWS_ACCESS_KEY_ID', KEYS.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', KEYS.secretAccessKey);
  vi.stubEnv('AWS_SESSION_TOKEN', 'session token');
  const environment = { AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL: await listen(createServer(answer)) };
  return openAwsService('events', 'https://never.example', 'AWSEvents', '1.1', environment, {
    connect: 1_000,
    call: callMs,
  });
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('a call of a service without its SDK', () => {
  it('a call of a service without its SDK is signed as the published example post-vanilla', () => {
    const headers = { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z' };
    expect(authorizationOf({ headers, body: '', region: 'us-east-1', service: 'service' }, KEYS)).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
    );
  });

  it('carries target, version, session token and a signature that fits, and gives the answer', async () => {
    const asked = Promise.withResolvers<{ request: IncomingMessage; body: Buffer }>();
    const bus = await service(async (request, response) => {
      asked.resolve({ request, body: await bodyOf(request) });
      response.end('{"Entries":[]}');
    });
    expect(await bus.call('PutEvents', { Entries: ['ä'] })).toEqual({ Entries: [] });
    const { request, body } = await asked.promise;
    expect(body.toString('utf8')).toBe('{"Entries":["ä"]}');
    expect(request.headers).toMatchObject({
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSEvents.PutEvents',
      'x-amz-security-token': 'session token',
      'content-length': String(body.length),
    });
    const authorization = readAuthorization(request.headers.authorization);
    if (authorization === undefined) throw new Error('not signed');
    expect(authorization.scope.slice(1)).toEqual(['eu-west-1', 'events']);
    const credentials = { ...KEYS, sessionToken: 'session token' };
    expect(isSignedBy(credentials, authorization, 'POST', '/', request.headers, body)).toBe(true);
    expect(isSignedBy(credentials, authorization, 'POST', '/', request.headers, Buffer.from('{}'))).toBe(false);
  });

  it.each<[status: number, headers: Record<string, string>, body: string, name: string]>([
    [400, {}, '{"__type":"com.amazonaws.events#ThrottlingException","message":"m"}', 'ThrottlingException'],
    [400, { 'x-amzn-errortype': 'ValidationException:http://x/' }, '{}', 'ValidationException'],
    [413, {}, '<html>', 'RequestEntityTooLarge'],
    [503, {}, '', 'Status503'],
  ])('fails with the name of the error: %i %j %s', async (status, headers, body, name) => {
    const bus = await service((_request, response) => response.writeHead(status, headers).end(body));
    await expect(bus.call('PutEvents', {})).rejects.toMatchObject({ name });
  });

  it('ends where the service never answers', async () => {
    const bus = await service(() => {}, 50);
    await expect(bus.call('PutEvents', {})).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('ends where the answer trickles', async () => {
    const bus = await service((_request, response) => {
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
    }, 80);
    await expect(bus.call('PutEvents', {})).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('takes a cut answer for none', async () => {
    const bus = await service((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{}', () => response.destroy());
    });
    await expect(bus.call('PutEvents', {})).rejects.toThrow();
  });

  it('fails where nobody listens, and where the answer is no HTTP', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'a');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'b');
    const open = (url: string) => openAwsService('events', url, 'AWSEvents', '1.1', { AWS_REGION: 'eu-west-1' });
    await expect(open('http://127.0.0.1:1').call('PutEvents', {})).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const rubbish = await listen(createPlainServer((socket) => socket.end('rubbish\r\n\r\n')));
    await expect(open(rubbish).call('PutEvents', {})).rejects.toThrow();
  });
});
