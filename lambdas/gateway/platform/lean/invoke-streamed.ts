import http from 'node:http';
import https from 'node:https';
import { signed } from '../aws-signature.ts';
import { defaultProvider } from '../environment-credentials.ts';
import { type Endpoint, endpointOf } from './endpoints.ts';

/** One invocation of a function, by a qualified name. */
export interface StreamedInvocation {
  readonly functionName: string;
  readonly qualifier: string;
  readonly payload: Buffer;
  /** Milliseconds until its answer must have ended. */
  readonly withinMs: number;
}

/** An invocation that cannot have reached Lambda: its connection failed, or was not ready in time. */
export class InvocationNotSent extends Error {}

/** Lambda's refusal of an invocation, before the function ran. */
export class InvocationRefused extends Error {
  readonly status: number;
  readonly retryAfterSec: number | undefined;
  constructor(name: string, status: number, retryAfterSec: number | undefined) {
    super(`Lambda answered ${status}`);
    this.name = name;
    this.status = status;
    this.retryAfterSec = retryAfterSec;
  }
}

const PATH = '/2021-11-15/functions/';
const CONNECT_MS = 1_000;
/** Longest refusal that is read for its name. */
const REFUSAL_MAX_BYTES = 64 * 1024;
const MESSAGE_MAX_BYTES = 24 * 1024 * 1024;
const credentialsOfEnvironment = defaultProvider();

export type InvokeStreamed = (invocation: StreamedInvocation) => AsyncGenerator<Uint8Array>;
/**
 * A connection for each invocation: one that was kept open may be closed at the other end while the process is frozen, and a question
 * sent over it is lost without a sign whether it arrived. Agents remember TLS sessions, which shortens the handshakes.
 */
const agents = { http: new http.Agent({ keepAlive: false }), https: new https.Agent({ keepAlive: false }) };

/**
 * Opens what invokes streaming functions. An invocation yields the bytes of its answer. One attempt: whether a call that broke off was
 * carried out is not known here, so nothing is repeated (TB-4).
 *
 * @throws InvocationNotSent; InvocationRefused for what Lambda refuses; Error with the name TimeoutError at the deadline; Error where the
 * answer breaks off, or the function fails
 * @see "InvokeWithResponseStream", AWS Lambda API reference
 */
export function openStreamedInvoker(): InvokeStreamed {
  let endpoint: Endpoint | undefined;
  return async function* (invocation) {
    endpoint ??= endpointOf({ host: 'lambda', variable: 'LAMBDA' });
    const answer = await sent(endpoint, invocation);
    const { statusCode = 0, headers } = answer;
    if (statusCode !== 200) throw await refusedBy(answer, statusCode, headers);
    yield* payloadsOf(answer);
  };
}

async function* payloadsOf(answer: http.IncomingMessage): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0);
  let isComplete = false;
  answer.on('error', () => {});
  try {
    for await (const chunk of answer.iterator({ destroyOnReturn: false })) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      for (let length = lengthOf(rest); length !== undefined && rest.length >= length; length = lengthOf(rest)) {
        const { type, payload } = readMessage(rest.subarray(0, length));
        rest = rest.subarray(length);
        if (type === 'PayloadChunk') yield payload;
        else if (type === 'InvokeComplete') isComplete = judgedEnd(payload);
        else throw new Error(`Lambda ended the answer with ${type}`);
      }
    }
  } finally {
    // A reader that has read enough leaves the rest to be received: whether a function survives a closed connection is not documented.
    answer.resume();
  }
  if (!isComplete) throw new Error('The answer of the function broke off');
}

/** @throws Error where the function failed */
function judgedEnd(payload: Buffer): true {
  const end: unknown = payload.length === 0 ? {} : JSON.parse(payload.toString('utf8'));
  const code: unknown = typeof end === 'object' && end !== null && 'ErrorCode' in end ? end.ErrorCode : undefined;
  if (code) throw new Error(`The function failed: ${String(code)}`);
  return true;
}

/** Length of the message at the beginning; undefined where too little has arrived. */
function lengthOf(bytes: Buffer): number | undefined {
  if (bytes.length < 12) return undefined;
  const length = bytes.readUInt32BE(0);
  if (length < 16 || length > MESSAGE_MAX_BYTES) throw new Error('The answer is no event stream');
  return length;
}

/** Type and payload of one message; TLS has checked its bytes. "Event stream encoding", Smithy. */
function readMessage(message: Buffer): { readonly type: string; readonly payload: Buffer } {
  const end = 12 + message.readUInt32BE(4);
  const named = new Map<string, string>();
  for (let at = 12; at < end; ) {
    const nameEnd = at + 1 + message.readUInt8(at);
    // All headers here are strings, with two bytes of length behind their type.
    const valueEnd = nameEnd + 3 + message.readUInt16BE(nameEnd + 1);
    named.set(message.toString('utf8', at + 1, nameEnd), message.toString('utf8', nameEnd + 3, valueEnd));
    at = valueEnd;
  }
  const type = named.get(':event-type') ?? named.get(':exception-type') ?? named.get(':error-code') ?? '';
  return { type, payload: message.subarray(end, -4) };
}

async function sent(
  { url, region }: Endpoint,
  { functionName, qualifier, payload, withinMs }: StreamedInvocation,
): Promise<http.IncomingMessage> {
  const path = `${PATH}${encodeURIComponent(functionName)}/response-streaming-invocations`;
  const query = `Qualifier=${encodeURIComponent(qualifier)}`;
  const headers = {
    host: url.host,
    'content-type': 'application/json',
    'content-length': String(payload.length),
    'x-amz-invocation-type': 'RequestResponse',
  };
  const request = { method: 'POST', path, query, headers, body: payload };
  const scope = { region, service: 'lambda' };
  const withSignature = signed(request, await credentialsOfEnvironment(), scope, new Date());
  const isPlain = url.protocol === 'http:';
  const { request: send } = isPlain ? http : https;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const outgoing = send({
    host,
    port: url.port,
    method: 'POST',
    path: `${path}?${query}`,
    headers: withSignature,
    agent: isPlain ? agents.http : agents.https,
  });
  let isSent = false;
  let answer: http.IncomingMessage | undefined;
  const timedOut = (what: string) => () => {
    const error = Object.assign(new Error(what), { name: 'TimeoutError' });
    // A request that is destroyed alone ends its answer with another error.
    answer?.destroy(error);
    outgoing.destroy(error);
  };
  const whole = setTimeout(timedOut('The function did not answer in time'), Math.max(0, withinMs)).unref();
  const connecting = setTimeout(timedOut('Lambda did not take the connection in time'), CONNECT_MS);
  outgoing.on('socket', (socket) => {
    socket.once('connect', () => clearTimeout(connecting));
    socket.once(isPlain ? 'connect' : 'secureConnect', () => {
      isSent = true;
    });
  });
  outgoing.on('close', () => {
    clearTimeout(whole);
    clearTimeout(connecting);
  });
  outgoing.on('error', (error) => reject(isSent ? error : new InvocationNotSent(error.message, { cause: error })));
  outgoing.on('response', (response) => {
    answer = response;
    resolve(response);
  });
  outgoing.end(payload);
  return promise;
}

async function refusedBy(
  answer: http.IncomingMessage,
  status: number,
  { 'x-amzn-errortype': type = '', 'retry-after': after }: http.IncomingHttpHeaders,
): Promise<InvocationRefused> {
  let text = '';
  for await (const chunk of answer) if (text.length < REFUSAL_MAX_BYTES) text += String(chunk);
  const stated = String(type).split(':')[0] || /"__type"\s*:\s*"(?:[^"#]*#)?([A-Za-z]+)"/.exec(text)?.[1];
  const seconds = Number(after);
  return new InvocationRefused(stated || `Status${status}`, status, seconds > 0 ? Math.ceil(seconds) : undefined);
}
