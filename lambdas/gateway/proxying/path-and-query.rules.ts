import { GatewayError, type Problem, refusal } from '../core/errors.ts';
import type { ApiPath, Provider } from '../providers/provider.rules.ts';

/** Literal prefix of proxied requests; everything after it belongs to the provider, byte for byte. */
export const PROXY_PREFIX = '/proxy';

const RAW_PATH = /^[\x21\x24-\x3b\x3d\x40-\x5b\x5d\x5f\x61-\x7a\x7c\x7e]*$/;
const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its purpose
const CONTROL = /[\x00-\x1f\x7f-\x9f\u2028\u2029]/;
/** Segments end at `/` and `\`; a parameter (`;x`) does not hide a dot segment. */
const DOT_SEGMENT = /(?:^|[/\\])\.{1,2}(?:[/\\;]|$)/;

/**
 * The provider's path inside a `/proxy/...` request: a byte-equal part of what was sent, with what the provider's data say of
 * it, or a refusal (PX-2, PX-3, PX-4).
 *
 * @throws GatewayError `invalid_path` for anything that could leave the provider's paths, `path_not_allowed` for the rest
 */
export function upstreamPath(rawPath: string, provider: Provider): { readonly path: string; readonly api: ApiPath } {
  const path = proxiedPart(rawPath);
  return { path, api: assertProviderPath(path, provider) };
}

/**
 * Refuses a path that is ambiguous or outside the provider's paths, and says where any other belongs.
 *
 * @throws GatewayError `invalid_path` or `path_not_allowed`
 */
export function assertProviderPath(path: string, provider: Provider): ApiPath {
  assertUnambiguous(path);
  const api = provider.apiPaths.find(({ prefix }) => isUnder(path, prefix));
  if (api !== undefined) return api;
  throw new GatewayError(
    'path_not_allowed',
    `${provider.displayName} is reached under ${provider.apiPaths.map(({ prefix }) => PROXY_PREFIX + prefix).join(', ')}; this path is outside.`,
  );
}

/** What follows `/proxy`, unchecked. */
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

/** A prefix ending in a slash covers what is below it; any other covers exactly itself. */
export function isUnder(path: string, prefix: string): boolean {
  return prefix.endsWith('/') ? path.startsWith(prefix) : path === prefix;
}

/** Refuses a path that two readers could understand differently. */
export function assertUnambiguous(path: string): void {
  if (!RAW_PATH.test(path)) refuse('it holds characters that must be percent-encoded');
  if (BAD_ESCAPE.test(path)) refuse('it holds a % that starts no escape; send a literal % as %25');
  if (path.startsWith('//') || /^\/(https?:|[.@:])/i.test(path)) refuse('it looks like another address');
  let once: string;
  try {
    once = decodeURIComponent(path);
  } catch {
    refuse('its escapes are not UTF-8');
  }
  const twice = once.replace(/(?:%[0-9A-Fa-f]{2})+/g, decodeLeniently);
  for (const text of [path, once, twice]) {
    if (CONTROL.test(text)) refuse('it holds control characters');
    if (DOT_SEGMENT.test(text)) refuse('it holds a dot segment');
  }
}

/** A further decoding is what a careless server might do: bytes that are no UTF-8 must not hide the others beside them. */
function decodeLeniently(escapes: string): string {
  return Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8');
}

function refuse(why: string): never {
  throw new GatewayError('invalid_path', `The path after ${PROXY_PREFIX} is refused: ${why}.`);
}

const IDENTITY_KEYS = ['access_token', 'oauth_token', 'bearer_token', 'xoauth', 'xoauth_requestor_id', 'key'];

/**
 * Keys that rival the injected identity, turn data into script, or stand in for method, headers, type or body of the request
 * (PX-13, PX-23, PX-25). Google reads its system parameters with and without a leading `$` (Google Cloud, "System parameters";
 * the rest as its proto-processing-lib has them).
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
 * Query string for the provider, with its leading `?`, or '' (PX-4: keys and values keep their meaning, order inside one
 * key is kept; the front door has already lost order across keys).
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

/** Why a query key may not be sent to the provider, or undefined. */
export function refusedKey(key: string): Problem | undefined {
  const message = REFUSED_KEYS.get(key.toLowerCase());
  return message === undefined ? undefined : { path: `query.${key}`, message };
}

/**
 * Problems of a query, or form body, that is sent as it is: refused keys under any encoding, once each. `;` counts as a
 * separator too, because some servers read it as one.
 */
export function rawQueryProblems(rawQuery: string): Problem[] {
  const problems = new Map<string, Problem>();
  for (const [, rawKey = ''] of rawQuery.matchAll(/(?:^|[&;])([^&;=]+)/g)) {
    const key = decodeAscii(rawKey);
    const problem = refusedKey(key);
    if (problem !== undefined) problems.set(key, problem);
  }
  return [...problems.values()];
}

/** Decodes as far as refused keys need it: all of them are ASCII. */
function decodeAscii(raw: string): string {
  return raw.replace(/%([0-7][0-9A-Fa-f])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function encode(text: string): string {
  // A lone surrogate cannot be sent; the replacement character is what every client makes of it.
  return encodeURIComponent(text.toWellFormed());
}
