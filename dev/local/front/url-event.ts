/** One HTTP request -> the event of a function URL. AWS Lambda guide, "Invoking Lambda function URLs", payload format version 2.0. */
import type { JsonObject } from '../../tools/json.ts';
import { decodeFormComponent } from './query.ts';
import { type ClientConnection, keptHeaders } from './request-headers.ts';
import type { RequestTarget } from './target.ts';

/** All data of an event; `body` has the bytes as received. */
export interface UrlRequest {
  method: string;
  target: RequestTarget;
  headers: readonly (readonly [string, string])[];
  body: Buffer;
  client: ClientConnection;
  /** First label of the URL's address. */
  urlId: string;
  requestId: string;
  receivedAt: Date;
}

/** Media types whose bodies arrive as text, whatever their bytes are; all others are base64. */
const TEXT = /^(?:text\/|application\/(?:json|javascript|xml)\b)/i;

/** Builds the event: names in lower case, lines of one header joined, cookies apart, path and query as sent. Pure. */
export function urlEvent(request: UrlRequest): JsonObject {
  const { method, target, client, requestId, receivedAt, urlId } = request;
  const joined = joinedHeaders(request.headers, client);
  const { cookie, ...headers } = joined;
  const rawQuery = target.query ?? '';
  const parameters = queryParameters(rawQuery);
  const isText = TEXT.test(headers['content-type'] ?? '') && headers['content-encoding'] === undefined;
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: target.path,
    rawQueryString: rawQuery,
    ...(cookie === undefined ? {} : { cookies: cookie.split(';').map((one) => one.trim()) }),
    headers,
    ...(parameters === undefined ? {} : { queryStringParameters: parameters }),
    requestContext: {
      accountId: 'anonymous',
      apiId: urlId,
      // On AWS only the address; here callers also need its port.
      domainName: headers.host ?? '',
      domainPrefix: urlId,
      http: {
        method,
        path: target.path,
        protocol: 'HTTP/1.1',
        sourceIp: client.sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey: '$default',
      stage: '$default',
      time: receivedAt.toUTCString(),
      timeEpoch: receivedAt.getTime(),
    },
    ...(request.body.length === 0 ? {} : { body: request.body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: request.body.length > 0 && !isText,
  };
}

function joinedHeaders(
  pairs: readonly (readonly [string, string])[],
  client: ClientConnection,
): Record<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of keptHeaders(pairs)) {
    const before = joined.get(name.toLowerCase());
    joined.set(name.toLowerCase(), before === undefined ? value : `${before},${value}`);
  }
  const forwarded = joined.get('x-forwarded-for');
  return {
    ...Object.fromEntries(joined),
    'x-forwarded-for': forwarded === undefined ? client.sourceIp : `${forwarded}, ${client.sourceIp}`,
    'x-forwarded-port': String(client.port),
    'x-forwarded-proto': client.protocol,
    'x-amzn-trace-id': client.traceId,
  };
}

function queryParameters(rawQuery: string): Record<string, string> | undefined {
  if (rawQuery === '') return undefined;
  const joined = new Map<string, string>();
  for (const pair of rawQuery.split('&')) {
    const at = pair.indexOf('=');
    const [key, value] = (at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]).map(decodeFormComponent);
    const before = joined.get(key ?? '');
    joined.set(key ?? '', before === undefined ? (value ?? '') : `${before},${value}`);
  }
  return Object.fromEntries(joined);
}
