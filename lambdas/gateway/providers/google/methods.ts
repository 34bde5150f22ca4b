import { type ApiMethod, METHOD_SETS, type MethodMeaning } from '../provider.rules.ts';

/**
 * Methods, one per line: id below the API, HTTP method, path below its prefix with `{}` for each id, and its kinds of call,
 * one for its own answer and one for a file's bytes.
 *
 * @param rows such as `files.get GET files/{} get download`; without a kind, the id's last word is the kind
 * @param units of each kind
 * @param otherUnits of an unlisted kind
 */
export function googleMethods(
  api: string,
  prefix: string,
  rows: readonly string[],
  units: Readonly<Record<string, number>>,
  otherUnits: number,
): readonly ApiMethod[] {
  return rows.map((row): ApiMethod => {
    const [id = '', method = '', path = '', kind = id.slice(id.lastIndexOf('.') + 1), mediaKind] = row.split(' ');
    const head = [`${api}.${id}`, method, prefix + path] as const;
    const own = units[kind] ?? otherUnits;
    return mediaKind === undefined ? [...head, own] : [...head, own, units[mediaKind] ?? otherUnits];
  });
}

/** Meanings, one per line: id below the API, its set, its effect. @throws Error for an unknown set */
export function methodMeanings(api: string, rows: readonly string[]): readonly MethodMeaning[] {
  return rows.map((row): MethodMeaning => {
    const [, id, name, meaning = ''] = /^(\S+) (\S+) (.+)$/.exec(row) ?? [];
    const set = METHOD_SETS.find((one) => one === name);
    if (id === undefined || set === undefined) throw new Error(`${row} names no set of methods`);
    return { id: `${api}.${id}`, set: `${api}:${set}`, meaning };
  });
}
