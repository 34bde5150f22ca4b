import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GatewayError } from '../core/errors.ts';
import {
  AWS_ANSWER_TIMEOUT_MS,
  AWS_ATTEMPTS,
  AWS_CALLS_END_BEFORE_MS,
  AWS_CONNECT_TIMEOUT_MS,
  AWS_LAST_REPEAT_MS,
} from '../core/limits.ts';

/** Time limits of calls of an AWS service, in milliseconds. */
export interface AwsCallLimits {
  /** Requests of one call, the first included. */
  readonly attempts: number;
  /** Until the connection for one request is established. */
  readonly connectMs: number;
  /** One request, from asking for a connection to the last byte of the answer. */
  readonly answerMs: number;
  /** No retry begins later than this after its call. */
  readonly lastRepeatMs: number;
}

/** For everything that somebody waits for. */
export const AWS_CALL_LIMITS: AwsCallLimits = {
  attempts: AWS_ATTEMPTS,
  connectMs: AWS_CONNECT_TIMEOUT_MS,
  answerMs: AWS_ANSWER_TIMEOUT_MS,
  lastRepeatMs: AWS_LAST_REPEAT_MS,
};

/** The common part of all SDK clients. */
interface AwsClient {
  readonly config: {
    readonly requestHandler: Pick<DynamoDBClient['config']['requestHandler'], 'handle'>;
    retryStrategy: DynamoDBClient['config']['retryStrategy'];
  };
}

/** What the clients of all services are made from here. */
interface AwsClientConfig {
  readonly maxAttempts: number;
  readonly requestHandler: { readonly connectionTimeout: number };
  readonly region?: string;
}

type Handler = AwsClient['config']['requestHandler'];
type RetryStrategy = Extract<
  Awaited<ReturnType<AwsClient['config']['retryStrategy']>>,
  { refreshRetryTokenForRetry: unknown }
>;
type RetryToken = Awaited<ReturnType<RetryStrategy['acquireInitialRetryToken']>>;

/** Deadline of calls of the current invocation, by the monotonic clock: a process serves one at a time. */
let invocationEndsAtMs = Number.POSITIVE_INFINITY;

/**
 * Sets the deadline of an invocation for the clients of this process: their calls end early enough to answer a failure, however
 * many of them there were.
 *
 * @param remainingMs until the function is stopped
 */
export function endCallsWithInvocation(remainingMs: number): void {
  invocationEndsAtMs = performance.now() + remainingMs - AWS_CALLS_END_BEFORE_MS;
}

/**
 * Creates a client of an AWS service whose every call ends. The SDK's own `requestTimeout` only logs a warning, and nothing in it
 * bounds an answer that has begun.
 *
 * @param Client the service's class
 * @param region @default the environment's
 * @param onThrottled called for each request that the service throttles, retried or not
 */
export function awsClient<C extends AwsClient>(
  Client: new (config: AwsClientConfig) => C,
  limits: AwsCallLimits = AWS_CALL_LIMITS,
  region?: string,
  onThrottled: () => void = () => {},
): C {
  const client = new Client({
    maxAttempts: limits.attempts,
    requestHandler: { connectionTimeout: limits.connectMs },
    ...(region === undefined ? {} : { region }),
  });
  endRequests(client.config.requestHandler, limits.answerMs);
  endRepeats(client.config, limits.lastRepeatMs, onThrottled);
  return client;
}

/** Limits the time of each request, and reads the whole answer within it. */
function endRequests(requestHandler: Handler, answerMs: number): void {
  const handle = requestHandler.handle.bind(requestHandler);
  requestHandler.handle = async (request, options = {}) => {
    const ending = new AbortController();
    const timeMs = Math.min(answerMs, invocationEndsAtMs - performance.now());
    const timer = setTimeout(() => ending.abort(timeoutError(timeMs)), Math.max(0, timeMs));
    const caller = 'abortSignal' in options ? options.abortSignal : undefined;
    const onAbort = () => ending.abort(abortError());
    if (caller?.aborted === true) onAbort();
    if (caller instanceof AbortSignal) caller.addEventListener('abort', onAbort, { once: true });
    try {
      ending.signal.throwIfAborted();
      const { response } = await handle(request, { ...options, abortSignal: ending.signal });
      response.body = await readWhole(response.body, ending.signal);
      return { response };
    } catch (error) {
      throw ending.signal.aborted ? ending.signal.reason : error;
    } finally {
      clearTimeout(timer);
      if (caller instanceof AbortSignal) caller.removeEventListener('abort', onAbort);
    }
  };
}

async function readWhole(body: unknown, signal: AbortSignal): Promise<unknown> {
  if (!isStream(body)) return body;
  const onAbort = () => body.destroy(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return Buffer.concat(chunks);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function isStream(body: unknown): body is AsyncIterable<Uint8Array> & { destroy(error: unknown): void } {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body && 'destroy' in body;
}

/** Named as the SDK's, so that it is retried and counts as an outage. */
function timeoutError(timeMs: number): Error {
  const message = `The service gave no whole answer within ${Math.max(0, Math.round(timeMs))} ms`;
  return Object.assign(new Error(message), { name: 'TimeoutError' });
}

/** As the SDK names it: never repeated. */
function abortError(): Error {
  return Object.assign(new Error('Request aborted'), { name: 'AbortError' });
}

/** Prevents retries that would begin too late; the call then fails with its last request's error. */
function endRepeats(config: AwsClient['config'], lastRepeatMs: number, onThrottled: () => void): void {
  const standard = config.retryStrategy;
  let ended: Promise<RetryStrategy> | undefined;
  config.retryStrategy = () => {
    ended ??= standard().then((strategy) => {
      if (!('refreshRetryTokenForRetry' in strategy)) throw new Error('The SDK repeats calls otherwise than expected');
      return endingRepeats(strategy, lastRepeatMs, onThrottled);
    });
    return ended;
  };
}

function endingRepeats(strategy: RetryStrategy, lastRepeatMs: number, onThrottled: () => void): RetryStrategy {
  const latestMs = new WeakMap<RetryToken, number>();
  return {
    async acquireInitialRetryToken(scope) {
      const token = await strategy.acquireInitialRetryToken(scope);
      latestMs.set(token, performance.now() + lastRepeatMs);
      return token;
    },

    /** Waits until the retry may begin, as the SDK's own strategy does. */
    async refreshRetryTokenForRetry(token, info) {
      if (info.errorType === 'THROTTLING') onThrottled();
      const latest = Math.min(latestMs.get(token) ?? 0, invocationEndsAtMs);
      let timer: NodeJS.Timeout | undefined;
      const tooLate = new Promise<never>((_, reject) => {
        const refuse = () => reject(new Error('No time is left to repeat the call'));
        timer = setTimeout(refuse, Math.max(0, latest - performance.now()));
      });
      try {
        const next = await Promise.race([tooLate, strategy.refreshRetryTokenForRetry(token, info)]);
        if (performance.now() >= latest) throw new Error('No time is left to repeat the call');
        latestMs.set(next, latest);
        return next;
      } finally {
        clearTimeout(timer);
      }
    },

    recordSuccess: (token) => strategy.recordSuccess(token),
  };
}

/** Transient client faults: the service is overloaded. */
const THROTTLES = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'ThrottledException',
]);

/**
 * True when a service did not answer, or answered that it is unavailable. Denied rights, failed conditions and malformed requests are
 * no outages, because waiting does not help.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (THROTTLES.has(error.name)) return true;
  // The SDK marks answered errors; an error without a mark never got an answer.
  const fault: unknown = '$fault' in error ? error.$fault : undefined;
  return fault === undefined ? error.name === 'TimeoutError' || 'code' in error : fault === 'server';
}

/** Any client to which this middleware can be added. */
interface ClientWithMiddlewares {
  readonly middlewareStack: {
    add(
      middleware: <Args, Result>(next: (args: Args) => Promise<Result>) => (args: Args) => Promise<Result>,
      options: { readonly step: 'initialize'; readonly name: string; readonly priority: 'high' },
    ): void;
  };
}

/**
 * Turns an outage that outlasted the retries into a 503 with its reason, wherever the service was needed (F45).
 *
 * @param what the service's part of the gateway, such as `its storage`
 */
export function reportOutages(client: ClientWithMiddlewares, what: string): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if (!isOutage(error)) throw error;
        throw new GatewayError('service_unavailable', `The gateway cannot reach ${what} right now. Try again.`, {
          retryAfterSec: 1,
          cause: error,
        });
      }
    },
    { step: 'initialize', name: 'reportOutages', priority: 'high' },
  );
}
