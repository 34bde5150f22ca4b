import type { Item } from '../../../../dev/support/expression.ts';
import type { MemoryTable } from '../../../../dev/support/memory-table.ts';

/** What the table holds of one kind, as it is at every question. */
export class StoredRows<T> {
  readonly #memory: MemoryTable;
  readonly #type: string;
  readonly #read: (item: Item) => T;
  readonly #keyOf: (row: T) => string;

  constructor(memory: MemoryTable, type: string, read: (item: Item) => T, keyOf: (row: T) => string) {
    this.#memory = memory;
    this.#type = type;
    this.#read = read;
    this.#keyOf = keyOf;
  }

  get #rows(): Map<string, T> {
    return new Map(
      this.#memory
        .ofType(this.#type)
        .map(this.#read)
        .map((row) => [this.#keyOf(row), row]),
    );
  }

  get size(): number {
    return this.#rows.size;
  }

  get(key: string): T | undefined {
    return this.#rows.get(key);
  }

  keys() {
    return this.#rows.keys();
  }

  values() {
    return this.#rows.values();
  }

  [Symbol.iterator]() {
    return this.#rows[Symbol.iterator]();
  }

  clear(): void {
    for (const item of this.#memory.ofType(this.#type)) this.#memory.delete(item);
  }
}
