import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { jsonResponse } from '../../../lambdas/connect/json-response.ts';
import { documented } from '../../../lambdas/gateway/openapi/documented.ts';
import { route } from '../../../lambdas/management/route.ts';

const base = {
  method: 'GET',
  pattern: '/things',
  access: { right: 'read' },
  describe: documented(() => ({
    id: 'listThings',
    tag: 'Service' as const,
    summary: 'Things',
    answer: z.object({ data: z.array(z.object({ name: z.string(), note: z.string().nullable() })) }),
    errors: [],
    example: {},
  })),
} as const;

describe('the compiler holds what a handler returns to the schema of its answer', () => {
  it('and takes what fits it', () => {
    expect(route({ ...base, handle: () => ({ data: [{ name: 'first', note: null }] }) }).status).toBe(200);
  });

  it('and refuses a member that is missing or of another type', () => {
    // @ts-expect-error note is missing
    route({ ...base, handle: () => ({ data: [{ name: 'first' }] }) });
    // @ts-expect-error note is a text or null
    route({ ...base, handle: () => ({ data: [{ name: 'first', note: 1 }] }) });
  });

  it('and refuses a member that the document does not name, at any depth', () => {
    // @ts-expect-error more is not in the schema
    route({ ...base, handle: () => ({ data: [], more: 1 }) });
    // @ts-expect-error more is not in the schema
    route({ ...base, handle: async () => ({ data: [{ name: 'first', note: null, more: 1 }] }) });
  });

  it('also where a function has paths of browsers', () => {
    const answer = documented(() => z.object({ data: z.object({ name: z.string() }) }));
    expect(jsonResponse<typeof answer>(200, { data: { name: 'first' } }, 'request').status).toBe(200);
    // @ts-expect-error more is not in the schema
    jsonResponse<typeof answer>(200, { data: { name: 'first', more: 1 } }, 'request');
    // @ts-expect-error name is missing
    jsonResponse<typeof answer>(200, { data: {} }, 'request');
  });
});
