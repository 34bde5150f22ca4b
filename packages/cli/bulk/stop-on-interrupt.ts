import { note } from '../output.ts';

/**
 * A signal that Ctrl-C (or SIGTERM) gives: what is under way ends and is counted. The second one ends the process at once.
 *
 * @returns `done` takes the listeners away again
 */
export function stopOnInterrupt(): { readonly signal: AbortSignal; done(): void } {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130);
    note('Finishing what has begun, then stopping. Run the same command again to continue.');
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return {
    signal: controller.signal,
    done() {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
    },
  };
}
