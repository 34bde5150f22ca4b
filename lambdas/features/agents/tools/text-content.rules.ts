/** A text, and the character set that it is in. */
export interface DecodedText {
  readonly text: string;
  /** As the Encoding Standard names it, such as `utf-8`. */
  readonly charset: string;
}

/** Byte order marks (Unicode, section 23.8). */
const MARKS: readonly (readonly [charset: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Whether a name is one of a character set that can be read. */
export function isCharset(name: string): boolean {
  return decoderOf(name) !== undefined;
}

/**
 * Bytes as text: in the character set that is named, else in that of their byte order mark, else as UTF-8. Nothing is replaced.
 *
 * @param isCut whether more bytes follow, so that the last character may be incomplete
 * @returns undefined for bytes that are not text in that character set
 */
export function decodedText(bytes: Uint8Array, charset: string | undefined, isCut: boolean): DecodedText | undefined {
  const [marked] = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte)) ?? [];
  const decoder = decoderOf(charset ?? marked ?? 'utf-8');
  if (decoder === undefined) return undefined;
  try {
    return { text: decoder.decode(bytes, { stream: isCut }), charset: decoder.encoding };
  } catch {
    return undefined;
  }
}

function decoderOf(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return undefined;
  }
}

/** The character set that a media type names. */
export function charsetOf(mediaType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([\w.:-]{1,64})/i.exec(mediaType)?.[1];
}
