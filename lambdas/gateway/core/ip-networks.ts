import { BlockList, isIP } from 'node:net';

/** An IP network: addresses that begin with the same bits (RFC 4632 section 3.1, RFC 4291 section 2.3). */
export interface IpNetwork {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** The network of an address or of `address/bits`; undefined for any other text. */
export function ipNetwork(text: string): IpNetwork | undefined {
  const [address = '', bits, ...more] = text.split('/');
  const family = familyOf(address);
  if (family === undefined || more.length > 0) return undefined;
  const most = family === 'ipv6' ? 128 : 32;
  if (bits === undefined) return { address, bits: most, family };
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > most) return undefined;
  return { address, bits: Number(bits), family };
}

/** Tests whether an address is in one of the networks. */
export function networkList(networks: readonly IpNetwork[]): BlockList {
  const list = new BlockList();
  for (const { address, bits, family } of networks) list.addSubnet(address, bits, family);
  return list;
}

/** Whether an address is in one of the networks; false for a text that is no address. */
export function isInNetworks(address: string, networks: BlockList): boolean {
  const family = familyOf(address);
  return family !== undefined && networks.check(address, family);
}

/** An address with a zone is meaningful on one computer only. */
function familyOf(address: string): IpNetwork['family'] | undefined {
  if (address.includes('%')) return undefined;
  return ({ 4: 'ipv4', 6: 'ipv6' } as const)[isIP(address)];
}
