import { describe, expect, it } from 'vitest';
import { MemoryTable } from '../../../../dev/support/memory-table.ts';
import { type Feed, newProgress } from '../../../../lambdas/features/feeds/feed.rules.ts';
import { feedToItem } from '../../../../lambdas/features/feeds/feed.store.ts';
import { risks } from '../../../../lambdas/features/feeds/risks.ts';
import { PROVIDERS } from '../../../../lambdas/gateway/providers/catalogue.ts';
import { integrationRow } from '../../management/support/rows.ts';

const CALENDAR = integrationRow({
  integrationId: 'calendar',
  provider: 'google-calendar',
  credentialsSource: 'own',
  clientId: '42-a.apps.googleusercontent.com',
});

function feed(index: number, changes: Partial<Feed>): Feed {
  return {
    ...newProgress(0),
    delivery: 'bus',
    safetyIntervalSec: 21_600,
    pollIntervalSec: 300,
    meaning: false,
    seen: false,
    reminders: [],
    accountId: 'default',
    feedId: String(index),
    connection: { accountId: 'default', integrationId: 'calendar', connectionId: 'c' },
    endUserId: undefined,
    resource: { kind: 'calendar_list', id: '' },
    epoch: 0,
    lease: undefined,
    createdAt: '2026-12-01T00:00:00.000Z',
    state: 'polling',
    ...changes,
  };
}

function risksOf(feeds: readonly Partial<Feed>[], integration = CALENDAR, without: readonly string[] = []) {
  const memory = new MemoryTable();
  for (const [index, changes] of feeds.entries()) memory.put(feedToItem(feed(index, changes)));
  const services = { clock: { nowMs: () => Date.parse('2026-12-01') }, forFeatures: { table: memory.table } };
  return risks({ ...services, providers: PROVIDERS, without: new Set(without) }, integration);
}

describe('risks of quotas that feeds take', () => {
  it('PC-4: feeds that are set to take all of a day are to be polled less often', async () => {
    const polled = (count: number): Partial<Feed>[] => Array.from({ length: count }, () => ({ pollIntervalSec: 60 }));
    expect(await risksOf(polled(694))).toEqual([]);
    const [risk] = await risksOf(polled(695));
    expect(risk).toMatch(/pulled 1,000,800 times a day .* takes 1,000,800 of the 1,000,000 units/);
    expect(await risksOf(polled(695).map((feed) => ({ ...feed, state: 'watching' })))).toEqual([]);
    expect(await risksOf(polled(695), { ...CALENDAR, quota: { perDay: null } })).toEqual([]);
    expect(await risksOf(polled(695), CALENDAR, ['feeds'])).toEqual([]);
    const elsewhere = { accountId: 'default', integrationId: 'other', connectionId: 'c' };
    expect(await risksOf(polled(695).map((feed) => ({ ...feed, connection: elsewhere })))).toEqual([]);
  });
});
