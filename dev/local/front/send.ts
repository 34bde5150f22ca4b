/** Writes responses to the client's connection: whole ones, and streams that never end as if they were complete. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BadFunctionResponse, type ResponseHead, readStreamMetadata } from './function-response.ts';
import { preludeCollector } from './stream-prelude.ts';

/** Sends a complete response; headers in `extra` come last. */
export function sendWhole(
  response: ServerResponse,
  head: ResponseHead & { body: Buffer },
  extra: ResponseHead['headers'],
): void {
  const bodyless = head.status === 204 || head.status === 304;
  const length: ResponseHead['headers'] = bodyless ? [] : [['Content-Length', String(head.body.length)]];
  response.writeHead(head.status, [...head.headers, ...extra, ...length].flat());
  response.end(bodyless ? undefined : head.body);
}

/** How long a client that was refused may continue sending. */
const REFUSED_UPLOAD_GRACE_MS = 1_000;

/**
 * Sends a complete response to a client that still sends its request, and closes the connection behind the request or after a
 * moment: closing at once would reset it, and clients lose the answer on its way (RFC 9112 section 9.6).
 */
export function sendEarly(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: ResponseHead & { body: Buffer },
  extra: ResponseHead['headers'],
): void {
  const framing: ResponseHead['headers'] = [
    ['Connection', 'close'],
    ['Content-Length', String(body.length)],
  ];
  response.writeHead(status, [...headers, ...extra, ...framing].flat());
  response.write(body);
  const timer = setTimeout(() => response.end(), REFUSED_UPLOAD_GRACE_MS).unref();
  request.once('close', () => {
    clearTimeout(timer);
    response.end();
  });
  request.resume();
}

/**
 * Streams a function's response: the head as soon as its metadata is complete, then the body with back-pressure. A body
 * that fails cuts the client's connection; a client that leaves lets the body run out unread.
 * @throws BadFunctionResponse while nothing has been sent yet.
 */
export async function sendStream(
  response: ServerResponse,
  body: IncomingMessage,
  extra: ResponseHead['headers'],
  readMetadata: (metadata: Buffer) => ResponseHead = readStreamMetadata,
): Promise<void> {
  const collector = preludeCollector();
  let started = false;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      if (started) {
        await write(response, chunk);
        continue;
      }
      const prelude = collector.push(chunk);
      if (prelude === undefined) continue;
      const head = readMetadata(prelude.metadata);
      response.writeHead(head.status, [...head.headers, ...extra].flat());
      started = true;
      // Sends the head even when nothing is behind it yet. `flushHeaders` would encode it as UTF-8, not as Latin-1.
      await write(response, prelude.rest);
    }
  } catch (error) {
    // The rest must be read, or the function would wait for someone to take it.
    body.resume();
    if (!started)
      throw error instanceof BadFunctionResponse
        ? error
        : new BadFunctionResponse('The stream was cut.', { cause: error });
    response.destroy();
    return;
  }
  const errorType = body.trailers['lambda-runtime-function-error-type'];
  if (!started) throw new BadFunctionResponse(errorType ?? 'The stream ended before its metadata.');
  if (errorType === undefined) response.end();
  else response.destroy();
}

async function write(response: ServerResponse, chunk: Buffer): Promise<void> {
  if (response.destroyed || response.closed) return;
  if (response.write(chunk)) return;
  const drained = new AbortController();
  const { signal } = drained;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).catch(() => {});
  drained.abort();
}
