import type { LookupAddress } from 'node:dns';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress, publicLookup } from '../../../../lambdas/gateway/platform/egress/address-guard.ts';

const NOT_PUBLIC = [
  '0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255',
  '192.0.0.1 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1',
  '239.255.255.255 240.0.0.1 255.255.255.255',
  ':: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::FFFF:10.0.0.1 ::ffff:7f00:1 ::ffff:808:808 ::127.0.0.1 64:ff9b::7f00:1',
  '64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:7f00:1:: 3fff::1 4000::1 fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0',
  'fec0::1 ff02::1 0:0:0:0:0:ffff:7f00:1',
].flatMap((line) => line.split(' '));
const PUBLIC = [
  '8.8.8.8 142.250.74.106 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0 11.0.0.1',
  '2a00:1450:4001:830::200a 2607:f8b0:4004:c07::5f 2001:4860:4860::8888 2600::',
].flatMap((line) => line.split(' '));

describe('isPublicAddress (PX-16)', () => {
  it.each(NOT_PUBLIC)('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(PUBLIC)('takes %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it('takes no IPv4 address in an IPv6 coat', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isPublicAddress(`::ffff:${address}`)).toBe(false);
        expect(isPublicAddress(`::${address}`)).toBe(false);
        expect(isPublicAddress(`64:ff9b::${address}`)).toBe(false);
      }),
    );
  });
});

describe('publicLookup (PX-16)', () => {
  const resolve = (addresses: readonly string[], all: boolean) =>
    new Promise<string | LookupAddress[]>((done, fail) => {
      const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      const lookup = publicLookup((_host, _options, callback) => callback(null, found));
      lookup('api.example.com', { all }, (error, given) => (error === null ? done(given) : fail(error)));
    });

  it('gives public addresses in either form', async () => {
    expect(await resolve(['8.8.8.8', '2600::1'], true)).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2600::1', family: 6 },
    ]);
    expect(await resolve(['8.8.8.8'], false)).toBe('8.8.8.8');
  });

  it('refuses the whole answer for one private address among public ones', async () => {
    for (const all of [true, false]) {
      await expect(resolve(['8.8.8.8', '127.0.0.1'], all)).rejects.toMatchObject({ code: 'EPRIVATE' });
    }
    await expect(resolve([], true)).rejects.toMatchObject({ code: 'EPRIVATE' });
  });

  it('passes the resolver\u2019s own failure on', async () => {
    const unknown = Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    const failing = publicLookup((_host, _options, callback) => callback(unknown, []));
    const error = await new Promise((done) => failing('api.example.com', {}, (failure) => done(failure)));
    expect(error).toMatchObject({ code: 'ENOTFOUND' });
  });
});
