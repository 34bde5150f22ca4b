/**
 * What `npm run generate` makes from the API's document for the TypeScript client: bodies and responses as types (`wire.ts`), and
 * its operations with their paths, parameters, bodies and responses (`operations.ts`).
 */
import { jsonAt, listAt, textAt } from '../../lambdas/gateway/openapi/read-document.ts';
import { type ClientOperation, clientApi, isOnce, type Schema } from './client-operations.ts';

const WRITTEN = 'Written by `npm run generate` from the routes that describe them.';

/**
 * A JSON Schema (2020-12) as a TypeScript type.
 *
 * @param prefix before names of other types
 * @throws Error for a form that no schema of the document has had so far
 */
export function typeOf(schema: unknown, prefix = ''): string {
  const reference = textAt(schema, '$ref');
  if (reference !== '') return reference.replace('#/components/schemas/', prefix);
  const again = (inner: unknown) => typeOf(inner, prefix);
  const alternatives = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')];
  if (alternatives.length > 0) return [...new Set(alternatives.map(again))].join(' | ');
  const all = listAt(schema, 'allOf');
  if (all.length > 0) return all.map((one) => `(${again(one)})`).join(' & ');
  const given = jsonAt(schema);
  if ('const' in given) return JSON.stringify(given.const);
  if (Array.isArray(given.enum)) return given.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (Array.isArray(given.type)) return given.type.map((type) => again({ ...given, type })).join(' | ');
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
      return `readonly (${again(given.items)})[]`;
    case 'object':
      return objectType(given, again);
    default:
      throw new Error(`No type for ${JSON.stringify(schema)}`);
  }
}

function objectType(schema: Readonly<Record<string, unknown>>, typeOf: (schema: unknown) => string): string {
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

/** The generated files by name. @throws Error for a document that the generator does not understand */
export function clientFiles(): Readonly<Record<'wire.ts' | 'operations.ts', string>> {
  const { schemas, operations } = clientApi();
  return { 'wire.ts': wireTypes(schemas), 'operations.ts': operationsModule(operations) };
}

function wireTypes(schemas: Readonly<Record<string, Schema>>): string {
  const types = Object.entries(schemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema)};`);
  const head = `/**\n * Bodies and answers of the management API as its OpenAPI document names them.\n * ${WRITTEN}\n */\n`;
  return `${head}\n${types.join('\n\n')}\n`;
}

function operationsModule(operations: readonly ClientOperation[]): string {
  const sorted = operations.toSorted((a, b) => (a.operationId < b.operationId ? -1 : 1));
  const places = sorted.map(
    (operation) =>
      `${operation.operationId}: ['${operation.method}', '${operation.path}'${isOnce(operation) ? ", 'once'" : ''}],`,
  );
  return `/**
 * Operations of the management API as its OpenAPI document names them. ${WRITTEN}
 */
import type * as wire from './wire.ts';

/** What each takes and answers. */
export interface Operations {
${sorted.map(operationType).join('\n')}
}

/** Method and path of each; variable segments stand in braces. "once": it makes something and takes a key for its request. */
export const OPERATIONS = {
${places.join('\n')}
} as const satisfies Readonly<Record<keyof Operations, readonly [method: string, path: string, makes?: 'once']>>;
`;
}

function operationType({ operationId, summary, parameters, requestBody, responses }: ClientOperation): string {
  const named = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const ids = named('path').map(({ name }) => `'${name}'`);
  // An object in a query is one parameter for each of its members.
  const query = named('query').map(({ name, schema }) =>
    schema.type === 'object' ? `\`${name}[\${string}]\`` : `'${name}'`,
  );
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return `/** ${summary} */
readonly ${operationId}: {
readonly ids: ${ids.join(' | ') || 'never'};
readonly query: ${query.join(' | ') || 'never'};
readonly body: ${contentType(requestBody)};
readonly answer: ${contentType(success)};
};`;
}

/** A type of the wire as the operations name it; never where there is no content. */
function contentType(of: ClientOperation['requestBody']): string {
  const schema = of?.content?.['application/json']?.schema;
  return schema === undefined ? 'never' : typeOf(schema, 'wire.');
}
