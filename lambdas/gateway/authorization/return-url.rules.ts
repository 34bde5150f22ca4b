/**
 * Where a finished flow may send the browser: an exact member of the deployment's list that is also a plain web address, so that a
 * careless entry cannot become a script or hide a host behind a user name (RFC 9700 section 4.11).
 */
export function isAllowedReturnUrl(url: string, allowed: readonly string[]): boolean {
  if (!allowed.includes(url) || !URL.canParse(url) || /[^\x21-\x7e]|\\/.test(url)) return false;
  const { protocol, username, password } = new URL(url);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

/** The opener's origin as the exact target of messages: the gateway's own or a listed one, else undefined (CS-9). */
export function allowedOpener(
  origin: string | undefined,
  ownOrigin: string,
  allowed: readonly string[],
): string | undefined {
  return origin !== undefined && (origin === ownOrigin || allowed.includes(origin)) ? origin : undefined;
}
