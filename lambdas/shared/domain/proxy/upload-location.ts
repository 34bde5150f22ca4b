import type { HeaderPairs } from '../http-message.ts';
import type { Provider } from '../provider.ts';
import { PROXY_PREFIX } from './path.ts';

/**
 * Answer headers with a resumable upload's `Location` moved to the gateway, so that chunks stay on it and the secret key
 * never leaves for the provider (PX-15). Any other `Location` is untouched.
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
    if (name.toLowerCase() !== 'location' || !value.startsWith(`${apiOrigin}/`)) return [name, value];
    const target = value.slice(apiOrigin.length);
    const path = target.split(/[?#]/, 1)[0] ?? '';
    const isUpload = provider.uploadPathPrefixes.some((prefix) => path.startsWith(prefix));
    return isUpload ? [name, `${baseUrl}${PROXY_PREFIX}${target}`] : [name, value];
  });
}
