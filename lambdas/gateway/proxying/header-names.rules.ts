/**
 * Which header fields exist only for one hop, for this gateway or for its platform. One canonical name rule for every
 * spelling: lower case, no underscore (PX-8).
 */

/** RFC 9110 section 7.6.1 and what Node or the front door computes anew. */
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
 * An identity beside the connection's: API keys, tokens and account choices that Google takes in headers (PX-25; Google Cloud,
 * "System parameters", and its proto-processing-lib).
 */
const RIVAL_IDENTITY = new Set([
  'x-goog-api-key',
  'x-goog-authuser',
  'x-goog-iam-authority-selector',
  'x-goog-iam-authorization-token',
  'x-goog-pageid',
  'x-goog-spatula',
  'x-google-endusercreds-bin',
]);

export function isHopByHop(name: string): boolean {
  return HOP_BY_HOP.has(name) || name.startsWith('proxy-');
}

export function isControl(name: string): boolean {
  return CONTROL.has(name);
}

export function isRivalIdentity(name: string): boolean {
  return RIVAL_IDENTITY.has(name);
}

/** Cookies, forwarding and platform fields (PX-7). */
export function isPlatform(name: string): boolean {
  return PLATFORM.has(name) || PLATFORM_PREFIXES.some((prefix) => name.startsWith(prefix));
}

/** RFC 9110 section 5.6.2 token, without `_`, which other servers may read as `-`. */
export function isForwardableName(name: string): boolean {
  return /^[a-z0-9!#$%&'*+.^`|~-]+$/.test(name);
}

/** Names listed by `Connection` fields: they die with this hop, so they go first and ours are added last (PX-6). */
export function nominatedNames(connectionValues: readonly string[]): Set<string> {
  const names = new Set<string>();
  for (const value of connectionValues) {
    for (const name of value.split(',')) {
      const trimmed = name.trim().toLowerCase();
      if (trimmed !== '') names.add(trimmed);
    }
  }
  return names;
}
