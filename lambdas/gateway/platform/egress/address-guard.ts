import type { LookupAddress, LookupOptions } from 'node:dns';
import { BlockList, isIPv4, isIPv6, type LookupFunction } from 'node:net';

type Networks = readonly (readonly [address: string, prefix: number])[];

/** Tests whether an address is in one of some networks. Built for the first test, because most starts of a function need none. */
function within(family: 'ipv4' | 'ipv6', networks: Networks): (address: string) => boolean {
  let list: BlockList | undefined;
  return (address) => {
    if (list === undefined) {
      list = new BlockList();
      for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
    }
    return list.check(address, family);
  };
}

const isPrivateV4 = within('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]);
const isPublicV6 = within('ipv6', [['2000::', 3]]);
const isSpecialV6 = within('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);
const isLoopbackV4 = within('ipv4', [['127.0.0.0', 8]]);

/** Whether an address is public unicast: mapped, loopback, link-local, private and documentation forms are not (PX-16). */
export function isPublicAddress(address: string): boolean {
  if (isIPv6(address)) {
    const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
    if (mapped !== undefined) return false;
    return isPublicV6(address) && !isSpecialV6(address);
  }
  return isIPv4(address) && !isPrivateV4(address);
}

/** A provider's name resolved to an address that is not on the public internet. */
export class PrivateAddressError extends Error {
  readonly code = 'EPRIVATE';
  constructor(host: string) {
    super(`${host} resolves to an address that is not public`);
    this.name = 'PrivateAddressError';
  }
}

type Resolver = (
  host: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: string | LookupAddress[], family?: number) => void,
) => void;

/** The system's resolver, loaded when the first name is resolved. */
const systemResolver: Resolver = (...args) => process.getBuiltinModule('node:dns').lookup(...args);

/** The same plus addresses of this computer: for endpoints of webhooks on a laptop. */
export function isPublicOrLoopbackAddress(address: string): boolean {
  return isPublicAddress(address) || address === '::1' || (isIPv4(address) && isLoopbackV4(address));
}

/** A `lookup` for sockets that refuses every forbidden address. The socket connects to the very address that was checked. */
export function publicLookup(
  resolve: Resolver = systemResolver,
  mayBeCalled: (address: string) => boolean = isPublicAddress,
): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      const found = typeof addresses === 'string' ? [] : addresses;
      if (found.length === 0 || found.some(({ address }) => !mayBeCalled(address))) {
        return callback(new PrivateAddressError(host), '', 0);
      }
      if (options.all === true) return callback(null, found);
      const first = found[0];
      return callback(null, first?.address ?? '', first?.family ?? 4);
    });
  };
}
