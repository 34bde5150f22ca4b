/**
 * Runs several processes one step at a time: every call that leaves a process stops at a stage until it is chosen. A
 * chooser decides who goes on, and whether that process dies right after its step has taken effect.
 */
export type Chooser = (options: number) => number;

interface Waiting {
  readonly process: string;
  readonly go: () => void;
}

export class Stage {
  readonly #waiting: Waiting[] = [];
  readonly #crashed = new Set<string>();
  readonly #begun = new Set<string>();
  crashes = 0;

  /** One step of a process: takes effect when chosen; its result never arrives where the process dies. */
  async step<T>(process: string, effect: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => this.#waiting.push({ process, go: resolve }));
    const result = await effect();
    if (this.#crashed.has(process)) return new Promise<T>(() => {});
    return result;
  }

  /** Lets processes go on, one by one, until none waits. */
  async run(choose: Chooser, maxCrashes: number): Promise<void> {
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
      const chosen = options[options.length === 1 ? 0 : choose(options.length)];
      if (chosen === undefined) throw new Error('The chooser chose nothing');
      this.#waiting.splice(this.#waiting.indexOf(chosen.one), 1);
      this.#begun.add(chosen.one.process);
      if (chosen.dies) {
        this.#crashed.add(chosen.one.process);
        this.crashes++;
      }
      chosen.one.go();
    }
  }
}

function isRefresher({ process }: Waiting): boolean {
  return process.startsWith('refresher');
}

/** All promises that can settle have settled. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Every path of a run, depth first: runs `play` once per path and returns how many there were. */
export async function everyPath(play: (choose: Chooser) => Promise<void>): Promise<number> {
  const path: { choice: number; options: number }[] = [];
  for (let count = 1; ; count++) {
    let depth = 0;
    await play((options) => {
      const known = path[depth];
      if (known === undefined) path.push({ choice: 0, options });
      else if (known.options !== options) throw new Error('A path is not repeatable');
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
