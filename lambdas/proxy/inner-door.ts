import { strangerLine } from '../gateway/calls/call-line.rules.ts';
import type { DoorOperations } from '../gateway/core/door.ts';
import type { GatewayResponse } from '../gateway/core/http-message.ts';
import type { CallContext, Clock, Logger } from '../gateway/core/ports.ts';
import { answerOfDoor } from '../gateway/http/inner-door.ts';

interface AnswerDependencies {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly lines: { append(line: string): void };
}

/** The answer to a request by the inner door. Each leaves one line, because every invocation of the proxy is compared with its line (TB-9). */
export function answerWithLine(
  { logger, clock, lines }: AnswerDependencies,
  operations: DoorOperations | undefined,
  event: object,
  context: CallContext,
): Promise<GatewayResponse> {
  const startedAtMs = clock.nowMs();
  const answered = (): void => {
    const endedAtMs = clock.nowMs();
    lines.append(strangerLine({ endedAtMs, totalMs: Math.max(0, endedAtMs - startedAtMs) }));
  };
  return answerOfDoor({ logger, answered }, operations, event, context);
}
