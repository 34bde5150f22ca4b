import { describe, expect, test } from 'vitest';
import { systemRandom } from '../../../lambdas/gateway/platform/clock.ts';

describe('bytes of chance', () => {
  test('bytes of chance have the length asked for and are never the same, drawn ahead or not', () => {
    for (const length of [10, 12, 16, 17, 32]) {
      const drawn = Array.from({ length: 1_000 }, () => systemRandom.bytes(length));
      expect(new Set(drawn.map((bytes) => Buffer.from(bytes).toString('hex'))).size).toBe(1_000);
      expect(drawn.every((bytes) => bytes.length === length)).toBe(true);
    }
  });

  test('bytes of chance belong to the caller who asked for them: those that follow do not change them', () => {
    const first = systemRandom.bytes(10);
    const before = Buffer.from(first).toString('hex');
    for (let drawn = 0; drawn < 1_000; drawn++) systemRandom.bytes(10).fill(0);
    expect(Buffer.from(first).toString('hex')).toBe(before);
  });
});
