/** Characters of a name that a person is shown. */
const NAME_MAX = 200;

/** Characters of a longer text of others that a person is shown before the rest is counted. */
const TEXT_MAX = 2000;

/**
 * Characters without a shape of their own, or that turn the order of others around (AP-36): controls, ignorable ones, private and
 * unassigned ones, spaces of unusual width, and letters, a braille cell, a note and hieroglyphs that are drawn as nothing.
 */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u1680\u2000-\u200A\u205F\u2800\u{1D159}\u{13441}\u{13442}]/gu;

/** A name of others as it is: characters that nobody sees by their numbers, and not without end. */
export function shownText(text: string): string {
  return cut(text, NAME_MAX).replace(HIDDEN, numbered);
}

/** A longer text of others, whose lines stay lines; more than one empty line is shown by number. */
export function shownLines(text: string, most = TEXT_MAX): string {
  return cut(text, most)
    .replaceAll('\r\n', '\n')
    .replace(/\n{3,}/g, (lines) => `\n${'[U+000A]'.repeat(lines.length - 1)}`)
    .split('\n')
    .map((line) => line.replace(HIDDEN, numbered))
    .join('\n');
}

function cut(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  return `${characters.slice(0, most).join('')}… [+${characters.length - most}]`;
}

function numbered(character: string): string {
  return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
}
