/** What every function behind the front door has around its handler, in the order of its `.use()`: the first acts last. */
import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { GatewayError } from '../core/errors.ts';
import type { GatewayResponse } from '../core/http-message.ts';
import type { CallContext, Logger } from '../core/ports.ts';
import { errorResponse } from './error-response.ts';
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
 * Gives the handler its `CallContext`, and ends the function no earlier than the work handed to `waitUntil`.
 *
 * @param onStart told how many milliseconds the invocation has
 */
export function callContext(
  logger: Logger,
  onStart: (remainingMs: number) => void,
): HttpMiddleware<unknown, { works: Promise<void>[] }> {
  // The loop also reaches work that is handed over while it waits.
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
              (error: unknown) => logger.error('work beside a call failed', { requestId }, error),
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

/** Turns the handler's answer into the result of a function that does not stream. */
export function bufferedAnswer(): HttpMiddleware<GatewayResponse | APIGatewayProxyResult, Record<string, unknown>> {
  const reply = (request: { response: GatewayResponse | APIGatewayProxyResult | null | undefined }) => {
    const { response } = request;
    if (response !== undefined && response !== null && 'status' in response) request.response = bufferedReply(response);
  };
  return { after: reply, onError: reply };
}

/** What a function says of a failure; by default the error envelope. */
export type AnswerOfFailure = (
  error: unknown,
  event: APIGatewayProxyEvent,
) => GatewayResponse | Promise<GatewayResponse>;

/**
 * Turns what the handler throws into an answer.
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
      // An answer that has begun breaks off; it cannot become another.
      if (request.internal.isAnswering === true) return;
      logFailure(logger, message, request.event.requestContext.requestId, request.error);
      request.response = await answer(request.error, request.event);
    },
  };
}

/** Logs a failure that is answered: in full what nobody foresaw, in a line what the gateway could not do, nothing of a refusal. */
export function logFailure(logger: Logger, message: string, requestId: string, error: unknown): void {
  if (!(error instanceof GatewayError)) logger.error(message, { requestId }, error);
  else if (error.status >= 500) logger.warn(message, { requestId, code: error.code, status: error.status });
}
