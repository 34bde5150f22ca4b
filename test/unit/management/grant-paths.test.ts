import { describe, expect, it } from 'vitest';
import { GRANT_PATHS, grantMethods, isOfGrants } from '../../../lambdas/gateway/core/contract.ts';
import { GRANT_ROUTES } from '../../../lambdas/management/routes/of-grants.ts';
import { MANAGEMENT_ROUTES } from '../../../lambdas/management/routes/own.ts';
import { serveRequest } from '../../../lambdas/management/serve-request.ts';
import type { Services } from '../../../lambdas/management/services.ts';
import { managementGateway, request } from './support/gateway.ts';

describe('the paths of the function grants', () => {
  it('TB-1: the paths of the function grants lead to it with each of its routes, and with none of the other function', () => {
    const wrong = [
      ...GRANT_ROUTES.filter(({ method, pattern }) => !isOfGrants(method, pattern)),
      ...MANAGEMENT_ROUTES.filter(({ method, pattern }) => isOfGrants(method, pattern)),
    ];
    expect(wrong.map(({ method, pattern }) => `${method} ${pattern}`)).toEqual([]);
  });

  it('the paths of the function grants are all needed: each has a route', () => {
    const bare = Object.keys(GRANT_PATHS).filter((path) => {
      const place = path.replace('{proxy+}', '');
      return !GRANT_ROUTES.some(({ pattern }) => (place === path ? pattern === path : pattern.startsWith(place)));
    });
    // A folder of the tree needs an entry of its own: API Gateway would answer it.
    expect(bare).toEqual(['/test-credentials']);
  });

  it('the paths of the function grants answer 503 in the other function, which gets them while a deployment replaces both', async () => {
    const { services } = managementGateway();
    const served = { routes: MANAGEMENT_ROUTES, elsewhere: grantMethods };
    const ask = (method: string, path: string) => serveRequest<Services>(request(method, path), services, served);
    for (const [method, path] of [
      ['GET', '/connections/x?provider_config_key=drive'],
      ['POST', '/connections'],
      ['DELETE', '/connect/sessions'],
      ['POST', '/undo'],
    ] as const) {
      const { status, headers } = await ask(method, path);
      expect([method, path, status, new Map(headers).get('retry-after')]).toEqual([method, path, 503, '1']);
    }
    expect((await ask('GET', '/connections/')).status).toBe(404);
    expect((await ask('PUT', '/connections')).status).toBe(405);
    const options = await ask('OPTIONS', '/connections');
    expect(new Map(options.headers).get('allow')).toBe('GET, POST, HEAD, OPTIONS');
  });
});
