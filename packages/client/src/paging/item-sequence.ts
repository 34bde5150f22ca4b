import type { PageSequence } from './page-sequence.ts';

/**
 * The entries of a list, one by one; pages are requested as they are needed. Each iteration starts at the first page.
 * The tokens are those of the last page that was read.
 */
export class ItemSequence<T> implements AsyncIterable<T> {
  readonly #pages: PageSequence<T>;

  constructor(pages: PageSequence<T>) {
    this.#pages = pages;
  }

  /** Token of the page after the last one read; undefined when there is none. */
  get nextPageToken(): string | undefined {
    return this.#pages.nextPageToken;
  }

  /** Calendar's token for the next synchronization; known once the last page was read. */
  get nextSyncToken(): string | undefined {
    return this.#pages.nextSyncToken;
  }

  /** Drive's token for the next look at changes; known once the last page was read. */
  get newStartPageToken(): string | undefined {
    return this.#pages.newStartPageToken;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.#pages) yield* page.items;
  }

  /** All entries in one array; a limit of the call still counts. */
  async toArray(): Promise<T[]> {
    const items: T[] = [];
    for await (const item of this) items.push(item);
    return items;
  }
}
