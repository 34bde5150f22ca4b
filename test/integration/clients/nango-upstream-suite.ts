import type { ServerResponse } from 'node:http';
import { Nango } from '@nangohq/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StartOptions } from '../../../dev/local/start.ts';
import { type ProxyGateway, startProxyGateway } from '../../support/proxy-gateway.ts';
import { changeConnection } from '../../support/table.ts';
import { failureOf } from './nango-failures.ts';

/**
 * Lets time pass sixty times as fast where phases of an outgoing request are measured, in every function process: the two minutes
 * that the gateway waits for a status line are two seconds, because a busy computer may take one for an answer that is no more
 * than a closed connection.
 */
const IMPATIENT = 'data:text/javascript,const now=performance.now.bind(performance);performance.now=()=>now()*60';

/** Failures below the gateway: a provider out of order, and the gateway's own dependencies. */
export function describeUpstreamFailures(title: string, options: Partial<StartOptions>): void {
  describe(title, () => {
    let proxy: ProxyGateway;
    let nango: Nango;
    let drive: { providerConfigKey: string; connectionId: string };
    beforeAll(async () => {
      proxy = await startProxyGateway({ ...options, preloads: [IMPATIENT], maxChildrenPerFunction: 1 });
      const { gatewayUrl, secretKey } = proxy.test.gateway;
      nango = new Nango({ host: gatewayUrl, secretKey });
      drive = { providerConfigKey: 'google-drive', connectionId: proxy.test.connectionId('google-drive') };
    });
    afterAll(() => proxy?.[Symbol.asyncDispose]());

    const answer = (script: (response: ServerResponse) => void) =>
      proxy.upstream.answer((_request, response) => script(response));
    const change = () => failureOf(nango.post({ ...drive, endpoint: '/drive/v3/files', data: { name: 'a' } }));

    test('a key service that is down is 503 while the gateway has no key in memory', { tags: ['long'] }, async () => {
      proxy.test.gateway.switches.kms.throttled = true;
      const failure = await change();
      proxy.test.gateway.switches.kms.throttled = false;
      expect(failure).toMatchObject({ status: 503, code: 'service_unavailable' });
      expect(failure.retryAfter).toMatch(/^\d+$/);
    });

    test('a record that cannot be read is 500 and shows the request id only', async () => {
      const broken = proxy.test.connectionId('google-calendar');
      await changeConnection(proxy.test, 'google-calendar', broken, { createdAt: 7 });
      const read = () => failureOf(nango.getConnection('google-calendar', broken));
      // On a busy machine the table may not answer in time, which is a 503 that says to try again.
      await expect.poll(read).toMatchObject({ status: 500, code: 'internal_error' });
      expect((await read()).message).not.toMatch(/createdAt/);
    });

    test('a provider that closes the connection is 502 and says that a write may have been applied', async () => {
      answer((response) => void response.socket?.destroy());
      const failure = await change();
      expect(failure).toMatchObject({ status: 502, code: 'upstream_unreachable' });
      expect(failure.message).toMatch(/may have been applied/);
    });

    test('an answer whose head is broken is 502 of its own kind', async () => {
      answer((response) => void response.socket?.end('this is not http\r\n\r\n'));
      expect(await change()).toMatchObject({ status: 502, code: 'upstream_invalid_response' });
    });

    test('no status line in time is 504', { tags: ['long'] }, async () => {
      answer(() => {});
      expect(await change()).toMatchObject({ status: 504, code: 'upstream_timeout' });
    });

    test('a provider that breaks in mid-body gives a stream that is cut, never one that ends cleanly', async () => {
      answer((response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('half');
        setTimeout(() => response.socket?.destroy(), 50);
      });
      const error = await nango.get({ ...drive, endpoint: '/drive/v3/files' }).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toMatchObject({ code: expect.stringMatching(/ECONNRESET|ERR_BAD_RESPONSE|ECONNABORTED/) });
    });
  });
}
