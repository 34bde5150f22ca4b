import type { IncomingMessage } from 'node:http';

/** Measured while 200 MB stream down: 8 MiB let memory grow by 45 MB, 4 MiB by 25 MB, 2 MiB by 15 MB. */
const COLLECT_EVERY_BYTES = 4 * 1024 * 1024;

let collect: (() => void) | undefined;

/**
 * Counts the bytes of one streamed body and frees the buffers behind it as it goes. Every read of a socket is a buffer of
 * 64 KB outside V8's heap, and V8 lets 60 to 90 MB of them pile up before it looks: a bare pass-through grows as much. A
 * collection of the young generation, where they all are, takes about half a millisecond.
 */
function bufferCollector(): (bytes: number) => void {
  let uncollectedBytes = 0;
  return (bytes) => {
    uncollectedBytes += bytes;
    if (uncollectedBytes < COLLECT_EVERY_BYTES) return;
    uncollectedBytes = 0;
    collect ??= youngCollector();
    collect();
  };
}

/** V8's own collector; nothing where this Node does not hand it out. */
function youngCollector(): () => void {
  // Loaded here, because no start of a function needs them.
  process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc');
  const gc: unknown = process.getBuiltinModule('node:vm').runInNewContext('gc');
  return typeof gc === 'function' ? () => gc({ type: 'minor' }) : () => {};
}

/**
 * The undecoded bytes of an answer, cut when the provider falls silent. The clock stands while the reader is busy: a slow
 * caller is no fault. What has already arrived is handed over without a turn of the event loop, so that a small answer
 * leaves in the same write as its head; the iterator of a Node stream would take a turn before its end.
 *
 * @throws Error from the iterator when the provider breaks off or falls silent
 */
export async function* responseBody(incoming: IncomingMessage, idleTimeoutMs: number): AsyncGenerator<Uint8Array> {
  const passed = bufferCollector();
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
