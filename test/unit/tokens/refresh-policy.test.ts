import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KEEP_ALIVE_MAX_DAYS, REFRESH_AHEAD } from '../../../lambdas/gateway/contract.ts';
import { KEEP_ALIVE_JITTER, UNUSED_GRANT_LIFETIME_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { DEFAULT_REFRESH_POLICY, isKeptFresh, nextRefreshAt } from '../../../lambdas/gateway/tokens/freshness.rules.ts';
import { connection, NOW_EPOCH_SEC } from '../support/connection.ts';

const ENDS_AT = NOW_EPOCH_SEC + 3_599;
const lastUse = fc.option(fc.nat(1e8), { nil: undefined }).map((agoSec) => agoSec && NOW_EPOCH_SEC - agoSec);
const dueInSec = (policy: Partial<typeof DEFAULT_REFRESH_POLICY>, lastUsedAt: number | undefined) =>
  nextRefreshAt(connection(), ENDS_AT, lastUsedAt, NOW_EPOCH_SEC, { ...DEFAULT_REFRESH_POLICY, ...policy }) -
  NOW_EPOCH_SEC;

describe('isKeptFresh', () => {
  it('draws the line at the active window: a second inside it counts, its end does not', () => {
    const policy = { ...DEFAULT_REFRESH_POLICY, activeWindowSec: 7_200 };
    expect(isKeptFresh(policy, NOW_EPOCH_SEC - 7_199, NOW_EPOCH_SEC)).toBe(true);
    expect(isKeptFresh(policy, NOW_EPOCH_SEC - 7_200, NOW_EPOCH_SEC)).toBe(false);
    expect(isKeptFresh(policy, undefined, NOW_EPOCH_SEC)).toBe(false);
  });

  it('is settled by "always" and "on-use", whatever was used when', () => {
    fc.assert(
      fc.property(lastUse, (lastUsedAt) => {
        expect(isKeptFresh({ ...DEFAULT_REFRESH_POLICY, ahead: 'always' }, lastUsedAt, NOW_EPOCH_SEC)).toBe(true);
        expect(isKeptFresh({ ...DEFAULT_REFRESH_POLICY, ahead: 'on-use' }, lastUsedAt, NOW_EPOCH_SEC)).toBe(false);
      }),
    );
  });
});

describe('nextRefreshAt under a policy', () => {
  it('renews a connection nobody ever used ahead of its token’s end with "always"', () => {
    expect(dueInSec({ ahead: 'always' }, undefined)).toBeLessThan(3_599);
  });

  it('leaves a connection in use to its keep-alive with "on-use"', () => {
    expect(dueInSec({ ahead: 'on-use' }, NOW_EPOCH_SEC)).toBeGreaterThan(86_400);
  });

  it('touches idle connections once per keep-alive period, at most a tenth early', () => {
    const waitSec = dueInSec({ keepAliveSec: 7 * 86_400 }, undefined);
    expect(waitSec).toBeLessThanOrEqual(7 * 86_400);
    expect(waitSec).toBeGreaterThanOrEqual(Math.floor(7 * 86_400 * (1 - KEEP_ALIVE_JITTER)));
  });

  it('leaves a month for failing refreshes even with the longest keep-alive', () => {
    for (const ahead of REFRESH_AHEAD) {
      const waitSec = dueInSec({ ahead, keepAliveSec: KEEP_ALIVE_MAX_DAYS * 86_400 }, undefined);
      expect(UNUSED_GRANT_LIFETIME_SEC - waitSec).toBeGreaterThanOrEqual(30 * 86_400);
    }
  });
});
