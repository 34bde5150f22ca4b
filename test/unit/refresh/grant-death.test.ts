import { describe, expect, test, vi } from 'vitest';
import { type Connection, RESTORED_TOKEN } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { connectionToItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import type { GrantDeath } from '../../../lambdas/gateway/core/grant-death.ts';
import { sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import { DEATH_INCIDENT_COUNT } from '../../../lambdas/gateway/core/limits.ts';
import { unconfirmedItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import {
  answer,
  answers,
  DEATH,
  escrowed,
  INVALID_GRANT,
  LOST,
  refreshWorld,
  tokens,
  type World,
} from './support/refresh-world.ts';

const REF = { accountId: 'default', integrationId: 'drive', connectionId: 'c1' };
const DAY = 86_400;
/** A world whose provider refuses the token of this row. */
const refusing = (changes: Partial<Connection> = {}, app = integration(), provider = answers(INVALID_GRANT)) =>
  refreshWorld(connection(changes), app, provider);

/** The same, where the row becomes another while the provider is asked. */
function refusedMeanwhile(change: (row: Connection) => Connection | undefined | Promise<Connection>): World {
  const world = refusing({}, integration(), async () => {
    const { row } = world.table;
    if (row !== undefined) world.table.row = await change(row);
    return INVALID_GRANT;
  });
  return world;
}

async function deathOf(world: World): Promise<GrantDeath | undefined> {
  const outcome = await world.refresh();
  return outcome.kind === 'dead' ? outcome.death : undefined;
}

describe('a refused grant', () => {
  test('a refused grant is marked under the lease, with one event and one count', async () => {
    const endUser = { id: 'user-1', email: null, displayName: null, tags: null, organization: null };
    const world = refusing({ sequence: 6, endUser });
    const death = { cause: 'user_revoked', providerError: 'invalid_grant', since: '2027-01-15T08:00:00.000Z' };
    const dead = { status: 'reauthorization_required', death };
    expect(await world.refresh()).toMatchObject({ kind: 'dead', connection: dead, death });
    const over = { refreshLease: undefined, attemptHash: undefined, refreshAtEpochSec: undefined, epoch: 2 };
    expect(world.table.row).toMatchObject({ ...dead, ...over, sequence: 7 });
    const event = { eventType: 'ConnectionReauthorizationRequired', sequence: 7, requestId: 'request-1' };
    const said = { subject: REF, endUserId: 'user-1', cause: 'user_revoked', health: 'dead' };
    // The event calls a guess one, as every place does.
    const remedy = expect.stringMatching(/^Probably: The user removed the app .* that was their choice\.$/);
    expect(world.table.events).toMatchObject([{ ...event, ...said, remedy }]);
    expect(world.counted).toEqual(['ConnectionStatusChanged reauthorization_required', 'Refresh dead user_revoked']);
    expect(world.logged).toEqual([]);
  });

  test.each([
    ['no row', () => undefined],
    ['a deleted row', (row: Connection) => ({ ...row, status: 'deleted' }) as const],
  ])('leaves %s alone', async (_, change) => {
    const world = refusedMeanwhile(change);
    expect(await world.refresh()).toEqual({ kind: 'gone' });
    expect(world.table.events).toEqual([]);
  });

  test('F16: counts for nothing when a newer token has been stored meanwhile', async () => {
    const newer = { tokenEpoch: 2, encryptedRefreshToken: 'enc:new', accessTokenExpiresAtEpochSec: START_SEC + 9 };
    const world = refusedMeanwhile((row) => ({ ...row, ...newer }));
    expect(await world.refresh()).toEqual({ kind: 'fresh', connection: world.table.row, accessToken: undefined });
    expect(world.table.row).toMatchObject({ ...newer, status: 'active' });
  });

  test('a refused grant is what another has found, where that has erased the tokens meanwhile', async () => {
    const newer = { epoch: 3, tokenEpoch: 3, encryptedRefreshToken: undefined };
    const world = refusedMeanwhile((row) => ({ ...row, ...newer, status: 'reauthorization_required', death: DEATH }));
    expect(await world.refresh()).toMatchObject({ kind: 'dead', death: DEATH });
    expect(world.table.events).toEqual([]);
  });

  test('counts when a later refresh kept the very token that was refused', async () => {
    expect(await deathOf(refusedMeanwhile((row) => ({ ...row, tokenEpoch: 2 })))).toBeDefined();
  });

  test('a refused grant does not have the stored token decrypted while nobody has written tokens', async () => {
    const decrypt = vi.fn().mockResolvedValueOnce('refresh-0').mockRejectedValue(new Error('KMS'));
    const cipher = { encrypt: async () => '', decrypt };
    const world = refreshWorld(connection(), integration(), answers(INVALID_GRANT), { cipher });
    expect(await world.refresh()).toMatchObject({ kind: 'dead' });
  });

  test.each([
    ['F18: gives way to newer tokens in escrow', 2, 2, { kind: 'fresh' }],
    ['is not healed by escrow as old as the stored tokens', 1, 2, { kind: 'dead' }],
    ['is not healed under a lease that is not its own any more', 2, 3, { kind: 'busy' }],
  ])('%s', async (_, escrowEpoch, rowEpoch, outcome) => {
    const another = { owner: 'another', epoch: 3, expiresAtEpochSec: START_SEC + 20 };
    const world = refusedMeanwhile(async (row) => {
      await world.stores.escrow.put(escrowed({ epoch: escrowEpoch }));
      return rowEpoch === 2 ? row : { ...row, epoch: rowEpoch, refreshLease: another };
    });
    expect(await world.refresh()).toMatchObject(outcome);
    expect(world.table.row?.encryptedRefreshToken).toBe(outcome.kind === 'fresh' ? 'enc:refresh-1' : 'enc:refresh-0');
    expect(world.table.events).toHaveLength(outcome.kind === 'dead' ? 1 : 0);
    expect(world.counted.includes('EscrowAdopted')).toBe(outcome.kind === 'fresh');
  });

  test('a refused grant that is marked already gets no second event, and the lease goes back closed', async () => {
    const world = refusing({ status: 'reauthorization_required', death: DEATH, failureCount: 3 });
    expect(await world.refresh({ force: true })).toMatchObject({ kind: 'dead', death: DEATH });
    expect(world.table.events).toEqual([]);
    const closed = { refreshLease: undefined, attemptHash: undefined, failureCount: 3, retryAtEpochSec: undefined };
    expect(world.table.row).toMatchObject(closed);
  });

  test('a refused grant is tried three times against writes in between, and then put off', async () => {
    const world = refusing();
    // Other events of the connection come between every two calls while the lease is held.
    const refresher = world.refresher('me', async (call) => {
      const { row } = world.table;
      if (row?.refreshLease !== undefined) world.table.row = { ...row, sequence: row.sequence + 1 };
      return call();
    });
    const options = { wait: false, force: false, requestId: '' };
    const conflict = { kind: 'transient', reason: 'conflicting_writes', retryAfterSec: 15 };
    expect(await refresher.refresh(connection(), integration(), options)).toMatchObject(conflict);
    expect(world.table.events).toEqual([]);
    expect(world.table.row).toMatchObject({ failureCount: 1, attemptHash: undefined, status: 'active' });
  });
});

describe('a dead connection', () => {
  const dead = { status: 'reauthorization_required', death: DEATH } as const;

  test('a dead connection is not asked for by callers, and gives an adopting lease back closed where there is nothing to adopt', async () => {
    const world = refusing(dead);
    expect(await world.refresh({ wait: true })).toMatchObject({ kind: 'dead', death: DEATH });
    expect(world.table.row?.epoch).toBe(1);
    expect(await world.refresh({ adopt: true })).toMatchObject({ kind: 'dead', death: DEATH });
    const closed = { refreshLease: undefined, attemptHash: undefined, retryAtEpochSec: undefined };
    expect(world.table.row).toMatchObject(closed);
    expect(world.asked).toEqual([]);
  });

  test('lives again, with one event, when an operator asks and the provider takes its token', async () => {
    const world = refusing({}, integration(), answers(INVALID_GRANT, tokens()));
    await world.refresh();
    expect(await world.refresh({ wait: true, force: true })).toMatchObject({ kind: 'fresh' });
    expect(world.table.row).toMatchObject({ status: 'active', death: undefined });
    expect(world.table.events.map(({ eventType, sequence }) => [eventType, sequence])).toEqual([
      ['ConnectionReauthorizationRequired', 2],
      ['ConnectionRecovered', 3],
    ]);
  });
});

describe('its cause', () => {
  test.each([
    ['testing', 'external', 'testing_mode_expired'],
    ['testing', 'internal', 'user_revoked'],
    ['production', 'external', 'user_revoked'],
  ] as const)(
    'the cause of an old grant of an app that is %s and %s is %s',
    async (publishingStatus, audience, cause) => {
      const old = { consentedAtEpochSec: START_SEC - 8 * DAY, lastRefreshedAtEpochSec: START_SEC - 2 * DAY };
      expect(await deathOf(refusing(old, integration({ publishingStatus, audience })))).toMatchObject({ cause });
    },
  );

  const unused = { consentedAtEpochSec: START_SEC - 300 * DAY, lastRefreshedAtEpochSec: START_SEC - 200 * DAY };

  test.each([
    ['F06: the answer to an earlier call was lost', {}, answers(LOST, INVALID_GRANT), 'rotation_lost'],
    ['this token’s attempt never closed', { attemptHash: sha256Hex('refresh-0') }, undefined, 'rotation_lost'],
    ['another token’s attempt never closed', { lostHash: sha256Hex('refresh-x') }, undefined, 'user_revoked'],
    ['nothing was lost', {}, undefined, 'user_revoked'],
    ['it was unused', unused, undefined, 'unused_six_months'],
    [
      'the gateway ended another of its account',
      { grantEndedAtEpochSec: START_SEC - 60 },
      undefined,
      'shared_grant_ended',
    ],
    ['its time was limited', { refreshTokenExpiresAtEpochSec: START_SEC - 1 }, undefined, 'time_limited_access_over'],
  ] as const)('when %s', async (_, changes, provider, cause) => {
    expect(await deathOf(refusing(changes, integration(), provider))).toMatchObject({ cause });
  });

  test.each([
    ['of a row from a backup may be a replaced token', { lostHash: RESTORED_TOKEN }, 'rotation_lost'],
    ['of a grant over mail may be a new password', { grantedScopes: ['https://mail.google.com/'] }, 'password_changed'],
  ])('%s', async (_, changes, cause) => {
    const causes = async (world: World) => (await deathOf(world))?.likelyCauses.map((likely) => likely.cause);
    expect(await causes(refusing(changes))).toContain(cause);
    expect(await causes(refusing())).not.toContain(cause);
  });

  const { clientId, consentedAtEpochSec, providerAccount } = connection();
  const sharer =
    (changes: Partial<Connection> = {}) =>
    (index: number) =>
      connectionToItem(connection({ connectionId: `other-${index}`, ...changes }));
  /** A grant of the connection itself that waits for confirmation. */
  const waiting = (index: number) => ({ ...connectionToItem(connection()), ...unconfirmedItemKey(REF, `${index}`) });

  test.each([
    ['a hundred later consents of the account', sharer(), 'refresh_token_limit'],
    ['consents before this one', sharer({ consentedAtEpochSec: START_SEC - 7201 }), 'user_revoked'],
    ['consents under another client', sharer({ clientId: `other-${clientId}` }), 'user_revoked'],
    ['consents under another client of its project', sharer({ clientId: `123-other-${clientId}` }), 'user_revoked'],
    ['this very connection', waiting, 'user_revoked'],
  ])('the cause with %s is judged by those that count', async (_, make, cause) => {
    const world = refusing();
    for (let i = 0; i < 100; i++) world.table.memory.put(make(i));
    expect(await deathOf(world)).toMatchObject({ cause });
  });

  test.each([
    ['every later one', 101, (at: number, i: number) => at + i, true],
    ['not its own', 90, (at: number) => at, false],
    ['those of that second but its own', 110, (at: number) => at, true],
    ['none before it', 300, (at: number) => at - 1, false],
  ])('counts consents of connections that were made again or are gone: %s', async (_, count, at, isLimit) => {
    const world = refusing();
    for (let i = 0; i < count; i++) {
      await world.stores.consents.note(clientId, providerAccount?.subject ?? '', at(consentedAtEpochSec, i));
    }
    const causes = (await deathOf(world))?.likelyCauses.map(({ cause }) => cause);
    expect(causes?.includes('refresh_token_limit')).toBe(isLimit);
  });

  test('its cause is found without the account’s history where there is none, or it cannot be read', async () => {
    const world = refusing();
    world.failing.add('connections.sharingGrant');
    expect(await deathOf(world)).toMatchObject({ cause: 'user_revoked' });
    expect(world.logged).toEqual([['warn', 'grant history could not be read', { code: 'Away' }]]);
    const unknown = refusing({ providerAccount: undefined });
    unknown.failing.add('connections.sharingGrant');
    expect(await deathOf(unknown)).toMatchObject({ cause: 'user_revoked' });
    expect(unknown.logged).toEqual([]);
  });
});

describe('an integration of another client', () => {
  const moved = { get: async () => ({ clientId: '999-new', clientSecret: '', previousClientSecret: undefined }) };

  test('ends the grant without asking, and says so', async () => {
    const world = refreshWorld(connection(), integration(), () => tokens(), { credentials: moved });
    const death = { cause: 'credentials_changed', certain: true, since: '2027-01-15T08:00:00.000Z' };
    expect(await world.refresh()).toMatchObject({ kind: 'dead', death });
    expect(world.asked).toEqual([]);
  });

  test.each(['no row', 'a deleted row'])('leaves %s alone', async (which) => {
    const get = async () => {
      world.table.row = which === 'no row' ? undefined : connection({ status: 'deleted', epoch: 2 });
      return moved.get();
    };
    const world = refreshWorld(connection(), integration(), () => tokens(), { credentials: { get } });
    expect(await world.refresh()).toEqual({ kind: 'gone' });
    expect(world.table.events).toEqual([]);
  });
});

describe('many deaths under one client', () => {
  test.each([
    [DEATH_INCIDENT_COUNT - 1, 0],
    [DEATH_INCIDENT_COUNT, 1],
    [DEATH_INCIDENT_COUNT + 1, 0],
  ])('the death number %i makes %i incidents', async (deaths, incidents) => {
    const world = refusing();
    for (let i = 1; i < deaths; i++) await world.stores.deaths.note(REF, START_SEC);
    await world.refresh();
    expect(world.counted.filter((name) => name === 'GrantDeathIncident')).toHaveLength(incidents);
    expect(world.table.integrationEvents).toHaveLength(incidents);
    for (const event of world.table.integrationEvents) {
      const subject = { accountId: 'default', integrationId: 'drive' };
      expect(event).toMatchObject({ eventType: 'IntegrationGrantsFailing', sequence: 0, cause: 'user_revoked' });
      expect(event).toMatchObject({ subject, requestId: 'request-1' });
      expect(event.remedy).toMatch(
        /^5 connections of this integration ended within 10 minutes, .*probably .*user_revoked/,
      );
    }
  });

  test('an incident says of its latest death whether the cause is certain', async () => {
    const world = refusing(
      {},
      integration(),
      answers(answer(400, { error: 'invalid_grant', error_subtype: 'invalid_rapt' })),
    );
    for (let i = 1; i < DEATH_INCIDENT_COUNT; i++) await world.stores.deaths.note(REF, START_SEC);
    await world.refresh();
    expect(world.table.integrationEvents[0]?.remedy).toContain('the latest of them with cause session_length_over.');
  });

  test('a death that cannot be counted is still recorded', async () => {
    const world = refusing();
    world.failing.add('deaths.note');
    expect(await world.refresh()).toMatchObject({ kind: 'dead' });
    const line = ['error', 'a death could not be counted', { requestId: 'request-1' }, 'deaths.note is away'];
    expect(world.logged).toEqual([line]);
  });
});
