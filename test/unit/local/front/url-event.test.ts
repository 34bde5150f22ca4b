import { describe, expect, it } from 'vitest';
import { MAX_EVENT_BYTES, refusedByUrl } from '../../../../dev/local/front/first-look.ts';
import { readUrlMetadata } from '../../../../dev/local/front/function-response.ts';
import { type UrlRequest, urlEvent } from '../../../../dev/local/front/url-event.ts';

function request(more: Partial<UrlRequest> = {}): UrlRequest {
  return {
    method: 'GET',
    target: { path: '/proxy/a%2Fb', query: undefined },
    headers: [['Host', 'abc.lambda-url.test']],
    body: Buffer.alloc(0),
    client: { sourceIp: '127.0.0.1', port: 3003, protocol: 'http', traceId: 'Root=1-2-3' },
    urlId: 'abc',
    requestId: 'request-1',
    receivedAt: new Date('2026-11-20T13:00:54.321Z'),
    ...more,
  };
}

describe('the event of a function URL', () => {
  it('the event of a function URL has the members of payload format 2.0', () => {
    expect(urlEvent(request())).toMatchObject({
      version: '2.0',
      routeKey: '$default',
      rawPath: '/proxy/a%2Fb',
      rawQueryString: '',
      isBase64Encoded: false,
      requestContext: {
        accountId: 'anonymous',
        domainName: 'abc.lambda-url.test',
        http: { method: 'GET', path: '/proxy/a%2Fb', sourceIp: '127.0.0.1' },
        requestId: 'request-1',
        stage: '$default',
        timeEpoch: 1_795_179_654_321,
      },
    });
    expect(urlEvent(request())).not.toHaveProperty('body');
    expect(urlEvent(request())).not.toHaveProperty('cookies');
  });

  it('keeps the query as it was sent, and joins the values of a key', () => {
    const event = urlEvent(request({ target: { path: '/', query: 'b=1&a=%20+&b=2&c' } }));
    expect(event.rawQueryString).toBe('b=1&a=%20+&b=2&c');
    expect(event.queryStringParameters).toEqual({ b: '1,2', a: '  ', c: '' });
  });

  it('joins lines of one header under a name in lower case, and takes cookies apart', () => {
    const event = urlEvent(
      request({
        headers: [
          ['Host', 'abc.lambda-url.test'],
          ['X-Two', 'a'],
          ['Cookie', 'a=1; b=2'],
          ['x-two', 'b'],
          ['Connection', 'close'],
          ['X-Forwarded-For', '198.51.100.1'],
        ],
      }),
    );
    expect(event.headers).toEqual({
      host: 'abc.lambda-url.test',
      'x-two': 'a,b',
      'x-forwarded-for': '198.51.100.1, 127.0.0.1',
      'x-forwarded-port': '3003',
      'x-forwarded-proto': 'http',
      'x-amzn-trace-id': 'Root=1-2-3',
    });
    expect(event.cookies).toEqual(['a=1', 'b=2']);
  });

  it.each([
    ['application/json', '{"a":1}', false],
    ['text/plain; charset=utf-8', 'é', false],
    ['application/octet-stream', 'é', true],
    ['multipart/related; boundary=x', '--x', true],
    ['', 'é', true],
  ])('hands a body of type %j over as text or as base64', (type, text, isBase64Encoded) => {
    const headers = type === '' ? [] : ([['Content-Type', type]] as const);
    const event = urlEvent(request({ headers, body: Buffer.from(text) }));
    expect(event.isBase64Encoded).toBe(isBase64Encoded);
    expect(event.body).toBe(isBase64Encoded ? Buffer.from(text).toString('base64') : text);
  });

  it('loses bytes of text that are no UTF-8, and hands packed text over as base64', () => {
    const headers = [['Content-Type', 'text/plain']] as const;
    expect(urlEvent(request({ headers, body: Buffer.from([0x63, 0xe9]) })).body).toBe('c\ufffd');
    const packed = [...headers, ['Content-Encoding', 'gzip']] as const;
    expect(urlEvent(request({ headers: packed, body: Buffer.from([0x1f, 0x8b]) })).isBase64Encoded).toBe(true);
  });
});

describe('what a function URL refuses by itself', () => {
  it.each([
    ['/a?q=x|y%zz{', [], undefined],
    ['/a', [['Content-Length', String(MAX_EVENT_BYTES)]], undefined],
    ['/a', [['Content-Length', String(MAX_EVENT_BYTES + 1)]], 'request-too-large'],
    [`/a?${'q'.repeat(10_240)}`, [], 'uri-too-long'],
    ['/a', [['X-Long', 'x'.repeat(10_240)]], 'headers-too-large'],
    ['/a', [['Transfer-Encoding', 'chunked']], 'length-required'],
  ] as const)('%.20s with %.40j: %s', (target, headers, refusal) => {
    expect(refusedByUrl(target, headers)).toBe(refusal);
  });
});

describe('the head of an answer through a function URL', () => {
  const read = (metadata: object) => readUrlMetadata(Buffer.from(JSON.stringify(metadata)));

  it('loses headers of several values, which this door does not know', () => {
    expect(read({ statusCode: 200, headers: { A: '1' }, multiValueHeaders: { B: ['2', '3'] } }).headers).toEqual([
      ['A', '1'],
      ['Content-Type', 'application/json'],
    ]);
  });

  it('sends each cookie as a line, and what belongs to the door under names of its own', () => {
    const head = read({
      statusCode: 401,
      headers: { 'Content-Type': 'a/b', 'WWW-Authenticate': 'Bearer', Date: 'today' },
      cookies: ['a=1', 'b=2'],
    });
    expect(head).toEqual({
      status: 401,
      headers: [
        ['Content-Type', 'a/b'],
        ['x-amzn-Remapped-WWW-Authenticate', 'Bearer'],
        ['x-amzn-Remapped-Date', 'today'],
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
      ],
    });
  });
});
