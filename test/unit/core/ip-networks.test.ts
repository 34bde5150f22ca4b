import { BlockList, isIP, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ipBytes, ipNetwork, isInNetworks } from '../../../lambdas/gateway/core/ip-networks.ts';

const address = fc.oneof(fc.ipV4(), fc.ipV6());

describe('networks of addresses (LK-10)', () => {
  it('read what Node reads as an address, and nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(address, fc.stringMatching(/^[0-9a-f:.]{0,20}$/)), (text) => {
        expect(ipBytes(text) !== undefined).toBe(isIP(text) !== 0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('hold the addresses that Node’s block list holds', () => {
    fc.assert(
      fc.property(address, fc.nat({ max: 128 }), address, fc.boolean(), (base, size, other, isNear) => {
        const family = isIPv6(base) ? 'ipv6' : 'ipv4';
        const bits = Math.min(size, family === 'ipv6' ? 128 : 32);
        const tried = isNear ? base : other;
        const list = new BlockList();
        list.addSubnet(base, bits, family);
        const network = ipNetwork(`${base}/${bits}`);
        if (isIPv6(tried) !== isIPv6(base)) return;
        expect(network !== undefined && isInNetworks(tried, [network])).toBe(
          list.check(tried, isIPv6(tried) ? 'ipv6' : 'ipv4'),
        );
      }),
      { numRuns: 1_000 },
    );
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
