import { PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import type { Item } from '../../../dev/support/expression.ts';
import { fake } from '../../../dev/support/fake.ts';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import { connectionStore } from '../../../lambdas/gateway/connections/connection.store.ts';
import { TABLE } from '../../../lambdas/gateway/core/contract.ts';
import { keptPrints } from '../../../lambdas/gateway/core/identifiers.ts';
import type { LifecycleEvent, LifecycleEventType } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import type { Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { DEATH } from '../refresh/support/refresh-world.ts';
import { connection, NOW_EPOCH_SEC } from '../support/connection.ts';

const INDEXES: readonly { partitionKey: string; sortKey: string; projected?: readonly string[] }[] = Object.values(
  TABLE.indexes,
);

/** Write units as "Read and write capacity" of the DynamoDB guide counts them: each started KB, twice in a transaction, and the entries of indexes. */
function metered() {
  const memory = new MemoryTable();
  const { client } = memory.table;
  let units = 0;
  const send = async (command: object) => {
    const isTransaction = command instanceof TransactWriteCommand;
    const isWrite = isTransaction || command instanceof PutCommand || command instanceof UpdateCommand;
    const before = new Map(memory.items);
    const answer = await client.send(command as never);
    if (isWrite) {
      for (const [key, after] of memory.items) units += unitsOf(before.get(key), after) * (isTransaction ? 2 : 1);
      for (const [key, item] of before)
        if (!memory.items.has(key)) units += unitsOf(item, {}) * (isTransaction ? 2 : 1);
    }
    return answer;
  };
  const table: Table = { ...memory.table, client: fake({ send }) };
  /** Units since it was asked last. */
  const spent = () => {
    const sum = units;
    units = 0;
    return sum;
  };
  return { table, memory, spent };
}

function unitsOf(before: Item | undefined, after: Item): number {
  if (before === after) return 0;
  const kb = (item: Item | undefined) => Math.ceil(Buffer.byteLength(JSON.stringify(item ?? {})) / 1024);
  let units = Math.max(kb(before), kb(after));
  for (const { partitionKey, sortKey, projected = [] } of INDEXES) {
    const entry = (item: Item | undefined) =>
      item?.[partitionKey] === undefined || item[sortKey] === undefined
        ? undefined
        : Object.fromEntries([partitionKey, sortKey, ...projected].map((name) => [name, item[name]]));
    const [was, is] = [entry(before), entry(after)];
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    const isMoved = was?.[partitionKey] !== is?.[partitionKey] || was?.[sortKey] !== is?.[sortKey];
    units += (was !== undefined && is !== undefined && isMoved ? 2 : 1) * Math.max(kb(was), kb(is));
  }
  return units;
}

const ROW = connection({
  encryptedAccessToken: 'a'.repeat(900),
  tokenPrints: keptPrints('1//0-of-the-consent', true),
  refreshAtEpochSec: NOW_EPOCH_SEC + 1,
});
const LIFE = { nowEpochSec: NOW_EPOCH_SEC + 100, expiresAtEpochSec: NOW_EPOCH_SEC + 130 };
const TOKENS = {
  encryptedAccessToken: 'b'.repeat(900),
  encryptedRefreshToken: undefined,
  tokenPrints: ROW.tokenPrints,
  accessTokenExpiresAtEpochSec: NOW_EPOCH_SEC + 3700,
  grantedScopes: ROW.grantedScopes,
  refreshAtEpochSec: NOW_EPOCH_SEC + 3100,
  nowEpochSec: NOW_EPOCH_SEC + 100,
};

function event(eventType: LifecycleEventType, sequence: number): LifecycleEvent {
  const { accountId, integrationId, connectionId } = ROW;
  return {
    ...{ eventId: `E${sequence}`, eventType, sequence, occurredAt: '2026-01-01T00:01:40.000Z' },
    subject: { accountId, integrationId, connectionId },
    ...{ endUserId: undefined, cause: undefined, remedy: undefined, requestId: 'r' },
  };
}

/** The row takes two units; its place in the index of due work is left and taken. Measured of 0.2.0, too. */
const LEASE_UNITS = 2;
const TOKEN_UNITS = 4;
/** In a transaction: row, event, three places in lists, and the counter of the day. */
const DEATH_UNITS = 22;
/** In a transaction: the row as above, and two places in lists. */
const PRINTS_UNITS = 12;

test('a refresh writes its row twice and nothing else, two units and four as in 0.2.0; once it writes what a token is found by', async () => {
  const { table, spent } = metered();
  const store = connectionStore(table);
  await store.save({ ...ROW, tokenPrints: undefined }, undefined, event('ConnectionCreated', 1));
  spent();
  const read = async () => {
    const row = await store.read(ROW);
    if (row === undefined) throw new Error('The row is gone');
    return row;
  };
  const lease = async (row: typeof ROW) => {
    const asked = { owner: 'me', attemptId: `of ${row.epoch}`, attemptHash: 'h'.repeat(64), ...LIFE, evenIfDead: true };
    const taken = await store.takeLease(row, asked);
    if (!taken.taken) throw new Error('The lease was refused');
    return taken.lease;
  };
  for (const [round, units] of [PRINTS_UNITS, TOKEN_UNITS, TOKEN_UNITS].entries()) {
    const row = await read();
    const held = await lease(row);
    expect(spent(), 'the lease').toBe(LEASE_UNITS);
    const tokens = { ...TOKENS, refreshAtEpochSec: TOKENS.refreshAtEpochSec + round };
    expect(await store.storeTokens(row, held, tokens)).toBe(true);
    expect(spent(), 'its tokens').toBe(units);
  }

  const row = await read();
  expect(await store.markDead(row, await lease(row), DEATH, event('ConnectionReauthorizationRequired', 2))).toBe(true);
  expect(spent() - LEASE_UNITS, 'its death').toBe(DEATH_UNITS);
});
