import { describe, expect, test } from 'vitest';
import type { publicLookup } from '../../../../lambdas/gateway/platform/egress/address-guard.ts';
import { openEndpointEgress } from '../../../../lambdas/gateway/platform/egress/egress.ts';
import { serve, upstreamError, upstreamRequest } from '../../support/upstream.ts';

/** A resolver that answers with the next of its lists each time it is asked. */
function resolver(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const resolve: NonNullable<Parameters<typeof publicLookup>[0]> = (host, _options, callback) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(host);
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    setImmediate(() => callback(null, found));
  };
  return { asked, resolve };
}

const request = (origin: string) => upstreamRequest(origin, { method: 'POST', body: Buffer.from('{}') });
const causeOf = async (work: Promise<unknown>) => (await upstreamError(work)).cause;

describe('the way out to endpoints of webhooks', () => {
  test('WH-11: a name that turns private between two attempts is refused at the second: each attempt resolves, and connects to that answer', async () => {
    let requests = 0;
    const origin = await serve((_request, response) => {
      requests++;
      response.writeHead(204).end();
    });
    const { port } = new URL(origin);
    const { asked, resolve } = resolver(['127.0.0.1'], ['10.0.0.1']);
    const egress = openEndpointEgress(true, resolve);
    const answer = await egress.send(request(`http://hooks.example.com:${port}`));
    for await (const _ of answer.body);
    expect([answer.status, asked.length]).toEqual([204, 1]);
    expect(await causeOf(egress.send(request(`http://hooks.example.com:${port}`)))).toMatchObject({ code: 'EPRIVATE' });
    expect([requests, asked.length]).toEqual([1, 2]);
  });

  test.each([
    ['loopback', ['127.0.0.1']],
    ['the instance metadata address', ['169.254.169.254']],
    ['one private answer among public ones', ['8.8.8.8', '10.0.0.1']],
    ['no answer at all', []],
  ])('WH-11: a name that resolves to %s is refused before anything is sent', async (_what, addresses) => {
    const { resolve } = resolver(addresses);
    const cause = await causeOf(openEndpointEgress(false, resolve).send(request('https://hooks.example.com')));
    expect(cause).toMatchObject({ code: 'EPRIVATE' });
  });

  test('WH-11: on a laptop this computer may be called, other private addresses may not', async () => {
    for (const address of ['10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1']) {
      const { resolve } = resolver([address]);
      const cause = await causeOf(openEndpointEgress(true, resolve).send(request('http://hooks.example.com:4000')));
      expect(cause).toMatchObject({ code: 'EPRIVATE' });
    }
  });

  test('WH-11: deployed, plain http is never spoken', () => {
    expect(() => openEndpointEgress(false).send(request('http://hooks.example.com'))).toThrow('loopback');
  });
});
