import type { Writable } from 'node:stream';
import type middy from '@middy/core';
import type { GatewayResponse } from '../gateway/core/http-message.ts';
import { READER_MIN_BYTES_PER_SEC, READER_STEP_BYTES, READER_WINDOW_MS } from '../gateway/core/limits.ts';
import { type DoorEvent, type StreamHead, streamHead } from '../gateway/http/front-door.ts';
import type { HandlerContext } from '../gateway/http/middlewares.ts';

/** The caller takes its answer so slowly that it holds a process for next to nothing. */
export class SlowReaderError extends Error {
  constructor() {
    super(`The caller took less than ${READER_MIN_BYTES_PER_SEC} bytes a second of its answer`);
    this.name = 'SlowReaderError';
  }
}

/**
 * How fast a caller takes an answer. Only time in which nothing but the caller is waited for counts, so neither a slow
 * provider nor a pause between two chunks makes a slow reader.
 */
class ReaderPace {
  #waitedMs = 0;
  #bytes = 0;

  /** How much longer the caller may be waited for before its pace is judged. */
  get untilJudgedMs(): number {
    return READER_WINDOW_MS - this.#waitedMs;
  }

  /** Notes bytes that the caller took, and how long that was waited for. */
  took(bytes: number, waitedMs: number): void {
    this.#bytes += bytes;
    this.#waitedMs = Math.min(this.#waitedMs + waitedMs, READER_WINDOW_MS);
  }

  /** Whether the caller was too slow over the window that has just passed; a new one begins. */
  isTooSlow(): boolean {
    const isTooSlow = this.#bytes < (READER_WINDOW_MS / 1000) * READER_MIN_BYTES_PER_SEC;
    this.#waitedMs = 0;
    this.#bytes = 0;
    return isTooSlow;
  }
}

/** What a streaming handler returns. */
export interface StreamedAnswer {
  readonly response: GatewayResponse;
  /** Ends the answer when it is aborted. */
  readonly signal?: AbortSignal;
  /** Told of a caller that was cut off because it read too slowly. */
  onSlowReader?(): void;
  /**
   * Told when the last byte has left, or none will follow.
   *
   * @param complete whether the whole answer left
   */
  onEnd?(complete: boolean): void;
}

/** The context of a handler that streams. */
type StreamingContext = HandlerContext & { readonly answerStream: Writable };

interface MiddyCore {
  middyRequest(event: unknown, context: unknown): unknown;
  runRequest(request: unknown, ...rest: unknown[]): Promise<unknown>;
}

/**
 * An execution mode for middy in which the answer is written by a middleware, `streamedAnswer`. Its parts, as middy hands
 * them over: core, before, handler, after, onError, plugin.
 */
export function streamingExecutionMode(...parts: unknown[]) {
  const [core, before, handler, after, onError, plugin] = parts;
  if (!isMiddyCore(core))
    throw new Error('This version of middy hands its execution mode something else than expected');
  let lambdaHandler = handler;
  const streamed = awslambda.streamifyResponse(async (event, stream, context) => {
    const request = core.middyRequest(event, Object.assign(context, { answerStream: stream }));
    await core.runRequest(request, before, lambdaHandler, after, onError, plugin);
  });
  return Object.assign(streamed, {
    handler(replacement: unknown) {
      lambdaHandler = replacement;
      return streamed;
    },
  });
}

function isMiddyCore(value: unknown): value is MiddyCore {
  return typeof value === 'object' && value !== null && 'middyRequest' in value && 'runRequest' in value;
}

/**
 * Writes the answer without `pipeline()`: a provider that breaks off in mid-body must reach the caller as a broken answer
 * and leave this process alive, and bytes must pass as bytes.
 */
export function streamedAnswer(): middy.MiddlewareObj<
  DoorEvent,
  StreamedAnswer | GatewayResponse,
  Error,
  StreamingContext,
  { isAnswering?: boolean }
> {
  return {
    async after({ event, response: answer, context, internal }) {
      if (answer === undefined || answer === null || !('response' in answer)) throw new Error('There is no answer');
      internal.isAnswering = true;
      let complete = false;
      try {
        await writeResponse(context.answerStream, answer.response, answer.signal, streamHead(answer.response, event));
        complete = true;
      } catch (error) {
        if (error instanceof SlowReaderError) answer.onSlowReader?.();
        throw error;
      } finally {
        answer.onEnd?.(complete);
      }
    },
    async onError({ event, response, context }) {
      if (response !== undefined && response !== null && 'status' in response)
        await writeResponse(context.answerStream, response, undefined, streamHead(response, event));
    },
  };
}

/**
 * Writes head and body with back-pressure. A failing body is rethrown, and so is a caller that is too slow or has to make
 * room: the runtime then breaks the answer visibly.
 *
 * @param signal ends the answer with its reason
 * @param head in the form that the caller's door takes
 */
export async function writeResponse(
  stream: Writable,
  response: GatewayResponse,
  signal?: AbortSignal,
  head: StreamHead = streamHead(response),
): Promise<void> {
  const out = awslambda.HttpResponseStream.from(stream, head);
  // The head travels with the first write, also when there is no body.
  out.write('');
  const { body } = response;
  const pace = new ReaderPace();
  if (body instanceof Uint8Array) {
    await writeChunk(out, body, pace, signal);
  } else if (body !== undefined) {
    for await (const chunk of body) await writeChunk(out, chunk, pace, signal);
  }
  out.end();
}

/** One chunk in steps; nothing to wait for where the stream takes it at once. */
function writeChunk(
  out: Writable,
  chunk: Uint8Array,
  pace: ReaderPace,
  signal: AbortSignal | undefined,
): Promise<void> | void {
  signal?.throwIfAborted();
  if (chunk.length <= READER_STEP_BYTES) return write(out, chunk, pace, signal);
  return writeSteps(out, chunk, pace, signal);
}

async function writeSteps(out: Writable, chunk: Uint8Array, pace: ReaderPace, signal: AbortSignal | undefined) {
  for (let at = 0; at < chunk.length; at += READER_STEP_BYTES) {
    await write(out, chunk.subarray(at, at + READER_STEP_BYTES), pace, signal);
  }
}

/** Resolves when the stream takes more. */
function write(
  out: Writable,
  chunk: Uint8Array,
  pace: ReaderPace,
  signal: AbortSignal | undefined,
): Promise<void> | void {
  if (out.write(chunk)) {
    pace.took(chunk.length, 0);
    return undefined;
  }
  return new Promise((resolve, reject) => {
    let since = performance.now();
    let judging = setTimeout(judge, pace.untilJudgedMs);
    function judge(): void {
      since = performance.now();
      if (pace.isTooSlow()) settle(new SlowReaderError());
      else judging = setTimeout(judge, pace.untilJudgedMs);
    }
    function settle(error?: unknown): void {
      clearTimeout(judging);
      out.off('drain', onDrain);
      out.off('error', settle);
      out.off('close', onClose);
      signal?.removeEventListener('abort', onAbort);
      pace.took(error === undefined ? chunk.length : 0, performance.now() - since);
      if (error === undefined) resolve();
      else reject(error);
    }
    const onDrain = () => settle();
    const onClose = () => settle(new Error('The caller has gone'));
    const onAbort = () => settle(signal?.reason);
    out.on('drain', onDrain);
    out.on('error', settle);
    out.on('close', onClose);
    signal?.addEventListener('abort', onAbort);
  });
}
