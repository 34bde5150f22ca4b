import { readCapped, type Upstream } from '../../core/http-message.ts';
import { TOKEN_CALL_TIMEOUT_MS, TOKEN_RESPONSE_MAX_BYTES } from '../../core/limits.ts';

/**
 * Fetches a small public document by the gateway's own way out, with its rules for addresses and TLS.
 *
 * @param url absolute, without a query
 * @returns undefined for a body beyond its maximum
 * @throws UpstreamError without an answer
 */
export async function fetchDocument(
  upstream: Upstream,
  url: string,
): Promise<{ readonly status: number; readonly text: string } | undefined> {
  const { origin, pathname } = new URL(url);
  const response = await upstream.send({
    origin,
    method: 'GET',
    path: pathname,
    headers: [
      ['accept', 'application/json'],
      ['accept-encoding', 'identity'],
    ],
    body: undefined,
    firstByteTimeoutMs: TOKEN_CALL_TIMEOUT_MS,
    idleTimeoutMs: TOKEN_CALL_TIMEOUT_MS,
    totalTimeoutMs: TOKEN_CALL_TIMEOUT_MS,
  });
  const text = await readCapped(response.body, TOKEN_RESPONSE_MAX_BYTES);
  return text === undefined ? undefined : { status: response.status, text };
}
