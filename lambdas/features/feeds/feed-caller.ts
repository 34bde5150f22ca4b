import type { Connection } from '../../gateway/connections/connection.rules.ts';
import { epochSecNow } from '../../gateway/core/clock.ts';
import { type HeaderPairs, headerValue, type Upstream, UpstreamError } from '../../gateway/core/http-message.ts';
import type { Clock, TokenCipher } from '../../gateway/core/ports.ts';
import { quotaUserOf } from '../../gateway/integrations/delegation.rules.ts';
import type { ProviderEndpoints, ProviderId } from '../../gateway/providers/provider.rules.ts';
import { sendAsUser, type TokenSource, type UsableToken } from '../../gateway/tokens/access-tokens.ts';
import { accessTokenContext } from '../../gateway/tokens/ciphertexts.rules.ts';
import { tokenFreshness } from '../../gateway/tokens/freshness.rules.ts';
import type { ConnectionRefresher } from '../../gateway/tokens/refresher.ts';
import { exchangeWhole, type RequestCount, type WholeAnswer } from '../../gateway/tokens/whole-answer.ts';
import { judgeRefusal } from './feed-resource.rules.ts';
import { callOf } from './feed-wish.rules.ts';
import { FEED_ANSWER_MAX_BYTES, FEED_CALL_LEAST_MS, FEED_CALL_TIMEOUT_MS } from './limits.rules.ts';
import type { CalledFeed, FeedAnswer, FeedCallCount, FeedCaller } from './ports.ts';

export interface FeedCallerDependencies {
  readonly upstream: Upstream;
  readonly endpointsOf: (provider: ProviderId) => Pick<ProviderEndpoints, 'apiOrigin'>;
  readonly refresher: Pick<ConnectionRefresher, 'refresh'>;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly counted: FeedCallCount;
  /** Where the provider sends messages of channels. */
  readonly inboxAddress: string;
}

/**
 * Calls Google as a connection's user. An expired token is refreshed first; a 401 causes one refresh, as for proxied calls (TK-6).
 * Pulls do not count as use of the connection.
 */
export function feedCaller(deps: FeedCallerDependencies): FeedCaller {
  return {
    async call(called, wish) {
      const { feed, connection, integration } = called;
      const { provider, quota } = integration;
      const call = callOf(feed.resource, wish, { inboxAddress: deps.inboxAddress, nowMs: deps.clock.nowMs() });
      if (call === undefined) throw new Error(`No feed of ${feed.resource.kind} makes this call: ${wish.kind}`);
      const body = call.body === undefined ? undefined : Buffer.from(JSON.stringify(call.body));
      const json: HeaderPairs = body === undefined ? [] : [['content-type', 'application/json']];
      const request = {
        origin: deps.endpointsOf(provider).apiOrigin,
        method: call.method,
        path: call.path,
        headers: [
          ['accept', 'application/json'] as const,
          ['accept-encoding', 'identity'] as const,
          ...quotaUserOf(connection),
          ...json,
        ],
        body,
        maxBytes: FEED_ANSWER_MAX_BYTES,
      };
      const counts: RequestCount = {
        clock: deps.clock,
        made: (made) => deps.counted.made({ connection, provider, quota, ...made }),
      };
      const sent = await sendAsUser(deps.upstream, feedTokens(deps, called), {
        exchange: async (send) => {
          const timeoutMs = timeLeft(deps, called);
          return timeoutMs === undefined
            ? OUT_OF_TIME
            : judged(await exchangeWhole(send, { ...request, timeoutMs }, counts));
        },
        isRefused: (answer) => answer.kind === 'refusal' && answer.refusal === 'unauthorized',
      });
      return sent.kind === 'sent' ? sent.answer : sent;
    },
  };
}

/** Why a pull is not sent. */
type NoToken = Extract<FeedAnswer, { readonly kind: 'dead' | 'unavailable' }>;

const OUT_OF_TIME = { kind: 'unavailable', reason: 'timeout', retryAfterSec: undefined } as const;

/** How long the next request may take; undefined where there is no time for one. */
function timeLeft({ clock }: Pick<FeedCallerDependencies, 'clock'>, { endByMs }: CalledFeed): number | undefined {
  const leftMs = endByMs - clock.nowMs();
  return leftMs < FEED_CALL_LEAST_MS ? undefined : Math.min(FEED_CALL_TIMEOUT_MS, leftMs);
}

function feedTokens(deps: FeedCallerDependencies, called: CalledFeed): TokenSource<UsableToken, NoToken> {
  return {
    async first() {
      const { connection } = called;
      if (tokenFreshness(connection, epochSecNow(deps.clock)) !== 'expired') return unlocked(deps, connection);
      return refreshed(deps, called, connection, {});
    },
    renewed: (refused) => refreshed(deps, called, refused.connection, { afterRefusal: true }),
  };
}

async function refreshed(
  deps: FeedCallerDependencies,
  called: CalledFeed,
  connection: Connection,
  why: { readonly afterRefusal?: true },
): Promise<UsableToken | NoToken> {
  const budgetMs = timeLeft(deps, called);
  if (budgetMs === undefined) return OUT_OF_TIME;
  const outcome = await deps.refresher.refresh(connection, called.integration, {
    wait: true,
    force: false,
    ...why,
    budgetMs,
    requestId: called.requestId,
  });
  switch (outcome.kind) {
    case 'fresh':
      return outcome.accessToken === undefined
        ? unlocked(deps, outcome.connection)
        : { connection: outcome.connection, accessToken: outcome.accessToken };
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

async function unlocked(deps: FeedCallerDependencies, connection: Connection): Promise<UsableToken | NoToken> {
  if (connection.encryptedAccessToken === undefined) return { kind: 'dead' };
  const accessToken = await deps.cipher.decrypt(accessTokenContext(connection), connection.encryptedAccessToken);
  return { accessToken, connection };
}

function judged(answer: WholeAnswer): FeedAnswer {
  if (answer.kind === 'failed') {
    const { error } = answer;
    const reason = error instanceof UpstreamError ? error.kind : 'broken_off';
    return { kind: 'unavailable', reason, retryAfterSec: undefined };
  }
  const { status, headers, bytes, isCut } = answer;
  if (isCut) return { kind: 'unavailable', reason: 'answer_too_large', retryAfterSec: undefined };
  const body = parsed(bytes);
  if (status >= 200 && status < 300) return { kind: 'ok', body };
  const retryAfter = Number(headerValue(headers, 'retry-after'));
  return {
    kind: 'refusal',
    refusal: judgeRefusal(status, body),
    status,
    retryAfterSec: Number.isFinite(retryAfter) && retryAfter > 0 ? Math.min(retryAfter, 3600) : undefined,
  };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}
