const FIRST_CAPACITY = 64;

/** Numbers of connections by minute, in the order they were added: what is due, or used, in each minute of a day. */
export class MinuteLists {
  readonly #lists: (Int32Array | undefined)[];
  readonly #lengths: Int32Array;

  constructor(minutes: number) {
    this.#lists = new Array(minutes);
    this.#lengths = new Int32Array(minutes);
  }

  /** Appends; what lies beyond the last minute is forgotten. */
  add(minute: number, connection: number): void {
    if (minute >= this.#lengths.length) return;
    const length = this.#lengths[minute] ?? 0;
    let list = this.#lists[minute] ?? new Int32Array(FIRST_CAPACITY);
    if (length === list.length) {
      const larger = new Int32Array(length * 2);
      larger.set(list);
      list = larger;
    }
    list[length] = connection;
    this.#lists[minute] = list;
    this.#lengths[minute] = length + 1;
  }

  /** What a minute holds by now; a view that the next `add` to that minute may outdate. */
  of(minute: number): Int32Array {
    return (this.#lists[minute] ?? new Int32Array(0)).subarray(0, this.#lengths[minute] ?? 0);
  }

  /** Gives a minute's memory back. */
  clear(minute: number): void {
    this.#lists[minute] = undefined;
    this.#lengths[minute] = 0;
  }
}
