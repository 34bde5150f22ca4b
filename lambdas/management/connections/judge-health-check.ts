import type { SmallAnswer } from '../../gateway/connections/send-small-request.ts';
import type { ResponsibleParty } from '../../gateway/core/grant-death.ts';

/** What a harmless call says about a connection. `works`: its token is accepted, whatever else is wrong. */
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
    | 'provider_unavailable';
  /** One sentence: what was seen. */
  readonly message: string;
  /** Whose move it is; undefined where nobody has to do anything. */
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
export function judgeHealthCheck(answer: SmallAnswer): HealthJudgement {
  if (answer.kind === 'failed') return unavailable(`The provider could not be asked (${answer.reason}).`);
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
      message: 'The token is accepted; the granted scopes do not cover the call that checks.',
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
        'Ask the user to open calendar.google.com once. Where that shows that the service is off, it is the Workspace administrator’s move: Admin console, Apps, Google Workspace, Calendar.',
    };
  }
  if (status === 401) {
    return {
      works: false,
      reason: 'token_refused',
      message: 'The provider refuses the token although it was refreshed just now.',
      who: 'end_user',
      remedy: 'Try again in a minute; if it stays so, ask the user to connect again.',
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

/** Reasons named anywhere in Google's error envelope; only plain names, because the text may come from anywhere. */
function reasonsOf(text: string): Set<string> {
  const reasons = new Set<string>();
  for (const match of text.matchAll(/"reason"\s*:\s*"([A-Za-z_]{1,64})"/g)) {
    if (match[1] !== undefined && reasons.size < 5) reasons.add(match[1]);
  }
  return reasons;
}
