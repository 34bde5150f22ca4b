import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** How often the load is read, milliseconds. */
const SAMPLE_MS = 50;
const PROCESSORS = availableParallelism();

let quietMs = 0;
let sampledAtMs = performance.now();
let isSampling = false;

/** How many programs share each processor now, at least one. Where the system does not report it, the machine counts as quiet. */
function sharing(): number {
  try {
    // Fourth field: what runs or waits for a processor, of all (proc_loadavg(5)).
    const running = Number(/ (\d+)\//.exec(readFileSync('/proc/loadavg', 'latin1'))?.[1] ?? 1);
    return Math.max(1, running / PROCESSORS);
  } catch {
    return 1;
  }
}

/**
 * Milliseconds since some moment, as they would be on a quiet machine: while several programs share a processor, time counts for
 * as much less. An upper bound in this time still fails for what is too slow by itself, and does not fail for a busy machine.
 */
export function quietNowMs(): number {
  if (!isSampling) {
    isSampling = true;
    setInterval(quietNowMs, SAMPLE_MS).unref();
  }
  const nowMs = performance.now();
  quietMs += (nowMs - sampledAtMs) / sharing();
  sampledAtMs = nowMs;
  return quietMs;
}
