import * as z from 'zod';
import type { Json } from '../../../lambdas/gateway/openapi/json-schema.ts';
import { jsonAt, textAt } from '../../../lambdas/gateway/openapi/read-document.ts';

/**
 * A checker of JSON against a schema of the document. Objects are closed: an answer with a member that the document does
 * not name is a document that is not true.
 */
export function checkerOf(document: Json, schema: Json): z.ZodType {
  const $defs = closedOnce(document);
  const parsed: unknown = { ...object(closed(schema)), $defs };
  if (!isJsonSchema(parsed)) throw new Error('not a schema');
  return z.fromJSONSchema(parsed);
}

/** The response of an operation that a reference leads to, or the one given in place. */
export function resolvedResponse(document: Json, response: unknown): Json {
  const pointer = textAt(response, '$ref');
  return pointer === '' ? jsonAt(response) : jsonAt(document, ...pointer.split('/').slice(1));
}

type JsonSchema = Exclude<Parameters<typeof z.fromJSONSchema>[0], boolean>;

function isJsonSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}

const CLOSED = new WeakMap<object, unknown>();

/** The schemas of a document, closed: each of its answers is checked against the same. */
function closedOnce(document: Json): unknown {
  const known = CLOSED.get(document) ?? closed(jsonAt(document, 'components', 'schemas'));
  CLOSED.set(document, known);
  return known;
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]): [string, unknown] =>
    name === '$ref' && typeof member === 'string'
      ? [name, member.replace('#/components/schemas/', '#/$defs/')]
      : [name, closed(member)],
  );
  const copy = Object.fromEntries(entries);
  const isObject = copy.type === 'object' && 'properties' in copy && !('additionalProperties' in copy);
  return isObject ? { ...copy, additionalProperties: false } : copy;
}

function object(value: unknown): Json {
  return jsonAt(value);
}
