import { expect, test } from 'vitest';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import { connectionToItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import { callerStore } from '../../../lambdas/gateway/keys/caller.store.ts';
import { dataKeyItemKey, type ItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { connection } from '../support/connection.ts';

const LIVE = connection();
const DATA_KEY = dataKeyItemKey({ accountId: LIVE.accountId, purpose: 'tokens' }, 7);
const ROW = { ...DATA_KEY, wrappedKey: 'wrapped' };
const NOTHING = { keyHash: undefined, integration: undefined, connection: undefined };

/** A store over a table with one connection, which counts what it is asked, and notes what came along. */
function storeWanting(wanted: ItemKey | undefined, ...rows: object[]) {
  const memory = new MemoryTable();
  memory.put(connectionToItem(LIVE));
  for (const row of rows) memory.put({ ...row });
  let calls = 0;
  const table = memory.through((call) => {
    calls += 1;
    return call();
  });
  const brought: unknown[] = [];
  const store = callerStore(table, {
    wanted: (accountId) => (accountId === LIVE.accountId ? wanted : undefined),
    bring: (key, item) => void brought.push(key, item),
  });
  return { store, brought, calls: () => calls };
}

test('the row of a data key that is wanted comes with the connection, in one call of the table', async () => {
  const { store, brought, calls } = storeWanting(DATA_KEY, ROW);
  expect((await store.load({ ...NOTHING, connection: LIVE })).connection?.connectionId).toBe(LIVE.connectionId);
  expect(brought).toEqual([DATA_KEY, ROW]);
  expect(calls()).toBe(1);
});

test('a data key that the table does not have, or that nobody wants, changes nothing', async () => {
  for (const { store, brought } of [storeWanting(DATA_KEY), storeWanting(undefined, ROW)]) {
    expect((await store.load({ ...NOTHING, connection: LIVE })).connection?.connectionId).toBe(LIVE.connectionId);
    expect(brought).toEqual([]);
  }
});

test('a key that is asked for alone, as for an address that guessed wrong, brings no data key', async () => {
  const { store, brought } = storeWanting(DATA_KEY, ROW);
  expect(Object.values(await store.load({ ...NOTHING, keyHash: 'h' }))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(brought).toEqual([]);
});
