import { describe, expect, test } from 'vitest';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { connectionStore } from '../../../lambdas/gateway/connections/connection.store.ts';
import { keptPrints } from '../../../lambdas/gateway/core/identifiers.ts';
import { LEASE_CLOCK_TOLERANCE_SEC } from '../../../lambdas/gateway/core/limits.ts';
import type { LifecycleEvent, LifecycleEventType } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import { escrowStore } from '../../../lambdas/gateway/tokens/escrow.store.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import { RefreshTable } from './support/refresh-table.ts';
import { DEATH, escrowed } from './support/refresh-world.ts';

/** Conditions of the protocol's writes: each is refused by a row that differs in one point, and then changes nothing. */
const KNOWN = connection({ epoch: 5, tokenEpoch: 5, sequence: 3 });
const LEASE = { owner: 'me', epoch: 6, expiresAtEpochSec: START_SEC + 30 };
/** The row while this process holds its lease. */
const HELD = connection({ epoch: 6, tokenEpoch: 5, sequence: 3, refreshLease: LEASE, attemptId: 'mine' });
const OF_ANOTHER = { ...LEASE, owner: 'another' };
const REQUEST = {
  owner: 'me',
  attemptId: 'mine',
  attemptHash: 'hash',
  nowEpochSec: START_SEC,
  expiresAtEpochSec: LEASE.expiresAtEpochSec,
};
const TOKENS = {
  encryptedAccessToken: 'enc:access-1',
  encryptedRefreshToken: 'enc:refresh-1',
  tokenPrints: keptPrints('refresh-1', true),
  accessTokenExpiresAtEpochSec: START_SEC + 3599,
  grantedScopes: KNOWN.grantedScopes,
  refreshAtEpochSec: START_SEC + 3000,
  nowEpochSec: START_SEC,
};

function event(eventType: LifecycleEventType): LifecycleEvent {
  const { accountId, integrationId, connectionId } = KNOWN;
  return {
    eventId: '01KFX0000000000000000000AA',
    eventType,
    sequence: 4,
    occurredAt: '2027-01-15T08:00:00.000Z',
    subject: { accountId, integrationId, connectionId },
    endUserId: undefined,
    cause: undefined,
    remedy: undefined,
    requestId: 'request-1',
  };
}

function world(row: Connection) {
  const held = new RefreshTable(row, integration());
  const { table } = held.memory;
  return {
    held,
    connections: connectionStore(table),
    escrow: escrowStore(table),
    contents: () => structuredClone([...held.memory.items]),
  };
}
type World = ReturnType<typeof world>;

interface Write {
  readonly name: string;
  /** The row that takes it. */
  readonly on: Connection;
  /** What a row has instead that must not take it. */
  readonly refusedBy: readonly Partial<Connection>[];
  /** True when it was done; undefined where the store does not say. */
  readonly write: (stores: World) => Promise<unknown>;
}

const DEAD = { status: 'reauthorization_required', death: DEATH } as const;
/** A refresh has brought another refresh token, under a lease that was taken before the row was read. */
const OTHER_TOKEN = { tokenPrints: keptPrints('refresh-1', true) };
const DELETED = { status: 'deleted' } as const;

const WRITES: readonly Write[] = [
  {
    name: 'taking the lease (F09, F16)',
    on: KNOWN,
    refusedBy: [
      { epoch: 6 },
      { tokenEpoch: 6 },
      { refreshLease: { ...OF_ANOTHER, expiresAtEpochSec: START_SEC + 1 } },
      { attemptHash: 'another attempt, still open' },
      { encryptedRefreshToken: undefined },
      DEAD,
      DELETED,
    ],
    write: async ({ connections }) => (await connections.takeLease(KNOWN, REQUEST)).taken,
  },
  {
    name: 'storing tokens (F09, LG-5)',
    on: HELD,
    refusedBy: [{ epoch: 7 }, DEAD, DELETED],
    write: ({ connections }) => connections.storeTokens(KNOWN, LEASE, TOKENS),
  },
  {
    name: 'storing tokens with an event (F09, F81)',
    on: HELD,
    refusedBy: [{ epoch: 7 }, { sequence: 4 }, DEAD, DELETED],
    write: ({ connections }) => connections.storeTokens(KNOWN, LEASE, TOKENS, [event('ConnectionReauthorized')]),
  },
  {
    name: 'giving the lease back (F10)',
    on: HELD,
    refusedBy: [{ epoch: 7 }, { refreshLease: OF_ANOTHER }],
    write: ({ connections }) =>
      connections.releaseLease(KNOWN, LEASE, { retryAtEpochSec: undefined, failureCount: 1, answered: true }),
  },
  {
    name: 'marking it dead (F16)',
    on: HELD,
    refusedBy: [{ epoch: 7 }, { sequence: 4 }, OTHER_TOKEN, DEAD, DELETED],
    write: ({ connections }) => connections.markDead(KNOWN, LEASE, DEATH, event('ConnectionReauthorizationRequired')),
  },
  {
    name: 'deleting it (TK-8)',
    on: KNOWN,
    refusedBy: [{ epoch: 6 }, { sequence: 4 }, OTHER_TOKEN, DELETED],
    write: ({ connections }) => connections.delete(KNOWN, event('ConnectionDeleted'), undefined),
  },
  {
    name: 'authorizing it again (RI-14)',
    on: KNOWN,
    refusedBy: [{ epoch: 6 }, { sequence: 4 }, OTHER_TOKEN],
    write: ({ connections }) => connections.save({ ...KNOWN, epoch: 6 }, KNOWN, event('ConnectionReauthorized')),
  },
  {
    name: 'moving its place in the schedule',
    on: KNOWN,
    refusedBy: [{ epoch: 6 }, { tokenEpoch: 6 }],
    write: ({ connections }) => connections.reschedule(KNOWN, START_SEC + 60),
  },
  {
    name: 'noting a use',
    on: KNOWN,
    refusedBy: [{ tokenEpoch: 6 }, DEAD, DELETED],
    write: ({ connections }) => connections.noteUse(KNOWN, START_SEC, START_SEC + 60),
  },
  {
    name: 'noting that the grant has ended',
    on: KNOWN,
    refusedBy: [{ consentedAtEpochSec: START_SEC + 1 }, DEAD, DELETED],
    write: ({ connections }) => connections.noteGrantEnded(KNOWN, START_SEC),
  },
];

describe.each(WRITES)('$name', ({ on, refusedBy, write }) => {
  test('is done where nothing came between', async () => {
    const stores = world(on);
    const before = stores.contents();
    expect(await write(stores)).not.toBe(false);
    expect(stores.contents()).not.toEqual(before);
  });

  test.each(refusedBy.map((changes) => [JSON.stringify(changes), changes] as const))(
    'changes nothing of a row with %s',
    async (_, changes) => {
      const stores = world({ ...on, ...changes });
      const before = stores.contents();
      expect(await write(stores)).not.toBe(true);
      expect(stores.contents()).toEqual(before);
    },
  );
});

test('F11, F13: a write whose reply was lost is known as done by its repeat, another’s is not', async () => {
  const own = world(HELD);
  expect(await own.connections.takeLease(KNOWN, REQUEST)).toMatchObject({ taken: true, lease: LEASE });
  expect(await own.connections.takeLease(KNOWN, { ...REQUEST, attemptId: 'another' })).toMatchObject({ taken: false });
  for (const [tokenEpoch, isOwn] of [
    [6, true],
    [7, false],
  ] as const) {
    const stored = world(connection({ epoch: 7, tokenEpoch }));
    expect(await stored.connections.storeTokens(KNOWN, LEASE, TOKENS)).toBe(isOwn);
  }
});

test('F28: a lease that ends, and one that ends later than any clock allows, is taken over', async () => {
  const latest = REQUEST.expiresAtEpochSec + LEASE_CLOCK_TOLERANCE_SEC;
  for (const [expiresAtEpochSec, taken] of [
    [START_SEC, true],
    [START_SEC + 1, false],
    [latest, false],
    [latest + 1, true],
  ] as const) {
    const { connections } = world({ ...KNOWN, refreshLease: { ...OF_ANOTHER, expiresAtEpochSec } });
    expect(await connections.takeLease(KNOWN, REQUEST), String(expiresAtEpochSec)).toMatchObject({ taken });
  }
});

test('TK-8: a refresh that was under way when its connection was deleted can store nothing', async () => {
  const stores = world(HELD);
  expect(await stores.connections.delete(HELD, event('ConnectionDeleted'), undefined)).toBe(true);
  stores.held.row = { ...(stores.held.row ?? HELD), status: 'active' };
  expect(await stores.connections.storeTokens(KNOWN, LEASE, TOKENS), 'whatever the row says of itself').toBe(false);
});

test('escrow keeps the tokens of the latest epoch, and nobody removes or puts off newer ones', async () => {
  const { escrow, contents } = world(KNOWN);
  const [older, newer] = [escrowed({ epoch: 6, encryptedRefreshToken: 'enc:older' }), escrowed({ epoch: 7 })];
  await escrow.put(older);
  await escrow.put(newer);
  const before = contents();
  await Promise.all([escrow.put(older), escrow.remove(older), escrow.postpone(older, START_SEC + 60)]);
  expect(contents()).toEqual(before);
  await escrow.remove(newer);
  expect(await escrow.read(newer.ref)).toBeUndefined();
});
