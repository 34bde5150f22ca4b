import { describe, expect, test } from 'vitest';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import {
  expectedEnd,
  expiryRemedy,
  expiryWarningDue,
  learnedEnd,
  nextLookAt,
  refreshTokenLimit,
  refreshTokenLimitRemedy,
} from '../../../lambdas/gateway/connections/health.rules.ts';
import { LOOK_AFTER_END_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { connection, integration, START_SEC } from './support/connection.ts';

const DAY = 24 * 3600;
const testing = integration({ publishingStatus: 'testing', audience: 'external' });
/** A grant of this moment, not refreshed yet. */
const given = (changes: Partial<Connection> = {}) =>
  connection({ consentedAtEpochSec: START_SEC, lastRefreshedAtEpochSec: undefined, ...changes });
const fresh = given();
const end = START_SEC + 7 * DAY;

describe("the end of Testing mode's grants", () => {
  test("the end of Testing mode's grants is seven days after consent", () => {
    expect(expectedEnd(fresh, testing)).toEqual({ kind: 'testing_mode', atEpochSec: end, announced: false });
  });

  test.each([
    ['a published app', fresh, integration()],
    ['an internal app', fresh, integration({ publishingStatus: 'testing', audience: 'internal' })],
    ['sign-in scopes alone', connection({ grantedScopes: ['openid', 'email'] }), testing],
    ['a dead connection', connection({ status: 'reauthorization_required' }), testing],
  ])("the end of Testing mode's grants does not concern %s", (_, grant, app) => {
    expect(expectedEnd(grant, app)).toBeUndefined();
  });

  test('gives way to the end that Google announced', () => {
    const limited = given({ refreshTokenExpiresAtEpochSec: START_SEC + DAY });
    const announced = { kind: 'time_limited_access', atEpochSec: START_SEC + DAY, announced: true };
    expect(expectedEnd(limited, testing)).toEqual(announced);
  });

  test("the end of Testing mode's grants is seen per grant: an announced life of seven days means Testing, whatever was declared", () => {
    for (const lifeSec of [604_799, 604_800, 604_800 - 3_600, 604_800 + 3_600]) {
      const announced = given({ refreshTokenExpiresAtEpochSec: START_SEC + lifeSec });
      const seen = { kind: 'testing_mode', atEpochSec: START_SEC + lifeSec, announced: true };
      expect(expectedEnd(announced, integration()), String(lifeSec)).toEqual(seen);
    }
    for (const days of [30, 180, 6, 8]) {
      const chosen = given({ refreshTokenExpiresAtEpochSec: START_SEC + days * DAY });
      expect(expectedEnd(chosen, testing)?.kind, `${days} days`).toBe('time_limited_access');
    }
  });

  test('stays with a grant of Testing after the app is published', () => {
    const before = given({ testingAtConsent: true });
    expect(expectedEnd(before, integration())).toMatchObject({ kind: 'testing_mode', atEpochSec: end });
    expect(expectedEnd(given({ testingAtConsent: false }), integration())).toBeUndefined();
  });

  test("the end of Testing mode's grants is ruled out by a refresh that succeeded after it", () => {
    expect(expectedEnd(given({ lastRefreshedAtEpochSec: end + 1 }), testing)).toBeUndefined();
    expect(expectedEnd(given({ lastRefreshedAtEpochSec: end - 1 }), testing)).toBeDefined();
    const announced = given({ refreshTokenExpiresAtEpochSec: end, lastRefreshedAtEpochSec: end + 1 });
    expect(expectedEnd(announced, testing)).toBeUndefined();
  });
});

describe('an end that only a refresh reports', () => {
  const later = START_SEC + 3 * DAY;

  test.each([
    ['nothing', fresh, undefined, undefined],
    ['seven days, which count from consent', fresh, later + 604_799, START_SEC + 604_799],
    ['what is left of thirty days', fresh, later + 27 * DAY, later + 27 * DAY],
    ['what is known already', given({ refreshTokenExpiresAtEpochSec: end }), later + 30 * DAY, undefined],
    ['seven days that would be over', given({ consentedAtEpochSec: START_SEC - 9 * DAY }), later + 604_799, undefined],
  ])('an end that only a refresh reports is %s', (_, grant, announced, learned) => {
    expect(learnedEnd(grant, announced, later)).toBe(learned);
  });
});

describe('a grant for a limited time', () => {
  const end = START_SEC + 30 * DAY;

  test('a grant for a limited time is fixed by connecting again before its end', () => {
    const until = `The user granted access until ${new Date(end * 1000).toISOString()}.`;
    const said = `${until} Ask the user to connect again before that.`;
    expect(expiryRemedy({ kind: 'time_limited_access', atEpochSec: end, announced: true })).toBe(said);
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

  test('warnings of a known end are given once each, and a missed one is not made up for', () => {
    const warned = given({ expiryWarnings: 1 });
    expect(expiryWarningDue(warned, testing, START_SEC + 5.5 * DAY)).toBeUndefined();
    expect(expiryWarningDue(warned, testing, START_SEC + 6.5 * DAY)?.number).toBe(2);
    expect(expiryWarningDue(fresh, testing, START_SEC + 6.5 * DAY)?.number).toBe(2);
  });

  test('warnings of a known end bring the connection before the schedule in time, and so does its end', () => {
    expect(nextLookAt(fresh, testing, START_SEC)).toBe(end - 2 * DAY);
    expect(nextLookAt(fresh, testing, end - 2 * DAY)).toBe(end - DAY);
    expect(nextLookAt(fresh, testing, end - DAY)).toBe(end + LOOK_AFTER_END_SEC);
    expect(nextLookAt(fresh, testing, end + LOOK_AFTER_END_SEC)).toBeUndefined();
    expect(nextLookAt(connection({ status: 'reauthorization_required' }), testing, START_SEC)).toBeUndefined();
  });

  test('warnings of a known end are not given of an end that only Testing would bring, but the schedule looks at the grant after it', () => {
    expect(nextLookAt(fresh, integration(), START_SEC)).toBe(end + LOOK_AFTER_END_SEC);
    expect(nextLookAt(given({ grantedScopes: ['openid'] }), integration(), START_SEC)).toBeUndefined();
    const chosen = given({ refreshTokenExpiresAtEpochSec: START_SEC + 30 * DAY });
    expect(nextLookAt(chosen, integration(), START_SEC + 29 * DAY)).toBe(START_SEC + 30 * DAY + LOOK_AFTER_END_SEC);
  });

  test('warnings of a known end say when the end comes and what to do', () => {
    const said = expiryRemedy({ kind: 'testing_mode', atEpochSec: end, announced: false });
    expect(said).toMatch(/2027-01-22T08:00:00\.000Z.*Publish the app/s);
  });
});

describe('the limit of refresh tokens', () => {
  const grants = (count: number, clientId = 'client') =>
    Array.from({ length: count }, (_, i) => {
      const ref = { accountId: i === 1 ? 'other' : 'default', integrationId: 'drive', connectionId: `c${i}` };
      return { ...ref, clientId, consentedAtEpochSec: START_SEC + i };
    });

  const near = (live: Parameters<typeof refreshTokenLimit>[1], consents: number[] = []) =>
    refreshTokenLimit('client', live, consents, START_SEC);

  test('the limit of refresh tokens is announced from 90 of 100', () => {
    expect(near(grants(89))).toBeUndefined();
    expect(near(grants(90))).toMatchObject({ live: 90, limit: 100 });
  });

  test('counts consents of the last six months, also those of one connection that was made again and again', () => {
    const one = grants(1);
    const consents = Array.from({ length: 95 }, (_, i) => START_SEC - i * DAY);
    expect(near(one, consents)).toMatchObject({ live: 95, silencedNext: one });
    const older = consents.map((at) => at - 100 * DAY);
    expect(near(one, older)).toBeUndefined();
    expect(near(one, consents.slice(0, 89))).toBeUndefined();
  });

  test('counts one OAuth client only', () => {
    expect(near([...grants(60), ...grants(60, 'another')])).toBeUndefined();
  });

  test('names the oldest connections, and none of another account', () => {
    const limit = near(grants(95).reverse());
    if (limit === undefined) throw new Error('The limit is near');
    expect(limit.silencedNext.map(({ connectionId }) => connectionId)).toEqual(['c0', 'c1', 'c2']);
    expect(refreshTokenLimitRemedy(limit, 'default')).toContain('c0, c2 first');
    expect(refreshTokenLimitRemedy(limit, 'default')).not.toContain('c1');
  });

  test('the limit of refresh tokens is lowered by what frees tokens at Google, which a deletion here does not', () => {
    const limit = near(grants(95));
    if (limit === undefined) throw new Error('The limit is near');
    expect(refreshTokenLimitRemedy(limit, 'default')).toMatch(/Deleting a connection here frees no token at Google/);
    expect(refreshTokenLimitRemedy(limit, 'default')).toMatch(/remove the app at myaccount\.google\.com/);
  });
});
