import type { BackgroundCalls } from '../../gateway/calls/background-calls.ts';
import type { Connection } from '../../gateway/connections/connection.rules.ts';
import { findConnection } from '../../gateway/connections/find-connection.ts';
import type { ConnectionStore, UnconfirmedGrantStore } from '../../gateway/connections/ports.ts';
import { refuseAgentic } from '../../gateway/core/agentic.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import {
  type GatewayRequest,
  type HeaderPairs,
  type Upstream,
  UpstreamError,
} from '../../gateway/core/http-message.ts';
import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import { TRY_BUDGET_MS, TRY_RESPONSE_MAX_BYTES } from '../../gateway/core/limits.ts';
import type { Clock, Random, TokenCipher } from '../../gateway/core/ports.ts';
import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import type { AuditTrail } from '../../gateway/events/ports.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import type { IntegrationStore } from '../../gateway/integrations/ports.ts';
import type { ProviderEndpoints, ProviderId, Providers } from '../../gateway/providers/provider.rules.ts';
import { delegatedCall } from '../../gateway/proxying/delegated.rules.ts';
import { proxiedResponseHeaders } from '../../gateway/proxying/headers.rules.ts';
import { upstreamFailure } from '../../gateway/proxying/upstream-failure.rules.ts';
import { planUpstreamRequest, type UpstreamPlan } from '../../gateway/proxying/upstream-request.rules.ts';
import { deadConnection, sendAsUser } from '../../gateway/tokens/access-tokens.ts';
import type { ConnectionRefresher } from '../../gateway/tokens/refresher.ts';
import { requestedTokens } from '../../gateway/tokens/requested-tokens.ts';
import { exchangeWhole, type RequestCount, type WholeAnswer } from '../../gateway/tokens/whole-answer.ts';

export interface TryCallDependencies {
  readonly integrations: IntegrationStore;
  readonly connections: ConnectionStore;
  readonly unconfirmed: Pick<UnconfirmedGrantStore, 'read'>;
  readonly refresher: Pick<ConnectionRefresher, 'refresh'>;
  readonly cipher: TokenCipher;
  readonly upstream: Upstream;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
  readonly providers: Providers;
  readonly baseUrl: string;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly random: Random;
  /** Counts the checks' use of the provider's quotas. */
  readonly checks: Pick<BackgroundCalls, 'made' | 'assertRoom'>;
}

/** A provider's answer as the proxy would return it, its body as text up to a maximum. */
export interface TriedCall {
  readonly status: number;
  readonly headers: HeaderPairs;
  readonly body: string;
  readonly truncated: boolean;
  /** From sending the last attempt to the end of what was read. */
  readonly durationMs: number;
}

/**
 * Makes one GET at the provider as the connection's user, by the proxy's rules for path and query. This is how operators see
 * answers, because their tokens do not work at the proxy (PR-5). The read is in the audit trail first.
 *
 * @param target path and query at the provider, such as `/drive/v3/files?pageSize=3`
 * @throws GatewayError errors of `findConnection`, `planUpstreamRequest` and `refreshNow`, `reauthorization_required`,
 * `quota_reserved`, `upstream_unreachable`, `upstream_timeout`, `upstream_invalid_response`
 */
export async function tryCall(
  deps: TryCallDependencies,
  ref: ConnectionRef,
  target: string,
  request: { readonly requestId: string; readonly actor: string },
): Promise<TriedCall> {
  const deadlineMs = deps.clock.nowMs() + TRY_BUDGET_MS;
  const { connection, integration } = await findConnection(deps, ref);
  refuseAgentic(integration, 'Trying a call out calls REST APIs');
  const plan = planned(deps, target, { connection, integration }, request.requestId);
  if (connection.death !== undefined) throw deadConnection(connection.death);
  const asked = { method: 'GET', target: plan.target };
  const whose = { connection, provider: integration.provider, quota: integration.quota };
  await deps.checks.assertRoom(whose, asked);
  await deps.audit.append(
    newEvent(deps.clock, deps.random, 'ConnectionTried', {
      subject: ref,
      sequence: 0,
      endUserId: connection.endUser?.id,
      requestId: request.requestId,
      actor: request.actor,
    }),
  );
  const { checks, clock, upstream } = deps;
  const counts: RequestCount = { clock, made: (made) => checks.made({ ...whose, ...made }) };
  const sent = await sendAsUser(upstream, requestedTokens(deps, { connection, integration }, request.requestId), {
    async exchange(send) {
      const startedMs = clock.nowMs();
      const limits = { timeoutMs: remaining(deadlineMs - startedMs), maxBytes: TRY_RESPONSE_MAX_BYTES };
      const { origin, method, headers, target: path } = plan;
      const answer = await exchangeWhole(send, { origin, method, path, headers, body: undefined, ...limits }, counts);
      return tried(answer, clock.nowMs() - startedMs);
    },
    isRefused: ({ status }) => status === 401,
  });
  if (sent.kind === 'dead') throw deadConnection(sent.death);
  return { ...sent.answer, headers: proxiedResponseHeaders(sent.answer.headers, request.requestId) };
}

function planned(
  deps: TryCallDependencies,
  target: string,
  { connection, integration }: { readonly connection: Connection; readonly integration: Integration },
  requestId: string,
): UpstreamPlan {
  const queryAt = target.indexOf('?');
  const request: GatewayRequest = {
    method: 'GET',
    rawPath: `/proxy${queryAt < 0 ? target : target.slice(0, queryAt)}`,
    query: queryAt < 0 ? [] : [...new URLSearchParams(target.slice(queryAt + 1))],
    headers: [
      ['accept', 'application/json, */*;q=0.5'],
      ['accept-encoding', 'identity'],
    ],
    body: undefined,
    requestId,
    sourceIp: '',
  };
  return planUpstreamRequest(
    request,
    deps.providers[integration.provider],
    deps.baseUrl,
    deps.endpointsOf(integration.provider),
    delegatedCall(connection, integration),
  );
}

function remaining(ms: number): number {
  if (ms > 0) return ms;
  const message = 'Refreshing the token took all the available time. The call was a read; try again.';
  throw new GatewayError('upstream_timeout', message, { applied: 'no' });
}

/** @throws GatewayError `upstream_unreachable`, `upstream_timeout`, `upstream_invalid_response` */
function tried(answer: WholeAnswer, durationMs: number): TriedCall {
  if (answer.kind === 'answered') {
    const { status, headers, bytes, isCut } = answer;
    // A character that the limit cuts in two is omitted.
    const body = new TextDecoder('utf-8').decode(bytes, { stream: isCut });
    return { status, headers, body, truncated: isCut, durationMs };
  }
  const { error: cause } = answer;
  if (cause instanceof UpstreamError) throw upstreamFailure(cause, 'GET');
  const message = 'The provider broke off in the middle of its answer.';
  throw new GatewayError('upstream_invalid_response', message, { applied: 'no', cause });
}
