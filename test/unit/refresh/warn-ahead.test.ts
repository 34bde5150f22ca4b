import { describe, expect, test } from 'vitest';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { warnAhead } from '../../../lambdas/refresh/warn-ahead.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import { heldWorld } from './support/held-world.ts';

const DAY = 86_400;
const REF = { accountId: 'default', integrationId: 'drive', connectionId: 'c1' };
const testing = integration({ publishingStatus: 'testing', audience: 'external' });
const endUser = { id: 'user-1', email: null, displayName: null, tags: null, organization: null };
/** A connection that was refreshed before, and so is not counted against the account's limit. */
const refreshed = (changes: Partial<Connection> = {}) => connection({ sequence: 4, endUser, ...changes });
/** A connection before its first refresh. */
const first = (changes: Partial<Connection> = {}) => refreshed({ lastRefreshedAtEpochSec: undefined, ...changes });

const warn = (world: ReturnType<typeof heldWorld>, row: Connection, app = integration()) =>
  warnAhead({ ...world.deps }, row, app, 'tick-1');

function sharers(world: ReturnType<typeof heldWorld>, count: number, clientId = connection().clientId): void {
  world.state.sharers = Array.from({ length: count }, (_, index) => ({
    ...REF,
    connectionId: `other-${index}`,
    clientId,
    consentedAtEpochSec: START_SEC - count + index,
  }));
}

describe('a known end', () => {
  test('is announced once, by an event that follows the last one', async () => {
    const world = heldWorld();
    const row = refreshed({ consentedAtEpochSec: START_SEC - 6 * DAY });
    expect(await warn(world, row, testing)).toEqual({ ...row, sequence: 5, expiryWarnings: 2 });
    const [[warned, warning, event] = []] = world.callsOf('warn');
    expect([warned, warning]).toEqual([row, { kind: 'expiry', number: 2 }]);
    expect(event).toMatchObject({
      eventType: 'ConnectionExpiring',
      subject: REF,
      sequence: 5,
      endUserId: 'user-1',
      cause: 'testing_mode',
      requestId: 'tick-1',
    });
    expect(Object(event).remedy).toMatch(/^Google ends this grant on 2027-01-16T08:00:00.000Z/);
    expect(world.counted).toEqual(['WarningGiven expiry']);
  });

  test('that is far away is not announced, nor is one that was', async () => {
    const world = heldWorld();
    const rows = [
      [refreshed({ consentedAtEpochSec: START_SEC - 4 * DAY }), testing],
      [refreshed({ consentedAtEpochSec: START_SEC - 6 * DAY, expiryWarnings: 2 }), testing],
      [refreshed({ consentedAtEpochSec: START_SEC - 6 * DAY }), integration()],
    ] as const;
    for (const [row, app] of rows) expect(await warn(world, row, app)).toBe(row);
    expect([world.callsOf('warn'), world.counted]).toEqual([[], []]);
  });

  test('that somebody else has announced is not counted again', async () => {
    const world = heldWorld();
    world.state.accepts = false;
    const row = refreshed({ consentedAtEpochSec: START_SEC - 6 * DAY });
    expect(await warn(world, row, testing)).toBe(row);
    expect(world.counted).toEqual([]);
  });

  test('that cannot be announced stops nothing, and a line says so', async () => {
    const world = heldWorld();
    world.failing.add('warn');
    const row = refreshed({ consentedAtEpochSec: START_SEC - 6 * DAY });
    expect(await warn(world, row, testing)).toBe(row);
    expect(world.logged).toEqual([['error', 'a warning could not be given', { requestId: 'tick-1' }, 'warn is away']]);
  });
});

describe('the account’s limit of refresh tokens', () => {
  test('is announced from ninety live grants on', async () => {
    const world = heldWorld();
    sharers(world, 90);
    expect(await warn(world, first())).toEqual({ ...first(), sequence: 5, limitWarned: true });
    expect(world.callsOf('sharingGrant')).toEqual([[connection().clientId, 'subject-1', 200]]);
    const [[, warning, event] = []] = world.callsOf('warn');
    expect(warning).toEqual({ kind: 'token_limit' });
    expect(event).toMatchObject({ eventType: 'RefreshTokenLimitNear', cause: '90_of_100', sequence: 5 });
    expect(Object(event).remedy).toContain('other-0, other-1, other-2 first');
    expect(world.counted).toEqual(['WarningGiven token_limit']);
  });

  test('is not announced below, nor for grants of another client', async () => {
    const world = heldWorld();
    const row = first();
    sharers(world, 89);
    expect(await warn(world, row)).toBe(row);
    sharers(world, 100, 'other-client');
    expect(await warn(world, row)).toBe(row);
    expect(world.callsOf('warn')).toEqual([]);
  });

  test.each([
    ['a refreshed connection', refreshed()],
    ['a connection whose account is not known', first({ providerAccount: undefined })],
    ['a connection that was warned', first({ limitWarned: true })],
  ])('is not looked up for %s', async (_, row) => {
    const world = heldWorld();
    sharers(world, 100);
    expect(await warn(world, row)).toBe(row);
    expect(world.calls).toEqual([]);
  });

  test('comes after the warning of an end, each with its own number', async () => {
    const world = heldWorld();
    sharers(world, 95);
    const row = first({ consentedAtEpochSec: START_SEC - 6 * DAY });
    expect(await warn(world, row, testing)).toMatchObject({ sequence: 6, expiryWarnings: 2, limitWarned: true });
    expect(world.callsOf('warn').map(([, warning]) => Object(warning).kind)).toEqual(['expiry', 'token_limit']);
  });
});
