import { note } from '../output.ts';

const REPORT_EVERY_MS = 2_000;

/** Says on standard error how far something is, at most every two seconds. */
export class Progress {
  readonly #what: string;
  #counts: Readonly<Record<string, number>> = {};
  #saidAtMs = Date.now();

  /** @param what such as `revoking` */
  constructor(what: string) {
    this.#what = what;
  }

  /** Records the progress; prints it when it is time. */
  update(counts: Readonly<Record<string, number>>): void {
    this.#counts = counts;
    if (Date.now() - this.#saidAtMs < REPORT_EVERY_MS) return;
    this.#saidAtMs = Date.now();
    this.say();
  }

  /** Says it now. */
  say(): void {
    const parts = Object.entries(this.#counts).map(([name, count]) => `${count} ${name}`);
    if (parts.length > 0) note(`${this.#what}: ${parts.join(', ')}`);
  }
}
