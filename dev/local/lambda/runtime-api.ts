/** The Lambda Runtime API for one function process: hands out calls and takes results. AWS Lambda guide, "Runtime API". */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isObject, type Json, parseJson } from '../../tools/json.ts';
import { isLoopbackHost } from '../network.ts';
import type { FunctionError } from './outcome.ts';

/** One call as the process gets it. `deadlineMs` is epoch milliseconds. */
export interface RuntimeInvocation {
  requestId: string;
  functionArn: string;
  deadlineMs: number;
  /** How far the function's clock is to be ahead of the machine's; `deadlineMs` is on that clock. */
  clockAheadMs: number;
  traceId: string;
  payload: string;
}

/** Messages of a process. */
export interface RuntimeApiListener {
  /** It asks for the next call. */
  onPoll(): void;
  /** Its result arrived whole. */
  onBuffered(requestId: string, payload: Buffer): void;
  /** Its streamed result begins; the listener reads `body` to its end. */
  onStreaming(requestId: string, body: IncomingMessage): void;
  onError(requestId: string, error: FunctionError): void;
  onInitError(error: FunctionError): void;
}

export interface RuntimeApi {
  server: Server;
  /** Answers the waiting poll. @returns false when the process is not waiting. */
  deliver(invocation: RuntimeInvocation): boolean;
}

const PREFIX = '/2018-06-01/runtime/';
const RESULT = /^invocation\/([^/]+)\/(response|error)$/;

/** The header by which a function's process shows that it is the one this API was opened for; AWS's has none (IN-8). */
const TOKEN_HEADER = 'x-local-runtime-token';

/** Creates the Runtime API; the caller binds and closes its server. @param token that the process sends with every request */
export function runtimeApi(token: string, listener: RuntimeApiListener): RuntimeApi {
  let waiting: ServerResponse | undefined;
  const server = createServer((request, response) => {
    if (request.headers[TOKEN_HEADER] !== token || !isLoopbackHost(request.headers.host)) {
      response.writeHead(403, { connection: 'close' }).end();
      return;
    }
    const route = (request.url ?? '').slice(PREFIX.length);
    if (route === 'invocation/next') {
      waiting = response;
      response.once('close', () => {
        if (waiting === response) waiting = undefined;
      });
      listener.onPoll();
      return;
    }
    takeResult(route, request, response, listener).catch(() => request.destroy());
  });
  // A process waits for its next call as long as it takes; a streamed response may take the function's whole time.
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  server.keepAliveTimeout = 0;
  return {
    server,
    deliver(invocation) {
      const response = waiting;
      waiting = undefined;
      if (response === undefined || response.destroyed) return false;
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(invocation.payload),
        'lambda-runtime-aws-request-id': invocation.requestId,
        'lambda-runtime-deadline-ms': String(invocation.deadlineMs),
        'lambda-runtime-invoked-function-arn': invocation.functionArn,
        'lambda-runtime-trace-id': invocation.traceId,
        ...(invocation.clockAheadMs === 0 ? {} : { 'x-local-clock-ahead-ms': String(invocation.clockAheadMs) }),
      });
      response.end(invocation.payload);
      return true;
    },
  };
}

async function takeResult(
  route: string,
  request: IncomingMessage,
  response: ServerResponse,
  listener: RuntimeApiListener,
): Promise<void> {
  if (route === 'init/error') {
    listener.onInitError(readError(await readAll(request)));
    accept(response);
    return;
  }
  const [, requestId, kind] = RESULT.exec(route) ?? [];
  if (requestId === undefined) {
    response.writeHead(404).end();
    return;
  }
  if (kind === 'response' && request.headers['lambda-runtime-function-response-mode'] === 'streaming') {
    request.once('end', () => accept(response));
    listener.onStreaming(requestId, request);
    return;
  }
  const body = await readAll(request);
  if (kind === 'response') listener.onBuffered(requestId, body);
  else listener.onError(requestId, readError(body));
  accept(response);
}

function accept(response: ServerResponse): void {
  response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"OK"}');
}

function readError(body: Buffer): FunctionError {
  let report: Json;
  try {
    report = parseJson(body.toString('utf8'), 'The error report');
  } catch {
    report = {};
  }
  const text = (member: string): string | undefined => {
    const value = isObject(report) ? report[member] : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  return { errorType: text('errorType') ?? 'Unhandled', errorMessage: text('errorMessage') ?? '' };
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
