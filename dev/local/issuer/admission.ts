/** Which browsers may sign in: those in which the person who started the gateway opened the address that was printed. */
import { randomToken, sameText } from './digest.ts';

/** Lets a browser in by a code that counts once, and knows it again by a cookie (IN-10). */
export interface Admission {
  /** The address that opens the dashboard in a browser that was not admitted yet. */
  address(): string;
  /** Takes a code. @returns the `Set-Cookie` of the browser; undefined for a code that is not the current one */
  admit(code: string): string | undefined;
  /** @param cookies the browser's `Cookie` header */
  isAdmitted(cookies: string | undefined): boolean;
}

/** Path of the addresses that let a browser in; the code follows. */
export const ADMISSION_PATH = '/open/';

/**
 * Admission to the dashboard at an origin.
 * @param onNextAddress receives the next address when a code was used: another browser needs another one
 */
export function openAdmission(origin: string, cookiePath: string, onNextAddress: (address: string) => void): Admission {
  // The name carries the port, because cookies do not know ports.
  const name = `opened_${new URL(origin).port}`;
  const admitted = new Set<string>();
  let code = randomToken();
  const address = () => `${origin}${ADMISSION_PATH}${code}`;
  return {
    address,
    admit(given) {
      if (!sameText(given, code)) return undefined;
      code = randomToken();
      const value = randomToken();
      admitted.add(value);
      onNextAddress(address());
      return `${name}=${value}; Path=${cookiePath}; HttpOnly; SameSite=Lax`;
    },
    isAdmitted(cookies) {
      const pairs = (cookies ?? '').split(';').map((pair) => pair.trim().split('='));
      return pairs.some(([given, value]) => given === name && value !== undefined && admitted.has(value));
    },
  };
}
