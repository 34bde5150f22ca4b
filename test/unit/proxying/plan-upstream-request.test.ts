import { describe, expect, it } from 'vitest';
import { type GatewayRequest, headerValues } from '../../../lambdas/gateway/core/http-message.ts';
import { REQUEST_BODY_MAX_BYTES } from '../../../lambdas/gateway/core/limits.ts';
import { planUpstreamRequest } from '../../../lambdas/gateway/proxying/upstream-request.rules.ts';
import { codeOf, refusalOf } from '../support/connection.ts';
import { gatewayRequest } from '../support/gateway-request.ts';
import { googleCalendar, googleDrive } from '../support/google.ts';
import { API_ORIGINS, BASE_URL, batchBody, part, SECRET_KEY, seenByProvider } from './batch-support.ts';

const FILES = '/proxy/drive/v3/files';
const plan = (request: Partial<GatewayRequest>, provider = googleDrive) =>
  planUpstreamRequest(gatewayRequest({ rawPath: FILES, ...request }), provider, BASE_URL, API_ORIGINS);
const batch = (request: Partial<GatewayRequest>) =>
  plan({
    method: 'POST',
    rawPath: '/proxy/batch/drive/v3',
    headers: [['Content-Type', 'multipart/mixed; boundary=b']],
    ...request,
  });
const PARTS = batchBody([part(`GET /proxy/drive/v3/files HTTP/1.1\r\nAuthorization: Bearer ${SECRET_KEY}\r\n\r\n`)]);

describe('planUpstreamRequest', () => {
  it('keeps the bytes of every body that is no batch (PX-18)', () => {
    const likeAQuery = Buffer.from('key=x');
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE', 'GET']) {
      for (const body of [PARTS, likeAQuery]) expect(plan({ method, body }).body).toBe(body);
    }
  });

  it.each(['X-HTTP-Method', 'X-Method-Override', 'x-goog-upload-protocol'])(
    'refuses %s on a batch, which counts for parts that were judged without it (PX-22)',
    (name) => {
      const headers = [
        ['Content-Type', 'multipart/mixed; boundary=b'],
        [name, 'DELETE'],
      ] as const;
      expect(codeOf(() => batch({ body: PARTS, headers }))).toBe('invalid_headers');
      expect(batch({ body: PARTS }).parts).toHaveLength(1);
    },
  );

  it('says what each part of a batch asks, as the provider reads it (BK-25)', () => {
    const body = batchBody([
      part('GET /proxy/drive/v3/files/1?alt=media HTTP/1.1\r\n\r\n'),
      part(`DELETE ${BASE_URL}/proxy/drive/v3/files/2 HTTP/1.1\r\n\r\n`),
    ]);
    expect(batch({ body }).parts).toEqual([
      { method: 'GET', target: '/drive/v3/files/1?alt=media', headers: [], body: Buffer.alloc(0) },
      { method: 'DELETE', target: '/drive/v3/files/2', headers: [], body: Buffer.alloc(0) },
    ]);
    expect(plan({}).parts).toBeUndefined();
  });

  it('joins path and query into the target', () => {
    expect(plan({ query: [['q', 'a b']] }).target).toBe('/drive/v3/files?q=a%20b');
  });

  it('takes a body at the limit and refuses one byte more', () => {
    const ofSize = (bytes: number) => plan({ method: 'POST', body: new Uint8Array(bytes) });
    expect(ofSize(REQUEST_BODY_MAX_BYTES).body).toHaveLength(REQUEST_BODY_MAX_BYTES);
    const { code, message } = refusalOf(() => ofSize(REQUEST_BODY_MAX_BYTES + 1));
    expect(code).toBe('request_too_large');
    expect(message).toContain(
      `may have at most ${REQUEST_BODY_MAX_BYTES} bytes; this one has ${REQUEST_BODY_MAX_BYTES + 1}`,
    );
    expect(message).toContain('Send larger files with a resumable upload in chunks of 4 MiB.');
  });
});

describe('a long read as Google’s Python client sends it (PX-13)', () => {
  const TYPE = ['content-type', 'application/x-www-form-urlencoded'] as const;
  const QUERY = `q=${encodeURIComponent("name contains 'x' or ".repeat(120))}&alt=json`;
  const asSent = { method: 'POST', headers: [['x-http-method-override', 'GET'], TYPE] } as const;
  // "Amazon API Gateway important notes": it acts on the header, which then reaches nobody.
  const asHandedOn = { method: 'GET', headers: [TYPE] } as const;

  it.each([asSent, asHandedOn])('leaves as POST with override and form, and is judged as a read: %j', (request) => {
    const body = Buffer.from(QUERY);
    const { headers, ...sent } = plan({ ...request, body });
    const read = { method: 'POST', effectiveMethod: 'GET', target: '/drive/v3/files' };
    expect(sent).toEqual({ origin: API_ORIGINS.apiOrigin, ...read, body, form: QUERY });
    expect(headerValues(headers, 'x-http-method-override')).toEqual(['GET']);
    expect(headerValues(headers, 'content-type')).toEqual([TYPE[1]]);
  });

  it.each([asSent, asHandedOn])(
    'PX-23: a long read as Google’s Python client sends it is judged by the query it holds: %j',
    (request) => {
      expect(codeOf(() => plan({ ...request, body: Buffer.from('q=a&%6bey=x') }))).toBe('invalid_query_params');
    },
  );

  it('asks for a form only where there is a body', () => {
    const override = ['x-http-method-override', 'GET'] as const;
    expect(plan({ method: 'GET', headers: [TYPE] })).toMatchObject({ method: 'GET', effectiveMethod: 'GET' });
    expect(plan({ method: 'POST', headers: [override] })).toMatchObject({ method: 'POST', effectiveMethod: 'GET' });
    expect(codeOf(() => plan({ method: 'POST', headers: [override], body: Buffer.from('q=a') }))).toBe(
      'invalid_headers',
    );
  });
});

describe('the origin of a path (TK-10)', () => {
  const at = (rawPath: string, provider = googleDrive, more: Partial<GatewayRequest> = {}) =>
    plan({ rawPath, ...more }, provider);
  const { apiOrigin, otherOrigins } = API_ORIGINS;
  const { drive_activity: driveActivityOrigin, caldav: calDavOrigin } = otherOrigins;

  it.each([
    ['/drive/v3/files', googleDrive, apiOrigin],
    ['/upload/drive/v3/files', googleDrive, apiOrigin],
    ['/download/drive/v3/files/a%2Fb', googleDrive, apiOrigin],
    ['/v2/activity:query', googleDrive, driveActivityOrigin],
    ['/calendar/v3/colors', googleCalendar, apiOrigin],
    ['/caldav/v2/a%40b.c/events/x.ics', googleCalendar, calDavOrigin],
  ])('the origin of a path of %s is its own', (path, provider, origin) => {
    expect(at(`/proxy${path}`, provider)).toMatchObject({ origin, target: path });
  });

  it.each([
    ['/v2/activity:query', googleCalendar],
    ['/v2/activity:queryx', googleDrive],
    ['/v2/activity:query/x', googleDrive],
    ['/v2/activity', googleDrive],
    ['/caldav/v2/x', googleDrive],
    ['/caldav/v1/x', googleCalendar],
    ['/download/drive/v2/x', googleDrive],
  ])('%s is outside', (path, provider) => {
    expect(codeOf(() => at(`/proxy${path}`, provider))).toBe('path_not_allowed');
  });

  it('the origin of a path is asked what it has with OPTIONS where CalDAV is, but never by a browser (PR-6, PX-13)', () => {
    const options = (path: string, headers: GatewayRequest['headers'] = []) =>
      codeOf(() => at(`/proxy${path}`, googleCalendar, { method: 'OPTIONS', headers }));
    expect(options('/caldav/v2/x/events')).toMatchObject({ method: 'OPTIONS', origin: calDavOrigin });
    expect(options('/calendar/v3/colors')).toBe('method_not_allowed');
    expect(options('/caldav/v2/x', [['Access-Control-Request-Method', 'GET']])).toBe('method_not_allowed');
  });

  it.each(['/download/drive/v3/files/x', '/v2/activity:query', '/upload/drive/v3/files'])(
    'PX-22: %s is no part of a batch',
    (path) => {
      expect(codeOf(() => batch({ body: batchBody([part(`GET ${path} HTTP/1.1\r\n\r\n`)]) }))).toBe('invalid_body');
    },
  );
});

describe('batches (PX-22)', () => {
  it('batches leave with rewritten parts under the one content type that frames them', () => {
    const sent = Object.entries({ Accept: '*/*', 'Content-Type': 'multipart/mixed; boundary=b' });
    const { body, headers, target } = batch({ body: PARTS, headers: sent });
    expect(headerValues(headers, 'accept')).toEqual(['*/*']);
    expect(target).toBe('/batch/drive/v3');
    const types = headerValues(headers, 'content-type');
    expect(types).toHaveLength(1);
    expect(seenByProvider({ body: body ?? new Uint8Array(), contentType: types[0] ?? '' })).toMatchObject([
      { requestLine: 'GET /drive/v3/files HTTP/1.1', headers: [] },
    ]);
  });

  it('batches read the content type that goes upstream', () => {
    const prefixed = { 'Nango-Proxy-Content-Type': 'multipart/mixed; boundary=b' };
    const headers = Object.entries({ 'Content-Type': 'application/x-www-form-urlencoded', ...prefixed });
    expect(Buffer.from(batch({ headers, body: PARTS }).body ?? []).toString()).not.toContain(SECRET_KEY);
  });

  it('never leave as they came, whatever the method', () => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'GET', 'HEAD']) {
      expect(Buffer.from(batch({ method, body: PARTS }).body ?? []).toString()).not.toContain(SECRET_KEY);
    }
  });

  it('batches are refused without body, unless nothing is posted, without type, and with two types', () => {
    expect(codeOf(() => batch({}))).toBe('invalid_body');
    expect(batch({ method: 'GET' })).toMatchObject({ method: 'GET', target: '/batch/drive/v3', body: undefined });
    expect(codeOf(() => batch({ body: PARTS, headers: [] }))).toBe('invalid_body');
    const type = 'multipart/mixed; boundary=b';
    const twice = Object.entries({ 'Content-Type': type, 'content-type': type });
    expect(codeOf(() => batch({ body: PARTS, headers: twice }))).toBe('invalid_body');
  });
});
