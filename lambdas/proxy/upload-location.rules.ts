import type { HeaderPairs } from '../gateway/core/http-message.ts';
import type { Provider } from '../gateway/providers/provider.rules.ts';
import { assertUnambiguous, PROXY_PREFIX } from '../gateway/proxying/path-and-query.rules.ts';

/** Fields that name the session of an upload: of the documented protocol, and of the one Google's Ruby client speaks. */
const SESSION_FIELDS = new Set(['location', 'x-goog-upload-url', 'x-goog-upload-control-url']);

/**
 * Answer headers with the address of a resumable upload moved to the gateway, so that chunks stay on it and the secret key
 * never leaves for the provider (PX-15). The address is first made what it means, and moved only when it then lies below an
 * upload path, however it is read (PR-15). Any other `Location` is untouched.
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

/** Path and what follows it, when an address at the API names an upload; only the path is normalised. */
function uploadTarget(location: string, provider: Provider, apiOrigin: string): string | undefined {
  // Any other is relative to the path that was asked for, which none of Google's is.
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
