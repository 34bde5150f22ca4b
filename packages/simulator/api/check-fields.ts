import { invalidParameter } from './envelope.ts';
import { type FieldSelection, FieldSyntaxError, parseFields } from './field-selector.ts';
import type { ApiName, MethodRule } from './method-table.ts';
import { type FieldType, schemaFields } from './schemas.ts';

/** The schema whose members a selection inside this member names; `*` for members nothing describes. */
function innerSchema(type: FieldType): string | undefined {
  switch (type.kind) {
    case 'object':
      return type.schema;
    case 'list':
      return innerSchema(type.of);
    case 'map':
    case 'any':
      return '*';
    default:
      return undefined;
  }
}

function findUnknown(api: ApiName, schema: string, selection: FieldSelection): string | undefined {
  const fields = schemaFields(api, schema);
  if (fields === undefined) return undefined;
  for (const [name, inner] of selection) {
    const type = fields.get(name);
    if (name !== '*' && type === undefined) return name;
    if (inner === true || type === undefined) continue;
    const within = innerSchema(type);
    if (within === '*') continue;
    if (within === undefined) return [...inner.keys()][0] ?? name;
    const unknown = findUnknown(api, within, inner);
    if (unknown !== undefined) return unknown;
  }
  return undefined;
}

/**
 * Reads the `fields` parameter of a call and checks every name against the answer's schema.
 * @returns `undefined` when the call has none
 * @throws {ApiError} 400 naming the first unknown field
 */
export function readFields(method: MethodRule, query: URLSearchParams): FieldSelection | undefined {
  const fields = query.get('fields') ?? query.get('$fields');
  if (fields === null || fields === '') return undefined;
  let selection: FieldSelection;
  try {
    selection = parseFields(fields);
  } catch (error) {
    if (error instanceof FieldSyntaxError) throw invalidParameter('fields', error.message);
    throw error;
  }
  const unknown = method.response === undefined ? undefined : findUnknown(method.api, method.response, selection);
  if (unknown !== undefined) throw invalidParameter('fields', `Invalid field selection ${unknown}`);
  return selection;
}
