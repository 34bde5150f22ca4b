/** An IP network: the first bits of 16 bytes; an IPv4 address counts as the IPv6 address that stands for it (RFC 4291 section 2.5.5.2). */
export interface IpNetwork {
  readonly bytes: readonly number[];
  readonly bits: number;
}

const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/** The 16 bytes of an IPv4 or IPv6 address (RFC 4291 section 2.2); undefined for any other text. */
export function ipBytes(address: string): readonly number[] | undefined {
  if (!address.includes(':')) {
    const bytes = ipv4Bytes(address);
    return bytes === undefined ? undefined : [...MAPPED, ...bytes];
  }
  const [head = '', tail, ...more] = address.split('::');
  if (more.length > 0) return undefined;
  const before = groupBytes(head, tail === undefined);
  const after = groupBytes(tail ?? '', true);
  if (before === undefined || after === undefined) return undefined;
  const missing = 16 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 2) return undefined;
  return [...before, ...new Array<number>(missing).fill(0), ...after];
}

function ipv4Bytes(text: string): readonly number[] | undefined {
  // Without leading zeros, which some readers take for octal.
  if (!/^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/.test(text)) return undefined;
  const bytes = text.split('.').map(Number);
  return bytes.some((byte) => byte > 255) ? undefined : bytes;
}

/** @param isLast whether an IPv4 address may stand at the end */
function groupBytes(text: string, isLast: boolean): readonly number[] | undefined {
  if (text === '') return [];
  const groups = text.split(':');
  const bytes: number[] = [];
  for (const [i, group] of groups.entries()) {
    const embedded = isLast && i === groups.length - 1 && group.includes('.') ? ipv4Bytes(group) : undefined;
    if (embedded !== undefined) bytes.push(...embedded);
    else if (/^[0-9a-f]{1,4}$/i.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
    } else return undefined;
  }
  return bytes;
}

/** The network of an address or of `address/bits` (RFC 4632); undefined for any other text. */
export function ipNetwork(text: string): IpNetwork | undefined {
  const [address = '', bits, ...more] = text.split('/');
  const bytes = ipBytes(address);
  const most = address.includes(':') ? 128 : 32;
  if (bytes === undefined || more.length > 0) return undefined;
  if (bits === undefined) return { bytes, bits: 128 };
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > most) return undefined;
  return { bytes, bits: Number(bits) + 128 - most };
}

/** Whether an address lies in one of the networks; one that is none lies nowhere. */
export function isInNetworks(address: string, networks: readonly IpNetwork[]): boolean {
  const bytes = ipBytes(address);
  return bytes !== undefined && networks.some((network) => isIn(bytes, network));
}

function isIn(bytes: readonly number[], network: IpNetwork): boolean {
  for (let at = 0; at * 8 < network.bits; at++) {
    const kept = Math.min(8, network.bits - at * 8);
    const mask = (0xff << (8 - kept)) & 0xff;
    if (((bytes[at] ?? 0) & mask) !== ((network.bytes[at] ?? 0) & mask)) return false;
  }
  return true;
}
