/** Replaces a secret key in the client library; replaced itself before anything is sent. */
export const OPERATOR_PLACEHOLDER = 'operator';

/** The part of a sign-in that calls need. */
export interface TokenSource {
  accessToken(): Promise<string>;
  renew(): Promise<void>;
  end(): void;
}

/**
 * A `fetch` that sends the operator's access token. A call that is refused with 401 was not carried out: it is sent once
 * more with a new token, and when that fails too the sign-in has ended. Calls that carry a token of their own (connect
 * sessions) go out as they are. Cookies are never sent.
 */
export function authorizedFetch(
  tokens: TokenSource,
  send: typeof fetch = (input, init) => globalThis.fetch(input, init),
): (url: string, init: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const headers = new Headers(init.headers);
    // Browsers send their own; a changed one would only lengthen every preflight.
    headers.delete('user-agent');
    const plain: RequestInit = { ...init, headers, credentials: 'omit', cache: 'no-store' };
    if (headers.get('authorization') !== `Bearer ${OPERATOR_PLACEHOLDER}`) return send(url, plain);
    const attempt = async (): Promise<Response> => {
      headers.set('authorization', `Bearer ${await tokens.accessToken()}`);
      return send(url, plain);
    };
    const first = await attempt();
    if (first.status !== 401) return first;
    await tokens.renew();
    const second = await attempt();
    if (second.status === 401) tokens.end();
    return second;
  };
}
