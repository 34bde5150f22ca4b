import { type FieldType, type SchemaApi, schemaFields } from '../../packages/simulator/api/schemas.ts';
import type { AnsweredResource } from '../../packages/simulator/observer.ts';
import { isRecord } from '../../packages/simulator/parse.ts';

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Shows whether a plain value is written as its type asks (RFC 3339 for times; 64-bit numbers are JSON strings). */
function isScalar(type: FieldType, value: unknown): boolean {
  switch (type.kind) {
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'int64':
      return typeof value === 'string' && /^-?\d+$/.test(value);
    case 'time':
      return typeof value === 'string' && DATE_TIME.test(value) && !Number.isNaN(Date.parse(value));
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
    case 'enum':
      return typeof value === 'string' && type.values.includes(value);
    default:
      return true;
  }
}

function judgeValue(api: SchemaApi, type: FieldType, value: unknown, place: string): string[] {
  if (type.kind === 'object') return judgeObject(api, type.schema, value, place);
  if (type.kind === 'list') {
    if (!Array.isArray(value)) return [`${place} is no list`];
    return value.flatMap((entry: unknown, index) => judgeValue(api, type.of, entry, `${place}[${index}]`));
  }
  if (type.kind === 'map') {
    if (!isRecord(value)) return [`${place} is no object`];
    return Object.entries(value).flatMap(([key, entry]) => judgeValue(api, type.of, entry, `${place}.${key}`));
  }
  return isScalar(type, value) ? [] : [`${place} is no ${type.kind}: ${JSON.stringify(value)}`];
}

/** What is wrong with a value of a schema: members it does not have, and values of another type. */
function judgeObject(api: SchemaApi, schema: string, value: unknown, place = schema): string[] {
  const fields = schemaFields(api, schema);
  if (fields === undefined) return [`${place}: the API has no schema ${schema}`];
  if (!isRecord(value)) return [`${place} is no object`];
  return Object.entries(value).flatMap(([name, member]) => {
    if (member === undefined) return [];
    const type = fields.get(name);
    return type === undefined
      ? [`${place}.${name} is not a member`]
      : judgeValue(api, type, member, `${place}.${name}`);
  });
}

/** What is wrong with an answer, judged by the schema that Google's discovery document names for its method. */
export function judgeAnswer({ methodId, api, schema, resource }: AnsweredResource): string[] {
  if (schema === undefined) return [`${methodId} answers nothing at Google`];
  return judgeObject(api, schema, resource).map((problem) => `${methodId}: ${problem}`);
}
