import { type Problem, refusal } from '../core/errors.ts';
import { type HeaderPairs, headerValues } from '../core/http-message.ts';
import { REQUEST_HEADERS_MAX_BYTES, REQUEST_HEADERS_MAX_COUNT } from '../core/limits.ts';
import type { Provider } from '../providers/provider.rules.ts';
import { assertUnambiguous, PROXY_PREFIX } from './request-line.rules.ts';

/**
 * Header fields that are only for one hop, for this gateway or for its platform. One canonical name for every spelling: lower case, no
 * underscore (PX-8).
 */

/** RFC 9110 section 7.6.1, and headers that Node or the front door computes again. */
const HOP_BY_HOP = new Set([
  'connection',
  'content-length',
  'expect',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Consumed by the gateway, never forwarded (PX-24). */
const CONTROL = new Set([
  'authorization',
  'base-url-override',
  'connection-id',
  'decompress',
  'forward-headers-on-redirect',
  'gateway-priority',
  'provider-config-key',
  'retries',
  'retry-on',
]);

const PLATFORM = new Set([
  'cdn-loop',
  'cookie',
  'cookie2',
  'forwarded',
  'host',
  'true-client-ip',
  'via',
  'x-client-ip',
  'x-real-ip',
]);
const PLATFORM_PREFIXES = ['x-amz', 'x-forwarded', 'cloudfront-', 'cf-', 'nango-', 'x-original-', 'x-gateway-'];

/**
 * Identities other than the connection's: API keys, tokens and account choices that Google accepts in headers (PX-25; Google Cloud,
 * "System parameters", and its proto-processing-lib).
 */
const CREDENTIAL_HEADERS = new Set([
  'x-goog-api-key',
  'x-goog-authuser',
  'x-goog-iam-authority-selector',
  'x-goog-iam-authorization-token',
  'x-goog-pageid',
  'x-goog-spatula',
  'x-google-endusercreds-bin',
]);

function isHopByHop(name: string): boolean {
  return HOP_BY_HOP.has(name) || name.startsWith('proxy-');
}

function isControl(name: string): boolean {
  return CONTROL.has(name);
}

export function isCredentialHeader(name: string): boolean {
  return CREDENTIAL_HEADERS.has(name);
}

/** Cookies, forwarding and platform fields (PX-7). */
function isPlatform(name: string): boolean {
  return PLATFORM.has(name) || PLATFORM_PREFIXES.some((prefix) => name.startsWith(prefix));
}

/** The lists of this file: each name and prefix is tested and documented in docs/fidelity.md. */
export function headerLists() {
  return {
    /** Not passed to the provider. */
    dropped: [...HOP_BY_HOP, ...CONTROL, ...PLATFORM],
    droppedPrefixes: ['proxy-', ...PLATFORM_PREFIXES],
    /** Not passed to the provider, and the call is refused. */
    refused: [...CREDENTIAL_HEADERS],
    /** Passed to the caller; `Vary` is, too, with the gateway's own fields. */
    passed: [...PASSING, 'vary'],
    passedPrefixes: PASSING_FAMILIES,
  };
}

/** RFC 9110 section 5.6.2 token, without `_`, which other servers may treat as `-`. */
function isForwardableName(name: string): boolean {
  return /^[a-z0-9!#$%&'*+.^`|~-]+$/.test(name);
}

/** Names listed by `Connection` fields: they are meant only for this hop, so they are removed before ours are added (PX-6). */
export function nominatedNames(connectionValues: readonly string[]): ReadonlySet<string> {
  return new Set(connectionValues.flatMap((value) => value.split(',')).map((name) => name.trim().toLowerCase()));
}

/** Fixed name in `Via`, which reveals the gateway but not the caller (RFC 9110 section 7.6.3). */
const VIA_PSEUDONYM = 'integration-gateway';

/** `Nango-Proxy-<name>` is forwarded as `<name>` and overrides a plain header of that name. */
export const OVERRIDE_PREFIX = 'nango-proxy-';
/** The message for a caller that sends an identity of its own. */
export const OTHER_CREDENTIALS_MESSAGE = "the gateway adds the connection's identity itself; remove it";
const ILLEGAL_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Headers for the provider, without identity and length, which the sender adds last (PX-5 to PX-12).
 *
 * @throws GatewayError `invalid_headers` naming every forbidden field, or for a request that has passed here before
 */
export function upstreamRequestHeaders(headers: HeaderPairs): [string, string][] {
  const problems: Problem[] = [];
  checkSize(headers, problems);
  checkLoop(headers, problems);
  const nominated = nominatedNames(headerValues(headers, 'connection'));
  const overrides = new Map<string, string>();
  const plain: [string, string][] = [];
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (!isHeaderValue(value)) {
      problems.push({ path: `headers.${name}`, message: 'send Latin-1 text without line breaks or NUL' });
    } else if (nominated.has(lower)) {
      // Named by `Connection`: meant only for this hop, under any prefix.
    } else if (lower.startsWith(OVERRIDE_PREFIX)) {
      const target = lower.slice(OVERRIDE_PREFIX.length);
      // A name that other servers may interpret as another is dropped everywhere, with or without the prefix.
      if (!isForwardableName(target)) continue;
      if (isCredentialHeader(target)) {
        problems.push({ path: `headers.${name}`, message: OTHER_CREDENTIALS_MESSAGE });
      } else if (isControl(target) || isHopByHop(target) || isPlatform(target)) {
        problems.push({ path: `headers.${name}`, message: `${target} is set by the gateway; remove this header` });
      } else {
        overrides.set(target, value);
      }
    } else if (isCredentialHeader(lower)) {
      problems.push({ path: `headers.${name}`, message: OTHER_CREDENTIALS_MESSAGE });
    } else if (isForwardedHeader(lower)) {
      plain.push([name, value]);
    }
  }
  if (problems.length > 0) throw refusal('invalid_headers', problems);
  const kept = plain.filter(([name]) => !overrides.has(name.toLowerCase()));
  return [...kept, ...overrides, ['via', `1.1 ${VIA_PSEUDONYM}`]];
}

/** Whether a caller's header, its name in lower case, is forwarded at all. */
export function isForwardedHeader(lower: string): boolean {
  return isForwardableName(lower) && !isHopByHop(lower) && !isControl(lower) && !isPlatform(lower);
}

/** Whether a value is valid in a header field: Latin-1 without line breaks and NUL (PX-11; RFC 9110 section 5.5). */
export function isHeaderValue(value: string): boolean {
  return !ILLEGAL_VALUE.test(value);
}

function checkSize(headers: HeaderPairs, problems: Problem[]): void {
  const bytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  if (headers.length > REQUEST_HEADERS_MAX_COUNT || bytes > REQUEST_HEADERS_MAX_BYTES) {
    problems.push({
      path: 'headers',
      message: `send at most ${REQUEST_HEADERS_MAX_COUNT} headers of ${REQUEST_HEADERS_MAX_BYTES} bytes together`,
    });
  }
}

function checkLoop(headers: HeaderPairs, problems: Problem[]): void {
  if (headerValues(headers, 'via').some((value) => value.toLowerCase().includes(` ${VIA_PSEUDONYM}`))) {
    problems.push({
      path: 'headers.Via',
      message: 'this request has already passed through the gateway: it would loop',
    });
  }
}

/** Fields with the session of an upload: of the documented protocol, and of the one used by Google's Ruby client. */
const SESSION_FIELDS = new Set(['location', 'x-goog-upload-url', 'x-goog-upload-control-url']);

/**
 * Response headers with the address of a resumable upload moved to the gateway, so that chunks use it, too, and the secret key
 * is never sent to the provider (PX-15). The address is normalized first, and moved only when it is then below an
 * upload path in every interpretation (PR-15). Any other `Location` is unchanged.
 *
 * @param apiOrigin the provider's API origin, no trailing slash
 * @param baseUrl the gateway's public address, no trailing slash
 */
export function rewriteUploadLocation(
  headers: HeaderPairs,
  provider: Provider,
  apiOrigin: string,
  baseUrl: string,
): HeaderPairs {
  return headers.map(([name, value]) => {
    if (!SESSION_FIELDS.has(name.toLowerCase())) return [name, value];
    const target = uploadTarget(value, provider, apiOrigin);
    return target === undefined ? [name, value] : [name, `${baseUrl}${PROXY_PREFIX}${target}`];
  });
}

/** Path and rest, when an address at the API names an upload; only the path is normalized. */
function uploadTarget(location: string, provider: Provider, apiOrigin: string): string | undefined {
  // Any other is relative to the requested path, which none of Google's is.
  if (!/^([a-z][a-z0-9+.-]*:|[/\\])/i.test(location)) return undefined;
  const url = URL.canParse(location, apiOrigin) ? new URL(location, apiOrigin) : undefined;
  if (url === undefined || url.origin !== new URL(apiOrigin).origin || url.username !== '') return undefined;
  if (!provider.uploadPathPrefixes.some((prefix) => url.pathname.startsWith(prefix))) return undefined;
  try {
    assertUnambiguous(url.pathname);
  } catch {
    return undefined;
  }
  const rest = location.search(/[?#]/);
  return url.pathname + (rest < 0 ? '' : location.slice(rest));
}

/**
 * Response headers that pass: fields about the body (RFC 9110 section 8), caching and ranges, the request's outcome, and those of
 * CalDAV (RFC 4918, RFC 6638). Others could affect the gateway's own origin (PR-2), request other credentials (PR-7) or be rewritten by
 * the front door; unknown fields do not pass (PR-15).
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
/** Google's own families: browsers ignore them, and clients read new members as soon as they exist. */
const PASSING_FAMILIES = ['x-goog-', 'x-google-', 'x-guploader-'];
/** Request headers on which a response depends here, in addition to the provider's (RFC 9110 section 12.5.5). */
const VARY = ['Authorization', 'Connection-Id', 'Provider-Config-Key'];
/** Repeats the provider's body length, which the streaming front door cannot keep (PR-9). */
export const UPSTREAM_LENGTH_HEADER = 'x-upstream-content-length';
/** `unverified` on a body that ends with its connection, because its completeness is unknown (F36). */
export const UPSTREAM_END_HEADER = 'x-upstream-length';

/** Why an existing file may be missing: `pick_again` (PK-15), or the provider's hint for a parameter (CH-27). */
export const HINT_HEADER = 'x-gateway-hint';

/** The cost of the call and how full the provider's quotas are. */
export const QUOTA_HEADER = 'x-gateway-quota';
/** `budget_spent` on an answer that was not retried although it might have been (I11). */
export const RETRIES_HEADER = 'x-gateway-retries';

/** The protective headers of every proxied answer (PR-3). */
const PROTECTIVE: HeaderPairs = [
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "sandbox; default-src 'none'"],
  ['cross-origin-resource-policy', 'same-origin'],
  ['referrer-policy', 'no-referrer'],
];

/** Headers of a proxied response: passing ones unchanged, repeats kept, ours last (PR-1, PR-2, PR-3, PR-7, PR-9, PR-15). */
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

/** Whether the body has neither a length nor chunks, so that it ends with the connection (RFC 9112 section 6.3). */
export function endsWithConnection(method: string, status: number, upstream: HeaderPairs): boolean {
  if (method === 'HEAD' || status === 204 || status === 205 || status === 304) return false;
  const codings = headerValues(upstream, 'transfer-encoding').join();
  if (codings !== '') return !/(^|[,\s])chunked\s*$/i.test(codings);
  return headerValues(upstream, 'content-length').length === 0;
}

function passes(lower: string): boolean {
  return PASSING.has(lower) || PASSING_FAMILIES.some((family) => lower.startsWith(family));
}

/** The provider's fields and ours, once each; `*` already includes all. */
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
