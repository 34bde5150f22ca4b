/** What ends a request early: the caller's signal or the clock. */
export interface Deadline {
  /** Aborts on either. */
  readonly signal: AbortSignal;
  /** True once the clock ended it. */
  isTimedOut(): boolean;
  /** Takes the clock away; the caller's signal still counts. */
  stopClock(): void;
  /** Lets go of both. */
  release(): void;
}

/** @param timeoutMs 0 sets no clock */
export function openDeadline(timeoutMs: number, callerSignal: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let timedOut = false;
  const timer =
    timeoutMs === 0
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          controller.abort();
        }, timeoutMs);
  const onAbort = (): void => controller.abort(callerSignal?.reason);
  callerSignal?.addEventListener('abort', onAbort, { once: true });
  if (callerSignal?.aborted === true) onAbort();
  return {
    signal: controller.signal,
    isTimedOut: () => timedOut,
    stopClock: () => clearTimeout(timer),
    release() {
      clearTimeout(timer);
      callerSignal?.removeEventListener('abort', onAbort);
    },
  };
}
