import type { ApiMethod } from '../provider.rules.ts';

/**
 * Methods written one a line: id below the API, HTTP method, path below its prefix with `{}` for each id, and the kinds of call it
 * is, one for its own answer and one for a file's bytes.
 *
 * @param rows such as `files.get GET files/{} read download`; a row without a kind is one `request`
 * @param units of each kind
 */
export function googleMethods(
  api: string,
  prefix: string,
  rows: readonly string[],
  units: Readonly<Record<string, number>>,
): readonly ApiMethod[] {
  return rows.map((row): ApiMethod => {
    const [id = '', method = '', path = '', kind = 'request', mediaKind] = row.split(' ');
    const head = [`${api}.${id}`, method, prefix + path] as const;
    const own = units[kind] ?? 0;
    return mediaKind === undefined ? [...head, own] : [...head, own, units[mediaKind] ?? 0];
  });
}
