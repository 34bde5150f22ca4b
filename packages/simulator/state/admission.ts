import { createHash, timingSafeEqual } from 'node:crypto';
import { randomText } from '../random.ts';

/** Lets browsers into the page for people by a code that counts once, and knows them again by a cookie. */
export interface PageAdmission {
  /** The code that opens the page in the next browser. */
  code(): string;
  /** Takes a code. @returns the cookie's value; undefined for a code that is not the current one */
  admit(given: string): string | undefined;
  /** @param value of the browser's cookie */
  isAdmitted(value: string): boolean;
}

function sameText(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** No browser is admitted at first. @param tellNext called when a code was used, because another browser needs the next one */
export function createPageAdmission(tellNext: () => void): PageAdmission {
  const admitted = new Set<string>();
  let code = randomText(24);
  return {
    code: () => code,
    admit(given) {
      if (!sameText(given, code)) return undefined;
      code = randomText(24);
      const value = randomText(24);
      admitted.add(value);
      tellNext();
      return value;
    },
    isAdmitted: (value) => admitted.has(value),
  };
}
