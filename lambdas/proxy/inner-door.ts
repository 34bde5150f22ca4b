import { strangerLine } from '../gateway/calls/call-line.rules.ts';
import { DOOR_LINES_TYPE, type DoorLine } from '../gateway/core/door.ts';
import { asOwnError } from '../gateway/core/errors.ts';
import type { GatewayResponse } from '../gateway/core/http-message.ts';
import { partsOf } from '../gateway/core/parts.ts';
import type { CallContext, Clock, Logger } from '../gateway/core/ports.ts';
import { answerAtDoor, type DoorOperations, type ReportPart } from '../gateway/forwarding/door-operations.ts';
import { errorResponse, logFailure } from '../gateway/http/middlewares.ts';

interface AnswerDependencies {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly lines: { append(line: string): void };
}

/**
 * The answer to a request by the inner door, refusals included; with its length, by which the asking function knows its end (TB-7). An
 * operation that reports parts is answered in lines, as they come, and its answer is the last of them. Each leaves one line, because every
 * invocation of the proxy is compared with its line (TB-9).
 */
export async function answerOfDoor(
  deps: AnswerDependencies,
  operations: DoorOperations | undefined,
  event: object,
  context: CallContext,
): Promise<GatewayResponse> {
  const answered = await partsOf((report: ReportPart) => wholeAnswer(deps, operations, event, context, report));
  if ('parts' in answered) {
    return { status: 200, headers: [['content-type', DOOR_LINES_TYPE]], body: linesOf(answered.parts) };
  }
  const { headers, body } = answered.end;
  if (body !== undefined && !(body instanceof Uint8Array)) return answered.end;
  return { ...answered.end, headers: [...headers, ['content-length', String(body?.length ?? 0)]] };
}

async function* linesOf(parts: AsyncGenerator<unknown, GatewayResponse>): AsyncGenerator<Uint8Array> {
  const bytes = (line: DoorLine) => Buffer.from(`${JSON.stringify(line)}\n`);
  let next = await parts.next();
  for (; next.done !== true; next = await parts.next()) yield bytes({ part: next.value });
  const { status, headers, body = new Uint8Array() } = next.value;
  if (!(body instanceof Uint8Array)) throw new Error('An answer behind parts is whole');
  yield bytes({ end: { status, headers, body: Buffer.from(body).toString('utf8') } });
}

async function wholeAnswer(
  { logger, clock, lines }: AnswerDependencies,
  operations: DoorOperations | undefined,
  event: object,
  context: CallContext,
  report: ReportPart,
): Promise<GatewayResponse> {
  const { requestId } = context;
  const startedAtMs = clock.nowMs();
  const answer = await answerAtDoor(operations, event, context, report).catch((thrown: unknown) => {
    // Operations are read later than the bundle, and have error classes of their own.
    const error = asOwnError(thrown);
    logFailure(logger, 'a request by the inner door failed', requestId, error);
    return errorResponse(error, requestId);
  });
  const endedAtMs = clock.nowMs();
  lines.append(strangerLine({ endedAtMs, totalMs: Math.max(0, endedAtMs - startedAtMs) }));
  return answer;
}
