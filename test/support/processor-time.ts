/** What {@link readReference} takes on the machine in whose milliseconds the limits of the tests are stated. */
const REFERENCE_MS = 12;

const REFERENCE = `[${'1,'.repeat(400_000)}1]`;

/** The reference: the platform reads 400,000 numbers of a JSON text. */
function readReference(): void {
  JSON.parse(REFERENCE);
}

function spentMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(since);
  return (user + system) / 1000;
}

/**
 * Processor time of this thread that some work takes, against a limit. Iterate over it and do the work once in each turn:
 * `for (const _ of time) work()`. The first turn below the limit is the last. Later turns are measured in alternation with the
 * reference and the least of each is compared, because what else the machine does makes both slower: {@link ms} is then the time on a
 * machine that takes 12 ms for the reference. The reference is repeated for as long as the limit, because some systems
 * count processor time in steps of 4 ms. Turns end after three seconds of processor time, three turns at least.
 */
export class ProcessorTime implements Iterable<void> {
  /** Milliseconds of the work; infinite before the first turn has ended. */
  ms = Number.POSITIVE_INFINITY;
  readonly #limitMs: number;

  /** @param limitMs milliseconds; a turn below it ends the measurement */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  *[Symbol.iterator](): Generator<void, void> {
    const started = process.threadCpuUsage();
    let leastMs = Number.POSITIVE_INFINITY;
    let leastReferenceMs = Number.POSITIVE_INFINITY;
    const repeats = Math.max(1, Math.round(this.#limitMs / REFERENCE_MS));
    for (let turn = 0; this.ms >= this.#limitMs && (turn < 3 || spentMs(started) < 3_000); turn += 1) {
      const before = process.threadCpuUsage();
      yield;
      leastMs = Math.min(leastMs, spentMs(before));
      this.ms = leastMs;
      if (leastMs < this.#limitMs) return;
      const beforeReference = process.threadCpuUsage();
      for (let repeat = 0; repeat < repeats; repeat += 1) readReference();
      leastReferenceMs = Math.min(leastReferenceMs, spentMs(beforeReference) / repeats);
      this.ms = (leastMs / leastReferenceMs) * REFERENCE_MS;
    }
  }
}
