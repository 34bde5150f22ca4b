import { describe, expect, it } from 'vitest';
import { underSameDataKey } from '../../../lambdas/gateway/tokens/ciphertexts.rules.ts';

describe('stored values', () => {
  it.each([
    ['v1.7.AAAA', 'v1.7.BBBB', true],
    ['v1.7.AAAA', 'v1.8.AAAA', false],
    ['v1.7.AAAA', 'v2.7.AAAA', false],
    ['v1.7.AAAA', 'v1.71.AAAA', false],
  ])('%s and %s are under the same data key: %s', (one, other, same) => {
    expect(underSameDataKey(one, other)).toBe(same);
  });
});
