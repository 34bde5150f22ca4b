/** Members of an object that are wanted; `true` wants a member whole. The member `*` stands for all. */
export type FieldSelection = Map<string, FieldSelection | true>;

/** Thrown for a selector that is not well formed; `at` is the offending text. */
export class FieldSyntaxError extends Error {
  readonly at: string;
  constructor(at: string) {
    super(`Invalid field selection ${at}`);
    this.at = at;
  }
}

const NAME = /[A-Za-z0-9_$.@-]+|\*/y;

function mergeInto(target: FieldSelection, name: string, wanted: FieldSelection | true): void {
  const present = target.get(name);
  if (present === undefined || present === true || wanted === true) {
    // Wanting a member whole and in part at once means whole, as the parts are in it.
    target.set(name, present === true || wanted === true ? true : wanted);
    return;
  }
  for (const [inner, selection] of wanted) mergeInto(present, inner, selection);
}

class Reader {
  readonly #text: string;
  #position = 0;
  constructor(text: string) {
    this.#text = text;
  }

  list(closing: ')' | ''): FieldSelection {
    const selection: FieldSelection = new Map();
    for (;;) {
      this.#item(selection);
      if (this.#take(',')) continue;
      if (closing === '' ? this.#position === this.#text.length : this.#take(closing)) return selection;
      throw new FieldSyntaxError(this.#rest());
    }
  }

  #item(into: FieldSelection): void {
    const name = this.#name();
    if (this.#take('/')) {
      const inner: FieldSelection = new Map();
      this.#item(inner);
      mergeInto(into, name, inner);
    } else if (this.#take('(')) {
      mergeInto(into, name, this.list(')'));
    } else {
      mergeInto(into, name, true);
    }
  }

  #name(): string {
    NAME.lastIndex = this.#position;
    const name = NAME.exec(this.#text)?.[0];
    if (name === undefined) throw new FieldSyntaxError(this.#rest());
    this.#position += name.length;
    return name;
  }

  #take(character: string): boolean {
    if (this.#text[this.#position] !== character) return false;
    this.#position += 1;
    return true;
  }

  #rest(): string {
    return this.#text.slice(this.#position, this.#position + 40) || this.#text;
  }
}

/**
 * Reads a partial-response selector such as `nextPageToken,files(id,owners/emailAddress)`; blanks are ignored.
 * @throws {FieldSyntaxError}
 */
export function parseFields(fields: string): FieldSelection {
  return new Reader(fields.replaceAll(/\s/g, '')).list('');
}

/** Keeps the selected members of a JSON value; lists are filtered element by element. */
export function selectFields(value: unknown, selection: FieldSelection | true): unknown {
  if (selection === true) return value;
  if (Array.isArray(value)) return value.map((entry: unknown) => selectFields(entry, selection));
  if (typeof value !== 'object' || value === null) return value;
  const all = selection.get('*');
  const kept: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const wanted = selection.get(name) ?? all;
    if (wanted === undefined) continue;
    const inner = selectFields(member, wanted);
    const isEmptied = typeof inner === 'object' && inner !== null && wanted !== true && Object.keys(inner).length === 0;
    if (!isEmptied || Array.isArray(inner)) kept.push([name, inner]);
  }
  return Object.fromEntries(kept);
}
