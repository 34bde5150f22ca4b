import { createHash, randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { bytesOf, egress, serve, upstreamRequest } from '../../support/upstream.ts';

/** Starts a provider and sends it one GET. */
const answerOf = async (provider: RequestListener) => egress().send(upstreamRequest(await serve(provider)));

/** Announces more than it sends, then breaks off. */
const breakingOff: RequestListener = (_, out) => {
  out.writeHead(200, { 'content-length': '1000' });
  out.write('part', () => out.destroy());
};

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a small answer is read to its end without a turn of the event loop', async () => {
  const response = await answerOf((_, out) => out.end('small'));
  let turned = false;
  process.nextTick(() => {
    turned = true;
  });
  expect(String(await bytesOf(response.body))).toBe('small');
  expect(turned).toBe(false);
});

test('an answer without a body ends at once', async () => {
  expect(await bytesOf((await answerOf((_, out) => out.writeHead(204).end())).body)).toHaveLength(0);
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
  const response = await answerOf(breakingOff);
  await expect(bytesOf(response.body)).rejects.toThrow();
});

test('a body that broke off before anybody read it fails, too', async () => {
  const broken = Promise.withResolvers<void>();
  const response = await answerOf((incoming, out) => {
    incoming.socket.once('close', () => broken.resolve());
    breakingOff(incoming, out);
  });
  await broken.promise;
  for (let turns = 0; turns < 20; turns++) await turn();
  await expect(bytesOf(response.body)).rejects.toThrow();
});

test('a chunked body without its last chunk fails', async () => {
  const response = await answerOf((_, out) => {
    out.write('part', () => out.socket?.end());
  });
  await expect(bytesOf(response.body)).rejects.toThrow();
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
