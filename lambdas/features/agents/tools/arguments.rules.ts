import { ownMember } from '../../../gateway/core/own-member.ts';
import {
  type ArgumentSchema,
  isObject,
  type JsonObject,
  type ToolDefinition,
} from '../../../gateway/server-tools/tool.rules.ts';

/** Longest text where a schema names no other: a query, a name, a token. */
const TEXT_MAX_LENGTH = 2_000;

/** What is wrong with a tool's arguments, one sentence each; nothing where all is right. */
export function argumentProblems({ inputSchema }: ToolDefinition, args: JsonObject): string[] {
  const problems: string[] = [];
  for (const name of inputSchema.required ?? []) {
    if (ownMember(args, name) === undefined) problems.push(`${name} is required`);
  }
  for (const [name, value] of Object.entries(args)) {
    const schema = ownMember(inputSchema.properties, name);
    if (schema === undefined) problems.push(`${name.slice(0, 64)} is no argument of this tool`);
    else if (value !== undefined) problems.push(...valueProblems(name, schema, value));
  }
  return problems;
}

function valueProblems(name: string, schema: JsonObject | ArgumentSchema, value: unknown): string[] {
  switch (schema.type) {
    case 'string':
      return textProblems(name, schema, value);
    case 'integer': {
      const { minimum, maximum } = schema;
      const isGood = typeof value === 'number' && Number.isInteger(value) && value >= Number(minimum);
      return isGood && value <= Number(maximum) ? [] : [`${name} must be a whole number from ${minimum} to ${maximum}`];
    }
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`${name} must be true or false`];
    default:
      return listProblems(name, schema, value);
  }
}

function textProblems(name: string, schema: JsonObject, value: unknown): string[] {
  if (typeof value !== 'string') return [`${name} must be a string`];
  const { enum: values, pattern, maxLength = TEXT_MAX_LENGTH } = schema;
  if (Array.isArray(values) && !values.includes(value)) return [`${name} must be one of ${values.join(', ')}`];
  if (typeof maxLength === 'number' && value.length > maxLength) return [`${name} may have ${maxLength} characters`];
  if (typeof pattern === 'string' && !new RegExp(pattern).test(value)) return [`${name} must match ${pattern}`];
  // A lone surrogate cannot be sent in UTF-8.
  return value.isWellFormed() ? [] : [`${name} must be valid Unicode`];
}

function listProblems(name: string, { items, maxItems }: JsonObject, value: unknown): string[] {
  if (!Array.isArray(value)) return [`${name} must be a list`];
  if (value.length > Number(maxItems)) return [`${name} may have ${maxItems} items`];
  return isObject(items) ? value.flatMap((one, at) => valueProblems(`${name}[${at}]`, items, one)) : [];
}

/** A text that was given; the schema has seen that it is one. */
export function text(args: JsonObject, name: string): string | undefined {
  const value = ownMember(args, name);
  return typeof value === 'string' ? value : undefined;
}

/** A number that was given, or the default. */
export function number(args: JsonObject, name: string, otherwise: number): number {
  const value = ownMember(args, name);
  return typeof value === 'number' ? value : otherwise;
}

export function flag(args: JsonObject, name: string): boolean {
  return ownMember(args, name) === true;
}

/** Texts that were given. */
export function texts(args: JsonObject, name: string): readonly string[] | undefined {
  const value = ownMember(args, name);
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
}
