import type { Json } from './json-schema.ts';

/** Readers of a well-formed document: absent members read as empty. */

export function jsonAt(value: unknown, ...path: readonly string[]): Json {
  let found: unknown = value;
  for (const name of path) found = isJson(found) ? found[name] : undefined;
  return isJson(found) ? found : {};
}

export function textAt(value: unknown, ...path: readonly string[]): string {
  const last = path.at(-1) ?? '';
  const found = jsonAt(value, ...path.slice(0, -1))[last];
  return typeof found === 'string' ? found : '';
}

export function listAt(value: unknown, name: string): readonly unknown[] {
  const found = isJson(value) ? value[name] : undefined;
  return Array.isArray(found) ? found : [];
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An operation with its place. */
export interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Json;
  /** Parameters of the operation and of its path. */
  readonly parameters: readonly unknown[];
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'];

/** Every operation of a document, in its order. */
export function operationsOf(document: Json): PlacedOperation[] {
  return Object.entries(jsonAt(document, 'paths')).flatMap(([path, item]) =>
    METHODS.filter((method) => isJson(item) && isJson(item[method])).map((method) => {
      const operation = jsonAt(item, method);
      const parameters = [...listAt(item, 'parameters'), ...listAt(operation, 'parameters')];
      return { method: method.toUpperCase(), path, operation, parameters };
    }),
  );
}
