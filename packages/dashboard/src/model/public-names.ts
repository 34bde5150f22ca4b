import type { PublicNames } from '../gateway/library.ts';
import { LANGUAGES } from './languages.ts';

/** The names by language that are not empty; undefined where none is. */
export function givenNames(names: PublicNames): PublicNames | undefined {
  const given = LANGUAGES.flatMap(({ value }) => {
    const name = names[value]?.trim() ?? '';
    return name === '' ? [] : [[value, name] as const];
  });
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
