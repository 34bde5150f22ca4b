/** Measured while 200 MB stream down: 8 MiB let memory grow by 45 MB, 4 MiB by 25 MB, 2 MiB by 15 MB. */
const COLLECT_EVERY_BYTES = 4 * 1024 * 1024;

let collect: (() => void) | undefined;

/**
 * Counts the bytes of one streamed body and frees the buffers behind it as it goes. Every read of a socket is a buffer of
 * 64 KB outside V8's heap, and V8 lets 60 to 90 MB of them pile up before it looks: a bare pass-through grows as much. A
 * collection of the young generation, where they all are, takes about half a millisecond.
 */
export function garbageMeter(): (bytes: number) => void {
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
