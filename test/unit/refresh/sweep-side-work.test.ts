import { describe, expect, test } from 'vitest';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import type { ConnectionRef } from '../../../lambdas/gateway/core/identifiers.ts';
import { SWEEP_PAGE_SIZE } from '../../../lambdas/gateway/core/limits.ts';
import type { RefreshOutcome } from '../../../lambdas/gateway/tokens/lease.ts';
import type { PendingRevocation, TokenCallResult } from '../../../lambdas/gateway/tokens/ports.ts';
import { type SideWorkDependencies, sweepEndings, sweepEscrow } from '../../../lambdas/refresh/sweep.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import { DEATH, escrowed, heldWorld } from './support/held-world.ts';
import { fake } from './support/refresh-world.ts';

const REF: ConnectionRef = { accountId: 'default', integrationId: 'drive', connectionId: 'c1' };
const SECOND: ConnectionRef = { ...REF, connectionId: 'c2' };
const pendingRevocation = (changes: Partial<PendingRevocation> = {}): PendingRevocation => ({
  ref: REF,
  encryptedRefreshToken: 'enc:refresh-0',
  clientId: connection().clientId,
  subject: undefined,
  endUserId: undefined,
  requestedAtEpochSec: START_SEC - 60,
  retryAtEpochSec: START_SEC,
  failureCount: 1,
  ...changes,
});

/** The schedule's side work over these refs; `outcome` is what a refresh comes to. */
function sideWork(refs: ConnectionRef[], outcome: RefreshOutcome = { kind: 'gone' }) {
  const world = heldWorld();
  world.state.escrow = escrowed();
  const asked: unknown[][] = [];
  const postponed: unknown[][] = [];
  const finished: unknown[] = [];
  const dueAsked: unknown[][] = [];
  const script = {
    read: async (_: ConnectionRef): Promise<PendingRevocation | undefined> => pendingRevocation(),
    revoke: async (): Promise<TokenCallResult> => ({
      kind: 'answered',
      response: { status: 200, body: '{}', retryAfter: undefined },
    }),
  };
  const due = async (...args: unknown[]) => {
    dueAsked.push(args);
    return refs;
  };
  const postpone = async (...args: unknown[]) => void postponed.push(args);
  const deps: SideWorkDependencies = {
    ...world.deps,
    escrow: fake({ read: world.deps.escrow.read, remove: world.deps.escrow.remove, due, postpone }),
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
    refresher: fake({
      refresh: async (...args: unknown[]) => {
        asked.push(args);
        return outcome;
      },
    }),
  };
  return { ...world, deps, script, asked, postponed, finished, dueAsked };
}

describe('escrowed tokens that are due', () => {
  test('are read by pages, as of now', async () => {
    const world = sideWork([]);
    expect(await sweepEscrow(world.deps, 7, 'tick-1')).toBe(0);
    expect(world.dueAsked).toEqual([[7, START_SEC, SWEEP_PAGE_SIZE]]);
  });

  test('are adopted without asking the provider anew, also by a dead connection, and then removed', async () => {
    const row = connection({ status: 'reauthorization_required', death: DEATH });
    const world = sideWork([REF], { kind: 'fresh', connection: row, accessToken: undefined });
    world.state.row = row;
    expect(await sweepEscrow(world.deps, 7, 'tick-1')).toBe(1);
    expect(world.asked).toEqual([
      [row, integration(), { wait: false, force: false, adopt: true, requestId: 'tick-1' }],
    ]);
    expect(world.callsOf('escrow.remove')).toEqual([[escrowed()]]);
    expect(world.postponed).toEqual([]);
  });

  test.each<[string, Connection | undefined]>([
    ['gone', undefined],
    ['deleted', connection({ status: 'deleted' })],
    ['as new as they are', connection({ tokenEpoch: 2 })],
    ['newer', connection({ tokenEpoch: 3 })],
  ])('are removed when the row is %s', async (_, row) => {
    const world = sideWork([REF]);
    world.state.row = row;
    await sweepEscrow(world.deps, 7, 'tick-1');
    expect(world.callsOf('escrow.remove')).toEqual([[escrowed()]]);
    expect(world.asked).toEqual([]);
  });

  test('are removed when their integration is gone', async () => {
    const world = sideWork([REF]);
    world.state.integration = undefined;
    await sweepEscrow(world.deps, 7, 'tick-1');
    expect([world.callsOf('escrow.remove'), world.asked]).toEqual([[[escrowed()]], []]);
  });

  test('that somebody has adopted meanwhile are left alone', async () => {
    const world = sideWork([REF]);
    world.state.escrow = undefined;
    await sweepEscrow(world.deps, 7, 'tick-1');
    expect([world.callsOf('escrow.remove'), world.asked, world.callsOf('read')]).toEqual([[], [], []]);
  });

  test.each<[RefreshOutcome, number, number]>([
    [{ kind: 'gone' }, 1, 0],
    [{ kind: 'busy', connection: connection() }, 0, 1],
    [{ kind: 'dead', connection: connection(), death: DEATH }, 0, 1],
    [{ kind: 'transient', reason: 'http_503', retryAfterSec: 40 }, 0, 1],
  ])('end or wait as the refresh did: %j', async (outcome, removed, postponed) => {
    const world = sideWork([REF], outcome);
    await sweepEscrow(world.deps, 7, 'tick-1');
    expect(world.callsOf('escrow.remove')).toHaveLength(removed);
    expect(world.postponed).toEqual(Array.from({ length: postponed }, () => [escrowed(), START_SEC + 15]));
  });

  test('that cannot be settled stop no others', async () => {
    const world = sideWork([REF, SECOND]);
    world.failing.add('escrow.read');
    expect(await sweepEscrow(world.deps, 7, 'tick-1')).toBe(2);
    expect(world.callsOf('escrow.read')).toEqual([[REF], [SECOND]]);
    expect(world.counted).toEqual(['SweepItemFailed', 'SweepItemFailed']);
    expect(world.logged[0]).toEqual([
      'error',
      'escrowed tokens could not be settled',
      { requestId: 'tick-1' },
      'escrow.read is away',
    ]);
  });
});

describe('pending revocations that are due', () => {
  test('TK-8: are tried once each, by pages, and end with the event', async () => {
    const world = sideWork([REF]);
    expect(await sweepEndings(world.deps, 3, 'tick-1')).toBe(1);
    expect(world.dueAsked).toEqual([[3, START_SEC, SWEEP_PAGE_SIZE]]);
    expect(world.finished).toMatchObject([pendingRevocation(), { cause: 'revoked', requestId: 'tick-1' }]);
    expect([world.postponed, world.counted]).toEqual([[], ['Revocation revoked']]);
  });

  test('wait where the row says later than the index, and where it is gone', async () => {
    const world = sideWork([REF, SECOND]);
    world.script.read = async ({ connectionId }) =>
      connectionId === 'c1' ? pendingRevocation({ retryAtEpochSec: START_SEC + 1 }) : undefined;
    expect(await sweepEndings(world.deps, 3, 'tick-1')).toBe(2);
    expect([world.finished, world.postponed, world.counted]).toEqual([[], [], []]);
  });

  test('F69: that the provider does not take are put off by growing waits, and the others go on', async () => {
    const world = sideWork([REF, SECOND]);
    let calls = 0;
    world.script.revoke = () => {
      calls++;
      return Promise.reject(new Error('broken'));
    };
    await sweepEndings(world.deps, 3, 'tick-1');
    expect(calls).toBe(2);
    expect(world.postponed).toEqual(Array.from({ length: 2 }, () => [pendingRevocation(), START_SEC + 30]));
    expect(world.counted).toEqual(['SweepItemFailed', 'SweepItemFailed']);
    expect(world.logged[0]).toEqual([
      'error',
      'a pending revocation could not be tried',
      { requestId: 'tick-1' },
      'broken',
    ]);
  });

  test('that cannot be read stay as they are', async () => {
    const world = sideWork([REF]);
    world.script.read = () => Promise.reject(new Error('throttled'));
    await sweepEndings(world.deps, 3, 'tick-1');
    expect([world.postponed, world.counted]).toEqual([[], ['SweepItemFailed']]);
  });
});
