import { describe, expect, test } from 'vitest';
import type { Connection, TokenSet } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { nextRefreshAt } from '../../../lambdas/gateway/tokens/freshness.rules.ts';
import { adoptEscrow, newerEscrow, storeRefreshedTokens } from '../../../lambdas/gateway/tokens/token-write.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import { DEATH, escrowed, held, heldWorld } from './support/held-world.ts';

const EXPIRES = START_SEC + 3599;
const DAY = 86_400;
const tokens = (changes: Partial<TokenSet> = {}): TokenSet => ({
  accessToken: 'access-1',
  refreshToken: undefined,
  accessTokenExpiresAtEpochSec: EXPIRES,
  grantedScopes: undefined,
  refreshTokenExpiresAtEpochSec: undefined,
  idToken: undefined,
  ...changes,
});
const dueAt = (lastUsed: number | undefined) => nextRefreshAt(connection(), EXPIRES, lastUsed, START_SEC);

/** A world whose time passes by its pauses. */
function timed(row?: Connection) {
  const world = heldWorld(row);
  const pauses: number[] = [];
  const deps = {
    ...world.deps,
    pause: async (ms: number) => {
      pauses.push(ms);
      world.state.nowMs += ms;
    },
  };
  return { ...world, deps, pauses };
}

describe('new tokens', () => {
  test('are written once, encrypted, with the next due time, and nothing else', async () => {
    const world = heldWorld();
    const outcome = await storeRefreshedTokens(world.deps, held(), tokens());
    expect(world.calls).toEqual([
      [
        'storeTokens',
        connection(),
        held().lease,
        {
          encryptedAccessToken: 'enc:access-1',
          encryptedRefreshToken: undefined,
          accessTokenExpiresAtEpochSec: EXPIRES,
          grantedScopes: connection().grantedScopes,
          refreshAtEpochSec: dueAt(START_SEC - 60),
          lastUsedAtEpochSec: undefined,
          nowEpochSec: START_SEC,
        },
      ],
    ]);
    expect(outcome).toEqual({
      kind: 'fresh',
      accessToken: 'access-1',
      connection: {
        ...connection(),
        encryptedAccessToken: 'enc:access-1',
        accessTokenExpiresAtEpochSec: EXPIRES,
        epoch: 2,
        tokenEpoch: 2,
        refreshAtEpochSec: dueAt(START_SEC - 60),
        lastRefreshedAtEpochSec: START_SEC,
      },
    });
    expect(world.counted).toEqual([]);
  });

  test('end what failed before: back-off, failures and open attempts', async () => {
    const row = connection({
      failureCount: 4,
      retryAtEpochSec: START_SEC - 5,
      attemptHash: 'open',
      lostHash: 'lost',
      refreshLease: held().lease,
    });
    const outcome = await storeRefreshedTokens(heldWorld().deps, held({ connection: row }), tokens());
    expect(outcome).toMatchObject({
      connection: {
        failureCount: 0,
        retryAtEpochSec: undefined,
        attemptHash: undefined,
        lostHash: undefined,
        refreshLease: undefined,
      },
    });
  });

  test('bring a rotated refresh token, and scopes that are others than before with their event', async () => {
    const world = heldWorld();
    const rotated = tokens({ refreshToken: 'refresh-1', grantedScopes: ['drive.file'] });
    const outcome = await storeRefreshedTokens(world.deps, held(), rotated);
    const changed = { encryptedRefreshToken: 'enc:refresh-1', grantedScopes: ['drive.file'] };
    expect(world.callsOf('storeTokens')).toEqual([]);
    const event = { eventType: 'ConnectionScopesChanged', sequence: connection().sequence + 1 };
    expect(world.callsOf('storeWithEvents')).toMatchObject([[{}, {}, changed, [event]]]);
    expect(outcome).toMatchObject({ connection: { ...changed, sequence: event.sequence } });
  });

  test('do not rewrite a refresh token that the provider repeats', async () => {
    const world = heldWorld();
    await storeRefreshedTokens(world.deps, held(), tokens({ refreshToken: 'refresh-0' }));
    expect(world.callsOf('storeTokens')).toMatchObject([[{}, {}, { encryptedRefreshToken: undefined }]]);
  });

  test('CR-5: carry the old refresh token to the data key in use', async () => {
    const row = connection({ encryptedRefreshToken: 'v1.1.refresh-0' });
    const world = heldWorld();
    const cipher = { ...world.deps.cipher, encrypt: async (_: unknown, text: string) => `v1.2.${text}` };
    await storeRefreshedTokens({ ...world.deps, cipher }, held({ connection: row }), tokens());
    const same = { ...world.deps.cipher, encrypt: async (_: unknown, text: string) => `v1.1.${text}` };
    await storeRefreshedTokens({ ...world.deps, cipher: same }, held({ connection: row }), tokens());
    expect(world.callsOf('storeTokens').map(([, , stored]) => Object(stored).encryptedRefreshToken)).toEqual([
      'v1.2.refresh-0',
      undefined,
    ]);
  });

  test('note the use they serve', async () => {
    const world = heldWorld();
    const row = connection({ lastUsedAtEpochSec: START_SEC - 90 * DAY });
    const used = await storeRefreshedTokens(world.deps, held({ connection: row, usedAtEpochSec: START_SEC }), tokens());
    const unused = await storeRefreshedTokens(world.deps, held({ connection: row }), tokens());
    expect(used).toMatchObject({
      connection: { lastUsedAtEpochSec: START_SEC, refreshAtEpochSec: dueAt(START_SEC) },
    });
    expect(unused).toMatchObject({
      connection: { lastUsedAtEpochSec: START_SEC - 90 * DAY, refreshAtEpochSec: dueAt(START_SEC - 90 * DAY) },
    });
  });

  test('are due no later than the next warning of a known end', async () => {
    const world = heldWorld();
    const idle = { lastUsedAtEpochSec: undefined, consentedAtEpochSec: START_SEC - 4 * DAY };
    const app = integration({ publishingStatus: 'testing', audience: 'external' });
    await storeRefreshedTokens(world.deps, held({ connection: connection(idle), integration: app }), tokens());
    const used = { ...idle, lastUsedAtEpochSec: START_SEC };
    await storeRefreshedTokens(world.deps, held({ connection: connection(used), integration: app }), tokens());
    expect(world.callsOf('storeTokens').map(([, , stored]) => Object(stored).refreshAtEpochSec)).toEqual([
      START_SEC + DAY,
      dueAt(START_SEC),
    ]);
  });

  test('make a dead connection live again, with an event that names what it had died of', async () => {
    const world = heldWorld();
    const endUser = { id: 'user-1', email: null, displayName: null, tags: null, organization: null };
    const row = connection({ status: 'reauthorization_required', death: DEATH, sequence: 5, endUser });
    const outcome = await storeRefreshedTokens(world.deps, held({ connection: row }), tokens());
    expect(outcome).toMatchObject({ connection: { status: 'active', death: undefined, sequence: 6 } });
    expect(world.callsOf('storeTokens')).toEqual([]);
    expect(world.callsOf('storeWithEvents')).toMatchObject([
      [
        row,
        held().lease,
        { encryptedAccessToken: 'enc:access-1' },
        [
          {
            eventType: 'ConnectionRecovered',
            subject: { accountId: 'default', integrationId: 'drive', connectionId: 'c1' },
            sequence: 6,
            endUserId: 'user-1',
            cause: 'user_revoked',
            requestId: 'request-1',
          },
        ],
      ],
    ]);
    expect(world.counted).toEqual(['ConnectionStatusChanged active']);
  });

  test('give way to a later holder; a rotated refresh token is kept', async () => {
    const world = heldWorld(connection({ epoch: 3 }));
    world.state.accepts = false;
    const outcome = await storeRefreshedTokens(world.deps, held(), tokens({ refreshToken: 'refresh-1' }));
    expect(outcome).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
    expect(world.callsOf('escrow.put')).toEqual([[escrowed({ grantedScopes: connection().grantedScopes })]]);
    expect(world.counted).toEqual(['RefreshSuperseded']);
  });

  test('that bring no new refresh token leave nothing in escrow, even under a new data key', async () => {
    const world = heldWorld(connection({ epoch: 3 }));
    world.state.accepts = false;
    const row = connection({ encryptedRefreshToken: 'v1.1.refresh-0' });
    const cipher = { ...world.deps.cipher, encrypt: async (_: unknown, text: string) => `v1.2.${text}` };
    await storeRefreshedTokens({ ...world.deps, cipher }, held({ connection: row }), tokens());
    expect(world.callsOf('escrow.put')).toEqual([]);
  });
});

describe('a write that fails', () => {
  test('is repeated after doubling pauses, and the tokens are encrypted once', async () => {
    const world = timed();
    world.failing.add('storeTokens');
    let encrypted = 0;
    const cipher = {
      ...world.deps.cipher,
      encrypt: async (_: unknown, text: string) => {
        encrypted++;
        return `enc:${text}`;
      },
    };
    const pause = async (ms: number) => {
      if (world.pauses.push(ms) === 8) world.failing.delete('storeTokens');
    };
    const outcome = await storeRefreshedTokens(
      { ...world.deps, cipher, pause },
      held(),
      tokens({ refreshToken: 'refresh-1' }),
    );
    expect(outcome).toMatchObject({ kind: 'fresh', connection: { encryptedRefreshToken: 'enc:refresh-1' } });
    expect(world.pauses).toEqual([75, 150, 300, 600, 1200, 2400, 2400, 2400]);
    expect(world.counted).toEqual(Array.from({ length: 8 }, () => 'TokenWriteFailed'));
    expect(encrypted).toBe(2);
    expect(world.logged).toEqual([]);
  });

  test('of a rotated token is repeated until the write’s time is over, then it goes to escrow and the call is served', async () => {
    const world = timed();
    world.failing.add('storeTokens');
    const attempt = held();
    const outcome = await storeRefreshedTokens(world.deps, attempt, tokens({ refreshToken: 'refresh-1' }));
    expect(outcome).toEqual({ kind: 'fresh', connection: connection(), accessToken: 'access-1' });
    expect(world.state.nowMs).toBeLessThan(attempt.writeUntilMs);
    expect(world.state.nowMs).toBeGreaterThanOrEqual(attempt.writeUntilMs - 2_400);
    expect(world.callsOf('escrow.put')).toMatchObject([[{ encryptedRefreshToken: 'enc:refresh-1', epoch: 2 }]]);
    expect(world.counted.at(-1)).toBe('TokensEscrowed');
    expect(world.logged).toEqual([
      ['error', 'new tokens could not be stored', { requestId: 'request-1' }, 'storeTokens is away'],
    ]);
    expect(world.callsOf('releaseLease')).toEqual([]);
  });

  test('of a token that is not rotated is given up after three seconds', async () => {
    const world = timed();
    world.failing.add('storeTokens');
    await storeRefreshedTokens(world.deps, held(), tokens());
    expect(world.pauses).toEqual([75, 150, 300, 600, 1200]);
    expect(world.callsOf('escrow.put')).toEqual([]);
  });

  test('never begins past the time of its lease', async () => {
    const world = timed();
    world.failing.add('storeTokens');
    await storeRefreshedTokens(world.deps, held({ writeUntilMs: START_SEC * 1000 + 75 }), tokens());
    expect(world.pauses).toEqual([]);
    await storeRefreshedTokens(world.deps, held({ writeUntilMs: START_SEC * 1000 + 76 }), tokens());
    expect(world.pauses).toEqual([75]);
  });

  test('F15: because the keys are away costs a rotated token, and an alarm says so', async () => {
    const world = timed();
    const cipher = { ...world.deps.cipher, encrypt: () => Promise.reject(new Error('KMS')) };
    const rotated = tokens({ refreshToken: 'refresh-1' });
    expect(await storeRefreshedTokens({ ...world.deps, cipher }, held(), rotated)).toMatchObject({ kind: 'fresh' });
    expect(world.counted.at(-1)).toBe('RotatedTokenLost');
    expect(world.callsOf('escrow.put')).toEqual([]);
  });
});

describe('escrowed tokens', () => {
  test('are newer only above the row’s token epoch', async () => {
    const world = heldWorld();
    expect(await newerEscrow(world.deps, connection())).toBeUndefined();
    world.state.escrow = escrowed();
    expect(await newerEscrow(world.deps, connection({ tokenEpoch: 1 }))).toEqual(escrowed());
    expect(await newerEscrow(world.deps, connection({ tokenEpoch: 2 }))).toBeUndefined();
    expect(world.callsOf('escrow.read')[0]).toEqual([
      { accountId: 'default', integrationId: 'drive', connectionId: 'c1' },
    ]);
  });

  test('are written under the new lease as they are', async () => {
    const world = heldWorld();
    const outcome = await adoptEscrow(world.deps, held(), escrowed());
    const stored = {
      encryptedAccessToken: 'enc:access-1',
      encryptedRefreshToken: 'enc:refresh-1',
      accessTokenExpiresAtEpochSec: EXPIRES,
      grantedScopes: connection().grantedScopes,
    };
    expect(world.callsOf('storeTokens')).toMatchObject([[connection(), held().lease, stored]]);
    expect(outcome).toMatchObject({ kind: 'fresh', accessToken: undefined, connection: { ...stored, tokenEpoch: 2 } });
    expect(world.counted).toEqual(['EscrowAdopted']);
  });

  test('stay where they are when a later holder owns the row', async () => {
    const world = heldWorld(connection({ epoch: 3 }));
    world.state.accepts = false;
    expect(await adoptEscrow(world.deps, held(), escrowed())).toMatchObject({ kind: 'busy' });
    expect(world.callsOf('escrow.put')).toEqual([]);
  });
});
