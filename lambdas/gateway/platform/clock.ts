import { randomBytes, randomFillSync } from 'node:crypto';
import { headerValue, type Upstream } from '../core/http-message.ts';
import type { Clock, Random } from '../core/ports.ts';

/** How much two answers may differ in time and still confirm each other. */
const AGREEMENT_MS = 5_000;
/** Smaller differences are ignored: a Date header has whole seconds, and the answer took some time. */
const TOLERANCE_MS = 30_000;

/** State of the process clock: the current correction, and the difference that the last answer showed. */
export interface ClockSkew {
  readonly correctionMs: number;
  readonly lastSeenMs: number | undefined;
}

/** The initial state: no difference seen. */
export const NO_SKEW: ClockSkew = { correctionMs: 0, lastSeenMs: undefined };

/**
 * Learns from the Date header of a provider's answer (RFC 9110 section 6.6.1). A correction begins, changes or ends only when two
 * consecutive answers agree, so that one wrong answer cannot make every token look expired.
 *
 * @param processNowMs the process clock, uncorrected, when the answer's head arrived
 */
export function learnSkew(skew: ClockSkew, dateHeader: string | undefined, processNowMs: number): ClockSkew {
  const atMs = dateHeader === undefined ? Number.NaN : Date.parse(dateHeader);
  if (Number.isNaN(atMs)) return skew;
  const seenMs = atMs - processNowMs;
  const agreed = skew.lastSeenMs !== undefined && Math.abs(seenMs - skew.lastSeenMs) <= AGREEMENT_MS;
  if (!agreed) return { ...skew, lastSeenMs: seenMs };
  if (Math.abs(seenMs) <= TOLERANCE_MS) return { correctionMs: 0, lastSeenMs: seenMs };
  // Small drift within a correction is ignored, because whole seconds would make it flicker.
  const correctionMs = Math.abs(seenMs - skew.correctionMs) <= AGREEMENT_MS ? skew.correctionMs : seenMs;
  return { correctionMs, lastSeenMs: seenMs };
}

/** The process clock. */
export const systemClock: Clock = { nowMs: () => Date.now() };

/** One call of the generator costs more than filling a kilobyte, and each proxied call needs ten bytes for the id of its line. */
const POOL_BYTES = 2048;
/** Large enough for identifiers and nonces; secrets are longer and are never drawn in advance. */
const POOLED_MAX_BYTES = 16;
const pool = Buffer.alloc(POOL_BYTES);
let pooledFrom = POOL_BYTES;

/** Random bytes that are used once and not kept, drawn in advance like those of Node's `randomUUID`. */
function pooledBytes(length: number): Uint8Array {
  if (pooledFrom + length > POOL_BYTES) {
    randomFillSync(pool);
    pooledFrom = 0;
  }
  const bytes = new Uint8Array(pool.subarray(pooledFrom, pooledFrom + length));
  pool.fill(0, pooledFrom, pooledFrom + length);
  pooledFrom += length;
  return bytes;
}

/** The operating system's generator; `number` only spreads work and guards nothing. */
export const systemRandom: Random = {
  bytes: (length) => (length <= POOLED_MAX_BYTES ? pooledBytes(length) : randomBytes(length)),
  number: () => Math.random(),
};

/** A clock that the provider's answers correct, and the wrapper that observes them. */
export interface CorrectedClock {
  readonly clock: Clock;
  /** Learns from a Date header. */
  learnFrom(dateHeader: string | undefined): void;
  /** The same upstream; the clock learns from every answer's Date header. */
  listenTo(upstream: Upstream): Upstream;
}

/** Corrects the process clock where the provider's answers agree that it is wrong (F27). @param process epoch milliseconds */
export function correctedClock(process: Clock): CorrectedClock {
  let skew = NO_SKEW;
  const learnFrom = (dateHeader: string | undefined): void => {
    skew = learnSkew(skew, dateHeader, process.nowMs());
  };
  return {
    clock: { nowMs: () => process.nowMs() + skew.correctionMs },
    learnFrom,
    listenTo: (upstream) => ({
      ...upstream,
      async send(request) {
        const response = await upstream.send(request);
        learnFrom(headerValue(response.headers, 'date'));
        return response;
      },
    }),
  };
}
