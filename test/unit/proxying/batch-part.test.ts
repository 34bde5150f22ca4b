import { describe, expect, it } from 'vitest';
import { refusalOf } from '../support/connection.ts';
import { API_ORIGIN, BASE_URL, batchBody, part, rewrite, seenByProvider } from './batch-support.ts';

const targetOf = (target: string) =>
  seenByProvider(rewrite(batchBody([part(`GET ${target} HTTP/1.1\r\n\r\n`)])))[0]?.requestLine.split(' ')[1];
const problemOf = (text: string) => refusalOf(() => rewrite(batchBody([text]))).problems;

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
  ])('turns %s into %s', (target, expected) => {
    expect(targetOf(target)).toBe(expected);
  });

  it.each([
    // Another origin.
    ...['https://evil.example', `${API_ORIGIN}.evil.example`, `${API_ORIGIN}@evil.example`, `${API_ORIGIN}:8443`].map(
      (origin) => `${origin}/drive/v3/files`,
    ),
    ...['http://www.googleapis.com', '//www.googleapis.com', '//evil.example'].map(
      (origin) => `${origin}/drive/v3/files`,
    ),
    // No path of the proxy.
    ...['https://www.googleapis.com', 'drive/v3/files', 'evil:443', '*', '/proxy', '/proxy/', '/v1/drive/v3/files'],
    ...[
      '/proxy/proxy/drive/v3/files',
      '/proxy//evil.example',
      '/proxy/https://evil.example',
      '/v2/proxy/drive/v3/files',
    ],
    // A path that means another one, or ends early.
    ...['/proxy/../drive/v3/files', '/drive/v3/../../admin', '/drive/v3/%2e%2e/x', '/drive/v3/%252e%252e/x'],
    ...['/drive/v3/a%00', '/drive/v3/files#x', '/drive/v3/files?q=1#x', '/drive/v3/files?q=caf\u00e9'],
    // What belongs in no batch.
    ...['/calendar/v3/users/me/calendarList', '/upload/drive/v3/files?uploadType=media', '/batch/drive/v3'],
    ...['/proxy/resumable/upload/drive/v3/files', '/proxy/batch/drive/v3?x=1'],
    // Parameters that are refused, and a query that is too long.
    ...[
      'key=x',
      'q=1&Access_Token=x',
      'q=1&%63allback=x',
      '%24httpMethod=DELETE',
      'q="',
      `q=${'a'.repeat(10_240)}`,
    ].map((query) => `/drive/v3/files?${query}`),
  ])('refuses %s and sends nothing', (target) => {
    expect(problemOf(part(`GET ${target} HTTP/1.1\r\n\r\n`))?.map(({ path }) => path)).toEqual(['parts[0]']);
  });
});

describe('parts that are refused', () => {
  const request = 'GET /drive/v3/files HTTP/1.1\r\n\r\n';
  it.each([
    ['no header block', request],
    ['no type', part(request, 'Content-ID: <1>\r\n')],
    ['another type', part(request, 'Content-Type: application/json\r\n')],
    ['two types', part(request, 'Content-Type: application/http\r\ncontent-type: text/plain\r\n')],
    ['two ids', part(request, 'Content-Type: application/http\r\nContent-ID: 1\r\nContent-ID: 2\r\n')],
    ['an encoded body', part(request, 'Content-Type: application/http\r\nContent-Transfer-Encoding: base64\r\n')],
    ['an id with a control character', part(request, 'Content-Type: application/http\r\nContent-ID: a\u0001\r\n')],
    ['no request', part('')],
    ['only blank lines', part('\r\n\r\n\r\n')],
    ['no target', part('GET\r\n\r\n')],
    ['two spaces', part('GET  /drive/v3/files HTTP/1.1\r\n\r\n')],
    ['a space in the target', part('GET /drive/v3/fi les HTTP/1.1\r\n\r\n')],
    ['another version', part('GET /drive/v3/files HTTP/2\r\n\r\n')],
    ['a carriage return in the line', part('GET /drive/v3/files\rX HTTP/1.1\r\n\r\n')],
    ['a method in lower case', part('get /drive/v3/files HTTP/1.1\r\n\r\n')],
    ['TRACE', part('TRACE /drive/v3/files HTTP/1.1\r\n\r\n')],
    ['CONNECT', part('CONNECT /drive/v3/files HTTP/1.1\r\n\r\n')],
    ['a line without colon', part('GET /drive/v3/files HTTP/1.1\r\nAuthorization\r\n\r\n')],
    ['a space before the colon', part('GET /drive/v3/files HTTP/1.1\r\nAuthorization : x\r\n\r\n')],
    ['a control character in a value', part('GET /drive/v3/files HTTP/1.1\r\nX-Note: a\u0000b\r\n\r\n')],
    ['a carriage return in a value', part('GET /drive/v3/files HTTP/1.1\r\nX-Note: a\rHost: b\r\n\r\n')],
    ['a prefixed header', part('GET /drive/v3/files HTTP/1.1\r\nNango-Proxy-Authorization: x\r\n\r\n')],
    ['a key of its own (PX-25)', part('GET /drive/v3/files HTTP/1.1\r\nx-goog-API-key: canary\r\n\r\n')],
    ['a type in the query (PX-25)', part('GET /drive/v3/files?%24ct=text/plain HTTP/1.1\r\n\r\n')],
    ['a key in the query (PX-25)', part('GET /drive/v3/files?%24k%65y=canary HTTP/1.1\r\n\r\n')],
    [
      'two overrides',
      part('POST /drive/v3/files HTTP/1.1\r\nX-HTTP-Method-Override: GET\r\nx-http-method-override: GET\r\n\r\n'),
    ],
    ['101 headers', part(`GET /drive/v3/files HTTP/1.1\r\n${'a: b\r\n'.repeat(101)}\r\n`)],
  ])('by name of the part: %s', (_, text) => {
    expect(problemOf(text)?.map(({ path }) => path)).toEqual(['parts[0]']);
  });

  it('say what to do without repeating a caller\u2019s secret', () => {
    const [problem] = problemOf(part('GET https://user:canary@evil.example/x?key=canary HTTP/1.1\r\n\r\n')) ?? [];
    expect(problem?.message).toContain(API_ORIGIN);
    expect(problem?.message).not.toContain('canary');
  });
});

describe('parts that are tolerated', () => {
  it.each([
    ['a request line alone', 'GET /drive/v3/files'],
    ['headers that end with the part', 'GET /drive/v3/files HTTP/1.1\r\nAccept: a'],
    ['blank lines before the request', '\r\n\r\nGET /drive/v3/files HTTP/1.1\r\n\r\n'],
  ])('%s', (_, inner) => {
    expect(seenByProvider(rewrite(batchBody([part(inner)])))[0]).toMatchObject({
      requestLine: 'GET /drive/v3/files HTTP/1.1',
      body: '',
    });
  });
});
