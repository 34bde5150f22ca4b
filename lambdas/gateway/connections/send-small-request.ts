import { type HeaderPairs, readCapped, type Upstream, UpstreamError } from '../core/http-message.ts';
import { CHECK_CALL_TIMEOUT_MS, CHECK_RESPONSE_MAX_BYTES } from '../core/limits.ts';

/** A small answer as text, or the reason why there is none. */
export type SmallAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly headers: HeaderPairs; readonly text: string }
  | { readonly kind: 'failed'; readonly reason: 'unreachable' | 'timeout' | 'invalid_response' };

/** One bounded GET as a connection's user; the token is sent only in the Authorization header (TK-11). */
export async function getAsUser(
  upstream: Upstream,
  origin: string,
  path: string,
  accessToken: string,
): Promise<SmallAnswer> {
  try {
    const response = await upstream.send({
      origin,
      method: 'GET',
      path,
      headers: [
        ['authorization', `Bearer ${accessToken}`],
        ['accept', 'application/json'],
        ['accept-encoding', 'identity'],
      ],
      body: undefined,
      firstByteTimeoutMs: CHECK_CALL_TIMEOUT_MS,
      idleTimeoutMs: CHECK_CALL_TIMEOUT_MS,
      totalTimeoutMs: CHECK_CALL_TIMEOUT_MS,
    });
    const text = await readCapped(response.body, CHECK_RESPONSE_MAX_BYTES);
    if (text === undefined) {
      response.abandon();
      return { kind: 'failed', reason: 'invalid_response' };
    }
    return { kind: 'answered', status: response.status, headers: response.headers, text };
  } catch (error) {
    // An answer that breaks off counts as none.
    return { kind: 'failed', reason: error instanceof UpstreamError ? error.kind : 'unreachable' };
  }
}
