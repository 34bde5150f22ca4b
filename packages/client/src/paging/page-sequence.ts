import { UnexpectedAnswerError } from '../errors.ts';
import { queryText, queryValue } from '../http/query.ts';
import type { ProxyAnswer, ProxyCall } from '../proxy/types.ts';

/** A list of the provider, read page by page. */
export interface ListCall extends Omit<ProxyCall, 'data' | 'responseType'> {
  /** Member that holds the entries. @default the first list among `files`, `items`, `changes` and the like */
  itemsKey?: string;
  /** Stop after so many pages. @default all */
  maxPages?: number;
  /** Stop after so many entries; the last page is cut. @default all */
  maxItems?: number;
}

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The whole answer. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Token of the next page; undefined on the last one. */
  readonly nextPageToken: string | undefined;
  /** Where the next synchronization starts: Calendar's `nextSyncToken`, on the last page only. */
  readonly nextSyncToken: string | undefined;
  /** The same of Drive's changes: `newStartPageToken`. */
  readonly newStartPageToken: string | undefined;
}

/** Reads one page. */
export type ReadPage = (call: ProxyCall) => Promise<ProxyAnswer<Readonly<Record<string, unknown>>>>;

const ITEM_KEYS = [
  'files',
  'items',
  'changes',
  'drives',
  'permissions',
  'revisions',
  'comments',
  'replies',
  'labels',
  'apps',
];

/**
 * The pages of a list, requested while they are iterated: leaving the loop requests no more. Each iteration starts at the
 * first page. The tokens are those of the last page that was read.
 */
export class PageSequence<T> implements AsyncIterable<Page<T>> {
  /** Undefined before the first page and after the last one. */
  nextPageToken: string | undefined;
  /** Calendar's token for the next synchronization; known once the last page was read. */
  nextSyncToken: string | undefined;
  /** Drive's token for the next look at changes; known once the last page was read. */
  newStartPageToken: string | undefined;
  readonly #call: ListCall;
  readonly #readPage: ReadPage;

  /** @throws TypeError for limits that are not whole numbers, and for `fields` that would hide the next page */
  constructor(call: ListCall, readPage: ReadPage) {
    checkLimit(call.maxPages, 'maxPages');
    checkLimit(call.maxItems, 'maxItems');
    checkFields(call);
    this.#call = call;
    this.#readPage = readPage;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Page<T>, void, undefined> {
    const { maxPages = Number.POSITIVE_INFINITY, maxItems = Number.POSITIVE_INFINITY, itemsKey, ...call } = this.#call;
    let token: string | undefined;
    let itemCount = 0;
    for (let pages = 0; pages < maxPages && itemCount < maxItems; pages += 1) {
      const { data } = await this.#readPage(token === undefined ? call : { ...call, params: withToken(call, token) });
      const page = readPage<T>(data, itemsKey, maxItems - itemCount);
      itemCount += page.items.length;
      this.nextPageToken = page.nextPageToken;
      this.nextSyncToken = page.nextSyncToken;
      this.newStartPageToken = page.newStartPageToken;
      yield page;
      if (page.nextPageToken === undefined) return;
      if (page.nextPageToken === token) {
        throw new UnexpectedAnswerError('The provider sent the same page token twice; the list would never end.');
      }
      token = page.nextPageToken;
    }
  }
}

function readPage<T>(
  data: Readonly<Record<string, unknown>> | undefined,
  itemsKey: string | undefined,
  maxItems: number,
): Page<T> {
  if (typeof data !== 'object' || data === null) throw new UnexpectedAnswerError('The list answered without JSON.');
  const keys = itemsKey === undefined ? ITEM_KEYS : [itemsKey];
  const key = keys.find((name) => Array.isArray(data[name]));
  const items: readonly T[] = key === undefined ? [] : listOf<T>(data[key]);
  return {
    items: items.length > maxItems ? items.slice(0, maxItems) : items,
    data,
    nextPageToken: token(data.nextPageToken),
    nextSyncToken: token(data.nextSyncToken),
    newStartPageToken: token(data.newStartPageToken),
  };
}

/** The caller declares the entries' type, as for a single response. */
function listOf<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? value : [];
}

function token(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function withToken(call: ProxyCall, pageToken: string): string {
  // The caller's own token says where to start; a second one alongside it would be ambiguous.
  const kept = queryText(call.params)
    .split('&')
    .filter((pair) => pair !== '' && !/^pageToken=/.test(pair));
  return [...kept, `pageToken=${encodeURIComponent(pageToken)}`].join('&');
}

function checkLimit(limit: number | undefined, name: string): void {
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 1)) {
    throw new TypeError(`${name} must be a whole number of at least 1.`);
  }
}

function checkFields({ endpoint, params }: ListCall): void {
  if (/[?&]pageToken=/.test(endpoint)) throw new TypeError('Give pageToken in params, not in the endpoint.');
  const fields = queryValue(queryText(params), 'fields') ?? queryValue(endpoint.split('?')[1] ?? '', 'fields');
  if (fields !== undefined && fields !== '*' && !/\bnextPageToken\b/.test(fields)) {
    throw new TypeError('fields must name nextPageToken: without it the list would end after its first page.');
  }
}
