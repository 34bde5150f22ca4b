import type { Random } from '../core/ports.ts';

/** 144 random bits; what the first letter loses below still leaves more than the 128 that nobody guesses (CS-7). */
const BYTES = 18;

/** An id for a new connection: 24 letters of base64url, never with a hyphen in front, where command lines see an option. */
export function newConnectionId(random: Random): string {
  return Buffer.from(random.bytes(BYTES)).toString('base64url').replace(/^-/, 'x');
}

/** Milliseconds and ten random bits: a stable number that is unique in an account for all practical purposes, below 2^53 until the year 2248. */
export function numericId(nowMs: number, random: Random): number {
  return nowMs * 1024 + Math.floor(random.number() * 1024);
}
