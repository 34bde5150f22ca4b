import { describe, expect, test, vi } from 'vitest';
import { fake } from '../../../dev/support/fake.ts';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import type { PendingRevocation } from '../../../lambdas/gateway/connections/ports.ts';
import type { UnconfirmedGrant } from '../../../lambdas/gateway/connections/unconfirmed-grant.rules.ts';
import type { ConnectionRef } from '../../../lambdas/gateway/core/identifiers.ts';
import { SWEEP_PAGE_SIZE } from '../../../lambdas/gateway/core/limits.ts';
import type { TokenCallResult } from '../../../lambdas/gateway/tokens/ports.ts';
import { type SideWorkDependencies, sweepEndings, sweepEscrow } from '../../../lambdas/refresh/sweep.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import { answer, DEATH, direct, escrowed, leased, refreshWorld, tokens } from './support/refresh-world.ts';

const REF: ConnectionRef = { accountId: 'default', integrationId: 'drive', connectionId: 'c1' };
const TICK = { requestId: 'tick-1' };
const SECOND: ConnectionRef = { ...REF, connectionId: 'c2' };
const pendingRevocation = (changes: Partial<PendingRevocation> = {}): PendingRevocation => ({
  ref: REF,
  provider: 'google-drive',
  encryptedRefreshToken: 'enc:refresh-0',
  clientId: connection().clientId,
  subject: undefined,
  endUserId: undefined,
  requestedAtEpochSec: START_SEC - 60,
  retryAtEpochSec: START_SEC,
  failureCount: 1,
  ...changes,
});

/** The schedule's side work over these refs, on a row whose newer tokens are in escrow. */
async function sideWork(refs: ConnectionRef[], row = connection(), given = tokens(), newer = escrowed()) {
  const world = refreshWorld(row, integration(), () => given);
  await world.stores.escrow.put(newer);
  const postponed: unknown[][] = [];
  const finished: unknown[] = [];
  const dueAsked: unknown[][] = [];
  const script = {
    read: async (_: ConnectionRef): Promise<PendingRevocation | undefined> => pendingRevocation(),
    revoke: async (): Promise<TokenCallResult> => answer(200, {}),
  };
  const due = async (...args: unknown[]) => {
    dueAsked.push(args);
    return refs;
  };
  const postpone = async (...args: unknown[]) => void postponed.push(args);
  const held = world.deps(direct);
  const deps: SideWorkDependencies = {
    ...held,
    escrow: fake({ read: (ref: ConnectionRef) => held.escrow.read(ref), remove: held.escrow.remove, due, postpone }),
    unconfirmed: fake({}),
    revocations: fake({
      due: async (...args: unknown[]) => (await due(...args)).map((ref) => ({ kind: 'revocation', ref })),
      postpone,
      read: (ref: ConnectionRef) => script.read(ref),
      finish: async (...args: unknown[]) => {
        finished.push(...args);
        return true;
      },
    }),
    tokenEndpoint: fake({ revoke: () => script.revoke() }),
    refresher: world.refresher('me', direct),
  };
  return { ...world, deps, script, postponed, finished, dueAsked };
}

describe('escrowed tokens that are due', () => {
  const dead = { status: 'reauthorization_required', death: DEATH } as const;

  test('escrowed tokens that are due are read by pages, as of now', async () => {
    const world = await sideWork([]);
    expect(await sweepEscrow(world.deps, 7, 'tick-1')).toBe(0);
    expect(world.dueAsked).toEqual([[7, START_SEC, SWEEP_PAGE_SIZE]]);
  });

  test.each([{}, dead])(
    'escrowed tokens that are due are adopted without asking the provider, and then removed: %j',
    async (changes) => {
      const world = await sideWork([REF], connection(changes));
      expect(await sweepEscrow(world.deps, 7, 'tick-1')).toBe(1);
      expect(world.table.row).toMatchObject({ status: 'active', encryptedRefreshToken: 'enc:refresh-1' });
      expect([await world.escrowed(), world.asked, world.postponed]).toEqual([undefined, [], []]);
    },
  );

  test.each<[string, Connection | undefined]>([
    ['gone', undefined],
    ['deleted', connection({ status: 'deleted', refreshAtEpochSec: undefined })],
    ['as new as they are', connection({ tokenEpoch: 2 })],
    ['newer', connection({ tokenEpoch: 3 })],
    ['that of an integration which is gone', connection()],
    ['without anything to refresh', connection({ encryptedRefreshToken: undefined })],
  ])('escrowed tokens that are due are removed when the row is %s', async (which, row) => {
    const world = await sideWork([REF]);
    world.table.row = row;
    if (which.startsWith('that of')) world.table.integration = undefined;
    await sweepEscrow(world.deps, 7, 'tick-1');
    expect([await world.escrowed(), world.table.row, world.counted]).toEqual([undefined, row, []]);
  });

  test('escrowed tokens that are due and that somebody has adopted meanwhile are left alone', async () => {
    const world = await sideWork([REF]);
    await world.stores.escrow.remove(escrowed());
    await sweepEscrow(world.deps, 7, 'tick-1');
    expect([world.table.row, world.counted, world.postponed]).toEqual([connection(), [], []]);
  });

  test.each([
    ['somebody else is at it', leased(20), escrowed()],
    ['they have expired and the provider is away', connection(), escrowed({ accessTokenExpiresAtEpochSec: START_SEC })],
  ])('escrowed tokens that are due wait for another tick when %s', async (_, row, newer) => {
    const world = await sideWork([REF], row, answer(503, {}), newer);
    await sweepEscrow(world.deps, 7, 'tick-1');
    expect([await world.escrowed(), world.postponed]).toEqual([newer, [[newer, START_SEC + 15]]]);
  });

  test('escrowed tokens that are due and that cannot be settled stop no others', async () => {
    const world = await sideWork([REF, SECOND]);
    world.failing.add('escrow.read');
    expect(await sweepEscrow(world.deps, 7, 'tick-1')).toBe(2);
    expect(world.counted).toEqual(['SweepItemFailed', 'SweepItemFailed']);
    expect(world.logged[0]).toEqual(['error', 'escrowed tokens could not be settled', TICK, 'escrow.read is away']);
  });
});

describe('pending revocations that are due', () => {
  test('TK-8: pending revocations that are due are tried once each, by pages, and end with the event', async () => {
    const world = await sideWork([REF]);
    expect(await sweepEndings(world.deps, 3, 'tick-1')).toBe(1);
    expect(world.dueAsked).toEqual([[3, START_SEC, SWEEP_PAGE_SIZE]]);
    expect(world.finished).toMatchObject([pendingRevocation(), { cause: 'revoked', requestId: 'tick-1' }]);
    expect([world.postponed, world.counted]).toEqual([[], ['Revocation revoked']]);
  });

  test('pending revocations that are due wait where the row says later than the index, and where it is gone', async () => {
    const world = await sideWork([REF, SECOND]);
    world.script.read = async ({ connectionId }) =>
      connectionId === 'c1' ? pendingRevocation({ retryAtEpochSec: START_SEC + 1 }) : undefined;
    expect(await sweepEndings(world.deps, 3, 'tick-1')).toBe(2);
    expect([world.finished, world.postponed, world.counted]).toEqual([[], [], []]);
  });

  test('F69: pending revocations that are due and that the provider does not take are put off by growing waits, and the others continue', async () => {
    const world = await sideWork([REF, SECOND]);
    const revoke = vi.fn(() => Promise.reject(new Error('broken')));
    world.script.revoke = revoke;
    await sweepEndings(world.deps, 3, 'tick-1');
    expect(revoke).toHaveBeenCalledTimes(2);
    expect(world.postponed).toEqual(Array.from({ length: 2 }, () => [pendingRevocation(), START_SEC + 30]));
    expect(world.counted).toEqual(['SweepItemFailed', 'SweepItemFailed']);
    expect(world.logged[0]).toEqual(['error', 'a pending revocation could not be tried', TICK, 'broken']);
  });

  test('pending revocations that are due and that cannot be read stay as they are', async () => {
    const world = await sideWork([REF]);
    world.script.read = () => Promise.reject(new Error('throttled'));
    await sweepEndings(world.deps, 3, 'tick-1');
    expect([world.postponed, world.counted]).toEqual([[], ['SweepItemFailed']]);
  });
});

describe('grants that nobody confirmed in time (CS-15)', () => {
  const { encryptedAccessToken, encryptedRefreshToken, ...row } = connection();
  const waiting: UnconfirmedGrant = {
    ...{ ref: REF, sessionHash: 'ab', isReconnect: true, endUser: undefined, tags: {}, allowAccountChange: false },
    ...{ numericId: 1, confirmUntilEpochSec: START_SEC, failureCount: 1 },
    grant: {
      ...row,
      encryptedAccessToken: encryptedAccessToken ?? '',
      encryptedRefreshToken: encryptedRefreshToken ?? '',
      consentedAtEpochSec: START_SEC - 900,
      accessTokenExpiresAtEpochSec: START_SEC,
      testingAtConsent: false,
      providerAccount: { subject: '1', email: 'first.user@example.com' },
    },
  };

  /** A tick over two of them, both as given; what was read, ended and closed. */
  async function tick(found: () => Promise<UnconfirmedGrant | undefined>) {
    const world = await sideWork([]);
    const done: unknown[][] = [];
    const deps: SideWorkDependencies = {
      ...world.deps,
      revocations: fake({
        due: async () => [REF, SECOND].map((ref) => ({ kind: 'unconfirmed', ref, reconnectSession: 'ab' })),
      }),
      unconfirmed: fake({
        read: (...of: unknown[]) => {
          done.push(['read', ...of]);
          return found();
        },
        end: async (...ended: unknown[]) => {
          done.push(['end', ...ended]);
          if (world.failing.has('end')) throw new Error('throttled');
          return 'gone';
        },
        close: async (...closed: unknown[]) => void done.push(['close', ...closed]),
      }),
    };
    return { ...world, done, sweep: () => sweepEndings(deps, 3, 'tick-1') };
  }
  const of = (done: readonly unknown[][], what: string) => done.filter(([name]) => name === what);

  test('grants that nobody confirmed in time are ended once their time is over, with the event', async () => {
    const { sweep, done, counted } = await tick(async () => waiting);
    expect(await sweep()).toBe(2);
    expect(of(done, 'read')).toEqual([REF, SECOND].map((ref) => ['read', ref, 'ab']));
    const event = { eventType: 'ConnectionNotConfirmed', cause: 'not_confirmed_in_time', requestId: 'tick-1' };
    expect(of(done, 'end').map(([, ...ended]) => ended.slice(0, 2))).toMatchObject([1, 2].map(() => [waiting, event]));
    expect([of(done, 'close'), counted]).toEqual([[], []]);
  });

  test.each([
    ['were confirmed meanwhile', undefined],
    ['have a second left', { ...waiting, confirmUntilEpochSec: START_SEC + 1 }],
  ])('grants that nobody confirmed in time are left alone where they %s', async (_, found) => {
    const { sweep, done, counted } = await tick(async () => found);
    await sweep();
    expect([done.map(([what]) => what), counted]).toEqual([['read', 'read'], []]);
  });

  test('grants that nobody confirmed in time and that cannot be ended are put off by growing waits, and those that cannot be read stay', async () => {
    const failing = await tick(async () => waiting);
    failing.failing.add('end');
    await failing.sweep();
    expect(of(failing.done, 'close')).toEqual([1, 2].map(() => ['close', waiting, START_SEC + 30]));
    expect(failing.counted).toEqual(['SweepItemFailed', 'SweepItemFailed']);
    expect(failing.logged[0]).toEqual(['error', 'an unconfirmed grant could not be ended', TICK, 'throttled']);
    const unreadable = await tick(() => Promise.reject(new Error('throttled')));
    await unreadable.sweep();
    expect([of(unreadable.done, 'close'), unreadable.counted.length]).toEqual([[], 2]);
  });
});
