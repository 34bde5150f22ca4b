/** Sweeps of feeds that are due: what they read and write, how many they do in a minute, and when they stop. */

import { channelToItem, feedStore, feedToItem } from '../../../lambdas/features/feeds/feed.store.ts';
import { feedQuota } from '../../../lambdas/features/feeds/feed-quota.store.ts';
import { FEED_SHARDS, type FeedSweepReport, sweepFeeds } from '../../../lambdas/features/feeds/feeds/sweep-feeds.ts';
import { inboxStore } from '../../../lambdas/features/feeds/inbox.store.ts';
import { takeMessage } from '../../../lambdas/features/feeds/take-message.ts';
import { workOnFeed } from '../../../lambdas/features/feeds/work-on-feed.ts';
import { connectionStore } from '../../../lambdas/gateway/connections/connection.store.ts';
import { connectionToItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import { epochSecNow } from '../../../lambdas/gateway/core/clock.ts';
import { integrationStore } from '../../../lambdas/gateway/integrations/integration.store.ts';
import { integrationToItem } from '../../../lambdas/gateway/integrations/integration-item.store.ts';
import { systemClock } from '../../../lambdas/gateway/platform/clock.ts';
import type { Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { PROVIDERS } from '../../../lambdas/gateway/providers/catalogue.ts';
import { MemoryTable } from '../../support/memory-table.ts';
import { openEmulatedTable } from '../sweep/emulated-table.ts';
import { meterOf, type TableUse } from '../sweep/meter.ts';
import {
  accessTokenOf,
  channelOf,
  FEEDS_PER_CONNECTION,
  freshConnection,
  INTEGRATION,
  laterSec,
  messageTo,
  watchingFeed,
} from './feed-rows.ts';
import { type Counts, type FeedStores, feedWork, memoryFeeds, memoryStores } from './feed-work.ts';
import { type Mood, PlayedGoogle } from './played-google.ts';

/** A run that nobody else stands in the way of, over every feed. */
export const ALL_FEEDS = { shards: FEED_SHARDS, count: 1, isHeld: () => true };

/** As Google answers from a function, and as fast as DynamoDB is from there. */
export const GOOGLE_MS = 200;
export const TABLE_MS = 4;
/** Longer than any run: the deadline must not cut what is measured. */
const DEADLINE_MS = 3_600_000;
/** The share of a Cloud project's quota that is left to feeds must not cut it either. */
const SHARE_PERCENT = 100;

/** As docs/costs.md assumes. */
const MESSAGES_PER_PULL = 3;

function emulatedStores(table: Table): FeedStores {
  return {
    feeds: feedStore(table),
    inbox: inboxStore(table),
    connections: connectionStore(table),
    integrations: integrationStore(table),
    quota: feedQuota(table, PROVIDERS, SHARE_PERCENT),
  };
}

/** What a sweep of an emulated table came to. */
export interface ReadsRun {
  readonly feeds: number;
  readonly due: number;
  readonly seconds: number;
  readonly megabytes: number;
  readonly use: TableUse;
}

/**
 * Sweeps a table of `feeds` feeds of which `due` are due, none of them with anything new.
 *
 * @throws Error when anything due was not pulled, because the figures would then be of something else
 */
export async function measureReads(feeds: number, due: number, progress: (text: string) => void): Promise<ReadsRun> {
  const nowSec = epochSecNow(systemClock);
  const connections = Math.ceil(feeds / FEEDS_PER_CONNECTION);
  const itemOf = async (number: number): Promise<Record<string, unknown>> => {
    if (number === feeds + connections) return integrationToItem(INTEGRATION);
    if (number >= feeds) return connectionToItem(await freshConnection(number - feeds, nowSec));
    const connection = await freshConnection(number % connections, nowSec);
    return feedToItem(
      await watchingFeed(number, connection, nowSec, number < due ? nowSec - 60 : laterSec(number, nowSec)),
    );
  };
  await using filled = await openEmulatedTable(feeds + connections + 1, itemOf, progress);
  const { table } = filled;
  progress('sweep');
  const use = meterOf(table);
  const stores = emulatedStores(table);
  const google = new PlayedGoogle(GOOGLE_MS);
  const startedMs = performance.now();
  const report = await sweepFeeds(feedWork(stores, google, new Map()), ALL_FEEDS, Date.now() + DEADLINE_MS, 'bench');
  const seconds = (performance.now() - startedMs) / 1000;
  if (report.turns.done !== due) throw new Error(`${due} were due, the sweep says ${JSON.stringify(report)}`);
  return { feeds, due, seconds, megabytes: filled.megabytes, use: use() };
}

/** What messages and the pulls that they lead to cost, each for itself. */
export interface MessagesRun {
  readonly messages: number;
  readonly pulls: number;
  readonly ofMessages: TableUse;
  /** Of messages and pulls together. */
  readonly ofAll: TableUse;
}

/** Sends each of some feeds three messages about one change, then pulls it, over an emulated table. */
export async function measureMessages(feeds: number, progress: (text: string) => void): Promise<MessagesRun> {
  const nowSec = epochSecNow(systemClock);
  const connections = await Promise.all(Array.from({ length: feeds }, (_, number) => freshConnection(number, nowSec)));
  const watched = await Promise.all(
    // A batch was stored before, so that consumers' cursors are looked at.
    connections.map(async (one, number) => ({
      ...(await watchingFeed(number, one, nowSec, laterSec(number, nowSec))),
      sequence: 1,
    })),
  );
  const items = [
    integrationToItem(INTEGRATION),
    ...connections.map(connectionToItem),
    ...watched.map(feedToItem),
    ...watched.map((feed) => channelToItem(channelOf(feed))),
  ];
  await using filled = await openEmulatedTable(items.length, async (number) => items[number] ?? {}, progress);
  const { table } = filled;
  progress('messages and pulls');
  const use = meterOf(table);
  const stores = emulatedStores(table);
  const google = new PlayedGoogle(GOOGLE_MS);
  const work = feedWork(stores, google, new Map());
  for (const feed of watched) {
    for (let message = 0; message < MESSAGES_PER_PULL; message++) {
      await takeMessage({ ...work, inbox: stores.inbox, wake: async () => {} }, messageTo(feed));
    }
  }
  const ofMessages = use();
  for (const [number, feed] of watched.entries()) {
    google.change(accessTokenOf(number), 'file');
    const turn = await workOnFeed(work, feed, { requestId: 'bench', deadlineMs: Date.now() + DEADLINE_MS });
    if (turn.kind !== 'done' || turn.changes !== 1) throw new Error(`A pull ended as ${turn.kind}`);
  }
  return { messages: feeds * MESSAGES_PER_PULL, pulls: google.pulls, ofMessages, ofAll: use() };
}

/** What a sweep over the table in memory came to. */
export interface MemorySweep {
  readonly report: FeedSweepReport;
  readonly seconds: number;
  readonly cpuMs: number;
  readonly pulls: number;
  readonly pullsOfOthers: number;
  readonly counts: Counts;
}

/**
 * Sweeps `due` feeds, all of them due, over a table in memory.
 *
 * @param projects Cloud projects that the feeds belong to in turns
 * @param mood how Google answers feeds of the first project
 */
export async function sweepInMemory(due: number, projects: number, mood: Mood): Promise<MemorySweep> {
  const nowSec = epochSecNow(systemClock);
  const memory = new MemoryTable();
  const connections = await Promise.all(
    Array.from({ length: Math.ceil(due / FEEDS_PER_CONNECTION) }, (_, number) =>
      freshConnection(number, nowSec, number % projects),
    ),
  );
  for (let number = 0; number < due; number++) {
    const connection = connections[number % connections.length];
    if (connection === undefined) throw new Error('A feed without a connection');
    const feed = await watchingFeed(number, connection, nowSec, nowSec - 60);
    memory.put(feedToItem(feed));
  }
  const troubled = new Set(
    connections.flatMap((_, number) => (number % projects === 0 ? [accessTokenOf(number)] : [])),
  );
  let ofOthers = 0;
  const google = new PlayedGoogle(GOOGLE_MS, (token) => {
    if (troubled.has(token)) return mood;
    ofOthers += 1;
    return 'well';
  });
  const counts: Counts = new Map();
  const work = feedWork(memoryStores(memoryFeeds(memory), connections, TABLE_MS), google, counts);
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  const report = await sweepFeeds(work, ALL_FEEDS, Date.now() + DEADLINE_MS, 'bench');
  const seconds = (performance.now() - startedMs) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  const cpuMs = (cpu.user + cpu.system) / 1000;
  return { report, seconds, cpuMs, pulls: google.pulls, pullsOfOthers: ofOthers, counts };
}
