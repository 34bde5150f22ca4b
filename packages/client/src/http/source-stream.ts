import { MAX_BODY_BYTES, requestTooLarge } from '../errors.ts';

/** Pieces a caller may stream. Text is sent as UTF-8. */
export type BodyChunk = Uint8Array | string;

/**
 * All bytes of a caller's source: the gateway's front door takes no body without a length, and the source is released however
 * this ends.
 *
 * @throws what the source fails with, the reason of the signal, GatewayError `request_too_large` before all of it is read
 */
export async function collected(
  source: ReadableStream<Uint8Array> | AsyncIterable<BodyChunk>,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks = chunksOf(source);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const ended = endOf(signal);
  try {
    for (;;) {
      const { done, value } = await Promise.race([chunks.next(), ended.promise]);
      if (done === true) return joined(pieces, length);
      const piece = bytesOf(value);
      pieces.push(piece);
      length += piece.byteLength;
      if (length > MAX_BODY_BYTES) throw requestTooLarge(undefined);
    }
  } catch (error) {
    // A source that hangs may never be released; the failure does not wait for it.
    void chunks.return?.().catch(() => {});
    throw error;
  } finally {
    ended.forget();
  }
}

/** A promise that fails when a signal is aborted. */
function endOf(signal: AbortSignal | undefined): { readonly promise: Promise<never>; forget(): void } {
  let onAbort = (): void => {};
  const promise = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal?.reason);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
  return { promise, forget: () => signal?.removeEventListener('abort', onAbort) };
}

/** Pieces one behind the other, over as little new memory as can be. */
export function joined(pieces: readonly Uint8Array<ArrayBuffer>[], length: number): Uint8Array<ArrayBuffer> {
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined && first.byteLength === first.buffer.byteLength) return first;
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.byteLength;
  }
  return bytes;
}

/** Iterates the pieces of a stream or an async iterable; `return` releases the source. */
export function chunksOf(source: ReadableStream<Uint8Array> | AsyncIterable<BodyChunk>): AsyncIterator<BodyChunk> {
  return source instanceof ReadableStream ? readerChunks(source) : source[Symbol.asyncIterator]();
}

/** Iterates a stream, which not every runtime can do itself; ending early cancels it. @throws what the stream fails with */
export async function* readerChunks<Bytes extends Uint8Array>(
  stream: ReadableStream<Bytes>,
): AsyncGenerator<Bytes, undefined, undefined> {
  const reader = stream.getReader();
  let isDone = false;
  try {
    while (true) {
      const { done, value } = await reader.read();
      isDone = done;
      if (done) return undefined;
      yield value;
    }
  } finally {
    if (!isDone) await reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}

/** One piece as bytes. @throws TypeError for anything else, such as the objects of an object stream */
export function bytesOf(chunk: unknown): Uint8Array<ArrayBuffer> {
  if (typeof chunk === 'string') return new TextEncoder().encode(chunk);
  if (chunk instanceof Uint8Array) return overArrayBuffer(chunk);
  throw new TypeError('A streamed body must yield Uint8Array or strings.');
}

/** The same bytes over memory that no other thread shares: `fetch` takes no other. */
export function overArrayBuffer(view: ArrayBufferView): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = view;
  if (buffer instanceof ArrayBuffer) return new Uint8Array(buffer, byteOffset, byteLength);
  return Uint8Array.from(new Uint8Array(buffer, byteOffset, byteLength));
}
