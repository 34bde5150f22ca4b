import type { APIGatewayProxyEvent, LambdaFunctionURLEvent } from 'aws-lambda';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fake } from '../../../dev/support/fake.ts';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import { headerValues } from '../../../lambdas/gateway/core/http-message.ts';
import { requestOfDoor, streamHead, type UrlDoor } from '../../../lambdas/gateway/http/front-door.ts';
import { readProxyControl } from '../../../lambdas/gateway/keys/credentials.rules.ts';
import { anyText } from '../../support/any-text.ts';

const OPEN: UrlDoor = { scheme: 'https:', proxyUrl: undefined, secret: undefined };
const GUARDED: UrlDoor = { ...OPEN, proxyUrl: 'https://proxy.example.com', secret: 'not-to-be-guessed' };

/** An event as AWS documents it, with what a test is about. */
function urlEvent(with_: {
  readonly method?: string;
  readonly rawPath?: string;
  readonly rawQueryString?: string;
  readonly headers?: Record<string, string>;
  readonly cookies?: string[];
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
  readonly sourceIp?: string;
}): LambdaFunctionURLEvent {
  const { method = 'GET', sourceIp = '203.0.113.9', headers = {}, ...event } = with_;
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: '/proxy/drive/v3/files',
    rawQueryString: '',
    isBase64Encoded: false,
    ...event,
    headers,
    requestContext: {
      accountId: 'anonymous',
      apiId: 'abc',
      domainName: 'abc.lambda-url.eu-central-1.on.aws',
      domainPrefix: 'abc',
      http: { method, path: event.rawPath ?? '/', protocol: 'HTTP/1.1', sourceIp, userAgent: 'a' },
      requestId: 'call-1',
      routeKey: '$default',
      stage: '$default',
      time: '23/Nov/2026:12:00:00 +0000',
      timeEpoch: 1_795_435_200_000,
    },
  };
}

const request = (event: Parameters<typeof urlEvent>[0], door = OPEN) => requestOfDoor(urlEvent(event), door).request;
const codeOf = (event: Parameters<typeof urlEvent>[0], door = OPEN) =>
  requestOfDoor(urlEvent(event), door).refused?.code;

describe('a call by a function URL', () => {
  it.each([
    '/proxy/drive/v3/files/a%2Fb',
    '/proxy/calendar/v3/calendars/a%40b%23c/events',
    '/proxy/drive/v3/files/a+b;c=d:e',
    '/proxy//drive/v3/',
  ])('FD-20: keeps the path %s as it was sent', (rawPath) => {
    expect(request({ rawPath }).rawPath).toBe(rawPath);
  });

  it('FD-20: keeps the order across query keys, which the REST API loses', () => {
    expect(request({ rawQueryString: 'b=1&a=2&b=3&&c&d=%26%3D%2B+x;y=z' }).query).toEqual([
      ['b', '1'],
      ['a', '2'],
      ['b', '3'],
      ['c', ''],
      ['d', '&=+ x;y=z'],
    ]);
  });

  it('FD-20: reads every query that can be written, key by key', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyText(), anyText()), { maxLength: 6 }), (pairs) => {
        const wellFormed = pairs.map(([key, value]) => [key.toWellFormed(), value.toWellFormed()] as const);
        const sent = wellFormed.filter(([key, value]) => key !== '' || value !== '');
        const rawQueryString = sent.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
        expect(request({ rawQueryString }).query).toEqual(sent);
      }),
    );
  });

  it.each(['a=%', 'a=%zz', '%f0=1', 'a=%c3%28'])(
    'FD-20: refuses the query %s, whose meaning nobody knows',
    (rawQueryString) => {
      expect(codeOf({ rawQueryString })).toBe('invalid_query_params');
    },
  );

  it('FD-20: reads bytes and text as the bytes that were sent', () => {
    const text = '{"name":"é 🙂"}';
    expect(request({ body: 'AP8=', isBase64Encoded: true }).body).toEqual(Buffer.from([0, 255]));
    expect(request({ body: text, headers: { 'content-length': String(Buffer.byteLength(text)) } }).body).toEqual(
      Buffer.from(text),
    );
    expect(request({ body: '' }).body).toBeUndefined();
    expect(request({}).body).toBeUndefined();
  });

  it('FD-20: refuses text whose bytes were no UTF-8 and are lost, rather than to pass on others', () => {
    const latin1 = Buffer.from('caf\u00e9', 'latin1');
    const sent = { body: latin1.toString('utf8'), headers: { 'content-length': String(latin1.length) } };
    expect(codeOf(sent)).toBe('invalid_body');
    expect(request(sent).body).toBeUndefined();
  });

  it('FD-20: takes joined lines of a header that counts once apart, so that they are refused', () => {
    const { headers } = request({
      headers: {
        authorization: 'Bearer sk_a,Bearer sk_b',
        'provider-config-key': 'google-drive,other',
        'connection-id': 'c',
        accept: 'text/plain, */*',
      },
    });
    expect(headerValues(headers, 'accept')).toEqual(['text/plain, */*']);
    const problem = (): unknown => readProxyControl(headers, []);
    expect(problem).toThrow(GatewayError);
    try {
      problem();
    } catch (error) {
      expect(error).toMatchObject({
        code: 'invalid_headers',
        problems: [
          { path: 'headers.Authorization', message: 'send it once' },
          { path: 'headers.Provider-Config-Key', message: 'send it once' },
        ],
      });
    }
  });

  it('puts cookies where the core looks for them', () => {
    expect(headerValues(request({ cookies: ['a=1', 'b=2'] }).headers, 'cookie')).toEqual(['a=1; b=2']);
  });

  it('FD-21: a call by a function URL has the address that Lambda saw, whatever the caller says', () => {
    expect(request({ headers: { 'x-forwarded-for': '198.51.100.1' } }).sourceIp).toBe('203.0.113.9');
  });

  it('gets an address of the same front door to continue', () => {
    expect(request({}).doorUrl).toBe('https://abc.lambda-url.eu-central-1.on.aws');
    expect(request({}, GUARDED).doorUrl).toBe('https://proxy.example.com');
    const rest = fake<APIGatewayProxyEvent>({
      httpMethod: 'GET',
      resource: '/proxy/{proxy+}',
      path: '/proxy/x',
      multiValueQueryStringParameters: null,
      multiValueHeaders: {},
      body: null,
      requestContext: { requestId: 'r', identity: { sourceIp: '203.0.113.9' } },
    });
    expect(requestOfDoor(rest, GUARDED)).toMatchObject({ request: { rawPath: '/proxy/x' } });
    expect(requestOfDoor(rest, GUARDED).request).not.toHaveProperty('doorUrl');
    expect(requestOfDoor(rest, GUARDED)).not.toHaveProperty('refused');
  });
});

describe('a function URL behind a distribution', () => {
  it.each([{}, { 'x-gateway-door': '' }, { 'x-gateway-door': 'not-to-be-guesse' }, { 'x-gateway-door': 'x' }])(
    'FD-21: refuses who comes past it with %j',
    (headers) => {
      expect(requestOfDoor(urlEvent({ headers }), GUARDED).refused).toMatchObject({ code: 'forbidden', status: 403 });
    },
  );

  it('FD-21: takes who brings the secret, and lets everyone in where there is none', () => {
    expect(codeOf({ headers: { 'x-gateway-door': 'not-to-be-guessed' } }, GUARDED)).toBeUndefined();
    expect(codeOf({})).toBeUndefined();
  });

  it.each([
    ['198.51.100.7, 203.0.113.9', '198.51.100.7'],
    ['1.1.1.1, 198.51.100.7, 203.0.113.9', '198.51.100.7'],
    ['1.1.1.1, 198.51.100.7', '198.51.100.7'],
    ['2001:db8::1,203.0.113.9', '2001:db8::1'],
    ['203.0.113.9', '203.0.113.9'],
    ['', '203.0.113.9'],
  ])('FD-21: counts %j for the address %s, which the distribution appended', (forwardedFor, address) => {
    const headers = { 'x-gateway-door': 'not-to-be-guessed', 'x-forwarded-for': forwardedFor };
    expect(request({ headers }, GUARDED).sourceIp).toBe(address);
  });
});

describe('the head of a streamed answer', () => {
  const response = {
    status: 200,
    headers: [
      ['Vary', 'Origin'],
      ['Set-Cookie', 'a=1'],
      ['vary', 'X-Origin'],
      ['set-cookie', 'b=2'],
      ['ETag', '"x"'],
    ],
    body: undefined,
  } as const;

  it('FD-2: the head of a streamed answer has one line of each header for a function URL, and cookies apart', () => {
    expect(streamHead(response, urlEvent({}))).toEqual({
      statusCode: 200,
      headers: { Vary: 'Origin, X-Origin', ETag: '"x"' },
      cookies: ['a=1', 'b=2'],
    });
  });

  it('keeps repeated lines for the REST API', () => {
    const event = fake<APIGatewayProxyEvent>({ httpMethod: 'GET' });
    expect(streamHead(response, event)).toEqual({
      statusCode: 200,
      multiValueHeaders: { Vary: ['Origin', 'X-Origin'], 'Set-Cookie': ['a=1', 'b=2'], ETag: ['"x"'] },
    });
  });
});
