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

/** @param isBranch it is one of several schemas: a value that is always null has a second type otherwise, without which no generator has a name for its type */
function convert(value: unknown, io: 'input' | 'output', isBranch = false): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => convert(entry, io, true));
  if (!isJson(value)) return value;
  if (value.type === 'null' && !isBranch) return { ...value, type: ['string', 'null'], const: null };
  if (typeof value.const === 'boolean') return withValueInWords(value);
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
  return withNullAsType(withWidth(Object.fromEntries(entries)));
}

/** An integer that may exceed 32 bits says so (OpenAPI Format Registry, int64): a connection's id is not read by clients of 32 bits. */
function withWidth(schema: Json): Json {
  const isWide = schema.type === 'integer' && !(Number(schema.maximum ?? Number.POSITIVE_INFINITY) < 2 ** 31);
  return isWide ? { ...schema, format: 'int64' } : schema;
}

/** A fixed boolean, whose value is described: clients that openapi-generator makes in Python compare it with a text, and refuse every answer. */
function withValueInWords({ const: fixed, description, ...own }: Json): Json {
  const sentences = [`Always ${String(fixed)}.`, description].filter((sentence) => sentence !== undefined);
  return { ...own, description: sentences.join(' ') };
}

/**
 * `anyOf: [{ type: T, … }, { type: 'null' }]` as `{ type: [T, 'null'], … }`, which says the same (JSON Schema Validation, 6.1.1 type) and
 * is what generators of clients read as "may be null".
 */
function withNullAsType(schema: Json): Json {
  const { anyOf, ...own } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [described, other]: unknown[] = anyOf;
  if (!isJson(described) || typeof described.type !== 'string' || 'const' in described) return schema;
  if (!isJson(other) || other.type !== 'null') return schema;
  const values = Array.isArray(described.enum) ? { enum: [...described.enum, null] } : {};
  return { ...described, type: [described.type, 'null'], ...values, ...own };
}

function isClosed(name: string, member: unknown, io: 'input' | 'output'): boolean {
  return io === 'output' && name === 'additionalProperties' && member === false;
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
