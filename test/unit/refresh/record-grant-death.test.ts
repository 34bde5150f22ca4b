import { describe, expect, test } from 'vitest';
import { RESTORED_TOKEN } from '../../../lambdas/gateway/connections/connection.rules.ts';
import type { GrantSharer } from '../../../lambdas/gateway/connections/ports.ts';
import { sha256Hex } from '../../../lambdas/gateway/core/digest.ts';
import { DEATH_INCIDENT_COUNT } from '../../../lambdas/gateway/core/limits.ts';
import { recordClientChange, recordDeadGrant } from '../../../lambdas/gateway/tokens/diagnosis.ts';
import type { HeldAttempt } from '../../../lambdas/gateway/tokens/lease.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import { DEATH, escrowed, held, heldWorld, LEASE_EPOCH } from './support/held-world.ts';

const REFUSED = { error: 'invalid_grant', subtype: undefined };
const REF = { accountId: 'default', integrationId: 'drive', connectionId: 'c1' };
const DAY = 86_400;

const record = (world: ReturnType<typeof heldWorld>, changes: Partial<HeldAttempt> = {}, ambiguous = false) =>
  recordDeadGrant(world.deps, held(changes), REFUSED, ambiguous);
const current = (changes: Parameters<typeof connection>[0] = {}) => connection({ epoch: LEASE_EPOCH, ...changes });
const sharer = (index: number, changes: Partial<GrantSharer> = {}): GrantSharer => ({
  ...REF,
  connectionId: `other-${index}`,
  clientId: connection().clientId,
  consentedAtEpochSec: connection().consentedAtEpochSec,
  ...changes,
});

describe('a refused grant', () => {
  test('is marked under the lease, with one event and one count', async () => {
    const endUser = { id: 'user-1', email: null, displayName: null, tags: null, organization: null };
    const world = heldWorld(current({ sequence: 6, endUser }));
    const outcome = await record(world);
    expect(outcome).toMatchObject({
      kind: 'dead',
      connection: { status: 'reauthorization_required', death: { cause: 'user_revoked' }, sequence: 6 },
      death: { cause: 'user_revoked', providerError: 'invalid_grant', since: '2027-01-15T08:00:00.000Z' },
    });
    const [[row, lease, death, event] = []] = world.callsOf('markDead');
    expect(row).toEqual(current({ sequence: 6, endUser }));
    expect(lease).toEqual(held().lease);
    expect(outcome).toMatchObject({ death });
    expect(event).toMatchObject({
      eventType: 'ConnectionReauthorizationRequired',
      subject: REF,
      sequence: 7,
      endUserId: 'user-1',
      cause: 'user_revoked',
      // The event calls a guess one, as every place does.
      remedy:
        'Probably: The user removed the app from their Google account. Ask the user whether they want to connect again; if they removed the app, that was their choice.',
      requestId: 'request-1',
    });
    expect(Object.keys(Object(event).subject)).toEqual(Object.keys(REF));
    expect(world.counted).toEqual(['ConnectionStatusChanged reauthorization_required']);
    expect([world.callsOf('releaseLease'), world.logged]).toEqual([[], []]);
  });

  test.each([
    ['no row', undefined],
    ['a deleted row', current({ status: 'deleted' })],
  ])('leaves %s alone', async (_, row) => {
    const world = heldWorld();
    world.state.row = row;
    expect(await record(world)).toEqual({ kind: 'gone' });
    expect([world.callsOf('markDead'), world.callsOf('escrow.read')]).toEqual([[], []]);
  });

  test('F16: counts for nothing when a newer token has been stored meanwhile', async () => {
    const row = current({ tokenEpoch: 2, encryptedRefreshToken: 'enc:refresh-new' });
    const world = heldWorld(row);
    expect(await record(world)).toEqual({ kind: 'fresh', connection: row, accessToken: undefined });
    expect(world.callsOf('markDead')).toEqual([]);
  });

  test('counts when a later refresh kept the very token that was refused', async () => {
    const world = heldWorld(current({ tokenEpoch: 2 }));
    expect(await record(world)).toMatchObject({ kind: 'dead' });
  });

  test('does not have the stored token decrypted while nobody has written tokens', async () => {
    const world = heldWorld();
    const cipher = { ...world.deps.cipher, decrypt: () => Promise.reject(new Error('KMS')) };
    expect(await recordDeadGrant({ ...world.deps, cipher }, held(), REFUSED, false)).toMatchObject({ kind: 'dead' });
  });

  test('F18: gives way to newer tokens in escrow', async () => {
    const world = heldWorld();
    world.state.escrow = escrowed();
    expect(await record(world)).toMatchObject({
      kind: 'fresh',
      connection: { encryptedRefreshToken: 'enc:refresh-1' },
    });
    expect(world.counted).toEqual(['EscrowAdopted']);
    expect(world.callsOf('markDead')).toEqual([]);
  });

  test('is not healed from escrow under a lease that is not its own any more', async () => {
    const world = heldWorld(current({ epoch: 3 }));
    world.state.escrow = escrowed();
    expect(await record(world)).toMatchObject({ kind: 'busy', connection: { epoch: 3 } });
    expect([world.callsOf('storeTokens'), world.callsOf('markDead')]).toEqual([[], []]);
  });

  test('escrow that is as old as the stored tokens heals nothing', async () => {
    const world = heldWorld();
    world.state.escrow = escrowed({ epoch: 1 });
    expect(await record(world)).toMatchObject({ kind: 'dead' });
  });

  test('that is marked already gets no second event, and the lease goes back closed', async () => {
    const row = current({ status: 'reauthorization_required', death: DEATH });
    const world = heldWorld(row);
    expect(await record(world)).toEqual({ kind: 'dead', connection: row, death: DEATH });
    expect(world.callsOf('markDead')).toEqual([]);
    expect(world.callsOf('releaseLease')).toEqual([
      [connection(), held().lease, { retryAtEpochSec: undefined, failureCount: 0, answered: true }],
    ]);
  });

  test('is tried three times against writes in between, and then put off', async () => {
    const world = heldWorld();
    world.state.accepts = false;
    expect(await record(world)).toEqual({ kind: 'transient', reason: 'conflicting_writes', retryAfterSec: 15 });
    expect(world.callsOf('markDead')).toHaveLength(3);
    expect(world.callsOf('releaseLease')).toMatchObject([[{}, {}, { failureCount: 1, answered: true }]]);
    expect(world.counted).toEqual([]);
  });
});

describe('its cause', () => {
  const causeOf = async (
    world: ReturnType<typeof heldWorld>,
    changes: Partial<HeldAttempt> = {},
    ambiguous = false,
  ) => {
    const outcome = await record(world, changes, ambiguous);
    return outcome.kind === 'dead' ? outcome.death : undefined;
  };

  test.each([
    ['testing', 'external', 'testing_mode_expired'],
    ['testing', 'internal', 'user_revoked'],
    ['production', 'external', 'user_revoked'],
  ] as const)('of an old grant of an app that is %s and %s is %s', async (publishingStatus, audience, cause) => {
    const refreshed = { lastRefreshedAtEpochSec: START_SEC - 2 * DAY };
    const world = heldWorld(current({ consentedAtEpochSec: START_SEC - 8 * DAY, ...refreshed }));
    const app = integration({ publishingStatus, audience });
    expect(await causeOf(world, { integration: app })).toMatchObject({ cause });
  });

  test.each([
    ['the answer to an earlier call was lost', {}, true, 'rotation_lost'],
    ['an earlier attempt with this token never closed', { lostHash: sha256Hex('refresh-0') }, false, 'rotation_lost'],
    ['an earlier attempt with another token never closed', { lostHash: sha256Hex('refresh-x') }, false, 'user_revoked'],
    ['nothing was lost', {}, false, 'user_revoked'],
  ] as const)('when %s', async (_, changes, ambiguous, cause) => {
    expect(await causeOf(heldWorld(), changes, ambiguous)).toMatchObject({ cause });
  });

  test('of a row from a backup may be a replaced token', async () => {
    const causes = async (lostHash: string | undefined) =>
      (await causeOf(heldWorld(), { lostHash }))?.likelyCauses.map(({ cause }) => cause);
    expect(await causes(RESTORED_TOKEN)).toContain('rotation_lost');
    expect(await causes(undefined)).not.toContain('rotation_lost');
  });

  test('follows the row as it is now', async () => {
    const unused = current({
      consentedAtEpochSec: START_SEC - 300 * DAY,
      lastRefreshedAtEpochSec: START_SEC - 200 * DAY,
    });
    expect(await causeOf(heldWorld(unused))).toMatchObject({ cause: 'unused_six_months' });
    const ended = current({ refreshTokenExpiresAtEpochSec: START_SEC - 1 });
    expect(await causeOf(heldWorld(ended))).toMatchObject({ cause: 'time_limited_access_over' });
    const mail = current({ grantedScopes: ['https://mail.google.com/'] });
    expect((await causeOf(heldWorld(mail)))?.likelyCauses.map(({ cause }) => cause)).toContain('password_changed');
  });

  test.each([
    ['a hundred later consents of the account', sharer, 'refresh_token_limit'],
    ['consents before this one', (i: number) => sharer(i, { consentedAtEpochSec: START_SEC - 7201 }), 'user_revoked'],
    ['consents under another client', (i: number) => sharer(i, { clientId: 'other' }), 'user_revoked'],
    ['this very connection', (i: number) => ({ ...sharer(i), connectionId: 'c1' }), 'user_revoked'],
  ])('with %s is judged by those that count', async (_, make, cause) => {
    const world = heldWorld();
    world.state.sharers = Array.from({ length: 100 }, (_unused, index) => make(index));
    expect(await causeOf(world)).toMatchObject({ cause });
    expect(world.callsOf('sharingGrant')).toEqual([[connection().clientId, 'subject-1', 200]]);
  });

  test('counts every later consent, also of connections that were made anew or are gone', async () => {
    const { consentedAtEpochSec } = connection();
    const world = heldWorld();
    world.state.consents = [
      consentedAtEpochSec,
      ...Array.from({ length: 100 }, (_, index) => consentedAtEpochSec + 1 + index),
    ];
    expect(await causeOf(world)).toMatchObject({ cause: 'refresh_token_limit' });
    // One of the second of its own consent is its own.
    world.state.consents = Array.from({ length: 90 }, () => consentedAtEpochSec);
    expect((await causeOf(world))?.likelyCauses.map(({ cause }) => cause)).not.toContain('refresh_token_limit');
    world.state.consents = Array.from({ length: 300 }, () => consentedAtEpochSec - 1);
    expect(await causeOf(world)).toMatchObject({ cause: 'user_revoked' });
  });

  test('is found without the account’s history where there is none', async () => {
    const world = heldWorld(current({ providerAccount: undefined }));
    expect(await causeOf(world)).toMatchObject({ cause: 'user_revoked' });
    expect([world.callsOf('sharingGrant'), world.logged]).toEqual([[], []]);
  });

  test('is found without the account’s history where it cannot be read, and a line says so', async () => {
    const world = heldWorld();
    world.failing.add('sharingGrant');
    expect(await causeOf(world)).toMatchObject({ cause: 'user_revoked' });
    expect(world.logged).toEqual([['warn', 'grant history could not be read', { code: 'Away' }]]);
  });

  test('is the new client when the integration moved to another one, and the provider is not the judge', async () => {
    const world = heldWorld();
    const outcome = await recordClientChange(world.deps, held());
    expect(outcome).toMatchObject({
      kind: 'dead',
      death: { cause: 'credentials_changed', certain: true, since: '2027-01-15T08:00:00.000Z' },
    });
    expect(world.callsOf('escrow.read')).toEqual([]);
  });
});

test.each([[undefined], [current({ status: 'deleted' })]])(
  'a connection that is deleted before its death is written stays as it is: %j',
  async (row) => {
    const world = heldWorld();
    world.state.row = row;
    expect(await recordClientChange(world.deps, held())).toEqual({ kind: 'gone' });
    expect([world.callsOf('markDead'), world.counted]).toEqual([[], []]);
  },
);

describe('many deaths under one client', () => {
  test.each([
    [DEATH_INCIDENT_COUNT - 1, 0],
    [DEATH_INCIDENT_COUNT, 1],
    [DEATH_INCIDENT_COUNT + 1, 0],
  ])('the death number %i makes %i incidents', async (deaths, incidents) => {
    const world = heldWorld();
    world.state.deaths = deaths;
    await record(world);
    const subject = { accountId: 'default', integrationId: 'drive' };
    expect(world.callsOf('deaths.note')).toEqual([[subject, START_SEC]]);
    expect(world.counted.filter((name) => name === 'GrantDeathIncident')).toHaveLength(incidents);
    const events = world.callsOf('audit.append').flat();
    expect(events).toHaveLength(incidents);
    for (const event of events) {
      expect(event).toMatchObject({
        eventType: 'IntegrationGrantsFailing',
        subject,
        sequence: 0,
        cause: 'user_revoked',
        requestId: 'request-1',
      });
      expect(Object(event).remedy).toMatch(
        /^5 connections of this integration died within 10 minutes, .*user_revoked\./,
      );
    }
  });

  test('a death that cannot be counted is recorded all the same', async () => {
    const world = heldWorld();
    world.failing.add('deaths.note');
    expect(await record(world)).toMatchObject({ kind: 'dead' });
    expect(world.logged).toEqual([
      ['error', 'a death could not be counted', { requestId: 'request-1' }, 'deaths.note is away'],
    ]);
  });
});
