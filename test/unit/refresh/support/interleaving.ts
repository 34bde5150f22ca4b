import { sha256Hex } from '../../../../lambdas/gateway/core/identifiers.ts';
import type { Clock } from '../../../../lambdas/gateway/core/ports.ts';

/**
 * Runs several processes one step at a time: every call that leaves a process stops at a stage until it is chosen. A
 * chooser decides who continues, and whether that process dies right after its step has taken effect; undefined ends the run,
 * because all that can follow the state has been played.
 */
export type Chooser = (options: number, state: () => string) => number | undefined;

interface Waiting {
  readonly process: string;
  readonly go: () => void;
}

export class Stage {
  readonly #waiting: Waiting[] = [];
  readonly #crashed = new Set<string>();
  readonly #begun = new Set<string>();
  /** All that each process was answered, and when: what it does next depends on nothing else. */
  readonly #answers = new Map<string, string>();
  readonly #clock: Clock;
  readonly #shared: () => unknown;
  crashes = 0;

  /** @param shared what processes share in addition to the clock, as it is now */
  constructor(clock: Clock, shared: () => unknown) {
    this.#clock = clock;
    this.#shared = shared;
  }

  /** One step of a process: takes effect when chosen, or at once; its result never arrives where the process dies. */
  async step<T>(process: string, effect: () => Promise<T>, waits = true): Promise<T> {
    if (waits) await new Promise<void>((resolve) => this.#waiting.push({ process, go: resolve }));
    const result = effect();
    const answer = await result.catch((error: unknown) => ({ error }));
    const before = this.#answers.get(process);
    this.#answers.set(process, sha256Hex(JSON.stringify([before, this.#clock.nowMs(), answer])));
    return this.#crashed.has(process) ? new Promise<T>(() => {}) : result;
  }

  #state(): string {
    const living = [...this.#answers].filter(([process]) => !this.#crashed.has(process)).sort();
    return sha256Hex(JSON.stringify([this.#shared(), this.#clock.nowMs(), living, [...this.#crashed].sort()]));
  }

  /** Lets processes continue, one by one, until none waits. False where the chooser ended it before. */
  async run(choose: Chooser, maxCrashes: number): Promise<boolean> {
    for (await settle(); this.#waiting.length > 0; await settle()) {
      // A fixed order makes a path mean the same on every replay.
      this.#waiting.sort((a, b) => (a.process < b.process ? -1 : 1));
      const mayCrash = this.crashes < maxCrashes;
      const mayDie = (one: Waiting) => mayCrash && isRefresher(one);
      // Refreshers that have not begun are the same but for their names: which of them begins makes no other path.
      const isUnbegun = (one: Waiting) => isRefresher(one) && !this.#begun.has(one.process);
      const first = this.#waiting.find(isUnbegun)?.process;
      const distinct = this.#waiting.filter((one) => !isUnbegun(one) || one.process === first);
      const options = distinct.flatMap((one) =>
        mayDie(one)
          ? [
              { one, dies: false },
              { one, dies: true },
            ]
          : [{ one, dies: false }],
      );
      const choice = options.length === 1 ? 0 : choose(options.length, () => this.#state());
      if (choice === undefined) return false;
      const chosen = options[choice];
      if (chosen === undefined) throw new Error('The chooser chose nothing');
      this.#waiting.splice(this.#waiting.indexOf(chosen.one), 1);
      this.#begun.add(chosen.one.process);
      if (chosen.dies) {
        this.#crashed.add(chosen.one.process);
        this.crashes++;
      }
      chosen.one.go();
    }
    return true;
  }
}

function isRefresher({ process }: Waiting): boolean {
  return process.startsWith('refresher');
}

/** All promises that can settle have settled. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Every path of a run, depth first: runs `play` once per path and returns how many there were. A path ends where it comes to
 * a state that an earlier one has come to, such as after two steps that do not concern each other, in the other order.
 */
export async function everyPath(play: (choose: Chooser) => Promise<void>): Promise<number> {
  const path: { choice: number; options: number }[] = [];
  const played = new Set<string>();
  for (let count = 1; ; count++) {
    let depth = 0;
    await play((options, state) => {
      const known = path[depth];
      if (known === undefined) {
        const here = state();
        if (played.has(here)) return undefined;
        played.add(here);
        path.push({ choice: 0, options });
      } else if (known.options !== options) throw new Error('A path is not repeatable');
      return path[depth++]?.choice ?? 0;
    });
    while (path.length > 0) {
      const last = path.at(-1);
      if (last !== undefined && ++last.choice < last.options) break;
      path.pop();
    }
    if (path.length === 0) return count;
  }
}
