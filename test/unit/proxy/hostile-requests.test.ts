import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import { planUpstreamRequest, type UpstreamPlan } from '../../../lambdas/gateway/proxying/upstream-request.rules.ts';
import { API_ORIGIN, API_ORIGINS, BASE_URL, SECRET_KEY } from '../proxying/batch-support.ts';
import { gatewayRequest } from '../support/gateway-request.ts';
import { googleCalendar, googleDrive } from '../support/google.ts';

const PROVIDERS = [googleDrive, googleCalendar];

const words = (...lines: readonly string[]) => fc.constantFrom(...lines.flatMap((line) => line.split(' ')));

/** Pieces that have led requests astray somewhere, alongside legal ones and noise. */
const piece = fc.oneof(
  words(
    '/ // /drive/v3 /calendar/v3 /upload/drive/v3/files /batch/drive/v3 /proxy files evil.example',
    '.. . %2e%2e %252e%252e ..; ;x=1 \\ %5c %2f %252f %00 %0d%0a @ :443 ? # % %zz %c0%ae %ef%bc%8f',
    'http:// https: [::1] * + ~ = & constructor __proto__ toString hasOwnProperty valueOf',
  ),
  fc.constantFrom('\t', '\uff0f', '\u2028', '\r\n', ' '),
  fc.string({ maxLength: 4 }),
);
const path = fc
  .tuple(
    // Half of them begin as they should: what comes behind is judged by other rules.
    fc.constantFrom('/proxy', '/proxy/drive/v3/files/', '/proxy/calendar/v3/calendars/', '/proxy/upload/drive/v3/'),
    fc.oneof(fc.array(piece, { maxLength: 8 }), fc.array(fc.stringMatching(/^[\w~.:@;,+=-]{1,6}$/), { maxLength: 2 })),
  )
  .map(([start, pieces]) => start + pieces.join(''));
const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
const header = fc.tuple(
  fc.oneof(
    fc.constantFrom('authorization '),
    words(
      'Authorization Host Cookie Connection X-Forwarded-For Via Nango-Proxy-Host Forwarded Nango-Proxy-X-Custom',
      'Provider-Config-Key Connection-Id Content-Length Transfer-Encoding X-Real-IP TE X-HTTP-Method-Override',
      'Content-Type x_under X-Amzn-Trace-Id X-Custom Expect Upgrade Proxy-Authorization',
    ),
    fc.string({ maxLength: 6 }),
  ),
  fc.oneof(
    fc.constantFrom(SECRET_KEY, 'x-custom, authorization', 'GET', 'chunked', 'multipart/mixed; boundary=b'),
    text,
  ),
);
const request = fc.record({
  method: fc.oneof(words('GET POST PUT DELETE PATCH HEAD TRACE CONNECT get'), fc.constant('GET /x HTTP/1.1\r\n')),
  rawPath: path,
  query: fc.oneof(fc.constant([]), fc.array(fc.tuple(text, text), { maxLength: 3 })),
  headers: fc.oneof(fc.constant([]), fc.array(header, { maxLength: 6 })),
  body: fc.option(fc.uint8Array({ maxLength: 40 }), { nil: undefined }),
  requestId: fc.constant('r-1'),
  sourceIp: fc.constant('198.51.100.77'),
});

/** A plain request with at most one hostile part: each is met alone, too, and not only behind another's refusal. */
const nearMiss = (prefix: string) =>
  fc
    .tuple(request, fc.constantFrom(undefined, 'method', 'rawPath', 'query', 'headers', 'body'))
    .map(([hostile, part]): typeof hostile => ({
      ...hostile,
      method: part === 'method' ? hostile.method : 'POST',
      rawPath: part === 'rawPath' ? `/proxy${prefix}${hostile.rawPath.slice('/proxy'.length)}` : `/proxy${prefix}/x`,
      query: part === 'query' ? hostile.query : [],
      headers: part === 'headers' ? hostile.headers : [],
      body: part === 'body' ? hostile.body : undefined,
    }));

/** Names that are the gateway's, the hop's or the caller's own; none may reach a provider. */
const STAYS =
  /^(authorization|host|cookie2?|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|http2-settings|content-length|provider-config-key|connection-id|forwarded|x-forwarded-.*|x-real-ip|x-amz.*|cloudfront-.*|cf-.*|proxy-.*|nango-.*)$/i;

function expectHarmless({ method, target, headers }: UpstreamPlan, prefixes: readonly string[]): void {
  expect(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD']).toContain(method);
  // The target is sent byte by byte: it has no space, no control character, and only ASCII.
  expect(target).toMatch(/^\/[\x21-\x7e]*$/);
  const url = new URL(API_ORIGIN + target);
  expect(url.origin).toBe(API_ORIGIN);
  for (const lenient of [url.pathname, decoded(url.pathname), decoded(decoded(url.pathname))]) {
    const resolved = new URL(API_ORIGIN + lenient.replaceAll('\\', '/')).pathname;
    expect(
      prefixes.some((prefix) => resolved.startsWith(prefix) || resolved === prefix),
      resolved,
    ).toBe(true);
  }
  for (const [name, value] of headers) {
    expect(name).toMatch(/^[!#$%&'*+.^`|~0-9A-Za-z-]+$/);
    expect(name).not.toMatch(STAYS);
    expect(value).toMatch(/^[\t\x20-\x7e\x80-\xff]*$/);
    expect(value).not.toContain('198.51.100.77');
  }
}

/** Percent-decoding of a server that shrugs at what is malformed. */
function decoded(value: string): string {
  return value.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

describe('hostile requests, from the raw path to the planned upstream request', () => {
  it.each(PROVIDERS)(
    'PX-1, PX-2, PX-3, PX-7: $id: whatever is generated is refused with a 4xx or planned within the rules',
    (provider) => {
      let planned = 0;
      fc.assert(
        fc.property(fc.oneof(request, nearMiss(provider.apiPaths[0]?.prefix ?? '')), (generated) => {
          let plan: UpstreamPlan;
          try {
            plan = planUpstreamRequest(generated, provider, BASE_URL, API_ORIGINS);
          } catch (error) {
            expect(error).toBeInstanceOf(GatewayError);
            expect(error instanceof GatewayError ? error.status : 0).toBeGreaterThanOrEqual(400);
            expect(error instanceof GatewayError ? error.status : 500).toBeLessThan(500);
            return;
          }
          planned++;
          expectHarmless(
            plan,
            provider.apiPaths.map(({ prefix }) => prefix),
          );
        }),
        { numRuns: 3000 },
      );
      // Refusing everything would pass as well.
      expect(planned).toBeGreaterThan(30);
    },
  );

  it('PX-7: a secret key in a header that is forwarded is the caller’s own doing, and in every other it stays here', () => {
    fc.assert(
      fc.property(
        words('Authorization authorization AUTHORIZATION Cookie Nango-Proxy-Authorization Proxy-Authorization'),
        (name) => {
          const headers = [[name, `Bearer ${SECRET_KEY}`]] as const;
          const generated = gatewayRequest({ rawPath: '/proxy/drive/v3/files', headers });
          let sent = '';
          try {
            sent = JSON.stringify(planUpstreamRequest(generated, googleDrive, BASE_URL, API_ORIGINS));
          } catch (error) {
            expect(error).toBeInstanceOf(GatewayError);
          }
          expect(sent).not.toContain(SECRET_KEY);
        },
      ),
    );
  });
});
