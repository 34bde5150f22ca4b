import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { GatewayError, type Problem } from '../../../lambdas/gateway/core/errors.ts';
import * as integrations from '../../../lambdas/management/integrations/integration-routes.ts';
import { validate } from '../../../lambdas/management/request-input.ts';
import * as changes from '../../../lambdas/management/schemas/connection-changes.ts';
import * as connections from '../../../lambdas/management/schemas/connections.ts';
import * as keys from '../../../lambdas/management/schemas/keys.ts';
import * as sessions from '../../../lambdas/management/schemas/sessions.ts';
import * as tries from '../../../lambdas/management/schemas/try.ts';

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
    [keys.createKeyBody, { name: 5, right: 'full' }, 'name', 'must be a string'],
    [
      keys.createKeyBody,
      { name: 'a', right: 'full', can_read_credentials: 'yes' },
      'can_read_credentials',
      'must be true or false',
    ],
    [keys.createKeyBody, { name: 'a', right: 'full', integration_ids: 'a' }, 'integration_ids', 'must be an array'],
    [changes.updateConnectionBody, { end_user: 'u' }, 'end_user', 'must be an object'],
    [changes.updateConnectionBody, { tags: { '1': 'a' } }, 'tags.1', /^keys begin with a letter/],
    [changes.updateConnectionBody, 'text', 'body', 'must be an object'],
  ])('say what to send instead (%#)', (schema, value, path, message) => {
    expect(problems(schema, value)).toEqual([{ path, message: expect.stringMatching(message) }]);
  });

  it('tell a parameter that was repeated from one of a wrong kind', () => {
    const repeated = { provider_config_key: ['a', 'b'] };
    const [problem] = problems(connections.ofIntegration, repeated, 'invalid_query_params');
    expect(problem).toEqual({ path: 'provider_config_key', message: 'must be given once' });
  });

  it('are never in the words of the validation library, whatever is sent to any member of any route', () => {
    const schemas = [changes, connections, integrations, keys, sessions, tries].flatMap((module) =>
      Object.values<unknown>(module).filter(isObjectSchema),
    );
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
