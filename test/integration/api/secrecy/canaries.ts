/** A secret that must be found nowhere. */
export interface Canary {
  readonly name: string;
  /** Its random part: well-known beginnings say nothing. */
  readonly value: string;
}

const KNOWN_BEGINNING = /^(sk_[a-z0-9-]+_|cs_|ya29\.|1\/\/0|4\/0|GOCSPX-|eyJ[\w-]*\.eyJ[\w-]*\.)/;
const PIECE = 8;
/** Eight characters of a UUID may hold as few as 18 random bits, so those of two UUIDs are soon the same. */
const UUID = /[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}/i;

/** 40 lower-case letters and digits: as they are in a URL, a host and a header, and eight of them hold 41 random bits. */
export function randomSecret(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(40)), (byte) => (byte % 36).toString(36)).join('');
}

/** Secrets of one run, collected as they come into being. */
export class Canaries {
  readonly #values = new Map<string, string>();
  /** What each looks like encoded: hundreds of texts are searched for the same. */
  readonly #forms = new Map<string, readonly string[]>();

  /** Notes one; a value that was noted before keeps its first name. @param whole with a well-known beginning, where little is random */
  add(name: string, value: string | null | undefined, whole?: 'whole'): void {
    const random = whole === undefined ? (value ?? '').replace(KNOWN_BEGINNING, '') : (value ?? '');
    if (random.length < 2 * PIECE) throw new Error(`${name} is no canary: ${value}`);
    if (UUID.test(random))
      throw new Error(`${name} is a UUID, of which other texts hold eight characters, too: ${value}`);
    if (!this.#values.has(random)) this.#values.set(random, name);
  }

  get all(): readonly Canary[] {
    return [...this.#values].map(([value, name]) => ({ name, value }));
  }

  names(): string[] {
    return [...new Set(this.#values.values())].sort();
  }

  /** Names of canaries of which eight characters in a row stand in a text. */
  piecesIn(text: string): string[] {
    const pieces = new Set<string>();
    // Whole texts are searched once: a window that occurs is looked up, not each of thousands searched for.
    for (let at = 0; at + PIECE <= text.length; at++) pieces.add(text.slice(at, at + PIECE));
    return this.all.filter(({ value }) => windows(value).some((piece) => pieces.has(piece))).map(({ name }) => name);
  }

  /** Names of canaries that stand in a text, as they are or encoded: URL, JSON, hex, base64 at any offset. */
  formsIn(text: string): string[] {
    return this.all
      .filter(({ value }) => this.#formsOf(value).some((form) => text.includes(form)))
      .map(({ name }) => name);
  }

  #formsOf(value: string): readonly string[] {
    const known = this.#forms.get(value) ?? forms(value);
    this.#forms.set(value, known);
    return known;
  }
}

function windows(value: string): string[] {
  return Array.from({ length: value.length - PIECE + 1 }, (_, at) => value.slice(at, at + PIECE));
}

function forms(value: string): string[] {
  const bytes = Buffer.from(value);
  const base64 = [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    // The first and last characters also hold bits of what stands alongside it.
    const inner = text.slice(Math.ceil((shift * 8) / 6), -4);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), bytes.toString('hex'), ...base64];
}
