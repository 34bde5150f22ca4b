import { expect, it } from 'vitest';
import { isCompactJws } from '../../../lambdas/gateway/keys/credentials.rules.ts';

it.each([
  ['eyJh.eyJz._-9A', true],
  ['eyJh..', true],
  ['eyJh.eyJz', false],
  ['.eyJz.c2ln', false],
  ['eyJh.eyJz.c2ln.more', false],
  ['eyJh.eyJz.c2ln ', false],
  [' eyJh.eyJz.c2ln', false],
  ['eyJh.ey+z.c2ln', false],
  ['sk_default_0123456789', false],
  ['', false],
])('%j looks like a signed token: %s (RFC 7515 section 3.1)', (bearer, expected) => {
  expect(isCompactJws(bearer)).toBe(expected);
});
