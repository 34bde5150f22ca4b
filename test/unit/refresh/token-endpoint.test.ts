import { describe, expect, test } from 'vitest';
import {
  type Upstream,
  UpstreamError,
  type UpstreamRequest,
  type UpstreamResponse,
} from '../../../lambdas/gateway/core/http-message.ts';
import { TOKEN_CALL_TIMEOUT_MS, TOKEN_RESPONSE_MAX_BYTES } from '../../../lambdas/gateway/core/limits.ts';
import { httpTokenEndpoint } from '../../../lambdas/gateway/tokens/token-endpoint.ts';
import { endpointsAt, google } from '../support/google.ts';

const POST_CLIENT = endpointsAt({
  tokenEndpoint: 'https://sign-in.example/token',
  revocationEndpoint: 'https://sign-in.example/revoke',
});
const BASIC_CLIENT = { ...POST_CLIENT, server: { ...google, clientAuthentication: 'basic' as const } };
const CLIENT = { clientId: 'client:1', clientSecret: 'se cret%' };

type Answer = Partial<Pick<UpstreamResponse, 'status' | 'headers'>> & { readonly body?: string | Error };

/** An endpoint that is answered this, and the requests that it has sent. */
function endpointWith(answer: Answer | Error = {}) {
  const sent: UpstreamRequest[] = [];
  const upstream: Upstream = {
    async send(request) {
      sent.push(request);
      if (answer instanceof Error) throw answer;
      const { status = 200, headers = [], body = '{}' } = answer;
      async function* bytes() {
        if (body instanceof Error) throw body;
        yield Buffer.from(body);
      }
      return { status, headers, body: bytes(), abandon() {} };
    },
    close() {},
  };
  return { endpoint: httpTokenEndpoint(upstream), sent };
}

const formOf = (request: UpstreamRequest | undefined) =>
  Object.fromEntries(new URLSearchParams(Buffer.from(request?.body ?? []).toString()));

describe('what is sent to the token endpoint', () => {
  const refresh = async (endpoints: typeof POST_CLIENT, timeoutMs?: number) => {
    const { endpoint, sent } = endpointWith();
    await endpoint.refresh(endpoints, CLIENT.clientId, CLIENT.clientSecret, 'refresh&token', timeoutMs);
    return sent;
  };

  test('what is sent to the token endpoint is one POST with a form, the client’s secret in it and nowhere else', async () => {
    const [request, ...others] = await refresh(POST_CLIENT);
    expect(others).toEqual([]);
    expect(request).toMatchObject({ origin: 'https://sign-in.example', method: 'POST', path: '/token' });
    expect(request?.headers).toEqual([
      ['content-type', 'application/x-www-form-urlencoded'],
      ['accept', 'application/json'],
      ['accept-encoding', 'identity'],
    ]);
    expect(formOf(request)).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'refresh&token',
      client_id: 'client:1',
      client_secret: 'se cret%',
    });
  });

  test('what is sent to the token endpoint has the client in HTTP Basic alone, each text encoded as a form’s, where the server wants that', async () => {
    const [request] = await refresh(BASIC_CLIENT);
    const basic = Buffer.from('client%3A1:se+cret%25').toString('base64');
    expect(request?.headers.slice(3)).toEqual([['authorization', `Basic ${basic}`]]);
    expect(formOf(request)).toEqual({ grant_type: 'refresh_token', refresh_token: 'refresh&token' });
  });

  test.each([
    [undefined, TOKEN_CALL_TIMEOUT_MS],
    [1_500, 1_500],
    [TOKEN_CALL_TIMEOUT_MS + 1, TOKEN_CALL_TIMEOUT_MS],
  ])(
    'what is sent to the token endpoint has the time that its caller has left, and never more than its own: %s ms are %s',
    async (timeoutMs, waited) => {
      expect(await refresh(POST_CLIENT, timeoutMs)).toMatchObject([
        { firstByteTimeoutMs: waited, idleTimeoutMs: waited, totalTimeoutMs: waited },
      ]);
    },
  );

  test.each([
    [1_500, 1_500],
    [TOKEN_CALL_TIMEOUT_MS + 1, TOKEN_CALL_TIMEOUT_MS],
  ])('exchanges an assertion, which no client stands behind, in %s ms at most', async (timeoutMs, waited) => {
    const { endpoint, sent } = endpointWith({ body: '{"access_token":"a"}' });
    expect(await endpoint.exchangeAssertion(POST_CLIENT, 'header.claims.signature', timeoutMs)).toMatchObject({
      kind: 'answered',
      response: { status: 200, body: '{"access_token":"a"}' },
    });
    expect(sent).toMatchObject([{ origin: 'https://sign-in.example', path: '/token', totalTimeoutMs: waited }]);
    expect(sent[0]?.headers).toHaveLength(3);
    expect(formOf(sent[0])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: 'header.claims.signature',
    });
  });

  test('exchanges a code with the address and the verifier that belong to it', async () => {
    const { endpoint, sent } = endpointWith();
    const exchange = { ...CLIENT, code: '4/0a', redirectUri: 'https://gateway.example/callback', codeVerifier: 'v' };
    await endpoint.exchangeCode(POST_CLIENT, exchange);
    expect(sent[0]?.path).toBe('/token');
    expect(sent[0]?.totalTimeoutMs).toBe(TOKEN_CALL_TIMEOUT_MS);
    expect(formOf(sent[0])).toEqual({
      grant_type: 'authorization_code',
      code: '4/0a',
      redirect_uri: 'https://gateway.example/callback',
      code_verifier: 'v',
      client_id: 'client:1',
      client_secret: 'se cret%',
    });
  });

  test('revokes a token with the client where one is given, and sends nothing where the server revokes nothing', async () => {
    const { endpoint, sent } = endpointWith();
    await endpoint.revoke(POST_CLIENT, 'token');
    await endpoint.revoke(POST_CLIENT, 'token', CLIENT);
    expect(sent.map(({ path }) => path)).toEqual(['/revoke', '/revoke']);
    expect(sent[0]?.headers).toHaveLength(3);
    expect(sent.map(formOf)).toEqual([
      { token: 'token' },
      { token: 'token', client_id: 'client:1', client_secret: 'se cret%' },
    ]);
    expect(endpoint.revoke({ ...POST_CLIENT, revocationEndpoint: undefined }, 'token')).toBeUndefined();
    expect(sent).toHaveLength(2);
  });
});

describe('what comes of a call of the token endpoint', () => {
  const longest = 'x'.repeat(TOKEN_RESPONSE_MAX_BYTES);
  const answered = (response: object) => ({ kind: 'answered', response });
  const failed = (reason: string, ambiguous: boolean) => ({ kind: 'failed', reason, ambiguous });

  test.each([
    [
      'an answer',
      { status: 429, headers: [['Retry-After', '30']], body: '{"error":"x"}' },
      answered({ status: 429, body: '{"error":"x"}', retryAfter: '30' }),
    ],
    [
      'the longest answer that is read',
      { body: longest },
      answered({ status: 200, body: longest, retryAfter: undefined }),
    ],
    ['a longer one', { body: `${longest}x` }, failed('token_response_too_large', true)],
    ['one that breaks off', { body: new Error('reset') }, failed('token_response_cut', true)],
    [
      'no connection',
      new UpstreamError('unreachable', false, false, undefined),
      failed('token_endpoint_unreachable', false),
    ],
    ['no answer in time', new UpstreamError('timeout', true, false, undefined), failed('token_endpoint_timeout', true)],
  ] as const)(
    'what comes of a call of the token endpoint is %s, and whether the grant may have been used by it',
    async (_, answer, result) => {
      const { endpoint } = endpointWith(answer);
      expect(await endpoint.refresh(POST_CLIENT, CLIENT.clientId, CLIENT.clientSecret, 'token')).toEqual(result);
    },
  );
});
