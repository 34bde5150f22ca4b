import { describe, expect, it } from 'vitest';
import { limitRate } from '../../../lambdas/gateway/calls/limit-rate.ts';
import {
  AUTHORIZATIONS_PER_MINUTE,
  CONNECT_SESSIONS_PER_MINUTE,
  DELEGATION_CHECKS_PER_MINUTE,
} from '../../../lambdas/gateway/core/limits.ts';
import { START_MS } from './support.ts';

type LimitedUse = Parameters<typeof limitRate>[2];

/** A counter that has room or none, ten seconds and a half after a minute began, and what it was asked. */
function limited(hasRoom: boolean) {
  const asked: unknown[] = [];
  const counted: unknown[] = [];
  const clock = { ms: START_MS + 10_500, nowMs: () => clock.ms };
  const rates = {
    count: async (...given: unknown[]) => {
      asked.push(['count', ...given]);
      return hasRoom;
    },
    giveBack: async (...given: unknown[]) => void asked.push(['give back', ...given]),
  };
  const metrics = { count: (...given: unknown[]) => void counted.push(given) };
  return { asked, counted, clock, use: (use: LimitedUse) => limitRate({ rates, clock, metrics }, 'acme', use) };
}

const USES: readonly [LimitedUse, number, limit: string, words: string][] = [
  [
    'connect_sessions',
    CONNECT_SESSIONS_PER_MINUTE,
    'connect_sessions',
    'An account may have at most {} connect sessions',
  ],
  [
    'authorizations',
    AUTHORIZATIONS_PER_MINUTE,
    'authorizations',
    'An account may have at most {} started authorizations',
  ],
  [
    'delegation_checks.wh_1',
    DELEGATION_CHECKS_PER_MINUTE,
    'delegation_checks',
    'A connect link may have at most {} checks',
  ],
];

describe.each(USES)('DS-3: %s', (use, most, limit, words) => {
  it('%s are counted in their minute, and given back to the minute they were counted in', async () => {
    const { asked, clock, counted, use: count } = limited(true);
    const giveBack = await count(use);
    expect(asked).toEqual([['count', 'acme', use, most, START_MS / 1000 + 10]]);
    clock.ms += 60_000;
    await giveBack();
    expect(asked.slice(1)).toEqual([['give back', 'acme', use, START_MS / 1000 + 10]]);
    expect(counted).toEqual([]);
  });

  it('%s are refused where the minute has had its share, which says how much and until when', async () => {
    const { asked, counted, use: count } = limited(false);
    await expect(count(use)).rejects.toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining(words.replace('{}', String(most))),
      retryAfterSec: 50,
      rate: { policy: limit, quota: most, windowSec: 60, left: 0, resetSec: 50 },
    });
    expect(counted).toEqual([['RateLimited', { limit }]]);
    expect(asked).toHaveLength(1);
  });
});
