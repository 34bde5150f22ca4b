import { UnexpectedAnswerError } from '../errors.ts';

/** A JSON object whose members have not been looked at. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON object. @throws UnexpectedAnswerError */
export function fieldsOf(value: unknown, what: string): Fields {
  if (isFields(value)) return value;
  throw new UnexpectedAnswerError(`The gateway's answer has no ${what}.`);
}

/** A list of JSON objects that has to be there. @throws UnexpectedAnswerError */
export function fieldsList(value: unknown, what: string): Fields[] {
  if (Array.isArray(value)) return value.map((entry: unknown) => fieldsOf(entry, `object in ${what}`));
  throw new UnexpectedAnswerError(`The gateway's answer has no list ${what}.`);
}

/** A text that has to be there. @throws UnexpectedAnswerError */
export function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === 'string') return value;
  throw new UnexpectedAnswerError(`The gateway's answer has no text ${name}.`);
}

/** A number that has to be there. @throws UnexpectedAnswerError */
export function number(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value === 'number') return value;
  throw new UnexpectedAnswerError(`The gateway's answer has no number ${name}.`);
}

/** A text, or undefined where it is absent, null or something else. */
export function optionalText(fields: unknown, name: string): string | undefined {
  const value = isFields(fields) ? fields[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** A number, or undefined where it is absent, null or something else. */
export function optionalNumber(fields: unknown, name: string): number | undefined {
  const value = isFields(fields) ? fields[name] : undefined;
  return typeof value === 'number' ? value : undefined;
}

/** A boolean, or undefined where it is absent, null or something else. */
export function optionalBoolean(fields: unknown, name: string): boolean | undefined {
  const value = isFields(fields) ? fields[name] : undefined;
  return typeof value === 'boolean' ? value : undefined;
}

/** A JSON object, or undefined where it is absent, null or something else. */
export function optionalFields(fields: unknown, name: string): Fields | undefined {
  const value = isFields(fields) ? fields[name] : undefined;
  return isFields(value) ? value : undefined;
}

/** The texts of a list; empty where it is absent. */
export function textList(fields: unknown, name: string): string[] {
  const value = isFields(fields) ? fields[name] : undefined;
  return Array.isArray(value) ? value.filter((entry: unknown) => typeof entry === 'string') : [];
}

/** The objects of a list; empty where it is absent. */
export function recordList(fields: unknown, name: string): Fields[] {
  const value = isFields(fields) ? fields[name] : undefined;
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** The texts of an object, other members left out; empty where it is absent. */
export function textRecord(fields: unknown, name: string): Record<string, string> {
  const record: Record<string, string> = {};
  for (const [key, value] of Object.entries(optionalFields(fields, name) ?? {})) {
    if (typeof value === 'string') record[key] = value;
  }
  return record;
}
