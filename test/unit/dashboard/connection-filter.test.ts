import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as filters from '../../../packages/dashboard/src/model/connection-filter.ts';

const { isFiltering, LIST_SORTS, NO_FILTER, readFilter, readPage, writeFilter } = filters;

describe('the filter in the address', () => {
  it('the filter in the address is read as it was written', () => {
    const filter = fc.record({
      search: fc.string({ maxLength: 255 }),
      status: fc.constantFrom('' as const, 'active' as const, 'reauthorization_required' as const),
      integration: fc.string({ maxLength: 255 }),
      cause: fc.string({ maxLength: 64 }),
      sort: fc.constantFrom(...LIST_SORTS),
    });
    fc.assert(
      fc.property(filter, (wanted) => {
        expect(readFilter(new URLSearchParams(writeFilter(wanted).toString()))).toEqual(wanted);
      }),
    );
  });

  it('leaves out what filters nothing, as an order alone does', () => {
    expect(writeFilter(NO_FILTER).toString()).toBe('');
    expect([NO_FILTER, { ...NO_FILTER, sort: 'name' } as const].map(isFiltering)).toEqual([false, false]);
    expect(isFiltering({ ...NO_FILTER, search: 'a' })).toBe(true);
  });

  it('leaves an unknown status to the gateway, which refuses it, and takes no order or page that does not exist', () => {
    expect(readFilter(new URLSearchParams('status=gone&sort=size'))).toEqual({ ...NO_FILTER, status: 'gone' });
    const pages = ['', '0', '-1', '1.5', 'x', '7'].map((page) => readPage(new URLSearchParams({ page })));
    expect(pages).toEqual([1, 1, 1, 1, 1, 7]);
  });
});
