import type { IncomingMessage } from 'node:http';
import { garbageMeter } from './collect-garbage.ts';

/**
 * The undecoded bytes of an answer, cut when the provider falls silent. The clock stands while the reader is busy: a slow
 * caller is no fault. What has already arrived is handed over without a turn of the event loop, so that a small answer
 * leaves in the same write as its head; the iterator of a Node stream would take a turn before its end.
 *
 * @throws Error from the iterator when the provider breaks off or falls silent
 */
export async function* responseBody(incoming: IncomingMessage, idleTimeoutMs: number): AsyncGenerator<Uint8Array> {
  const passed = garbageMeter();
  let wake = (): void => {};
  const onEvent = (): void => wake();
  try {
    // Without a listener a broken answer would end like a whole one.
    incoming.on('error', onEvent).on('close', onEvent);
    for (let waits = 0; ; ) {
      const chunk: unknown = incoming.destroyed ? null : incoming.read();
      if (incoming.errored !== null) throw incoming.errored;
      if (chunk instanceof Uint8Array) {
        yield chunk;
        passed(chunk.length);
      } else if (incoming.complete && incoming.readableLength === 0) return;
      else if (incoming.destroyed) throw new Error('The provider broke off in the middle of its answer');
      else {
        if (waits++ === 0) incoming.on('readable', onEvent);
        await moved(incoming, idleTimeoutMs, (resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    // Unread rest of an abandoned body: the connection cannot serve another call.
    if (!incoming.complete) incoming.destroy();
  }
}

/** Resolves when bytes, the end or a failure may be there; destroys an answer that stays silent. */
async function moved(
  incoming: IncomingMessage,
  idleTimeoutMs: number,
  onWake: (resolve: () => void) => void,
): Promise<void> {
  const timer = setTimeout(() => {
    incoming.destroy(new Error('The provider stopped in the middle of its answer'));
  }, idleTimeoutMs);
  await new Promise<void>(onWake);
  clearTimeout(timer);
}
