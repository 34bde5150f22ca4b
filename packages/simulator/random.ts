import { createHash, randomBytes } from 'node:crypto';

/** Lower-case hex SHA-256 of text or bytes. */
export function sha256Hex(value: string | Uint8Array): string {
  return createHash('sha256').update(value).digest('hex');
}

/** Unguessable URL-safe text made of `bytes` random bytes. */
export function randomText(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

/** A repeatable source of numbers in [0, 1): the same seed always gives the same series (mulberry32 over a hashed seed). */
export function seededRandom(seed: string): () => number {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One element of a list, chosen by the series. */
export function pick<T>(random: () => number, list: readonly [T, ...T[]]): T {
  return list[Math.floor(random() * list.length)] ?? list[0];
}

/** A whole number from `low` to `high`, both included. */
export function between(random: () => number, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** Text of `length` characters of `alphabet`, derived from `seed`. */
export function seededText(seed: string, length: number, alphabet: string): string {
  const random = seededRandom(seed);
  return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)] ?? '').join('');
}
