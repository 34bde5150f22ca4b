/** What is wrong with an address: https anywhere, http on loopback only (PX-17). */
export function addressProblem(value: string): string | undefined {
  if (value === '') return undefined;
  if (!URL.canParse(value)) return 'is not a URL';
  const url = new URL(value);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return 'must be a plain address without user, query or fragment';
  }
  if (url.protocol === 'https:') return undefined;
  return url.protocol === 'http:' && isLoopbackAddress(value) ? undefined : 'must use https (http only on loopback)';
}

/** Whether an address is on this computer. */
export function isLoopbackAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const host = new URL(value).hostname;
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
