import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { routeTable } from '../../../../dev/local/front/route-table.ts';
import type { LocalRoute } from '../../../../dev/local/template/rest-api.ts';

function route(resourcePath: string, method = 'ANY'): LocalRoute {
  const segments = resourcePath.split('/').filter((segment) => segment !== '');
  return { resourcePath, segments, method, functionArn: 'arn', streaming: false, timeoutMs: 1000, signed: false };
}

const find = routeTable([
  route('/'),
  route('/{proxy+}'),
  route('/proxy'),
  route('/proxy/{proxy+}'),
  route('/connect'),
  route('/connect/session', 'GET'),
  route('/connect/session', 'DELETE'),
  route('/connect/{proxy+}'),
  route('/oauth/connect/{integrationId}'),
  route('/things/{id}'),
  route('/things/{id}/parts'),
]);

function matched(method: string, path: string): [string, Record<string, string> | null] | undefined {
  const found = find(method, path);
  return found && [found.route.resourcePath, found.pathParameters];
}

describe('routing', () => {
  it.each([
    ['/', '/', null],
    ['/proxy', '/proxy', null],
    ['/proxy/', '/proxy', null],
    ['/proxy/drive/v3/', '/proxy/{proxy+}', { proxy: 'drive/v3' }],
    ['/proxy//x', '/proxy/{proxy+}', { proxy: '/x' }],
    ['/proxy/a%2Fb/%2e', '/proxy/{proxy+}', { proxy: 'a%2Fb/%2e' }],
    ['/proxyx', '/{proxy+}', { proxy: 'proxyx' }],
    ['/%70roxy/a', '/{proxy+}', { proxy: '%70roxy/a' }],
    ['/PROXY/a', '/{proxy+}', { proxy: 'PROXY/a' }],
    ['/connect/session', '/connect/session', null],
    ['/connect/session/more', '/connect/{proxy+}', { proxy: 'session/more' }],
    ['/oauth/connect/my%20id', '/oauth/connect/{integrationId}', { integrationId: 'my%20id' }],
    ['/oauth/connect', '/{proxy+}', { proxy: 'oauth/connect' }],
    ['/things/1/parts', '/things/{id}/parts', { id: '1' }],
    ['/things/1/other', '/{proxy+}', { proxy: 'things/1/other' }],
  ])('%s goes to %s', (path, resourcePath, parameters) => {
    expect(matched('GET', path)).toEqual([resourcePath, parameters]);
  });

  it('prefers the method over ANY and refuses a method that the resource lacks', () => {
    const table = routeTable([route('/a', 'GET'), route('/a'), route('/b', 'GET'), route('/{proxy+}')]);
    expect(table('GET', '/a')?.route.method).toBe('GET');
    expect(table('PUT', '/a')?.route.method).toBe('ANY');
    expect(table('PUT', '/b')).toBeUndefined();
  });

  it('finds nothing without a matching resource', () => {
    expect(routeTable([route('/a')])('GET', '/b')).toBeUndefined();
  });

  it('gives back every greedy path without its last slash', () => {
    const tail = fc.string({ unit: fc.constantFrom(...'ab%2F./-'), minLength: 1 }).filter((text) => text !== '/');
    fc.assert(
      fc.property(tail, (path) => {
        expect(find('GET', `/proxy/${path}`)?.pathParameters).toEqual({ proxy: path.replace(/\/$/, '') });
      }),
    );
  });
});
