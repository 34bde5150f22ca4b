import { FEATURE_ERRORS } from '../../features/index.ts';
import type { GrantDeath } from './grant-death.ts';

/** Every error code of the gateway itself, and its HTTP status. Permanent conditions are never 408, 429 or 5xx. */
export const ERROR_STATUS = {
  invalid_headers: 400,
  invalid_path: 400,
  invalid_query_params: 400,
  invalid_body: 400,
  missing_auth_header: 401,
  invalid_secret_key: 401,
  invalid_session_token: 401,
  invalid_operator_token: 401,
  key_expired: 401,
  unknown_role: 401,
  path_not_allowed: 403,
  forbidden: 403,
  limited_by_key: 403,
  agentic_integration: 403,
  subject_not_allowed: 403,
  unknown_method: 403,
  approval_required: 403,
  approval_impossible: 403,
  budget_spent: 403,
  ...FEATURE_ERRORS,
  recent_sign_in_required: 403,
  second_factor_required: 403,
  unknown_integration: 404,
  unknown_connection: 404,
  not_found: 404,
  not_supported: 404,
  method_not_allowed: 405,
  conflict: 409,
  confirmation_required: 409,
  account_not_known: 409,
  request_in_progress: 409,
  answer_not_kept: 409,
  request_too_large: 413,
  idempotency_key_reused: 422,
  reauthorization_required: 424,
  integration_credentials_rejected: 424,
  rate_limited: 429,
  quota_reserved: 429,
  internal_error: 500,
  upstream_unreachable: 502,
  upstream_invalid_response: 502,
  service_unavailable: 503,
  token_refresh_unavailable: 503,
  upstream_timeout: 504,
} as const;

export type GatewayErrorCode = keyof typeof ERROR_STATUS;

/** One problem of a request: its place and what to do. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/**
 * Whether the provider may have acted on a call that failed: `no` when nothing was sent or nothing could change, `unknown` when
 * the answer was lost.
 */
export type Applied = 'no' | 'unknown';

/** Problems shown to end users on the pages of connecting, by the name of their texts. */
export type EndUserProblem =
  | 'link_not_valid'
  | 'link_expired'
  | 'link_not_confirmed'
  | 'link_used'
  | 'link_started_elsewhere'
  | 'link_started_too_often'
  | 'link_outdated'
  | 'connection_deleted'
  | 'too_many'
  | 'app_not_ready'
  | 'foreign_page';

/** State of a limit of the gateway's own, for a caller. */
export interface RateStanding {
  /** Name of the limit. */
  readonly policy: string;
  /** Most uses in a window, or at the same time. */
  readonly quota: number;
  /** Length of the window in seconds; undefined: the limit is of calls at the same time. */
  readonly windowSec: number | undefined;
  readonly left: number;
  /** Seconds until there is room again. */
  readonly resetSec: number;
}

/** The limit that refuses a call, in the error's details: a limit of a key, a budget, or the reserve for interactive calls. */
export interface LimitStanding {
  readonly name: string;
  /** For background calls: the holder of the provider's quota that has no room. */
  readonly scope?: 'project' | 'user';
  /** For background calls: the units of the call. */
  readonly units?: number;
  /** The provider's method that may not be called. */
  readonly method?: string;
  /** The part of the request that makes it impossible to approve: a parameter, a member of the body or a header. */
  readonly member?: string;
  /** The key's allowed values, as configured. */
  readonly allowed?: readonly string[];
  readonly denied?: readonly string[];
  /** For a budget: all of it, what is left, and when all of it is available again, ISO 8601. */
  readonly most?: number;
  readonly left?: number;
  readonly resets_at?: string;
}

export interface GatewayErrorDetails {
  /** All problems of the request at once. */
  readonly problems?: readonly Problem[];
  /** Why the connection cannot be used and who can fix it. */
  readonly death?: GrantDeath;
  /** Seconds after which the same request may succeed. */
  readonly retryAfterSec?: number;
  /** The limit that was reached. */
  readonly rate?: RateStanding;
  /** The limit of the secret key that refuses the call. */
  readonly limit?: LimitStanding;
  /** More members of the response, described in the feature's `described-error.ts`. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Of a failed call to the provider. */
  readonly applied?: Applied;
  /** Text for end users instead of the message. */
  readonly forEndUser?: EndUserProblem;
  /** Methods that the path takes. */
  readonly allow?: readonly string[];
  readonly cause?: unknown;
}

/** A failure with a stable code: the only error type that becomes its own response; any other error is `internal_error`. */
export class GatewayError extends Error {
  readonly code: GatewayErrorCode;
  readonly status: number;
  readonly problems: readonly Problem[] | undefined;
  readonly death: GrantDeath | undefined;
  readonly retryAfterSec: number | undefined;
  readonly rate: RateStanding | undefined;
  readonly limit: LimitStanding | undefined;
  readonly members: Readonly<Record<string, unknown>> | undefined;
  readonly applied: Applied | undefined;
  readonly forEndUser: EndUserProblem | undefined;
  readonly allow: readonly string[] | undefined;

  constructor(code: GatewayErrorCode, message: string, details: GatewayErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'GatewayError';
    this.code = code;
    this.status = ERROR_STATUS[code];
    this.problems = details.problems;
    this.death = details.death;
    this.retryAfterSec = details.retryAfterSec;
    this.rate = details.rate;
    this.limit = details.limit;
    this.members = details.members;
    this.applied = details.applied;
    this.forEndUser = details.forEndUser;
    this.allow = details.allow;
  }

  /** Details that a response shows as they are. */
  get shown(): Readonly<Record<string, unknown>> {
    return { limit: this.limit, ...this.members };
  }
}

/** Header that marks every response of the gateway itself; the provider's never have it (PR-8). */
export const ERROR_HEADER = 'x-gateway-error';

/** Whether an error is one of these, by its name, because lazily loaded modules have a class of their own. */
export function isGatewayError(error: unknown): error is GatewayError {
  return error instanceof Error && error.name === 'GatewayError';
}

/** An error of a lazily loaded module as the bundle's own class, from which responses are made. */
export function asOwnError(error: unknown): unknown {
  if (!isGatewayError(error) || error instanceof GatewayError) return error;
  const foreign: GatewayError = error;
  return Object.assign(new GatewayError(foreign.code, foreign.message), foreign);
}

/**
 * The refusal of a method that a path does not support. @param allow the supported ones, which the response must name (RFC 9110 section
 * 15.5.6)
 */
export function wrongMethod(message: string, allow: readonly string[]): GatewayError {
  return new GatewayError('method_not_allowed', message, { allow });
}

/** A refusal that lists every problem found. */
export function refusal(
  code: 'invalid_headers' | 'invalid_query_params' | 'invalid_body',
  problems: readonly Problem[],
): GatewayError {
  const first = problems[0];
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more, see errors)` : '';
  return new GatewayError(code, first ? `${first.path}: ${first.message}${more}` : 'The request is not valid.', {
    problems,
  });
}
