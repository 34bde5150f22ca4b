import type { Random } from '../core/ports.ts';

/** 144 random bits; what the first letter loses below still leaves more than the 128 that nobody guesses (CS-7). */
const BYTES = 18;

/** An id for a new connection: 24 letters of base64url, never with a hyphen in front, where command lines see an option. */
export function newConnectionId(random: Random): string {
  return Buffer.from(random.bytes(BYTES)).toString('base64url').replace(/^-/, 'x');
}
