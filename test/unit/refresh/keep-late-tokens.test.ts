import { describe, expect, test } from 'vitest';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { REFRESH_BACKOFF_BASE_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { keepForLater, superseded } from '../../../lambdas/gateway/tokens/token-write.ts';
import { connection, START_SEC } from './support/connection.ts';
import { DEATH, escrowed, held, heldWorld, LEASE_EPOCH } from './support/held-world.ts';

const late = (
  world: ReturnType<typeof heldWorld>,
  row: Connection | undefined,
  rotated: boolean,
  accessToken: string | undefined = 'access-1',
) => {
  world.state.row = row;
  return superseded(world.deps, held(), accessToken, rotated ? escrowed() : undefined);
};
/** A row that a later lease owns. */
const owned = (changes: Partial<Connection> = {}) => connection({ epoch: 3, ...changes });

describe('tokens that arrive after another holder', () => {
  test('were stored after all when only the reply was lost', async () => {
    const world = heldWorld();
    const row = connection({ epoch: LEASE_EPOCH, tokenEpoch: LEASE_EPOCH });
    expect(await late(world, row, true)).toEqual({ kind: 'fresh', connection: row, accessToken: 'access-1' });
    expect([world.counted, world.callsOf('escrow.put')]).toEqual([[], []]);
  });

  test('serve the call in hand, and a rotated one is kept', async () => {
    const world = heldWorld();
    expect(await late(world, owned(), true)).toEqual({
      kind: 'fresh',
      connection: connection(),
      accessToken: 'access-1',
    });
    expect(world.callsOf('escrow.put')).toEqual([[escrowed()]]);
    expect(world.counted).toEqual(['RefreshSuperseded']);
  });

  test('are not kept where nothing was rotated', async () => {
    const world = heldWorld();
    expect(await late(world, owned(), false)).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
    expect(world.callsOf('escrow.put')).toEqual([]);
  });

  test('are outdated by a re-authorization, whose tokens serve', async () => {
    const world = heldWorld();
    const row = owned({ tokenEpoch: 3 });
    expect(await late(world, row, true)).toEqual({ kind: 'fresh', connection: row, accessToken: undefined });
    expect(world.callsOf('escrow.put')).toEqual([]);
  });

  test('end with the death that was recorded meanwhile when there is nothing to serve', async () => {
    const world = heldWorld();
    const row = owned({ status: 'reauthorization_required', death: DEATH });
    expect(await superseded(world.deps, held(), undefined, undefined)).toMatchObject({ kind: 'busy' });
    world.state.row = row;
    expect(await superseded(world.deps, held(), undefined, undefined)).toEqual({
      kind: 'dead',
      connection: row,
      death: DEATH,
    });
    expect(await late(world, row, true)).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
  });

  test('of a connection that died with newer tokens do not make it fresh', async () => {
    const world = heldWorld();
    const row = owned({ status: 'reauthorization_required', death: DEATH, tokenEpoch: 3 });
    world.state.row = row;
    expect(await superseded(world.deps, held(), undefined, undefined)).toMatchObject({ kind: 'dead' });
    const same = owned({ status: 'reauthorization_required', death: DEATH, tokenEpoch: LEASE_EPOCH });
    world.state.row = same;
    expect(await superseded(world.deps, held(), undefined, undefined)).toMatchObject({ kind: 'dead' });
  });

  test('busy names the row as it is', async () => {
    const world = heldWorld(owned());
    expect(await superseded(world.deps, held(), undefined, undefined)).toEqual({ kind: 'busy', connection: owned() });
  });
});

describe('tokens that arrive after the deletion', () => {
  const deleted = (revocationRequested?: boolean) => owned({ status: 'deleted', revocationRequested });

  test('F22: are revoked too where that was asked for', async () => {
    const world = heldWorld();
    const endUser = { id: 'user-1', email: null, displayName: null, tags: null, organization: null };
    world.state.row = deleted(true);
    const attempt = held({ connection: connection({ endUser }) });
    expect(await superseded(world.deps, attempt, 'access-1', escrowed())).toEqual({ kind: 'gone' });
    expect(world.callsOf('revocations.put')).toEqual([
      [
        {
          ref: { accountId: 'default', integrationId: 'drive', connectionId: 'c1' },
          encryptedRefreshToken: 'enc:refresh-1',
          clientId: connection().clientId,
          subject: 'subject-1',
          endUserId: 'user-1',
          requestedAtEpochSec: START_SEC,
          retryAtEpochSec: START_SEC + REFRESH_BACKOFF_BASE_SEC,
          failureCount: 0,
        },
      ],
    ]);
    expect(world.callsOf('escrow.put')).toEqual([]);
    expect(world.counted).toEqual(['RefreshSuperseded']);
  });

  test('are revoked of an account and a user that are not known as well', async () => {
    const world = heldWorld(deleted(true));
    const attempt = held({ connection: connection({ providerAccount: undefined }) });
    await superseded(world.deps, attempt, 'access-1', escrowed());
    expect(world.callsOf('revocations.put')).toMatchObject([[{ subject: undefined, endUserId: undefined }]]);
  });

  test.each([
    ['revocation was not asked for', deleted(), true],
    ['the provider kept the refresh token', deleted(true), false],
    ['the row is gone', undefined, true],
  ])('are dropped when %s', async (_, row, rotated) => {
    const world = heldWorld();
    expect(await late(world, row, rotated)).toEqual({ kind: 'gone' });
    expect([world.callsOf('revocations.put'), world.callsOf('escrow.put')]).toEqual([[], []]);
  });
});

describe('a rotated token that cannot be written in time', () => {
  test('F14: goes to escrow', async () => {
    const world = heldWorld();
    await keepForLater(world.deps, held(), escrowed());
    expect(world.callsOf('escrow.put')).toEqual([[escrowed()]]);
    expect([world.counted, world.logged]).toEqual([['TokensEscrowed'], []]);
  });

  test('F15: is counted and logged as lost when escrow fails too', async () => {
    const world = heldWorld();
    world.failing.add('escrow.put');
    await keepForLater(world.deps, held(), escrowed());
    expect(world.counted).toEqual(['RotatedTokenLost']);
    expect(world.logged).toEqual([
      ['error', 'a rotated refresh token could not be kept', { requestId: 'request-1' }, 'escrow.put is away'],
    ]);
  });

  test('is lost as well when it could not be encrypted', async () => {
    const world = heldWorld();
    await keepForLater(world.deps, held(), undefined);
    expect(world.counted).toEqual(['RotatedTokenLost']);
    expect(world.logged.flat()).toContain('The new tokens could not be encrypted');
  });
});
