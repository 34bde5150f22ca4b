import { UnexpectedAnswerError } from '../errors.ts';

/** A JSON object whose members have not been looked at. */
export type Fields = Readonly<Record<string, unknown>>;

/** The members that the API's document names of an object, none of them looked at: reading one that it does not have is a mistake. */
export type Unread<Wire> = { readonly [Name in keyof Wire]?: unknown };

/** A member's name, where it is known which there are. */
type NameIn<Given> = unknown extends Given ? string : keyof NonNullable<Given> & string;

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
export function text<Given extends object>(fields: Given, name: NameIn<Given>): string {
  const value = memberOf(fields, name);
  if (typeof value === 'string') return value;
  throw new UnexpectedAnswerError(`The gateway's answer has no text ${name}.`);
}

/** A number that has to be there. @throws UnexpectedAnswerError */
export function number<Given extends object>(fields: Given, name: NameIn<Given>): number {
  const value = memberOf(fields, name);
  if (typeof value === 'number') return value;
  throw new UnexpectedAnswerError(`The gateway's answer has no number ${name}.`);
}

/** A text, or undefined where it is absent, null or something else. */
export function optionalText<Given>(fields: Given, name: NameIn<Given>): string | undefined {
  const value = memberOf(fields, name);
  return typeof value === 'string' ? value : undefined;
}

/** A number, or undefined where it is absent, null or something else. */
export function optionalNumber<Given>(fields: Given, name: NameIn<Given>): number | undefined {
  const value = memberOf(fields, name);
  return typeof value === 'number' ? value : undefined;
}

/** A boolean, or undefined where it is absent, null or something else. */
export function optionalBoolean<Given>(fields: Given, name: NameIn<Given>): boolean | undefined {
  const value = memberOf(fields, name);
  return typeof value === 'boolean' ? value : undefined;
}

/** A JSON object, or undefined where it is absent, null or something else. */
export function optionalFields<Given>(fields: Given, name: NameIn<Given>): Fields | undefined {
  const value = memberOf(fields, name);
  return isFields(value) ? value : undefined;
}

/** The texts of a list; empty where it is absent. */
export function textList<Given>(fields: Given, name: NameIn<Given>): string[] {
  const value = memberOf(fields, name);
  return Array.isArray(value) ? value.filter((entry: unknown) => typeof entry === 'string') : [];
}

/** The objects of a list; empty where it is absent. */
export function recordList<Given>(fields: Given, name: NameIn<Given>): Fields[] {
  const value = memberOf(fields, name);
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** The texts of an object, other members left out; empty where it is absent. */
export function textRecord<Given>(fields: Given, name: NameIn<Given>): Record<string, string> {
  const record: Record<string, string> = {};
  for (const [key, value] of Object.entries(optionalFields(fields, name) ?? {})) {
    if (typeof value === 'string') record[key] = value;
  }
  return record;
}

function memberOf(fields: unknown, name: string): unknown {
  return isFields(fields) ? fields[name] : undefined;
}
