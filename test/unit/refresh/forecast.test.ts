import { describe, expect, test } from 'vitest';
import {
  expectedEnd,
  expiryRemedy,
  expiryWarningDue,
  nextWarningAt,
  refreshTokenLimit,
  refreshTokenLimitRemedy,
  testingModeEnd,
} from '../../../lambdas/shared/domain/forecast.ts';
import { connection, integration, START_SEC } from './support/connection.ts';

const DAY = 24 * 3600;
const testing = integration({ publishingStatus: 'testing', audience: 'external' });
const fresh = connection({ consentedAtEpochSec: START_SEC });
const end = START_SEC + 7 * DAY;

describe("the end of Testing mode's grants", () => {
  test('is seven days after consent', () => {
    expect(testingModeEnd(fresh, testing)).toBe(end);
  });

  test.each([
    ['a published app', fresh, integration()],
    ['an internal app', fresh, integration({ publishingStatus: 'testing', audience: 'internal' })],
    ['sign-in scopes alone', connection({ grantedScopes: ['openid', 'email'] }), testing],
    ['a dead connection', connection({ status: 'reauthorization_required' }), testing],
  ])('does not concern %s', (_, grant, app) => {
    expect(expectedEnd(grant, app)).toBeUndefined();
  });

  test('gives way to an earlier end the user chose', () => {
    const limited = connection({ consentedAtEpochSec: START_SEC, refreshTokenExpiresAtEpochSec: START_SEC + DAY });
    expect(expectedEnd(limited, testing)).toEqual({ kind: 'time_limited_access', atEpochSec: START_SEC + DAY });
  });
});

describe('a grant for a limited time', () => {
  const limited = { consentedAtEpochSec: START_SEC, refreshTokenExpiresAtEpochSec: end };

  test('ends when the user said, or with the app’s Testing mode where that is the same moment', () => {
    expect(expectedEnd(connection(limited), integration())).toEqual({ kind: 'time_limited_access', atEpochSec: end });
    expect(expectedEnd(connection(limited), testing)).toEqual({ kind: 'testing_mode', atEpochSec: end });
  });

  test('that is dead has no end ahead', () => {
    const dead = connection({ ...limited, status: 'reauthorization_required' });
    expect(expectedEnd(dead, integration())).toBeUndefined();
  });

  test('is mended by connecting again before its end', () => {
    expect(expiryRemedy({ kind: 'time_limited_access', atEpochSec: end })).toBe(
      `The user granted access until ${new Date(end * 1000).toISOString()}. Ask the user to connect again before that.`,
    );
  });
});

describe('warnings of a known end', () => {
  test.each([
    [4 * DAY, undefined],
    [5 * DAY, 1],
    [5.9 * DAY, 1],
    [6 * DAY, 2],
    [7 * DAY, undefined],
  ])('%d seconds after consent warning %s is due', (passed, number) => {
    expect(expiryWarningDue(fresh, testing, START_SEC + passed)?.number).toBe(number);
  });

  test('are given once each, and a missed one is not made up for', () => {
    const warned = connection({ consentedAtEpochSec: START_SEC, expiryWarnings: 1 });
    expect(expiryWarningDue(warned, testing, START_SEC + 5.5 * DAY)).toBeUndefined();
    expect(expiryWarningDue(warned, testing, START_SEC + 6.5 * DAY)?.number).toBe(2);
    expect(expiryWarningDue(fresh, testing, START_SEC + 6.5 * DAY)?.number).toBe(2);
  });

  test('bring the connection before the schedule in time', () => {
    expect(nextWarningAt(fresh, testing, START_SEC)).toBe(end - 2 * DAY);
    expect(nextWarningAt(fresh, testing, end - 2 * DAY)).toBe(end - DAY);
    expect(nextWarningAt(fresh, testing, end - DAY)).toBeUndefined();
    expect(nextWarningAt(fresh, integration(), START_SEC)).toBeUndefined();
  });

  test('say when the end comes and what to do', () => {
    expect(expiryRemedy({ kind: 'testing_mode', atEpochSec: end })).toContain('2027-01-22T08:00:00.000Z');
    expect(expiryRemedy({ kind: 'testing_mode', atEpochSec: end })).toContain('Publish the app');
    expect(expiryRemedy({ kind: 'time_limited_access', atEpochSec: end })).not.toContain('Publish');
  });
});

describe('the limit of refresh tokens', () => {
  const grants = (count: number, clientId = 'client') =>
    Array.from({ length: count }, (_, i) => ({
      accountId: i === 1 ? 'other' : 'default',
      integrationId: 'drive',
      connectionId: `c${i}`,
      clientId,
      consentedAtEpochSec: START_SEC + i,
    }));

  test('is announced from 90 of 100', () => {
    expect(refreshTokenLimit('client', grants(89))).toBeUndefined();
    expect(refreshTokenLimit('client', grants(90))).toMatchObject({ live: 90, limit: 100 });
  });

  test('counts one OAuth client only', () => {
    expect(refreshTokenLimit('client', [...grants(60), ...grants(60, 'another')])).toBeUndefined();
  });

  test('names the oldest connections, and none of another account', () => {
    const limit = refreshTokenLimit('client', grants(95).reverse());
    if (limit === undefined) throw new Error('The limit is near');
    expect(limit.silencedNext.map(({ connectionId }) => connectionId)).toEqual(['c0', 'c1', 'c2']);
    expect(refreshTokenLimitRemedy(limit, 'default')).toContain('c0, c2 first');
    expect(refreshTokenLimitRemedy(limit, 'default')).not.toContain('c1');
  });
});
