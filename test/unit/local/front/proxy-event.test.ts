import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveMethod, type ProxyRequest, proxyEvent } from '../../../../dev/local/front/proxy-event.ts';
import { eventHeaders, headerBytes, headerPairs } from '../../../../dev/local/front/request-headers.ts';

const CLIENT = { sourceIp: '127.0.0.1', port: 3000, protocol: 'http', traceId: 'Root=1-2-3' } as const;

function request(more: Partial<ProxyRequest> = {}): ProxyRequest {
  const path = { resourcePath: '/{proxy+}', segments: ['{proxy+}'], method: 'ANY' };
  const route = { ...path, functionArn: 'arn', streaming: false, timeoutMs: 1, signed: false };
  return {
    match: { route, pathParameters: { proxy: 'a' } },
    method: 'GET',
    target: { path: '/a', query: undefined },
    headers: [
      ['Host', 'gateway.test'],
      ['User-Agent', 'tester'],
    ],
    body: Buffer.alloc(0),
    client: CLIENT,
    apiId: 'api1',
    stageName: 'v1',
    requestId: 'request-1',
    receivedAt: new Date('2026-11-20T13:00:54.321Z'),
    ...more,
  };
}

describe('a proxy event', () => {
  it('a proxy event has API Gateway’s members', () => {
    expect(proxyEvent(request())).toMatchObject({
      resource: '/{proxy+}',
      path: '/a',
      httpMethod: 'GET',
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: { proxy: 'a' },
      stageVariables: null,
      body: null,
      isBase64Encoded: false,
      requestContext: {
        accountId: '000000000000',
        apiId: 'api1',
        stage: 'v1',
        path: '/v1/a',
        resourcePath: '/{proxy+}',
        requestId: 'request-1',
        requestTime: '20/Nov/2026:13:00:54 +0000',
        requestTimeEpoch: 1795179654321,
        identity: { sourceIp: '127.0.0.1', userAgent: 'tester' },
      },
    });
  });

  it('keeps any path and any body', () => {
    fc.assert(
      fc.property(fc.string(), fc.uint8Array({ minLength: 1 }), (path, bytes) => {
        const event = proxyEvent(request({ target: { path, query: undefined }, body: Buffer.from(bytes) }));
        expect(event.path).toBe(path);
        expect(event.isBase64Encoded).toBe(true);
        expect(Buffer.from(String(event.body), 'base64')).toEqual(Buffer.from(bytes));
      }),
    );
  });
});

describe('the method', () => {
  it.each([
    ['POST', [['X-HTTP-Method-Override', 'GET']], 'GET'],
    ['POST', [['x-http-method-override', 'patch']], 'PATCH'],
    ['POST', [['X-HTTP-Method-Override', 'not a method']], 'POST'],
    ['POST', [], 'POST'],
  ] satisfies [string, [string, string][], string][])('the method of %s with %j is %s', (method, headers, expected) => {
    expect(effectiveMethod(method, headers)).toBe(expected);
  });
});

describe('request headers', () => {
  const lost =
    'Connection Content-Length Content-MD5 Expect Max-Forwards Proxy-Authenticate Server TE Trailer Transfer-Encoding Upgrade';
  it.each([...lost.split(' '), 'WWW-Authenticate', 'X-HTTP-Method-Override'])('lose %s', (name) => {
    const twice = [name, name.toLowerCase()].map((one): [string, string] => [one, 'x']);
    const { multiValueHeaders } = eventHeaders(twice, CLIENT);
    expect(Object.keys(multiValueHeaders).map((key) => key.toLowerCase())).not.toContain(name.toLowerCase());
  });

  it.each(['Accept-Encoding', 'Content-Type', 'Date', 'If-None-Match', 'Range', 'Via', 'Cookie'])(
    'request headers keep %s',
    (name) => {
      expect(eventHeaders([[name, 'x']], CLIENT).headers[name]).toBe('x');
    },
  );

  it('group values by name without regard to case, the last one in the single-value map', () => {
    const sent = headerPairs(['X-a', '1', 'x-A', '2']);
    const { headers, multiValueHeaders } = eventHeaders(sent, CLIENT);
    expect(multiValueHeaders['X-a']).toEqual(['1', '2']);
    expect(headers['X-a']).toBe('2');
  });

  it('request headers have Authorization in its usual spelling, and none that is signed for AWS', () => {
    const seen = (name: string, value: string) => eventHeaders([[name, value]], CLIENT).headers.Authorization;
    expect(seen('AUTHORIZATION', 'Bearer k')).toBe('Bearer k');
    expect(seen('Authorization', 'AWS4-HMAC-SHA256 Credential=x')).toBeUndefined();
  });

  it('gain the forwarding headers: the address appended, the others replaced', () => {
    const sent: [string, string][] = [
      ['x-forwarded-for', '10.0.0.1'],
      ['X-Forwarded-Proto', 'https'],
      ['X-Amzn-Trace-Id', 'mine'],
    ];
    expect(eventHeaders(sent, CLIENT).multiValueHeaders).toEqual({
      'X-Forwarded-For': ['10.0.0.1, 127.0.0.1'],
      'X-Forwarded-Port': ['3000'],
      'X-Forwarded-Proto': ['http'],
      'X-Amzn-Trace-Id': ['Root=1-2-3'],
    });
  });

  it('request headers are counted by names and values', () => {
    expect(headerBytes(headerPairs(['A', 'bc', 'De', 'f']))).toBe(6);
  });
});
