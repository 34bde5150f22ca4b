import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerValues } from '../../../lambdas/gateway/core/http-message.ts';
import { upstreamMethod, withMethodOverride } from '../../../lambdas/gateway/proxying/request-line.rules.ts';
import { codeOf, refusalOf } from '../support/connection.ts';

const OVERRIDE = 'X-HTTP-Method-Override';

describe('upstreamMethod (PX-13)', () => {
  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])('passes %s as it is', (method) => {
    expect(upstreamMethod(method, [], false)).toEqual({ method, effectiveMethod: method });
  });

  it.each(['TRACE', 'CONNECT', 'OPTIONS', 'PROPFIND', 'get', '', 'GET '])('answers 405 to %j', (method) => {
    const { code, message, allow } = refusalOf(() => upstreamMethod(method, [], false));
    const forwarded = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
    expect([code, allow]).toEqual(['method_not_allowed', forwarded]);
    expect(message).toBe(`${method} is not proxied; use ${forwarded.join(', ')}.`);
  });

  it('takes a method for a preflight only where it is OPTIONS', () => {
    const asked = [['Access-Control-Request-Method', 'PUT']] as const;
    expect(upstreamMethod('GET', asked, false).method).toBe('GET');
    expect(upstreamMethod('OPTIONS', [], false, ['OPTIONS']).method).toBe('OPTIONS');
    expect(codeOf(() => upstreamMethod('OPTIONS', asked, false, ['OPTIONS']))).toBe('method_not_allowed');
  });

  it('passes GET over POST and judges it as a read', () => {
    const read = { method: 'POST', effectiveMethod: 'GET' };
    expect(upstreamMethod('POST', [[OVERRIDE, 'GET']], true)).toEqual(read);
    expect(upstreamMethod('POST', [[OVERRIDE.toLowerCase(), ' get ']], false)).toEqual(read);
  });

  it('turns a GET with a form back into the POST it was before the front door', () => {
    expect(upstreamMethod('GET', [[OVERRIDE, 'GET']], true)).toEqual({ method: 'POST', effectiveMethod: 'GET' });
    expect(codeOf(() => upstreamMethod('GET', [[OVERRIDE, 'GET']], false))).toBe('invalid_headers');
  });

  it.each(['application/x-www-form-urlencoded', 'Application/X-WWW-Form-Urlencoded ; charset=UTF-8'])(
    'takes a GET with a form, of which the front door has kept the override, for the same: %s',
    (type) => {
      for (const name of ['Content-Type', 'nango-proxy-content-type']) {
        expect(upstreamMethod('GET', [[name, type]], true)).toEqual({ method: 'POST', effectiveMethod: 'GET' });
      }
      expect(upstreamMethod('GET', [['Content-Type', type]], false)).toEqual({ method: 'GET', effectiveMethod: 'GET' });
      expect(upstreamMethod('DELETE', [['Content-Type', type]], true).method).toBe('DELETE');
    },
  );

  it.each([
    'application/json',
    'application/x-www-form-urlencodedx',
    'text/plain; a=application/x-www-form-urlencoded',
  ])('leaves a GET with a body of %s as it is', (type) => {
    expect(upstreamMethod('GET', [['Content-Type', type]], true).method).toBe('GET');
  });

  it('reads the prefixed spelling, which is forwarded under the plain name', () => {
    expect(codeOf(() => upstreamMethod('POST', [[`Nango-Proxy-${OVERRIDE}`, 'DELETE']], true))).toBe('invalid_headers');
    expect(upstreamMethod('POST', [[`nango-proxy-${OVERRIDE}`, 'GET']], true).effectiveMethod).toBe('GET');
    const both = Object.entries({ [OVERRIDE]: 'GET', [`Nango-Proxy-${OVERRIDE}`]: 'DELETE' });
    expect(codeOf(() => upstreamMethod('POST', both, true))).toBe('invalid_headers');
  });

  it('refuses a repeated override, an empty one among them', () => {
    for (const values of [
      ['GET', 'GET'],
      ['DELETE', ''],
      ['', 'DELETE'],
      ['GET', ''],
    ]) {
      const repeated = values.map((value) => [OVERRIDE, value] as const);
      const message = 'only GET on a POST is forwarded; send the real method instead';
      expect(refusalOf(() => upstreamMethod('POST', repeated, true))).toMatchObject({
        ...{ code: 'invalid_headers', problems: [{ path: 'headers.X-HTTP-Method-Override', message }] },
      });
    }
  });

  it('ignores an empty override', () => {
    expect(upstreamMethod('PATCH', [[OVERRIDE, ' ']], true)).toEqual({ method: 'PATCH', effectiveMethod: 'PATCH' });
  });

  it('lets no other pair of method and override through', () => {
    const word = fc.constantFrom(...'GET HEAD POST PUT PATCH DELETE TRACE OPTIONS GETS GET,DELETE'.split(' '));
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

describe('withMethodOverride (PX-13, PX-25)', () => {
  const READ_AS_FORM = { method: 'POST', effectiveMethod: 'GET' } as const;
  const FORM = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
  const UNPACKED = 'headers.Content-Encoding: send a form that replaces a query without compression';
  const AS_FORM = `headers.Content-Type: send a query in a body as ${FORM[1]}, in UTF-8`;

  it('says the override once, whether it arrived or the front door kept it', () => {
    for (const sent of [[], [[OVERRIDE, ' get ']], [[OVERRIDE.toUpperCase(), 'GET']]] as const) {
      const headers = withMethodOverride([FORM, ...sent], READ_AS_FORM, true);
      expect(headerValues(headers, OVERRIDE)).toEqual(['GET']);
      expect(headers[0]).toEqual(FORM);
    }
  });

  it('says none on any other request', () => {
    const headers = withMethodOverride([FORM, [OVERRIDE, '']], { method: 'POST', effectiveMethod: 'POST' }, true);
    expect(headers).toEqual([FORM]);
  });

  it.each([
    ['a packed form', [FORM, ['Content-Encoding', 'gzip']], UNPACKED],
    ['a form packed twice over', [FORM, ['content-encoding', 'identity, br']], UNPACKED],
    ['a form of another alphabet', [['Content-Type', 'application/x-www-form-urlencoded;charset=utf-16']], AS_FORM],
    ['one with a space before it', [['Content-Type', 'application/x-www-form-urlencoded; charset=utf-16']], AS_FORM],
    ['a form of parts', [['Content-Type', 'multipart/form-data; boundary=x']], AS_FORM],
    ['a body of two types', [FORM, ['content-type', 'application/json']], AS_FORM],
    ['a body of no type', [], AS_FORM],
  ] satisfies [string, (readonly [string, string])[], string][])(
    'refuses %s: what it asks for cannot be judged',
    (_what, headers, problem) => {
      const { code, problems } = refusalOf(() => withMethodOverride(headers, READ_AS_FORM, true));
      expect([code, problems?.map(({ path, message }) => `${path}: ${message}`)]).toEqual([
        'invalid_headers',
        [problem],
      ]);
    },
  );

  it.each([
    [[FORM, ['Content-Encoding', ' Identity ']]],
    [[['Content-Type', 'application/x-www-form-urlencoded;charset="utf-8"']]],
  ] satisfies [(readonly [string, string])[]][])('takes %j', (headers) => {
    expect(headerValues(withMethodOverride(headers, READ_AS_FORM, true), OVERRIDE)).toEqual(['GET']);
  });

  it('asks nothing of a read without a form', () => {
    expect(headerValues(withMethodOverride([], READ_AS_FORM, false), OVERRIDE)).toEqual(['GET']);
  });
});
