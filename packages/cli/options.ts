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

/** Help text of an option that takes a time in the past. */
export const PAST_TIME = 'such as 2026-03-01T10:00Z, 2026-03-01 or 12h (ago)';

/** Help text of an option that takes a time in the future. */
export const FUTURE_TIME = 'such as 2026-12-31T00:00Z, 2026-12-31 or 30d (from now)';

/** Reads a time in ISO 8601 with its offset, a day (from midnight UTC), or how long ago. @throws InvalidArgumentError */
export function pastTime(value: string): string {
  return timeOf(value, -1);
}

/** Reads a time in ISO 8601 with its offset, a day (from midnight UTC), or how long from now. @throws InvalidArgumentError */
export function futureTime(value: string): string {
  return timeOf(value, 1);
}

function timeOf(value: string, direction: 1 | -1): string {
  const span = /^\d+[mhd]$/.test(value) ? durationSec(value) : undefined;
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(value);
  const ms = span === undefined ? (isTime ? Date.parse(value) : Number.NaN) : Date.now() + direction * span * 1000;
  if (Number.isNaN(ms)) throw new InvalidArgumentError(`Write a time ${direction < 0 ? PAST_TIME : FUTURE_TIME}.`);
  return new Date(ms).toISOString();
}

const SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 24 * 3600 };

/** Seconds of a duration such as `30m`, `12h` or `7d`. @throws InvalidArgumentError */
export function durationSec(value: string): number {
  const [, amount, unit = ''] = /^(\d{1,4})([mhd])$/.exec(value) ?? [];
  if (amount === undefined) throw new InvalidArgumentError('Write 30m, 12h or 7d.');
  return Number(amount) * (SECONDS[unit] ?? 0);
}

/** Members of an options object that are set, under their own type: absent is not the same as undefined. */
export function given<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  const set: { [Name in keyof T]?: Exclude<T[Name], undefined> } = {};
  return Object.assign(set, Object.fromEntries(entries));
}
