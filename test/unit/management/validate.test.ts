import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { GatewayError, type Problem } from '../../../lambdas/gateway/core/errors.ts';
import { updateConnectionBody } from '../../../lambdas/management/connections/connection-routes.ts';
import { createKeyBody } from '../../../lambdas/management/keys/key-routes.ts';
import { validate } from '../../../lambdas/management/request-input.ts';
import { ROUTES } from '../../../lambdas/management/routes/index.ts';
import { ofIntegration } from '../../../lambdas/management/schemas/common.ts';

/** What is wrong with a value; nothing when it is taken. */
function problems(
  schema: z.ZodType,
  value: unknown,
  code: 'invalid_body' | 'invalid_query_params' = 'invalid_body',
): readonly Problem[] {
  try {
    validate(schema, value, code);
    return [];
  } catch (error) {
    if (error instanceof GatewayError) return error.problems ?? [];
    throw error;
  }
}

describe('problems of a request', () => {
  it.each([
    [createKeyBody, { name: 5, right: 'full' }, 'name', 'must be a string'],
    [
      createKeyBody,
      { name: 'a', right: 'full', can_read_credentials: 'yes' },
      'can_read_credentials',
      'must be true or false',
    ],
    [createKeyBody, { name: 'a', right: 'full', integration_ids: 'a' }, 'integration_ids', 'must be an array'],
    [updateConnectionBody, { end_user: 'u' }, 'end_user', 'must be an object'],
    [updateConnectionBody, { tags: { '1': 'a' } }, 'tags.1', /^keys begin with a letter/],
    [updateConnectionBody, 'text', 'body', 'must be an object'],
  ])('problems of a request say what to send instead (%#)', (schema, value, path, message) => {
    expect(problems(schema, value)).toEqual([{ path, message: expect.stringMatching(message) }]);
  });

  it('problems of a request tell a parameter that was repeated from one of a wrong kind', () => {
    const repeated = { provider_config_key: ['a', 'b'] };
    const [problem] = problems(ofIntegration, repeated, 'invalid_query_params');
    expect(problem).toEqual({ path: 'provider_config_key', message: 'must be given once' });
  });

  it('problems of a request are never in the words of the validation library, whatever is sent to any member of any route', () => {
    const schemas = [...new Set(ROUTES.flatMap(({ query, body }) => [query, body]).filter(isObjectSchema))];
    expect(schemas.length).toBeGreaterThan(10);
    const wrong = [undefined, null, 5, -1, '', 'x'.repeat(5001), [], [5], [''], true, {}, { a: 5 }, { '1': 'x' }];
    const messages = schemas.flatMap((schema) =>
      Object.keys(schema.shape).flatMap((name) => wrong.flatMap((value) => problems(schema, { [name]: value }))),
    );
    expect(messages.filter(({ message }) => /^(Invalid|Too)|expected|received/.test(message))).toEqual([]);
  });
});

function isObjectSchema(value: unknown): value is z.ZodObject {
  return typeof value === 'object' && value !== null && 'shape' in value && 'safeParse' in value;
}
