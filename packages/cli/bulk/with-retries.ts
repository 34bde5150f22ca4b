import { setTimeout as delay } from 'node:timers/promises';
import { GatewayError, NetworkError, TimeoutError } from '../../client/src/index.ts';

const ATTEMPTS = 6;
const FIRST_WAIT_MS = 500;
const WAIT_MAX_MS = 30_000;

/**
 * Retries work after transient failures (429, 503) and missing answers, with growing waits. Only for work that may
 * happen twice.
 *
 * @throws the error of the last attempt; permanent errors at once
 */
export async function withRetries<T>(work: () => Promise<T>, stop?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || stop?.aborted === true || !mayPass(error)) throw error;
      const askedMs = error instanceof GatewayError ? (error.retryAfterSec ?? 0) * 1000 : 0;
      const waitMs = Math.min(WAIT_MAX_MS, Math.max(askedMs, FIRST_WAIT_MS * 2 ** (attempt - 1)));
      await delay(waitMs, undefined, stop === undefined ? {} : { signal: stop }).catch(() => {});
    }
  }
}

/** Whether the same work may succeed later. */
export function mayPass(error: unknown): boolean {
  if (error instanceof NetworkError || error instanceof TimeoutError) return true;
  return error instanceof GatewayError && (error.status === 429 || error.status === 503);
}
