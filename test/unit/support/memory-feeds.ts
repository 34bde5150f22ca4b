import type { ConnectionRef } from '../../../lambdas/gateway/core/identifiers.ts';
import { connectionRefKey } from '../../../lambdas/gateway/core/identifiers.ts';
import { FEED_BATCHES_KEPT, FEEDS_PER_CONNECTION_MAX } from '../../../lambdas/gateway/core/limits.ts';
import type { LifecycleEvent } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import {
  type ChannelRecord,
  type Feed,
  type FeedRef,
  feedDueAt,
  feedShardOf,
  type NewBatch,
} from '../../../lambdas/gateway/feeds/feed.rules.ts';
import { feedResourceText } from '../../../lambdas/gateway/feeds/feed-resource.rules.ts';
import type {
  FeedCursorName,
  FeedDirectory,
  FeedIndex,
  FeedStore,
  InboxStore,
} from '../../../lambdas/gateway/feeds/ports.ts';

interface Mark {
  readonly messages: number;
  readonly at: number;
  readonly dueAt: number | undefined;
  readonly leftBehind?: boolean;
}

/** The table of feeds in memory: the same conditions, the same all-or-nothing writes. */
export class MemoryFeeds implements FeedStore, FeedIndex, FeedDirectory, InboxStore {
  readonly feeds = new Map<string, Feed>();
  readonly places = new Map<string, string>();
  readonly marks = new Map<string, Mark>();
  readonly channels = new Map<string, ChannelRecord>();
  readonly stored = new Map<string, NewBatch[]>();
  readonly events: LifecycleEvent[] = [];
  readonly #cursors = new Map<string, FeedCursorName[]>();

  async create(feed: Feed) {
    const place = placeOf(feed);
    const taken = this.places.get(place);
    if (taken !== undefined) return { kind: 'existing' as const, feedId: taken };
    if ((await this.ofConnection(feed.connection)).length >= FEEDS_PER_CONNECTION_MAX) return { kind: 'full' as const };
    this.places.set(place, feed.feedId);
    this.feeds.set(keyOf(feed), feed);
    return { kind: 'created' as const };
  }

  async read(ref: FeedRef) {
    return this.feeds.get(keyOf(ref));
  }

  async takeLease(known: Feed, lease: NonNullable<Feed['lease']>, nowMs: number) {
    const row = this.feeds.get(keyOf(known));
    if (row === undefined || row.epoch !== known.epoch) return undefined;
    if (row.lease !== undefined && row.lease.expiresAtMs > nowMs) return undefined;
    const taken = { ...row, epoch: row.epoch + 1, lease };
    this.feeds.set(keyOf(known), taken);
    return taken;
  }

  async save(feed: Feed, { batches = [], event, channel, forgotten = [] }: Parameters<FeedStore['save']>[1]) {
    const row = this.feeds.get(keyOf(feed));
    if (row === undefined || row.epoch !== feed.epoch) return false;
    const list = this.stored.get(keyOf(feed)) ?? [];
    if (batches.some(({ sequence }) => list.some((one) => one.sequence === sequence))) return false;
    // Settings are not part of a turn's progress.
    const { delivery, safetyIntervalSec, pollIntervalSec } = row;
    this.feeds.set(keyOf(feed), { ...feed, delivery, safetyIntervalSec, pollIntervalSec });
    this.stored.set(keyOf(feed), [...list, ...batches].slice(-FEED_BATCHES_KEPT));
    if (event !== undefined) this.events.push(event);
    if (channel !== undefined) this.channels.set(channel.channelId, channel);
    for (const id of forgotten) this.channels.delete(id);
    return true;
  }

  async remove(feed: Feed) {
    if (this.feeds.get(keyOf(feed))?.epoch !== feed.epoch) return false;
    this.feeds.delete(keyOf(feed));
    this.places.delete(placeOf(feed));
    this.marks.delete(keyOf(feed));
    for (const { id } of feed.channels) this.channels.delete(id);
    return true;
  }

  async readMark(ref: FeedRef) {
    const mark = this.marks.get(keyOf(ref));
    return {
      messages: mark?.messages ?? 0,
      lastMessageAtEpochSec: mark?.at,
      marked: mark?.dueAt !== undefined,
    };
  }

  async clearMark(ref: FeedRef, messages: number) {
    const mark = this.marks.get(keyOf(ref));
    if (mark?.messages !== messages) return false;
    this.marks.set(keyOf(ref), { ...mark, dueAt: undefined });
    return true;
  }

  async leaveMark(ref: FeedRef) {
    const mark = this.marks.get(keyOf(ref));
    if (mark?.dueAt !== undefined) this.marks.set(keyOf(ref), { ...mark, leftBehind: true });
  }

  async postponeMark(ref: FeedRef, untilEpochSec: number) {
    const mark = this.marks.get(keyOf(ref));
    if (mark?.dueAt !== undefined) this.marks.set(keyOf(ref), { ...mark, dueAt: untilEpochSec });
  }

  async removeMark(ref: FeedRef) {
    this.marks.delete(keyOf(ref));
  }

  async due(shard: number, untilEpochSec: number) {
    const due = [...this.feeds.values()].filter(
      (feed) =>
        feedShardOf(feed.feedId) === shard &&
        (feedDueAt(feed) <= untilEpochSec || (this.marks.get(keyOf(feed))?.dueAt ?? Infinity) <= untilEpochSec),
    );
    const refs = due.map(({ accountId, feedId }) => ({ accountId, feedId }));
    return { refs, oldestEpochSec: undefined, next: undefined };
  }

  async postpone(ref: FeedRef, untilEpochSec: number) {
    const feed = this.feeds.get(keyOf(ref));
    if (feed !== undefined) this.feeds.set(keyOf(ref), { ...feed, notBeforeEpochSec: untilEpochSec });
  }

  async ofConnection(ref: ConnectionRef) {
    const refs = [...this.feeds.values()].filter(
      ({ connection }) => connectionRefKey(connection) === connectionRefKey(ref),
    );
    return refs.map(({ accountId, feedId }) => ({ accountId, feedId }));
  }

  async ofAccount(accountId: string) {
    return [...this.feeds.values()].filter((feed) => feed.accountId === accountId);
  }

  async readMany(refs: readonly FeedRef[]) {
    return refs.flatMap((ref) => this.feeds.get(keyOf(ref)) ?? []);
  }

  async changeSettings(ref: FeedRef, settings: Parameters<FeedDirectory['changeSettings']>[1]) {
    const feed = this.feeds.get(keyOf(ref));
    if (feed === undefined) return false;
    this.feeds.set(keyOf(ref), { ...feed, ...settings });
    return true;
  }

  async batches(ref: FeedRef, after: number, limit: number) {
    return (this.stored.get(keyOf(ref)) ?? []).filter(({ sequence }) => sequence > after).slice(0, limit);
  }

  async cursors(ref: FeedRef) {
    return this.#cursors.get(keyOf(ref)) ?? [];
  }

  async moveCursor(ref: FeedRef, cursor: FeedCursorName) {
    const others = (await this.cursors(ref)).filter(({ name }) => name !== cursor.name);
    this.#cursors.set(keyOf(ref), [...others, cursor]);
  }

  async noteBehind(ref: FeedRef, cursor: FeedCursorName, event: LifecycleEvent) {
    const known = (await this.cursors(ref)).find(({ name }) => name === cursor.name);
    if (known === undefined || known.sequence !== cursor.sequence || known.behindSince !== undefined) return false;
    await this.moveCursor(ref, cursor);
    this.events.push(event);
    return true;
  }

  async removeCursor(ref: FeedRef, wanted: string) {
    const others = (await this.cursors(ref)).filter(({ name }) => name !== wanted);
    this.#cursors.set(keyOf(ref), others);
  }

  async channel(channelId: string) {
    return this.channels.get(channelId);
  }

  async mark(ref: FeedRef, nowEpochSec: number) {
    const before = this.marks.get(keyOf(ref));
    this.marks.set(keyOf(ref), {
      messages: (before?.messages ?? 0) + 1,
      at: nowEpochSec,
      dueAt: before?.dueAt ?? nowEpochSec,
    });
    return before?.dueAt === undefined || before.leftBehind === true;
  }
}

function keyOf({ accountId, feedId }: FeedRef): string {
  return `${accountId} ${feedId}`;
}

function placeOf({ connection, resource }: Feed): string {
  return `${connectionRefKey(connection)} ${feedResourceText(resource)}`;
}
