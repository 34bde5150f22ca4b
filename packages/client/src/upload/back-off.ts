const BASE_MS = 500;
const CEILING_MS = 32_000;

/** Milliseconds before the n-th retry (from 0): the response's Retry-After, else exponential with jitter, at most 32 s. */
export function backOffMs(repeat: number, retryAfterSec: number | undefined, random01: number): number {
  if (retryAfterSec !== undefined) return Math.min(retryAfterSec * 1000, CEILING_MS);
  return Math.ceil(Math.min(BASE_MS * 2 ** repeat, CEILING_MS) * (0.5 + random01 / 2));
}

/** Waits. @throws the reason of the signal, at once when it is aborted */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
