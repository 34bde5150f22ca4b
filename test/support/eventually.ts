import { vi } from 'vitest';

/** Just below the time limit of a test (`vitest.config.ts`), so that the failure names the missing condition. */
export const HANGS_AFTER_MS = 200_000;

/** Waits until a check passes, however busy the machine is. @returns the check's result @throws its last error */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: HANGS_AFTER_MS, interval: 20 });
}
