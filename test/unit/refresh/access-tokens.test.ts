import { describe, expect, test, vi } from 'vitest';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import type { GrantDeath } from '../../../lambdas/gateway/core/grant-death.ts';
import {
  ACTIVE_WINDOW_SEC,
  FORCED_REFRESH_COOL_DOWN_SEC,
  USE_NOTE_INTERVAL_SEC,
} from '../../../lambdas/gateway/core/limits.ts';
import { isUnreadable, refreshError } from '../../../lambdas/gateway/tokens/access-tokens.ts';
import { google } from '../support/google.ts';
import { callerProcess, working } from './support/caller-world.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import { answer, DEATH, INVALID_GRANT, leased, refreshWorld, tokens } from './support/refresh-world.ts';

const renewed = working(3600, { epoch: 2, tokenEpoch: 2, encryptedAccessToken: 'enc:access-2' });

/** A process that serves calls of this row, in a world whose provider gives this answer. */
function processOf(row: Connection, answered = tokens(), overrides: Parameters<typeof callerProcess>[2] = {}) {
  const world = refreshWorld(row, integration(), () => answered);
  return { ...world, ...callerProcess(world, 'me', overrides), world };
}

async function failure(work: Promise<unknown>): Promise<GatewayError> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (error instanceof GatewayError) return error;
  throw new Error(`Expected a refusal, got ${String(error)}`);
}

describe('a token that works', () => {
  test('a token that works is decrypted once, in its own place, and remembered', async () => {
    const decrypted: string[] = [];
    const decrypt = async ({ field }: { readonly field: string }, text: string) => {
      decrypted.push(`${field} ${text}`);
      return text.replace('enc:', '');
    };
    const cipher = { encrypt: async () => '', decrypt };
    const process = processOf(working(3600), tokens(), { cipher });
    const remember = vi.spyOn(process.directory, 'remember');
    expect(await process.call()).toMatchObject({ accessToken: 'access-0' });
    expect(remember.mock.calls).toEqual([[{ connection: working(3600), accessToken: 'access-0' }]]);
    expect(await process.call('access-known')).toMatchObject({ accessToken: 'access-known' });
    expect(decrypted).toEqual(['accessToken enc:access-0']);
    expect([process.works, process.asked, process.logged]).toEqual([[], [], []]);
  });

  test('TK-5, F61: near its end is used at once and refreshed alongside the call, which then is the function’s to wait for', async () => {
    const row = working(120, { lastUsedAtEpochSec: undefined, refreshAtEpochSec: START_SEC + 20 * 86_400 });
    const process = processOf(row);
    const remember = vi.spyOn(process.directory, 'remember');
    expect((await process.call('access-0')).accessToken).toBe('access-0');
    expect(process.works).toHaveLength(2);
    await Promise.all(process.works);
    expect(process.table.row).toMatchObject({ encryptedAccessToken: 'enc:access-1', lastUsedAtEpochSec: START_SEC });
    // Kept fresh from then on, and not only alive.
    expect(process.table.row?.refreshAtEpochSec).toBeLessThan(START_SEC + 3599);
    expect(remember.mock.calls).toMatchObject([[{ connection: { tokenEpoch: 2 }, accessToken: 'access-1' }]]);
  });

  test.each([
    ['died', INVALID_GRANT, 1],
    ['failed for now', answer(503, {}), 0],
  ])('TK-5: serves its call also where the refresh alongside it %s', async (_, answered, forgotten) => {
    const process = processOf(working(60), answered);
    const forget = vi.spyOn(process.directory, 'forget');
    expect((await process.wholeCall('access-0')).accessToken).toBe('access-0');
    expect(forget.mock.calls).toHaveLength(forgotten);
  });

  test('TK-5: serves its call also where the connection was deleted, or nothing can be reached', async () => {
    const deleted = processOf(working(60, { status: 'deleted' }));
    const forget = vi.spyOn(deleted.directory, 'forget');
    await deleted.wholeCall('access-0');
    expect(forget).toHaveBeenCalledOnce();
    const away = processOf(working(60));
    away.failing.add('connections.takeLease');
    expect((await away.wholeCall('access-0')).accessToken).toBe('access-0');
    expect(away.logged).toEqual([
      [
        'error',
        'refresh in the background of a call failed',
        { requestId: 'request-1' },
        'connections.takeLease is away',
      ],
    ]);
  });
});

test.each([
  ['another is at it', leased(20, { accessTokenExpiresAtEpochSec: START_SEC + 60 })],
  ['the connection is in a back-off', working(60, { retryAtEpochSec: START_SEC + 9 })],
])('TK-5: a refresh alongside a call neither waits nor asks when %s', async (_, row) => {
  const process = processOf(row);
  await process.wholeCall('access-0');
  expect([process.asked, process.pauses]).toEqual([[], []]);
});

describe('the note of a use', () => {
  test.each([
    ['ten minutes after the last one', START_SEC - USE_NOTE_INTERVAL_SEC, 1],
    ['not before', START_SEC - USE_NOTE_INTERVAL_SEC + 1, 0],
    ['of a first call', undefined, 1],
    ['of the first call of a row that says it has just been used', START_SEC - 60, 1],
    ['of the first call in the second of its making, as of the next', START_SEC, 1],
    ['of the first call by a clock that lags behind its making', START_SEC + 4, 1],
  ])('the note of a use is written %s, and remembered at once', async (which, lastUsedAtEpochSec, count) => {
    const isNew = which.startsWith('of the first');
    const notedAt = Math.max(START_SEC, isNew ? (lastUsedAtEpochSec ?? 0) + 1 : 0);
    const createdAt = new Date((lastUsedAtEpochSec ?? 0) * 1000).toISOString();
    const process = processOf(working(3600, { lastUsedAtEpochSec, ...(isNew ? { createdAt } : {}) }));
    const { row } = process.table;
    const touch = vi.spyOn(process.directory, 'touch');
    await process.wholeCall('access-0');
    if (count === 0) expect(process.table.row).toEqual(row);
    else expect(process.table.row?.lastUsedAtEpochSec).toBe(notedAt);
    expect(touch.mock.calls).toEqual(count === 0 ? [] : [[row, notedAt]]);
  });

  test('the note of a use is written once in ten minutes, though calls keep bringing a row of before, and again of a connection made again', async () => {
    const old = working(36_000, { lastUsedAtEpochSec: START_SEC - 2 * USE_NOTE_INTERVAL_SEC });
    const process = processOf(old);
    const noted = async (remembered: Connection) => {
      process.works.length = 0;
      await process.call('access-0', remembered);
      await Promise.all(process.works);
      return process.works.length;
    };
    expect([await noted(old), await noted(old)]).toEqual([1, 0]);
    process.clock.advance(USE_NOTE_INTERVAL_SEC - 1);
    expect(await noted(old)).toBe(0);
    expect(await noted({ ...old, createdAt: '2027-01-15T07:00:00.000Z' })).toBe(1);
    process.clock.advance(1);
    expect(await noted(old)).toBe(1);
    // What a row says that was just read is known from then on, too.
    process.clock.advance(2 * USE_NOTE_INTERVAL_SEC);
    const nowSec = process.clock.nowMs() / 1000;
    expect(await noted({ ...old, lastUsedAtEpochSec: nowSec - 100 })).toBe(0);
    expect(await noted(old)).toBe(0);
    process.clock.advance(USE_NOTE_INTERVAL_SEC - 100);
    expect(await noted(old)).toBe(1);
  });

  test('the note of a use that cannot be written is logged and fails nobody', async () => {
    const process = processOf(working(3600, { lastUsedAtEpochSec: undefined }));
    process.failing.add('connections.noteUse');
    await process.wholeCall('access-0');
    expect(process.logged.map(([, message]) => message)).toEqual(['use could not be noted']);
  });

  test.each([
    [START_SEC + 5, 5, 5],
    [START_SEC + 9_000_000, 2_001, 3_599],
  ])('brings the next refresh at %s forward and never puts it off', async (refreshAtEpochSec, least, most) => {
    const process = processOf(working(3600, { lastUsedAtEpochSec: undefined, refreshAtEpochSec }));
    await process.wholeCall('access-0');
    const { lastUsedAtEpochSec: noted, refreshAtEpochSec: due = 0 } = { ...process.table.row };
    expect(noted).toBe(START_SEC);
    expect(due - START_SEC).toBeGreaterThanOrEqual(least);
    expect(due - START_SEC).toBeLessThanOrEqual(most);
  });
});

test('SA-25: the use of a connection without a person is noted, and brings no refresh forward', async () => {
  const row = working(3600, { delegated: true, lastUsedAtEpochSec: undefined, refreshAtEpochSec: undefined });
  const process = processOf(row);
  await process.wholeCall('access-0');
  expect(process.table.row).toMatchObject({ lastUsedAtEpochSec: START_SEC, refreshAtEpochSec: undefined });
});

describe('a token that has expired', () => {
  test('a token that has expired is refreshed first, with the caller waiting and the use noted in the same write', async () => {
    const process = processOf(connection({ lastUsedAtEpochSec: START_SEC - 90 * 86_400 }));
    const remember = vi.spyOn(process.directory, 'remember');
    expect(await process.call()).toMatchObject({ accessToken: 'access-1', connection: { tokenEpoch: 2 } });
    expect(process.table.row?.lastUsedAtEpochSec).toBe(START_SEC);
    expect(remember.mock.calls).toMatchObject([[{ connection: { tokenEpoch: 2 }, accessToken: 'access-1' }]]);
  });

  test('a token that has expired is waited for where another process refreshes, whose result is decrypted', async () => {
    const pause = async () => {
      process.table.row = { ...renewed, lastUsedAtEpochSec: undefined };
    };
    const process = processOf(leased(20), tokens(), { pause });
    expect((await process.wholeCall()).accessToken).toBe('access-2');
    expect(process.asked).toEqual([]);
    expect(process.table.row?.lastUsedAtEpochSec).toBe(START_SEC);
  });

  test('a token that has expired is not asked for past a back-off', async () => {
    const process = processOf(connection({ retryAtEpochSec: START_SEC + 9 }));
    expect(await failure(process.call())).toMatchObject({ code: 'token_refresh_unavailable', retryAfterSec: 9 });
    expect(process.asked).toEqual([]);
  });

  test.each([
    [START_SEC - ACTIVE_WINDOW_SEC + 1, 'true'],
    [START_SEC - ACTIVE_WINDOW_SEC, 'false'],
    [undefined, 'false'],
  ])('counts whether it was used within a day: last at %s, %s', async (lastUsedAtEpochSec, recently) => {
    const process = processOf(connection({ lastUsedAtEpochSec }));
    await process.call();
    expect(process.counted).toContain(`CallerWaitedForRefresh ${recently}`);
  });

  test('a token that has expired of a connection without a person counts as no fault of the schedule, which has no entry for it', async () => {
    const process = processOf(connection({ delegated: true, lastUsedAtEpochSec: START_SEC - 1 }));
    await failure(process.call());
    expect(process.counted).toContain('CallerWaitedForRefresh false');
  });

  const refusedClient = answer(401, { error: 'invalid_client' });

  test.each([
    ['no answer', answer(503, {}, '77'), 'token_refresh_unavailable', 77, /access token has expired and .* try again/],
    ['an unlisted one', answer(403, { error: 'something_new' }), 'token_refresh_unavailable', 15, /something_new/],
    [
      'a refused client',
      refusedClient,
      'integration_credentials_rejected',
      undefined,
      /secret.* connection is not at fault/,
    ],
    ['a dead grant', INVALID_GRANT, 'reauthorization_required', undefined, /^The grant of this connection has ended/],
  ])('ends with the refresh: %s', async (_, answered, code, retryAfterSec, message) => {
    const process = processOf(connection(), answered);
    const remember = vi.spyOn(process.directory, 'remember');
    const refused = await failure(process.call());
    expect([refused.code, refused.retryAfterSec]).toEqual([code, retryAfterSec]);
    expect(refused.message).toMatch(message);
    const isDead = code === 'reauthorization_required';
    expect(remember.mock.calls).toMatchObject(isDead ? [[{ accessToken: undefined }]] : []);
  });

  test('a token that has expired of a connection that is gone is no connection any more, and is forgotten', async () => {
    const process = processOf(connection({ status: 'deleted' }));
    const forget = vi.spyOn(process.directory, 'forget');
    const refused = await failure(process.call());
    expect(refused).toMatchObject({ code: 'unknown_connection', message: expect.stringContaining('Connection-Id') });
    expect(forget).toHaveBeenCalledOnce();
  });
});

describe('a dead connection', () => {
  test.each<[string, Partial<GrantDeath>, string]>([
    [
      'a guess',
      { likelyCauses: [likely()] },
      'The grant of this connection has ended. Probably: The user took access back. Ask the user to connect again.',
    ],
    [
      'a certain cause',
      { likelyCauses: [likely()], certain: true },
      'The grant of this connection has ended. The user took access back. Ask',
    ],
    ['no cause', {}, 'The grant of this connection has ended. Ask the user to connect again.'],
    [
      'a cause that may pass',
      { cause: 'admin_restricted', providerError: 'admin_policy_enforced' },
      'The provider refuses the grant of this connection for now. Ask the user to connect again.',
    ],
  ])('a dead connection is answered at once, with %s and the remedy, and asks nobody', async (_, changes, message) => {
    const death = { ...DEATH, ...changes };
    const process = processOf(working(3600, { status: 'reauthorization_required', death }));
    const refused = await failure(process.call());
    expect(refused).toMatchObject({ code: 'reauthorization_required', death });
    expect(refused.message).toContain(message);
    expect([process.asked, process.table.row?.lastUsedAtEpochSec]).toEqual([[], START_SEC - 60]);
  });

  test.each([
    ['deleted', working(3600, { status: 'deleted' })],
    ['gone', undefined],
  ])('a dead connection that is %s by now is no connection any more', async (_, row) => {
    const process = processOf(working(3600));
    const remembered = working(3600, { status: 'reauthorization_required', death: DEATH });
    process.table.row = row;
    const refused = await failure(process.call(undefined, remembered));
    expect(refused).toMatchObject({ code: 'unknown_connection', message: expect.stringContaining('Connection-Id') });
  });

  function likely(): GrantDeath['likelyCauses'][number] {
    const explanation = 'The user took access back.';
    return { cause: 'user_revoked', likelihood: 0.9, who: 'end_user', explanation, remedy: 'Connect again.' };
  }
});

describe('a token that the provider’s API refuses (TK-6)', () => {
  const used = working(3600, { forcedRefreshAtEpochSec: START_SEC - FORCED_REFRESH_COOL_DOWN_SEC });

  test.each([
    ['was never refreshed for a refusal', undefined],
    ['was refreshed for one a while ago', START_SEC - FORCED_REFRESH_COOL_DOWN_SEC],
  ])(
    'a token that the provider’s API refuses of a connection that %s is refreshed once, and remembered as asked for',
    async (_, forcedRefreshAtEpochSec) => {
      const process = processOf(working(3600, { forcedRefreshAtEpochSec, lastRefreshedAtEpochSec: START_SEC - 1 }));
      const forget = vi.spyOn(process.directory, 'forget');
      expect(await process.refusal()).toMatchObject({ accessToken: 'access-1' });
      expect(process.table.row).toMatchObject({ tokenEpoch: 2, forcedRefreshAtEpochSec: START_SEC });
      expect(process.counted[0]).toBe('ForcedRefresh');
      expect(forget).toHaveBeenCalledOnce();
    },
  );

  test('a token that the provider’s API refuses is the caller’s to see when another refusal had it refreshed within half a minute, and that brought the token', async () => {
    const forcedRefreshAtEpochSec = START_SEC - FORCED_REFRESH_COOL_DOWN_SEC + 1;
    const process = processOf(
      working(3600, { forcedRefreshAtEpochSec, lastRefreshedAtEpochSec: forcedRefreshAtEpochSec }),
    );
    expect(await process.refusal()).toBeUndefined();
    expect([process.asked, process.counted]).toEqual([[], []]);
  });

  test.each([
    ['has brought nothing yet', undefined],
    ['has just brought one', START_SEC],
  ])(
    'a token that the provider’s API refuses is waited for while another asks, who %s: the answer may say why it is refused',
    async (_, lastRefreshedAtEpochSec) => {
      const pause = async () => {
        process.table.row = connection({ status: 'reauthorization_required', death: DEATH });
      };
      const asking = { ...used, ...leased(20), accessTokenExpiresAtEpochSec: used.accessTokenExpiresAtEpochSec };
      const process = processOf({ ...asking, forcedRefreshAtEpochSec: START_SEC, lastRefreshedAtEpochSec }, tokens(), {
        pause,
      });
      expect((await failure(process.refusal())).code).toBe('reauthorization_required');
    },
  );

  test('gives way to one that somebody has stored meanwhile, unless that has expired', async () => {
    const process = processOf(renewed);
    expect(await process.refusal(used)).toMatchObject({ accessToken: 'access-2', connection: { tokenEpoch: 2 } });
    expect(process.asked).toEqual([]);
    process.table.row = { ...renewed, accessTokenExpiresAtEpochSec: START_SEC, lastRefreshedAtEpochSec: undefined };
    await process.refusal(used);
    expect(process.asked).toHaveLength(1);
  });

  test('a token that the provider’s API refuses and that cannot be renewed ends with words for that, and not with those for one that has expired', async () => {
    const process = processOf(used, answer(503, {}));
    const refused = await failure(process.refusal());
    expect([refused.code, refused.message]).toEqual([
      'token_refresh_unavailable',
      'The provider does not accept the access token any more, and it cannot be refreshed right now. The connection is not at fault; try again.',
    ]);
  });

  const justAsked = { ...used, forcedRefreshAtEpochSec: START_SEC, lastRefreshedAtEpochSec: START_SEC };
  test.each<[string, Connection | undefined, string]>([
    ['gone', undefined, 'unknown_connection'],
    ['deleted', { ...used, status: 'deleted' }, 'unknown_connection'],
    ['dead', { ...used, death: DEATH }, 'reauthorization_required'],
    ['deleted since it was asked for', { ...justAsked, status: 'deleted' }, 'unknown_connection'],
    ['dead since it was asked for', { ...justAsked, death: DEATH }, 'reauthorization_required'],
  ])('of a connection that is %s ends with that', async (_, row, code) => {
    const process = processOf(used);
    process.table.row = row;
    const refused = await failure(process.refusal(used));
    expect(refused.code).toBe(code);
    expect(refused.message).toContain(code === 'unknown_connection' ? 'Connection-Id' : 'has ended');
    expect(process.asked).toEqual([]);
  });
});

test.each([
  ['for_call', 'The access token is being refreshed. Try again.'],
  ['asked', 'The token is being refreshed. Try again.'],
] as const)('who cannot wait for another’s refresh (%s) is asked to try again: %s', (purpose, message) => {
  const told = refreshError({ kind: 'busy', connection: leased(20) }, purpose, google);
  expect([told.code, told.retryAfterSec, told.message]).toEqual(['token_refresh_unavailable', 1, message]);
});

describe('storage that fails', () => {
  const failing = (error: Error) => ({ encrypt: async () => '', decrypt: () => Promise.reject(error) });

  test.each([
    ['an error of the service', new Error('KMS is away')],
    ['one that its client has put in words', new GatewayError('service_unavailable', 'KMS is away')],
  ])(
    'F45: table, keys or secrets out of reach are a 503 that says to try again, counted and logged: %s',
    async (_, error) => {
      const process = processOf(working(3600), tokens(), { cipher: failing(error) });
      const refused = await failure(process.call());
      expect([refused.code, refused.retryAfterSec]).toEqual(['service_unavailable', 1]);
      expect(refused.message).toContain('try again');
      expect(process.counted).toEqual(['StorageUnavailable']);
      expect(process.logged).toEqual([['error', 'a token could not be read or refreshed', {}, 'KMS is away']]);
    },
  );

  test.each(['CipherError', 'UnreadableItemError'])('F52: %s is an internal error with its own count', async (name) => {
    const error = Object.assign(new Error('unreadable'), { name });
    const process = processOf(working(3600), tokens(), { cipher: failing(error) });
    await expect(process.call()).rejects.toBe(error);
    expect(process.counted).toEqual(['StoredValueUnreadable']);
  });

  test('only errors of these names are unreadable values', () => {
    expect(isUnreadable(new Error('CipherError'))).toBe(false);
    expect(isUnreadable({ name: 'CipherError' })).toBe(false);
  });

  test('a row without a token is no connection any more', async () => {
    const process = processOf(working(3600, { encryptedAccessToken: undefined }));
    expect((await failure(process.call())).message).toContain('Connection-Id');
  });
});
