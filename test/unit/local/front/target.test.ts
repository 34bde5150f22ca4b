import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitTarget, withoutStage } from '../../../../dev/local/front/target.ts';

describe('a request target', () => {
  it.each([
    ['/a/b?x=1', { path: '/a/b', query: 'x=1' }],
    ['/a', { path: '/a', query: undefined }],
    ['/a?', { path: '/a', query: '' }],
    ['/a?b?c', { path: '/a', query: 'b?c' }],
    ['//a//b', { path: '/a//b', query: undefined }],
    ['///a', { path: '/a', query: undefined }],
    ['http://host.example/a/..?q', { path: '/a/..', query: 'q' }],
    ['http://host.example', { path: '/', query: undefined }],
    ['http://host.example?q', { path: '/', query: 'q' }],
    ['*', { path: '/*', query: undefined }],
    ['/%2e%2e/%zz', { path: '/%2e%2e/%zz', query: undefined }],
  ])('%s is split as sent', (target, expected) => {
    expect(splitTarget(target)).toEqual(expected);
  });

  it('keeps every path byte for byte', () => {
    const part = fc.string({ unit: fc.constantFrom(...'abzA0-._~!$&\'()*+,;=:@%/25EF#[]|\\"<>{}^`') });
    fc.assert(
      fc.property(part, fc.option(part, { nil: undefined }), (tail, query) => {
        const path = `/x${tail}`;
        expect(splitTarget(query === undefined ? path : `${path}?${query}`)).toEqual({ path, query });
      }),
    );
  });
});

describe('a path below a stage', () => {
  it.each([
    ['/v1/a//b', '/a//b'],
    ['/v1', '/'],
    ['/v1/', '/'],
    ['/v1//a', '/a'],
    ['/v12/a', undefined],
    ['/a', undefined],
  ])('%s leads to %s', (path, expected) => {
    expect(withoutStage(path, 'v1')).toBe(expected);
  });
});
