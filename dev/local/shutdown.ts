/** Undoes the start in the opposite order, each part once. */

export interface Cleanup {
  /** Registers what ends a part that has just been started; once the end has begun, such a part ends at once. */
  add(end: () => void | Promise<void>): void;
  /** Runs everything registered, last first; a part that fails does not keep the others from ending. */
  run(): Promise<void>;
}

/** Makes an empty list. */
export function openCleanup(): Cleanup {
  const ends: (() => void | Promise<void>)[] = [];
  let running: Promise<void> | undefined;
  return {
    add(end) {
      if (running === undefined) ends.push(end);
      else running = running.then(() => runAll([end]));
    },
    run() {
      running ??= runAll(ends);
      return running;
    },
  };
}

async function runAll(ends: (() => void | Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'The gateway did not end cleanly.');
}
