import type { Response } from './http.ts';

const THROTTLES = new Set([
  'BandwidthLimitExceeded',
  'EC2ThrottledException',
  'LimitExceededException',
  'PriorRequestNotComplete',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'SlowDown',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  'TransactionInProgressException',
]);
const TIMEOUTS = new Set(['TimeoutError', 'RequestTimeout', 'RequestTimeoutException']);
const NETWORK = new Set([
  ...['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
]);
const OUTAGES = new Set([500, 502, 503, 504]);
const THROTTLE_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 20_000;
/** A service's Retry-After may lengthen a delay by this much. */
const LONGEST_WISH_MS = 5_000;
/** Retry capacity of all calls of a client together, refilled by successes. */
const CAPACITY = 500;
const COST = { THROTTLING: 5, OTHER: 14 };

/** An error with the members that services and Node add. */
export interface Failure extends Error {
  $metadata?: { httpStatusCode?: number; clockSkewCorrected?: boolean; attempts?: number; totalRetryDelay?: number };
  $retryable?: unknown;
  $response?: Response;
  code?: unknown;
}

/** The SDK's description of a failure for its strategy. */
export interface FailureInfo {
  readonly error: Failure;
  readonly errorType: 'THROTTLING' | 'TRANSIENT' | 'CLIENT_ERROR';
  readonly retryAfterHint?: Date;
}

/** State of one request within its call's retries. */
export class RetryToken {
  readonly count: number;
  readonly cost: number;
  readonly delayMs: number;
  constructor(count: number, cost: number, delayMs: number) {
    this.count = count;
    this.cost = cost;
    this.delayMs = delayMs;
  }
}

/** Retries as the SDK's standard mode does: exponential with full jitter, and fewer while most calls fail. */
export class StandardRetries {
  readonly #attempts: number;
  readonly #delayMs: number;
  #capacity = CAPACITY;

  /** @param delayMs the first delay's upper bound, except after a throttle */
  constructor(attempts: number, delayMs: number) {
    this.#attempts = attempts;
    this.#delayMs = delayMs;
  }

  async acquireInitialRetryToken(): Promise<RetryToken> {
    return new RetryToken(0, 1, 0);
  }

  /** Waits until the retry may begin. @throws Error when there is none */
  async refreshRetryTokenForRetry(token: RetryToken, { errorType, retryAfterHint }: FailureInfo): Promise<RetryToken> {
    const cost = errorType === 'THROTTLING' ? COST.THROTTLING : COST.OTHER;
    const isLast = token.count + 1 >= this.#attempts;
    if (errorType === 'CLIENT_ERROR' || isLast || this.#capacity < cost) throw new Error('No retry token available');
    const baseMs = errorType === 'THROTTLING' ? THROTTLE_DELAY_MS : this.#delayMs;
    let delayMs = Math.floor(Math.random() * Math.min(baseMs * 2 ** token.count, LONGEST_DELAY_MS));
    if (retryAfterHint !== undefined) {
      delayMs = Math.max(delayMs, Math.min(retryAfterHint.getTime() - Date.now(), delayMs + LONGEST_WISH_MS));
    }
    this.#capacity -= cost;
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    return new RetryToken(token.count + 1, cost, delayMs);
  }

  recordSuccess(token: RetryToken): void {
    this.#capacity = Math.min(CAPACITY, this.#capacity + token.cost);
  }
}

/** The description of a failure for a strategy. */
export function failureInfo(error: Failure): FailureInfo {
  const isThrottle = error.$metadata?.httpStatusCode === 429 || THROTTLES.has(error.name);
  const hint = retryAfter(error.$response?.headers ?? {});
  const retryAfterHint = hint === undefined || Number.isNaN(hint) ? {} : { retryAfterHint: new Date(hint) };
  return {
    error,
    errorType: isThrottle ? 'THROTTLING' : isTransient(error) ? 'TRANSIENT' : 'CLIENT_ERROR',
    ...retryAfterHint,
  };
}

function isTransient(error: Failure): boolean {
  if (error.name === 'AbortError') return false;
  return (
    error.$retryable !== undefined ||
    error.$metadata?.clockSkewCorrected === true ||
    (error.name === 'InvalidSignatureException' && error.message.includes('Signature expired')) ||
    TIMEOUTS.has(error.name) ||
    NETWORK.has(String(error.code)) ||
    OUTAGES.has(error.$metadata?.httpStatusCode ?? 0) ||
    (error.cause instanceof Error && isTransient(error.cause))
  );
}

/** When a service asks to be called again, in milliseconds since 1970. */
function retryAfter(headers: Response['headers']): number | undefined {
  const { 'retry-after': after, 'x-amz-retry-after': afterMs } = headers;
  if (after !== undefined) return /^\d+(\.\d+)?$/.test(after) ? Date.now() + Number(after) * 1000 : Date.parse(after);
  return afterMs === undefined ? undefined : Date.now() + Number(afterMs);
}
