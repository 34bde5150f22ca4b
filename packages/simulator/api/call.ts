import { type HeaderList, mediaType, type SimRequest, type SimResponse } from '../http/exchange.ts';
import { isRecord } from '../parse.ts';
import type { Simulation } from '../simulation.ts';
import type { Caller } from './authenticate.ts';
import { badRequest } from './envelope.ts';
import type { FieldSelection } from './field-selector.ts';
import type { UploadPath } from './match-method.ts';
import type { MethodRule } from './method-table.ts';

/** An authenticated call of a known method, its parameters checked. */
export interface ApiCall {
  sim: Simulation;
  http: SimRequest;
  rule: MethodRule;
  /** Decoded path parameters. */
  path: Readonly<Record<string, string>>;
  /** Effective query: of the target, or of the form body of an overridden POST. */
  query: URLSearchParams;
  caller: Caller;
  upload: UploadPath;
  fields: FieldSelection | undefined;
}

/** A resource to be filtered by `fields` and sent as JSON, or a finished response. */
export type ApiResult =
  | { resource: Record<string, unknown>; status?: number; headers?: HeaderList }
  | { response: SimResponse };

/** Carries out one method. */
export type ApiHandler = (call: ApiCall) => ApiResult | Promise<ApiResult>;

/** Path parameter by name; the matched template guarantees it. */
export function pathParameter(call: ApiCall, name: string): string {
  const value = call.path[name];
  if (value === undefined) throw new Error(`${call.rule.id} has no path parameter ${name}`);
  return value;
}

/** Integer query parameter, already checked against its range. */
export function integerParameter(call: ApiCall, name: string, fallback: number): number {
  const value = call.query.getAll(name).at(-1);
  return value === undefined ? fallback : Number(value);
}

/** Boolean query parameter, already checked. */
export function booleanParameter(call: ApiCall, name: string, fallback: boolean): boolean {
  const value = call.query.getAll(name).at(-1);
  return value === undefined ? fallback : value === 'true';
}

/**
 * The JSON object in a request body; an empty body is an empty object.
 * @throws {ApiError} 400 for another media type, broken JSON or a value that is no object
 */
export function jsonBody(http: Pick<SimRequest, 'headers' | 'body'>): Record<string, unknown> {
  if (http.body.length === 0) return {};
  if (mediaType(http.headers) !== 'application/json') {
    throw badRequest('The request body must have the Content-Type application/json.');
  }
  return parseObject(http.body.toString('utf8'));
}

/** Parses JSON text that must be an object; `null`, as Google's Go client sends for no metadata, is an empty one. */
export function parseObject(json: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw badRequest('Parse Error');
  }
  if (value === null) return {};
  if (!isRecord(value)) throw badRequest('Parse Error');
  return value;
}
