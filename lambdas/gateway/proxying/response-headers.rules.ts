import { type HeaderPairs, headerValues } from '../core/http-message.ts';
import { nominatedNames } from './header-names.rules.ts';

/**
 * What passes down: fields that say what the body is (RFC 9110 section 8), how it may be kept and asked for in parts, what
 * became of the request, and what CalDAV adds (RFC 4918, RFC 6638). Anything else could act on the gateway's own origin (PR-2),
 * ask for other credentials (PR-7) or be rewritten by the front door; a field nobody here knows does not pass (PR-15).
 */
const PASSING = new Set([
  'accept-ranges',
  'age',
  'allow',
  'content-digest',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-location',
  'content-range',
  'content-transfer-encoding',
  'content-type',
  'dav',
  'digest',
  'etag',
  'expires',
  'last-modified',
  'location',
  'lock-token',
  'mime-version',
  'pragma',
  'preference-applied',
  'range',
  'repr-digest',
  'retry-after',
  'schedule-tag',
  'warning',
  'x-http-status-code-override',
  'x-range-md5',
  'x-rejected-reason',
  'x-response-encoding',
]);
/** Families of Google's own: browsers act on none of them, and clients read new members as soon as there are any. */
const PASSING_FAMILIES = ['x-goog-', 'x-google-', 'x-guploader-'];
/** What an answer depends on here besides what the provider says (RFC 9110 section 12.5.5). */
const VARY = ['Authorization', 'Connection-Id', 'Provider-Config-Key'];
/** Repeats the provider's body length, which the streaming front door cannot keep (PR-9). */
export const UPSTREAM_LENGTH_HEADER = 'x-upstream-content-length';
/** Says `unverified` on a body that ends with its connection: whether it is whole nobody can tell (F36). */
export const UPSTREAM_END_HEADER = 'x-upstream-length';

/** Says `pick_again` where a file may be missing because its user has not picked it (PK-15). */
export const HINT_HEADER = 'x-gateway-hint';
/** Says `budget_spent` on an answer that was not repeated although it might have been (I11). */
export const RETRIES_HEADER = 'x-gateway-retries';

/** The protective headers of every proxied answer (PR-3). */
const PROTECTIVE: HeaderPairs = [
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "sandbox; default-src 'none'"],
  ['cross-origin-resource-policy', 'same-origin'],
  ['referrer-policy', 'no-referrer'],
];

/** Headers of a proxied answer: those that pass as they came, repeats kept, ours last (PR-1, PR-2, PR-3, PR-7, PR-9, PR-15). */
export function proxiedResponseHeaders(upstream: HeaderPairs, requestId: string): HeaderPairs {
  const nominated = nominatedNames(headerValues(upstream, 'connection'));
  const caching = cacheControl(headerValues(upstream, 'cache-control'));
  const mayBeCached = !NO_STORE.test(caching);
  const headers: [string, string][] = [];
  const vary: string[] = [];
  let length: string | undefined;
  for (const [name, value] of upstream) {
    const lower = name.toLowerCase();
    if (lower === 'content-length') length = value;
    else if (nominated.has(lower)) continue;
    else if (lower === 'vary' && mayBeCached) vary.push(value);
    else if (lower === 'vary' || passes(lower)) headers.push([name, value]);
  }
  if (mayBeCached) headers.push(['vary', varyOf(vary)]);
  if (length !== undefined) headers.push([UPSTREAM_LENGTH_HEADER, length]);
  return [...headers, ...PROTECTIVE, ['cache-control', caching], ['x-request-id', requestId]];
}

/** Whether the body has neither a length nor chunks, so that only the end of the connection ends it (RFC 9112 section 6.3). */
export function endsWithConnection(method: string, status: number, upstream: HeaderPairs): boolean {
  if (method === 'HEAD' || status === 204 || status === 205 || status === 304) return false;
  const codings = headerValues(upstream, 'transfer-encoding').join();
  if (codings !== '') return !/(^|[,\s])chunked\s*$/i.test(codings);
  return headerValues(upstream, 'content-length').length === 0;
}

function passes(lower: string): boolean {
  return PASSING.has(lower) || PASSING_FAMILIES.some((family) => lower.startsWith(family));
}

/** The provider's fields and ours, once each; `*` already covers everything. */
function varyOf(values: readonly string[]): string {
  const theirs = values
    .join(',')
    .split(',')
    .map((field) => field.trim())
    .filter((field) => field !== '');
  if (theirs.includes('*')) return '*';
  const known = new Set(theirs.map((field) => field.toLowerCase()));
  return [...theirs, ...VARY.filter((field) => !known.has(field.toLowerCase()))].join(', ');
}

const NO_STORE = /(^|[,\s])no-store($|[,\s])/i;

/** The provider's directives where they forbid shared caching, otherwise `no-store`; `private="field"` forbids it for one field only. */
function cacheControl(values: readonly string[]): string {
  const joined = values.join(', ');
  return /(^|[,\s])(private|no-store)($|[,\s])/i.test(joined) ? joined : 'no-store';
}
