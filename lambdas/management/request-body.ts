import { GatewayError, type Problem, refusal } from '../gateway/core/errors.ts';
import { type GatewayRequest, headerValues } from '../gateway/core/http-message.ts';
import { JSON_BODY_MAX_BYTES } from '../gateway/core/limits.ts';

/** Deeper documents than any route takes; also below DynamoDB's 32 levels. */
const MAX_DEPTH = 16;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** A document that was refused: where and why. */
export class JsonRefusal extends Error {
  readonly problem: Problem;
  constructor(path: string, message: string) {
    super(message);
    this.name = 'JsonRefusal';
    this.problem = { path: path === '' ? 'body' : path, message };
  }
}

/** Finds where a string ends; whether it is a legal one is judged by the platform's parser. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/sy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const SPACE = /[ \t\n\r]*/y;

/**
 * Parses JSON (RFC 8259) and refuses what readers disagree about: repeated members, `__proto__` and `constructor`,
 * numbers that lose digits, lone surrogates, deep nesting (AK-9).
 *
 * @throws JsonRefusal naming the place
 */
export function parseStrictJson(text: string): unknown {
  const reader = new Reader(text);
  const value = reader.value('', 0);
  reader.end();
  return value;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(path: string, depth: number): unknown {
    if (depth > MAX_DEPTH) throw new JsonRefusal(path, `nests deeper than ${MAX_DEPTH} levels`);
    this.#token(SPACE);
    const first = this.#text[this.#at];
    if (first === '{') return this.#object(path, depth);
    if (first === '[') return this.#array(path, depth);
    if (first === '"') return this.#string(path);
    const word = this.#token(WORD);
    if (word !== '') return word === 'null' ? null : word === 'true';
    return this.#number(path);
  }

  end(): void {
    this.#token(SPACE);
    if (this.#at < this.#text.length) throw this.#notJson('');
  }

  #object(path: string, depth: number): Record<string, unknown> {
    const members: [string, unknown][] = [];
    const seen = new Set<string>();
    this.#at++;
    if (this.#next('}')) return {};
    do {
      this.#token(SPACE);
      if (this.#text[this.#at] !== '"') throw this.#notJson(path);
      const key = this.#string(path);
      const memberPath = path === '' ? key : `${path}.${key}`;
      if (FORBIDDEN_KEYS.has(key)) throw new JsonRefusal(memberPath, 'this name is not allowed');
      if (seen.has(key)) throw new JsonRefusal(memberPath, 'appears more than once');
      seen.add(key);
      if (!this.#next(':')) throw this.#notJson(memberPath);
      members.push([key, this.value(memberPath, depth + 1)]);
    } while (this.#next(','));
    if (!this.#next('}')) throw this.#notJson(path);
    return Object.fromEntries(members);
  }

  #array(path: string, depth: number): unknown[] {
    const elements: unknown[] = [];
    this.#at++;
    if (this.#next(']')) return elements;
    do {
      elements.push(this.value(`${path}[${elements.length}]`, depth + 1));
    } while (this.#next(','));
    if (!this.#next(']')) throw this.#notJson(path);
    return elements;
  }

  #string(path: string): string {
    const literal = this.#token(STRING);
    if (literal === '') throw this.#notJson(path);
    const value = parseLiteral(literal);
    if (value === undefined) throw this.#notJson(path);
    if (!value.isWellFormed()) throw new JsonRefusal(path, 'is not valid Unicode');
    return value;
  }

  #number(path: string): number {
    const literal = this.#token(NUMBER);
    if (literal === '') throw this.#notJson(path);
    const value = Number(literal);
    const size = Math.abs(value);
    // DynamoDB stores 1e-130 to 1e126; larger integers than 2^53 - 1 would silently change.
    if (size > Number.MAX_SAFE_INTEGER || (size !== 0 && size < 1e-100)) {
      throw new JsonRefusal(path, 'is out of range; send it as a string');
    }
    return value;
  }

  #next(character: string): boolean {
    this.#token(SPACE);
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #token(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #notJson(path: string): JsonRefusal {
    const found = this.#text[this.#at];
    if (found === undefined) return new JsonRefusal(path, 'is not valid JSON: it ends too early');
    const hint = found === "'" ? '; use double quotes' : '';
    return new JsonRefusal(path, `is not valid JSON at character ${this.#at + 1}${hint}`);
  }
}

/** Text of a string literal; undefined for control characters or escapes that JSON does not have. */
function parseLiteral(literal: string): string | undefined {
  try {
    const value: unknown = JSON.parse(literal);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A request's JSON document; undefined where there is no body.
 *
 * @throws GatewayError `request_too_large`; `invalid_body` for another content type or character set, text that is not UTF-8,
 *   or JSON that is broken or ambiguous
 */
export function readJsonBody(request: GatewayRequest): unknown {
  const { body } = request;
  if (body === undefined || body.length === 0) return undefined;
  if (body.length > JSON_BODY_MAX_BYTES) {
    throw new GatewayError(
      'request_too_large',
      `The body has ${body.length} bytes; at most ${JSON_BODY_MAX_BYTES} are allowed.`,
    );
  }
  // A form of another site can send text/plain without asking first; JSON it cannot (UI-3).
  const types = headerValues(request.headers, 'content-type');
  if (types.length !== 1 || !/^application\/json\s*(;|$)/i.test(types[0] ?? '')) {
    throw refusal('invalid_body', [{ path: 'body', message: 'send JSON with Content-Type: application/json' }]);
  }
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(types[0] ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw refusal('invalid_body', [{ path: 'body', message: 'send JSON in UTF-8' }]);
  }
  try {
    return parseStrictJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    if (error instanceof JsonRefusal) throw refusal('invalid_body', [error.problem]);
    if (error instanceof TypeError) throw refusal('invalid_body', [{ path: 'body', message: 'is not valid UTF-8' }]);
    throw error;
  }
}
