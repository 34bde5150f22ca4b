import { type Problem, refusal } from '../errors.ts';

/** Keys that rival the injected identity or turn data into script (PX-23). */
const REFUSED_KEYS = new Set(['access_token', 'oauth_token', 'key', 'callback']);

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
  if (!REFUSED_KEYS.has(key.toLowerCase())) return undefined;
  return {
    path: `query.${key}`,
    message:
      key.toLowerCase() === 'callback'
        ? 'JSONP is not proxied; remove it'
        : "the gateway adds the connection's identity itself; remove it",
  };
}

function encode(text: string): string {
  // A lone surrogate cannot be sent; the replacement character is what every client makes of it.
  return encodeURIComponent(text.toWellFormed());
}
