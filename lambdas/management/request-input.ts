import * as z from 'zod';
import { editDistance } from '../gateway/core/edit-distance.ts';
import { type Problem, refusal } from '../gateway/core/errors.ts';
import type { GatewayRequest } from '../gateway/core/http-message.ts';
import { ERROR_PROBLEMS_MAX } from '../gateway/core/limits.ts';

/**
 * Query pairs as one object: a repeated name becomes an array, `name[key]=value` becomes a member of the object `name`.
 *
 * @throws GatewayError `invalid_query_params` for names no route has
 */
export function readQuery(query: GatewayRequest['query']): Record<string, unknown> {
  const plain = new Map<string, string[]>();
  const nested = new Map<string, Map<string, string>>();
  for (const [name, value] of query) {
    const bracket = /^([A-Za-z_]+)\[([^[\]]{1,255})\]$/.exec(name);
    if (bracket?.[1] !== undefined && bracket[2] !== undefined) {
      const members = nested.get(bracket[1]) ?? new Map<string, string>();
      nested.set(bracket[1], members.set(bracket[2], value));
    } else if (/^[A-Za-z_]{1,64}$/.test(name)) {
      plain.set(name, [...(plain.get(name) ?? []), value]);
    } else {
      throw refusal('invalid_query_params', [{ path: 'query', message: 'there is a parameter that no route takes' }]);
    }
  }
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, list] of plain) values[name] = list.length === 1 ? list[0] : list;
  for (const [name, members] of nested) {
    const object: Record<string, string> = Object.create(null);
    for (const [key, value] of members) object[key] = value;
    values[name] = object;
  }
  return { ...values };
}

/**
 * A value as its schema's type.
 *
 * @throws GatewayError listing every problem with its path; unknown members are problems too (AK-8)
 */
export function validate<T>(schema: z.ZodType<T>, value: unknown, code: 'invalid_body' | 'invalid_query_params'): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const root = code === 'invalid_body' ? 'body' : 'query';
  throw refusal(
    code,
    result.error.issues.flatMap((issue) => problemsOf(issue, root, schema)),
  );
}

function problemsOf(issue: z.core.$ZodIssue, root: string, schema: z.core.$ZodType): Problem[] {
  const path = pathText(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const names = membersAt(schema, issue.path);
    return issue.keys.map((key, index) => {
      const meant = index < ERROR_PROBLEMS_MAX ? nearestName(key, names) : undefined;
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
      return { path: path === '' ? key : `${path}.${key}`, message: `is not known here${hint}` };
    });
  }
  return [{ path: path === '' ? root : path, message: messageOf(issue, root) }];
}

/** The members that a schema has at a place in it; none where it takes any name. */
function membersAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return membersAt(schema.def.innerType, path);
  }
  if (schema instanceof z.ZodPipe) return membersAt(schema.def.in, path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => membersAt(one, path));
  const [key, ...rest] = path;
  if (schema instanceof z.ZodObject) {
    if (key === undefined) return Object.keys(schema.shape);
    const member = schema.shape[String(key)];
    return member === undefined ? [] : membersAt(member, rest);
  }
  if (key === undefined) return [];
  if (schema instanceof z.ZodArray) return membersAt(schema.element, rest);
  return schema instanceof z.ZodRecord ? membersAt(schema.valueType, rest) : [];
}

/** Longer names are nobody's slip, and comparing them takes time. */
const SLIP_MAX_LENGTH = 64;

/** The name that was probably meant: spelled in another way, or a letter in four away. */
function nearestName(written: string, names: readonly string[]): string | undefined {
  if (written.length > SLIP_MAX_LENGTH) return undefined;
  const letters = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const wanted = letters(written);
  const farthest = written.length / 4;
  const [nearest] = names
    .map((name) => ({ name, spelled: letters(name) }))
    .filter(({ spelled }) => Math.abs(spelled.length - wanted.length) <= farthest)
    .map(({ name, spelled }) => ({ name, distance: editDistance(wanted, spelled) }))
    .filter(({ distance }) => distance <= farthest)
    .sort((a, b) => a.distance - b.distance);
  return nearest?.name;
}

/** The library's own words begin so; a schema's messages say what to send and stay. */
const OWN_WORDS = /^(Invalid|Too) /;

/** Kinds of JSON values, for people who have not read the schema. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

function messageOf(issue: z.core.$ZodIssue, root: string): string {
  if (!OWN_WORDS.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? 'is not allowed as a key';
  if (issue.code === 'too_small')
    return issue.minimum === 1 ? 'must not be empty' : `must be at least ${issue.minimum}`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`;
  if (issue.code !== 'invalid_type') return issue.message;
  if (issue.message.endsWith('received undefined')) return 'is required';
  if (root === 'query' && issue.message.endsWith('received array')) return 'must be given once';
  return `must be ${KINDS[issue.expected] ?? issue.expected}`;
}

function pathText(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? String(part) : `.${String(part)}`;
  }
  return text;
}
