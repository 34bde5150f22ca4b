/** The real work on feeds, over given stores and a Google that is played. */
import { randomUUID } from 'node:crypto';
import { feedStore } from '../../../lambdas/features/feeds/feed.store.ts';
import { feedCaller } from '../../../lambdas/features/feeds/feed-caller.ts';
import type { SweepFeedsDependencies } from '../../../lambdas/features/feeds/feeds/sweep-feeds.ts';
import { inboxStore } from '../../../lambdas/features/feeds/inbox.store.ts';
import type { FeedIndex, FeedQuota, FeedStore, InboxStore } from '../../../lambdas/features/feeds/ports.ts';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { type ConnectionRef, connectionRefKey } from '../../../lambdas/gateway/core/identifiers.ts';
import { systemClock, systemRandom } from '../../../lambdas/gateway/platform/clock.ts';
import type { MemoryTable } from '../../support/memory-table.ts';
import { cipher, INTEGRATION } from '../sweep/fixtures.ts';
import type { PlayedGoogle } from './played-google.ts';

/** Everything of the work that is a table. */
export interface FeedStores {
  readonly feeds: FeedStore & FeedIndex;
  readonly inbox: InboxStore;
  readonly connections: SweepFeedsDependencies['connections'];
  readonly integrations: SweepFeedsDependencies['integrations'];
  readonly quota: FeedQuota;
}

/** Counts of metrics by name and first dimension. */
export type Counts = Map<string, number>;

/** Dependencies of the sweep, of a woken pull and of the inbox alike. */
export function feedWork(stores: FeedStores, google: PlayedGoogle, counts: Counts): SweepFeedsDependencies {
  return {
    feeds: stores.feeds,
    index: stores.feeds,
    connections: stores.connections,
    integrations: stores.integrations,
    quota: stores.quota,
    caller: feedCaller({
      upstream: google,
      endpointsOf: () => ({ apiOrigin: 'https://google.invalid' }),
      refresher: { refresh: () => Promise.reject(new Error('Every token here is good for a day')) },
      cipher,
      clock: systemClock,
      counted: { made: () => undefined },
      inboxAddress: 'https://gateway.invalid/inbox/google/channel',
    }),
    cipher,
    clock: systemClock,
    random: systemRandom,
    metrics: {
      count(name, dimensions = {}, value = 1) {
        const key = [name, ...Object.values(dimensions)].join(' ');
        counts.set(key, (counts.get(key) ?? 0) + value);
      },
    },
    logger: { info: () => {}, warn: () => {}, error: (message, _fields, error) => tell(message, error) },
    owner: randomUUID(),
    isDayFilling: async () => false,
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
}

function tell(message: string, error: unknown): void {
  process.stderr.write(`${message}: ${error instanceof Error ? error.message : error}\n`);
}

/** The stores of feeds over a table in memory. */
export function memoryFeeds({ table }: MemoryTable): FeedStore & FeedIndex & InboxStore {
  return { ...feedStore(table), ...inboxStore(table) };
}

/** A table in memory, as fast as DynamoDB is from a function in its region. */
export function memoryStores(
  table: FeedStore & FeedIndex & InboxStore,
  connections: readonly Connection[],
  operationMs: number,
): FeedStores {
  const byKey = new Map(connections.map((row) => [connectionRefKey(row), row]));
  const slow = slowed(table, operationMs);
  return {
    feeds: slow,
    inbox: slow,
    connections: slowed({ read: async (ref: ConnectionRef) => byKey.get(connectionRefKey(ref)) }, operationMs),
    integrations: slowed({ get: async () => INTEGRATION }, operationMs),
    quota: slowed(memoryQuota(20), operationMs),
  };
}

/** What Google lets a project list in a minute of either API. */
const LISTS_A_MINUTE = 10_000;

/** The count of turns as the store keeps it. @param sharePercent of a project's calls a minute */
function memoryQuota(sharePercent: number): FeedQuota {
  const most = (LISTS_A_MINUTE * sharePercent) / 100;
  const turns = new Map<string, number>();
  const blocked = new Map<string, number>();
  return {
    async admit({ cloudProject: project }, nowSec) {
      const minute = Math.floor(nowSec / 60);
      const taken = turns.get(`${project} ${minute}`) ?? 0;
      const until = blocked.get(project) ?? 0;
      if (until > nowSec) return { reason: 'rate_limited', untilEpochSec: until };
      if (taken >= most) return { reason: 'quota_share_used', untilEpochSec: (minute + 1) * 60 };
      turns.set(`${project} ${minute}`, taken + 1);
      return undefined;
    },
    async block({ cloudProject: project }, _whom, until) {
      blocked.set(project, Math.max(until, blocked.get(project) ?? 0));
    },
  };
}

/** The same with each method's effect and answer after a while. */
function slowed<T extends object>(port: T, ms: number): T {
  return new Proxy(port, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== 'function') return method;
      return async (...args: unknown[]) => {
        await new Promise((resolve) => setTimeout(resolve, ms));
        return method.apply(target, args);
      };
    },
  });
}
