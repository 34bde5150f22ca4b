import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listWrites } from '../../../../lambdas/features/undo/list-writes.ts';
import type { JournalRange, JournalRow } from '../../../../lambdas/features/undo/ports.ts';
import { secretKeyRecord } from '../../support/secret-key.ts';

const KEYS = ['a', 'b', 'c'].map((letter) => secretKeyRecord({ right: 'proxy', keyHash: letter.repeat(64) }));
const ACCOUNT = KEYS[0]?.accountId ?? '';

/** Services of a journal that holds rows in memory. */
function servicesOf(rows: readonly JournalRow[]) {
  return {
    journal: {
      async page({ of, before }: JournalRange, limit: number) {
        const own = rows.filter((row) => !('keyId' in of) || row.keyId === of.keyId);
        const newest = own.toSorted((a, b) => (a.rowId < b.rowId ? 1 : -1));
        return newest.filter(({ rowId }) => before === undefined || rowId < before).slice(0, limit);
      },
    },
    cipher: { decrypt: async (_: unknown, sealed: string) => sealed },
    secretKeys: { list: async () => KEYS },
  } as unknown as Parameters<typeof listWrites>[0];
}

test('AP-20: an object’s writes by every key are listed once each, newest first, whatever the pages', async () => {
  const written = fc.record({ key: fc.nat(2), object: fc.constantFrom('file', 'other'), isFormer: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(written, { maxLength: 900 }), fc.integer({ min: 1, max: 50 }), async (writes, limit) => {
      const rows = writes.map(({ key, object, isFormer }, at): JournalRow => {
        const ref = { kind: 'drive.permission', ids: [object, 'p1'] };
        return {
          ...{ accountId: ACCOUNT, integrationId: 'drive', connectionId: 'c1', requestId: 'r', state: 'done' },
          ...{ rowId: String(at).padStart(26, '0'), keyId: 'abc'[key]?.repeat(12) ?? '', method: 'drive.files.update' },
          sealed: JSON.stringify(isFormer ? { former: ref, touched: [] } : { object: ref, touched: [] }),
        };
      });
      const wanted = rows.filter((_, at) => writes[at]?.object === 'file').map(({ rowId }) => rowId);
      const found: string[] = [];
      let before: string | undefined;
      do {
        const query = { accountId: ACCOUNT, of: undefined, objectId: 'file', fromMs: 0, untilMs: 1, before, limit };
        const page = await listWrites(servicesOf(rows), query);
        expect(page.writes.length).toBeLessThanOrEqual(limit);
        found.push(...page.writes.map(({ row }) => row.rowId));
        before = page.next;
      } while (before !== undefined);
      expect(found).toEqual(wanted.toReversed());
    }),
    { numRuns: 40 },
  );
});
