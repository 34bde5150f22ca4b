import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ListCall, UnexpectedAnswerError } from '../../../client/src/index.ts';
import { CONNECTION, json, type Stub, startStub } from './stub.ts';

let stub: Stub;
beforeAll(async () => {
  stub = await startStub();
});
afterAll(() => stub.close());

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

const list: ListCall = { ...CONNECTION, endpoint: '/drive/v3/files' };
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

beforeEach(() => {
  stub.arrived.length = 0;
  threePages();
});

describe('pages', () => {
  it('follow nextPageToken to the last one, which tells where to synchronize next', async () => {
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

  it('are not requested before they are wanted, nor after the loop is left', async () => {
    const pages = stub.client().pages(list);
    expect(stub.arrived).toEqual([]);
    for await (const page of pages) {
      expect(page.nextPageToken).toBe('page 2');
      break;
    }
    expect(stub.arrived.length).toBe(1);
    expect(pages).toMatchObject({ nextPageToken: 'page 2', nextSyncToken: undefined });
  });

  it('begin where the caller says', async () => {
    expect(await ids({ params: { pageToken: 'page 2', q: 'x' } })).toEqual(['2a', '2b', '3a', '3b']);
    expect(targets()).toEqual(['?pageToken=page%202&q=x', '?q=x&pageToken=page%203']);
  });

  it('begin anew with each loop', async () => {
    const items = stub.client().items<{ id: string }>(list);
    expect((await items.toArray()).length).toBe(6);
    expect((await items.toArray()).length).toBe(6);
  });

  it('stop at a limit of pages', async () => {
    expect(await ids({ maxPages: 2 })).toEqual(ALL.slice(0, 4));
    expect(stub.arrived.length).toBe(2);
  });

  it.each([1, 2, 3, 5])('stop at a limit of %i entries, with no page too many', async (maxItems) => {
    expect(await ids({ maxItems })).toEqual(ALL.slice(0, maxItems));
    expect(stub.arrived.length).toBe(Math.ceil(maxItems / 2));
  });

  it.each(['files', 'items', 'changes', 'permissions'])('find the entries in %s', async (key) => {
    threePages(key);
    expect(await ids()).toEqual(ALL);
  });

  it('find the entries where the caller says', async () => {
    threePages('entries');
    expect(await ids({ itemsKey: 'entries' })).toEqual(ALL);
  });

  it('have no entries where a list is empty', async () => {
    stub.answer(json(200, { nextSyncToken: 'sync' }));
    const items = stub.client().items(list);
    expect(await items.toArray()).toEqual([]);
    expect(items.nextSyncToken).toBe('sync');
  });

  it('end with an error where the same token comes again', async () => {
    stub.answer(json(200, { files: [], nextPageToken: 'same' }));
    await expect(ids()).rejects.toBeInstanceOf(UnexpectedAnswerError);
    expect(stub.arrived.length).toBe(2);
  });

  it('end with the error of the page that fails', async () => {
    stub.answer((request, response) => {
      if (request.target.includes('pageToken'))
        return json(410, { error: { message: 'full sync' } })(request, response);
      return json(200, { files: [{ id: '1a' }], nextPageToken: 'x' })(request, response);
    });
    const seen: unknown[] = [];
    const reading = async (): Promise<void> => {
      for await (const item of stub.client().items(list)) seen.push(item);
    };
    await expect(reading()).rejects.toMatchObject({ status: 410 });
    expect(seen).toEqual([{ id: '1a' }]);
  });

  it('end when they are aborted between two requests', async () => {
    const controller = new AbortController();
    const reading = async (): Promise<void> => {
      for await (const _page of stub.client().pages({ ...list, signal: controller.signal })) {
        controller.abort(new Error('mine'));
      }
    };
    await expect(reading()).rejects.toThrow('mine');
    expect(stub.arrived.length).toBe(1);
  });

  it('are refused where fields would hide that there are more', () => {
    const pages = (call: Partial<ListCall>) => () => stub.client().pages({ ...list, ...call });
    expect(pages({ params: { fields: 'files(id)' } })).toThrow('nextPageToken');
    expect(pages({ params: { fields: 'files/*' } })).toThrow('nextPageToken');
    expect(pages({ endpoint: '/drive/v3/files?fields=files' })).toThrow('nextPageToken');
    expect(pages({ params: { fields: 'nextPageToken,files(id)' } })).not.toThrow();
    expect(pages({ params: 'fields=*' })).not.toThrow();
  });

  it('are refused with limits that are none, and with a token in the endpoint', () => {
    expect(() => stub.client().pages({ ...list, maxPages: 0 })).toThrow(TypeError);
    expect(() => stub.client().items({ ...list, maxItems: 1.5 })).toThrow(TypeError);
    expect(() => stub.client().pages({ ...list, endpoint: '/drive/v3/files?pageToken=x' })).toThrow(TypeError);
  });
});
