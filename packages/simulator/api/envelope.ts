import { type HeaderList, jsonResponse, type SimResponse } from '../http/exchange.ts';

/** One API failure in Google's terms. */
export interface ApiFailure {
  code: number;
  reason: string;
  message: string;
  /** `usageLimits` for quota reasons, else `global`, unless named. */
  domain?: string;
  location?: string;
  locationType?: 'parameter' | 'header' | 'other';
  /** `google.rpc` details. */
  details?: unknown[];
}

/** Thrown by API handlers; contains the error that the caller receives. */
export class ApiError extends Error {
  readonly failure: ApiFailure;
  readonly headers: HeaderList;
  constructor(failure: ApiFailure, headers: HeaderList = []) {
    super(failure.message);
    this.failure = failure;
    this.headers = headers;
  }
}

const STATUS_NAMES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ALREADY_EXISTS',
  412: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
};

const USAGE_LIMIT_REASONS = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'sharingRateLimitExceeded',
  'dailyLimitExceeded',
  'quotaExceeded',
  'accessNotConfigured',
]);

/** Google's JSON error envelope; `status` comes with the codes that have a name. */
export function apiErrorResponse(failure: ApiFailure, headers: HeaderList = []): SimResponse {
  const { code, reason, message, location, locationType, details } = failure;
  const domain = failure.domain ?? (USAGE_LIMIT_REASONS.has(reason) ? 'usageLimits' : 'global');
  const status = STATUS_NAMES[code];
  const first = {
    message,
    domain,
    reason,
    ...(location === undefined ? {} : { location, locationType: locationType ?? 'parameter' }),
  };
  const error = {
    code,
    message,
    errors: [first],
    ...(status === undefined ? {} : { status }),
    ...(details === undefined ? {} : { details }),
  };
  return jsonResponse(code, { error }, [...API_HEADERS, ...headers]);
}

/** Header fields that every API answer has. */
export const API_HEADERS: HeaderList = [
  ['Vary', 'Origin'],
  ['Vary', 'X-Origin'],
  ['Vary', 'Referer'],
  ['Cache-Control', 'private'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'SAMEORIGIN'],
  ['X-XSS-Protection', '0'],
  ['Server', 'ESF'],
];

/** 404 `notFound` for a resource. */
export function notFound(what: string, location?: string): ApiError {
  return new ApiError({
    code: 404,
    reason: 'notFound',
    message: what,
    ...(location === undefined ? {} : { location, locationType: 'parameter' }),
  });
}

/** 400 for a parameter, Drive's and Calendar's usual wording. */
export function invalidParameter(location: string, message: string): ApiError {
  return new ApiError({ code: 400, reason: 'invalidParameter', message, location, locationType: 'parameter' });
}

/** 400 for a value that is none of those this server gave out, such as a page token: `invalid`, "Invalid Value". */
export function invalidValue(location: string, message = 'Invalid Value'): ApiError {
  return new ApiError({ code: 400, reason: 'invalid', message, location, locationType: 'parameter' });
}

/** 400 for a request that makes no sense as a whole. */
export function badRequest(message: string): ApiError {
  return new ApiError({ code: 400, reason: 'badRequest', message });
}

/** 501 for something Google has and the simulator has not: a loud gap, never a quiet success. */
export function notImplemented(what: string): ApiError {
  return new ApiError({
    code: 501,
    reason: 'notImplementedBySimulator',
    message: `The simulator does not implement ${what}.`,
  });
}
