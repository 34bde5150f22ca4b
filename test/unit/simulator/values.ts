/** Reads answers and writes bodies. */
import { createHash } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { isRecord } from '../../../packages/simulator/parse.ts';

export type Json = Record<string, unknown>;

/** Reads a JSON object body. */
export async function readJson(response: Response): Promise<Json> {
  return record(await response.json());
}

/** Asserts text. */
export function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error(`Text was expected, not ${JSON.stringify(value)}`);
  return value;
}

/** Asserts a list of objects. */
export function records(value: unknown): Json[] {
  if (!Array.isArray(value)) throw new Error('A list was expected.');
  return value.filter(isRecord);
}

/** Asserts an object. */
export function record(value: unknown): Json {
  if (!isRecord(value)) throw new Error(`An object was expected, not ${JSON.stringify(value)}`);
  return value;
}

/** A JSON body with its Content-Type. */
export function jsonInit(method: string, value: unknown, headers: Record<string, string> = {}): RequestInit {
  return { method, body: JSON.stringify(value), headers: { 'content-type': 'application/json', ...headers } };
}

export function sha256(value: string | Uint8Array): string {
  return createHash('sha256').update(value).digest('hex');
}

/** A GET with exactly these header fields, of which fetch would change some. */
export function rawGet(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => request(url, { headers }, resolve).on('error', reject).end());
}
