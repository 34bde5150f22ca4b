import {
  type HeaderPairs,
  type MadeRequest,
  type Upstream,
  UpstreamError,
  type UpstreamRequest,
} from '../core/http-message.ts';
import { CHECK_CALL_TIMEOUT_MS, CHECK_RESPONSE_MAX_BYTES } from '../core/limits.ts';
import type { Clock } from '../core/ports.ts';
import { type SendOne, sendAsUser, type TokenSource } from './access-tokens.ts';

/** A request of the gateway's own, without its limits and identity. */
export type OwnRequest = Pick<UpstreamRequest, 'origin' | 'method' | 'path' | 'headers' | 'body'>;

/** A request whose answer is read into memory. */
export interface WholeRequest extends OwnRequest {
  /** Milliseconds in which the exchange ends. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** An answer in memory, or the error that took its place. */
export type WholeAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: HeaderPairs;
      readonly bytes: Uint8Array;
      /** The body was longer than the maximum; the rest was dropped. */
      readonly isCut: boolean;
    }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Counts requests to the quota that pays for them. */
export interface RequestCount {
  readonly clock: Clock;
  made(request: MadeRequest): void;
}

/** Sends a request once and reads its answer up to the maximum. @param counts default: the request is not counted */
export async function exchangeWhole(
  send: SendOne,
  { timeoutMs, maxBytes, ...request }: WholeRequest,
  counts?: RequestCount,
): Promise<WholeAnswer> {
  const startedAtMs = counts?.clock.nowMs() ?? 0;
  const answer = await exchanged(send, request, timeoutMs, maxBytes);
  const { method, path: target, body } = request;
  const [status, bytesOut] = answer.kind === 'answered' ? [answer.status, answer.bytes.length] : [undefined, 0];
  counts?.made({ method, target, status, bytesIn: body?.length ?? 0, bytesOut, startedAtMs });
  return answer;
}

async function exchanged(
  send: SendOne,
  request: OwnRequest,
  timeoutMs: number,
  maxBytes: number,
): Promise<WholeAnswer> {
  const limits = { firstByteTimeoutMs: timeoutMs, idleTimeoutMs: timeoutMs, totalTimeoutMs: timeoutMs };
  try {
    const response = await send({ ...request, ...limits });
    const { status, headers } = response;
    const chunks: Uint8Array[] = [];
    let left = maxBytes;
    for await (const chunk of response.body) {
      chunks.push(chunk.subarray(0, left));
      if (chunk.length > left) {
        response.abandon();
        return { kind: 'answered', status, headers, bytes: Buffer.concat(chunks), isCut: true };
      }
      left -= chunk.length;
    }
    return { kind: 'answered', status, headers, bytes: Buffer.concat(chunks), isCut: false };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/** A small answer as text, or the reason why there is none. */
export type SmallAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly headers: HeaderPairs; readonly text: string }
  | { readonly kind: 'failed'; readonly reason: 'unreachable' | 'timeout' | 'invalid_response' };

/** Sends a request of the gateway's own whose answer is small (TK-11). */
export async function exchangeSmall(send: SendOne, request: OwnRequest, counts?: RequestCount): Promise<SmallAnswer> {
  const limits = { timeoutMs: CHECK_CALL_TIMEOUT_MS, maxBytes: CHECK_RESPONSE_MAX_BYTES };
  const answer = await exchangeWhole(send, { ...request, ...limits }, counts);
  if (answer.kind === 'failed') {
    // An answer that breaks off counts as none.
    return { kind: 'failed', reason: answer.error instanceof UpstreamError ? answer.error.kind : 'unreachable' };
  }
  const { status, headers, bytes, isCut } = answer;
  if (isCut) return { kind: 'failed', reason: 'invalid_response' };
  return { kind: 'answered', status, headers, text: Buffer.from(bytes).toString('utf8') };
}

/** Whether a small answer refuses the token. */
export function refusesToken(answer: SmallAnswer): boolean {
  return answer.kind === 'answered' && answer.status === 401;
}

/** A read of JSON. */
export function smallRead(origin: string, path: string): OwnRequest {
  const headers: HeaderPairs = [
    ['accept', 'application/json'],
    ['accept-encoding', 'identity'],
  ];
  return { origin, method: 'GET', path, headers, body: undefined };
}

/** Reads with a token that no stored connection has yet, so no other can take its place. */
export async function readWithToken(
  upstream: Upstream,
  origin: string,
  path: string,
  accessToken: string,
): Promise<SmallAnswer> {
  const tokens: TokenSource<{ readonly accessToken: string }> = {
    first: async () => ({ accessToken }),
    renewed: async () => undefined,
  };
  const { answer } = await sendAsUser(upstream, tokens, {
    exchange: (send) => exchangeSmall(send, smallRead(origin, path)),
    isRefused: refusesToken,
  });
  return answer;
}
