import { describe, expect, test } from 'vitest';
import { refreshRules, TOKEN_SEC } from '../../../dev/bench/day/refresh-rules.ts';
import { idleConnection } from '../../../dev/bench/sweep/fixtures.ts';
import { spread } from '../../../lambdas/gateway/core/identifiers.ts';
import { nextRefreshAt, tokenFreshness } from '../../../lambdas/gateway/tokens/freshness.rules.ts';

const CLASSES = 16;
const NOW_SEC = 1_900_000_000;
const rules = refreshRules(CLASSES);
const connections = Array.from({ length: 60 }, (_, number) => idleConnection(number, NOW_SEC));
const classOf = (one: (typeof connections)[number]) => Math.floor(spread(one) * CLASSES);

describe('the tables of the simulation', () => {
  test.each([0, 1, 300, 700, 1_500, TOKEN_SEC])(
    'the tables of the simulation answer as the domain does for any connection whose token has %i s left',
    (left) => {
      for (const one of connections) {
        const asked =
          nextRefreshAt(one, NOW_SEC + left, NOW_SEC, NOW_SEC, undefined, NOW_SEC + left - TOKEN_SEC) - NOW_SEC;
        const told = rules.aheadSec[classOf(one) * (TOKEN_SEC + 1) + left] ?? Number.NaN;
        // A class is a sixteenth of the lead's spread of four minutes.
        expect(Math.abs(told - asked)).toBeLessThanOrEqual(16);
      }
    },
  );

  test('the tables of the simulation answer as the domain does for a connection that is not in use', () => {
    for (const one of connections) {
      const asked = nextRefreshAt(one, NOW_SEC + TOKEN_SEC, undefined, NOW_SEC) - NOW_SEC;
      const told = rules.keepAliveSec[classOf(one)] ?? Number.NaN;
      expect(Math.abs(told - asked) / asked).toBeLessThan(0.1 / CLASSES + 0.001);
    }
  });

  test('the tables of the simulation say from when on a call refreshes alongside itself', () => {
    for (const one of connections) {
      const ending = rules.endingSec[classOf(one)] ?? Number.NaN;
      const freshness = (left: number) => {
        const accessTokenExpiresAtEpochSec = NOW_SEC + left;
        const lastRefreshedAtEpochSec = accessTokenExpiresAtEpochSec - TOKEN_SEC;
        return tokenFreshness({ ...one, accessTokenExpiresAtEpochSec, lastRefreshedAtEpochSec }, NOW_SEC);
      };
      expect(freshness(ending - 10)).toBe('ending');
      expect(freshness(ending + 10)).toBe('fresh');
    }
  });

  test('the tables of the simulation end the active window in the second in which the domain does', () => {
    const [one = idleConnection(0, NOW_SEC)] = connections;
    const next = (age: number) => nextRefreshAt(one, NOW_SEC + TOKEN_SEC, NOW_SEC - age, NOW_SEC);
    expect(next(rules.activeWindowSec - 1)).toBeLessThan(NOW_SEC + TOKEN_SEC);
    expect(next(rules.activeWindowSec)).toBeGreaterThan(NOW_SEC + TOKEN_SEC);
  });

  test('refresh a token in use before it ends, sooner for some than for others', () => {
    expect(Math.max(...rules.periodSec)).toBeLessThan(TOKEN_SEC);
    expect(new Set(rules.periodSec).size).toBe(CLASSES);
  });
});
