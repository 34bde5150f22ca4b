import type { BodyStream, ResponseType } from '../http/answer-body.ts';
import type { ConnectionRef, HeaderInput } from '../http/headers.ts';
import type { QueryParams } from '../http/query.ts';
import type { RequestData } from '../http/request-body.ts';

/** Methods the gateway forwards. */
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One call to the provider through a connection. */
export interface ProxyCall extends ConnectionRef {
  /** Path at the provider, ids percent-encoded, such as `/calendar/v3/calendars/a%40b.example/events`. */
  endpoint: string;
  params?: QueryParams;
  headers?: HeaderInput;
  data?: RequestData;
  /** Repeats inside the gateway, 0 to 5; writes are repeated only where nothing was applied. @default 0 */
  retries?: number;
  /** Statuses that are repeated too, writes included. */
  retryOn?: readonly number[];
  /**
   * `background` for a call without a waiting user: it begins only while less than 70 % of Google's minute is taken, and is refused
   * with `quota_reserved` otherwise.
   *
   * @default 'interactive'
   */
  priority?: 'interactive' | 'background';
  /** Ends the call, and the reading of a stream. */
  signal?: AbortSignal;
  /** Milliseconds until the answer is complete, or until its head arrived for a stream. @default the client's */
  timeoutMs?: number;
  /** @default 'auto' */
  responseType?: ResponseType;
}

/** A call whose method is given with it. */
export interface AnyMethodCall extends ProxyCall {
  /** @default 'GET' */
  method?: Method;
}

/** An answer of the provider. */
export interface ProxyAnswer<Data> {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Data;
}

/**
 * Makes a call. `data` of the response follows `responseType`: a stream, text, an ArrayBuffer, or by default the Content-Type, with
 * JSON of the type that the caller declares. It is undefined for a response without a body.
 */
export interface Send<Call extends ProxyCall> {
  (call: Call & { responseType: 'stream' }): Promise<ProxyAnswer<BodyStream>>;
  (call: Call & { responseType: 'text' }): Promise<ProxyAnswer<string>>;
  (call: Call & { responseType: 'arrayBuffer' }): Promise<ProxyAnswer<ArrayBuffer>>;
  <T = unknown>(call: Call & { responseType?: 'auto' | 'json' }): Promise<ProxyAnswer<T>>;
}
