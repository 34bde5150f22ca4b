/** CloudFront in front of the function URL, on a loopback port, as far as the stack's distribution affects calls. */
import {
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type Server,
  type ServerResponse,
} from 'node:http';
import { DOOR_SECRET_HEADER } from '../../../lambdas/gateway/core/contract.ts';
import { headerPairs } from './request-headers.ts';
import { sendEarly, sendWhole } from './send.ts';
import { PARSER_HEADER_BYTES } from './server.ts';

/** CloudFront guide, "Quotas": the longest URL. */
const MAX_URL_BYTES = 8_192;
/** The methods that the distribution allows; others are refused by CloudFront. */
const ALLOWED = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);
/** Headers of one connection, and Host, which names the origin there. */
const OWN_HEADERS = new Set(['connection', 'host', 'keep-alive', 'te', 'trailer', 'upgrade', DOOR_SECRET_HEADER]);

/** Creates the front; the caller binds and closes it. @param origin the function URL @param secret identifies CloudFront to it */
export function distributionFront(origin: string, secret: string): Server {
  const server = createServer({ maxHeaderSize: PARSER_HEADER_BYTES }, (request, response) => {
    response.on('error', () => {});
    const refused = refusal(request);
    if (refused === undefined) forward(request, response, origin, secret);
    else refuse(request, response, refused);
  });
  server.requestTimeout = 0;
  return server;
}

/** CloudFront guide, "Request and response behavior for custom origins": bodies of GET, methods; "Quotas". */
function refusal({ method = 'GET', url = '/', headers }: IncomingMessage): number | undefined {
  if (url.length > MAX_URL_BYTES) return 414;
  const hasBody = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
  return !ALLOWED.has(method) || (hasBody && (method === 'GET' || method === 'HEAD')) ? 403 : undefined;
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number): void {
  const headers: [string, string][] = [
    ['Content-Type', 'text/html'],
    ['X-Cache', 'Error from cloudfront'],
  ];
  const answer = { status, headers, body: Buffer.from('<H1>The request could not be satisfied.</H1>') };
  if (request.complete) sendWhole(response, answer, []);
  else sendEarly(request, response, answer, []);
}

function forward(request: IncomingMessage, response: ServerResponse, origin: string, secret: string): void {
  const { hostname, port, host } = new URL(origin);
  const kept = headerPairs(request.rawHeaders).filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()));
  const others = kept.filter(([name]) => name.toLowerCase() !== 'x-forwarded-for');
  const before = kept.filter(([name]) => name.toLowerCase() === 'x-forwarded-for').map(([, value]) => value);
  const headers: [string, string][] = [
    ...others,
    ['Host', host],
    ['X-Forwarded-For', [...before, request.socket.remoteAddress ?? '127.0.0.1'].join(', ')],
    ['Via', '1.1 local.cloudfront.net (CloudFront)'],
    [DOOR_SECRET_HEADER, secret],
  ];
  const outgoing = requestHttp(
    {
      hostname,
      port,
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: headers.flat(),
      agent: false,
    },
    (incoming) => {
      const answered = headerPairs(incoming.rawHeaders).filter(([name]) => !/^(connection|keep-alive)$/i.test(name));
      response.writeHead(incoming.statusCode ?? 502, answered.flat());
      // A body that breaks off must not end as if it were whole.
      incoming.on('error', () => response.destroy());
      incoming.pipe(response);
    },
  );
  outgoing.on('error', () => (response.headersSent ? response.destroy() : refuse(request, response, 502)));
  response.on('close', () => outgoing.destroy());
  request.pipe(outgoing);
}
