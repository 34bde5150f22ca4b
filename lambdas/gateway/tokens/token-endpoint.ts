import { type HeaderPairs, headerValue, readCapped, type Upstream, UpstreamError } from '../core/http-message.ts';
import { TOKEN_CALL_TIMEOUT_MS, TOKEN_RESPONSE_MAX_BYTES } from '../core/limits.ts';
import type { ProviderEndpoints } from '../providers/authorization-server.rules.ts';
import type { TokenCallResult, TokenEndpoint } from './ports.ts';

/**
 * Sends OAuth requests: POST, form body, the client's secret by one method and nowhere else (RFC 6749 sections 2.3.1, 4.1.3
 * and 6; RFC 7009 section 2.1). Judging the answer is the domain's.
 */
export function httpTokenEndpoint(upstream: Upstream): TokenEndpoint {
  return {
    refresh: (endpoints, clientId, clientSecret, refreshToken, timeoutMs) =>
      post(
        upstream,
        endpoints.tokenEndpoint,
        authenticated(
          endpoints,
          { clientId, clientSecret },
          { grant_type: 'refresh_token', refresh_token: refreshToken },
        ),
        Math.min(timeoutMs ?? TOKEN_CALL_TIMEOUT_MS, TOKEN_CALL_TIMEOUT_MS),
      ),
    exchangeCode: (endpoints, exchange) =>
      post(
        upstream,
        endpoints.tokenEndpoint,
        authenticated(endpoints, exchange, {
          grant_type: 'authorization_code',
          code: exchange.code,
          redirect_uri: exchange.redirectUri,
          code_verifier: exchange.codeVerifier,
        }),
      ),
    revoke(endpoints, token, client) {
      if (endpoints.revocationEndpoint === undefined) return undefined;
      const form = { token };
      const message = client === undefined ? { form, headers: [] } : authenticated(endpoints, client, form);
      return post(upstream, endpoints.revocationEndpoint, message);
    },
  };
}

interface Message {
  readonly form: Readonly<Record<string, string>>;
  readonly headers: HeaderPairs;
}

/** Form and headers with the client's proof, in the body or as HTTP Basic of form-encoded texts (RFC 6749 section 2.3.1). */
function authenticated(
  { server }: ProviderEndpoints,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
  form: Readonly<Record<string, string>>,
): Message {
  if (server.clientAuthentication !== 'basic') {
    return { form: { ...form, client_id: clientId, client_secret: clientSecret }, headers: [] };
  }
  const encoded = [clientId, clientSecret].map((text) => new URLSearchParams({ '': text }).toString().slice(1));
  return { form, headers: [['authorization', `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`]] };
}

async function post(
  upstream: Upstream,
  endpoint: string,
  { form, headers }: Message,
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
        ...headers,
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
