import type { Writable } from 'node:stream';
import type middy from '@middy/core';
import type { GatewayResponse } from '../core/http-message.ts';
import { READER_MIN_BYTES_PER_SEC, READER_STEP_BYTES, READER_WINDOW_MS } from '../core/limits.ts';
import { type DoorEvent, type StreamHead, streamHead } from './front-door.ts';
import type { HandlerContext } from './middlewares.ts';

/** The caller reads its answer so slowly that it holds a process almost for free. */
export class SlowReaderError extends Error {
  constructor() {
    super(`The caller took less than ${READER_MIN_BYTES_PER_SEC} bytes a second of its answer`);
    this.name = 'SlowReaderError';
  }
}

/**
 * How fast a caller reads an answer. Only time of waiting for the caller counts, so neither a slow provider nor a pause between two
 * chunks makes a slow reader.
 */
class ReaderPace {
  #waitedMs = 0;
  #bytes = 0;

  /** Milliseconds of waiting until the caller's pace is judged. */
  get untilJudgedMs(): number {
    return READER_WINDOW_MS - this.#waitedMs;
  }

  /** Adds bytes that the caller read, and the time waited for that. */
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
  /** Called when a caller is cut off because it read too slowly. */
  onSlowReader?(): void;
  /**
   * Called when the last byte has left, or none will follow.
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
 * An execution mode for middy in which a middleware, `streamedAnswer`, writes the answer. Parameters in middy's order: core, before,
 * handler, after, onError, plugin.
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
 * Writes the answer without `pipeline()`: a provider that breaks off must reach the caller as a broken answer and leave this process
 * alive, and bytes must pass as bytes.
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
 * Writes head and body with back-pressure. Rethrows a failure of the body, and throws for a caller that is too slow or has to make
 * room: the runtime then breaks the answer visibly.
 *
 * @param signal ends the answer with its reason
 * @param head in the form of the caller's entrance
 */
export async function writeResponse(
  stream: Writable,
  response: GatewayResponse,
  signal?: AbortSignal,
  head: StreamHead = streamHead(response),
): Promise<void> {
  const out = awslambda.HttpResponseStream.from(stream, head);
  // The head travels with the first write, even without a body.
  out.write('');
  const { body } = response;
  const outlet = new Outlet(out, signal);
  try {
    if (body instanceof Uint8Array) {
      await outlet.write(body);
    } else if (body !== undefined) {
      for await (const chunk of body) {
        const waiting = outlet.write(chunk);
        if (waiting !== undefined) await waiting;
      }
    }
  } finally {
    outlet.close();
  }
  out.end();
}

/** Writes the chunks of one answer, and waits for its caller where the stream is full. */
class Outlet {
  readonly #out: Writable;
  readonly #signal: AbortSignal | undefined;
  readonly #pace = new ReaderPace();
  #listens = false;
  /** Ends the wait under way. */
  #settle: ((error?: unknown) => void) | undefined;
  /** When the wait under way began, or was judged last. */
  #sinceMs = 0;
  /** Fires when the caller is to be judged at the latest; one timer serves many waits, most of which end at once. */
  #timer: NodeJS.Timeout | undefined;

  constructor(out: Writable, signal: AbortSignal | undefined) {
    this.#out = out;
    this.#signal = signal;
  }

  /** Writes one chunk in steps; undefined where nothing has to be awaited. */
  write(chunk: Uint8Array): Promise<void> | undefined {
    this.#signal?.throwIfAborted();
    return chunk.length <= READER_STEP_BYTES ? this.#step(chunk) : this.#steps(chunk);
  }

  /** Nothing more is written. */
  close(): void {
    clearTimeout(this.#timer);
    if (!this.#listens) return;
    this.#out.off('drain', this.#onDrain);
    this.#out.off('error', this.#onError);
    this.#out.off('close', this.#onClose);
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  async #steps(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; at += READER_STEP_BYTES) {
      const waiting = this.#step(chunk.subarray(at, at + READER_STEP_BYTES));
      if (waiting !== undefined) await waiting;
    }
  }

  #step(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#out.write(chunk)) {
      this.#pace.took(chunk.length, 0);
      return undefined;
    }
    return this.#drained(chunk.length);
  }

  /** Resolves when the stream takes more. */
  #drained(bytes: number): Promise<void> {
    this.#listen();
    return new Promise((resolve, reject) => {
      this.#sinceMs = performance.now();
      this.#settle = (error) => {
        this.#settle = undefined;
        this.#pace.took(error === undefined ? bytes : 0, performance.now() - this.#sinceMs);
        if (error === undefined) resolve();
        else reject(error);
      };
      // Written bytes get a chance to leave before a timer is set, and mostly the wait is over then.
      if (this.#timer === undefined) setImmediate(this.#watch);
    });
  }

  #listen(): void {
    if (this.#listens) return;
    this.#listens = true;
    this.#out.on('drain', this.#onDrain);
    this.#out.on('error', this.#onError);
    this.#out.on('close', this.#onClose);
    this.#signal?.addEventListener('abort', this.#onAbort);
  }

  readonly #onDrain = () => this.#settle?.();
  readonly #onError = (error: unknown) => this.#settle?.(error);
  readonly #onClose = () => this.#settle?.(new Error('The caller has gone'));
  readonly #onAbort = () => this.#settle?.(this.#signal?.reason);

  /** Makes sure that the wait under way is judged. */
  readonly #watch = () => {
    if (this.#settle === undefined || this.#timer !== undefined) return;
    const waitedMs = performance.now() - this.#sinceMs;
    this.#timer = setTimeout(this.#ring, Math.max(0, this.#pace.untilJudgedMs - waitedMs));
  };

  readonly #ring = () => {
    this.#timer = undefined;
    if (this.#settle === undefined) return;
    // The timer may fire too early, because time between waits does not count.
    if (performance.now() - this.#sinceMs >= this.#pace.untilJudgedMs) {
      this.#sinceMs = performance.now();
      if (this.#pace.isTooSlow()) return this.#settle(new SlowReaderError());
    }
    this.#watch();
  };
}
