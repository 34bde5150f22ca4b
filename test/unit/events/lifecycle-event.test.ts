import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ulid } from '../../../lambdas/gateway/core/identifiers.ts';
import { actorOf, sessionActor } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';

const MAX_MS = 2 ** 48 - 1;
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const bytes = fc.uint8Array({ minLength: 10, maxLength: 10 });
const moment = fc.integer({ min: 0, max: MAX_MS });

/** The 128 bits of a ULID. */
const decode = (id: string) => [...id].reduce((sum, c) => sum * 32n + BigInt(ALPHABET.indexOf(c)), 0n);

describe('ulid (github.com/ulid/spec)', () => {
  it('ulid (github.com/ulid/spec) has the known forms at both ends', () => {
    expect(ulid(0, new Uint8Array(10))).toBe('0'.repeat(26));
    expect(ulid(MAX_MS, new Uint8Array(10).fill(255))).toBe('7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
    expect(ulid(1469918176385, new Uint8Array(10))).toMatch(/^01ARYZ6S41/);
  });

  it('holds every bit of the moment and of the random bytes', () => {
    fc.assert(
      fc.property(moment, bytes, (nowMs, random) => {
        const id = ulid(nowMs, random);
        expect(id).toHaveLength(26);
        expect(decode(id)).toBe((BigInt(nowMs) << 80n) + BigInt(`0x${Buffer.from(random).toString('hex')}`));
      }),
    );
  });

  it('sorts by time', () => {
    fc.assert(
      fc.property(moment, moment, bytes, bytes, (a, b, one, two) => {
        if (a < b) expect(ulid(a, one) < ulid(b, two)).toBe(true);
      }),
    );
  });
});

describe('what an event says', () => {
  it('what an event says of who acted is the start of a digest, never all of it', () => {
    const hash = '0123456789abcdef'.repeat(4);
    expect([actorOf({ keyHash: hash }), sessionActor({ sessionHash: hash })]).toEqual([
      ...['key:0123456789ab', 'session:0123456789ab'],
    ]);
  });
});
