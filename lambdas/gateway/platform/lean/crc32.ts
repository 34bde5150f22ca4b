/** The table of remainders for half a byte. */
const STEPS = Array.from({ length: 16 }, (_, half) => {
  let step = half;
  for (let bit = 0; bit < 4; bit++) step = (step >>> 1) ^ (step & 1 ? 0xedb88320 : 0);
  return step;
});

/** CRC-32 as DynamoDB and zlib compute it. Node's own is part of `node:zlib`, which takes milliseconds of a cold start to load. */
export function crc32(bytes: Uint8Array): number {
  let rest = -1;
  for (const byte of bytes) {
    rest ^= byte;
    rest = (rest >>> 4) ^ (STEPS[rest & 15] ?? 0);
    rest = (rest >>> 4) ^ (STEPS[rest & 15] ?? 0);
  }
  return ~rest >>> 0;
}
