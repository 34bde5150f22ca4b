import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { functionUrlFront, type UrlFrontOptions } from '../../dev/local/front/url-server.ts';
import { closeServer, listen } from '../../dev/local/network.ts';
import { fake } from '../../dev/support/fake.ts';

let invoked = 0;
let port = 0;
const front = functionUrlFront(
  fake<UrlFrontOptions>({
    url: { id: 'url', functionArn: 'arn' },
    pool: () => {
      invoked++;
      throw new Error('reached');
    },
    note: () => undefined,
  }),
);
beforeAll(async () => {
  port = await listen(front, 0, 'the test', 'use another');
});
afterAll(() => closeServer(front));

/** Status of a request under a name; undefined where the connection was cut. */
function statusFor(host: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path: '/proxy/a', headers: { host } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode));
    });
    sent.on('error', () => resolve(undefined)).end();
  });
}

describe('the local function URL', () => {
  it('refuses every Host but that of this computer with 403, and calls no function (DNS rebinding)', async () => {
    for (const host of [
      'evil.example',
      '127.0.0.1.evil.example',
      'localhost.evil.example:80',
      '192.0.2.1',
      '0.0.0.0',
    ]) {
      expect(await statusFor(host), host).toBe(403);
    }
    expect(invoked).toBe(0);
  });

  it('serves the names of this computer on any port', async () => {
    for (const host of ['127.0.0.1', `localhost:${port}`, '[::1]:1']) await statusFor(host);
    expect(invoked).toBe(3);
  });
});
