/** Request headers as API Gateway hands them on. AWS API Gateway guide, "Important notes", headers. */

/** Both maps of a proxy event: the last value of each name, and all of them in order. */
export interface HeaderMaps {
  headers: Record<string, string>;
  multiValueHeaders: Record<string, string[]>;
}

/** Data of the request's connection. */
export interface ClientConnection {
  sourceIp: string;
  port: number;
  protocol: 'http' | 'https';
  traceId: string;
}

/** The most bytes all header names and values may have together. */
export const MAX_HEADER_BYTES = 10_240;

const DROPPED = new Set([
  'connection',
  'content-length',
  'content-md5',
  'expect',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
  'x-http-method-override',
]);
/** RFC 9110 section 7.6.1. */
const HOP_BY_HOP = new Set(['connection', 'expect', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade']);
const SIGNED_BY_AWS = /^AWS4-HMAC-SHA256\b/;

/** Pairs of name and value out of Node's flat `rawHeaders`, case and order as sent. */
export function headerPairs(rawHeaders: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    pairs.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  }
  return pairs;
}

/** The bytes that count against the limit. */
export function headerBytes(pairs: readonly (readonly [string, string])[]): number {
  return pairs.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
}

/**
 * Headers of a request that a function URL hands on. AWS names none that it drops: those that HTTP forbids to forward are, and
 * `Expect`, which is answered on the way.
 */
export function keptHeaders(pairs: readonly (readonly [string, string])[]): (readonly [string, string])[] {
  return pairs.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()));
}

/** Drops what never arrives, adds what API Gateway adds, and groups by name without regard to case. */
export function eventHeaders(pairs: readonly (readonly [string, string])[], client: ClientConnection): HeaderMaps {
  const names = new Map<string, string>();
  const values = new Map<string, string[]>();
  const add = (name: string, value: string): void => {
    const lower = name.toLowerCase();
    names.set(lower, names.get(lower) ?? name);
    values.set(lower, [...(values.get(lower) ?? []), value]);
  };
  for (const [name, value] of pairs) {
    const lower = name.toLowerCase();
    if (DROPPED.has(lower) || (lower === 'authorization' && SIGNED_BY_AWS.test(value))) continue;
    add(lower === 'authorization' ? 'Authorization' : name, value);
  }
  const forwardedFor = [...(values.get('x-forwarded-for') ?? []), client.sourceIp].join(', ');
  const added: [string, string][] = [
    ['X-Forwarded-For', forwardedFor],
    ['X-Forwarded-Port', String(client.port)],
    ['X-Forwarded-Proto', client.protocol],
    ['X-Amzn-Trace-Id', client.traceId],
  ];
  for (const [name, value] of added) {
    names.set(name.toLowerCase(), name);
    values.set(name.toLowerCase(), [value]);
  }
  const entries = [...values].map(([lower, all]): [string, string[]] => [names.get(lower) ?? lower, all]);
  return {
    headers: Object.fromEntries(entries.map(([name, all]) => [name, all.at(-1) ?? ''])),
    multiValueHeaders: Object.fromEntries(entries),
  };
}
