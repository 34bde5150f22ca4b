import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import type { GrantDeath } from '../../../lambdas/gateway/core/grant-death.ts';
import {
  ACTIVE_WINDOW_SEC,
  FORCED_REFRESH_COOL_DOWN_SEC,
  USE_NOTE_INTERVAL_SEC,
} from '../../../lambdas/gateway/core/limits.ts';
import { isUnreadable } from '../../../lambdas/gateway/tokens/access-tokens.ts';
import type { RefreshOutcome } from '../../../lambdas/gateway/tokens/refresher.ts';
import { accessTokensWorld, working } from './support/access-tokens-world.ts';
import { connection, START_SEC } from './support/connection.ts';

const DEATH: GrantDeath = {
  status: 'reauthorization_required',
  cause: 'user_revoked',
  certain: false,
  likelyCauses: [
    {
      cause: 'user_revoked',
      likelihood: 0.9,
      who: 'end_user',
      explanation: 'The user took access back.',
      remedy: 'Connect again.',
    },
  ],
  remedy: 'Ask the user to connect again.',
  providerError: 'invalid_grant',
  since: '2027-01-15T08:00:00.000Z',
};
const renewed = working(3600, { tokenEpoch: 2, encryptedAccessToken: 'enc:access-1' });
const BUSY: RefreshOutcome = { kind: 'busy', connection: connection() };
const transient = (retryAfterSec: number): RefreshOutcome => ({ kind: 'transient', reason: 'http_503', retryAfterSec });
const fresh: RefreshOutcome = { kind: 'fresh', connection: renewed, accessToken: 'access-1' };

async function failure(work: Promise<unknown>): Promise<GatewayError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof GatewayError) return error;
  throw new Error(`Expected a refusal, got ${String(error)}`);
}

describe('a token that works', () => {
  test('is decrypted once, in its own place, and remembered', async () => {
    const world = accessTokensWorld(working(3600));
    expect(await world.call()).toMatchObject({ accessToken: 'access-0' });
    expect(world.works).toEqual([]);
    expect(world.decrypted).toEqual(['accessToken enc:access-0']);
    expect(world.asked).toEqual([]);
    expect(await world.call('access-known')).toMatchObject({ accessToken: 'access-known' });
    expect(world.decrypted).toHaveLength(1);
    expect(world.logged).toEqual([]);
  });

  test('TK-5: near its end it is used, and refreshed beside the call without waiting or force', async () => {
    const world = accessTokensWorld(working(60));
    world.script.outcome = async () => fresh;
    expect((await world.wholeCall('access-0')).accessToken).toBe('access-0');
    expect(world.asked).toEqual([{ wait: false, force: false, usedAtEpochSec: START_SEC, requestId: 'request-1' }]);
  });

  test('TK-5: a refresh beside the call that fails fails nobody and is logged', async () => {
    const world = accessTokensWorld(working(60));
    world.script.outcome = () => Promise.reject(new Error('table is away'));
    expect((await world.wholeCall('access-0')).accessToken).toBe('access-0');
    expect(world.logged).toEqual(['refresh beside a call failed']);
  });

  test('is noted as used once in ten minutes, beside the call; a note that fails is logged', async () => {
    const old = working(3600, { lastUsedAtEpochSec: START_SEC - USE_NOTE_INTERVAL_SEC });
    const world = accessTokensWorld(old);
    world.script.noteUse = () => Promise.reject(new Error('throttled'));
    await world.wholeCall('access-0');
    expect(world.noted).toEqual([[START_SEC, expect.any(Number)]]);
    expect(world.logged).toEqual(['use could not be noted']);
    const recent = accessTokensWorld(working(3600, { lastUsedAtEpochSec: START_SEC - USE_NOTE_INTERVAL_SEC + 1 }));
    await recent.wholeCall('access-0');
    expect(recent.noted).toEqual([]);
    const never = accessTokensWorld(working(3600, { lastUsedAtEpochSec: undefined }));
    await never.wholeCall('access-0');
    expect(never.noted).toHaveLength(1);
  });

  test('F61: the note and the refresh beside the call are the function’s to wait for, not the caller’s', async () => {
    const world = accessTokensWorld(working(60, { lastUsedAtEpochSec: undefined }));
    const never = Promise.withResolvers<never>();
    world.script.noteUse = () => never.promise;
    world.script.outcome = () => never.promise;
    await world.call('access-0');
    expect(world.works).toHaveLength(2);
  });
});

describe('a token that has expired', () => {
  test('is refreshed first, with the caller waiting and the use noted in the same write', async () => {
    const world = accessTokensWorld(connection());
    world.script.outcome = async () => fresh;
    expect(await world.call()).toMatchObject({ accessToken: 'access-1', connection: { tokenEpoch: 2 } });
    expect(world.asked).toEqual([{ wait: true, force: false, usedAtEpochSec: START_SEC, requestId: 'request-1' }]);
    expect(world.decrypted).toEqual([]);
  });

  test('another process’s result is decrypted', async () => {
    const world = accessTokensWorld(connection());
    world.script.outcome = async () => ({ ...fresh, accessToken: undefined });
    expect((await world.call()).accessToken).toBe('access-1');
    expect(world.decrypted).toEqual(['accessToken enc:access-1']);
  });

  test.each([
    [START_SEC - ACTIVE_WINDOW_SEC + 1, 'true'],
    [START_SEC - ACTIVE_WINDOW_SEC, 'false'],
    [undefined, 'false'],
  ])('counts whether it was used within a day: last at %s, %s', async (lastUsedAtEpochSec, recently) => {
    const world = accessTokensWorld(connection({ lastUsedAtEpochSec }));
    await failure(world.call());
    expect(world.counted).toContain(`CallerWaitedForRefresh ${recently}`);
  });

  test.each<[RefreshOutcome, string, number | undefined]>([
    [BUSY, 'token_refresh_unavailable', 1],
    [transient(7), 'token_refresh_unavailable', 7],
    [transient(0), 'token_refresh_unavailable', 1],
    [{ kind: 'gone' }, 'unknown_connection', undefined],
    [
      { kind: 'client_fault', error: 'invalid_client', retryAfterSec: 60 },
      'integration_credentials_rejected',
      undefined,
    ],
    [
      { kind: 'dead', connection: connection({ status: 'reauthorization_required', death: DEATH }), death: DEATH },
      'reauthorization_required',
      undefined,
    ],
  ])('ends with the refresh: %j', async (outcome, code, retryAfterSec) => {
    const world = accessTokensWorld(connection());
    world.script.outcome = async () => outcome;
    const refused = await failure(world.call());
    expect([refused.code, refused.retryAfterSec]).toEqual([code, retryAfterSec]);
    expect(refused.message).not.toBe('');
  });
});

describe('a dead connection', () => {
  test('is answered at once, with cause and remedy, and asks nobody', async () => {
    const world = accessTokensWorld(connection({ status: 'reauthorization_required', death: DEATH }));
    const refused = await failure(world.call());
    expect(refused).toMatchObject({ code: 'reauthorization_required', death: DEATH });
    expect(refused.message).toBe(
      'The grant of this connection has ended. Probably: The user took access back. Ask the user to connect again.',
    );
    expect([world.asked, world.noted, world.decrypted]).toEqual([[], [], []]);
  });

  test('of a certain cause says so without a doubt, of none only the remedy', async () => {
    const messageOf = async (death: GrantDeath) =>
      (await failure(accessTokensWorld(connection({ death })).call())).message;
    expect(await messageOf({ ...DEATH, certain: true })).toContain('has ended. The user took access back.');
    expect(await messageOf({ ...DEATH, likelyCauses: [] })).toBe(
      'The grant of this connection has ended. Ask the user to connect again.',
    );
  });
});

describe('a token that the provider’s API refuses (TK-6)', () => {
  const used = working(3600, { forcedRefreshAtEpochSec: START_SEC - FORCED_REFRESH_COOL_DOWN_SEC });

  test.each([
    ['was never refreshed for a refusal', undefined],
    ['was refreshed for one a while ago', START_SEC - FORCED_REFRESH_COOL_DOWN_SEC],
  ])('of a connection that %s is refreshed once, waiting, and not forced past a back-off', async (_, forcedAt) => {
    const used = working(3600, { forcedRefreshAtEpochSec: forcedAt, lastRefreshedAtEpochSec: START_SEC - 1 });
    const world = accessTokensWorld(used);
    world.script.outcome = async () => fresh;
    expect(await world.refusal()).toMatchObject({ accessToken: 'access-1' });
    expect(world.asked).toEqual([
      { wait: true, force: false, afterRefusal: true, usedAtEpochSec: START_SEC, requestId: 'request-1' },
    ]);
    expect(world.counted).toEqual(['ForcedRefresh']);
    expect(world.reads()).toBe(1);
  });

  test('is the caller’s to see when another refusal had it refreshed within half a minute', async () => {
    const world = accessTokensWorld({ ...used, forcedRefreshAtEpochSec: START_SEC - FORCED_REFRESH_COOL_DOWN_SEC + 1 });
    expect(await world.refusal()).toBeUndefined();
    expect([world.asked, world.counted]).toEqual([[], []]);
  });

  test('gives way to one that somebody has stored meanwhile, unless that has expired', async () => {
    const world = accessTokensWorld(used);
    world.script.stored = renewed;
    expect(await world.refusal()).toMatchObject({ accessToken: 'access-1', connection: { tokenEpoch: 2 } });
    expect(world.asked).toEqual([]);
    world.script.stored = { ...renewed, accessTokenExpiresAtEpochSec: START_SEC, lastRefreshedAtEpochSec: undefined };
    world.script.outcome = async () => fresh;
    await world.refusal();
    expect(world.asked).toHaveLength(1);
  });

  test.each<[RefreshOutcome]>([[BUSY], [transient(7)]])(
    'stays refused when the refresh ends with %j',
    async (outcome) => {
      const world = accessTokensWorld(used);
      world.script.outcome = async () => outcome;
      expect(await world.refusal()).toBeUndefined();
    },
  );

  test('of a connection that is gone, deleted or dead ends with that', async () => {
    const world = accessTokensWorld(used);
    world.script.stored = undefined;
    expect((await failure(world.refusal())).code).toBe('unknown_connection');
    world.script.stored = { ...used, status: 'deleted' };
    expect((await failure(world.refusal())).code).toBe('unknown_connection');
    world.script.stored = { ...used, death: DEATH };
    expect((await failure(world.refusal())).code).toBe('reauthorization_required');
    expect(world.asked).toEqual([]);
  });
});

describe('storage that fails', () => {
  test('F45: table, keys or secrets out of reach are a 503 that says to try again, counted and logged', async () => {
    const world = accessTokensWorld(working(3600));
    world.script.decrypt = () => Promise.reject(new Error('KMS is away'));
    const refused = await failure(world.call());
    expect([refused.code, refused.retryAfterSec]).toEqual(['service_unavailable', 1]);
    expect(world.counted).toEqual(['StorageUnavailable']);
    expect(world.logged).toEqual(['a token could not be read or refreshed']);
  });

  test.each(['CipherError', 'UnreadableItemError'])(
    'F52: %s is an internal error with a count of its own',
    async (name) => {
      const world = accessTokensWorld(working(3600));
      const error = Object.assign(new Error('unreadable'), { name });
      world.script.decrypt = () => Promise.reject(error);
      await expect(world.call()).rejects.toBe(error);
      expect(world.counted).toEqual(['StoredValueUnreadable']);
    },
  );

  test('only errors of these names are unreadable values', () => {
    expect(isUnreadable(Object.assign(new Error('x'), { name: 'CipherError' }))).toBe(true);
    expect(isUnreadable(new Error('CipherError'))).toBe(false);
    expect(isUnreadable({ name: 'CipherError' })).toBe(false);
  });

  test('a row without a token is no connection any more', async () => {
    const world = accessTokensWorld(working(3600, { encryptedAccessToken: undefined }));
    expect((await failure(world.call())).code).toBe('unknown_connection');
  });
});
