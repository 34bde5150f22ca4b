import { answerAtDoor, DOOR_LINES_TYPE, type DoorLine, type DoorOperations, type ReportPart } from '../core/door.ts';
import { asOwnError } from '../core/errors.ts';
import type { GatewayResponse } from '../core/http-message.ts';
import { partsOf } from '../core/parts.ts';
import type { CallContext, Logger } from '../core/ports.ts';
import { errorResponse, logFailure } from './middlewares.ts';

interface AnswerDependencies {
  readonly logger: Logger;
  /** Called when an answer is whole. */
  readonly answered?: () => void;
}

/**
 * The answer to a request by an inner door, refusals included; with its length, by which the asking function finds its end (TB-7). An
 * operation that reports parts is answered in lines, as they come, and its answer is the last of them.
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
  { logger, answered }: AnswerDependencies,
  operations: DoorOperations | undefined,
  event: object,
  context: CallContext,
  report: ReportPart,
): Promise<GatewayResponse> {
  const { requestId } = context;
  const answer = await answerAtDoor(operations, event, context, report).catch((thrown: unknown) => {
    // Operations may be read later than the bundle, and then have error classes of their own.
    const error = asOwnError(thrown);
    logFailure(logger, 'a request by the inner door failed', requestId, error);
    return errorResponse(error, requestId);
  });
  answered?.();
  return answer;
}
