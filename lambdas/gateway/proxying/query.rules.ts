import { type Problem, refusal } from '../core/errors.ts';

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
