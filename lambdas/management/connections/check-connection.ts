import type { BackgroundCalls } from '../../gateway/calls/background-calls.ts';
import { findConnection } from '../../gateway/connections/find-connection.ts';
import type { ConnectionStore, UnconfirmedGrantStore } from '../../gateway/connections/ports.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import type { GrantDeath, ResponsibleParty } from '../../gateway/core/grant-death.ts';
import type { Upstream } from '../../gateway/core/http-message.ts';
import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import type { Clock, TokenCipher } from '../../gateway/core/ports.ts';
import type { IntegrationStore } from '../../gateway/integrations/ports.ts';
import type { ProviderEndpoints, ProviderId, Providers } from '../../gateway/providers/provider.rules.ts';
import { assertProviderPath } from '../../gateway/proxying/request-line.rules.ts';
import { originOf } from '../../gateway/proxying/upstream-request.rules.ts';
import { sendAsUser } from '../../gateway/tokens/access-tokens.ts';
import { refreshNow } from '../../gateway/tokens/refresh-now.ts';
import type { ConnectionRefresher } from '../../gateway/tokens/refresher.ts';
import { requestedTokens } from '../../gateway/tokens/requested-tokens.ts';
import {
  exchangeSmall,
  type RequestCount,
  refusesToken,
  type SmallAnswer,
  smallRead,
} from '../../gateway/tokens/whole-answer.ts';

/** The judgement of a harmless call. `works`: its token is accepted, whatever else is wrong. */
export interface HealthJudgement {
  readonly works: boolean;
  readonly reason:
    | 'ok'
    | 'scopes_do_not_cover_check'
    | 'rate_limited'
    | 'api_not_enabled'
    | 'blocked_by_admin'
    | 'service_not_used'
    | 'token_refused'
    | 'refused'
    | 'not_called'
    | 'provider_unavailable';
  /** The observation, in one sentence. */
  readonly message: string;
  /** The party that has to act; undefined where no one has to. */
  readonly who: ResponsibleParty | undefined;
  readonly remedy: string | undefined;
}

const RATE_LIMITS = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'sharingRateLimitExceeded',
  'dailyLimitExceeded',
  'quotaExceeded',
]);

/** Judges a provider's answer to a check (Google, "Resolve errors": status and `errors[].reason`). */
function judgeHealthCheck(answer: SmallAnswer): HealthJudgement {
  if (answer.kind === 'failed') return unavailable(`The provider could not be called (${answer.reason}).`);
  const { status } = answer;
  if (status >= 200 && status < 300) {
    return { works: true, reason: 'ok', message: 'The provider accepted the call.', who: undefined, remedy: undefined };
  }
  if (status >= 500) return unavailable(`The provider answered ${status}.`);
  const reasons = reasonsOf(answer.text);
  const has = (...names: string[]) => names.some((name) => reasons.has(name));
  if (status === 429 || (status === 403 && [...RATE_LIMITS].some((name) => reasons.has(name)))) {
    return {
      works: true,
      reason: 'rate_limited',
      message: "The provider's rate limit is reached; the connection itself is not refused.",
      who: 'developer',
      remedy: 'Call less often, or ask Google for more quota.',
    };
  }
  if (status === 403 && has('insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT')) {
    return {
      works: true,
      reason: 'scopes_do_not_cover_check',
      message: 'The token is accepted, but the granted scopes do not cover the call that checks it.',
      who: undefined,
      remedy: undefined,
    };
  }
  if (status === 403 && has('accessNotConfigured', 'SERVICE_DISABLED')) {
    return {
      works: false,
      reason: 'api_not_enabled',
      message: "The API is not enabled in the OAuth client's Google Cloud project.",
      who: 'developer',
      remedy: 'Enable the API in the Google Cloud console (APIs and services, Library).',
    };
  }
  if (status === 403 && has('domainPolicy')) {
    return {
      works: false,
      reason: 'blocked_by_admin',
      message: "The administrator of the user's domain does not allow this service or app.",
      who: 'workspace_admin',
      remedy: 'Ask the Workspace administrator to allow the app and the service.',
    };
  }
  if (status === 403 && has('notACalendarUser')) {
    return {
      works: false,
      reason: 'service_not_used',
      message:
        'The account has no Google Calendar: its user has never opened it, or the administrator of its organization has turned it off, or has suspended the account.',
      who: 'end_user',
      remedy:
        'Ask the user to open calendar.google.com once. If that shows that the service is off, the Workspace administrator must turn it on: Admin console, Apps, Google Workspace, Calendar.',
    };
  }
  if (status === 401) {
    return {
      works: false,
      reason: 'token_refused',
      message: 'The provider refuses the token although it was refreshed just now.',
      who: 'end_user',
      remedy: 'Try again in a minute; if this continues, ask the user to connect again.',
    };
  }
  return {
    works: false,
    reason: 'refused',
    message: `The provider answered ${status}${reasons.size === 0 ? '' : ` (${[...reasons].join(', ')})`}.`,
    who: 'developer',
    remedy: 'Look the reason up in the documentation of the provider’s API.',
  };
}

function unavailable(message: string): HealthJudgement {
  return {
    works: false,
    reason: 'provider_unavailable',
    message: `${message} Nothing is known about the connection.`,
    who: undefined,
    remedy: 'Try again in a minute.',
  };
}

/** Reasons anywhere in Google's error envelope; only plain names, because the text is not trusted. */
function reasonsOf(text: string): Set<string> {
  const reasons = new Set<string>();
  for (const match of text.matchAll(/"reason"\s*:\s*"([A-Za-z_]{1,64})"/g)) {
    if (match[1] !== undefined && reasons.size < 5) reasons.add(match[1]);
  }
  return reasons;
}

export interface CheckConnectionDependencies {
  readonly integrations: IntegrationStore;
  readonly connections: ConnectionStore;
  readonly unconfirmed: Pick<UnconfirmedGrantStore, 'read'>;
  readonly refresher: Pick<ConnectionRefresher, 'refresh'>;
  readonly cipher: TokenCipher;
  readonly upstream: Upstream;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
  readonly providers: Providers;
  readonly clock: Clock;
  /** Counts the checks' use of the provider's quotas. */
  readonly checks: Pick<BackgroundCalls, 'made' | 'assertRoom'>;
}

/** A connection that was tried out. */
export type CheckResult =
  | { readonly kind: 'judged'; readonly judgement: HealthJudgement; readonly upstreamStatus: number | undefined }
  | { readonly kind: 'dead'; readonly death: GrantDeath }
  /** The gateway could not get a token: the error names the party at fault. */
  | { readonly kind: 'no_token'; readonly error: GatewayError };

/**
 * Makes one harmless call as the connection's user and judges the answer. A refused token is refreshed and tried once
 * more, as for a proxied call.
 *
 * @throws GatewayError `unknown_integration`, `unknown_connection`, `quota_reserved`
 */
export async function checkConnection(
  deps: CheckConnectionDependencies,
  ref: ConnectionRef,
  requestId: string,
): Promise<CheckResult> {
  const found = await findConnection(deps, ref);
  if (found.integration.agentic === true) return checkGrant(deps, found, requestId);
  const provider = deps.providers[found.integration.provider];
  const { healthCheckPath } = provider;
  const path = healthCheckPath.split('?')[0] ?? '';
  const origin = originOf(assertProviderPath(path, provider), deps.endpointsOf(provider.id));
  const request = { method: 'GET', target: healthCheckPath };
  const whose = { connection: found.connection, provider: provider.id, quota: found.integration.quota };
  await deps.checks.assertRoom(whose, request);
  try {
    const { checks, clock, upstream } = deps;
    const counts: RequestCount = { clock, made: (made) => checks.made({ ...whose, ...made }) };
    const sent = await sendAsUser(upstream, requestedTokens(deps, found, requestId), {
      exchange: (send) => exchangeSmall(send, smallRead(origin, healthCheckPath), counts),
      isRefused: refusesToken,
    });
    return sent.kind === 'dead' ? { kind: 'dead', death: sent.death } : judged(sent.answer);
  } catch (error) {
    if (error instanceof GatewayError && error.code !== 'unknown_connection') return { kind: 'no_token', error };
    throw error;
  }
}

/** Of an agentic integration: only the grant is tried, by a refresh. */
async function checkGrant(
  deps: CheckConnectionDependencies,
  { connection, integration }: Awaited<ReturnType<typeof findConnection>>,
  requestId: string,
): Promise<CheckResult> {
  try {
    const refreshed = await refreshNow(deps, connection, integration, true, requestId);
    if (refreshed.kind === 'dead') return { kind: 'dead', death: refreshed.death };
    return { kind: 'judged', judgement: GRANT_WORKS, upstreamStatus: undefined };
  } catch (error) {
    if (error instanceof GatewayError && error.code !== 'unknown_connection') return { kind: 'no_token', error };
    throw error;
  }
}

const GRANT_WORKS: HealthJudgement = {
  works: true,
  reason: 'not_called',
  message:
    'The provider gave a new access token. No API was called: the OAuth client is marked for AI agents, and the gateway sends no REST calls with its tokens.',
  who: undefined,
  remedy: undefined,
};

function judged(answer: SmallAnswer): CheckResult {
  const upstreamStatus = answer.kind === 'answered' ? answer.status : undefined;
  return { kind: 'judged', judgement: judgeHealthCheck(answer), upstreamStatus };
}
