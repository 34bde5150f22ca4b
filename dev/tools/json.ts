/** Reading JSON of unknown shape: guards and readers that name the place of what is wrong. */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [member: string]: Json;
}

/** Reads JSON text that may be none; undefined then. */
export function tryParseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses JSON text. @throws Error that names `where` when the text is not JSON. */
export function parseJson(text: string, where: string): Json {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (cause) {
    throw new Error(`${where} is not valid JSON: ${errorMessage(cause)}`, { cause });
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object. @throws Error naming `where`. */
export function asObject(value: Json | undefined, where: string): JsonObject {
  if (isObject(value)) return value;
  throw new Error(`${where} must be an object, not ${describe(value)}.`);
}

/** The value as an array. @throws Error naming `where`. */
export function asArray(value: Json | undefined, where: string): Json[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${where} must be a list, not ${describe(value)}.`);
}

/** The value as a string. @throws Error naming `where`. */
export function asString(value: Json | undefined, where: string): string {
  if (typeof value === 'string') return value;
  throw new Error(`${where} must be a string, not ${describe(value)}.`);
}

/** The value as a number; CloudFormation also writes numbers as strings. @throws Error naming `where`. */
export function asNumber(value: Json | undefined, where: string): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw new Error(`${where} must be a number, not ${describe(value)}.`);
}

/** The string, or undefined when the member is absent. @throws Error naming `where` for any other type. */
export function optionalString(value: Json | undefined, where: string): string | undefined {
  return value === undefined ? undefined : asString(value, where);
}

/** The number, or the default when the member is absent. @throws Error naming `where` for any other type. */
export function numberOr(value: Json | undefined, fallback: number, where: string): number {
  return value === undefined ? fallback : asNumber(value, where);
}

/** The message of anything thrown. */
export function errorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The `code` of a Node system error (`EADDRINUSE`, `ENOENT`), or undefined. */
export function errorCode(thrown: unknown): string | undefined {
  if (thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string') return thrown.code;
  return undefined;
}

function describe(value: Json | undefined): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
