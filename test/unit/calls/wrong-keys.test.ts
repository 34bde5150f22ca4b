import { describe, expect, it } from 'vitest';
import { addressGroup, WrongKeys } from '../../../lambdas/gateway/calls/admission.ts';
import { CACHE_MAX_ENTRIES } from '../../../lambdas/gateway/core/limits.ts';
import { MINUTE_MS, START_MS } from './support.ts';

describe('wrong keys of an address (DS-2)', () => {
  it('wrong keys of an address are used up at the limit, only for this address and this minute', () => {
    const wrongKeys = new WrongKeys(2);
    wrongKeys.note('192.0.2.1', START_MS);
    expect(wrongKeys.areUsedUp('192.0.2.1', START_MS)).toBe(false);
    wrongKeys.note('192.0.2.1', START_MS);
    expect(wrongKeys.areUsedUp('192.0.2.1', START_MS)).toBe(true);
    expect(wrongKeys.areUsedUp('192.0.2.2', START_MS)).toBe(false);
    expect(wrongKeys.areUsedUp('192.0.2.1', START_MS - MINUTE_MS)).toBe(false);
    expect(wrongKeys.areUsedUp('192.0.2.1', START_MS + MINUTE_MS)).toBe(false);
  });

  it('wrong keys of an address are counted again when the clock has gone back into another minute', () => {
    const wrongKeys = new WrongKeys(2);
    wrongKeys.note('192.0.2.1', START_MS);
    wrongKeys.note('192.0.2.1', START_MS - MINUTE_MS);
    expect(wrongKeys.areUsedUp('192.0.2.1', START_MS - MINUTE_MS)).toBe(false);
    wrongKeys.note('192.0.2.1', START_MS - MINUTE_MS);
    expect(wrongKeys.areUsedUp('192.0.2.1', START_MS - MINUTE_MS)).toBe(true);
  });

  it('wrong keys of an address are never used up with the limit 0', () => {
    const wrongKeys = new WrongKeys(0);
    wrongKeys.note('192.0.2.1', START_MS);
    expect(wrongKeys.areUsedUp('192.0.2.1', START_MS)).toBe(false);
  });

  it('wrong keys of an address are remembered for a bounded number of addresses', () => {
    const wrongKeys = new WrongKeys(1);
    for (let i = 0; i <= CACHE_MAX_ENTRIES; i++) wrongKeys.note(`address ${i}`, START_MS);
    expect(wrongKeys.areUsedUp('address 0', START_MS)).toBe(false);
    expect(wrongKeys.areUsedUp(`address ${CACHE_MAX_ENTRIES}`, START_MS)).toBe(true);
  });
});

describe('which caller an address is counted for', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:0:0:1::', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['::ffff:192.0.2.1', '0:0:0:0'],
    ['1::3:4:5:6:7:8', '1:0:3:4'],
    ['1::4:5:6:7:192.0.2.1', '1:0:4:5'],
    ['1:2::', '1:2:0:0'],
    ['', ''],
    ['Unknown', 'Unknown'],
  ])('%s is counted for %s', (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });
});
