/** A clock that moves when everything else waits for it. */
export class VirtualTime {
  nowMs: number;
  readonly #timers: { readonly atMs: number; readonly wake: () => void }[] = [];

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => this.#timers.push({ atMs: this.nowMs + ms, wake }));
  }

  async run<T>(work: Promise<T>): Promise<T> {
    let result: { readonly value: T } | undefined;
    let failure: unknown;
    void work.then(
      (value) => {
        result = { value };
      },
      (error: unknown) => {
        failure = error;
      },
    );
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (failure !== undefined) throw failure;
      if (result !== undefined) return result.value;
      this.#timers.sort((a, b) => a.atMs - b.atMs);
      const next = this.#timers.shift();
      if (next === undefined) continue;
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.wake();
    }
  }
}
