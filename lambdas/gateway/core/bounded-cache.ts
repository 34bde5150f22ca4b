/** A map that forgets its oldest entry when full and any entry past its age. Ages are judged by the clock handed in. */
export class BoundedCache<V> {
  readonly #entries = new Map<string, { readonly value: V; readonly untilMs: number }>();
  readonly #maxEntries: number;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(key: string, nowMs: number): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.untilMs > nowMs) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: V, untilMs: number): void {
    this.#entries.delete(key);
    if (this.#entries.size >= this.#maxEntries) {
      const oldest = this.#entries.keys().next();
      if (oldest.done !== true) this.#entries.delete(oldest.value);
    }
    this.#entries.set(key, { value, untilMs });
  }

  /** Replaces a value without making it live longer. */
  update(key: string, value: V): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#entries.set(key, { value, untilMs: entry.untilMs });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
