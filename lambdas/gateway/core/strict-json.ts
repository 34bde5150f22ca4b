/** A JSON text that has one meaning for every reader, or the member that has more. */
export type StrictJson = { readonly value: unknown } | { readonly problem: string };

/** Deepest nesting that is read. */
const DEPTH_MAX = 20;

/**
 * Reads JSON that no two readers can take differently: UTF-8 without a byte order mark, no member twice in an object (escapes
 * read), no half of a surrogate pair, not nested deeper than 20 levels. Takes time in proportion to the length of the text.
 */
export function readStrictJson(bytes: Uint8Array): StrictJson {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    return { problem: 'body' };
  }
  const problem = ambiguousMember(text);
  return problem === undefined ? { value } : { problem };
}

/** The first member that stands twice in its object, or a place that is nested too deep; undefined where there is none. */
function ambiguousMember(text: string): string | undefined {
  // JSON has half of a surrogate pair as it is, or by an escape.
  if (!text.isWellFormed()) return 'body';
  /** One entry for each open bracket: the names so far of an object, undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  let names: Set<string> | undefined;
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(text, at);
        const hasEscape = end < 0;
        const last = Math.abs(end);
        if (isName || hasEscape) {
          const read: unknown = hasEscape ? JSON.parse(text.slice(at, last + 1)) : text.slice(at + 1, last);
          if (typeof read !== 'string' || !read.isWellFormed()) return 'body';
          if (isName && names !== undefined) {
            const known = names.size;
            if (names.add(read).size === known) return read;
          }
        }
        isName = false;
        at = last;
        break;
      }
      case BRACE:
      case BRACKET:
        names = text.charCodeAt(at) === BRACE ? new Set() : undefined;
        isName = names !== undefined;
        if (open.push(names) > DEPTH_MAX) return 'body';
        break;
      case BRACE_END:
      case BRACKET_END:
        open.pop();
        names = open.at(-1);
        isName = false;
        break;
      case COMMA:
        isName = names !== undefined;
        break;
    }
  }
  return undefined;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACKET_END = 0x5d;
const BRACE = 0x7b;
const BRACE_END = 0x7d;

/** Where a string ends, negative if it has escapes. The text has been parsed, so every string ends. */
function endOfString(text: string, start: number): number {
  let hasEscape = false;
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return hasEscape ? -at : at;
    if (code !== BACKSLASH) continue;
    hasEscape = true;
    at++;
  }
  return text.length;
}
