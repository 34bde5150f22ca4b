import * as z from 'zod';
import { editDistance } from '../gateway/core/edit-distance.ts';
import { GatewayError, type Problem, refusal } from '../gateway/core/errors.ts';
import { type GatewayRequest, headerValues } from '../gateway/core/http-message.ts';
import { ERROR_PROBLEMS_MAX, JSON_BODY_MAX_BYTES } from '../gateway/core/limits.ts';
import { ownMember } from '../gateway/core/own-member.ts';

/**
 * Query pairs as one object: a repeated name becomes an array, `name[key]=value` becomes a member of the object `name`.
 *
 * @throws GatewayError `invalid_query_params` for names that no route has
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
      const values = plain.get(name);
      if (values === undefined) plain.set(name, [value]);
      else values.push(value);
    } else {
      throw refusal('invalid_query_params', [{ path: 'query', message: 'there is an unknown parameter' }]);
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

/** A text with a rule of its own. */
export const judged = (text: z.ZodType<string, string>, problemOf: (text: string) => string | undefined) =>
  text.superRefine((value, context) => {
    const message = value === '' ? undefined : problemOf(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** A body or query as its schema's type, or its problems and valid parts. */
export type Judged<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly valid: ValidPart<T> };

/** Valid members, at any depth; in lists `undefined` replaces an invalid element. */
export type ValidPart<T> = T extends readonly (infer Element)[]
  ? readonly (ValidPart<Element> | undefined)[]
  : T extends object
    ? { readonly [Name in keyof T]?: ValidPart<T[Name]> | undefined }
    : T;

/**
 * A value as its schema's type.
 *
 * @throws GatewayError listing every problem with its path; unknown members are problems too (AK-8)
 */
export function validate<T>(schema: z.ZodType<T>, value: unknown, code: 'invalid_body' | 'invalid_query_params'): T {
  const judged = judge(schema, value, code === 'invalid_body' ? 'body' : 'query');
  if (judged.ok) return judged.value;
  throw refusal(code, judged.problems);
}

/**
 * The same without throwing. Rules about several members are checked even if one is invalid, so that all problems are reported at once.
 */
export function judge<T>(schema: z.ZodType<T>, value: unknown, root: 'body' | 'query'): Judged<T> {
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, value: result.data };
  const found = result.error.issues.flatMap((issue) => problemsOf(issue, root, schema, value));
  const valid = validPart(schema, value) as ValidPart<T>;
  // The schema without its members keeps its rules. They check whether a member is present, which an invalid one is.
  const rules =
    schema instanceof z.ZodObject && isJsonObject(value)
      ? schema.clone({ ...schema.def, shape: {}, catchall: z.unknown() }).safeParse({ ...value, ...valid })
      : undefined;
  const more = (rules?.error?.issues ?? []).flatMap((issue) => problemsOf(issue, root, schema, value));
  const problems = withFurtherProblems(found, more).map(({ path, message }) => ({ path, message }));
  return { ok: false, problems, valid };
}

interface FoundProblem extends Problem {
  /** The member that an unknown one probably means. */
  readonly meant?: string;
}

/**
 * Problems including those of later rules: one per place, and none that follows from another, such as a missing member that is present
 * under a misspelled name.
 */
export function withFurtherProblems(found: readonly FoundProblem[], more: readonly Problem[]): Problem[] {
  const meant = new Set(found.map((problem) => problem.meant));
  const kept = new Map<string, Problem>();
  for (const problem of [...found, ...more]) {
    const isConsequence = problem.message.startsWith(REQUIRED) && meant.has(problem.path);
    if (!isConsequence && !kept.has(problem.path)) kept.set(problem.path, problem);
  }
  return [...kept.values()];
}

function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The part of a value that its schema accepts; undefined without any. */
function validPart(schema: z.core.$ZodType, value: unknown): unknown {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return validPart(schema.def.innerType, value);
  }
  if (schema instanceof z.ZodPipe) {
    // A value that its first half accepts, but its second one refuses.
    return z.safeParse(schema.def.in, value).success ? undefined : validPart(schema.def.in, value);
  }
  // A list or map that breaks a rule of its own, such as its length, has no valid part.
  const whole =
    schema instanceof z.ZodArray
      ? schema.clone({ ...schema.def, element: z.unknown() })
      : schema instanceof z.ZodRecord
        ? schema.clone({ ...schema.def, keyType: z.string(), valueType: z.unknown() })
        : undefined;
  if (whole?.safeParse(value).success === false) return undefined;
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((element) => validPart(schema.element, element));
  }
  const hasMembers = schema instanceof z.ZodObject || schema instanceof z.ZodRecord;
  if (!hasMembers || !isJsonObject(value)) return undefined;
  const memberOf = (name: string): z.core.$ZodType | undefined => {
    if (schema instanceof z.ZodObject) return ownMember(schema.shape, name);
    return z.safeParse(schema.keyType, name).success ? schema.valueType : undefined;
  };
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const memberSchema = memberOf(name);
    const valid = memberSchema === undefined ? undefined : validPart(memberSchema, member);
    if (valid !== undefined) members.push([name, valid]);
  }
  return Object.fromEntries(members);
}

const REQUIRED = 'is required';

function problemsOf(issue: z.core.$ZodIssue, root: string, schema: z.core.$ZodType, value: unknown): FoundProblem[] {
  const path = pathText(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const names = membersAt(schema, issue.path);
    return issue.keys.map((key, index) => {
      const at = (name: string) => (path === '' ? name : `${path}.${name}`);
      const meant = index < ERROR_PROBLEMS_MAX ? nearestName(key, names) : undefined;
      if (meant === undefined) return { path: at(key), message: 'is unknown' };
      return { path: at(key), message: `is unknown; did you mean ${meant}?`, meant: at(meant) };
    });
  }
  const meant = issue.code === 'invalid_value' ? nearestValue(valueAt(value, issue.path), issue.values) : undefined;
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  return [{ path: path === '' ? root : path, message: `${messageOf(issue, root)}${hint}` }];
}

/** The probably intended value, where a text is not among the allowed ones. */
function nearestValue(written: unknown, values: readonly unknown[]): string | undefined {
  const texts = values.filter((one) => typeof one === 'string');
  return typeof written === 'string' ? nearestName(written, texts) : undefined;
}

/** A document's value at a path; undefined without one. */
function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[Number(key)];
    return isJsonObject(at) ? ownMember(at, String(key)) : undefined;
  }, value);
}

/** The members of a schema at a path; none where any name is allowed. */
function membersAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return membersAt(schema.def.innerType, path);
  }
  if (schema instanceof z.ZodPipe) return membersAt(schema.def.in, path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => membersAt(one, path));
  const [key, ...rest] = path;
  if (schema instanceof z.ZodObject) {
    if (key === undefined) return Object.keys(schema.shape);
    const member = ownMember(schema.shape, String(key));
    return member === undefined ? [] : membersAt(member, rest);
  }
  if (key === undefined) return [];
  if (schema instanceof z.ZodArray) return membersAt(schema.element, rest);
  return schema instanceof z.ZodRecord ? membersAt(schema.valueType, rest) : [];
}

/** Longer names are no typing errors, and comparing them takes time. */
const SLIP_MAX_LENGTH = 64;

/** The probably intended name: with another spelling, or one letter in four different. */
export function nearestName(written: string, names: readonly string[]): string | undefined {
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

/** Prefixes of the library's own messages; a schema's messages say what to send and stay. */
const OWN_WORDS = /^(Invalid|Too) /;

/** Kinds of JSON values, in words. */
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
  if (issue.message.endsWith('received undefined')) return REQUIRED;
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

/** Deeper than any route's documents; also below DynamoDB's 32 levels. */
const MAX_DEPTH = 16;
/** Values of a document: 32 KB of metadata contain up to 5,461. Each one can be a problem, and problems cost more than parsing (DS-11). */
const MAX_VALUES = 5_500;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** A refused document: the place and the reason. */
export class JsonRefusal extends Error {
  readonly problem: Problem;
  constructor(path: string, message: string) {
    super(message);
    this.name = 'JsonRefusal';
    this.problem = { path: path === '' ? 'body' : path, message };
  }
}

/** Finds the end of a string; the platform's parser checks its content. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/sy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const SPACE = /[ \t\n\r]*/y;

/**
 * Parses JSON (RFC 8259) and refuses ambiguous documents: repeated members, `__proto__` and `constructor`, numbers that lose digits,
 * unpaired surrogates, deep nesting (AK-9).
 *
 * @throws JsonRefusal naming the place
 */
export function parseStrictJson(text: string): unknown {
  const reader = new Reader(text);
  const value = reader.value('', 0);
  reader.end();
  return value;
}

class Reader {
  readonly #text: string;
  #at = 0;
  #values = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(path: string, depth: number): unknown {
    if (depth > MAX_DEPTH) throw new JsonRefusal(path, `nests deeper than ${MAX_DEPTH} levels`);
    if (++this.#values > MAX_VALUES) throw new JsonRefusal('', `has more than ${MAX_VALUES} values`);
    this.#token(SPACE);
    const first = this.#text[this.#at];
    if (first === '{') return this.#object(path, depth);
    if (first === '[') return this.#array(path, depth);
    if (first === '"') return this.#string(path);
    const word = this.#token(WORD);
    if (word !== '') return word === 'null' ? null : word === 'true';
    return this.#number(path);
  }

  end(): void {
    this.#token(SPACE);
    if (this.#at < this.#text.length) throw this.#notJson('');
  }

  #object(path: string, depth: number): Record<string, unknown> {
    const members: [string, unknown][] = [];
    const seen = new Set<string>();
    this.#at++;
    if (this.#next('}')) return {};
    do {
      this.#token(SPACE);
      if (this.#text[this.#at] !== '"') throw this.#notJson(path);
      const key = this.#string(path);
      const memberPath = path === '' ? key : `${path}.${key}`;
      if (FORBIDDEN_KEYS.has(key)) throw new JsonRefusal(memberPath, 'this name is not allowed');
      if (seen.has(key)) throw new JsonRefusal(memberPath, 'appears more than once');
      seen.add(key);
      if (!this.#next(':')) throw this.#notJson(memberPath);
      members.push([key, this.value(memberPath, depth + 1)]);
    } while (this.#next(','));
    if (!this.#next('}')) throw this.#notJson(path);
    return Object.fromEntries(members);
  }

  #array(path: string, depth: number): unknown[] {
    const elements: unknown[] = [];
    this.#at++;
    if (this.#next(']')) return elements;
    do {
      elements.push(this.value(`${path}[${elements.length}]`, depth + 1));
    } while (this.#next(','));
    if (!this.#next(']')) throw this.#notJson(path);
    return elements;
  }

  #string(path: string): string {
    const literal = this.#token(STRING);
    if (literal === '') throw this.#notJson(path);
    const value = parseLiteral(literal);
    if (value === undefined) throw this.#notJson(path);
    if (!value.isWellFormed()) throw new JsonRefusal(path, 'is not valid Unicode');
    return value;
  }

  #number(path: string): number {
    const literal = this.#token(NUMBER);
    if (literal === '') throw this.#notJson(path);
    const value = Number(literal);
    const size = Math.abs(value);
    // DynamoDB stores 1e-130 to 1e126; integers above 2^53 - 1 would change silently.
    if (size > Number.MAX_SAFE_INTEGER || (size !== 0 && size < 1e-100)) {
      throw new JsonRefusal(path, 'is out of range; send it as a string');
    }
    return value;
  }

  #next(character: string): boolean {
    this.#token(SPACE);
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #token(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #notJson(path: string): JsonRefusal {
    const found = this.#text[this.#at];
    if (found === undefined) return new JsonRefusal(path, 'is not valid JSON: it ends too early');
    const hint = found === "'" ? '; use double quotes' : '';
    return new JsonRefusal(path, `is not valid JSON at character ${this.#at + 1}${hint}`);
  }
}

/** Text of a string literal; undefined for control characters or invalid escapes. */
function parseLiteral(literal: string): string | undefined {
  try {
    const value: unknown = JSON.parse(literal);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A request's JSON document; undefined without a body.
 *
 * @throws GatewayError `request_too_large`; `invalid_body` for another content type or character set, text that is not UTF-8,
 * or invalid or ambiguous JSON
 */
export function readJsonBody(request: GatewayRequest): unknown {
  const { body } = request;
  if (body === undefined || body.length === 0) return undefined;
  if (body.length > JSON_BODY_MAX_BYTES) {
    throw new GatewayError(
      'request_too_large',
      `The body has ${body.length} bytes; at most ${JSON_BODY_MAX_BYTES} are allowed.`,
    );
  }
  // Another site's form can send text/plain without a preflight, but not JSON (UI-3).
  const types = headerValues(request.headers, 'content-type');
  if (types.length !== 1 || !/^application\/json\s*(;|$)/i.test(types[0] ?? '')) {
    throw refusal('invalid_body', [{ path: 'body', message: 'send JSON with Content-Type: application/json' }]);
  }
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(types[0] ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw refusal('invalid_body', [{ path: 'body', message: 'send JSON in UTF-8' }]);
  }
  try {
    return parseStrictJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    if (error instanceof JsonRefusal) throw refusal('invalid_body', [error.problem]);
    if (error instanceof TypeError) throw refusal('invalid_body', [{ path: 'body', message: 'is not valid UTF-8' }]);
    throw error;
  }
}
