/** A request body that is produced while it is sent. */
export interface SourceStream {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** What the source itself failed with; undefined while it did not. */
  failure(): { readonly error: unknown } | undefined;
  /** Ends the stream and releases the source; harmless once it has ended. */
  stop(): void;
}

/** Pieces a caller may stream. Text is sent as UTF-8. */
export type BodyChunk = Uint8Array | string;

/** Turns a caller's source into a stream that asks for the next piece only when the last one is on its way. */
export function sourceStream(source: ReadableStream<Uint8Array> | AsyncIterable<BodyChunk>): SourceStream {
  const chunks = chunksOf(source);
  let failed: { readonly error: unknown } | undefined;
  let isStopped = false;
  // The request has its own failure; one of the source's clean-up would hide it.
  const release = async (): Promise<void> => void (await chunks.return?.().catch(() => {}));
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const next = isStopped ? undefined : await chunks.next();
          // Closing would make the part that was sent look like the whole.
          if (next === undefined || isStopped) controller.error(new Error('The request has ended.'));
          else if (next.done === true) controller.close();
          else controller.enqueue(bytesOf(next.value));
        } catch (error) {
          failed = { error };
          controller.error(error);
        }
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );
  return {
    stream,
    failure: () => failed,
    stop() {
      isStopped = true;
      void release();
    },
  };
}

/** Iterates the pieces of a stream or an async iterable; `return` releases the source. */
export function chunksOf(source: ReadableStream<Uint8Array> | AsyncIterable<BodyChunk>): AsyncIterator<BodyChunk> {
  return source instanceof ReadableStream ? readerChunks(source) : source[Symbol.asyncIterator]();
}

/** Not every runtime can iterate its own streams. */
async function* readerChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let isDone = false;
  try {
    while (true) {
      const { done, value } = await reader.read();
      isDone = done;
      if (done) return;
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
