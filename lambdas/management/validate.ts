import type * as z from 'zod';
import { type Problem, refusal } from '../gateway/core/errors.ts';

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
    result.error.issues.flatMap((issue) => problemsOf(issue, root)),
  );
}

function problemsOf(issue: z.core.$ZodIssue, root: string): Problem[] {
  const path = pathText(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: path === '' ? key : `${path}.${key}`, message: 'is not known here' }));
  }
  return [{ path: path === '' ? root : path, message: messageOf(issue, root) }];
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
