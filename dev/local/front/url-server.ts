/** The HTTP front of a function URL, on a loopback port: every request goes to one function, as payload format 2.0. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { InvocationOutcome } from '../lambda/outcome.ts';
import type { FunctionPool } from '../lambda/pool.ts';
import { isLoopbackHost } from '../network.ts';
import type { LocalFunctionUrl } from '../template/function-url.ts';
import { MAX_EVENT_BYTES, refusedByUrl } from './first-look.ts';
import { BadFunctionResponse, type ResponseHead, readUrlMetadata, refusalOf } from './function-response.ts';
import type { GatewayErrorKind } from './gateway-errors.ts';
import { headerPairs } from './request-headers.ts';
import { sendEarly, sendStream, sendWhole } from './send.ts';
import { clientOf, newTraceId, PARSER_HEADER_BYTES, readBody } from './server.ts';
import { splitTarget } from './target.ts';
import { urlEvent } from './url-event.ts';

export interface UrlFrontOptions {
  url: LocalFunctionUrl;
  pool(functionArn: string): FunctionPool;
  /** Receives the reason of the front's own 5xx responses. */
  note(functionName: string, reason: string): void;
}

/** The methods that a function URL carries (Lambda API reference, "Cors", AllowMethods, and HEAD and OPTIONS alongside them). */
const CARRIED = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

/** Why the front answers by itself. */
type UrlErrorKind = GatewayErrorKind | 'method-not-allowed' | 'unknown-host';

/**
 * Responses of a function URL itself. Documented: 413 above 6 MB, 429 when no process is free, 502 when the function fails or is too
 * slow ("Troubleshooting function URLs", "Lambda quotas"). The other statuses are those of the REST API.
 */
const ANSWERS: Partial<Record<UrlErrorKind, readonly [status: number, type: string, message: string]>> = {
  'request-too-large': [
    413,
    'RequestEntityTooLargeException',
    `Request must be smaller than ${MAX_EVENT_BYTES} bytes for the InvokeFunction operation`,
  ],
  throttled: [429, 'TooManyRequestsException', 'Rate Exceeded.'],
  'bad-response': [502, 'InternalServerErrorException', 'Internal Server Error'],
  'integration-timeout': [502, 'InternalServerErrorException', 'Internal Server Error'],
  'bad-request': [400, 'BadRequestException', 'Bad Request'],
  'uri-too-long': [414, 'BadRequestException', 'Request-URI Too Long'],
  'headers-too-large': [431, 'BadRequestException', 'Request Header Fields Too Large'],
  'length-required': [411, 'BadRequestException', 'Length Required'],
  'unknown-transfer-coding': [501, 'BadRequestException', 'Not Implemented'],
  'method-not-allowed': [405, 'MethodNotAllowedException', 'Method Not Allowed'],
  'unknown-host': [403, 'AccessDeniedException', 'The Host header names no local address of this function URL.'],
};

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  traceId: string;
}

/** Makes the front; the caller binds and closes it. */
export function functionUrlFront({ url, pool: poolOf, note }: UrlFrontOptions): Server {
  const server = createServer({ maxHeaderSize: PARSER_HEADER_BYTES });
  server.on('request', (request, response) => begin(request, response));
  server.on('checkContinue', (request, response) => begin(request, response, () => response.writeContinue()));
  server.requestTimeout = 0;
  return Object.assign(server, { httpAllowHalfOpen: true });

  function begin(request: IncomingMessage, response: ServerResponse, invite: () => void = () => {}): void {
    const exchange = { request, response, requestId: randomUUID(), traceId: newTraceId() };
    response.on('error', () => {});
    const refusal = refusedAtOnce(request);
    if (refusal !== undefined) {
      refuse(exchange, refusal);
      return;
    }
    invite();
    handle(exchange).catch((error: unknown) => {
      // A client that left in the middle of its request is no fault of anyone here.
      if (!request.destroyed) note('front', String(error));
      response.destroy();
    });
  }

  /** A page whose name leads here (DNS rebinding) sends its own name; a function URL serves no name but its own. */
  function refusedAtOnce(request: IncomingMessage): UrlErrorKind | undefined {
    if (!isLoopbackHost(request.headers.host)) return 'unknown-host';
    if (!CARRIED.has(request.method ?? '')) return 'method-not-allowed';
    return refusedByUrl(request.url ?? '/', headerPairs(request.rawHeaders));
  }

  async function handle(exchange: Exchange): Promise<void> {
    const { request, requestId, traceId } = exchange;
    const receivedAt = new Date();
    const headers = headerPairs(request.rawHeaders);
    const body = await readBody(request, MAX_EVENT_BYTES);
    if (body === undefined) return refuse(exchange, 'request-too-large');
    const event = JSON.stringify(
      urlEvent({
        method: request.method ?? 'GET',
        target: splitTarget(request.url ?? '/'),
        headers,
        body,
        client: clientOf(request, traceId),
        urlId: url.id,
        requestId,
        receivedAt,
      }),
    );
    if (Buffer.byteLength(event) > MAX_EVENT_BYTES) return refuse(exchange, 'request-too-large');
    const pool = poolOf(url.functionArn);
    try {
      await answer(exchange, await pool.invoke(event, traceId, url.functionArn));
    } catch (error) {
      if (!(error instanceof BadFunctionResponse)) throw error;
      note(pool.fn.displayName, `answered 502: ${error.message}`);
      if (!exchange.response.headersSent) refuse(exchange, 'bad-response');
    }
  }

  async function answer(exchange: Exchange, outcome: InvocationOutcome): Promise<void> {
    switch (outcome.kind) {
      case 'streaming':
        if (url.streaming) {
          return sendStream(exchange.response, outcome.body, ownHeaders(exchange), readUrlMetadata);
        }
        outcome.body.resume();
        throw new BadFunctionResponse('It streams, but its URL is a buffered one.');
      case 'buffered':
        throw new BadFunctionResponse('It answers as a whole, which is not emulated for function URLs.');
      default:
        return refuse(exchange, refusalOf(outcome));
    }
  }

  function refuse(exchange: Exchange, kind: UrlErrorKind): void {
    const { request, response } = exchange;
    const [status, type, message] = ANSWERS[kind] ?? [403, 'AccessDeniedException', 'Forbidden'];
    const error: ResponseHead & { body: Buffer } = {
      status,
      headers: [
        ['Content-Type', 'application/json'],
        ['x-amzn-ErrorType', type],
      ],
      body: Buffer.from(JSON.stringify({ Message: message })),
    };
    if (request.complete) sendWhole(response, error, ownHeaders(exchange));
    else sendEarly(request, response, error, ownHeaders(exchange));
  }
}

function ownHeaders({ requestId, traceId }: Exchange): [string, string][] {
  return [
    ['x-amzn-RequestId', requestId],
    ['X-Amzn-Trace-Id', traceId],
  ];
}
