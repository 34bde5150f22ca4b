/** Groups of an IPv6 address that name a network: whoever has one has all addresses behind them. */
const NETWORK_GROUPS = 4;

/**
 * Whom calls from an address are counted for: an IPv4 address itself, of IPv6 its /64, since one host has all of those. What
 * is neither stays as it is.
 */
export function addressGroup(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    // An IPv4 address at the end takes the place of two groups.
    const afterLength = after.length + (tail.includes('.') ? 1 : 0);
    while (groups.length + afterLength < 8) groups.push('0');
    groups.push(...after);
  }
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
