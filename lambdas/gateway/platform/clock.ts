import { randomBytes, randomFillSync } from 'node:crypto';
import { headerValue, type Upstream } from '../core/http-message.ts';
import type { Clock, Random } from '../core/ports.ts';

/** How far two answers may disagree about the time and still confirm each other. */
const AGREEMENT_MS = 5_000;
/** Below this a clock is right: a Date header has whole seconds, and the answer took its time. */
const TOLERANCE_MS = 30_000;

/** What is known about the process clock: the correction in force, and the last answer's opinion. */
export interface ClockSkew {
  readonly correctionMs: number;
  readonly lastSeenMs: number | undefined;
}

/** A clock nobody has doubted yet. */
export const NO_SKEW: ClockSkew = { correctionMs: 0, lastSeenMs: undefined };

/**
 * Learns from the Date header of a provider's answer (RFC 9110 section 6.6.1). A correction comes into force, changes
 * or ends only when two answers in a row agree, so that one odd answer cannot make every token look expired.
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
  // Small drift inside a correction is not worth another value: whole seconds would make it flicker.
  const correctionMs = Math.abs(seenMs - skew.correctionMs) <= AGREEMENT_MS ? skew.correctionMs : seenMs;
  return { correctionMs, lastSeenMs: seenMs };
}

/** The process clock. */
export const systemClock: Clock = { nowMs: () => Date.now() };

/** A call of the generator costs more than a kilobyte does: each proxied call takes ten bytes for the name of its line. */
const POOL_BYTES = 2048;
/** What identifiers and nonces take; secrets are longer and are never drawn ahead. */
const POOLED_MAX_BYTES = 16;
const pool = Buffer.alloc(POOL_BYTES);
let pooledFrom = POOL_BYTES;

/** Bytes that are handed out once and kept nowhere: as `randomUUID` of Node draws ahead, so do these. */
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

/** A clock that the provider's answers correct, and the way out on which it hears them. */
export interface CorrectedClock {
  readonly clock: Clock;
  /** The same way out; the clock learns from every answer's Date header. */
  listenTo(upstream: Upstream): Upstream;
}

/** Corrects the process clock where the provider's answers agree that it is wrong (F27). @param process epoch milliseconds */
export function correctedClock(process: Clock): CorrectedClock {
  let skew = NO_SKEW;
  return {
    clock: { nowMs: () => process.nowMs() + skew.correctionMs },
    listenTo: (upstream) => ({
      ...upstream,
      async send(request) {
        const response = await upstream.send(request);
        skew = learnSkew(skew, headerValue(response.headers, 'date'), process.nowMs());
        return response;
      },
    }),
  };
}
