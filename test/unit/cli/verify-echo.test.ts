import { beforeAll, describe, expect, it } from 'vitest';
import { answerEcho, plannedPath } from '../../../packages/cli/verify/echo/answer.ts';

interface Sent {
  readonly metadata: object;
  readonly chunks: Buffer[];
  ended: boolean;
}

let handler: (event: object, stream: object) => Promise<void>;

/** What Lambda's runtime adds to the global scope, as far as the echo uses it. */
beforeAll(async () => {
  Object.assign(globalThis, {
    awslambda: {
      streamifyResponse: (wrapped: unknown) => wrapped,
      HttpResponseStream: {
        from: (stream: { sent: Sent[] }, metadata: object) => {
          const one: Sent = { metadata, chunks: [], ended: false };
          stream.sent.push(one);
          return {
            write: (chunk: Uint8Array | string) => one.chunks.push(Buffer.from(chunk)) > 0,
            end: () => {
              one.ended = true;
            },
            once: () => {},
          };
        },
      },
    },
  });
  const loaded = await import('../../../packages/cli/verify/echo/lambda.ts');
  handler = loaded.handler as typeof handler;
});

function urlEvent(path: string, method = 'GET', body?: Buffer): object {
  return {
    rawPath: path,
    rawQueryString: 'a=1',
    headers: { 'x-one': '1' },
    isBase64Encoded: body !== undefined,
    ...(body === undefined ? {} : { body: body.toString('base64') }),
    requestContext: { domainName: 'echo.lambda-url.eu-central-1.on.aws', http: { method } },
  };
}

async function ask(event: object): Promise<Sent | undefined> {
  const stream: { sent: Sent[] } = { sent: [] };
  await handler(event, stream);
  return stream.sent[0];
}

describe('the echo behind a function URL', () => {
  it('describes the request it received, bytes included', async () => {
    const sent = await ask(urlEvent('/drive/v3/verify/a%2Fb', 'POST', Buffer.from([0, 255])));
    expect(sent?.ended).toBe(true);
    expect(JSON.parse(String(Buffer.concat(sent?.chunks ?? [])))).toEqual({
      method: 'POST',
      target: '/drive/v3/verify/a%2Fb?a=1',
      headers: [['x-one', '1']],
      body: { bytes: 2, sha256: '06eb7d6a69ee19e5fbdf749018d3d2abfa04bcbd1365db312eb86dc7169389b8' },
    });
  });

  it('sends cookies apart from headers and writes its own origin into an upload address', async () => {
    const planned = { 'Set-Cookie': 'a=1', Location: '{origin}/upload/drive/v3/files' };
    const sent = await ask(urlEvent(plannedPath({ status: 308, headers: Object.entries(planned) })));
    const Location = 'https://echo.lambda-url.eu-central-1.on.aws/upload/drive/v3/files';
    expect(sent?.metadata).toMatchObject({ statusCode: 308, cookies: ['a=1'], headers: { Location } });
  });

  it('breaks off without an end where it was asked to', async () => {
    const stream: { sent: Sent[] } = { sent: [] };
    const event = urlEvent(plannedPath({ parts: { count: 3, bytes: 10, pauseMs: 0 }, cutAfterParts: 1 }));
    await expect(handler(event, stream)).rejects.toThrow('breaks off here');
    expect(stream.sent[0]?.ended).toBe(false);
  });

  it('refuses a plan it does not understand', () => {
    const path = `/drive/v3/verify/plan/${Buffer.from('{"status":99}').toString('base64url')}`;
    const request = { method: 'GET', target: path, headers: [], body: Buffer.alloc(0) };
    expect(answerEcho(request, 'http://127.0.0.1:1').status).toBe(400);
  });
});
