/** EventBridge Pipes' target parameters: whole-value `$.` paths and `<$.path>` placeholders of an input template. */
import { isObject, type Json, parseJson } from '../json.ts';

const PATH = /^\$(?:\.[A-Za-z0-9_-]+)+$/;
const PLACEHOLDER = /<([^<>]*)>/g;

/** The value at `$.a.b`, or undefined when a member is missing. @throws Error for any other path syntax. */
export function valueAtPath(path: string, record: Json): Json | undefined {
  if (!PATH.test(path)) throw new Error(`The path ${path} is not supported locally; only $.member.member is.`);
  let value: Json | undefined = record;
  for (const member of path.split('.').slice(1)) value = isObject(value) ? value[member] : undefined;
  return value;
}

/** A target parameter: a path is replaced by the string it leads to, anything else stays as it is. */
export function resolveParameter(parameter: string, record: Json): string {
  if (!parameter.startsWith('$.')) return parameter;
  const value = valueAtPath(parameter, record);
  if (typeof value !== 'string') throw new Error(`${parameter} leads to ${JSON.stringify(value)}, not to a string.`);
  return value;
}

/**
 * Fills an input template. Outside quotes a placeholder becomes its value as JSON; inside a quoted string its text.
 * @throws Error for a missing path, a reserved `<aws.pipes.*>` variable, or a result that is not JSON.
 */
export function fillTemplate(template: string, record: Json): Json {
  let filled = '';
  let position = 0;
  let quoted = false;
  for (const match of template.matchAll(PLACEHOLDER)) {
    const before = template.slice(position, match.index);
    quoted = isQuotedAfter(before, quoted);
    const value = valueAtPath(match[1] ?? '', record);
    if (value === undefined) throw new Error(`${match[0]} leads nowhere in the record.`);
    filled += before + (quoted ? asQuotedText(value) : JSON.stringify(value));
    position = match.index + match[0].length;
  }
  return parseJson(filled + template.slice(position), 'The filled input template');
}

/** Checks at start what would otherwise fail at the first event. @throws Error naming the placeholder. */
export function requireKnownPlaceholders(template: string, where: string): void {
  for (const [placeholder, path = ''] of template.matchAll(PLACEHOLDER)) {
    if (!PATH.test(path))
      throw new Error(`${where}: ${placeholder} is not supported locally; only <$.member.member> is.`);
  }
}

function isQuotedAfter(text: string, quotedBefore: boolean): boolean {
  const quotes = text.replaceAll(/\\./g, '').split('"').length - 1;
  return quotes % 2 === 0 ? quotedBefore : !quotedBefore;
}

function asQuotedText(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return JSON.stringify(text).slice(1, -1);
}
