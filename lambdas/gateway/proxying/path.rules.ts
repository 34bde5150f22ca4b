import { GatewayError } from '../core/errors.ts';
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
