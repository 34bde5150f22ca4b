import { InvalidArgumentError } from 'commander';

/** A list in one argument, with commas between. */
export function commaList(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Languages of the pages that end users see. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'ja'] as const;

/** Help text of a list's `--cursor`. */
export const NEXT_PAGE = 'the page that the one before named';

/** A whole number of at least 1. @throws InvalidArgumentError */
export function wholeNumber(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('Give a whole number of at least 1.');
  return number;
}

/** Members of an options object that are set, under their own type: absent is not the same as undefined. */
export function given<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  const set: { [Name in keyof T]?: Exclude<T[Name], undefined> } = {};
  return Object.assign(set, Object.fromEntries(entries));
}
