import type { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { fake } from '../../../dev/support/fake.ts';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import { connectionToItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import { eventToItem } from '../../../lambdas/gateway/events/event.store.ts';
import { newEvent } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import { integrationToItem } from '../../../lambdas/gateway/integrations/integration-item.store.ts';
import { systemClock, systemRandom } from '../../../lambdas/gateway/platform/clock.ts';
import type { Item, Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { Resealer } from '../../../packages/cli/restore/reseal.ts';
import { restoreTable } from '../../../packages/cli/restore/restore-table.ts';
import { connectionRow, integrationRow } from '../management/support/rows.ts';

const COUNT = 60;
const REF = { accountId: 'default', integrationId: 'google-drive' };
const STORED = { ...REF, encryptedRefreshToken: `v1.2955.${'A'.repeat(60)}`, encryptedAccessToken: undefined };

/** A backup with connections and an event of each, and the gateway's table, which has lost them. */
class LostTable {
  readonly backup = new MemoryTable();
  readonly memory = new MemoryTable();
  readonly calls: Item[] = [];
  /** What happens before a call of the gateway's table. */
  before: (key: Item) => void = () => {};

  async fill(): Promise<void> {
    this.memory.put(integrationToItem(integrationRow({ ...REF, provider: 'google-drive' })));
    for (let number = 0; number < COUNT; number++) {
      const connection = await connectionRow({ ...STORED, connectionId: `c-${number}` });
      this.backup.put(connectionToItem(connection));
      const facts = { subject: connection, sequence: 1, endUserId: undefined, requestId: 'r' };
      this.backup.put(eventToItem(newEvent(systemClock, systemRandom, 'ConnectionCreated', facts)));
    }
  }

  async restore() {
    const { kinds, failed } = await restoreTable({
      from: scanned(this.backup),
      into: this.memory.through((call, key) => {
        this.calls.push(key);
        this.before(key);
        return call();
      }),
      wishes: { overwrite: false, includeDeleted: false },
      dryRun: false,
      spreadSec: 300,
      runName: 'restore/backup',
      resealer: new Resealer({ ciphers: undefined, otherKmsKey: false }),
      only: {},
      includeKeys: false,
      stop: new AbortController().signal,
      onProgress: () => {},
    });
    return { connections: kinds.connections, events: kinds.events, failed };
  }
}

/** A table that can only be scanned by types of rows, as a restore reads a backup. */
function scanned(backup: MemoryTable): Table {
  const send = async ({ input }: ScanCommand) => {
    const types = Object.values(input.ExpressionAttributeValues ?? {});
    const Items = [...backup.items.values()].filter(({ type }) => types.includes(type));
    return { Items, ScannedCount: backup.items.size };
  };
  return { ...backup.table, client: fake<Table['client']>({ send }) };
}

async function lostTable(): Promise<LostTable> {
  const table = new LostTable();
  await table.fill();
  return table;
}

test('CR-3: a restore asks the table at most five times for each connection that comes back, and hardly for one that is there', async () => {
  const table = await lostTable();
  const back = { restored: { missing: COUNT }, present: {}, skipped: {} };
  expect(await table.restore()).toEqual({ connections: back, events: back, failed: [] });
  expect(table.memory.ofType('connection')).toHaveLength(COUNT);
  expect(table.calls.length / COUNT).toBeLessThan(5);
  table.calls.length = 0;
  expect((await table.restore()).connections).toEqual({ restored: {}, present: { same: COUNT }, skipped: {} });
  expect(table.calls.length / COUNT).toBeLessThan(0.3);
});

test('CR-3: a connection that comes into being while its neighbours are restored is left as it is', async () => {
  const table = await lostTable();
  const newer = connectionToItem(await connectionRow({ ...STORED, connectionId: 'c-7', epoch: 9, tokenEpoch: 9 }));
  let isThere = false;
  table.before = () => {
    // After the rows were looked up.
    if (!isThere && table.calls.length > 6) {
      table.memory.put(newer);
      isThere = true;
    }
  };
  const { connections, failed } = await table.restore();
  expect(failed).toEqual([]);
  expect(connections.restored).toEqual({ missing: COUNT - 1 });
  expect(connections.present).toEqual({ newer_here: 1 });
  expect(table.memory.get({ pk: String(newer.pk), sk: String(newer.sk) })).toMatchObject({ epoch: 9 });
});

test('CR-3: an event that comes into being while others are copied keeps none of them away', async () => {
  const table = await lostTable();
  const [event] = table.backup.ofType('event');
  if (event === undefined) throw new Error('No event');
  table.before = (key) => {
    if (String(key.pk).startsWith('EVENT') && table.memory.ofType('connection').length === COUNT) {
      table.memory.put(event);
    }
  };
  const { events, failed } = await table.restore();
  expect(failed).toEqual([]);
  const stored = [...table.memory.ofType('event'), ...table.memory.ofType('restored_event')];
  for (const { sk } of table.backup.ofType('event')) expect(stored.filter((one) => one.sk === sk)).toHaveLength(1);
  expect((events.restored.missing ?? 0) + (events.present.present ?? 0)).toBe(COUNT);
  expect(events.present.present).toBeGreaterThan(0);
});
