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
  /** One entry for each open bracket: the names so far of an object, undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gy;
  let at = 0;
  let pending: string | undefined;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    // Numbers, literals and white space hold neither quotes nor brackets.
    if (code !== 0x22 && !isStructure(code)) {
      at++;
      continue;
    }
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0] ?? text.slice(at, at + 1);
    at += token.length;
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : undefined);
      if (open.length > DEPTH_MAX) return 'body';
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (token === ':' && pending !== undefined) {
      const names = open.at(-1);
      if (names?.has(pending) === true) return pending;
      names?.add(pending);
    } else if (token.length > 1) {
      const read: unknown = JSON.parse(token);
      if (typeof read !== 'string' || !read.isWellFormed()) return pending ?? 'body';
      pending = read;
      continue;
    }
    pending = undefined;
  }
  return undefined;
}

function isStructure(code: number): boolean {
  // { } [ ] , :
  return code === 0x7b || code === 0x7d || code === 0x5b || code === 0x5d || code === 0x2c || code === 0x3a;
}
