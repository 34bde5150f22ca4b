import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { DUE_SHARDS, KEEP_ALIVE_MAX_DAYS, REFRESH_AHEAD } from '../../../lambdas/gateway/core/contract.ts';
import { dueShardOf, spread } from '../../../lambdas/gateway/core/identifiers.ts';
import {
  KEEP_ALIVE_JITTER,
  KEEP_ALIVE_SEC,
  REFRESH_BACKOFF_BASE_SEC,
  REFRESH_BACKOFF_MAX_SEC,
  REFRESH_MARGIN_JITTER_SEC,
  REFRESH_MARGIN_SEC,
  SCHEDULED_REFRESH_LEAD_JITTER_SEC,
  SCHEDULED_REFRESH_LEAD_SEC,
  UNUSED_GRANT_LIFETIME_SEC,
} from '../../../lambdas/gateway/core/limits.ts';
import {
  DEFAULT_REFRESH_POLICY,
  isKeptFresh,
  nextRefreshAt,
  refreshBackoffSec,
  refreshTiming,
  tokenFreshness,
} from '../../../lambdas/gateway/tokens/freshness.rules.ts';
import { connection, NOW_EPOCH_SEC } from '../support/connection.ts';

const anyConnection = fc.string({ minLength: 1, maxLength: 20 }).map((connectionId) => connection({ connectionId }));
const random01 = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const MARGIN_MAX_SEC = REFRESH_MARGIN_SEC + REFRESH_MARGIN_JITTER_SEC;
const LEAD_MAX_SEC = SCHEDULED_REFRESH_LEAD_SEC + SCHEDULED_REFRESH_LEAD_JITTER_SEC;
/** Ten thousand connections of one integration, named as callers name them. */
const TEN_THOUSAND = Array.from({ length: 10_000 }, (_, i) => connection({ connectionId: `user-${i}` }));

describe('tokenFreshness (TK-5)', () => {
  it('calls a token expired from the second of its end, and never before', () => {
    fc.assert(
      fc.property(anyConnection, fc.integer({ min: -86_400, max: 86_400 }), (known, leftSec) => {
        const endsAt = NOW_EPOCH_SEC + leftSec;
        const times = { accessTokenExpiresAtEpochSec: endsAt, lastRefreshedAtEpochSec: endsAt - 3600 };
        const freshness = tokenFreshness({ ...known, ...times }, NOW_EPOCH_SEC);
        expect(freshness === 'expired').toBe(leftSec <= 0);
        if (leftSec > 0 && leftSec <= REFRESH_MARGIN_SEC) expect(freshness).toBe('ending');
        if (leftSec > MARGIN_MAX_SEC) expect(freshness).toBe('fresh');
      }),
    );
  });

  it('grows only worse with time', () => {
    const order = ['fresh', 'ending', 'expired'];
    fc.assert(
      fc.property(anyConnection, fc.nat(4000), fc.nat(4000), (known, now, later) => {
        const at = (seconds: number) => order.indexOf(tokenFreshness(known, NOW_EPOCH_SEC + seconds));
        expect(at(now + later)).toBeGreaterThanOrEqual(at(now));
      }),
    );
  });

  it('spreads the margin of connections that were made together (F02)', () => {
    const together = TEN_THOUSAND.slice(0, 2_000);
    const endingAt = (leftSec: number) =>
      together.filter((known) => {
        const endsAt = NOW_EPOCH_SEC + leftSec;
        const token = { ...known, consentedAtEpochSec: endsAt - 3600, accessTokenExpiresAtEpochSec: endsAt };
        return tokenFreshness(token, NOW_EPOCH_SEC) === 'ending';
      }).length;
    expect(endingAt(MARGIN_MAX_SEC + 1)).toBe(0);
    expect(endingAt(REFRESH_MARGIN_SEC)).toBe(together.length);
    const ending = Array.from({ length: REFRESH_MARGIN_JITTER_SEC + 1 }, (_, i) => endingAt(REFRESH_MARGIN_SEC + i));
    const startsPerSecond = ending.slice(1).map((still, i) => (ending[i] ?? 0) - still);
    expect(Math.max(...startsPerSecond)).toBeLessThan((3 * together.length) / REFRESH_MARGIN_JITTER_SEC);
  });
});

describe('TK-5: a token of any life', () => {
  const life = fc.integer({ min: 30, max: 86_400 });
  /** What a caller does at a time: refreshes alongside its call, or first, or not at all. */
  const issued = (known: Connection, atSec: number, lifeSec: number): Connection => ({
    ...known,
    lastRefreshedAtEpochSec: atSec,
    accessTokenExpiresAtEpochSec: atSec + lifeSec,
  });

  it('a token of any life is refreshed once per expiry, whenever and however often it is used', () => {
    const calls = fc.array(fc.double({ min: 0, max: 0.3, noNaN: true }), { maxLength: 60 });
    fc.assert(
      fc.property(anyConnection, life, calls, (known, lifeSec, pauses) => {
        let now = NOW_EPOCH_SEC;
        let token = issued(known, now, lifeSec);
        let refreshes = 0;
        for (const share of pauses) {
          now += Math.floor(share * lifeSec);
          if (tokenFreshness(token, now) === 'fresh') continue;
          refreshes++;
          token = issued(token, now, lifeSec);
          expect(tokenFreshness(token, now), 'a new token needs no refresh').toBe('fresh');
        }
        // Each refresh comes in the last eighth of a token's life, or after it.
        expect(refreshes).toBeLessThanOrEqual((now - NOW_EPOCH_SEC) / (lifeSec * (7 / 8)));
      }),
    );
  });

  it('a token of any life is refreshed ahead of its end, but not before two thirds of its life', () => {
    fc.assert(
      fc.property(anyConnection, life, (known, lifeSec) => {
        const due = nextRefreshAt(known, NOW_EPOCH_SEC + lifeSec, NOW_EPOCH_SEC, NOW_EPOCH_SEC);
        expect(due - NOW_EPOCH_SEC).toBeGreaterThan((lifeSec * 2) / 3);
        // Before callers enter the margin.
        expect(tokenFreshness(issued(known, NOW_EPOCH_SEC, lifeSec), due)).toBe('fresh');
      }),
    );
  });

  it('a token of any life is due at the same time whether its use is noted when it is issued or later', () => {
    fc.assert(
      fc.property(anyConnection, life, fc.double({ min: 0, max: 1, noNaN: true }), (known, lifeSec, share) => {
        const endsAt = NOW_EPOCH_SEC + lifeSec;
        const later = NOW_EPOCH_SEC + Math.floor(share * lifeSec);
        const noted = nextRefreshAt(known, endsAt, later, later, undefined, NOW_EPOCH_SEC);
        // One that should have been done by then is due at once.
        expect(noted).toBe(Math.max(later, nextRefreshAt(known, endsAt, NOW_EPOCH_SEC, NOW_EPOCH_SEC)));
      }),
    );
  });
});

describe('nextRefreshAt', () => {
  const lifetime = fc.integer({ min: 1, max: 86_400 });

  it('comes before the end of a token in use, by a lead within its bounds', () => {
    fc.assert(
      fc.property(anyConnection, lifetime, fc.nat(86_399), (known, lifetimeSec, unusedSec) => {
        const endsAt = NOW_EPOCH_SEC + lifetimeSec;
        const at = nextRefreshAt(known, endsAt, NOW_EPOCH_SEC - unusedSec, NOW_EPOCH_SEC);
        expect(Number.isInteger(at)).toBe(true);
        expect(at).toBeLessThan(endsAt);
        expect(at).toBeGreaterThanOrEqual(NOW_EPOCH_SEC);
        expect(endsAt - at).toBeLessThanOrEqual(LEAD_MAX_SEC + 1);
        if (lifetimeSec >= 3600) expect(endsAt - at).toBeGreaterThanOrEqual(SCHEDULED_REFRESH_LEAD_SEC);
      }),
    );
  });

  it('nextRefreshAt is due at once for a token in use that has ended', () => {
    fc.assert(
      fc.property(anyConnection, fc.nat(86_400), (known, agoSec) => {
        const endedAt = NOW_EPOCH_SEC - agoSec;
        expect(nextRefreshAt(known, endedAt, NOW_EPOCH_SEC, NOW_EPOCH_SEC)).toBeLessThanOrEqual(NOW_EPOCH_SEC);
      }),
    );
  });

  it('keeps an idle connection alive far inside the six months, jittered by 10 %', () => {
    const lastUse = fc.option(fc.integer({ min: 86_400, max: 1e8 }), { nil: undefined });
    fc.assert(
      fc.property(anyConnection, lifetime, lastUse, (known, lifetimeSec, idleSec) => {
        const usedAt = idleSec === undefined ? undefined : NOW_EPOCH_SEC - idleSec;
        const waitSec = nextRefreshAt(known, NOW_EPOCH_SEC + lifetimeSec, usedAt, NOW_EPOCH_SEC) - NOW_EPOCH_SEC;
        expect(waitSec).toBeLessThanOrEqual(KEEP_ALIVE_SEC);
        expect(waitSec).toBeGreaterThanOrEqual(Math.floor(KEEP_ALIVE_SEC * (1 - KEEP_ALIVE_JITTER)));
        expect(waitSec).toBeLessThan(UNUSED_GRANT_LIFETIME_SEC / 4);
      }),
    );
  });

  it('spreads connections whose tokens end in one second over the whole jitter (F02)', () => {
    const perSecond = new Map<number, number>();
    for (const known of TEN_THOUSAND) {
      const at = nextRefreshAt(known, NOW_EPOCH_SEC + 3599, NOW_EPOCH_SEC, NOW_EPOCH_SEC);
      perSecond.set(at, (perSecond.get(at) ?? 0) + 1);
    }
    expect(perSecond.size).toBeGreaterThan(SCHEDULED_REFRESH_LEAD_JITTER_SEC * 0.95);
    expect(Math.max(...perSecond.values())).toBeLessThan((3 * TEN_THOUSAND.length) / SCHEDULED_REFRESH_LEAD_JITTER_SEC);
  });
});

describe('spread and shards', () => {
  it('spread and shards are stable and within bounds for any connection', () => {
    fc.assert(
      fc.property(anyConnection, (known) => {
        expect(spread(known)).toBe(spread({ ...known }));
        expect(spread(known) >= 0 && spread(known) < 1).toBe(true);
        const shard = dueShardOf(known, DUE_SHARDS);
        expect(Number.isInteger(shard) && shard >= 0 && shard < DUE_SHARDS).toBe(true);
      }),
    );
  });

  it('fill every shard with its share of 10,000 connections (F02, F85)', () => {
    const counts = new Array<number>(DUE_SHARDS).fill(0);
    for (const known of TEN_THOUSAND) {
      const shard = dueShardOf(known, DUE_SHARDS);
      counts[shard] = (counts[shard] ?? 0) + 1;
    }
    const share = TEN_THOUSAND.length / DUE_SHARDS;
    expect(Math.min(...counts)).toBeGreaterThan(share / 2);
    expect(Math.max(...counts)).toBeLessThan(share * 2);
  });

  it('spread and shards are independent: one shard is not due at one moment', () => {
    const spreads = TEN_THOUSAND.filter((known) => dueShardOf(known, DUE_SHARDS) === 0).map((known) => spread(known));
    expect(Math.min(...spreads)).toBeLessThan(0.1);
    expect(Math.max(...spreads)).toBeGreaterThan(0.9);
  });

  it('spread and shards take every dimension of the identity', () => {
    const variants = [{}, { accountId: 'other' }, { integrationId: 'other' }, { connectionId: 'other' }].map((change) =>
      spread(connection(change)),
    );
    expect(new Set(variants).size).toBe(4);
  });
});

describe('refreshBackoffSec', () => {
  it('doubles up to an hour with jitter, and never undercuts the provider', () => {
    const retryAfter = fc.option(fc.integer({ min: 0, max: 86_400 }), { nil: undefined });
    fc.assert(
      fc.property(fc.nat(1000), retryAfter, random01, (failures, retryAfterSec, random) => {
        const ceiling = Math.min(REFRESH_BACKOFF_BASE_SEC * 2 ** failures, REFRESH_BACKOFF_MAX_SEC);
        const wait = refreshBackoffSec(failures, retryAfterSec, random);
        expect(wait).toBeGreaterThanOrEqual(Math.max(ceiling / 2, retryAfterSec ?? 0));
        expect(wait).toBeLessThanOrEqual(Math.max(ceiling, retryAfterSec ?? 0));
      }),
    );
  });
});

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

  it('isKeptFresh is settled by "always" and "on-use", whatever was used when', () => {
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

describe('the parts of a refresh', () => {
  it('the parts of a refresh fit into the lease: calls in two thirds, writes in 90 %, and a caller waits a little longer', () => {
    const calls = { callTimeoutMs: 8_000, callBudgetMs: 20_000 };
    expect(refreshTiming(30)).toEqual({ leaseSec: 30, ...calls, writeBudgetMs: 27_000, waitMs: 32_000 });
    expect(refreshTiming()).toEqual(refreshTiming(30));
  });

  it('the parts of a refresh are shorter with a short lease, one call being a third of it', () => {
    const calls = { callTimeoutMs: 3_333, callBudgetMs: 6_666 };
    expect(refreshTiming(10)).toEqual({ leaseSec: 10, ...calls, writeBudgetMs: 9_000, waitMs: 12_000 });
  });
});
