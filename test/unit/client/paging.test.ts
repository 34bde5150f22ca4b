import { beforeEach, describe, expect, it } from 'vitest';
import { type ListCall, UnexpectedAnswerError } from '../../../packages/client/src/index.ts';
import { json, CALL as list, testStub } from './stub.ts';

const stub = testStub();

/** Three pages of two entries; the last one holds the sync token. */
function threePages(key = 'files'): void {
  stub.answer((request, response) => {
    const token = new URL(request.target, 'http://stub').searchParams.get('pageToken');
    const page = token === null ? 1 : Number(token.slice('page '.length));
    const next =
      page < 3 ? { nextPageToken: `page ${page + 1}` } : { nextSyncToken: 'sync', newStartPageToken: 'start' };
    return json(200, { kind: 'list', [key]: [{ id: `${page}a` }, { id: `${page}b` }], ...next })(request, response);
  });
}

const ALL = ['1a', '1b', '2a', '2b', '3a', '3b'];

function targets(): string[] {
  return stub.arrived.map(({ target }) => target.replace('/v1/proxy/drive/v3/files', ''));
}

async function ids(call: Partial<ListCall> = {}): Promise<string[]> {
  const found = await stub
    .client()
    .items<{ id: string }>({ ...list, ...call })
    .toArray();
  return found.map(({ id }) => id);
}

beforeEach(() => threePages());

describe('pages', () => {
  it('pages follow nextPageToken to the last one, which shows where to synchronize next', async () => {
    const pages = stub.client().pages<{ id: string }>({ ...list, params: { q: 'a b', pageSize: 2 } });
    const seen: string[][] = [];
    for await (const page of pages) {
      expect(page.data.kind).toBe('list');
      seen.push(page.items.map(({ id }) => id));
    }
    expect(seen).toEqual([
      ['1a', '1b'],
      ['2a', '2b'],
      ['3a', '3b'],
    ]);
    expect(pages).toMatchObject({ nextPageToken: undefined, nextSyncToken: 'sync', newStartPageToken: 'start' });
    expect(targets()).toEqual([
      '?q=a%20b&pageSize=2',
      '?q=a%20b&pageSize=2&pageToken=page%202',
      '?q=a%20b&pageSize=2&pageToken=page%203',
    ]);
  });

  it('pages are not requested before they are wanted, nor after the loop is left', async () => {
    const pages = stub.client().pages(list);
    expect(stub.arrived).toEqual([]);
    for await (const page of pages) {
      expect(page.nextPageToken).toBe('page 2');
      break;
    }
    expect(stub.arrived.length).toBe(1);
    expect(pages).toMatchObject({ nextPageToken: 'page 2', nextSyncToken: undefined });
  });

  it('pages begin where the caller says', async () => {
    expect(await ids({ params: { pageToken: 'page 2', q: 'x' } })).toEqual(['2a', '2b', '3a', '3b']);
    expect(targets()).toEqual(['?pageToken=page%202&q=x', '?q=x&pageToken=page%203']);
  });

  it('pages begin again with each loop', async () => {
    const items = stub.client().items<{ id: string }>(list);
    expect((await items.toArray()).length).toBe(6);
    expect((await items.toArray()).length).toBe(6);
  });

  it.each<[Partial<ListCall>, entries: number, pages: number]>([
    [{ maxPages: 2 }, 4, 2],
    [{ maxItems: 1 }, 1, 1],
    [{ maxItems: 2 }, 2, 1],
    [{ maxItems: 3 }, 3, 2],
    [{ maxItems: 5 }, 5, 3],
  ])('pages stop at the limit %j, with no page too many', async (limit, entries, pages) => {
    expect(await ids(limit)).toEqual(ALL.slice(0, entries));
    expect(stub.arrived.length).toBe(pages);
  });

  it.each([
    ...['files', 'items', 'changes', 'permissions'].map((key) => [key, {}] as const),
    ['entries, where the caller says', { itemsKey: 'entries' }] as const,
  ])('pages find the entries in %s', async (key, call) => {
    threePages(key.split(',')[0]);
    expect(await ids(call)).toEqual(ALL);
  });

  it('pages have no entries where a list is empty', async () => {
    stub.answer(json(200, { nextSyncToken: 'sync' }));
    const items = stub.client().items(list);
    expect(await items.toArray()).toEqual([]);
    expect(items.nextSyncToken).toBe('sync');
  });

  it('pages end with an error where the same token comes again', async () => {
    stub.answer(json(200, { files: [], nextPageToken: 'same' }));
    await expect(ids()).rejects.toBeInstanceOf(UnexpectedAnswerError);
    expect(stub.arrived.length).toBe(2);
  });

  it('pages end with the error of the page that fails', async () => {
    stub.answer((request, response) => {
      if (request.target.includes('pageToken'))
        return json(410, { error: { message: 'full sync' } })(request, response);
      return json(200, { files: [{ id: '1a' }], nextPageToken: 'x' })(request, response);
    });
    const items = stub.client().items(list)[Symbol.asyncIterator]();
    expect(await items.next()).toMatchObject({ value: { id: '1a' } });
    await expect(items.next()).rejects.toMatchObject({ status: 410 });
  });

  it('pages end when they are aborted between two requests', async () => {
    const controller = new AbortController();
    const pages = stub
      .client()
      .pages({ ...list, signal: controller.signal })
      [Symbol.asyncIterator]();
    await pages.next();
    controller.abort(new Error('mine'));
    await expect(pages.next()).rejects.toThrow('mine');
    expect(stub.arrived.length).toBe(1);
  });

  it('pages are refused where fields would hide that there are more', () => {
    const pages = (call: Partial<ListCall>) => () => stub.client().pages({ ...list, ...call });
    expect(pages({ params: { fields: 'files(id)' } })).toThrow('nextPageToken');
    expect(pages({ params: { fields: 'files/*' } })).toThrow('nextPageToken');
    expect(pages({ endpoint: '/drive/v3/files?fields=files' })).toThrow('nextPageToken');
    expect(pages({ params: { fields: 'nextPageToken,files(id)' } })).not.toThrow();
    expect(pages({ params: 'fields=*' })).not.toThrow();
  });

  it('pages are refused with limits that are none, and with a token in the endpoint', () => {
    expect(() => stub.client().pages({ ...list, maxPages: 0 })).toThrow(TypeError);
    expect(() => stub.client().items({ ...list, maxItems: 1.5 })).toThrow(TypeError);
    expect(() => stub.client().pages({ ...list, endpoint: '/drive/v3/files?pageToken=x' })).toThrow(TypeError);
  });
});
