import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { upstreamMethod } from '../../../../lambdas/shared/domain/proxy/method.ts';
import { codeOf } from '../support.ts';

const OVERRIDE = 'X-HTTP-Method-Override';

describe('upstreamMethod (PX-13)', () => {
  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])('passes %s as it is', (method) => {
    expect(upstreamMethod(method, [], false)).toEqual({ method, effectiveMethod: method });
  });

  it.each(['TRACE', 'CONNECT', 'OPTIONS', 'PROPFIND', 'get', '', 'GET '])('answers 405 to %j', (method) => {
    expect(codeOf(() => upstreamMethod(method, [], false))).toBe('method_not_allowed');
  });

  it('passes GET over POST and judges it as a read', () => {
    expect(upstreamMethod('POST', [[OVERRIDE, 'GET']], true)).toEqual({ method: 'POST', effectiveMethod: 'GET' });
    expect(upstreamMethod('POST', [[OVERRIDE.toLowerCase(), ' get ']], false)).toEqual({
      method: 'POST',
      effectiveMethod: 'GET',
    });
  });

  it('turns a GET with a form back into the POST it was before the front door', () => {
    expect(upstreamMethod('GET', [[OVERRIDE, 'GET']], true)).toEqual({ method: 'POST', effectiveMethod: 'GET' });
    expect(codeOf(() => upstreamMethod('GET', [[OVERRIDE, 'GET']], false))).toBe('invalid_headers');
  });

  it('reads the prefixed spelling, which is forwarded under the plain name', () => {
    expect(codeOf(() => upstreamMethod('POST', [[`Nango-Proxy-${OVERRIDE}`, 'DELETE']], true))).toBe('invalid_headers');
    expect(upstreamMethod('POST', [[`nango-proxy-${OVERRIDE}`, 'GET']], true).effectiveMethod).toBe('GET');
    const both = [
      [OVERRIDE, 'GET'],
      [`Nango-Proxy-${OVERRIDE}`, 'DELETE'],
    ] as const;
    expect(codeOf(() => upstreamMethod('POST', both, true))).toBe('invalid_headers');
  });

  it('refuses a repeated override, an empty one among them', () => {
    for (const values of [
      ['GET', 'GET'],
      ['DELETE', ''],
      ['', 'DELETE'],
      ['GET', ''],
    ]) {
      expect(
        codeOf(() =>
          upstreamMethod(
            'POST',
            values.map((value) => [OVERRIDE, value] as const),
            true,
          ),
        ),
      ).toBe('invalid_headers');
    }
  });

  it('ignores an empty override', () => {
    expect(upstreamMethod('PATCH', [[OVERRIDE, ' ']], true)).toEqual({ method: 'PATCH', effectiveMethod: 'PATCH' });
  });

  it('lets no other pair of method and override through', () => {
    const word = fc.constantFrom(
      'GET',
      'HEAD',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'TRACE',
      'OPTIONS',
      'GETS',
      'GET,DELETE',
    );
    fc.assert(
      fc.property(word, word, fc.boolean(), (method, override, hasBody) => {
        const passes = override === 'GET' && (method === 'POST' || (method === 'GET' && hasBody));
        expect(codeOf(() => upstreamMethod(method, [[OVERRIDE, override]], hasBody))).toEqual(
          passes ? { method: 'POST', effectiveMethod: 'GET' } : 'invalid_headers',
        );
      }),
    );
  });
});
