import { headerValue } from '../../core/http-message.ts';
import { TOKEN_CALL_TIMEOUT_MS, TOKEN_RESPONSE_MAX_BYTES } from '../../core/limits.ts';
import { readCapped, type Upstream, UpstreamError } from '../../core/upstream.ts';
import type { TokenCallResult, TokenEndpoint } from '../../tokens/ports.ts';

/**
 * Sends OAuth requests: POST, form body, the client's secret in the body and nowhere else (RFC 6749 sections 2.3.1, 4.1.3
 * and 6; RFC 7009 section 2.1). Judging the answer is the domain's.
 */
export function httpTokenEndpoint(upstream: Upstream): TokenEndpoint {
  return {
    refresh: (endpoints, clientId, clientSecret, refreshToken, timeoutMs) =>
      post(
        upstream,
        endpoints.tokenEndpoint,
        {
          grant_type: 'refresh_token',
          refresh_token: refreshToken,
          client_id: clientId,
          client_secret: clientSecret,
        },
        Math.min(timeoutMs ?? TOKEN_CALL_TIMEOUT_MS, TOKEN_CALL_TIMEOUT_MS),
      ),
    exchangeCode: (endpoints, exchange) =>
      post(upstream, endpoints.tokenEndpoint, {
        grant_type: 'authorization_code',
        code: exchange.code,
        redirect_uri: exchange.redirectUri,
        client_id: exchange.clientId,
        client_secret: exchange.clientSecret,
        code_verifier: exchange.codeVerifier,
      }),
    revoke: (endpoints, token) => post(upstream, endpoints.revocationEndpoint, { token }),
  };
}

async function post(
  upstream: Upstream,
  endpoint: string,
  form: Record<string, string>,
  timeoutMs: number = TOKEN_CALL_TIMEOUT_MS,
): Promise<TokenCallResult> {
  const { origin, pathname } = new URL(endpoint);
  try {
    const response = await upstream.send({
      origin,
      method: 'POST',
      path: pathname,
      headers: [
        ['content-type', 'application/x-www-form-urlencoded'],
        ['accept', 'application/json'],
        ['accept-encoding', 'identity'],
      ],
      body: Buffer.from(new URLSearchParams(form).toString()),
      firstByteTimeoutMs: timeoutMs,
      idleTimeoutMs: timeoutMs,
      totalTimeoutMs: timeoutMs,
    });
    const body = await readCapped(response.body, TOKEN_RESPONSE_MAX_BYTES);
    if (body === undefined) return { kind: 'failed', reason: 'token_response_too_large', ambiguous: true };
    return {
      kind: 'answered',
      response: { status: response.status, body, retryAfter: headerValue(response.headers, 'retry-after') },
    };
  } catch (error) {
    if (error instanceof UpstreamError) {
      return { kind: 'failed', reason: `token_endpoint_${error.kind}`, ambiguous: error.sent };
    }
    // The head had arrived, so the request had been applied.
    return { kind: 'failed', reason: 'token_response_cut', ambiguous: true };
  }
}
