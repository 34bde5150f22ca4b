import { vi } from 'vitest';

/** Just below what ends a test that hangs (`vitest.config.ts`), so that the failure says what did not come. */
export const HANGS_AFTER_MS = 200_000;

/** Waits until a check passes, however busy the machine is. @returns what the check returned @throws what it threw last */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: HANGS_AFTER_MS, interval: 20 });
}
