import { epochSecNow } from '../core/clock.ts';
import { type HeaderPairs, headerValue, readCapped, type Upstream, UpstreamError } from '../core/http-message.ts';
import { TOKEN_CALL_TIMEOUT_MS, TOKEN_RESPONSE_MAX_BYTES } from '../core/limits.ts';
import type { Clock } from '../core/ports.ts';
import type { ClientCredentials, Integration } from '../integrations/integration.rules.ts';
import type { ClientCredentialsSource, IntegrationStore } from '../integrations/ports.ts';
import type { ProviderEndpoints, ProviderId } from '../providers/provider.rules.ts';
import type { TokenCallResult, TokenEndpoint } from './ports.ts';
import { judgeTokenResponse, type TokenJudgement } from './token-response.rules.ts';

/**
 * Sends OAuth requests: POST, form body, the client's secret by one method only (RFC 6749 sections 2.3.1, 4.1.3 and 6; RFC 7009 section
 * 2.1). `judgeTokenResponse` judges the answer.
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
    exchangeAssertion: (endpoints, assertion, timeoutMs) =>
      post(
        upstream,
        endpoints.tokenEndpoint,
        { form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }, headers: [] },
        Math.min(timeoutMs, TOKEN_CALL_TIMEOUT_MS),
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

/** The outcome of one refresh at the provider, retries included. */
export type TokenCallOutcome =
  | {
      readonly kind: 'judged';
      readonly judgement: TokenJudgement;
      /** A call of the same attempt got no complete answer: the provider may have applied it. */
      readonly ambiguous: boolean;
    }
  | { readonly kind: 'unanswered'; readonly reason: string; readonly ambiguous: boolean }
  /** The integration has no usable OAuth client. */
  | { readonly kind: 'no_credentials' }
  /** The integration uses another OAuth client than the grant's. */
  | { readonly kind: 'client_changed' };

export interface TokenCallDependencies {
  readonly credentials: ClientCredentialsSource;
  readonly integrations: IntegrationStore;
  readonly tokenEndpoint: TokenEndpoint;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
  readonly clock: Clock;
}

/** One attempt's question to the provider. */
export interface TokenCall {
  readonly integration: Integration;
  /** OAuth client the grant was made under. */
  readonly clientId: string;
  readonly refreshToken: string;
  readonly callTimeoutMs: number;
  /** No call starts after this, and none runs past it. */
  readonly untilMs: number;
}

/**
 * Requests new tokens (step 3 of the protocol): at most one retry after a failure without a complete answer. On `invalid_client` the
 * secret is read again and the previous one tried, once each (TK-4), so that a secret can be rotated without downtime.
 */
export async function callTokenEndpoint(deps: TokenCallDependencies, call: TokenCall): Promise<TokenCallOutcome> {
  const found = await findCredentials(deps, call);
  if ('kind' in found) return found;
  const first = await callWithRepeat(deps, call, found.credentials.clientSecret, false);
  if (!isInvalidClient(first)) return first;

  const fresh = await freshCredentials(deps, found.integration, call.clientId);
  if ('kind' in fresh) return fresh;
  const tried = new Set([found.credentials.clientSecret]);
  let last = first;
  for (const secret of [fresh.credentials.clientSecret, fresh.credentials.previousClientSecret]) {
    if (secret === undefined || tried.has(secret)) continue;
    tried.add(secret);
    last = await callWithRepeat(deps, call, secret, last.ambiguous);
    if (!isInvalidClient(last)) return last;
  }
  return last;
}

type Found =
  | { readonly credentials: ClientCredentials; readonly integration: Integration }
  | Exclude<TokenCallOutcome, { readonly kind: 'judged' }>;

/** Cached credentials where they fit the grant; an apparent change of client is confirmed by fresh records. */
async function findCredentials(deps: TokenCallDependencies, call: TokenCall): Promise<Found> {
  try {
    const credentials = await deps.credentials.get(call.integration);
    if (credentials?.clientId === call.clientId) return { credentials, integration: call.integration };
    // The cached settings may be older than the grant, and must not mark a new connection dead.
    const { accountId, integrationId } = call.integration;
    const current = await deps.integrations.get({ accountId, integrationId });
    if (current === undefined) return { kind: 'no_credentials' };
    return await freshCredentials(deps, current, call.clientId);
  } catch {
    return { kind: 'unanswered', reason: 'client_credentials_unavailable', ambiguous: false };
  }
}

async function freshCredentials(
  deps: TokenCallDependencies,
  integration: Integration,
  clientId: string,
): Promise<Found> {
  try {
    const credentials = await deps.credentials.get(integration, { fresh: true });
    if (credentials === undefined) return { kind: 'no_credentials' };
    return credentials.clientId === clientId ? { credentials, integration } : { kind: 'client_changed' };
  } catch {
    return { kind: 'unanswered', reason: 'client_credentials_unavailable', ambiguous: false };
  }
}

async function callWithRepeat(
  deps: TokenCallDependencies,
  call: TokenCall,
  clientSecret: string,
  ambiguousBefore: boolean,
): Promise<Extract<TokenCallOutcome, { readonly ambiguous: boolean }>> {
  const endpoints = deps.endpointsOf(call.integration.provider);
  let ambiguous = ambiguousBefore;
  let reason = 'token_endpoint_timeout';
  for (let attempt = 0; attempt < 2; attempt++) {
    const leftMs = call.untilMs - deps.clock.nowMs();
    if (leftMs <= 0) break;
    const result = await deps.tokenEndpoint.refresh(
      endpoints,
      call.clientId,
      clientSecret,
      call.refreshToken,
      Math.min(call.callTimeoutMs, leftMs),
    );
    if (result.kind === 'answered') {
      const judgement = judgeTokenResponse(result.response, epochSecNow(deps.clock), endpoints.server);
      return { kind: 'judged', judgement, ambiguous };
    }
    ambiguous ||= result.ambiguous;
    reason = result.reason;
  }
  return { kind: 'unanswered', reason, ambiguous };
}

function isInvalidClient(outcome: TokenCallOutcome): boolean {
  return (
    outcome.kind === 'judged' &&
    outcome.judgement.kind === 'client_fault' &&
    outcome.judgement.error === 'invalid_client'
  );
}
