import { type HeaderPairs, headerValues } from '../core/http-message.ts';

/** Binds a flow to the browser that started it. The `__Host-` prefix keeps sibling domains from setting it (RFC 6265bis 4.1.3). */
export const BINDING_COOKIE = '__Host-gateway-binding';

/** Long enough for the slowest consent, short enough to forget. */
const MAX_AGE_SEC = 3600;

/** Every value the browser sent under exactly this name; values of another form are not ours. */
export function bindingCookies(headers: HeaderPairs): string[] {
  const values: string[] = [];
  for (const header of headerValues(headers, 'cookie')) {
    for (const pair of header.split(';')) {
      const at = pair.indexOf('=');
      if (at < 0 || pair.slice(0, at).trim() !== BINDING_COOKIE) continue;
      const value = pair.slice(at + 1).trim();
      if (/^[A-Za-z0-9_-]{43}$/.test(value)) values.push(value);
    }
  }
  return values;
}

/** The Set-Cookie value. Lax, because Google's redirect back is a cross-site navigation. */
export function setBindingCookie(value: string): string {
  return `${BINDING_COOKIE}=${value}; Path=/; Max-Age=${MAX_AGE_SEC}; Secure; HttpOnly; SameSite=Lax`;
}
