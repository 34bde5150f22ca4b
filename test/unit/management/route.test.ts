import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { jsonResponse } from '../../../lambdas/connect/json-response.ts';
import { documented } from '../../../lambdas/gateway/openapi/documented.ts';
import { matchRoute, route } from '../../../lambdas/management/route.ts';
import { ROUTES } from '../../../lambdas/management/routes/index.ts';

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
  it('accepts a result that fits the schema of the answer', () => {
    expect(route({ ...base, handle: () => ({ data: [{ name: 'first', note: null }] }) }).status).toBe(200);
  });

  it('refuses a member that is missing or of another type', () => {
    // @ts-expect-error note is missing
    route({ ...base, handle: () => ({ data: [{ name: 'first' }] }) });
    // @ts-expect-error note is a text or null
    route({ ...base, handle: () => ({ data: [{ name: 'first', note: 1 }] }) });
  });

  it('refuses a member that the document does not name, at any depth', () => {
    // @ts-expect-error more is not in the schema
    route({ ...base, handle: () => ({ data: [], more: 1 }) });
    // @ts-expect-error more is not in the schema
    route({ ...base, handle: async () => ({ data: [{ name: 'first', note: null, more: 1 }] }) });
  });

  it('the compiler holds handlers of paths for browsers to their schemas, too', () => {
    const answer = documented(() => z.object({ data: z.object({ name: z.string() }) }));
    expect(jsonResponse<typeof answer>(200, { data: { name: 'first' } }, 'request').status).toBe(200);
    // @ts-expect-error more is not in the schema
    jsonResponse<typeof answer>(200, { data: { name: 'first', more: 1 } }, 'request');
    // @ts-expect-error name is missing
    jsonResponse<typeof answer>(200, { data: {} }, 'request');
  });
});

const found = (method: string, path: string) => {
  const match = matchRoute(ROUTES, method, path);
  return match.kind === 'found' ? { pattern: match.route.pattern, params: match.params } : match.kind;
};

describe('matchRoute', () => {
  it('prefers a literal to a parameter', () => {
    expect(found('POST', '/connections/metadata')).toEqual({ pattern: '/connections/metadata', params: {} });
    expect(found('POST', '/integrations/quickstart')).toEqual({ pattern: '/integrations/quickstart', params: {} });
  });

  it('takes a parameter where the literal has no such method', () => {
    expect(found('GET', '/integrations/quickstart')).toEqual({
      pattern: '/integrations/{integrationId}',
      params: { integrationId: 'quickstart' },
    });
  });

  it('decodes a parameter once', () => {
    expect(found('GET', '/connections/a%2520b%2Bc')).toEqual({
      pattern: '/connections/{connectionId}',
      params: { connectionId: 'a%20b+c' },
    });
  });

  it('answers HEAD where GET is', () => {
    expect(found('HEAD', '/providers')).toMatchObject({ pattern: '/providers' });
  });

  it.each([
    '/Integrations',
    '//integrations',
    '/integrations/',
    '/./integrations',
    '/%69ntegrations',
    '/integrations/%zz',
    '/integrations//readiness',
    '',
    '/',
    '/connect',
    '/oauth/connect',
  ])('matches nothing for %s', (path) => {
    expect(found('GET', path)).toBe('none');
  });

  it('names the methods of a path that has others', () => {
    expect(matchRoute(ROUTES, 'PUT', '/connections/x')).toEqual({
      kind: 'other_methods',
      methods: ['GET', 'DELETE', 'PATCH'],
    });
  });

  it('matchRoute has each method of a pattern once', () => {
    const rows = ROUTES.map(({ method, pattern }) => `${method} ${pattern.replace(/\{\w+\}/g, '{}')}`);
    expect(new Set(rows).size).toBe(rows.length);
  });
});
