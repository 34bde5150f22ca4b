import middy from '@middy/core';
import type { DoorOperations } from '../gateway/core/door.ts';
import { aliasOf, type DoorEvent } from '../gateway/http/front-door.ts';
import { answerOfDoor } from '../gateway/http/inner-door.ts';
import { callContext, errorEnvelope, type HandlerContext } from '../gateway/http/middlewares.ts';
import { type StreamedAnswer, streamedAnswer, streamingExecutionMode } from '../gateway/http/streaming-mode.ts';
import { endCallsWithInvocation } from '../gateway/platform/aws-client.ts';
import { openDoors } from './wiring.ts';

const { logger, doors } = openDoors();
const byAlias: ReadonlyMap<string | undefined, DoorOperations> = new Map(
  doors.map(({ alias, operations }) => [alias, operations]),
);

/** Questions of other functions. By its plain name it does nothing. */
export const handler = middy<DoorEvent, StreamedAnswer, Error, HandlerContext>({
  executionMode: streamingExecutionMode,
})
  .use(callContext(logger, endCallsWithInvocation))
  .use(streamedAnswer())
  .use(errorEnvelope(logger, 'a question failed'))
  .handler(async (event, context) => {
    const operations = byAlias.get(aliasOf(context.invokedFunctionArn));
    return { response: await answerOfDoor({ logger }, operations, event, context) };
  });
