import * as z from 'zod';

/** A JSON Schema (2020-12), or a part of the document: data that is published unchanged. */
export type Json = { [name: string]: unknown };

/** Referenced schemas of the document, by name. */
export class Components {
  readonly #schemas = new Map<string, Json>();
  readonly #responses = new Map<string, Json>();

  /** A reference to a named schema. @param io requests or responses */
  named(name: string, schema: z.ZodType, io: 'input' | 'output'): Json {
    if (!this.#schemas.has(name)) this.#schemas.set(name, this.inline(schema, io));
    return reference(name);
  }

  /** A reference to a schema that is written as it is. */
  declared(name: string, schema: Json): Json {
    this.#schemas.set(name, schema);
    return reference(name);
  }

  /** An inlined schema; those with an id of their own, itself included, become components. */
  inline(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $schema: _, $defs, ...own } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
    for (const [name, definition] of Object.entries($defs ?? {})) {
      if (!this.#schemas.has(name)) this.#schemas.set(name, asPublished(definition, io));
    }
    return asPublished(own, io);
  }

  /** A reference to a response that several operations share. @param make is called once for each name */
  response(name: string, make: () => Json): Json {
    if (!this.#responses.has(name)) this.#responses.set(name, make());
    return { $ref: `#/components/responses/${name}` };
  }

  /** All of them, sorted by name. */
  all(): { readonly schemas: Json; readonly responses: Json } {
    return { schemas: sorted(this.#schemas), responses: sorted(this.#responses) };
  }
}

function sorted(map: ReadonlyMap<string, Json>): Json {
  return Object.fromEntries([...map].sort(([a], [b]) => a.localeCompare(b)));
}

/** A reference to a schema of the document. */
export function reference(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

/** Converts the converter's spellings to the document's. */
function asPublished(value: unknown, io: 'input' | 'output'): Json {
  const published = convert(value, io);
  return isJson(published) ? published : {};
}

function convert(value: unknown, io: 'input' | 'output'): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => convert(entry, io));
  if (!isJson(value)) return value;
  const entries = Object.entries(value)
    // Responses may get more members later, so their readers must not refuse them.
    .filter(([name, member]) => !(name === 'id' && typeof member === 'string') && !isClosed(name, member, io))
    // Bounds of JavaScript's integers are omitted, because they hold for every count.
    .filter(([name, member]) => !(/^(max|min)imum$/.test(name) && Math.abs(Number(member)) === Number.MAX_SAFE_INTEGER))
    .map(([name, member]): [string, unknown] => [
      name,
      name === '$ref' && typeof member === 'string'
        ? member.replace('#/$defs/', '#/components/schemas/')
        : convert(member, io),
    ]);
  return Object.fromEntries(entries);
}

function isClosed(name: string, member: unknown, io: 'input' | 'output'): boolean {
  return io === 'output' && name === 'additionalProperties' && member === false;
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
