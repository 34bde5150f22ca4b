import { describe, expect, it } from 'vitest';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import { bookReader } from '../../../lambdas/gateway/calls/book.store.ts';
import { sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import { USAGE_RETENTION_SEC, USE_NOTE_INTERVAL_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { keyUseNotes } from '../../../lambdas/gateway/keys/key-uses.store.ts';
import { lastUsesItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';

const NOW = 1_800_000_000;
const [FIRST, SECOND, THIRD] = ['first', 'second', 'third'].map((text) => ({
  accountId: 'default',
  keyHash: sha256Hex(text),
}));
if (FIRST === undefined || SECOND === undefined || THIRD === undefined) throw new Error('There are three');
const idOf = ({ keyHash }: { readonly keyHash: string }) => keyHash.slice(0, 12);

describe('uses of keys in a function that may not write their rows', () => {
  it('TB-1: uses of keys in a function that may not write their rows are noted for each key in one item of the account, at most every ten minutes, and touch no row of a key', async () => {
    const memory = new MemoryTable();
    const notes = keyUseNotes(memory.table);
    await notes.noteUse(FIRST, NOW);
    await notes.noteUse(SECOND, NOW + 1);
    await notes.noteUse(FIRST, NOW + USE_NOTE_INTERVAL_SEC - 1);
    expect([...memory.items.values()].map(({ pk, sk, type }) => [pk, sk, type])).toEqual([
      ['ACCOUNT#default', 'KEYUSES', 'key_uses'],
    ]);
    const read = () => bookReader(memory.table).lastUses('default');
    expect(await read()).toEqual(
      new Map([
        [idOf(FIRST), NOW],
        [idOf(SECOND), NOW + 1],
      ]),
    );
    await notes.noteUse(FIRST, NOW + USE_NOTE_INTERVAL_SEC + 1);
    expect((await read()).get(idOf(FIRST))).toBe(NOW + USE_NOTE_INTERVAL_SEC + 1);
  });

  it('uses of keys in a function that may not write their rows leave with the counts of their time, one with each note, so that the item does not grow for ever', async () => {
    const memory = new MemoryTable();
    const notes = keyUseNotes(memory.table);
    await notes.noteUse(FIRST, NOW - USAGE_RETENTION_SEC);
    await notes.noteUse(SECOND, NOW - USAGE_RETENTION_SEC + 1);
    await notes.noteUse(THIRD, NOW);
    const uses = await bookReader(memory.table).lastUses('default');
    expect([...uses.keys()]).toEqual([idOf(SECOND), idOf(THIRD)]);
  });

  it('uses of keys in a function that may not write their rows show together with proxied calls, the later of both', async () => {
    const memory = new MemoryTable();
    await keyUseNotes(memory.table).noteUse(FIRST, NOW);
    await keyUseNotes(memory.table).noteUse(SECOND, NOW);
    memory.put({ ...lastUsesItemKey('default'), uses: { [idOf(FIRST)]: NOW + 60, [idOf(SECOND)]: NOW - 60 } });
    const uses = await bookReader(memory.table).lastUses('default');
    expect(uses).toEqual(
      new Map([
        [idOf(FIRST), NOW + 60],
        [idOf(SECOND), NOW],
      ]),
    );
  });
});
