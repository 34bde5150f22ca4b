import type { HeaderPairs } from '../http-message.ts';
import { headerValues } from '../http-message.ts';
import { isHopByHop, nominatedNames } from './header-names.ts';

/** Fields that would act on the gateway's own origin (PR-2), ask for other credentials (PR-7), or that the front door rewrites. */
const DROPPED = new Set([
  'alt-svc',
  'clear-site-data',
  'date',
  'nel',
  'origin-agent-cluster',
  'permissions-policy',
  'proxy-authenticate',
  'public-key-pins',
  'public-key-pins-report-only',
  'refresh',
  'report-to',
  'reporting-endpoints',
  'server',
  'server-timing',
  'service-worker-allowed',
  'set-cookie',
  'set-cookie2',
  'sourcemap',
  'strict-transport-security',
  'www-authenticate',
  'x-frame-options',
  'x-sourcemap',
  'x-xss-protection',
]);
const DROPPED_PREFIXES = [
  'access-control-',
  'content-security-policy',
  'cross-origin-',
  'x-gateway-',
  'x-amzn-',
  'x-amz-',
];
/** Repeats the provider's body length, which the streaming front door cannot keep (PR-9). */
export const UPSTREAM_LENGTH_HEADER = 'x-upstream-content-length';
/** Says `unverified` on a body that ends with its connection: whether it is whole nobody can tell (F36). */
export const UPSTREAM_END_HEADER = 'x-upstream-length';

/** Says `budget_spent` on an answer that was not repeated although it might have been (I11). */
export const RETRIES_HEADER = 'x-gateway-retries';

const OWN = new Set([
  'x-content-type-options',
  'referrer-policy',
  'x-request-id',
  'cache-control',
  UPSTREAM_LENGTH_HEADER,
  UPSTREAM_END_HEADER,
]);

/** The protective headers of every proxied answer (PR-3). */
const PROTECTIVE: HeaderPairs = [
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "sandbox; default-src 'none'"],
  ['cross-origin-resource-policy', 'same-origin'],
  ['referrer-policy', 'no-referrer'],
];

/** Headers of a proxied answer: end-to-end ones as they came, repeats kept, ours last (PR-1, PR-2, PR-3, PR-7, PR-9). */
export function proxiedResponseHeaders(upstream: HeaderPairs, requestId: string): HeaderPairs {
  const nominated = nominatedNames(headerValues(upstream, 'connection'));
  const headers: [string, string][] = [];
  let length: string | undefined;
  for (const [name, value] of upstream) {
    const lower = name.toLowerCase();
    if (lower === 'content-length') length = value;
    else if (!OWN.has(lower) && !nominated.has(lower) && isEndToEnd(lower)) headers.push([name, value]);
  }
  if (length !== undefined) headers.push([UPSTREAM_LENGTH_HEADER, length]);
  return [
    ...headers,
    ...PROTECTIVE,
    ['cache-control', cacheControl(headerValues(upstream, 'cache-control'))],
    ['x-request-id', requestId],
  ];
}

/** Whether the body has neither a length nor chunks, so that only the end of the connection ends it (RFC 9112 section 6.3). */
export function endsWithConnection(method: string, status: number, upstream: HeaderPairs): boolean {
  if (method === 'HEAD' || status === 204 || status === 205 || status === 304) return false;
  const codings = headerValues(upstream, 'transfer-encoding').join();
  if (codings !== '') return !/(^|[,\s])chunked\s*$/i.test(codings);
  return headerValues(upstream, 'content-length').length === 0;
}

function isEndToEnd(lower: string): boolean {
  return !isHopByHop(lower) && !DROPPED.has(lower) && !DROPPED_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

/** The provider's directives where they forbid shared caching, otherwise `no-store`; `private="field"` forbids it for one field only. */
function cacheControl(values: readonly string[]): string {
  const joined = values.join(', ');
  return /(^|[,\s])(private|no-store)($|[,\s])/i.test(joined) ? joined : 'no-store';
}
