import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BadFunctionResponse,
  readBufferedResult,
  readStreamMetadata,
  responseHeaders,
} from '../../../../dev/local/front/function-response.ts';
import { gatewayError, requireKnownTemplates } from '../../../../dev/local/front/gateway-errors.ts';
import { MAX_METADATA_BYTES, preludeCollector } from '../../../../dev/local/front/stream-prelude.ts';

function read(result: unknown): ReturnType<typeof readBufferedResult> {
  return readBufferedResult(Buffer.from(JSON.stringify(result)));
}

describe('a buffered result', () => {
  it('decodes a base64 body', () => {
    expect(read({ statusCode: 201, body: 'AP8=', isBase64Encoded: true })).toMatchObject({
      status: 201,
      body: Buffer.from([0, 255]),
    });
  });

  it('DS-7: a buffered result may have the bytes Lambda lets through and not one more, escapes and base64 counted', () => {
    const size = (body: string) => JSON.stringify({ statusCode: 200, body }).length;
    const most = 'x'.repeat(6_291_556 - size(''));
    expect(read({ statusCode: 200, body: most }).body.length).toBe(most.length);
    expect(() => read({ statusCode: 200, body: `${most}x` })).toThrow(BadFunctionResponse);
    expect(() => read({ statusCode: 200, body: `${most.slice(1)}"` })).toThrow(BadFunctionResponse);
  });

  it('takes the status as text and a missing body as empty', () => {
    expect(read({ statusCode: '204' })).toMatchObject({ status: 204, body: Buffer.alloc(0) });
  });

  it.each<{ result: unknown }>(
    [
      ...[null, 'text', [], {}],
      ...[99, 600, 200.5, 'ok'].map((statusCode) => ({ statusCode })),
      { statusCode: 200, body: {} },
      { statusCode: 200, unknown: 1 },
      { statusCode: 200, headers: [] },
      { statusCode: 200, headers: { 'bad name': 'x' } },
      { statusCode: 200, headers: { a: 'x\r\ny: z' } },
      { statusCode: 200, headers: { a: '😀' } },
      { statusCode: 200, multiValueHeaders: { a: 'x' } },
    ].map((result) => ({ result })),
  )('$result is refused', ({ result }) => {
    expect(() => read(result)).toThrow(BadFunctionResponse);
  });

  it('a buffered result that is no JSON is refused', () => {
    expect(() => readBufferedResult(Buffer.from('{'))).toThrow(BadFunctionResponse);
  });
});

/** Header fields written as `name value, name value`. */
const pairs = (text: string) => text.split(', ').map((pair) => pair.split(' '));

describe('response headers', () => {
  it('response headers come from headers, then multiValueHeaders, then cookies', () => {
    const headers = responseHeaders({
      headers: { a: '1', b: 2, 'content-type': 'text/html' },
      multiValueHeaders: { c: ['3', '4'] },
      cookies: ['x=1', 'y=2'],
    });
    const cookies = ['x=1', 'y=2'].map((value) => ['Set-Cookie', value]);
    expect(headers).toEqual([...pairs('a 1, b 2, content-type text/html, c 3, c 4'), ...cookies]);
  });

  it('response headers take multiValueHeaders where both name the same', () => {
    const result = { headers: { A: '1', 'content-type': 'x' }, multiValueHeaders: { a: ['2', '3'] } };
    expect(responseHeaders(result)).toEqual(pairs('content-type x, a 2, a 3'));
  });

  const renamed =
    'Authorization Connection content-length Content-MD5 Date Max-Forwards SERVER User-Agent WWW-Authenticate';
  it.each(renamed.split(' '))('rename %s', (name) => {
    expect(responseHeaders({ headers: { [name]: 'v' } })).toContainEqual([`x-amzn-Remapped-${name}`, 'v']);
  });

  it.each(['Expect', 'Host', 'Proxy-Authenticate', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade', 'via'])(
    'response headers drop %s, and get a content type when there is none',
    (name) => {
      expect(responseHeaders({ headers: { [name]: 'v' } })).toEqual([['Content-Type', 'application/json']]);
    },
  );
});

describe('the metadata of a stream', () => {
  const metadata = Buffer.from(JSON.stringify({ statusCode: 200, headers: { a: 'b' } }));

  it('the metadata of a stream is found however the bytes are cut, and the body behind it is whole', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 100 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        (bytes, sizes) => {
          const stream = Buffer.concat([metadata, Buffer.alloc(8), Buffer.from(bytes)]);
          const collector = preludeCollector();
          const body: Buffer[] = [];
          let found: Buffer | undefined;
          for (let position = 0, index = 0; position < stream.length; index += 1) {
            const size = sizes[index % sizes.length] ?? 1;
            const chunk = stream.subarray(position, position + size);
            position += size;
            if (found !== undefined) {
              body.push(chunk);
              continue;
            }
            const prelude = collector.push(chunk);
            found = prelude?.metadata;
            if (prelude !== undefined) body.push(prelude.rest);
          }
          expect(found).toEqual(metadata);
          expect(Buffer.concat(body)).toEqual(Buffer.from(bytes));
        },
      ),
    );
  });

  it('the metadata of a stream is refused when no separator comes in time', () => {
    const bytes = (beyond: number, zeros = 0) =>
      Buffer.concat([Buffer.alloc(MAX_METADATA_BYTES + beyond, 'x'), Buffer.alloc(zeros)]);
    for (const late of [bytes(8), bytes(1, 8)])
      expect(() => preludeCollector().push(late)).toThrow(BadFunctionResponse);
    expect(preludeCollector().push(bytes(7))).toBeUndefined();
  });

  it('needs a status', () => {
    expect(readStreamMetadata(metadata)).toMatchObject({ status: 200 });
    for (const other of ['{}', 'no json'])
      expect(() => readStreamMetadata(Buffer.from(other))).toThrow(BadFunctionResponse);
  });
});

describe('an answer of the front', () => {
  const NOTHING = { status: undefined, headers: {}, template: undefined };
  const response = (type: string, more = {}) => ({ ...NOTHING, type, ...more });

  it.each([
    ['missing-token', 403, 'Missing Authentication Token'],
    ['request-too-large', 413, 'Request Too Long'],
    ['bad-request', 400, 'Bad Request'],
    ['bad-response', 502, 'Internal server error'],
    // "Handling Lambda errors with an API Gateway API": an invocation that Lambda rejects is a 500.
    ['throttled', 500, 'Internal server error'],
    ['integration-timeout', 504, 'Endpoint request timed out'],
  ] as const)('%s is %i %s', (kind, status, message) => {
    const error = gatewayError(kind, [], 'r');
    expect([error.status, error.body.toString()]).toEqual([status, JSON.stringify({ message })]);
  });

  it('takes the response of its own type before the default of its class', () => {
    const configured = [
      response('DEFAULT_4XX', { headers: { a: "'default'" } }),
      response('DEFAULT_5XX', { headers: { a: "'five'" } }),
      response('MISSING_AUTHENTICATION_TOKEN', { status: 404, headers: { a: "'own'", id: 'context.requestId' } }),
    ];
    const answer = (kind: Parameters<typeof gatewayError>[0]) => gatewayError(kind, configured, 'r1');
    expect(answer('missing-token').status).toBe(404);
    expect(answer('missing-token').headers).toEqual(expect.arrayContaining(pairs('a own, id r1')));
    expect(answer('forbidden').headers).toContainEqual(['a', 'default']);
    expect(answer('bad-response').headers).toContainEqual(['a', 'five']);
  });

  it.each(['bad-request', 'request-too-large', 'uri-too-long', 'headers-too-large', 'length-required'] as const)(
    '%s takes nothing from the stack: it is given before API Gateway knows the API, or takes no customising',
    (kind) => {
      const configured = ['DEFAULT_4XX', 'REQUEST_TOO_LARGE', 'BAD_REQUEST_PARAMETERS'].map((type) =>
        response(type, { status: 418, headers: { a: "'default'" }, template: '{}' }),
      );
      expect(gatewayError(kind, configured, 'r1')).toEqual(gatewayError(kind, [], 'r1'));
    },
  );

  it('fills the template it is given and refuses variables it does not know', () => {
    const template = '{"error":$context.error.messageString,"id":"$context.requestId"}';
    const error = gatewayError('forbidden', [response('DEFAULT_4XX', { template })], 'r1');
    expect(error.body.toString()).toBe('{"error":"Forbidden","id":"r1"}');
    expect(() => requireKnownTemplates([response('DEFAULT_4XX', { template: '$input.body' })])).toThrow('$input.body');
  });
});
