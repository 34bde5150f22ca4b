import { NetworkError, TimeoutError } from '../errors.ts';
import type { Settings } from '../settings.ts';
import { type SignableRequest, signedRequest } from './aws-signature.ts';
import { type Deadline, openDeadline } from './deadline.ts';
import type { RequestBody } from './request-body.ts';
import { collected } from './source-stream.ts';

/** One request, ready to be sent. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: RequestBody;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** An answer whose body has not been read; the deadline still runs and must be released. */
export interface IncomingAnswer {
  readonly request: OutgoingRequest;
  readonly response: Response;
  readonly deadline: Deadline;
}

/** Failures of a connection that was never made: nothing can have been applied. */
const NEVER_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_.*|.*_SIGNED_CERT.*|ERR_TLS_.*|UNABLE_TO_.*)$/;

/**
 * Sends a request and waits for the head of the answer. Redirects are never followed: another host must not get the
 * secret key.
 *
 * @throws NetworkError, TimeoutError, the reason of the caller's signal, or what the caller's stream or credentials failed with
 */
export async function send(settings: Settings, request: OutgoingRequest): Promise<IncomingAnswer> {
  request.signal?.throwIfAborted();
  const deadline = openDeadline(request.timeoutMs, request.signal);
  const { url, method, headers, body } = await readyToSend(settings, request, deadline);
  const init: RequestInit = {
    method,
    headers,
    redirect: 'manual',
    signal: deadline.signal,
    ...(body === undefined ? {} : { body }),
  };
  try {
    const response = await settings.fetch(url, init);
    return { request, response, deadline };
  } catch (error) {
    deadline.release();
    throw failure(request, deadline, error);
  }
}

/** With the body read to its end, and signed where that is how the caller is known. */
async function readyToSend(
  { signer }: Settings,
  request: OutgoingRequest,
  deadline: Deadline,
): Promise<SignableRequest> {
  const { method, url, headers } = request;
  const { body: given, source } = request.body;
  try {
    const body = source === undefined ? given : await collected(source, deadline.signal);
    const ready = { method, url, headers, body };
    // A request with a token of its own is not the role's.
    if (signer === undefined || headers.has('authorization')) return ready;
    return await signedRequest(signer, ready, deadline.signal);
  } catch (error) {
    deadline.release();
    if (request.signal?.aborted === true) throw request.signal.reason;
    if (deadline.isTimedOut()) throw new TimeoutError(request.timeoutMs, false);
    throw error;
  }
}

/** The error for a request or answer that broke: the caller's own reason first, then the clock, then the network. */
export function failure(request: OutgoingRequest, deadline: Deadline, error: unknown, answered = false): unknown {
  if (request.signal?.aborted === true) return request.signal.reason;
  const writes = !isRead(request.method);
  if (deadline.isTimedOut()) return new TimeoutError(request.timeoutMs, writes);
  const code = errorCode(error);
  const detail = code === undefined ? '' : ` (${code})`;
  if (answered) return new NetworkError(`The answer broke off${detail}.`, writes, error);
  const sent = code === undefined || !NEVER_SENT.test(code);
  return new NetworkError(
    `The gateway at ${new URL(request.url).origin} did not answer${detail}.`,
    writes && sent,
    error,
  );
}

/** Whether a method changes nothing. */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** fetch hides the system's error code in causes. */
function errorCode(error: unknown): string | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1) {
    if ('code' in current && typeof current.code === 'string') return current.code;
  }
  return undefined;
}
