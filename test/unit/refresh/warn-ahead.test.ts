import { describe, expect, test } from 'vitest';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { connectionToItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import { warnAhead } from '../../../lambdas/refresh/warn-ahead.ts';
import { endpointsAt, google } from '../support/google.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import { direct, refreshWorld, type World } from './support/refresh-world.ts';

const DAY = 86_400;
const REF = { accountId: 'default', integrationId: 'drive', connectionId: 'c1' };
const testing = integration({ publishingStatus: 'testing', audience: 'external' });
const endUser = { id: 'user-1', email: null, displayName: null, tags: null, organization: null };
/** A connection that was refreshed before, and so is not counted against the account's limit. */
const refreshed = (changes: Partial<Connection> = {}) => connection({ sequence: 4, endUser, ...changes });
/** A connection before its first refresh. */
const first = (changes: Partial<Connection> = {}) => refreshed({ lastRefreshedAtEpochSec: undefined, ...changes });

const warn = ({ deps, table }: World, app = integration(), endpoints = endpointsAt({})) =>
  warnAhead(deps(direct, { endpointsOf: () => endpoints }), table.row ?? connection(), app, 'tick-1');

function withSharers(row: Connection, count: number, clientId = connection().clientId): World {
  const world = refreshWorld(row);
  for (let i = 0; i < count - 1; i++) {
    const sharer = connection({ connectionId: `other-${i}`, clientId, consentedAtEpochSec: START_SEC - count + i });
    world.table.memory.put(connectionToItem(sharer));
  }
  return world;
}

describe('a known end', () => {
  const ending = (changes: Partial<Connection> = {}) =>
    refreshWorld(refreshed({ consentedAtEpochSec: START_SEC - 6 * DAY, ...changes }));

  test('a known end is announced once, by an event that follows the last one', async () => {
    const world = ending();
    expect(await warn(world, testing)).toEqual(world.table.row);
    expect(world.table.row).toMatchObject({ sequence: 5, expiryWarnings: 2 });
    const event = { eventType: 'ConnectionExpiring', subject: REF, sequence: 5, requestId: 'tick-1' };
    expect(world.table.events).toMatchObject([{ ...event, endUserId: 'user-1', cause: 'testing_mode' }]);
    expect(world.table.events[0]?.says).toEqual({ reason: 'testing_mode', ends_at: '2027-01-16T08:00:00.000Z' });
    expect(world.table.events[0]?.remedy).toMatch(/^Google ends this grant on 2027-01-16T08:00:00.000Z/);
    expect(world.counted).toEqual(['WarningGiven expiry']);
  });

  test.each([
    ['is far away', ending({ consentedAtEpochSec: START_SEC - 4 * DAY }), testing],
    ['was announced', ending({ expiryWarnings: 2 }), testing],
    ['is none', ending(), integration()],
  ])('a known end that %s is not announced', async (_, world, app) => {
    const { row } = world.table;
    expect(await warn(world, app)).toEqual(row);
    expect([world.table.events, world.counted]).toEqual([[], []]);
  });

  test('a known end that somebody else has announced is not counted again', async () => {
    const world = ending();
    const { row } = world.table;
    world.table.row = refreshed({ sequence: 5 });
    expect(await warnAhead(world.deps(direct), row ?? connection(), testing, 'tick-1')).toEqual(row);
    expect(world.counted).toEqual([]);
  });

  test('a known end that cannot be announced stops nothing, and a line says so', async () => {
    const world = ending();
    const { row } = world.table;
    world.failing.add('connections.warn');
    expect(await warn(world, testing)).toEqual(row);
    expect(world.logged).toEqual([
      ['error', 'a warning could not be given', { requestId: 'tick-1' }, 'connections.warn is away'],
    ]);
  });
});

describe('the account’s limit of refresh tokens', () => {
  test('the account’s limit of refresh tokens is announced from ninety live grants on', async () => {
    const world = withSharers(first(), 90);
    expect(await warn(world)).toEqual({ ...first(), sequence: 5, limitWarned: true });
    expect(world.table.events).toMatchObject([{ eventType: 'RefreshTokenLimitNear', cause: '90_of_100', sequence: 5 }]);
    expect(world.table.events[0]?.remedy).toContain('c1, other-0, other-1 first');
    expect(world.counted).toEqual(['WarningGiven token_limit']);
  });

  test.each([
    ['below', withSharers(first(), 89)],
    ['for grants of another client', withSharers(first(), 100, 'other-client')],
    ['for a refreshed connection', withSharers(refreshed(), 100)],
    ['for a connection whose account is not known', withSharers(first({ providerAccount: undefined }), 100)],
    ['for a connection that was warned', withSharers(first({ limitWarned: true }), 100)],
  ])('the account’s limit of refresh tokens is not announced %s', async (_, world) => {
    const { row } = world.table;
    expect(await warn(world)).toEqual(row);
    expect([world.table.events, world.logged]).toEqual([[], []]);
  });

  const { grants } = google;
  const { refreshTokensPerAccount: _, ...unlimited } = grants;

  test.each([
    ['for a provider that sets none', first(), { ...google, grants: unlimited }],
    ['for a connection whose account is not known', first({ providerAccount: undefined }), google],
    ['for a connection that was warned', first({ limitWarned: true }), google],
  ])('the account’s limit of refresh tokens is not even looked up %s', async (_, row, server) => {
    const world = refreshWorld(row);
    world.failing.add('connections.sharingGrant');
    expect(await warn(world, integration(), { ...endpointsAt({}), server })).toEqual(row);
    expect(world.logged).toEqual([]);
  });

  test('comes after the warning of an end, each with its own number', async () => {
    const world = withSharers(first({ consentedAtEpochSec: START_SEC - 6 * DAY }), 95);
    expect(await warn(world, testing)).toMatchObject({ sequence: 6, expiryWarnings: 2, limitWarned: true });
    expect(world.table.events.map(({ eventType, sequence }) => [eventType, sequence])).toEqual([
      ['ConnectionExpiring', 5],
      ['RefreshTokenLimitNear', 6],
    ]);
  });
});
