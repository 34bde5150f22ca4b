/** Middlewares of every function behind the front door, in the order of `.use()`: the first one acts last; and the responses to failures. */
import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { ERROR_HEADER, GatewayError, type Problem, type RateStanding } from '../core/errors.ts';
import { canBeCheckedAgain, type GrantDeath, whatHappened } from '../core/grant-death.ts';
import type { GatewayResponse, HeaderPairs } from '../core/http-message.ts';
import { ERROR_ANSWER_MAX_BYTES, ERROR_PROBLEMS_MAX, ERROR_TEXT_MAX_LENGTH } from '../core/limits.ts';
import type { CallContext, Logger } from '../core/ports.ts';
import { bufferedReply } from './front-door.ts';

/** Lambda's context and the call's own. */
export type HandlerContext = Context & CallContext;

type HttpMiddleware<Result, Internal extends Record<string, unknown>> = middy.MiddlewareObj<
  APIGatewayProxyEvent,
  Result,
  Error,
  HandlerContext,
  Internal
>;

/**
 * Passes the handler its `CallContext`, and does not end the function before the work registered by `waitUntil`.
 *
 * @param onStart receives the remaining time of the invocation in milliseconds
 */
export function callContext(
  logger: Logger,
  onStart: (remainingMs: number) => void,
): HttpMiddleware<unknown, { works: Promise<void>[] }> {
  // The loop also covers work that is registered while it waits.
  const allDone = async ({ internal }: { readonly internal: { readonly works: readonly Promise<void>[] } }) => {
    for (const work of internal.works) await work;
  };
  return {
    before(request) {
      onStart(request.context.getRemainingTimeInMillis());
      const { requestId } = request.event.requestContext;
      const works: Promise<void>[] = [];
      request.internal.works = works;
      const own: CallContext = {
        requestId,
        waitUntil(work) {
          if (work === undefined) return;
          works.push(
            work.then(
              () => undefined,
              (error: unknown) => logger.error('work in the background of a call failed', { requestId }, error),
            ),
          );
        },
      };
      Object.assign(request.context, own);
    },
    after: allDone,
    onError: allDone,
  };
}

/** Converts the handler's response into the result of a function that does not stream. */
export function bufferedAnswer(): HttpMiddleware<GatewayResponse | APIGatewayProxyResult, Record<string, unknown>> {
  const reply = (request: { response: GatewayResponse | APIGatewayProxyResult | null | undefined }) => {
    const { response } = request;
    if (response !== undefined && response !== null && 'status' in response) request.response = bufferedReply(response);
  };
  return { after: reply, onError: reply };
}

/** A function's response to a failure; by default the error envelope. */
export type AnswerOfFailure = (
  error: unknown,
  event: APIGatewayProxyEvent,
) => GatewayResponse | Promise<GatewayResponse>;

/**
 * Turns the handler's errors into responses.
 *
 * @param message of the log line
 */
export function errorEnvelope(
  logger: Logger,
  message: string,
  answer: AnswerOfFailure = (error, { requestContext }) => errorResponse(error, requestContext.requestId),
): HttpMiddleware<unknown, { isAnswering?: boolean }> {
  return {
    async onError(request) {
      // A response that has begun can only break off.
      if (request.internal.isAnswering === true) return;
      logFailure(logger, message, request.event.requestContext.requestId, request.error);
      request.response = await answer(request.error, request.event);
    },
  };
}

/** Logs an answered failure: unexpected ones in full, unavailability in one line, refusals not at all. */
export function logFailure(logger: Logger, message: string, requestId: string, error: unknown): void {
  if (!(error instanceof GatewayError)) logger.error(message, { requestId }, error);
  else if (error.status >= 500) logger.warn(message, { requestId, code: error.code, status: error.status });
}

/** Reserved for the rest of an error response: message, diagnosis, request id. */
const ENVELOPE_BYTES = 16 * 1024;

/** Any failure as the error envelope; one without a code reveals only the request id (LG-6). */
export function errorResponse(error: unknown, requestId: string): GatewayResponse {
  const known =
    error instanceof GatewayError
      ? error
      : new GatewayError('internal_error', 'The gateway failed. Its log has the details under this request id.');
  const { shown, leftOut } = shownProblems(known.problems ?? []);
  const body = {
    error: {
      code: known.code,
      message: shortened(known.message),
      status: known.status,
      request_id: requestId,
      ...(known.applied === undefined ? {} : { applied: known.applied }),
      ...(known.problems === undefined ? {} : { errors: shown }),
      ...(leftOut === 0 ? {} : { errors_left_out: leftOut }),
      ...(known.death === undefined ? {} : { connection: deathOnTheWire(known.death) }),
      // JSON leaves out what is undefined.
      ...known.shown,
    },
  };
  return {
    status: known.status,
    headers: [
      ['content-type', 'application/json; charset=utf-8'],
      [ERROR_HEADER, known.code],
      ['cache-control', 'no-store'],
      ['x-content-type-options', 'nosniff'],
      ['x-request-id', requestId],
      ...allowHeader(known),
      ...(known.retryAfterSec === undefined ? [] : [['retry-after', String(known.retryAfterSec)] as const]),
      ...rateLimitHeaders(known.rate),
    ],
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** The methods that a path supports, when another was sent. */
export function allowHeader({ allow }: GatewayError): HeaderPairs {
  return allow === undefined ? [] : [['allow', allow.join(', ')]];
}

/**
 * State of a limit as structured fields (draft-ietf-httpapi-ratelimit-headers-10 sections 2 and 3; the unit of concurrent calls is its
 * `concurrent-requests`).
 */
export function rateLimitHeaders(standing: RateStanding | undefined): HeaderPairs {
  if (standing === undefined) return [];
  const { policy, quota, windowSec, left, resetSec } = standing;
  const per = windowSec === undefined ? 'qu="concurrent-requests"' : `w=${windowSec}`;
  return [
    ['ratelimit-policy', `"${policy}";q=${quota};${per}`],
    ['ratelimit', `"${policy}";r=${left};t=${resetSec}`],
  ];
}

/** A request's problems up to a size that a person can use (DS-9). */
function shownProblems(problems: readonly Problem[]): { readonly shown: readonly Problem[]; readonly leftOut: number } {
  const shown: Problem[] = [];
  let bytesLeft = ERROR_ANSWER_MAX_BYTES - ENVELOPE_BYTES;
  for (const { path, message } of problems.slice(0, ERROR_PROBLEMS_MAX)) {
    const problem = { path: shortened(path), message: shortened(message) };
    bytesLeft -= Buffer.byteLength(JSON.stringify(problem)) + 1;
    if (bytesLeft < 0) break;
    shown.push(problem);
  }
  return { shown, leftOut: problems.length - shown.length };
}

function shortened(text: string): string {
  return text.length <= ERROR_TEXT_MAX_LENGTH ? text : `${text.slice(0, ERROR_TEXT_MAX_LENGTH - 1).toWellFormed()}…`;
}

/** A dead grant in the API's spelling; the response schemas check its type. */
export function deathOnTheWire(death: GrantDeath) {
  return {
    status: death.status,
    cause: death.cause,
    certain: death.certain,
    what_happened: whatHappened(death),
    likely_causes: death.likelyCauses.map(({ cause, likelihood, who, explanation, remedy }) => ({
      cause,
      likelihood,
      who,
      explanation,
      remedy,
    })),
    remedy: death.remedy,
    provider_error: death.providerError,
    can_be_checked_again: canBeCheckedAgain(death),
    since: death.since,
    evidence:
      death.evidence === undefined
        ? null
        : {
            type: death.evidence.type,
            reason: death.evidence.reason ?? null,
            stated_at: death.evidence.statedAt,
          },
  };
}
