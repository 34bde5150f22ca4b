import { createHash } from 'node:crypto';
import type { Clock, Random } from '../../../../lambdas/gateway/core/ports.ts';

/** A clock that stands until it is moved. */
export class StandingClock implements Clock {
  #nowMs: number;

  constructor(nowMs = Date.parse('2026-03-01T12:00:00Z')) {
    this.#nowMs = nowMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  nowEpochSec(): number {
    return Math.floor(this.#nowMs / 1000);
  }

  advanceSec(seconds: number): void {
    this.#nowMs += seconds * 1000;
  }
}

/** Bytes that never repeat and are the same in every run. */
export function countingRandom(): Random {
  let count = 0;
  return {
    bytes(length) {
      let bytes = Buffer.alloc(0);
      while (bytes.length < length) {
        bytes = Buffer.concat([bytes, createHash('sha256').update(String(count++)).digest()]);
      }
      return new Uint8Array(bytes.subarray(0, length));
    },
    number: () => 0.5,
  };
}
