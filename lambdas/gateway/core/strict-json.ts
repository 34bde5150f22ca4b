/** A JSON text with one meaning for every reader, or the ambiguous member. */
export type StrictJson = { readonly value: unknown } | { readonly problem: string };

/** Deepest nesting that is read. */
const DEPTH_MAX = 20;

/**
 * Reads JSON that all readers interpret alike: UTF-8 without a byte order mark, no repeated member in an object (escapes decoded), no
 * unpaired surrogate, at most 20 levels of nesting. Takes linear time.
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

/** The first repeated member of an object, or a place that is nested too deeply; undefined without one. */
function ambiguousMember(text: string): string | undefined {
  // A JSON text may contain an unpaired surrogate directly or as an escape.
  if (!text.isWellFormed()) return 'body';
  /** One entry for each open bracket: the names of an object so far, undefined for a list. */
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

/** The end of a string, negative if it has escapes. The text was parsed before, so every string ends. */
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
