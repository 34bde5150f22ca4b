import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readCapped } from '../../../../lambdas/gateway/core/http-message.ts';

async function* chunks(count: number, bytes: number, seen: { count: number }): AsyncGenerator<Uint8Array> {
  for (; seen.count < count; seen.count++) yield Buffer.alloc(bytes, 'a');
}

describe('answers the gateway decodes itself (PR-11)', () => {
  test('answers the gateway decodes itself are read whole up to the limit', async () => {
    expect(await readCapped(chunks(4, 25, { count: 0 }), 100)).toBe('a'.repeat(100));
  });

  test('answers the gateway decodes itself are given up one byte beyond it, without reading on', async () => {
    const seen = { count: 0 };
    expect(await readCapped(chunks(1_000_000, 101, seen), 100)).toBeUndefined();
    expect(seen.count).toBeLessThan(2);
  });

  test('answers the gateway decodes itself are never unpacked: a small body cannot become a large one', async () => {
    const packed = gzipSync('x'.repeat(1_000_000));
    async function* once(): AsyncGenerator<Uint8Array> {
      yield packed;
    }
    expect((await readCapped(once(), packed.length))?.length).toBeLessThanOrEqual(packed.length);
  });
});
