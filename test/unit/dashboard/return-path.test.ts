import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { returnPath } from '../../../packages/dashboard/src/session/return-path.ts';

const ORIGIN = 'https://dashboard.example.com';

describe('the page shown after a sign-in', () => {
  it('the page shown after a sign-in is the one the operator asked for', () => {
    expect(returnPath('/connections?status=active', ORIGIN)).toBe('/connections?status=active');
  });

  it.each([
    '//evil.example.com',
    '//evil.example.com/connections',
    '/\\evil.example.com',
    'https://evil.example.com',
    'javascript:alert(1)',
    '/\t/evil.example.com',
    '/signed-in?code=1',
    '/signed-out',
    undefined,
    { path: '/' },
    '',
  ])('the page shown after a sign-in is the overview for %j', (state) => {
    expect(returnPath(state, ORIGIN)).toBe('/');
  });

  it('never leaves the site', () => {
    fc.assert(fc.property(fc.string(), (text) => new URL(returnPath(`/${text}`, ORIGIN), ORIGIN).origin === ORIGIN));
  });
});
