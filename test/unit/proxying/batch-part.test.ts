import { describe, expect, it } from 'vitest';
import { BATCH_PART_TARGET_MAX_BYTES } from '../../../lambdas/gateway/core/limits.ts';
import { rewriteBatchRequest } from '../../../lambdas/gateway/proxying/batch.rules.ts';
import { refusalOf } from '../support/connection.ts';
import { googleDrive } from '../support/google.ts';
import { API_ORIGIN, BASE_URL, batchBody, part, rewrite, seenByProvider } from './batch-support.ts';

const targetOf = (target: string) =>
  seenByProvider(rewrite(batchBody([part(`GET ${target} HTTP/1.1\r\n\r\n`)])))[0]?.requestLine.split(' ')[1];
const problemsOf = (text: string) => refusalOf(() => rewrite(batchBody([text]))).problems;
const ofLength = (length: number) => '/drive/v3/files?q='.padEnd(length, 'a');

describe('targets of parts (PX-2, PX-22, PX-23)', () => {
  it.each([
    ['/drive/v3/files/1', '/drive/v3/files/1'],
    ['/proxy/drive/v3/files/1', '/drive/v3/files/1'],
    ['/v1/proxy/drive/v3/files/1', '/drive/v3/files/1'],
    [`${API_ORIGIN}/drive/v3/files/1`, '/drive/v3/files/1'],
    ['HTTPS://WWW.GOOGLEAPIS.COM/drive/v3/files/1', '/drive/v3/files/1'],
    [`${BASE_URL}/proxy/drive/v3/files/1`, '/drive/v3/files/1'],
    ['https://gateway.example.com/proxy/drive/v3/files/1', '/drive/v3/files/1'],
    [
      '/proxy/drive/v3/files?q=a+b%2Bc&q=&x;y=%zz&fields=files(id,name)',
      '/drive/v3/files?q=a+b%2Bc&q=&x;y=%zz&fields=files(id,name)',
    ],
    ['/drive/v3/files?', '/drive/v3/files?'],
    ['/drive/v3/files?u=https://evil.example/../?', '/drive/v3/files?u=https://evil.example/../?'],
    ['/drive/v3/files/%2Fa%23b;c', '/drive/v3/files/%2Fa%23b;c'],
    [ofLength(BATCH_PART_TARGET_MAX_BYTES), ofLength(BATCH_PART_TARGET_MAX_BYTES)],
  ])('turns %s into %s', (target, expected) => {
    expect(targetOf(target)).toBe(expected);
  });

  it('takes the provider’s public origin where another one stands in for it', () => {
    const body = batchBody([part(`GET ${API_ORIGIN}/drive/v3/files/1 HTTP/1.1\r\n\r\n`)]);
    const local = { provider: googleDrive, baseUrl: 'http://127.0.0.1:3000', apiOrigin: 'http://127.0.0.1:3002' };
    const batch = rewriteBatchRequest({ body, contentType: 'multipart/mixed; boundary=b', ...local });
    expect(seenByProvider(batch)[0]?.requestLine).toBe('GET /drive/v3/files/1 HTTP/1.1');
  });

  it.each([
    // Another origin.
    ...[
      ...['https://evil.example', `${API_ORIGIN}.evil.example`, `${API_ORIGIN}@evil.example`, `${API_ORIGIN}:8443`],
      ...['http://www.googleapis.com', 'drive', 'evil:443'],
    ].map((origin) => [`${origin}/drive/v3/files`, 'Address a part by its path, or under']),
    ...[API_ORIGIN, `${API_ORIGIN}x`, 'evil:443', '*'].map((target) => [target, 'Address a part by its path']),
    // No path of the proxy.
    ...['/proxy', '/proxy/', '/v1/drive/v3/files', '/proxy/proxy/drive/v3/files', '/v2/proxy/drive/v3/files'].map(
      (target) => [target, 'This integration is for Google Drive'],
    ),
    ...['//www.googleapis.com/drive/v3/files', '//evil.example/drive/v3/files', '/proxy//evil.example'].map(
      (target) => [target, 'looks like another address'],
    ),
    ...['/proxy/https://evil.example', '/proxy/../drive/v3/files'].map((target) => [target, 'like another address']),
    // A path that means another one, or ends early.
    ...['/drive/v3/../../admin', '/drive/v3/%2e%2e/x', '/drive/v3/%252e%252e/x'].map((target) => [
      target,
      'dot segment',
    ]),
    ['/drive/v3/a%00', 'control characters'],
    ['/drive/v3/files#x', 'must be percent-encoded'],
    // What belongs in no batch.
    ['/calendar/v3/users/me/calendarList', 'This integration is for Google Drive'],
    ['/v2/activity:query', 'A batch reaches /drive/v3/ only'],
    ...['/upload/drive/v3/files?uploadType=media', '/proxy/resumable/upload/drive/v3/files'].map((target) => [
      target,
      'Uploads are not taken in a batch; send them one by one',
    ]),
    ...['/batch/drive/v3', '/proxy/batch/drive/v3?x=1'].map((target) => [target, 'send its parts directly']),
    // A query that is refused, or an address that is too long.
    ...['q=1#x', 'q=caf\u00e9', 'q="'].map((query) => [`/drive/v3/files?${query}`, 'Its query holds characters']),
    ['/drive/v3/files?key=x', "query.key: the gateway adds the connection's identity itself; remove it"],
    ['/drive/v3/files?q=1&Access_Token=x', 'query.Access_Token'],
    ['/drive/v3/files?q=1&%63allback=x', 'query.callback'],
    ['/drive/v3/files?%24httpMethod=DELETE', 'query.$httpMethod'],
    [ofLength(BATCH_PART_TARGET_MAX_BYTES + 1), `longer than ${BATCH_PART_TARGET_MAX_BYTES} bytes`],
  ])('refuses %s, says why and sends nothing', (target = '', why = '') => {
    expect(problemsOf(part(`GET ${target} HTTP/1.1\r\n\r\n`))).toEqual([
      { path: 'parts[0]', message: expect.stringContaining(why) },
    ]);
  });

  it('names every prefix that a batch reaches, and takes each', () => {
    const provider = { ...googleDrive, batchPartPrefixes: ['/drive/v3/files/', '/drive/v3/about'] };
    const one = { contentType: 'multipart/mixed; boundary=b', provider, baseUrl: BASE_URL, apiOrigin: API_ORIGIN };
    const batch = (target: string) => rewriteBatchRequest({ ...one, body: batchBody([part(`GET ${target}\r\n\r\n`)]) });
    for (const target of ['/drive/v3/files/1', '/drive/v3/about']) {
      expect(seenByProvider(batch(target))[0]?.requestLine).toBe(`GET ${target} HTTP/1.1`);
    }
    expect(refusalOf(() => batch('/drive/v3/changes')).message).toContain('/drive/v3/files/, /drive/v3/about only');
  });
});

describe('parts that are refused', () => {
  const request = 'GET /drive/v3/files HTTP/1.1\r\n\r\n';
  const typed = (headers: string) => part(request, `Content-Type: application/http\r\n${headers}\r\n`);
  const LINE = 'request line is not METHOD path';
  const FIELD = 'write Name: value, then a blank line';
  const TYPE = 'needs Content-Type: application/http';
  it.each([
    ['no header block', request, FIELD],
    ['no type', part(request, 'Content-ID: <1>\r\n'), TYPE],
    ['another type', part(request, 'Content-Type: application/json\r\n'), TYPE],
    ['two types', typed('content-type: text/plain'), 'it has Content-Type twice; send it once'],
    ['two ids', typed('Content-ID: 1\r\nContent-ID: 2'), 'it has Content-ID twice'],
    ['an encoded body', typed('Content-Transfer-Encoding: base64'), 'send the part as it is'],
    ['an id with a control character', typed('Content-ID: a\u0001'), 'its Content-ID holds illegal characters'],
    ['no request', part(''), LINE],
    ['only blank lines', part('\r\n\r\n\r\n'), LINE],
    ['no target', part('GET\r\n\r\n'), LINE],
    ['two spaces', part('GET  /drive/v3/files HTTP/1.1\r\n\r\n'), LINE],
    ['a space before the method', part(' /drive/v3/files HTTP/1.1\r\n\r\n'), LINE],
    ['a space in the target', part('GET /drive/v3/fi les HTTP/1.1\r\n\r\n'), LINE],
    ['a word after the version', part('GET /drive/v3/files HTTP/1.1 x\r\n\r\n'), LINE],
    ['another version', part('GET /drive/v3/files HTTP/2\r\n\r\n'), LINE],
    ['a carriage return in the line', part('GET /drive/v3/files\rX HTTP/1.1\r\n\r\n'), 'must be percent-encoded'],
    ['a method in lower case', part('get /drive/v3/files HTTP/1.1\r\n\r\n'), 'get is not proxied; use GET, HEAD'],
    ['TRACE', part('TRACE /drive/v3/files HTTP/1.1\r\n\r\n'), 'TRACE is not proxied'],
    ['CONNECT', part('CONNECT /drive/v3/files HTTP/1.1\r\n\r\n'), 'CONNECT is not proxied'],
    ...[
      ['a line without colon', 'Authorization', FIELD],
      ['a space before the colon', 'Authorization : x', FIELD],
      ['a control character in a value', 'X-Note: a\0b', 'header X-Note must be Latin-1 text'],
      ['a carriage return in a value', 'X-Note: a\rHost: b', 'header X-Note must be Latin-1 text'],
      ['a prefixed header', 'Nango-Proxy-Authorization: x', 'Nango-Proxy-Authorization has no meaning inside a batch'],
      ['a key of its own (PX-25)', 'x-goog-API-key: canary', "x-goog-API-key: the gateway adds the connection's"],
      ['101 headers', 'a: b\r\n'.repeat(100).concat('a: b'), 'more than 100 header lines'],
    ].map(([what = '', header, why = '']) => [what, part(`GET /drive/v3/files HTTP/1.1\r\n${header}\r\n\r\n`), why]),
    [
      'a type in the query (PX-25)',
      part('GET /drive/v3/files?%24ct=text/plain HTTP/1.1\r\n\r\n'),
      'query.$ct: the content type is',
    ],
    ['a key in the query (PX-25)', part('GET /drive/v3/files?%24k%65y=canary HTTP/1.1\r\n\r\n'), 'query.$key'],
    [
      'two overrides',
      part('POST /drive/v3/files HTTP/1.1\r\nX-HTTP-Method-Override: GET\r\nx-http-method-override: GET\r\n\r\n'),
      'headers.X-HTTP-Method-Override: only GET on a POST is forwarded',
    ],
  ])('by name of the part, and say why: %s', (_, text = '', why = '') => {
    expect(problemsOf(text)).toEqual([{ path: 'parts[0]', message: expect.stringContaining(why) }]);
  });

  it('parts that are refused say what to do without repeating a caller\u2019s secret', () => {
    const [problem] = problemsOf(part('GET https://user:canary@evil.example/x?key=canary HTTP/1.1\r\n\r\n')) ?? [];
    expect(problem?.message).toContain(API_ORIGIN);
    expect(problem?.message).not.toContain('canary');
  });
});

describe('parts that are tolerated', () => {
  const seen = (inner: string, headers?: string) => seenByProvider(rewrite(batchBody([part(inner, headers)])))[0];

  it.each([
    ['a request line alone', 'GET /drive/v3/files'],
    ['headers that end with the part', 'GET /drive/v3/files HTTP/1.1\r\nAccept: a'],
    ['blank lines before the request', '\r\n\r\nGET /drive/v3/files HTTP/1.1\r\n\r\n'],
  ])('%s', (_, inner) => {
    expect(seen(inner)).toMatchObject({ requestLine: 'GET /drive/v3/files HTTP/1.1', body: '' });
  });

  it.each(['7bit', '8bit', 'Binary'])('the transfer encoding %s, which changes no byte', (encoding) => {
    const partHeaders = ['Content-Type: application/http', `Content-Transfer-Encoding: ${encoding}`];
    expect(seen('GET /drive/v3/files', `${partHeaders.join('\r\n')}\r\n`)).toMatchObject({ partHeaders });
  });

  it('a header in Latin-1, byte for byte', () => {
    expect(seen('GET /drive/v3/files HTTP/1.1\r\nX-Note: caf\u00e9\r\n\r\n')?.headers).toEqual(['X-Note: caf\u00e9']);
  });

  it.each(['2\r\nContent-Length: 2', 'x2', '2x', '-2', ''])(
    'the length %j, which says nothing of the body',
    (length) => {
      const inner = `POST /drive/v3/files HTTP/1.1\r\nContent-Length: ${length}\r\n\r\n{}\r\n`;
      expect(seen(inner)).toMatchObject({ headers: ['Content-Length: 4'], body: '{}\r\n' });
    },
  );

  it('a length of several digits, with blank lines after the body', () => {
    const body = '{"name":"a"}';
    const inner = `POST /drive/v3/files HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n${body}\r\n\r\n`;
    expect(seen(inner)).toMatchObject({ headers: [`Content-Length: ${body.length}`], body });
  });

  it('a body that looks like a refused query but is none', () => {
    expect(seen('POST /drive/v3/files HTTP/1.1\r\n\r\nkey=x')).toMatchObject({ headers: [], body: 'key=x' });
  });

  it('a read whose query is a form, by GET as well, and one without any (PX-13)', () => {
    const form = 'Content-Type: application/x-www-form-urlencoded';
    const read = { requestLine: 'POST /drive/v3/files HTTP/1.1', headers: [form, 'x-http-method-override: GET'] };
    expect(seen(`GET /drive/v3/files HTTP/1.1\r\n${form}\r\n\r\nq=a`)).toMatchObject({ ...read, body: 'q=a' });
    expect(seen(`GET /drive/v3/files HTTP/1.1\r\n${form}\r\n\r\n`)?.requestLine).toBe('GET /drive/v3/files HTTP/1.1');
    // The call is counted and judged as a read.
    const told = (inner: string) => rewrite(batchBody([part(inner)])).parts[0];
    expect(told(`GET /drive/v3/files HTTP/1.1\r\n${form}\r\n\r\nq=a`)).toMatchObject({ method: 'GET', form: 'q=a' });
    expect(told('POST /drive/v3/files HTTP/1.1\r\n\r\nq=a')).not.toHaveProperty('form');
    expect(seen('POST /drive/v3/files HTTP/1.1\r\nX-HTTP-Method-Override: GET\r\n\r\n')).toMatchObject({
      requestLine: 'POST /drive/v3/files HTTP/1.1',
      headers: ['x-http-method-override: GET'],
    });
  });
});
