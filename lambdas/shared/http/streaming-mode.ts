import type { Writable } from 'node:stream';
import type { Context } from 'aws-lambda';
import type { GatewayResponse } from '../domain/http-message.ts';
import { multiValueHeaders } from './buffered-reply.ts';

/** What a streaming handler returns: an answer, and work that must have ended before the function does. */
export interface StreamedResult {
  readonly response: GatewayResponse;
  readonly beside: Promise<void> | undefined;
}

interface MiddyCore {
  middyRequest(event: unknown, context: Context): unknown;
  runRequest(request: unknown, ...rest: unknown[]): Promise<StreamedResult>;
}

/**
 * An execution mode for middy that streams without `pipeline()`: a provider that breaks off in mid-body must reach the
 * caller as a broken answer and leave this process alive, and bytes must pass as bytes. Its parts, as middy hands them
 * over: core, before, handler, after, onError, plugin.
 */
export function streamingExecutionMode(...parts: unknown[]) {
  const [core, before, handler, after, onError, plugin] = parts;
  if (!isMiddyCore(core))
    throw new Error('This version of middy hands its execution mode something else than expected');
  let lambdaHandler = handler;
  const streamed = awslambda.streamifyResponse(async (event, stream, context) => {
    const request = core.middyRequest(event, context);
    const result = await core.runRequest(request, before, lambdaHandler, after, onError, plugin);
    try {
      await writeResponse(stream, result.response);
    } finally {
      await result.beside;
    }
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

/** Writes head and body with back-pressure. A failing body is rethrown: the runtime then breaks the answer visibly. */
export async function writeResponse(stream: Writable, response: GatewayResponse): Promise<void> {
  const out = awslambda.HttpResponseStream.from(stream, {
    statusCode: response.status,
    multiValueHeaders: multiValueHeaders(response),
  });
  // The head travels with the first write, also when there is no body.
  out.write('');
  const { body } = response;
  if (body instanceof Uint8Array) {
    await write(out, body);
  } else if (body !== undefined) {
    for await (const chunk of body) await write(out, chunk);
  }
  out.end();
}

/** One chunk; resolves when the stream takes more. */
function write(out: Writable, chunk: Uint8Array): Promise<void> | void {
  if (out.write(chunk)) return undefined;
  return new Promise((resolve, reject) => {
    const settle = (error?: unknown) => {
      out.off('drain', onDrain);
      out.off('error', settle);
      out.off('close', onClose);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onDrain = () => settle();
    const onClose = () => settle(new Error('The caller has gone'));
    out.on('drain', onDrain);
    out.on('error', settle);
    out.on('close', onClose);
  });
}
