import fc from 'fast-check';

/** Every character of Unicode, the first 128 as often as all others; half a surrogate pair is none. */
const character = fc.oneof(fc.nat(0x7f), fc.nat(0x10_f7ff)).map(
  (n) => String.fromCodePoint(n < 0xd800 ? n : n + 0x800),
  (text) => {
    const point = String(text).codePointAt(0) ?? 0;
    return point < 0xd800 ? point : point - 0x800;
  },
);

/** Text of any characters, without the second that fast-check's own `unit: 'binary'` takes to begin in every process. */
export function anyText(constraints: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ unit: character, ...constraints });
}
