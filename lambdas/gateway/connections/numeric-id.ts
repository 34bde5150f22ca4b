import type { Random } from '../core/ports.ts';

/** Milliseconds and ten random bits: a stable number that is unique in an account for all practical purposes, below 2^53 until the year 2248. */
export function numericId(nowMs: number, random: Random): number {
  return nowMs * 1024 + Math.floor(random.number() * 1024);
}
