import type { Connection } from '../connections/connection.rules.ts';
import { epochSecNow } from '../core/clock.ts';
import { headerValue, readCapped, type Upstream, UpstreamError } from '../core/http-message.ts';
import { FEED_ANSWER_MAX_BYTES, FEED_CALL_TIMEOUT_MS } from '../core/limits.ts';
import type { Clock, TokenCipher } from '../core/ports.ts';
import { quotaUserOf } from '../integrations/delegation.rules.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import type { ProviderEndpoints, ProviderId } from '../providers/provider.rules.ts';
import { sendRenewing } from '../tokens/access-tokens.ts';
import { accessTokenContext } from '../tokens/ciphertexts.rules.ts';
import { tokenFreshness } from '../tokens/freshness.rules.ts';
import type { ConnectionRefresher } from '../tokens/refresher.ts';
import { type FeedCall, judgeRefusal } from './feed-resource.rules.ts';
import type { FeedAnswer, FeedCallCount, FeedCaller } from './ports.ts';

export interface FeedCallerDependencies {
  readonly upstream: Upstream;
  readonly endpointsOf: (provider: ProviderId) => Pick<ProviderEndpoints, 'apiOrigin'>;
  readonly refresher: Pick<ConnectionRefresher, 'refresh'>;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly counted: FeedCallCount;
}

type Ready = { readonly kind: 'token'; readonly connection: Connection; readonly accessToken: string };

/**
 * Calls Google as a connection's user. An expired token is refreshed first; a 401 causes one refresh, as for proxied calls (TK-6).
 * Pulls do not count as use of the connection.
 */
export function feedCaller(deps: FeedCallerDependencies): FeedCaller {
  return {
    async call(connection, integration, call, requestId) {
      const readied = (current: Connection, renew?: 'after_refusal') =>
        ready(deps, current, integration, renew, requestId);
      const sent = await sendRenewing<Ready | FeedAnswer, FeedAnswer>(
        await readied(connection),
        async (token) => (token.kind === 'token' ? send(deps, token, integration, call) : token),
        (answer) => answer.kind === 'refusal' && answer.refusal === 'unauthorized',
        async (refused) => (refused.kind === 'token' ? readied(refused.connection, 'after_refusal') : undefined),
      );
      return sent.answer;
    },
  };
}

async function ready(
  deps: FeedCallerDependencies,
  connection: Connection,
  integration: Integration,
  renew: 'after_refusal' | undefined,
  requestId: string,
): Promise<Ready | FeedAnswer> {
  const nowEpochSec = epochSecNow(deps.clock);
  if (renew === undefined && tokenFreshness(connection, nowEpochSec) !== 'expired') return unlocked(deps, connection);
  const outcome = await deps.refresher.refresh(connection, integration, {
    wait: true,
    force: false,
    ...(renew === undefined ? {} : { afterRefusal: true }),
    budgetMs: FEED_CALL_TIMEOUT_MS,
    requestId,
  });
  switch (outcome.kind) {
    case 'fresh':
      return outcome.accessToken === undefined
        ? unlocked(deps, outcome.connection)
        : { kind: 'token', connection: outcome.connection, accessToken: outcome.accessToken };
    case 'dead':
      // A lost domain recovers by itself, and its connections with it.
      return outcome.ofDomain === undefined
        ? { kind: 'dead' }
        : { kind: 'unavailable', reason: outcome.death.cause, ...outcome.ofDomain };
    case 'gone':
      return { kind: 'unavailable', reason: 'connection_gone', retryAfterSec: undefined };
    case 'busy':
      return { kind: 'unavailable', reason: 'refresh_in_progress', retryAfterSec: undefined };
    default:
      return { kind: 'unavailable', reason: 'no_access_token', retryAfterSec: outcome.retryAfterSec };
  }
}

async function unlocked(deps: FeedCallerDependencies, connection: Connection): Promise<Ready | FeedAnswer> {
  if (connection.encryptedAccessToken === undefined) return { kind: 'dead' };
  const accessToken = await deps.cipher.decrypt(accessTokenContext(connection), connection.encryptedAccessToken);
  return { kind: 'token', connection, accessToken };
}

async function send(
  deps: FeedCallerDependencies,
  { connection, accessToken }: Ready,
  { provider, quota }: Integration,
  call: FeedCall,
): Promise<FeedAnswer> {
  const body = call.body === undefined ? undefined : Buffer.from(JSON.stringify(call.body));
  const startedAtMs = deps.clock.nowMs();
  const ended = (status: number | undefined, bytesOut: number) => {
    const { method, path: target } = call;
    const bytesIn = body?.length ?? 0;
    deps.counted.made({ connection, provider, quota, method, target, status, bytesIn, bytesOut, startedAtMs });
  };
  try {
    const response = await deps.upstream.send({
      origin: deps.endpointsOf(provider).apiOrigin,
      method: call.method,
      path: call.path,
      headers: [
        ['authorization', `Bearer ${accessToken}`],
        ['accept', 'application/json'],
        ['accept-encoding', 'identity'],
        ...quotaUserOf(connection),
        ...(body === undefined ? [] : [['content-type', 'application/json'] as const]),
      ],
      body,
      firstByteTimeoutMs: FEED_CALL_TIMEOUT_MS,
      idleTimeoutMs: FEED_CALL_TIMEOUT_MS,
      totalTimeoutMs: FEED_CALL_TIMEOUT_MS,
    });
    const text = await readCapped(response.body, FEED_ANSWER_MAX_BYTES);
    ended(response.status, text?.length ?? FEED_ANSWER_MAX_BYTES);
    if (text === undefined) {
      response.abandon();
      return { kind: 'unavailable', reason: 'answer_too_large', retryAfterSec: undefined };
    }
    const answer = parsed(text);
    if (response.status >= 200 && response.status < 300) return { kind: 'ok', body: answer };
    const retryAfter = Number(headerValue(response.headers, 'retry-after'));
    return {
      kind: 'refusal',
      refusal: judgeRefusal(response.status, answer),
      status: response.status,
      retryAfterSec: Number.isFinite(retryAfter) && retryAfter > 0 ? Math.min(retryAfter, 3600) : undefined,
    };
  } catch (error) {
    ended(undefined, 0);
    return {
      kind: 'unavailable',
      reason: error instanceof UpstreamError ? error.kind : 'broken_off',
      retryAfterSec: undefined,
    };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
