import type * as z from 'zod';
import { type Problem, refusal } from '../shared/domain/errors.ts';

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
  return [{ path: path === '' ? root : path, message: messageOf(issue) }];
}

/** In the words of our own messages: they follow the path of the member they speak of. */
function messageOf(issue: z.core.$ZodIssue): string {
  const [, expected, received] = /^Invalid input: expected (\w+), received (\w+)$/.exec(issue.message) ?? [];
  if (received === 'undefined') return 'is required';
  return expected === undefined ? issue.message : `must be of type ${expected}, not ${received}`;
}

function pathText(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? String(part) : `.${String(part)}`;
  }
  return text;
}
