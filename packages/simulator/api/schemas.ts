import table from '../data/schemas.json' with { type: 'json' };

/** The APIs whose schemas are known. */
export type SchemaApi = 'drive' | 'calendar' | 'activity';

/** Type of a member as the discovery document declares it; `any` is not described further there. */
export type FieldType =
  | { kind: 'string' | 'boolean' | 'integer' | 'number' | 'int64' | 'time' | 'date' | 'any' }
  | { kind: 'enum'; values: readonly string[] }
  | { kind: 'list' | 'map'; of: FieldType }
  | { kind: 'object'; schema: string };

/** Members of a schema by name. */
export type SchemaFields = ReadonlyMap<string, FieldType>;

const SCALARS = ['string', 'boolean', 'integer', 'number', 'int64', 'time', 'date', 'any'] as const;

function parseType(text: string): FieldType {
  const inner = text.slice(1, -1);
  if (text.startsWith('[')) return { kind: 'list', of: parseType(inner) };
  if (text.startsWith('{')) return { kind: 'map', of: parseType(inner) };
  if (text.startsWith('(')) return { kind: 'enum', values: inner.split('|') };
  const scalar = SCALARS.find((name) => name === text);
  return scalar === undefined ? { kind: 'object', schema: text } : { kind: scalar };
}

function parseRow(row: string): SchemaFields {
  return new Map(
    row.split(' ').map((member) => {
      const colon = member.indexOf(':');
      return [member.slice(0, colon), parseType(member.slice(colon + 1))];
    }),
  );
}

const ROWS: Readonly<Record<SchemaApi, Readonly<Record<string, string>>>> = {
  drive: table.drive.schemas,
  calendar: table.calendar.schemas,
  activity: table.activity.schemas,
};
const parsed = new Map<string, SchemaFields>();

/** Members of a schema; `undefined` when the API has none of that name. */
export function schemaFields(api: SchemaApi, schema: string): SchemaFields | undefined {
  const key = `${api} ${schema}`;
  const known = parsed.get(key);
  if (known !== undefined) return known;
  const row = Object.hasOwn(ROWS[api], schema) ? ROWS[api][schema] : undefined;
  if (row === undefined) return undefined;
  const fields = parseRow(row);
  parsed.set(key, fields);
  return fields;
}
