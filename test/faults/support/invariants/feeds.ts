import assert from 'node:assert/strict';
import * as z from 'zod';
import { control } from '../../../support/simulator.ts';
import { type FaultWorld, until } from '../fault-world.ts';
import type { ProviderRequest } from '../ledger.ts';
import type { FaultRow } from '../row.ts';
import type { WatchedFeed } from '../watched-feed.ts';

/** Sweeps after which a feed whose waits are over has caught up (I12). */
const SWEEPS = 3;
const DELIVERY_MS = 15_000;
const WEEK_MS = 7 * 24 * 3600 * 1000;

/** Where a row begins in the provider's record, and what it permits. */
export interface FeedFrame extends Pick<FaultRow, 'orphanChannels'> {
  readonly requestsFrom: number;
  readonly channelsFrom: number;
}

const openChannels = z.object({ channels: z.array(z.object({ id: z.string(), expiration: z.string() })) });

/**
 * What holds once every wait is over, without one more message. A consumer that follows docs/changes.md has what the provider
 * has (I13). Batches have no gap and no duplicate, in the table, through the route and on the bus (I14). No feed was pulled twice
 * at the same time, and every change since its first cursor is in a batch (I15). Channels are those on record (I17).
 *
 * @throws AssertionError naming the invariant
 */
export async function checkFeeds(world: FaultWorld, feeds: readonly WatchedFeed[], frame: FeedFrame): Promise<void> {
  const living = feeds.filter(({ isDeleted }) => !isDeleted);
  for (const feed of feeds) checkPulls(world, feed, frame.requestsFrom);
  await settle(world, living);
  for (const feed of living) {
    await checkNumbers(world, feed);
    if ((await feed.subject.row()).status !== 'active') continue;
    await checkCopy(feed);
    await checkHistory(world, feed, frame.requestsFrom);
  }
  await checkChannels(world, feeds, frame);
}

/** I12: two sweeps after the last wait is over nothing of a feed is left to do. */
async function settle(world: FaultWorld, feeds: readonly WatchedFeed[]): Promise<void> {
  let busy: readonly WatchedFeed[] = feeds;
  for (let sweep = 0; sweep < SWEEPS && busy.length > 0; sweep++) {
    for (const feed of busy) await feed.letTimePass();
    await world.gateway.gateway.tick('feeds');
    const isBusy = await Promise.all(busy.map(isUnsettled));
    busy = busy.filter((_, i) => isBusy[i]);
  }
  const left = await Promise.all(busy.map(async (feed) => `${feed.id}: ${JSON.stringify(await feed.row())}`));
  assert.deepEqual(left, [], `I12: feeds are not at rest after ${SWEEPS} sweeps`);
}

async function isUnsettled(feed: WatchedFeed): Promise<boolean> {
  const { feedState, leaseOwner, pk } = await feed.row();
  if (pk === undefined) return false;
  if ((await feed.subject.row()).status !== 'active') return !['paused', 'starting'].includes(String(feedState));
  return !['watching', 'polling'].includes(String(feedState)) || leaseOwner !== undefined || (await feed.isMarked());
}

async function checkCopy(feed: WatchedFeed): Promise<void> {
  await feed.read();
  const sorted = (names: ReadonlyMap<string, string>) => [...names].map(([id, name]) => `${id} ${name}`).toSorted();
  assert.deepEqual(sorted(feed.copy), sorted(await feed.owner.list(feed.resource)), `I13: the copy of ${feed.id}`);
}

async function checkNumbers(world: FaultWorld, feed: WatchedFeed): Promise<void> {
  const stored = await feed.storedBatches();
  const numbers = stored.map(({ sequence }) => sequence);
  assert.deepEqual(
    numbers,
    numbers.map((_, i) => i + 1),
    `I14: batches of ${feed.id}`,
  );
  assert.equal((await feed.row()).sequence, numbers.length, `I14: row and batches of ${feed.id}`);
  const shown = (await feed.batches()).map(({ sequence }) => sequence);
  assert.deepEqual(shown, numbers, `I14: the route of ${feed.id}`);
  const ids = stored.map(({ eventId }) => eventId).toSorted();
  const onBus = () => [...new Set(batchesOnBus(world, feed).map(([, id]) => id))].toSorted();
  await until(`I14: the batches of ${feed.id} are on the bus`, () => onBus().length >= ids.length, DELIVERY_MS);
  assert.deepEqual(onBus(), ids, `I14: table and bus of ${feed.id}`);
  const byNumber = Map.groupBy(batchesOnBus(world, feed), ([sequence]) => sequence);
  for (const [sequence, events] of byNumber) {
    const different = new Set(events.map(([, id]) => id)).size;
    assert.equal(different, 1, `I14: ${different} batches ${sequence} of ${feed.id}`);
  }
}

function batchesOnBus(world: FaultWorld, feed: WatchedFeed): [sequence: number, eventId: string][] {
  return world.gateway.gateway.events.flatMap(({ detail, 'detail-type': type }): [number, string][] => {
    if (type !== 'FeedChanged' || typeof detail !== 'object' || detail === null || Array.isArray(detail)) return [];
    return detail.feed_id === feed.id ? [[Number(detail.sequence), String(detail.event_id)]] : [];
  });
}

/** Pulls of a feed in the provider's record, oldest first. @param requestsFrom where to begin */
export function pullsOf(world: FaultWorld, feed: WatchedFeed, requestsFrom = 0): ProviderRequest[] {
  const { ledger } = world;
  return ledger.requests
    .slice(requestsFrom)
    .filter(
      ({ facts, method, target }) =>
        method === 'GET' && isPull(feed, facts.path, target) && ledger.ownerOf(facts.tokenSha256) === feed.subject.key,
    );
}

function isPull({ resource }: WatchedFeed, path: string, target: string): boolean {
  if (resource !== 'calendar:primary') return path === '/drive/v3/changes';
  return path === '/calendar/v3/calendars/primary/events' && /[?&]syncToken=/.test(target);
}

function checkPulls(world: FaultWorld, feed: WatchedFeed, requestsFrom: number): void {
  let endedMs = 0;
  for (const pull of pullsOf(world, feed, requestsFrom)) {
    assert.ok(pull.startedMs >= endedMs, `I15: two pulls of ${feed.id} at the same time`);
    endedMs = Math.max(endedMs, pull.endedMs ?? 0);
  }
}

/** Compares the batches with the changes that Drive reports since the feed began. After a gap there is no such promise. */
async function checkHistory(world: FaultWorld, feed: WatchedFeed, requestsFrom: number): Promise<void> {
  const batches = await feed.batches();
  const [first] = pullsOf(world, feed, requestsFrom);
  const place = new URLSearchParams(first?.target.split('?')[1]).get('pageToken');
  if (feed.resource !== 'drive' || place === null || batches.some(({ kind }) => kind === 'gap')) return;
  const told = new Set(batches.flatMap((batch) => batch.changes.map(({ id }) => id)));
  const missing = [...(await feed.owner.changedSince(place))].filter((id) => !told.has(id));
  assert.deepEqual(missing, [], `I15: the place of ${feed.id} moved past changes`);
}

async function checkChannels(
  world: FaultWorld,
  feeds: readonly WatchedFeed[],
  { channelsFrom, orphanChannels = 0 }: FeedFrame,
): Promise<void> {
  const opened = new Set(world.ledger.channels.slice(channelsFrom).map(({ id }) => id));
  const { channels } = openChannels.parse(await control(world.gateway, 'GET', '/channels'));
  const onRecord = new Set((await Promise.all(feeds.map((feed) => feed.channels()))).flat());
  const orphans = channels.filter(({ id }) => opened.has(id) && !onRecord.has(id));
  assert.ok(orphans.length <= orphanChannels, `I17: ${orphans.length} open channels belong to no feed`);
  for (const { id, expiration } of orphans) {
    assert.ok(Date.parse(expiration) - Date.now() <= WEEK_MS, 'I17: a channel of no feed does not end');
    const token = world.ledger.channels.find((channel) => channel.id === id)?.token ?? '';
    const { status } = await sendMessage(world, id, token);
    assert.equal(status, 404, 'I17: a message of no feed’s channel was taken');
  }
}

/** A message as the provider sends it. */
export function sendMessage(world: FaultWorld, channelId: string, token: string): Promise<Response> {
  return fetch(`${world.gateway.gateway.gatewayUrl}/inbox/google/channel`, {
    method: 'POST',
    headers: {
      'x-goog-channel-id': channelId,
      'x-goog-channel-token': token,
      'x-goog-resource-state': 'change',
    },
  });
}
