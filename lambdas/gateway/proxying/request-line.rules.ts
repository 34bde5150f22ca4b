import { GatewayError, type Problem, refusal, wrongMethod } from '../core/errors.ts';
import { type HeaderPairs, headerValues } from '../core/http-message.ts';
import type { ApiPath, Provider } from '../providers/provider.rules.ts';

const FORWARDED = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** Lower-case name of the header from which Google reads a method. */
const METHOD_OVERRIDE_HEADER = 'x-http-method-override';
/** The prefixed spelling is forwarded as the plain name, so it is the same header here. */
const PREFIXED_METHOD_OVERRIDE_HEADER = `nango-proxy-${METHOD_OVERRIDE_HEADER}`;

/** The method that is sent, and the one that it means. */
export interface UpstreamMethod {
  /** Method on the wire. */
  readonly method: string;
  /** Method that the provider executes; retry rules use it. */
  readonly effectiveMethod: string;
}

/** Methods that a POST may represent inside a batch. */
const NAMED_METHODS = new Set(['PUT', 'PATCH', 'DELETE']);

/**
 * A request inside a batch with the method that it names: Google's Java client sends PATCH as POST with `X-HTTP-Method-Override:
 * PATCH`, in batches too, where API Gateway does not process the header. Any other stays unchanged.
 */
export function withoutNamedMethod(
  method: string,
  headers: HeaderPairs,
): { readonly method: string; readonly headers: HeaderPairs } {
  const [override, ...more] = headerValues(headers, METHOD_OVERRIDE_HEADER).map((value) => value.trim().toUpperCase());
  if (method !== 'POST' || override === undefined || more.length > 0 || !NAMED_METHODS.has(override)) {
    return { method, headers };
  }
  return { method: override, headers: headers.filter(([name]) => name.toLowerCase() !== METHOD_OVERRIDE_HEADER) };
}

/** Media type of a query that is too long for an address. */
const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * Method of the upstream request (PX-13). The only override that passes is GET on POST: long queries sent as a form. API
 * Gateway processes the header itself and removes it ("Amazon API Gateway important notes"), so a GET with a form is the
 * same request.
 *
 * @param moreMethods further methods that the path supports
 * @throws GatewayError `method_not_allowed` or `invalid_headers`
 */
export function upstreamMethod(
  method: string,
  headers: HeaderPairs,
  hasBody: boolean,
  moreMethods: readonly string[] = [],
): UpstreamMethod {
  const overrides = [
    ...headerValues(headers, METHOD_OVERRIDE_HEADER),
    ...headerValues(headers, PREFIXED_METHOD_OVERRIDE_HEADER),
  ].map((value) => value.trim().toUpperCase());
  if (overrides.some((override) => override !== '')) {
    if (overrides.length === 1 && overrides[0] === 'GET' && (method === 'POST' || (method === 'GET' && hasBody))) {
      return { method: 'POST', effectiveMethod: 'GET' };
    }
    throw refusal('invalid_headers', [
      {
        path: 'headers.X-HTTP-Method-Override',
        message: 'only GET on a POST is forwarded; send the real method instead',
      },
    ]);
  }
  if (method === 'GET' && hasBody && contentTypes(headers).some((type) => mediaType(type) === FORM_TYPE)) {
    return { method: 'POST', effectiveMethod: 'GET' };
  }
  // A browser's preflight is refused, because no page may use the proxy (PR-6).
  const isPreflight = method === 'OPTIONS' && headerValues(headers, 'access-control-request-method').length > 0;
  if (isPreflight || !(FORWARDED.has(method) || moreMethods.includes(method))) {
    throw wrongMethod(`${method} is not proxied; use ${[...FORWARDED].join(', ')}.`, [...FORWARDED]);
  }
  return { method, effectiveMethod: method };
}

/**
 * Headers of a request with a known method: with the override where it represents a read, otherwise without. A form that
 * is a query must be readable here as Google reads it, so that its keys can be checked (PX-25).
 *
 * @throws GatewayError `invalid_headers`
 */
export function withMethodOverride(
  headers: HeaderPairs,
  { method, effectiveMethod }: UpstreamMethod,
  hasBody: boolean,
): HeaderPairs {
  const others = headers.filter(([name]) => name.toLowerCase() !== METHOD_OVERRIDE_HEADER);
  if (method === effectiveMethod) return others;
  if (hasBody) checkForm(headers);
  return [...others, [METHOD_OVERRIDE_HEADER, effectiveMethod]];
}

function checkForm(headers: HeaderPairs): void {
  const problems: Problem[] = [];
  if (headerValues(headers, 'content-encoding').some((coding) => coding.trim().toLowerCase() !== 'identity')) {
    problems.push({
      path: 'headers.Content-Encoding',
      message: 'send a form that replaces a query without compression',
    });
  }
  const [type = '', ...more] = headerValues(headers, 'content-type');
  const charset = /;\s*charset="?([^";\s]*)/i.exec(type)?.[1] ?? 'utf-8';
  if (more.length > 0 || mediaType(type) !== FORM_TYPE || charset.toLowerCase() !== 'utf-8') {
    problems.push({ path: 'headers.Content-Type', message: `send a query in a body as ${FORM_TYPE}, in UTF-8` });
  }
  if (problems.length > 0) throw refusal('invalid_headers', problems);
}

/** Under both spellings, because the prefixed one is forwarded as the plain name. */
function contentTypes(headers: HeaderPairs): string[] {
  return ['content-type', 'nango-proxy-content-type'].flatMap((name) => headerValues(headers, name));
}

function mediaType(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** Literal prefix of proxied requests; the rest belongs to the provider, byte for byte. */
export const PROXY_PREFIX = '/proxy';

const RAW_PATH = /^[\x21\x24-\x3b\x3d\x40-\x5b\x5d\x5f\x61-\x7a\x7c\x7e]*$/;
const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its purpose
const CONTROL = /[\x00-\x1f\x7f-\x9f\u2028\u2029]/;
/** Segments end at `/` and `\`; a parameter (`;x`) does not hide a dot segment. */
const DOT_SEGMENT = /(?:^|[/\\])\.{1,2}(?:[/\\;]|$)/;

/**
 * The provider's path inside a `/proxy/...` request: an unchanged part of the sent path, with the provider's data about
 * it, or a refusal (PX-2, PX-3, PX-4).
 *
 * @throws GatewayError `invalid_path` for a path that could leave the provider's, `path_not_allowed` for the rest
 */
export function upstreamPath(rawPath: string, provider: Provider): { readonly path: string; readonly api: ApiPath } {
  const path = proxiedPart(rawPath);
  return { path, api: assertProviderPath(path, provider) };
}

/**
 * Refuses a path that is ambiguous or outside the provider's paths, and returns the API of any other.
 *
 * @throws GatewayError `invalid_path` or `path_not_allowed`
 */
export function assertProviderPath(path: string, provider: Provider): ApiPath {
  assertUnambiguous(path);
  const api = provider.apiPaths.find(({ prefix }) => isUnder(path, prefix));
  if (api !== undefined) return api;
  if (isEncodedWhole(path, provider)) {
    throw new GatewayError(
      'path_not_allowed',
      'The slashes of the path are encoded as %2F: send them as /. Clients generated from the API’s document encode them; “Generate a client” in docs/api.md shows the setting that keeps them.',
    );
  }
  const paths = provider.apiPaths.map(({ prefix }) => PROXY_PREFIX + prefix).join(', ');
  throw new GatewayError(
    'path_not_allowed',
    `This integration is for ${provider.displayName}, whose paths begin with ${paths}. For another API use an integration of that API's provider; GET /providers lists them.`,
  );
}

/** Whether it would be a path of the provider with its slashes unencoded. */
function isEncodedWhole(path: string, { apiPaths }: Provider): boolean {
  const decoded = path.replaceAll(/%2f/gi, '/');
  return apiPaths.some(({ prefix }) => isUnder(decoded, prefix));
}

/** The path after `/proxy`, unchecked. */
function proxiedPart(rawPath: string): string {
  const path = rawPath.startsWith(`${PROXY_PREFIX}/`) ? rawPath.slice(PROXY_PREFIX.length) : '';
  if (path === '' || path === '/') {
    throw new GatewayError(
      'invalid_path',
      `Put the provider's path after ${PROXY_PREFIX}, such as ${PROXY_PREFIX}/drive/v3/files.`,
    );
  }
  return path;
}

/** A prefix with a trailing slash includes everything below it; any other only itself. */
export function isUnder(path: string, prefix: string): boolean {
  return prefix.endsWith('/') ? path.startsWith(prefix) : path === prefix;
}

/** Refuses a path that readers could interpret differently. */
export function assertUnambiguous(path: string): void {
  if (!RAW_PATH.test(path)) refuse('it contains characters that must be percent-encoded');
  if (BAD_ESCAPE.test(path)) refuse('it contains a % that starts no escape; send a literal % as %25');
  if (path.startsWith('//') || /^\/(https?:|[.@:])/i.test(path)) refuse('it looks like another address');
  let once: string;
  try {
    once = decodeURIComponent(path);
  } catch {
    refuse('its escapes are not UTF-8');
  }
  const twice = once.replace(/(?:%[0-9A-Fa-f]{2})+/g, decodeLeniently);
  for (const text of [path, once, twice]) {
    if (CONTROL.test(text)) refuse('it contains control characters');
    if (DOT_SEGMENT.test(text)) refuse('it contains a dot segment');
  }
}

/** Decodes once more, as a careless server might: bytes that are not UTF-8 must not hide the others. */
function decodeLeniently(escapes: string): string {
  return Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8');
}

function refuse(why: string): never {
  throw new GatewayError('invalid_path', `The path after ${PROXY_PREFIX} is refused: ${why}.`);
}

const IDENTITY_KEYS = ['access_token', 'oauth_token', 'bearer_token', 'xoauth', 'xoauth_requestor_id', 'key'];

/**
 * Keys that compete with the injected identity, turn data into script, or replace method, headers, type or body of the request (PX-13,
 * PX-23, PX-25). Google reads its system parameters with and without a leading `$` (Google Cloud, "System parameters"; the rest from
 * its proto-processing-lib).
 */
const REFUSED_KEYS: ReadonlyMap<string, string> = new Map([
  ...[...IDENTITY_KEYS, ...IDENTITY_KEYS.map((key) => `$${key}`), '$httpheaders'].map(
    (key) => [key, "the gateway adds the connection's identity itself; remove it"] as const,
  ),
  ...['callback', '$callback'].map((key) => [key, 'JSONP is not proxied; remove it'] as const),
  ['$httpmethod', 'the method is not overridden in the query; send the real method instead'],
  ['$ct', 'the content type is not overridden in the query; send it as Content-Type'],
  ['$req', 'the body is not sent in the query; send it as the body'],
]);

/**
 * Query string for the provider, with its leading `?`, or '' (PX-4: keys and values keep their meaning, and the order of one
 * key's values; the front door has already lost the order across keys).
 *
 * @throws GatewayError `invalid_query_params` naming every refused key
 */
export function upstreamQuery(query: readonly (readonly [string, string])[]): string {
  const problems: Problem[] = [];
  for (const key of new Set(query.map(([name]) => name))) {
    const problem = refusedKey(key);
    if (problem !== undefined) problems.push(problem);
  }
  if (problems.length > 0) throw refusal('invalid_query_params', problems);
  if (query.length === 0) return '';
  return `?${query.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&')}`;
}

/** The longest refused key with every character escaped: a longer key is never refused, and is not decoded. */
const RAW_KEY_MAX_LENGTH = 3 * [...REFUSED_KEYS.keys()].reduce((most, { length }) => Math.max(most, length), 0);

/** Why a query key may not be sent to the provider, or undefined. */
export function refusedKey(key: string): Problem | undefined {
  const message = REFUSED_KEYS.get(key.toLowerCase());
  return message === undefined ? undefined : { path: `query.${key}`, message };
}

/**
 * Problems of a query, or form body, that is sent unchanged: refused keys in any encoding, once each. `;` counts as a separator, too,
 * because some servers treat it as one.
 */
export function rawQueryProblems(rawQuery: string): Problem[] {
  const problems = new Map<string, Problem>();
  for (const [, rawKey = ''] of rawQuery.matchAll(/(?:^|[&;])([^&;=]+)/g)) {
    if (rawKey.length > RAW_KEY_MAX_LENGTH) continue;
    const key = decodeAscii(rawKey);
    const problem = refusedKey(key);
    if (problem !== undefined) problems.set(key, problem);
  }
  return [...problems.values()];
}

/** Decodes only as far as the checked keys require, which are all ASCII. */
export function decodeAscii(raw: string): string {
  if (!raw.includes('%')) return raw;
  return raw.replace(/%([0-7][0-9A-Fa-f])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function encode(text: string): string {
  // An unpaired surrogate cannot be sent; every client sends the replacement character.
  return encodeURIComponent(text.toWellFormed());
}
