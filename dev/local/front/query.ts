/** Query strings as API Gateway hands them on: decoded, in order within one key, without the order across keys. */

/** Both maps of a proxy event; null when there is no pair. */
export interface QueryMaps {
  queryStringParameters: Record<string, string> | null;
  multiValueQueryStringParameters: Record<string, string[]> | null;
}

/** Splits at `&` and `;`, reads `+` as a space, decodes, and groups by key. A pair without `=` has an empty value. */
export function parseQuery(query: string | undefined): QueryMaps {
  const values = new Map<string, string[]>();
  for (const pair of (query ?? '').split(/[&;]/)) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const key = decodeFormComponent(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decodeFormComponent(pair.slice(equals + 1));
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  if (values.size === 0) return { queryStringParameters: null, multiValueQueryStringParameters: null };
  return {
    queryStringParameters: Object.fromEntries([...values].map(([key, all]) => [key, all.at(-1) ?? ''])),
    multiValueQueryStringParameters: Object.fromEntries(values),
  };
}

/** Decodes `+` and percent-escapes as UTF-8; a malformed escape stays unchanged, invalid UTF-8 becomes U+FFFD. */
export function decodeFormComponent(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  return spaced.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}
