/**
 * One running piece of work per key: whoever comes while it runs gets its result. An entry goes when the work settles or
 * at its own deadline, whichever is first, so work that never settles holds nobody for ever (F12).
 */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  /** @param onDeadline what everybody waiting gets when the work has not settled in time; its late result is dropped */
  run(key: string, work: () => Promise<T>, deadlineMs: number, onDeadline: () => T): Promise<T> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const result = bounded(work, deadlineMs, onDeadline).finally(() => this.#running.delete(key));
    this.#running.set(key, result);
    return result;
  }
}

async function bounded<T>(work: () => Promise<T>, deadlineMs: number, onDeadline: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(onDeadline()), deadlineMs);
  });
  try {
    return await Promise.race([work(), deadline]);
  } finally {
    clearTimeout(timer);
  }
}
