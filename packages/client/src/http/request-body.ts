import { type BodyChunk, overArrayBuffer } from './source-stream.ts';

/**
 * Body of a call. Bytes, text, forms, blobs and streams are sent as they are; any other object is sent as JSON. The
 * gateway takes about 4.5 MB in one request: send larger files with `uploadFile`. A stream is read to its end first, because
 * the gateway needs to know its length.
 */
export type RequestData =
  | string
  | ArrayBuffer
  | ArrayBufferView
  | Blob
  | FormData
  | URLSearchParams
  | ReadableStream<Uint8Array>
  | AsyncIterable<BodyChunk>
  | object;

/** A body as `fetch` takes it. */
export interface RequestBody {
  readonly body: BodyInit | undefined;
  /** Content type to set where the caller gave none. */
  readonly contentType?: string;
  /** Read to its end, instead of `body`, before the request is sent. */
  readonly source?: ReadableStream<Uint8Array> | AsyncIterable<BodyChunk>;
}

/**
 * Prepares a body.
 *
 * @param givenType the caller's own Content-Type
 * @throws TypeError when a type is needed and none is given, and for data that is not sendable
 */
export function requestBody(data: RequestData | undefined, givenType: string | undefined): RequestBody {
  if (data === undefined || data === null) return { body: undefined };
  if (typeof data === 'string') return { body: data, ...typed(givenType, 'a string') };
  if (data instanceof URLSearchParams) return { body: data };
  if (data instanceof FormData) {
    if (givenType === undefined) return { body: data };
    throw new TypeError('data is a FormData: leave Content-Type out, because only fetch knows the boundary.');
  }
  if (data instanceof Blob) return data.type === '' ? { body: data, ...typed(givenType, 'a Blob') } : { body: data };
  if (data instanceof ArrayBuffer) return { body: data, ...typed(givenType, 'bytes') };
  if (ArrayBuffer.isView(data)) return { body: overArrayBuffer(data), ...typed(givenType, 'bytes') };
  if (data instanceof ReadableStream || isAsyncIterable(data)) {
    return { body: undefined, source: data, ...typed(givenType, 'a stream') };
  }
  return { body: jsonText(data), contentType: 'application/json' };
}

function typed(givenType: string | undefined, what: string): { contentType?: string } {
  if (givenType !== undefined && givenType !== '') return {};
  throw new TypeError(
    `data is ${what}: say what it holds with headers: { 'content-type': '...' }. To send JSON, give an object.`,
  );
}

function isAsyncIterable(data: object): data is AsyncIterable<BodyChunk> {
  return Symbol.asyncIterator in data;
}

function jsonText(data: object): string {
  // Both would become {} without a word.
  if (data instanceof Promise) throw new TypeError('data is a Promise: await it first.');
  if (data instanceof Map || data instanceof Set) throw new TypeError('data is a Map or Set: give a plain object.');
  const text: unknown = JSON.stringify(data);
  if (typeof text !== 'string') throw new TypeError('data cannot be written as JSON.');
  return text;
}
