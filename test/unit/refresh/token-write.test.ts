import { describe, expect, test, vi } from 'vitest';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { LEASE_SEC, REFRESH_BACKOFF_BASE_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { nextRefreshAt, refreshTiming } from '../../../lambdas/gateway/tokens/freshness.rules.ts';
import type { TokenCallResult } from '../../../lambdas/gateway/tokens/ports.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import { DEATH, direct, escrowed, ROTATED, refreshWorld, tokens } from './support/refresh-world.ts';

const DAY = 86_400;
const DEAD = { status: 'reauthorization_required', death: DEATH } as const;
const EXPIRES = START_SEC + 3599;
const endUser = { id: 'user-1', email: null, displayName: null, tags: null, organization: null };
const ESCROWED = escrowed();
const dueAt = (lastUsed: number | undefined) => nextRefreshAt(connection(), EXPIRES, lastUsed, START_SEC);

/** A world in which the row becomes another while the provider is asked. */
function changedMeanwhile(change: (row: Connection) => Connection | undefined, answered: TokenCallResult = ROTATED) {
  const world = refreshWorld(connection(), integration(), () => {
    const { row } = world.table;
    if (row !== undefined) world.table.row = change(row);
    return answered;
  });
  return world;
}

/** A key service whose key in use has this number. */
const underKey = (number: number) => ({
  encrypt: async (_: unknown, text: string) => `v1.${number}.${text}`,
  decrypt: async (_: unknown, text: string) => text.replace(/^v1\.\d+\./, ''),
});

describe('new tokens', () => {
  test('TK-2: new tokens end what failed before, and the refresh token stays when the answer brings none', async () => {
    const row = connection({ failureCount: 4, retryAtEpochSec: START_SEC - 5, attemptHash: 'open', lostHash: 'lost' });
    const world = refreshWorld(row);
    const outcome = await world.refresh();
    expect(world.table.row).toEqual({
      ...row,
      encryptedAccessToken: 'enc:access-1',
      accessTokenExpiresAtEpochSec: EXPIRES,
      epoch: 2,
      tokenEpoch: 2,
      refreshAtEpochSec: dueAt(START_SEC - 60),
      lastRefreshedAtEpochSec: START_SEC,
      failureCount: 0,
      retryAtEpochSec: undefined,
      attemptId: expect.any(String),
      attemptHash: undefined,
      lostHash: undefined,
      refreshLease: undefined,
    });
    const { attemptId: _, ...stored } = { ...world.table.row };
    expect(outcome).toMatchObject({ kind: 'fresh', accessToken: 'access-1', connection: stored });
    expect([world.table.events, world.counted, world.logged]).toEqual([[], ['Refresh fresh none'], []]);
  });

  test('TK-2: a new refresh token replaces the old one in the same write', async () => {
    const world = refreshWorld(connection(), integration(), () => ROTATED);
    const stored = { encryptedRefreshToken: 'enc:refresh-1' };
    expect(await world.refresh()).toMatchObject({ connection: stored });
    expect(world.table.row).toMatchObject(stored);
  });

  test.each([
    ['CR-5: is written again under the data key in use', 2, {}, 'v1.2.refresh-0'],
    ['is left as it is under the same key', 1, {}, 'v1.1.refresh-0#'],
    ['is left as it is where the provider repeats it', 1, { refresh_token: 'refresh-0' }, 'v1.1.refresh-0#'],
  ])('the old refresh token %s', async (_, key, more, expected) => {
    const row = connection({ encryptedRefreshToken: 'v1.1.refresh-0#' });
    const cipher = { ...underKey(key), decrypt: async () => 'refresh-0' };
    const world = refreshWorld(row, integration(), () => tokens(more), { cipher });
    await world.refresh();
    expect(world.table.row?.encryptedRefreshToken).toBe(expected);
  });

  test.each([
    ['of a use is due soon, and the use is noted', START_SEC, START_SEC, dueAt(START_SEC)],
    ['that nobody uses waits for its keep-alive', undefined, START_SEC - 90 * DAY, dueAt(START_SEC - 90 * DAY)],
  ])('a connection %s', async (_, usedAtEpochSec, lastUsedAtEpochSec, refreshAtEpochSec) => {
    const longAgo = START_SEC - 90 * DAY;
    const world = refreshWorld(connection({ lastUsedAtEpochSec: longAgo, consentedAtEpochSec: longAgo }));
    const outcome = await world.refresh(usedAtEpochSec === undefined ? {} : { usedAtEpochSec });
    expect(world.table.row).toMatchObject({ lastUsedAtEpochSec, refreshAtEpochSec });
    expect(outcome).toMatchObject({ connection: { lastUsedAtEpochSec, refreshAtEpochSec } });
  });

  test.each([
    [undefined, START_SEC + DAY],
    [START_SEC, dueAt(START_SEC)],
  ])(
    'new tokens are due no later than the next warning of a known end: used at %s',
    async (lastUsedAtEpochSec, due) => {
      const row = connection({ lastUsedAtEpochSec, consentedAtEpochSec: START_SEC - 4 * DAY });
      const world = refreshWorld(row, integration({ publishingStatus: 'testing', audience: 'external' }));
      await world.refresh();
      expect(world.table.row?.refreshAtEpochSec).toBe(due);
    },
  );

  test('new tokens are due with the warning of an end that the answer itself names', async () => {
    const row = connection({ lastUsedAtEpochSec: undefined });
    const world = refreshWorld(row, integration(), () => tokens({ refresh_token_expires_in: 4 * DAY }));
    await world.refresh();
    expect(world.table.row).toMatchObject({ refreshTokenExpiresAtEpochSec: START_SEC + 4 * DAY });
    const known = refreshWorld({ ...row, refreshTokenExpiresAtEpochSec: START_SEC + 4 * DAY });
    await known.refresh();
    expect(world.table.row?.refreshAtEpochSec).toBe(known.table.row?.refreshAtEpochSec);
    expect(world.table.row?.refreshAtEpochSec).toBeLessThan(START_SEC + 4 * DAY);
  });

  test('new tokens make a dead connection live again, with an event that names what it had died of', async () => {
    const dead = connection({ status: 'reauthorization_required', death: DEATH, sequence: 5, endUser });
    const world = refreshWorld(dead);
    const alive = { status: 'active', death: undefined, sequence: 6 };
    expect(await world.refresh({ force: true })).toMatchObject({ kind: 'fresh', connection: alive });
    expect(world.table.row).toMatchObject(alive);
    const event = { eventType: 'ConnectionRecovered', subject: ESCROWED.ref, sequence: 6, requestId: 'request-1' };
    expect(world.table.events).toMatchObject([{ ...event, endUserId: 'user-1', cause: 'user_revoked' }]);
    expect(world.counted).toContain('ConnectionStatusChanged active');
  });
});

test('make a connection live again whose grant is about to end, and the event says that, and nothing of what is over', async () => {
  const told = { error: 'something_new', sinceEpochSec: 1, count: 3, toldAtEpochSec: START_SEC - 60 };
  const clientFault = { error: 'invalid_client', sinceEpochSec: 1, retryAtEpochSec: START_SEC - 5 };
  const dead = connection({
    ...DEAD,
    sequence: 5,
    consentedAtEpochSec: START_SEC - 6.5 * DAY,
    refreshRefusal: { ...told, tokenEpoch: 1 },
  });
  const world = refreshWorld(
    dead,
    integration({ publishingStatus: 'testing', audience: 'external', clientFault }),
    () => tokens(),
  );
  await world.refresh({ force: true });
  expect(world.table.events).toMatchObject([{ eventType: 'ConnectionRecovered', health: 'ends_soon' }]);
});

describe('tokens whose write reports more than a renewal', () => {
  const dead = connection({ status: 'reauthorization_required', death: DEATH, sequence: 5 });
  /** Each write of tokens meets a row as somebody has just changed it. */
  function changedBefore(change: (row: Connection) => Connection | undefined, most = 1) {
    const world = refreshWorld(dead, integration(), () => tokens());
    const { connections: stored } = world.stores;
    let writes = 0;
    const storeTokens: typeof stored.storeTokens = (...args) => {
      const { row } = world.table;
      if (row !== undefined && writes < most) world.table.row = change(row);
      writes++;
      return stored.storeTokens(...args);
    };
    const refresher = world.refresher('me', direct, { connections: { ...stored, storeTokens } });
    const refresh = () => refresher.refresh(dead, integration(), { wait: false, force: true, requestId: 'request-1' });
    return { world, refresh, writes: () => writes };
  }
  const numbered = (row: Connection) => ({ ...row, sequence: row.sequence + 1 });

  test('tokens whose write reports more than a renewal are written behind events that came meanwhile, and their own have the next number', async () => {
    const { world, refresh } = changedBefore(numbered, 4);
    expect(await refresh()).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
    expect(world.table.row).toMatchObject({ status: 'active', sequence: 10, tokenEpoch: 2 });
    expect(world.table.events).toMatchObject([{ eventType: 'ConnectionRecovered', sequence: 10 }]);
    expect(world.counted).not.toContain('TokenWriteFailed');
  });

  test('tokens whose write reports more than a renewal are tried again later where events keep coming between', async () => {
    const { world, refresh, writes } = changedBefore(numbered, 5);
    expect(await refresh()).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
    // Five writes, then one by the row of the lease, which contains the newest sequence number.
    expect(writes()).toBe(7);
    expect(world.counted.filter((name) => name === 'TokenWriteFailed')).toHaveLength(1);
    expect(world.pauses).toEqual([75]);
    const endless = changedBefore(numbered, Number.POSITIVE_INFINITY);
    await endless.refresh();
    expect(endless.world.logged).toEqual([
      [
        'error',
        'new tokens could not be stored',
        { requestId: 'request-1' },
        'Other events of the connection kept coming between',
      ],
    ]);
    expect(endless.world.table.events).toEqual([]);
  });

  test.each([
    ['has another holder', (row: Connection) => ({ ...row, sequence: 6, epoch: 3 })],
    ['was deleted', (row: Connection) => ({ ...row, sequence: 6, status: 'deleted' as const })],
    ['is gone', () => undefined],
  ])('tokens whose write reports more than a renewal change nothing of a row that %s', async (_, change) => {
    const { world, refresh, writes } = changedBefore(change);
    await refresh();
    expect(writes()).toBe(1);
    expect(world.table.events).toEqual([]);
    expect(world.table.row?.tokenEpoch ?? dead.tokenEpoch).toBe(dead.tokenEpoch);
    expect(world.counted).toContain('RefreshSuperseded');
    expect(world.counted).not.toContain('ConnectionStatusChanged active');
  });
});

describe('tokens that arrive after another holder', () => {
  const later = (row: Connection) => ({ ...row, epoch: 3 });

  test('tokens that arrive after another holder serve the call in hand, and a rotated one is kept', async () => {
    const world = changedMeanwhile(later);
    expect(await world.refresh()).toEqual({ kind: 'fresh', connection: connection(), accessToken: 'access-1' });
    expect(await world.escrowed()).toEqual(ESCROWED);
    expect(world.counted).toEqual(['RefreshSuperseded', 'Refresh fresh none']);
  });

  test('tokens that arrive after another holder leave nothing in escrow without a new refresh token, even under a new data key', async () => {
    const row = connection({ encryptedRefreshToken: 'v1.1.refresh-0' });
    const provider = () => {
      world.table.row = later(row);
      return tokens();
    };
    const world = refreshWorld(row, integration(), provider, { cipher: underKey(2) });
    expect(await world.refresh()).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
    expect(await world.escrowed()).toBeUndefined();
  });

  test('tokens that arrive after another holder are outdated by a re-authorization, whose tokens serve', async () => {
    const world = changedMeanwhile((row) => ({ ...later(row), tokenEpoch: 3, accessTokenExpiresAtEpochSec: EXPIRES }));
    const outcome = await world.refresh();
    expect(outcome).toEqual({ kind: 'fresh', connection: world.table.row, accessToken: undefined });
    expect(await world.escrowed()).toBeUndefined();
  });

  test('tokens that arrive after another holder are not kept alongside tokens of the same lease, which somebody has stored for it', async () => {
    const world = changedMeanwhile((row) => ({ ...later(row), tokenEpoch: 2, ...DEAD }));
    expect(await world.refresh()).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
    expect(await world.escrowed()).toBeUndefined();
  });

  test('tokens that arrive after another holder serve also where the connection was marked dead meanwhile', async () => {
    const world = changedMeanwhile((row) => ({ ...later(row), status: 'reauthorization_required', death: DEATH }));
    expect(await world.refresh()).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
    expect(world.table.row?.status).toBe('reauthorization_required');
  });

  test('tokens that arrive after another holder were stored after all when only the reply was lost', async () => {
    const world = refreshWorld(connection(), integration(), () => ROTATED);
    let isLost = false;
    const refresher = world.refresher('me', async (effect) => {
      const before = world.table.row?.tokenEpoch;
      const result = await effect();
      if (isLost || before === world.table.row?.tokenEpoch) return result;
      isLost = true;
      throw new Error('The reply is lost');
    });
    const outcome = await refresher.refresh(connection(), integration(), { wait: false, force: false, requestId: '' });
    expect(outcome).toMatchObject({ kind: 'fresh', accessToken: 'access-1', connection: { tokenEpoch: 2 } });
    expect([isLost, await world.escrowed()]).toEqual([true, undefined]);
    expect(world.counted).toEqual(['TokenWriteFailed', 'Refresh fresh none']);
  });
});

describe('tokens that arrive after the deletion', () => {
  const deleted = (revocationRequested?: boolean) => (row: Connection) => {
    const gone = { ...row, status: 'deleted', epoch: 3, encryptedRefreshToken: undefined } as const;
    return revocationRequested === undefined ? gone : { ...gone, revocationRequested };
  };

  test.each([
    ['of a known account', { endUser }, 'subject-1', 'user-1'],
    ['of an account and a user that are not known', { providerAccount: undefined }, undefined, undefined],
  ])(
    'F22: tokens that arrive after the deletion are revoked too where that was asked for, %s',
    async (_, changes, subject, endUserId) => {
      const world = changedMeanwhile(deleted(true));
      world.table.row = connection(changes);
      expect(await world.refresh()).toEqual({ kind: 'gone' });
      expect(await world.revocation()).toEqual({
        ref: ESCROWED.ref,
        provider: 'google-drive',
        encryptedRefreshToken: 'enc:refresh-1',
        clientId: connection().clientId,
        subject,
        endUserId,
        requestedAtEpochSec: START_SEC,
        retryAtEpochSec: START_SEC + REFRESH_BACKOFF_BASE_SEC,
        failureCount: 0,
      });
      expect([await world.escrowed(), world.counted]).toEqual([undefined, ['RefreshSuperseded', 'Refresh gone none']]);
    },
  );

  test.each([
    ['revocation was not asked for', deleted(), ROTATED],
    ['the provider kept the refresh token', deleted(true), tokens()],
    ['the row is gone', () => undefined, ROTATED],
  ])('tokens that arrive after the deletion are dropped when %s', async (_, change, answered) => {
    const world = changedMeanwhile(change, answered);
    expect(await world.refresh()).toEqual({ kind: 'gone' });
    expect([await world.revocation(), await world.escrowed()]).toEqual([undefined, undefined]);
  });
});

describe('a write that fails', () => {
  test('a write that fails is repeated after doubling pauses, and the tokens are encrypted once', async () => {
    let encrypted = 0;
    const cipher = {
      encrypt: async (_: unknown, text: string) => `enc:${text}#${++encrypted}`,
      decrypt: async (_: unknown, text: string) => text.replace('enc:', ''),
    };
    const pauses: number[] = [];
    const pause = async (ms: number) => {
      if (pauses.push(ms) === 8) world.failing.delete('connections.storeTokens');
    };
    const world = refreshWorld(connection(), integration(), () => ROTATED, { cipher, pause });
    world.failing.add('connections.storeTokens');
    expect(await world.refresh()).toMatchObject({ kind: 'fresh' });
    // The first encryption is the question whether the key is at hand.
    const stored = { encryptedAccessToken: 'enc:access-1#2', encryptedRefreshToken: 'enc:refresh-1#3' };
    expect(world.table.row).toMatchObject(stored);
    expect(pauses).toEqual([75, 150, 300, 600, 1200, 2400, 2400, 2400]);
    expect(world.counted.filter((name) => name === 'TokenWriteFailed')).toHaveLength(8);
    expect(world.logged).toEqual([]);
  });

  test('F14: a write that fails of a rotated token goes to escrow when the write’s time is over; the call is served, and a later lease adopts it', async () => {
    const world = refreshWorld(connection(), integration(), () => ROTATED);
    world.failing.add('connections.storeTokens');
    expect(await world.refresh()).toEqual({ kind: 'fresh', connection: connection(), accessToken: 'access-1' });
    const writeUntilMs = refreshTiming().writeBudgetMs;
    const spentMs = world.clock.nowMs() - START_SEC * 1000;
    expect(spentMs).toBeLessThan(writeUntilMs);
    expect(spentMs).toBeGreaterThanOrEqual(writeUntilMs - 2_400);
    expect(await world.escrowed()).toMatchObject({ encryptedRefreshToken: 'enc:refresh-1', epoch: 2 });
    expect(world.counted).toContain('TokensEscrowed');
    expect(world.logged.map(([level]) => level)).toEqual(['error']);
    expect(world.table.row?.refreshLease, 'it ends by time').toBeDefined();
    world.failing.clear();
    world.clock.advance(LEASE_SEC);
    expect(await world.refresh()).toMatchObject({ kind: 'fresh', accessToken: undefined });
    expect(world.counted).toContain('EscrowAdopted');
    const adopted = { encryptedRefreshToken: 'enc:refresh-1', lostHash: undefined, tokenEpoch: 3 };
    expect(world.table.row).toMatchObject(adopted);
    expect(world.asked).toHaveLength(1);
  });

  test('F14: a write that fails of a token that is not rotated is given up after three seconds', async () => {
    const world = refreshWorld();
    world.failing.add('connections.storeTokens');
    expect(await world.refresh()).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
    expect(world.pauses).toEqual([75, 150, 300, 600, 1200]);
    expect(await world.escrowed()).toBeUndefined();
    expect(world.counted).not.toContain('RotatedTokenLost');
    const line = [
      'error',
      'new tokens could not be stored',
      { requestId: 'request-1' },
      'connections.storeTokens is away',
    ];
    expect(world.logged).toEqual([line]);
  });

  test.each([
    [75, []],
    [76, [75]],
  ])('never begins past the time of its lease: with %i ms left', async (leftMs, pauses) => {
    const timing = { ...refreshTiming(), writeBudgetMs: leftMs };
    const world = refreshWorld(connection(), integration(), () => tokens(), { timing });
    world.failing.add('connections.storeTokens');
    await world.refresh();
    expect(world.pauses).toEqual(pauses);
  });

  test.each<[string, string]>([
    ['the keys are away', 'cipher'],
    ['escrow fails too', 'escrow.put'],
  ])('F15: costs a rotated token when %s, and an alarm says so', async (_, away) => {
    // The first encryption is the question whether the key is at hand.
    const encrypt = vi.fn(async () => 'enc').mockResolvedValueOnce('enc');
    if (away === 'cipher') encrypt.mockRejectedValue(new Error('KMS'));
    const world = refreshWorld(connection(), integration(), () => ROTATED, { cipher: { ...underKey(1), encrypt } });
    world.failing.add('connections.storeTokens').add(away);
    expect(await world.refresh()).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
    expect(world.counted).toContain('RotatedTokenLost');
    expect(world.counted).not.toContain('TokensEscrowed');
    const reason = away === 'cipher' ? 'The new tokens could not be encrypted' : 'escrow.put is away';
    const line = ['error', 'a rotated refresh token could not be kept', { requestId: 'request-1' }, reason];
    expect(world.logged.at(-1)).toEqual(line);
    expect(await world.escrowed()).toBeUndefined();
  });
});

describe('escrowed tokens', () => {
  test.each([
    ['after an attempt that never closed', { attemptHash: 'hash' }, {}],
    ['when told to', {}, { adopt: true }],
    ['when told to, of a dead connection', DEAD, { adopt: true }],
    ['when told to, of one that waits after a failure', { retryAtEpochSec: START_SEC + 600 }, { adopt: true }],
  ])('escrowed tokens are adopted before the provider is asked %s', async (_, changes, options) => {
    const world = refreshWorld(connection(changes));
    await world.stores.escrow.put(escrowed());
    expect(await world.refresh(options)).toMatchObject({ kind: 'fresh', accessToken: undefined });
    expect(world.asked).toEqual([]);
    const adopted = { encryptedAccessToken: 'enc:access-1', encryptedRefreshToken: 'enc:refresh-1', tokenEpoch: 2 };
    expect(world.table.row).toMatchObject({ status: 'active', accessTokenExpiresAtEpochSec: EXPIRES, ...adopted });
    expect(world.counted[0]).toBe('EscrowAdopted');
  });

  test.each([
    ['nothing asks for them', {}, escrowed()],
    ['they are as old as the row’s', { attemptHash: 'hash' }, escrowed({ epoch: 1 })],
    ['there are none', { attemptHash: 'hash' }, undefined],
  ])('escrowed tokens are passed over where %s', async (_, changes, stored) => {
    const world = refreshWorld(connection(changes));
    if (stored !== undefined) await world.stores.escrow.put(stored);
    expect(await world.refresh()).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
    expect(world.counted).toEqual(['Refresh fresh none']);
  });

  test('escrowed tokens that have expired are adopted, and then refreshed', async () => {
    const newer = tokens({ access_token: 'access-2' });
    const world = refreshWorld(connection({ attemptHash: 'hash' }), integration(), () => newer);
    await world.stores.escrow.put({ ...escrowed(), accessTokenExpiresAtEpochSec: START_SEC });
    expect(await world.refresh()).toMatchObject({ kind: 'fresh', accessToken: 'access-2' });
    expect(world.asked.map(({ refreshToken }) => refreshToken)).toEqual(['refresh-1']);
  });

  test.each([
    ['busy with a later holder', { epoch: 3 }, { kind: 'busy' }],
    ['dead as a later holder found it', { epoch: 3, ...DEAD }, { kind: 'dead', death: DEATH }],
    ['dead, also with newer tokens', { epoch: 3, tokenEpoch: 3, ...DEAD }, { kind: 'dead' }],
  ])('escrowed tokens stay where they are of a row that is %s', async (_, changes, outcome) => {
    const world = refreshWorld(connection({ attemptHash: 'hash' }));
    await world.stores.escrow.put(escrowed());
    const another = { owner: 'another', epoch: 3, expiresAtEpochSec: START_SEC + 20 };
    const refresher = world.refresher('me', async (effect) => {
      const { row } = world.table;
      if (row?.epoch === 2) world.table.row = { ...row, refreshLease: another, ...changes };
      return effect();
    });
    const options = { wait: false, force: false, requestId: '' };
    expect(await refresher.refresh(world.table.row ?? connection(), integration(), options)).toMatchObject(outcome);
    expect(await world.escrowed()).toEqual(escrowed());
  });
});
