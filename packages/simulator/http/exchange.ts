/** Which of Google's three host groups a request came to. */
export type Origin = 'accounts' | 'token' | 'api';

/** Header fields in order, names spelled as sent. */
export type HeaderList = [name: string, value: string][];

/** What fault switches change inside the handlers; faults of the wire are applied outside them. */
export interface HandlerEffects {
  /** A refresh also returns a new refresh token; `strict` kills the old one at once, `grace` after one more minute. */
  rotateRefreshToken?: 'strict' | 'grace';
  /** A refresh answers with these scopes, separated by spaces, whatever was granted. */
  refreshScope?: string;
  /** The code exchange leaves out the refresh token. */
  omitRefreshToken?: boolean;
  /** The consent ends with this error instead of a code. */
  callbackError?: { error: string; error_description?: string | undefined };
  /** Value of the `iss` callback parameter, or `missing`. */
  iss?: string;
  /** Seconds until a newly issued refresh token ends (time-limited access). */
  refreshTokenExpiresInSec?: number;
}

/** One request as it arrived; `target` and `headers` are raw, `body` is complete. */
export interface SimRequest {
  origin: Origin;
  method: string;
  /** Request target as sent: path and query, nothing decoded. */
  target: string;
  /** The part of `target` before `?`, nothing decoded. */
  path: string;
  query: URLSearchParams;
  headers: HeaderList;
  body: Buffer;
  /** Number under which the recorder keeps it; 0 when it is not recorded. */
  seq: number;
  /** What active fault switches ask the handlers to do differently. */
  effects: HandlerEffects;
}

/** A body of known length made while it is sent, so that large downloads cost no memory. */
export interface ByteSource {
  length: number;
  chunks(): Iterable<Buffer>;
}

/** What goes back: nothing is added to `headers` but Date, Connection and the framing. */
export interface SimResponse {
  status: number;
  headers: HeaderList;
  body: Buffer | ByteSource;
  /** Sent after `body` as it is made; needs `Transfer-Encoding: chunked`. */
  following?: AsyncIterable<Buffer>;
}

/** First value of a header, by case-insensitive name. */
export function headerValue(headers: HeaderList, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return headers.find(([key]) => key.toLowerCase() === wanted)?.[1];
}

/** Media type of a Content-Type header in lower case, without parameters; empty when absent. */
export function mediaType(headers: HeaderList): string {
  return (headerValue(headers, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Splits a raw request target into path and query. */
export function splitTarget(target: string): { path: string; query: URLSearchParams } {
  const mark = target.indexOf('?');
  return mark === -1
    ? { path: target, query: new URLSearchParams() }
    : { path: target.slice(0, mark), query: new URLSearchParams(target.slice(mark + 1)) };
}

/** A JSON answer, indented as Google's APIs and token endpoint do. */
export function jsonResponse(status: number, value: unknown, headers: HeaderList = []): SimResponse {
  return {
    status,
    headers: [['Content-Type', 'application/json; charset=UTF-8'], ...headers],
    body: Buffer.from(`${JSON.stringify(value, null, 2)}\n`),
  };
}

/** An HTML answer that no other page may frame and no cache keeps. */
export function htmlResponse(status: number, html: string): SimResponse {
  return {
    status,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Cache-Control', 'no-store'],
      // form-action stays open: browsers apply it to the redirect that ends the flow, which leaves this origin.
      [
        'Content-Security-Policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
      ],
      ['X-Frame-Options', 'DENY'],
      ['Referrer-Policy', 'no-referrer'],
      ['X-Content-Type-Options', 'nosniff'],
    ],
    body: Buffer.from(html),
  };
}

/** An answer without a body. */
export function emptyResponse(status: number, headers: HeaderList = []): SimResponse {
  return { status, headers, body: Buffer.alloc(0) };
}
