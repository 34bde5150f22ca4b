import type { LookupAddress, LookupOptions } from 'node:dns';
import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { UpstreamError, type UpstreamRequest } from '../../../../lambdas/gateway/core/upstream.ts';
import { openWebhookEgress } from '../../../../lambdas/gateway/platform/egress/egress.ts';
import { closeServer, listen } from '../../../../local/network.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A resolver that answers with the next of its lists each time it is asked. */
function resolver(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const resolve = (
    host: string,
    _options: LookupOptions,
    callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
  ) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(host);
    setImmediate(() =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    );
  };
  return { asked, resolve };
}

const request = (origin: string): UpstreamRequest => ({
  origin,
  method: 'POST',
  path: '/hook',
  headers: [],
  body: Buffer.from('{}'),
  firstByteTimeoutMs: 2_000,
  idleTimeoutMs: 2_000,
  totalTimeoutMs: 2_000,
});

async function causeOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof UpstreamError)) throw new Error(`Expected an UpstreamError, got ${String(error)}`);
  return error.cause;
}

describe('the way out to endpoints of webhooks', () => {
  test('WH-11: a name that turns private between two attempts is refused at the second: each attempt resolves, and connects to that answer', async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests++;
      response.writeHead(204).end();
    });
    const port = await listen(server, 0, 'endpoint', 'again');
    closers.push(() => closeServer(server));
    const { asked, resolve } = resolver(['127.0.0.1'], ['10.0.0.1']);
    const egress = openWebhookEgress(true, resolve);
    const answer = await egress.send(request(`http://hooks.example.com:${port}`));
    for await (const _ of answer.body);
    expect([answer.status, asked.length]).toEqual([204, 1]);
    expect(await causeOf(egress.send(request(`http://hooks.example.com:${port}`)))).toMatchObject({ code: 'EPRIVATE' });
    expect([requests, asked.length]).toEqual([1, 2]);
  });

  test.each([
    ['loopback', ['127.0.0.1']],
    ['a private network', ['192.168.1.1']],
    ['the instance metadata address', ['169.254.169.254']],
    ['an IPv4-mapped form', ['::ffff:127.0.0.1']],
    ['a NAT64 form', ['64:ff9b::7f00:1']],
    ['a unique-local address', ['fd00:ec2::254']],
    ['a link-local address', ['fe80::1']],
    ['multicast', ['224.0.0.1']],
    ['one private answer among public ones', ['8.8.8.8', '10.0.0.1']],
    ['no answer at all', []],
  ])('WH-11: a name that resolves to %s is refused before anything is sent', async (_what, addresses) => {
    const { resolve } = resolver(addresses);
    const cause = await causeOf(openWebhookEgress(false, resolve).send(request('https://hooks.example.com')));
    expect(cause).toMatchObject({ code: 'EPRIVATE' });
  });

  test('WH-11: on a laptop this computer may be called, other private addresses may not', async () => {
    for (const address of ['10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1']) {
      const { resolve } = resolver([address]);
      const cause = await causeOf(openWebhookEgress(true, resolve).send(request('http://hooks.example.com:4000')));
      expect(cause).toMatchObject({ code: 'EPRIVATE' });
    }
  });

  test('WH-11: deployed, plain http is never spoken', () => {
    expect(() => openWebhookEgress(false).send(request('http://hooks.example.com'))).toThrow('loopback');
  });
});
