import { describe, expect, it } from 'vitest';
import { matchRoute } from '../../../lambdas/management/route.ts';
import { ROUTES } from '../../../lambdas/management/routes/index.ts';

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

  it('has each method of a pattern once', () => {
    const rows = ROUTES.map(({ method, pattern }) => `${method} ${pattern.replace(/\{\w+\}/g, '{}')}`);
    expect(new Set(rows).size).toBe(rows.length);
  });
});
