/** One value of a query; null and undefined leave the parameter out, dates become ISO 8601 UTC. */
export type QueryValue = string | number | bigint | boolean | Date | null | undefined;

/** Query of a call: a text that is sent as written, pairs in order, or an object whose arrays repeat their key. */
export type QueryParams =
  | string
  | URLSearchParams
  | readonly (readonly [string, QueryValue])[]
  | Readonly<Record<string, QueryValue | readonly QueryValue[]>>;

/** The query without its `?`; '' when there is none. */
export function queryText(params: QueryParams | undefined): string {
  if (params === undefined) return '';
  if (typeof params === 'string') return params.replace(/^\?/, '');
  return queryPairs(params)
    .map(([key, value]) => `${encode(key)}=${encode(value)}`)
    .join('&');
}

/** The value of a key in a query text, decoded; undefined when it is absent. */
export function queryValue(text: string, key: string): string | undefined {
  return new URLSearchParams(text).get(key) ?? undefined;
}

function queryPairs(params: Exclude<QueryParams, string>): [string, string][] {
  if (params instanceof URLSearchParams) return [...params];
  const entries: readonly (readonly [string, QueryValue | readonly QueryValue[]])[] = isPairs(params)
    ? params
    : Object.entries(params);
  const pairs: [string, string][] = [];
  for (const [key, given] of entries) {
    for (const value of isList(given) ? given : [given]) {
      if (value !== null && value !== undefined) pairs.push([key, valueText(value)]);
    }
  }
  return pairs;
}

function isPairs(params: Exclude<QueryParams, string>): params is readonly (readonly [string, QueryValue])[] {
  return Array.isArray(params);
}

function isList(value: QueryValue | readonly QueryValue[]): value is readonly QueryValue[] {
  return Array.isArray(value);
}

function valueText(value: Exclude<QueryValue, null | undefined>): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

function encode(text: string): string {
  // URL parsers encode the apostrophe in queries: done here, the bytes do not depend on the runtime.
  return encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27');
}
