import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { documented } from '../../../lambdas/management/openapi/documented.ts';
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
});
