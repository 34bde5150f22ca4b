import { FEED_WAKE_BUDGET_MS } from '../../../lambdas/features/feeds/limits.rules.ts';
/** Messages of Google's that come by the hundred: what they wake, how often it is pulled, and how late a change is stored. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Feed, FeedRef } from '../../../lambdas/features/feeds/feed.rules.ts';
import { channelToItem, feedToItem } from '../../../lambdas/features/feeds/feed.store.ts';
import { sweepFeeds } from '../../../lambdas/features/feeds/feeds/sweep-feeds.ts';
import { takeMessage } from '../../../lambdas/features/feeds/take-message.ts';
import { workOnFeed } from '../../../lambdas/features/feeds/work-on-feed.ts';
import { epochSecNow } from '../../../lambdas/gateway/core/clock.ts';
import { systemClock } from '../../../lambdas/gateway/platform/clock.ts';
import { MemoryTable } from '../../support/memory-table.ts';
import { accessTokenOf, channelOf, freshConnection, laterSec, messageTo, watchingFeed } from './feed-rows.ts';
import { type Counts, feedWork, memoryFeeds, memoryStores } from './feed-work.ts';
import { PlayedGoogle } from './played-google.ts';
import { ALL_FEEDS, GOOGLE_MS, TABLE_MS } from './sweeps.ts';

/** An asynchronous invocation takes this long to begin. */
const WAKE_MS = 30;
const BEAT_MS = 10;
/** The schedule, and how long its function may run; as deployed. */
const TICK_MS = 60_000;
const SWEEP_MS = 300_000;
/** A change that is not stored by then is a defect. */
const PATIENCE_MS = 90_000;

/** What a storm led to. */
export interface Storm {
  readonly watched: number;
  readonly seconds: number;
  readonly messages: number;
  readonly refusedMessages: number;
  readonly woken: number;
  readonly pulls: number;
  readonly batches: number;
  /** Processes at work at the same time, which mostly wait for the rest between two pulls. */
  readonly mostWorkers: number;
  readonly mostPullsAtOnce: number;
  /** Milliseconds from each change to the write that stored it. */
  readonly lagsMs: readonly number[];
}

/**
 * Sends `rate` messages a second for a while, each with a change of its own, to feeds that share them evenly.
 *
 * @throws Error when a change is not stored afterwards, or twice
 */
export async function measureStorm(watched: number, rate: number, seconds: number): Promise<Storm> {
  const nowSec = epochSecNow(systemClock);
  const changedAtMs = new Map<string, number>();
  const lagsMs: number[] = [];
  let batches = 0;
  const memory = new MemoryTable();
  const table = memoryFeeds(memory);
  const store = table.save;
  table.save = async (feed, write) => {
    const saved = await store(feed, write);
    for (const { changes } of saved ? (write.batches ?? []) : []) {
      batches += 1;
      for (const { id } of changes) {
        const at = changedAtMs.get(id);
        if (at === undefined) throw new Error(`${id} was stored twice, or never changed`);
        changedAtMs.delete(id);
        lagsMs.push(performance.now() - at);
      }
    }
    return saved;
  };
  const connections = await Promise.all(
    Array.from({ length: watched }, (_, number) => freshConnection(number, nowSec)),
  );
  const feeds: Feed[] = [];
  for (const [number, connection] of connections.entries()) {
    const feed = await watchingFeed(number, connection, nowSec, laterSec(number, nowSec));
    memory.put(feedToItem(feed));
    const channel = channelOf(feed);
    memory.put(channelToItem(channel));
    feeds.push(feed);
  }
  const google = new PlayedGoogle(GOOGLE_MS);
  const counts: Counts = new Map();
  const stores = memoryStores(table, connections, TABLE_MS);
  const work = feedWork(stores, google, counts);
  const workers = new Set<Promise<unknown>>();
  let mostWorkers = 0;
  const begin = (run: () => Promise<unknown>) => {
    const worker = run().finally(() => workers.delete(worker));
    workers.add(worker);
    mostWorkers = Math.max(mostWorkers, workers.size);
  };
  const wake = async (ref: FeedRef) =>
    begin(async () => {
      await pause(WAKE_MS);
      // Each invocation is a holder of leases of its own.
      const one = feedWork(stores, google, counts);
      return workOnFeed(one, ref, { requestId: 'bench', deadlineMs: Date.now() + FEED_WAKE_BUDGET_MS });
    });
  let refusedMessages = 0;
  const tell = async (feed: Feed) => {
    const { status } = await takeMessage({ ...work, inbox: stores.inbox, wake }, messageTo(feed));
    if (status !== 204) refusedMessages += 1;
  };
  const sweep = () =>
    begin(() => sweepFeeds(feedWork(stores, google, counts), ALL_FEEDS, Date.now() + SWEEP_MS, 'bench'));
  const ticks = setInterval(sweep, TICK_MS);
  const startedMs = performance.now();
  let sent = 0;
  for (;;) {
    const elapsedMs = performance.now() - startedMs;
    const due = Math.min(rate * seconds, Math.floor((elapsedMs / 1000) * rate));
    for (; sent < due; sent++) {
      const number = sent % watched;
      const feed = feeds[number];
      if (feed === undefined) throw new Error('There is nothing to watch');
      const id = `file-${sent}`;
      changedAtMs.set(id, performance.now());
      google.change(accessTokenOf(number), id);
      void tell(feed);
    }
    if (elapsedMs >= seconds * 1000) break;
    await pause(BEAT_MS);
  }
  const patientUntilMs = performance.now() + PATIENCE_MS;
  while (changedAtMs.size > 0) {
    if (performance.now() > patientUntilMs) throw new Error(`${changedAtMs.size} changes were never stored`);
    await pause(100);
  }
  clearInterval(ticks);
  await Promise.all(workers);
  return {
    watched,
    seconds,
    messages: sent,
    refusedMessages,
    woken: counts.get('FeedMessage woke') ?? 0,
    pulls: google.pulls,
    batches,
    mostWorkers,
    mostPullsAtOnce: google.mostAtOnce,
    lagsMs,
  };
}
