/**
 * `node dev/tools/client-types.ts`: writes the bodies and answers of the OpenAPI document as types for the client library.
 * With `--check` it writes nothing and fails where the file is not what it would write.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonAt, listAt, textAt } from '../../lambdas/gateway/openapi/read-document.ts';
import { apiDocument } from './api-document.ts';
import { PROJECT_ROOT } from './run.ts';

const FILE = join(PROJECT_ROOT, 'packages', 'client', 'src', 'management', 'wire.ts');

const HEAD = `/**
 * Bodies and answers of the management API as its OpenAPI document names them.
 * Written by dev/tools/client-types.ts: change the route that describes them, then run it.
 */
`;

/** A JSON Schema (2020-12) as a TypeScript type. @throws Error for a form that no schema of the document has had so far */
export function typeOf(schema: unknown): string {
  const reference = textAt(schema, '$ref');
  if (reference !== '') return reference.replace('#/components/schemas/', '');
  const alternatives = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')];
  if (alternatives.length > 0) return [...new Set(alternatives.map(typeOf))].join(' | ');
  const all = listAt(schema, 'allOf');
  if (all.length > 0) return all.map((one) => `(${typeOf(one)})`).join(' & ');
  const given = jsonAt(schema);
  if ('const' in given) return JSON.stringify(given.const);
  if (Array.isArray(given.enum)) return given.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (Array.isArray(given.type)) return given.type.map((type) => typeOf({ ...given, type })).join(' | ');
  switch (given.type) {
    case undefined:
      return 'unknown';
    case 'null':
    case 'string':
    case 'boolean':
      return given.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return `readonly (${typeOf(given.items)})[]`;
    case 'object':
      return objectType(given);
    default:
      throw new Error(`No type for ${JSON.stringify(schema)}`);
  }
}

function objectType(schema: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(jsonAt(schema, 'properties'));
  if (members.length === 0) {
    const values = schema.additionalProperties;
    return `{ readonly [name: string]: ${typeof values === 'object' && values !== null ? typeOf(values) : 'unknown'} }`;
  }
  const required = listAt(schema, 'required');
  const lines = members.map(([name, member]) => {
    const description = textAt(member, 'description');
    const text =
      jsonAt(member).deprecated === true ? description.replace(/^Deprecated, /, '@deprecated ') : description;
    const comment = text === '' ? '' : `/** ${text.replaceAll('*/', '*\\/')} */\n`;
    return `${comment}readonly ${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(member)};`;
  });
  return `{\n${lines.join('\n')}\n}`;
}

function wireTypes(): string {
  const schemas = jsonAt(apiDocument('https://gateway.invalid'), 'components', 'schemas');
  const types = Object.entries(schemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema)};`);
  return `${HEAD}\n${types.join('\n\n')}\n`;
}

if (import.meta.main) {
  const wanted = wireTypes();
  const isCurrent = (await readFile(FILE, 'utf8').catch(() => '')) === wanted;
  if (!process.argv.includes('--check')) await writeFile(FILE, wanted);
  else if (!isCurrent) {
    console.error(
      'packages/client/src/management/wire.ts is not what the API’s document says: run node dev/tools/client-types.ts',
    );
    process.exitCode = 1;
  }
}
