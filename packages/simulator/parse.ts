/** Turns unknown JSON into typed values; every failure names the place and what belongs there. */

/** Thrown when a value does not have the expected shape; the message is fit to show to the sender. */
export class ShapeError extends Error {}

/** Reads one value found at `place` (for example `body.times`) or throws a {@link ShapeError}. */
export type Parser<T> = (value: unknown, place: string) => T;

function mismatch(place: string, wanted: string): never {
  throw new ShapeError(`${place} must be ${wanted}.`);
}

/** A string. */
export const text: Parser<string> = (value, place) => (typeof value === 'string' ? value : mismatch(place, 'a string'));

/** A finite number. */
export const number: Parser<number> = (value, place) =>
  typeof value === 'number' && Number.isFinite(value) ? value : mismatch(place, 'a number');

/** A whole number of zero or more. */
export const count: Parser<number> = (value, place) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? value
    : mismatch(place, 'a whole number >= 0');

/** True or false. */
export const flag: Parser<boolean> = (value, place) =>
  typeof value === 'boolean' ? value : mismatch(place, 'true or false');

/** Anything JSON can hold. */
export const anything: Parser<unknown> = (value) => value;

/** One of the listed strings. */
export function oneOf<const T extends string>(...allowed: T[]): Parser<T> {
  return (value, place) => allowed.find((entry) => entry === value) ?? mismatch(place, `one of ${allowed.join(', ')}`);
}

/** A list whose every element passes `element`. */
export function listOf<T>(element: Parser<T>): Parser<T[]> {
  return (value, place) =>
    Array.isArray(value)
      ? value.map((entry: unknown, index) => element(entry, `${place}[${index}]`))
      : mismatch(place, 'a list');
}

/** `null` or what `inner` accepts. */
export function nullable<T>(inner: Parser<T>): Parser<T | null> {
  return (value, place) => (value === null ? null : inner(value, place));
}

/** `undefined` when the member is absent, else what `inner` accepts. */
export function optional<T>(inner: Parser<T>): Parser<T | undefined> {
  return (value, place) => (value === undefined ? undefined : inner(value, place));
}

/** True for a plain JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON object with any member names, every value passing `element`. */
export function recordOf<T>(element: Parser<T>): Parser<Record<string, T>> {
  return (value, place) => {
    if (!isRecord(value)) return mismatch(place, 'an object');
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, element(entry, `${place}.${key}`)]));
  };
}

type Shape = Record<string, Parser<unknown>>;
type Parsed<S extends Shape> = { [K in keyof S]: ReturnType<S[K]> };

/** A JSON object with exactly the named members; an unknown member is refused, so that typing errors are not lost. */
export function object<S extends Shape>(shape: S): Parser<Parsed<S>> {
  return (value, place) => {
    if (!isRecord(value)) return mismatch(place, 'an object');
    const unknownKey = Object.keys(value).find((key) => !Object.hasOwn(shape, key));
    if (unknownKey !== undefined) {
      throw new ShapeError(`${place}.${unknownKey} is not known; use ${Object.keys(shape).join(', ')}.`);
    }
    const entries = Object.entries(shape).map(([key, parser]) => [key, parser(value[key], `${place}.${key}`)]);
    // Object.fromEntries cannot relate keys to their parsers; every member was just produced by its own parser.
    return Object.fromEntries(entries) as Parsed<S>;
  };
}

/**
 * Reads JSON text with a parser.
 * @throws {ShapeError} when the text is no JSON or has another shape
 */
export function parseJson<T>(json: string, parser: Parser<T>, place: string): T {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new ShapeError(`${place} must be JSON.`);
  }
  return parser(value, place);
}
