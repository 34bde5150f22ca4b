import type { Clock } from './ports.ts';

/** Whole seconds since the epoch, as stored times have them. */
export function epochSecNow(clock: Clock): number {
  return Math.floor(clock.nowMs() / 1000);
}
