import type { GatewayErrorCode } from '../core/errors.ts';
import { errorAnswers } from './error-answers.ts';
import type { Components, Json } from './json-schema.ts';

/** Pieces of paths that browsers use, for the API's document. */

/** An operation that returns a page and needs no authentication. */
export function pageOperation(operationId: string, summary: string, rest: Json): Json {
  return { operationId, tags: ['Browser'], summary, security: [], ...rest };
}

/** An operation that accepts the token of a connect session. */
export function sessionOperation(operationId: string, summary: string, rest: Json): Json {
  return { operationId, tags: ['Connect sessions'], summary, security: [{ connectSession: [] }], ...rest };
}

export function htmlAnswer(description: string): Json {
  return { description, content: { 'text/html': { schema: { type: 'string' } } } };
}

export function jsonAnswer(description: string, schema: Json): Json {
  return { description, content: { 'application/json': { schema } } };
}

/** A parameter that holds text. */
export function textParameter(name: string, where: 'path' | 'query', required: boolean, description: string): Json {
  return { name, in: where, required, description, schema: { type: 'string' } };
}

/** Failures in addition to those that every path has. */
export function failures(components: Components, ...codes: GatewayErrorCode[]): Json {
  return errorAnswers([...codes, 'method_not_allowed', 'internal_error'], components);
}
