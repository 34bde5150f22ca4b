import { createHash, randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import type { Upstream, UpstreamResponse } from '../../../../lambdas/gateway/core/upstream.ts';
import { openEgress } from '../../../../lambdas/gateway/platform/egress/egress.ts';

let server: Server | undefined;
let egress: Upstream | undefined;
afterEach(() => {
  egress?.close();
  server?.closeAllConnections();
  server?.close();
});

/** Starts a provider and sends it one GET. */
async function answerOf(provider: RequestListener): Promise<UpstreamResponse> {
  const listening = createServer(provider);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  egress = openEgress(true);
  return egress.send({
    origin: `http://127.0.0.1:${address.port}`,
    method: 'GET',
    path: '/',
    headers: [],
    body: undefined,
    firstByteTimeoutMs: 5_000,
    idleTimeoutMs: 5_000,
    totalTimeoutMs: 10_000,
  });
}

async function readAll(response: UpstreamResponse): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a small answer is read to its end without a turn of the event loop', async () => {
  const response = await answerOf((_, out) => out.end('small'));
  let turned = false;
  process.nextTick(() => {
    turned = true;
  });
  expect(String(await readAll(response))).toBe('small');
  expect(turned).toBe(false);
});

test('an answer without a body ends at once', async () => {
  expect(await readAll(await answerOf((_, out) => out.writeHead(204).end()))).toHaveLength(0);
});

test('a large body arrives equal at a reader slower than the provider', async () => {
  const sent = randomBytes(20 * 1024 * 1024);
  const response = await answerOf((_, out) => out.end(sent));
  const hash = createHash('sha256');
  for await (const chunk of response.body) {
    hash.update(chunk);
    await turn();
  }
  expect(hash.digest('hex')).toBe(createHash('sha256').update(sent).digest('hex'));
});

test('a body that breaks off while it is read fails', async () => {
  const response = await answerOf((_, out) => {
    out.writeHead(200, { 'content-length': '1000' });
    out.write('part', () => out.destroy());
  });
  await expect(readAll(response)).rejects.toThrow();
});

test('a body that broke off before anybody read it fails, too', async () => {
  const broken = Promise.withResolvers<void>();
  const response = await answerOf((incoming, out) => {
    out.writeHead(200, { 'content-length': '1000' });
    out.write('part', () => out.destroy());
    incoming.socket.once('close', () => broken.resolve());
  });
  await broken.promise;
  for (let turns = 0; turns < 20; turns++) await turn();
  await expect(readAll(response)).rejects.toThrow();
});

test('a chunked body without its last chunk fails', async () => {
  const response = await answerOf((_, out) => {
    out.write('part', () => out.socket?.end());
  });
  await expect(readAll(response)).rejects.toThrow();
});

test('leaving a body unread closes its connection', async () => {
  const closed = Promise.withResolvers<void>();
  const response = await answerOf((incoming, out) => {
    incoming.socket.once('close', () => closed.resolve());
    out.writeHead(200, { 'content-length': '1000' });
    out.write('part');
  });
  for await (const chunk of response.body) {
    expect(String(chunk)).toBe('part');
    break;
  }
  await closed.promise;
});
