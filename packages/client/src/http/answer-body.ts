import { NetworkError } from '../errors.ts';
import { failure, type IncomingAnswer, isRead } from './exchange.ts';
import { joined, readerChunks } from './source-stream.ts';

/** How the body of an answer is handed over; `auto` goes by its Content-Type. */
export type ResponseType = 'auto' | 'json' | 'text' | 'arrayBuffer' | 'stream';

/** A body as it arrives: `for await` reads it in every runtime, and compiles whatever the libraries of the compiler know of streams. */
export type BodyStream = ReadableStream<Uint8Array<ArrayBuffer>> & AsyncIterable<Uint8Array<ArrayBuffer>>;

/** Repeats the provider's Content-Length, which the gateway cannot keep on streamed answers. */
const LENGTH_HEADER = 'x-upstream-content-length';
const BODILESS = new Set([204, 205, 304]);

/** Whether an answer carries a body at all. */
export function hasBody({ request, response }: IncomingAnswer): boolean {
  return request.method !== 'HEAD' && !BODILESS.has(response.status) && response.body !== null;
}

/**
 * The body as a stream that fails where the answer broke off, also where the connection ended without a sign of it.
 * Ending or cancelling it releases the answer.
 */
export function bodyStream(answer: IncomingAnswer): BodyStream {
  const { response, deadline } = answer;
  const reader = hasBody(answer) ? response.body?.getReader() : undefined;
  const expectedBytes = expectedLength(answer);
  let receivedBytes = 0;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        if (reader !== undefined) return;
        deadline.release();
        controller.close();
      },
      async pull(controller) {
        try {
          const next = await reader?.read();
          if (next?.value !== undefined) {
            receivedBytes += next.value.byteLength;
            controller.enqueue(next.value);
            return;
          }
          deadline.release();
          if (expectedBytes === undefined || receivedBytes === expectedBytes) controller.close();
          else controller.error(cutOff(answer, receivedBytes, expectedBytes));
        } catch (error) {
          deadline.release();
          controller.error(failure(answer.request, deadline, error, true));
        }
      },
      async cancel(reason) {
        deadline.release();
        await reader?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  // Not every runtime can iterate its own streams.
  if (Symbol.asyncIterator in ReadableStream.prototype) return stream;
  return Object.assign(stream, { [Symbol.asyncIterator]: () => readerChunks(stream) });
}

/**
 * All bytes of the body.
 *
 * @param maxBytes the rest is not read
 * @throws NetworkError, TimeoutError or the reason of the caller's signal
 */
export async function bodyBytes(
  answer: IncomingAnswer,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = bodyStream(answer).getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  while (length < maxBytes) {
    const { done, value } = await reader.read();
    if (done) return joined(chunks, length);
    chunks.push(value);
    length += value.byteLength;
  }
  await reader.cancel();
  return joined(chunks, length).subarray(0, maxBytes);
}

/** Known only where the bytes arrive as the provider counted them. */
function expectedLength({ response }: IncomingAnswer): number | undefined {
  const encoding = response.headers.get('content-encoding') ?? 'identity';
  const length = response.headers.get(LENGTH_HEADER);
  if (length === null || !/^\d{1,15}$/.test(length) || encoding !== 'identity') return undefined;
  return Number(length);
}

function cutOff({ request }: IncomingAnswer, receivedBytes: number, expectedBytes: number): NetworkError {
  const message = `The answer broke off after ${receivedBytes} of ${expectedBytes} bytes.`;
  return new NetworkError(message, !isRead(request.method));
}
