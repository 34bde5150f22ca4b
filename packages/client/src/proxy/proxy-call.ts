import { UnexpectedAnswerError } from '../errors.ts';
import { proxyUrl } from '../http/address.ts';
import { type BodyStream, bodyBytes, bodyStream, hasBody, type ResponseType } from '../http/answer-body.ts';
import { answerError } from '../http/answer-error.ts';
import { type IncomingAnswer, type OutgoingRequest, send } from '../http/exchange.ts';
import { addConnection, addIdentity, addPriority, addRetries, callerHeaders } from '../http/headers.ts';
import { requestBody } from '../http/request-body.ts';
import { readTimeoutMs, type Settings } from '../settings.ts';
import type { Method, ProxyAnswer, ProxyCall, Send } from './types.ts';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * The function that makes calls of one method. A call resolves for 2xx, for 304, and for the 308 of an unfinished upload.
 *
 * @param methodOf reads the method from a call
 * @throws (the returned function) GatewayError, ProviderError, NetworkError, TimeoutError, UnexpectedAnswerError;
 *   TypeError for a call that cannot be sent; the reason of an aborted signal
 */
export function sender<Call extends ProxyCall>(settings: Settings, methodOf: (call: Call) => Method): Send<Call> {
  function call(call: Call & { responseType: 'stream' }): Promise<ProxyAnswer<BodyStream>>;
  function call(call: Call & { responseType: 'text' }): Promise<ProxyAnswer<string>>;
  function call(call: Call & { responseType: 'arrayBuffer' }): Promise<ProxyAnswer<ArrayBuffer>>;
  function call<T = unknown>(call: Call & { responseType?: 'auto' | 'json' }): Promise<ProxyAnswer<T>>;
  async function call(call: Call): Promise<ProxyAnswer<unknown>> {
    const answer = await send(settings, outgoingRequest(settings, methodOf(call), call));
    if (!isSuccess(answer.response)) throw await answerError(answer);
    const { status, headers } = answer.response;
    return { status, headers, data: await readData(answer, call.responseType ?? 'auto') };
  }
  return call;
}

function outgoingRequest(settings: Settings, method: Method, call: ProxyCall): OutgoingRequest {
  if (!METHODS.has(method)) throw new TypeError(`method must be one of ${[...METHODS].join(', ')}.`);
  const headers = callerHeaders(call.headers);
  const body = requestBody(call.data, headers.get('content-type') ?? undefined);
  if ((body.body ?? body.source) !== undefined && (method === 'GET' || method === 'HEAD')) {
    throw new TypeError(`A ${method} call carries no data: use params for its query.`);
  }
  if (body.contentType !== undefined && !headers.has('content-type')) headers.set('content-type', body.contentType);
  addIdentity(headers, settings.secretKey);
  addConnection(headers, call);
  addRetries(headers, call.retries, call.retryOn);
  addPriority(headers, call.priority);
  return {
    method,
    url: proxyUrl(settings.proxyUrl, call.endpoint, call.params, settings.baseUrl),
    headers,
    body,
    timeoutMs: readTimeoutMs(call.timeoutMs, settings.timeoutMs),
    signal: call.signal,
  };
}

function isSuccess({ status, ok, headers }: Response): boolean {
  // A 308 without Location is Google's "send more"; with one it is a redirect, which is not followed.
  return ok || status === 304 || (status === 308 && !headers.has('location'));
}

async function readData(answer: IncomingAnswer, type: ResponseType): Promise<unknown> {
  if (type === 'stream') {
    answer.deadline.stopClock();
    return bodyStream(answer);
  }
  const mayHaveBody = hasBody(answer);
  const bytes = await bodyBytes(answer);
  if (type === 'arrayBuffer') return arrayBufferOf(bytes);
  if (type === 'text') return decoded(bytes);
  if (!mayHaveBody || bytes.byteLength === 0) return undefined;
  const contentType = answer.response.headers.get('content-type') ?? '';
  if (type === 'json' || /^application\/([\w.+-]+\+)?json\b/i.test(contentType)) return parseJson(decoded(bytes));
  return /^text\//i.test(contentType) ? decoded(bytes) : arrayBufferOf(bytes);
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function arrayBufferOf({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): ArrayBuffer {
  return byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnexpectedAnswerError('The answer is not valid JSON; use responseType text to see it.', { cause });
  }
}
