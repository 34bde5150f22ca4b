import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type IpNetwork, ipNetwork, isInNetworks, networkList } from '../../../lambdas/gateway/core/ip-networks.ts';

/** An address as its bits. */
const address = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }).map((value) => ({ value, size: 32 })),
  fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map((value) => ({ value, size: 128 })),
);
/** How many bits two addresses share. */
const bits = fc.nat({ max: 128 });

function textOf({ value, size }: { readonly value: bigint; readonly size: number }): string {
  const part = size === 32 ? 8 : 16;
  const parts = Array.from(
    { length: size / part },
    (_, at) => (value >> BigInt(size - part * (at + 1))) & ((1n << BigInt(part)) - 1n),
  );
  return size === 32 ? parts.join('.') : parts.map((one) => one.toString(16)).join(':');
}

function network(text: string): IpNetwork {
  const found = ipNetwork(text);
  if (found === undefined) throw new Error(`${text} is no network`);
  return found;
}

describe('networks of addresses (LK-10)', () => {
  it('networks of addresses read what Node reads as an address, and nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[0-9a-f:.]{0,20}$/)), (text) => {
        expect(ipNetwork(text) !== undefined).toBe(isIP(text) !== 0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('networks of addresses hold the addresses that begin with their bits, and no other', () => {
    fc.assert(
      fc.property(address, bits, bits, (base, wanted, shared) => {
        const { size } = base;
        const kept = Math.min(wanted, size);
        // The same up to a bit, and other in that one.
        const other = shared < size ? { size, value: base.value ^ (1n << BigInt(size - 1 - shared)) } : base;
        const list = networkList([network(`${textOf(base)}/${kept}`)]);
        expect(isInNetworks(textOf(other), list)).toBe(shared >= kept);
      }),
      { numRuns: 2_000 },
    );
  });

  it('networks of addresses take an IPv4 address and the IPv6 address that stands for it as one', () => {
    const v4 = networkList([network('203.0.113.0/24')]);
    const mapped = networkList([network('::ffff:203.0.113.0/120')]);
    for (const inside of ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107']) {
      expect([isInNetworks(inside, v4), isInNetworks(inside, mapped)], inside).toEqual([true, true]);
    }
    for (const outside of ['203.0.114.7', '::ffff:203.0.114.7', '::203.0.113.7', 'no address', '']) {
      expect([isInNetworks(outside, v4), isInNetworks(outside, mapped)], outside).toEqual([false, false]);
    }
  });

  it.each([
    '',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '256.1.1.1',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/8/8',
    '::1/129',
    ':::',
    '1::2::3',
    'fe80::1%eth0',
    '*',
  ])('%j is none', (text) => {
    expect(ipNetwork(text)).toBeUndefined();
  });
});
