import { READER_MIN_BYTES_PER_SEC, READER_WINDOW_MS } from '../gateway/core/limits.ts';

/** The caller takes its answer so slowly that it holds a process for next to nothing. */
export class SlowReaderError extends Error {
  constructor() {
    super(`The caller took less than ${READER_MIN_BYTES_PER_SEC} bytes a second of its answer`);
    this.name = 'SlowReaderError';
  }
}

/**
 * How fast a caller takes an answer. Only time in which nothing but the caller is waited for counts, so neither a slow
 * provider nor a pause between two chunks makes a slow reader.
 */
export class ReaderPace {
  #waitedMs = 0;
  #bytes = 0;

  /** How much longer the caller may be waited for before its pace is judged. */
  get untilJudgedMs(): number {
    return READER_WINDOW_MS - this.#waitedMs;
  }

  /** Notes bytes that the caller took, and how long that was waited for. */
  took(bytes: number, waitedMs: number): void {
    this.#bytes += bytes;
    this.#waitedMs = Math.min(this.#waitedMs + waitedMs, READER_WINDOW_MS);
  }

  /** Whether the caller was too slow over the window that has just passed; a new one begins. */
  isTooSlow(): boolean {
    const isTooSlow = this.#bytes < (READER_WINDOW_MS / 1000) * READER_MIN_BYTES_PER_SEC;
    this.#waitedMs = 0;
    this.#bytes = 0;
    return isTooSlow;
  }
}
