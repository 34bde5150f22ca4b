/** The HTTP front: a REST API of API Gateway as far as the stack's routes can tell, on a loopback port. */
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { InvocationOutcome } from '../lambda/outcome.ts';
import type { FunctionPool } from '../lambda/pool.ts';
import type { LocalRestApi, LocalRoute } from '../template/rest-api.ts';
import type { AwsCallers } from './aws-callers.ts';
import { judgeSignature } from './check-signature.ts';
import { MAX_BODY_BYTES, MAX_EVENT_BYTES, refusedAtOnce } from './first-look.ts';
import { BadFunctionResponse, readBufferedResult, refusalOf } from './function-response.ts';
import { type GatewayErrorKind, gatewayError, requireKnownTemplates } from './gateway-errors.ts';
import { effectiveMethod, proxyEvent } from './proxy-event.ts';
import { headerPairs } from './request-headers.ts';
import { routeTable } from './route-table.ts';
import { sendEarly, sendStream, sendWhole } from './send.ts';
import { splitTarget, withoutStage } from './target.ts';

/** A request that a function has answered, before the answer leaves. */
export interface AnsweredRequest {
  method: string;
  /** Without the stage. */
  path: string;
  status: number;
}

export interface FrontOptions {
  api: LocalRestApi;
  /** Serve below this path segment, as execute-api addresses do; undefined: at the root, as a custom domain does. */
  stagePrefix: string | undefined;
  pool(functionArn: string): FunctionPool;
  /** Called before a whole answer leaves; the answer waits for it. It must not throw. @default - nothing */
  beforeAnswer?: (answered: AnsweredRequest) => Promise<void>;
  /** Receives the reason of the front's own 5xx responses. */
  note(functionName: string, reason: string): void;
  /** Accepted signers of routes that need a signature, with region and clock. */
  callers: AwsCallers;
  region: string;
  nowMs(): number;
}

/** Above the front's own limit, so that the front and not the parser answers. */
export const PARSER_HEADER_BYTES = 64 * 1024;

interface Exchange {
  request: IncomingMessage;
  /** Without the stage, once it is known. */
  path?: string;
  response: ServerResponse;
  requestId: string;
  traceId: string;
}

/** Makes the front; the caller binds and closes it. @throws Error for a gateway response that is not supported. */
export function restApiFront(options: FrontOptions): Server {
  requireKnownTemplates(options.api.gatewayResponses);
  const routes = routeTable(options.api.routes);
  const refused = new WeakSet<Duplex>();
  const server = createServer({ maxHeaderSize: PARSER_HEADER_BYTES });
  server.on('request', (request, response) => begin(request, response));
  // A client that sends `Expect: 100-continue` gets it only when the announced body is accepted.
  server.on('checkContinue', (request, response) => begin(request, response, () => response.writeContinue()));
  // Requests that Node's HTTP parser refuses, in the head or in the body.
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => endMalformed(error.code, socket, refused));
  server.requestTimeout = 0;
  // Not in Node's types: a client that ends its side after the request still gets the answer (RFC 9112 section 9.6).
  return Object.assign(server, { httpAllowHalfOpen: true });

  function begin(request: IncomingMessage, response: ServerResponse, invite: () => void = () => {}): void {
    const exchange = { request, response, requestId: randomUUID(), traceId: newTraceId() };
    response.on('error', () => {});
    const refusal = refusedAtOnce(request.url ?? '/', headerPairs(request.rawHeaders));
    if (refusal !== undefined) {
      refuse(exchange, refusal);
      return;
    }
    invite();
    handle(exchange).catch((error: unknown) => {
      // A client that left in the middle of its request is no fault of anyone here.
      if (!request.destroyed) options.note('front', String(error));
      response.destroy();
    });
  }

  async function handle(exchange: Exchange): Promise<void> {
    const { request, requestId, traceId } = exchange;
    const receivedAt = new Date();
    const headers = headerPairs(request.rawHeaders);
    const target = splitTarget(request.url ?? '/');
    const path = options.stagePrefix === undefined ? target.path : withoutStage(target.path, options.stagePrefix);
    if (path === undefined) return refuse(exchange, 'forbidden');
    exchange.path = path;
    const method = effectiveMethod(request.method ?? 'GET', headers);
    const match = routes(method, path);
    if (match === undefined) return refuse(exchange, 'missing-token');
    const body = await readBody(request);
    if (body === undefined) return refuse(exchange, 'request-too-large');
    const signer = match.route.signed ? signerOf(request, headers, body) : undefined;
    if (signer !== undefined && 'refused' in signer) return refuse(exchange, signer.refused, signer.message);
    const event = JSON.stringify(
      proxyEvent({
        ...(signer === undefined ? {} : { signer }),
        match,
        method,
        target: { path, query: target.query },
        headers,
        body,
        client: clientOf(request, traceId),
        apiId: options.api.id,
        stageName: options.api.stageName,
        requestId,
        receivedAt,
      }),
    );
    if (Buffer.byteLength(event) > MAX_EVENT_BYTES) return refuse(exchange, 'request-too-large');
    await integrate(exchange, match.route, event);
  }

  function signerOf(request: IncomingMessage, headers: [string, string][], body: Buffer) {
    const { callers, region, api } = options;
    const signed = { method: request.method ?? 'GET', target: request.url ?? '/', headers, body };
    return judgeSignature(signed, { callers, region, otherAccounts: api.otherAccounts, nowMs: options.nowMs() });
  }

  async function integrate(exchange: Exchange, route: LocalRoute, event: string): Promise<void> {
    const { response, traceId } = exchange;
    const pool = options.pool(route.functionArn);
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      if (response.headersSent) response.destroy();
      else refuse(exchange, 'integration-timeout');
    }, route.timeoutMs);
    try {
      const outcome = await pool.invoke(event, traceId, route.functionArn);
      if (timedOut) return discard(outcome);
      await answer(exchange, route, outcome);
    } catch (error) {
      if (!(error instanceof BadFunctionResponse)) throw error;
      options.note(pool.fn.displayName, `answered 502: ${error.message}`);
      if (!response.headersSent) refuse(exchange, 'bad-response');
    } finally {
      clearTimeout(timer);
    }
  }

  async function answer(exchange: Exchange, route: LocalRoute, outcome: InvocationOutcome): Promise<void> {
    const { response } = exchange;
    switch (outcome.kind) {
      case 'buffered':
        return sendResult(exchange, readBufferedResult(outcome.payload));
      case 'streaming':
        if (route.streaming) return sendStream(response, outcome.body, ownHeaders(exchange));
        discard(outcome);
        throw new BadFunctionResponse(`It streams, but ${route.resourcePath} is not a streaming route.`);
      default:
        return refuse(exchange, refusalOf(outcome));
    }
  }

  async function sendResult(exchange: Exchange, result: ReturnType<typeof readBufferedResult>): Promise<void> {
    const { request, response, path = '' } = exchange;
    await options.beforeAnswer?.({ method: request.method ?? 'GET', path, status: result.status });
    sendWhole(response, result, ownHeaders(exchange));
  }

  function refuse(exchange: Exchange, kind: GatewayErrorKind, message?: string): void {
    const { request, response, requestId } = exchange;
    const error = gatewayError(kind, options.api.gatewayResponses, requestId, message);
    const extra = ownHeaders(exchange);
    if (request.complete) sendWhole(response, error, extra);
    else {
      refused.add(request.socket);
      sendEarly(request, response, error, extra);
    }
  }
}

/** Statuses of Node's own responses to malformed HTTP, by its code; 400 for every other. */
const MALFORMED_STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};
/** How long a client has to read why its connection ends. */
const MALFORMED_GRACE_MS = 1_000;

/**
 * Ends a connection on which something came that is no HTTP, with an answer: destroyed at once, as Node does where an answer has begun,
 * the client would see a closed connection and not learn why.
 * @param refused connections whose request was answered already
 */
function endMalformed(code: string | undefined, socket: Duplex, refused: WeakSet<Duplex>): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  if (refused.has(socket)) socket.end();
  else {
    refused.add(socket);
    const status = MALFORMED_STATUS[code ?? ''] ?? '400 Bad Request';
    const body = JSON.stringify({ message: status.slice(4) });
    const head = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Connection: close'];
    socket.end(`HTTP/1.1 ${status}\r\n${head.join('\r\n')}\r\n\r\n${body}`);
  }
  setTimeout(() => socket.destroy(), MALFORMED_GRACE_MS).unref();
}

function ownHeaders({ requestId, traceId }: Exchange): [string, string][] {
  return [
    ['x-amzn-RequestId', requestId],
    ['X-Amzn-Trace-Id', traceId],
  ];
}

function discard(outcome: InvocationOutcome): void {
  if (outcome.kind === 'streaming') outcome.body.resume();
}

/** Data of the request's connection. */
export function clientOf(
  request: IncomingMessage,
  traceId: string,
): { sourceIp: string; port: number; protocol: 'http'; traceId: string } {
  const { remoteAddress, localPort } = request.socket;
  return { sourceIp: remoteAddress ?? '127.0.0.1', port: localPort ?? 0, protocol: 'http', traceId };
}

/** The body of a request; undefined for one that is too large. */
export async function readBody(request: IncomingMessage, maxBytes = MAX_BODY_BYTES): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** An id as X-Ray has them. */
export function newTraceId(): string {
  const seconds = Math.floor(Date.now() / 1000).toString(16);
  return `Root=1-${seconds}-${randomBytes(12).toString('hex')}`;
}
