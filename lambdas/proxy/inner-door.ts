import { strangerLine } from '../gateway/calls/call-line.rules.ts';
import { asOwnError } from '../gateway/core/errors.ts';
import type { GatewayResponse } from '../gateway/core/http-message.ts';
import type { CallContext, Clock, Logger } from '../gateway/core/ports.ts';
import { answerAtDoor, type DoorOperations } from '../gateway/forwarding/door-operations.ts';
import { errorResponse, logFailure } from '../gateway/http/middlewares.ts';

interface AnswerDependencies {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly lines: { append(line: string): void };
}

/**
 * The answer to a request by the inner door, refusals included; with its length, by which the asking function knows its end (TB-7). Each
 * leaves one line, because every invocation of the proxy is compared with its line (TB-9).
 */
export async function answerOfDoor(
  { logger, clock, lines }: AnswerDependencies,
  operations: DoorOperations | undefined,
  event: object,
  context: CallContext,
): Promise<GatewayResponse> {
  const { requestId } = context;
  const startedAtMs = clock.nowMs();
  const answer = await answerAtDoor(operations, event, context).catch((thrown: unknown) => {
    // Operations are read later than the bundle, and have error classes of their own.
    const error = asOwnError(thrown);
    logFailure(logger, 'a request by the inner door failed', requestId, error);
    return errorResponse(error, requestId);
  });
  const endedAtMs = clock.nowMs();
  lines.append(strangerLine({ endedAtMs, totalMs: Math.max(0, endedAtMs - startedAtMs) }));
  const { headers, body } = answer;
  if (body !== undefined && !(body instanceof Uint8Array)) return answer;
  return { ...answer, headers: [...headers, ['content-length', String(body?.length ?? 0)]] };
}
