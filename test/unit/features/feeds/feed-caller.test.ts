import { describe, expect, test } from 'vitest';
import { feedCaller } from '../../../../lambdas/features/feeds/feed-caller.ts';
import type { FeedWish } from '../../../../lambdas/features/feeds/feed-wish.rules.ts';
import { FEED_CALL_TIMEOUT_MS } from '../../../../lambdas/features/feeds/limits.rules.ts';
import type { UpstreamRequest, UpstreamResponse } from '../../../../lambdas/gateway/core/http-message.ts';
import type { RefreshOptions } from '../../../../lambdas/gateway/tokens/refresher.ts';
import { memoryCipher } from '../../management/support/memory-cipher.ts';
import { connectionRow, integrationRow } from '../../management/support/rows.ts';

const START_MS = Date.UTC(2030, 0, 1);

/** A provider that takes all the time it is given, and refuses each token. */
async function slow(withinMs: number) {
  const time = { nowMs: START_MS };
  const steps: [string, number][] = [];
  const takes = (step: string, ms: number) => {
    steps.push([step, ms]);
    time.nowMs += ms;
  };
  const connection = await connectionRow({ connectionId: 'c-1', integrationId: 'google-drive' });
  const integration = integrationRow({ integrationId: 'google-drive' });
  const caller = feedCaller({
    upstream: {
      async send({ totalTimeoutMs }: UpstreamRequest): Promise<UpstreamResponse> {
        takes('call', totalTimeoutMs);
        return { status: 401, headers: [], body: (async function* () {})(), abandon: () => {} };
      },
      close: () => {},
    },
    endpointsOf: () => ({ apiOrigin: 'https://google.example' }),
    refresher: {
      async refresh(_connection, _integration, { budgetMs = 0 }: RefreshOptions) {
        takes('refresh', budgetMs);
        return { kind: 'fresh', connection, accessToken: 'fresh' };
      },
    },
    cipher: memoryCipher,
    clock: { nowMs: () => time.nowMs },
    counted: { made: () => {} },
    inboxAddress: 'https://gateway.example/inbox/google/channel',
  });
  const feed = {
    ...{ accountId: 'default', feedId: 'f-1' },
    ...{ connection, resource: { kind: 'drive', id: undefined } as never },
  };
  const wish: FeedWish = { kind: 'list', token: 't' };
  const called = { feed, connection, integration, requestId: 'r', endByMs: START_MS + withinMs };
  const answer = await caller.call(called, wish);
  return { answer, steps, tookMs: time.nowMs - START_MS };
}

describe('a call of a feed', () => {
  test('TB-4: ends in time however slow each of its requests is: the last one has the time that is left', async () => {
    const { steps, tookMs } = await slow(27_000);
    expect(steps).toEqual([
      ['refresh', FEED_CALL_TIMEOUT_MS],
      ['call', FEED_CALL_TIMEOUT_MS],
      ['refresh', FEED_CALL_TIMEOUT_MS],
      ['call', 3_000],
    ]);
    expect(tookMs).toBe(27_000);
  });

  test.each([
    [1_500, []],
    [9_500, ['refresh']],
    [17_500, ['refresh', 'call']],
    [25_500, ['refresh', 'call', 'refresh']],
  ])(
    'TB-4: within %i ms it starts nothing that has less than two seconds, and is put off',
    async (withinMs, started) => {
      const { answer, steps, tookMs } = await slow(withinMs);
      expect(steps.map(([step]) => step)).toEqual(started);
      expect(tookMs).toBeLessThanOrEqual(withinMs);
      expect(answer).toEqual({ kind: 'unavailable', reason: 'timeout', retryAfterSec: undefined });
    },
  );
});
