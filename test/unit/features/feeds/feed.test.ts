import { describe, expect, test, vi } from 'vitest';
import { MemoryTable } from '../../../../dev/support/memory-table.ts';
import { openableFeeds } from '../../../../lambdas/features/feeds/asking-caller.ts';
import {
  changeOnTheWire,
  explainFeed,
  feedDueAt,
  feedShardOf,
  intoBatches,
  lastDroppedBatch,
  ownChannel,
  pullWaitMs,
  renewalAt,
  shownState,
} from '../../../../lambdas/features/feeds/feed.rules.ts';
import { feedStore, feedToItem } from '../../../../lambdas/features/feeds/feed.store.ts';
import { feedItemKey, feedOfItemKey } from '../../../../lambdas/features/feeds/feed-keys.store.ts';
import { feedPlaces } from '../../../../lambdas/features/feeds/feed-places.store.ts';
import { feedQuota } from '../../../../lambdas/features/feeds/feed-quota.store.ts';
import { parseFeedResource, readPage } from '../../../../lambdas/features/feeds/feed-resource.rules.ts';
import { FEED_SHARDS, sweepFeeds } from '../../../../lambdas/features/feeds/feeds/sweep-feeds.ts';
import { followConnection } from '../../../../lambdas/features/feeds/follow-connection.ts';
import { FEED_CALL_TIMEOUT_MS } from '../../../../lambdas/features/feeds/limits.rules.ts';
import type { CalledFeed, FeedAnswer, FeedCaller } from '../../../../lambdas/features/feeds/ports.ts';
import { workOnFeed } from '../../../../lambdas/features/feeds/work-on-feed.ts';
import { ulid } from '../../../../lambdas/gateway/core/identifiers.ts';
import {
  SWEEP_BRAKE_AFTER_FAILURES,
  SWEEP_CONCURRENCY,
  SWEEP_RESERVE_MS,
} from '../../../../lambdas/gateway/core/limits.ts';
import { openTable, UnreadableItemError } from '../../../../lambdas/gateway/platform/dynamodb/client.ts';
import { PROVIDERS } from '../../../../lambdas/gateway/providers/catalogue.ts';
import { connectionRow } from '../../management/support/rows.ts';
import { countingRandom } from '../../management/support/time-and-chance.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { Mirror, World } from './support/world.ts';

const DAY_SEC = 24 * 3600;
const refused = (
  refusal: 'push_not_supported' | 'address_not_authorized' | 'refused' | 'rate' | 'user_rate' | 'expired',
  status: number,
) => ({ kind: 'refusal', refusal, status, retryAfterSec: undefined }) as const;

async function started(world = new World()): Promise<World> {
  await world.work();
  expect(world.feed.state).toBe('watching');
  return world;
}

async function sweepEveryMinute(world: World, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    world.pass(60);
    const deps = { ...world.dependencies(), index: world.table };
    await sweepFeeds(deps, { shards: FEED_SHARDS, count: 1, isHeld: () => true }, world.nowMs + 50_000, 'r');
  }
}

function liveChannelsOf(world: World): number {
  return [...world.channels.values()].filter(({ endsAtMs }) => endsAtMs > world.nowMs).length;
}

describe('channels', () => {
  test('CF-20: a channel is replaced at 80 % of the life that was granted, by a new id and token, before it is stopped', async () => {
    const world = new World();
    world.channelLifeSec = 3600;
    await started(world);
    const [old] = [...world.channels.values()];
    world.pass(0.8 * 3600 - 60);
    await world.sweep();
    expect([...world.channels.keys()]).toEqual([old?.id]);
    world.pass(120);
    world.calls.length = 0;
    await world.sweep();
    const made = world.calls.map(({ path }) => path.replace(/^.*\//, '').replace(/\?.*$/, ''));
    expect(made).toEqual(['watch', 'stop', 'events']);
    const [fresh, ...more] = [...world.channels.values()];
    expect(more).toEqual([]);
    expect([fresh?.id === old?.id, fresh?.token === old?.token]).toEqual([false, false]);
    // Late messages of the old one are hints as good as any.
    expect(await world.message(old?.id ?? '', old?.token ?? '')).toBe(204);
    expect(renewalAt(0, 1000, 0)).toBe(750);
    expect(renewalAt(0, 1000, 0.999)).toBe(849);
  });

  test('CF-20: a refused renewal leaves the open channel as it is, and is tried again', async () => {
    const world = await started();
    const before = world.feed.channels;
    world.pass(6 * DAY_SEC);
    world.script.push({ kind: 'unavailable', reason: 'timeout', retryAfterSec: undefined });
    await world.sweep();
    expect(world.feed.channels).toEqual(before);
    expect(world.feed.state).toBe('watching');
    world.pass(600);
    await world.sweep();
    expect(world.feed.channels[0]?.id).not.toBe(before[0]?.id);
  });

  test('CF-26: three safety pulls in a row that find what nobody announced open a new channel; one does not', async () => {
    const world = await started();
    const [old] = world.feed.channels;
    for (let pull = 1; pull <= 3; pull++) {
      expect(world.metrics).not.toContain('FeedChannelLost');
      world.change(`silent-${pull}`);
      world.messages.length = 0;
      world.pass(7 * 3600);
      await world.sweep();
    }
    expect(world.metrics).toContain('FeedChannelLost');
    await world.sweep();
    expect(world.feed.channels[0]?.id).not.toBe(old?.id);
    expect(world.feed.sequence).toBe(3);
  });

  test('PC-25: polls come once an hour at most while 80 % of the day are used, and as before on the next day', async () => {
    const world = new World();
    world.script.push(undefined, refused('push_not_supported', 400));
    await world.work();
    const waitSec = () => world.feed.pullAtEpochSec - Math.floor(world.nowMs / 1000);
    const poll = async (isDayFilling: boolean) => {
      world.isDayFilling = isDayFilling;
      world.pass(2 * 3600);
      await world.sweep();
      return waitSec();
    };
    const usual = await poll(false);
    expect(usual).toBeLessThanOrEqual(330);
    expect(await poll(true)).toBeGreaterThanOrEqual(3600 * 0.9);
    expect(await poll(false)).toBeLessThanOrEqual(330);
  });

  test('a resource without push is polled with the reason, and its channel is not asked for again for a week', async () => {
    const world = new World();
    world.script.push(undefined, refused('push_not_supported', 400));
    await world.work();
    expect([world.feed.state, world.feed.reason]).toEqual(['polling', 'push_not_supported']);
    world.change('holiday');
    world.pass(400);
    await world.sweep();
    expect(world.batches.flatMap(({ changes }) => changes.map(({ id }) => id))).toEqual(['holiday']);
    expect(world.feed.reason).toBe('push_not_supported');
    world.calls.length = 0;
    world.pass(6 * DAY_SEC);
    await world.sweep();
    expect(world.calls.filter(({ path }) => path.endsWith('/watch'))).toEqual([]);
    world.pass(DAY_SEC);
    await world.sweep();
    expect(world.feed.state).toBe('watching');
  });
});

describe('a gateway that was deployed without feeds for two months', () => {
  test('CF-27: continues a feed with a gap and a new channel, and reports no standstill', async () => {
    const world = await started();
    world.change('one');
    world.forgetHistory();
    world.pass(60 * DAY_SEC);
    await sweepEveryMinute(world, 2);
    expect(world.batches).toMatchObject([{ sequence: 1, kind: 'gap', reason: 'cursor_expired' }]);
    expect(world.feed.state).toBe('watching');
    expect(liveChannelsOf(world)).toBe(1);
    world.change('two');
    await world.deliver(world.messages.length - 1, { wake: true });
    expect(world.batches.at(-1)).toMatchObject({ kind: 'changes', changes: [{ id: 'two' }] });
    expect(world.events.map(({ eventType }) => eventType)).not.toContain('FeedFailing');
    expect(world.metrics).not.toContain('FeedOverdue');
  });

  test.each(['deleted', undefined] as const)(
    'CF-29: ends a feed whose connection is %s, without a call, and nothing of it stays due',
    async (status) => {
      const world = await started();
      world.pass(60 * DAY_SEC);
      world.calls.length = 0;
      const { connections, ...others } = world.dependencies();
      const read: typeof connections.read = async (ref) => {
        const row = await connections.read(ref);
        return status === undefined || row === undefined ? undefined : { ...row, status };
      };
      const deps = { ...others, connections: { ...connections, read }, index: world.table };
      const run = { shards: FEED_SHARDS, count: 1, isHeld: () => true };
      expect(await sweepFeeds(deps, run, world.nowMs + 50_000, 'r')).toMatchObject({ turns: { gone: 1 }, failed: 0 });
      expect(world.calls).toEqual([]);
      expect(world.events).toMatchObject([{ eventType: 'FeedDeleted', says: { reason: 'connection_deleted' } }]);
      expect(await world.table.read(world.ref)).toBeUndefined();
      world.pass(60);
      expect(await sweepFeeds(deps, run, world.nowMs + 50_000, 'r')).toMatchObject({ turns: {}, failed: 0 });
    },
  );
});

describe('messages', () => {
  test('CF-22: a message counts with its channel’s token alone, and leaves no mark without it', async () => {
    const world = await started();
    const [channel] = [...world.channels.values()];
    if (channel === undefined) throw new Error('No channel was opened');
    expect(await world.message(channel.id, 'made up')).toBe(404);
    expect(await world.message('made up', channel.token)).toBe(404);
    expect(await world.message(channel.id, '')).toBe(404);
    expect((await world.table.readMark(world.ref)).messages).toBe(0);
    expect(await world.message(channel.id, channel.token)).toBe(204);
    expect((await world.table.readMark(world.ref)).messages).toBe(1);
    world.pass(8 * DAY_SEC);
    expect(await world.message(channel.id, channel.token)).toBe(404);
  });

  test('SH-3: a wake-up that is lost costs one tick, never the pull', async () => {
    const world = await started();
    world.change('a');
    expect(await world.deliver(0, { wake: false })).toBe(204);
    expect(world.batches).toEqual([]);
    await world.sweep();
    expect(world.batches).toHaveLength(1);
    expect((await world.table.readMark(world.ref)).marked).toBe(false);
  });

  test('CF-23: a thousand messages in a second lead to three pulls at most, and a mark made during a pull to exactly one more', async () => {
    const world = await started();
    for (let number = 0; number < 1_000; number++) world.change(`thing-${number % 30}`);
    const [first, ...rest] = world.messages.splice(0);
    if (first === undefined) throw new Error('No message was sent');
    world.calls.length = 0;
    // The rest comes while the pull that the first one woke is under way.
    world.during = async () => {
      world.during = undefined;
      for (const { channel } of rest) await world.message(channel.id, channel.token);
    };
    world.messages.push(first);
    await world.deliver(0, { wake: true });
    const pulls = world.calls.filter(({ path }) => path.includes('syncToken') && !path.includes('pageToken'));
    expect(pulls).toHaveLength(2);
    expect((await world.table.readMark(world.ref)).marked).toBe(false);
    const ids = world.batches.flatMap(({ changes }) => changes.map(({ id }) => id));
    expect(new Set(ids).size).toBe(30);
  });

  test('a pull that a message asked for and that failed is repeated when its wait is over, hours before the next one is due', async () => {
    const world = await started();
    for (const failure of [
      { kind: 'unavailable', reason: 'timeout', retryAfterSec: undefined } as const,
      refused('rate', 429),
    ]) {
      world.change('a');
      world.script.push(failure);
      await world.deliver(0, { wake: true });
      const before = world.batches.length;
      world.pass(90);
      await world.sweep();
      expect(world.batches).toHaveLength(before + 1);
      expect((await world.table.readMark(world.ref)).marked).toBe(false);
    }
  });

  test('messages that continue for longer than a process may work wake another one, and no tick is waited for', async () => {
    const world = await started();
    const [channel] = [...world.channels.values()];
    let woken = 0;
    const send = () => world.message(channel?.id ?? '', channel?.token ?? '', () => (woken += 1));
    world.during = async () => {
      world.change('a');
      world.pass(1);
      await send();
    };
    await send();
    await world.work(false, 10_000);
    world.during = undefined;
    expect([woken, (await world.table.readMark(world.ref)).marked]).toEqual([1, true]);
    await send();
    await send();
    expect(woken).toBe(2);
    await world.work();
    expect((await world.table.readMark(world.ref)).marked).toBe(false);
  });

  test('a message for which there is no time left waits for the rest between two pulls, not for the next one that is due', async () => {
    const world = await started();
    world.change('a');
    await world.deliver(0, { wake: false });
    await world.work(false, 1_000);
    expect(world.batches).toEqual([]);
    world.pass(3);
    await world.sweep();
    expect(world.batches).toHaveLength(1);
  });

  test('CF-23: a message during a pull that somebody asked for is answered behind it, not by the next sweep', async () => {
    const world = await started();
    world.pass(10);
    world.during = async () => {
      world.during = undefined;
      world.change('meanwhile');
      await world.deliver(0, { wake: true });
    };
    await world.work(true);
    expect(world.batches.flatMap(({ changes }) => changes.map(({ id }) => id))).toEqual(['meanwhile']);
    expect((await world.table.readMark(world.ref)).marked).toBe(false);
  });

  test.each([
    ['has given it back', 1],
    ['has let it run out', 90],
  ])(
    'CF-32: a turn that read the row while another one held its lease, and takes the lease when that one %s, writes nothing of the row back',
    async (_, seconds) => {
      const world = await started();
      const other = world.dependencies();
      const [before, lease] = [world.feed, { owner: 'other', expiresAtMs: world.nowMs + 60_000 }];
      const held = await other.feeds.takeLease(before, lease, world.nowMs);
      if (held === undefined) throw new Error('The lease is free');
      // What the turn reads first, before it takes the lease.
      world.instead = {
        read: async (ref) => {
          const read = await world.table.read(ref);
          world.instead = {};
          const batch = { kind: 'changes', reason: undefined, changes: [], storedAt: '2026-03-01T00:00:00Z' } as const;
          const stored = { ...batch, sequence: 1, eventId: 'stored-by-other', requestId: 'r' };
          const isLast = seconds === 1;
          const next = { ...held, sequence: 1, encryptedCursor: 'sealed:{"kind":"at","token":"account-1@0"}' };
          const saved = await world.table.save({ ...next, lease: isLast ? undefined : lease }, { batches: [stored] });
          expect(saved).toBe(true);
          world.pass(seconds);
          return read;
        },
      };
      world.script.push({ kind: 'unavailable', reason: 'timeout', retryAfterSec: undefined });
      await world.work(true);
      expect(world.feed.sequence).toBe(1);
      world.change('after');
      world.pass(3_600);
      await world.work(true);
      expect(world.batches.map(({ sequence, changes }) => [sequence, changes.map(({ id }) => id)])).toEqual([
        [1, []],
        [2, ['after']],
      ]);
    },
  );

  test('CF-32: a write of a holder that arrives after its next one changes nothing', async () => {
    const world = await started();
    const lease = { owner: 'one', expiresAtMs: world.nowMs + 60_000 };
    const held = await world.table.takeLease(world.feed, lease, world.nowMs);
    if (held === undefined) throw new Error('The lease is free');
    const batch = { kind: 'changes', reason: undefined, changes: [], storedAt: '2026-03-01T00:00:00Z' } as const;
    const stored = { ...batch, sequence: 1, eventId: 'stored', requestId: 'r' };
    expect(await world.table.save({ ...held, sequence: 1 }, { batches: [stored] })).toBe(true);
    expect(await world.table.save({ ...held, failureCount: 7 }, {})).toBe(false);
    expect(world.feed).toMatchObject({ sequence: 1, failureCount: 0 });
  });

  test('CF-32: a feed whose row an earlier version has set back behind its batches continues after the last one, and no change is lost', async () => {
    const world = await started();
    const { encryptedCursor } = world.feed;
    for (const id of ['one', 'two', 'three']) {
      world.change(id);
      world.pass(60);
      await world.work(true);
    }
    expect(world.feed.sequence).toBe(3);
    await world.set({ sequence: 1, encryptedCursor });
    world.change('four');
    world.pass(60);
    expect((await world.work(true))?.kind).toBe('done');
    expect(world.metrics).toContain('FeedRenumbered');
    expect(world.batches.map(({ sequence, changes }) => [sequence, changes.map(({ id }) => id)])).toEqual([
      [1, ['one']],
      [2, ['two']],
      [3, ['three']],
      [4, ['one', 'two', 'three']],
      [5, ['four']],
    ]);
    expect(world.feed).toMatchObject({ state: 'watching', sequence: 5 });
  });

  test.each([
    ['are refused', () => Promise.resolve(false)],
    ['fail', () => Promise.reject(new Error('The table takes nothing'))],
  ])(
    'CF-32: a feed whose saves %s is reported once within ten minutes of being due, and says when it works again',
    async (_, save) => {
      const world = await started();
      world.change('one');
      await world.deliver(0, { wake: false });
      world.instead = { save, giveUp: save };
      const sweep = (minutes: number) => sweepEveryMinute(world, minutes);
      const reported = () => world.events.map(({ eventType, says }) => [eventType, says?.reason]);
      const shown = () => shownState(world.feed, Math.floor(world.nowMs / 1000));
      await sweep(5);
      expect(reported()).toEqual([]);
      await sweep(5);
      expect(reported()).toEqual([['FeedFailing', 'overdue']]);
      expect(shown()).toEqual({ state: 'failing', reason: 'overdue' });
      await sweep(20);
      expect(reported()).toHaveLength(1);
      expect(world.metrics.filter((name) => name === 'FeedOverdue').length).toBeGreaterThan(20);
      world.instead = {};
      await sweep(2);
      expect(reported()).toEqual([
        ['FeedFailing', 'overdue'],
        ['FeedResumed', undefined],
      ]);
      expect(shown()).toMatchObject({ state: 'watching', reason: undefined });
      expect(world.batches.flatMap(({ changes }) => changes.map(({ id }) => id))).toEqual(['one']);
    },
  );

  test.each([
    ['a message', (world: World) => world.deliver(0, { wake: false })],
    ['a change of its connection', (world: World) => world.table.markChange(world.ref, 'change', world.nowMs / 1000)],
  ])(
    'CF-32: a feed whose position does not open is reported once and retried less and less, also after %s',
    async (_, mark) => {
      const world = await started();
      await world.set({ encryptedCursor: 'v1.1.damaged' });
      let questions = 0;
      world.instead = openableFeeds(world.table, async () => {
        questions += 1;
        throw new Error('A stored value cannot be decrypted');
      });
      world.change('one');
      await mark(world);
      await sweepEveryMinute(world, 120);
      expect(questions).toBeGreaterThan(5);
      expect(questions).toBeLessThan(15);
      expect(world.events.map(({ eventType, says }) => [eventType, says?.reason])).toEqual([
        ['FeedFailing', 'overdue'],
      ]);
      expect(shownState(world.feed, world.nowMs / 1000)).toEqual({ state: 'failing', reason: 'overdue' });
      expect(world.metrics).toContain('FeedOverdue');
    },
  );

  test('TB-4: each call of a turn ends by the end of the turn, or within the reserve of the sweep where it starts last', async () => {
    const world = await started();
    world.change('one');
    world.pass(60);
    const ends: number[] = [];
    const deps = { ...world.dependencies(), index: world.table };
    const caller: FeedCaller = {
      call(called, wish) {
        ends.push(called.endByMs - world.nowMs);
        world.pass(5);
        return deps.caller.call(called, wish);
      },
    };
    await workOnFeed({ ...deps, caller }, world.ref, { requestId: 'r', deadlineMs: world.nowMs + 20_000, asked: true });
    expect(ends).toEqual([20_000]);
    await world.set({ pullAtEpochSec: 0, watchAtEpochSec: 1, channels: [] });
    ends.length = 0;
    const endMs = world.nowMs + SWEEP_RESERVE_MS + FEED_CALL_TIMEOUT_MS + 1;
    const run = { shards: FEED_SHARDS, count: 1, isHeld: () => true };
    await sweepFeeds({ ...deps, caller }, run, endMs, 'r');
    expect(ends.length).toBeGreaterThan(1);
    expect(Math.max(...ends.slice(1))).toBe(FEED_CALL_TIMEOUT_MS);
  });

  test('CF-32: a feed that Google does not answer shows after eight minutes that it stands still, without an event of its own', async () => {
    const world = await started();
    world.change('one');
    await world.deliver(0, { wake: false });
    const shown = () => shownState(world.feed, Math.floor(world.nowMs / 1000));
    for (let minute = 0; minute < 10; minute++) {
      world.script.push({ kind: 'unavailable', reason: 'timeout', retryAfterSec: undefined });
      await world.sweep();
      world.script.length = 0;
      world.pass(60);
    }
    expect(shown()).toEqual({ state: 'failing', reason: 'overdue' });
    expect(explainFeed(shown().reason)?.explanation).toMatch(/Google does not answer/);
    expect(world.events).toEqual([]);
    world.pass(3_600);
    await world.sweep();
    expect(shown().state).toBe('watching');
  });

  test('CF-23: two processes that are woken together pull once', async () => {
    const world = await started();
    world.change('a');
    await world.deliver(0, { wake: false });
    const turns = await Promise.all([world.work(), world.work()]);
    expect(turns.map((turn) => turn?.kind).sort()).toEqual(['busy', 'done']);
    expect(world.mostPulling).toBe(1);
  });
});

describe('places in the history', () => {
  test('CF-27: a forgotten place gives one gap with its reason, at most one an hour, then the feed says that it fails', async () => {
    const world = await started();
    const mirror = new Mirror(world);
    world.change('seen nowhere', true);
    world.forgetHistory();
    await world.work(true);
    expect(world.batches).toMatchObject([{ sequence: 1, kind: 'gap', reason: 'cursor_expired', changes: [] }]);
    await mirror.read();
    world.pass(600);
    world.forgetHistory();
    await world.work(true);
    await world.work(true);
    expect(world.feed).toMatchObject({ state: 'failing', reason: 'cursor_expired_again', sequence: 1 });
    expect(world.events.map(({ eventType }) => eventType)).toEqual(['FeedFailing']);
    world.pass(3_100);
    await world.sweep();
    expect(world.batches).toHaveLength(2);
    expect(world.feed.state).toBe('watching');
    expect(world.events.map(({ eventType }) => eventType)).toEqual(['FeedFailing', 'FeedResumed']);
  });

  test('CF-28: a feed of a dead grant sends no call, reports it once, and continues at its position when the account reconnects', async () => {
    const world = await started();
    world.grant = 'dead';
    world.change('missed by nobody');
    await world.sweep();
    await world.work(true);
    expect(world.feed).toMatchObject({ state: 'paused', reason: 'reauthorization_required' });
    world.calls.length = 0;
    for (let tick = 0; tick < 20; tick++) {
      world.pass(400);
      await world.sweep();
    }
    expect(world.calls).toEqual([]);
    world.grant = 'active';
    world.pass(400);
    await world.sweep();
    expect(world.batches.map(({ kind }) => kind)).toEqual(['changes']);
    expect(world.events.map(({ eventType }) => eventType)).toEqual(['FeedPaused', 'FeedResumed']);
  });

  test('CF-28: a feed is paused and reported in the moment its connection is found dead, whatever it waits for', async () => {
    for (const waits of [
      {},
      { notBeforeEpochSec: 2_000_000_000 },
      // Pulled a moment ago, and much: the next pull would wait for half a minute.
      { lastPullAtMs: new World().nowMs, lastPullChanges: 500 },
    ]) {
      const world = await started();
      await world.set(waits);
      const before = world.nowMs;
      world.grant = 'dead';
      world.calls.length = 0;
      expect(await world.follow()).toBe(1);
      expect(world.feed).toMatchObject({ state: 'paused', reason: 'reauthorization_required' });
      expect(world.events.map(({ eventType }) => eventType)).toEqual(['FeedPaused']);
      expect([world.calls, world.nowMs]).toEqual([[], before]);
      expect(await world.follow('told again')).toBe(0);
      expect(world.events).toHaveLength(1);
    }
  });

  test('CF-28: in the moment its connection lives again a feed says so and pulls what it has missed', async () => {
    const world = await started();
    world.grant = 'dead';
    await world.follow();
    world.change('while it was dead');
    world.messages.length = 0;
    world.grant = 'active';
    const before = world.nowMs;
    expect(await world.follow()).toBe(1);
    expect(world.nowMs).toBe(before);
    expect(world.feed).toMatchObject({ state: 'watching', reason: undefined });
    expect(world.batches.flatMap(({ changes }) => changes.map(({ id }) => id))).toEqual(['while it was dead']);
    expect(world.events.map(({ eventType }) => eventType)).toEqual(['FeedPaused', 'FeedResumed']);
    expect((await world.table.readMark(world.ref)).marked).toBe(false);
  });

  test('CF-28: a process killed anywhere between death and pause, or return and resume, leaves both to the next sweep, each reported once', async () => {
    for (let calls = 0; calls < 18; calls++) {
      for (const before of [true, false]) {
        const world = await started();
        // Query, connection, feed, then the mark: until it is stored, Lambda brings the event again; from then on nobody else comes.
        const isMarked = calls > 3 || (calls === 3 && !before);
        const follow = async () => {
          world.killAfter = calls;
          world.killBefore = before;
          await world.follow();
          world.pass(61);
          if (isMarked) await world.sweep();
          else await world.follow();
        };
        world.grant = 'dead';
        await follow();
        expect(world.feed.state, `${calls} ${before}`).toBe('paused');
        world.change('missed by nobody');
        world.messages.length = 0;
        world.grant = 'active';
        await follow();
        expect(world.feed.state, `${calls} ${before}`).toBe('watching');
        expect(world.batches.flatMap(({ changes }) => changes.map(({ id }) => id))).toEqual(['missed by nobody']);
        expect(world.events.map(({ eventType }) => eventType)).toEqual(['FeedPaused', 'FeedResumed']);
      }
    }
  });

  test('CF-28, CF-32: a pause, a return and a failure are reported once each, whichever answer of the table is lost', async () => {
    for (let calls = 0; calls < 18; calls++) {
      const world = await started();
      const go = async (change: () => void) => {
        change();
        world.pass(7 * 3600);
        world.loseAnswerAfter = calls;
        await world.sweep();
        world.loseAnswerAfter = undefined;
        for (let tick = 0; tick < 3; tick++) {
          world.pass(400);
          await world.sweep();
        }
      };
      await go(() => {
        world.grant = 'dead';
      });
      expect(world.feed.state, `${calls}`).toBe('paused');
      await go(() => {
        world.grant = 'active';
      });
      expect(world.feed.state, `${calls}`).toBe('watching');
      await world.set({ refusedSinceEpochSec: world.nowMs / 1000 - DAY_SEC });
      await go(() => world.script.push(...Array.from({ length: 4 }, () => refused('refused', 404))));
      expect(world.feed.state, `${calls}`).toBe('failing');
      const reported = world.events.map(({ eventType }) => eventType);
      expect(reported, `${calls}`).toEqual(['FeedPaused', 'FeedResumed', 'FeedFailing']);
    }
  });

  test('CF-20, CF-32: a channel that was stored is kept, whichever answer of the table is lost', async () => {
    for (let calls = 0; calls < 18; calls++) {
      const world = new World();
      world.loseAnswerAfter = calls;
      await world.sweep();
      world.loseAnswerAfter = undefined;
      for (let tick = 0; tick < 3; tick++) {
        world.pass(61);
        await world.sweep();
      }
      expect(world.feed.state, `${calls}`).toBe('watching');
      expect(world.memory.ofType('channel'), `${calls}`).toHaveLength(1);
    }
  });

  test('CF-28: a death or a return during a turn, whose lease another process holds, is followed when the turn ends', async () => {
    const world = await started();
    const during = (grant: 'active' | 'dead') => {
      world.during = async () => {
        world.during = undefined;
        world.grant = grant;
        await world.follow();
      };
    };
    during('dead');
    await world.work(true);
    expect(world.feed.state).toBe('paused');
    // The turn has read that the connection is dead, and is about to write so.
    let isBack = false;
    world.instead.save = async (feed, write) => {
      if (!isBack) {
        isBack = true;
        world.grant = 'active';
        await world.follow();
      }
      return world.table.save(feed, write);
    };
    await world.set({ state: 'watching', reason: undefined, notBeforeEpochSec: 0 });
    await world.work(true);
    expect(world.feed.state).toBe('watching');
  });

  test('CF-28: the feed of a connection that has another account reports the gap at once, and one without feeds costs one query', async () => {
    const world = await started();
    world.account = 'account-2';
    expect(await world.follow()).toBe(1);
    expect(world.batches).toMatchObject([{ kind: 'gap', reason: 'account_changed' }]);
    const read = vi.fn();
    const deps = { ...world.dependencies(), connections: { read } };
    const nobody = { ...world.feed.connection, connectionId: 'without-feeds' };
    expect(await followConnection(deps, { connection: nobody, id: 'e' }, { requestId: 'r', deadlineMs: 0 })).toBe(0);
    expect(read).not.toHaveBeenCalled();
  });

  test('a pull that waits for quota says for which and until when, as long as it waits, and never hides a death or a first place', async () => {
    const world = await started();
    const shown = () => shownState(world.feed, Math.floor(world.nowMs / 1000));
    world.quotaUntil = world.nowMs / 1000 + 300;
    await world.work(true);
    expect(shown()).toEqual({ state: 'waiting', reason: 'rate_limited' });
    expect([world.feed.state, world.feed.notBeforeEpochSec]).toEqual(['watching', world.quotaUntil]);
    // Nobody has to ask again: the pull that waits is made as soon as there is quota.
    expect(feedDueAt(world.feed)).toBe(world.quotaUntil);
    expect(explainFeed('rate_limited')?.remedy).toContain('next_pull_at');
    world.grant = 'dead';
    await world.follow();
    expect(shown()).toMatchObject({ state: 'paused', reason: 'reauthorization_required' });
    world.grant = 'active';
    await world.follow();
    expect(shown()).toEqual({ state: 'waiting', reason: 'rate_limited' });
    expect(world.events.map(({ eventType }) => eventType)).toEqual(['FeedPaused', 'FeedResumed']);
    world.pass(301);
    expect(shown()).toMatchObject({ state: 'watching', reason: undefined });
    // An ordinary failure afterwards is no wait for quota.
    world.script.push({ kind: 'unavailable', reason: 'timeout', retryAfterSec: 300 });
    await world.work(true);
    expect(shown()).toMatchObject({ state: 'watching' });
    const first = new World();
    first.quotaUntil = first.nowMs / 1000 + 60;
    await first.work();
    expect(shownState(first.feed, first.nowMs / 1000)).toEqual({ state: 'starting', reason: 'rate_limited' });
  });

  test('CF-28: another account never continues the place of the one before, whose channels say nothing to the feed any more', async () => {
    const world = await started();
    const [old] = [...world.channels.values()];
    world.account = 'account-2';
    await world.work(true);
    expect(await world.message(old?.id ?? '', old?.token ?? ''), 'of the account before').toBe(404);
    expect(world.batches).toMatchObject([{ kind: 'gap', reason: 'account_changed' }]);
    expect(world.feed.channels).toHaveLength(1);
  });

  test('PC-24: a refusal for the quota of an account puts its feeds off, and no other’s', async () => {
    const world = await started();
    world.script.push(refused('user_rate', 403));
    await world.work(true);
    expect(world.blocked).toEqual(['user']);
    expect(shownState(world.feed, world.nowMs / 1000)).toEqual({ state: 'waiting', reason: 'rate_limited' });
  });

  test('a refusal for quota puts all feeds of the Cloud project off, and a refused resource fails after a day, once', async () => {
    const world = await started();
    world.script.push(refused('rate', 429));
    await world.work(true);
    expect(world.quotaUntil).toBeGreaterThan(world.nowMs / 1000 + 59);
    expect(world.blocked).toEqual(['project']);
    world.calls.length = 0;
    await world.work(true);
    expect(world.calls).toEqual([]);
    world.pass(120);
    for (let hour = 0; hour < 40; hour++) {
      world.script.push(refused('refused', 404));
      world.pass(3_700);
      await world.work(true);
    }
    expect(world.feed).toMatchObject({ state: 'failing', reason: 'resource_refused' });
    expect(world.events.map(({ eventType }) => eventType)).toEqual(['FeedFailing']);
  });
});

const OWNER = { accountId: 'default', cloudProject: '1', provider: 'google-drive', user: 'user@example.com' } as const;

test('of two processes that meet a new minute of a Cloud project’s quota together both are admitted', async () => {
  const client = openTable('table').client;
  const refusals = [true, true, false];
  client.middlewareStack.add(
    (_next, { commandName }) =>
      async () => {
        // Whether the user rests.
        if (commandName === 'GetItemCommand') return { response: {}, output: { $metadata: {} } };
        if (refusals.shift()) throw Object.assign(new Error('no'), { name: 'ConditionalCheckFailedException' });
        return { response: {}, output: { $metadata: {} } };
      },
    { step: 'initialize', priority: 'high' },
  );
  // The first count finds the minute before, the beginning comes second, and the second count finds the minute begun.
  const quota = feedQuota({ client, tableName: 'table', onUnreadable: () => undefined }, PROVIDERS, 20);
  expect(await quota.admit(OWNER, 600)).toBeUndefined();
  expect(refusals).toEqual([]);
});

test('a Cloud project that Google has refused waits for as long as it said, one that has used its share until the next minute', async () => {
  const quota = feedQuota(new MemoryTable().table, PROVIDERS, 0.01);
  expect(await quota.admit(OWNER, 605)).toBeUndefined();
  expect(await quota.admit(OWNER, 606)).toEqual({ reason: 'quota_share_used', untilEpochSec: 660 });
  await quota.block(OWNER, 'project', 900);
  expect(await quota.admit(OWNER, 670)).toEqual({ reason: 'rate_limited', untilEpochSec: 900 });
  expect(await quota.admit(OWNER, 901)).toBeUndefined();
});

test('PC-24: a refusal rests the user or the project that it names, and each API has a quota of its own', async () => {
  const world = new MemoryTable();
  const quota = feedQuota(world.table, PROVIDERS, 20);
  const other = { ...OWNER, user: 'another@example.com' };
  const calendar = { ...OWNER, provider: 'google-calendar' } as const;
  await quota.block(OWNER, 'user', 900);
  expect(await quota.admit(OWNER, 600)).toEqual({ reason: 'rate_limited', untilEpochSec: 900 });
  expect(await quota.admit(other, 600)).toBeUndefined();
  expect(await quota.admit(calendar, 600)).toBeUndefined();
  expect(await quota.admit({ ...OWNER, cloudProject: '2' }, 600)).toBeUndefined();
  await quota.block(OWNER, 'project', 1_000);
  expect(await quota.admit(other, 600)).toEqual({ reason: 'rate_limited', untilEpochSec: 1_000 });
  expect(await quota.admit(calendar, 600)).toBeUndefined();
  expect(await quota.admit(OWNER, 901)).toEqual({ reason: 'rate_limited', untilEpochSec: 1_000 });
  expect(await quota.admit(OWNER, 1_001)).toBeUndefined();
  // Written by a clock that was far ahead.
  await quota.block(OWNER, 'user', 1_000_000);
  expect(await quota.admit(OWNER, 1_002)).toBeUndefined();
  expect(JSON.stringify([...world.items.values()])).not.toContain('@example.com');
});

test.each([
  ['google-drive', 2_000],
  ['google-calendar', 2_000],
] as const)(
  'PC-22: feeds of %s have 20 % of the lists that Google allows a project in a minute: %i',
  async (provider, most) => {
    const { table } = new MemoryTable();
    const owner = { ...OWNER, provider };
    const quota = feedQuota(table, PROVIDERS, 20);
    for (let turn = 0; turn < most; turn++) expect(await quota.admit(owner, 600)).toBeUndefined();
    expect(await quota.admit(owner, 600)).toEqual({ reason: 'quota_share_used', untilEpochSec: 660 });
  },
);

describe('the place of a feed at its connection', () => {
  const resource = 'calendar:somebody@example.com';
  const keys = (world: World) => JSON.stringify(world.memory.ofType('feed_place').map(({ pk, sk }) => [pk, sk]));
  /** As versions up to 0.2.0 wrote it. */
  const earlier = () => {
    const world = new World(resource);
    for (const place of world.memory.ofType('feed_place')) world.memory.delete(place);
    const { pk } = feedOfItemKey(world.feed.connection, resource);
    world.memory.put({ pk, sk: resource, type: 'feed_place', feedId: world.feed.feedId });
    return world;
  };

  test('CF-31: holds no e-mail address, in no key', () => {
    const world = new World(resource);
    expect([...world.memory.items.keys()].join()).not.toContain('somebody');
    expect(keys(new World('calendar:primary'))).toContain('calendar:primary');
  });

  test('CF-31: the place of a feed at its connection of an earlier version is found, moves with the feed’s next call, and goes with the feed', async () => {
    const world = earlier();
    const places = feedPlaces(world.memory.table);
    const { connection, feedId } = world.feed;
    expect(keys(world)).toContain('somebody');
    const again = { ...world.feed, feedId: 'another' };
    const event = world.event('FeedCreated');
    expect(await world.table.create(again, event)).toEqual({ kind: 'existing', feedId: world.feed.feedId });
    expect(await places.isOf(connection, resource, 'another')).toBe(false);
    expect(keys(world)).toContain('somebody');
    expect(await places.isOf(connection, resource, feedId)).toBe(true);
    expect(keys(world)).not.toContain('somebody');
    expect(await places.isOf(connection, resource, feedId)).toBe(true);
    expect(await places.isOf({ ...connection, connectionId: 'c-2' }, resource, feedId)).toBe(false);
    expect(world.memory.ofType('feed_place')).toHaveLength(1);
    expect(await world.table.create(again, event)).toEqual({ kind: 'existing', feedId: world.feed.feedId });
    for (const one of [world, earlier()]) {
      expect(await one.table.remove(one.feed, 0, one.event('FeedDeleted'))).toBe(true);
      expect(one.memory.ofType('feed_place')).toEqual([]);
    }
  });

  test('CF-31: where a rollback has made two feeds of a calendar, each has its place and takes only its own along', async () => {
    const world = new World(resource);
    const places = feedPlaces(world.memory.table);
    const { connection, feedId } = world.feed;
    const other = { ...world.feed, feedId: 'another' };
    world.memory.put(feedToItem(other));
    const { pk } = feedOfItemKey(connection, resource);
    world.memory.put({ pk, sk: resource, type: 'feed_place', feedId: other.feedId });
    const held = () => Promise.all([feedId, other.feedId].map((id) => places.isOf(connection, resource, id)));
    expect(await held()).toEqual([true, true]);
    expect(await world.table.remove(other, 0, world.event('FeedDeleted'))).toBe(true);
    expect(await held()).toEqual([true, false]);
  });

  test('CF-31: the place of a feed at its connection whose feed an earlier version has removed keeps nobody from making it again', async () => {
    const world = new World(resource);
    const again = { ...world.feed, feedId: 'another' };
    const event = world.event('FeedCreated');
    world.memory.delete({ ...feedItemKey(world.ref) });
    expect(await world.table.create(again, event)).toEqual({ kind: 'created' });
  });
});

describe('consumers', () => {
  const told = (world: World) => world.events.map(({ eventType, cause }) => `${eventType} ${cause}`);
  const moveTo = (world: World, sequence: number) =>
    world.table.moveCursor(world.ref, { name: 'slow', sequence, movedAt: new Date(world.nowMs).toISOString() });

  test('CF-30: of 10,001 batches the oldest goes, and the consumer that has not read it is reported once', {
    tags: ['long'],
  }, async () => {
    const world = await started();
    await moveTo(world, 0);
    for (let sequence = 1; sequence <= 10_000; sequence++) await world.store(sequence);
    world.change('one');
    await world.work(true);
    expect([world.batches.length, world.batches[0]?.sequence]).toEqual([10_000, 2]);
    expect(told(world)).toEqual(['FeedFailing consumer_behind']);
    expect(world.events[0]?.remedy).toContain('The consumer with the cursor slow is 10001 batches behind');
    expect(world.feed.state).toBe('watching');
    world.change('two');
    await world.work(true);
    expect(told(world)).toHaveLength(1);
  });

  test('a consumer that leaves a batch unread for seven days is reported once, one that has read all is not', async () => {
    const world = await started();
    world.change('one');
    await world.work(true);
    await moveTo(world, 1);
    world.pass(8 * DAY_SEC);
    world.change('two');
    await world.work(true);
    world.pass(6 * DAY_SEC);
    await world.work(true);
    expect(told(world)).toEqual([]);
    world.pass(DAY_SEC);
    await world.work(true);
    await world.work(true);
    expect(told(world)).toEqual(['FeedFailing consumer_behind']);
  });

  test('a failure to look at the lag takes nothing from the pull', async () => {
    const world = await started();
    world.change('one');
    world.instead = { cursors: () => Promise.reject(new Error('throttled')) };
    expect((await world.work(true))?.kind).toBe('done');
    expect(world.batches).toHaveLength(1);
  });
});

/** Feeds of several Cloud projects, so many of each, and what the provider answers calls of a project. */
async function manyFeeds(counts: Readonly<Record<string, number>>, answer: (project: string) => FeedAnswer) {
  const start = Date.UTC(2026, 2, 1);
  const time = new VirtualTime(start);
  const one = new World();
  const memory = new MemoryTable();
  const table = feedStore(memory.table);
  const random = countingRandom();
  for (const project of Object.entries(counts).flatMap(([name, count]) => Array.from({ length: count }, () => name))) {
    const feedId = ulid(start, random.bytes(10));
    const connection = { ...one.feed.connection, connectionId: `${project}-${feedId}` };
    memory.put(feedToItem({ ...one.feed, feedId, connection }));
  }
  const calls: { readonly project: string; readonly atMs: number }[] = [];
  const blockedUntil = new Map<string, number>();
  const row = await connectionRow({ integrationId: 'google-calendar' });
  const projectOf = (connectionId: string) => connectionId.split('-')[0] ?? '';
  const deps = {
    ...one.dependencies(),
    feeds: table,
    index: table,
    clock: { nowMs: () => time.nowMs },
    random,
    pause: (ms: number) => time.sleep(ms),
    connections: {
      async read({ connectionId }: { readonly connectionId: string }) {
        return { ...row, clientId: `${projectOf(connectionId)}-client`, connectionId };
      },
    },
    quota: {
      async admit({ cloudProject: project }: { readonly cloudProject: string }, nowEpochSec: number) {
        const until = blockedUntil.get(project) ?? 0;
        return until > nowEpochSec ? ({ reason: 'rate_limited', untilEpochSec: until } as const) : undefined;
      },
      async block({ cloudProject: project }: { readonly cloudProject: string }, _whom: string, until: number) {
        blockedUntil.set(project, until);
      },
    },
    caller: {
      async call({ connection: { connectionId } }: CalledFeed) {
        calls.push({ project: projectOf(connectionId), atMs: time.nowMs });
        await time.sleep(300);
        return answer(projectOf(connectionId));
      },
    },
  };
  const sweep = () =>
    time.run(sweepFeeds(deps, { shards: FEED_SHARDS, count: 1, isHeld: () => true }, time.nowMs + 300_000, 'run'));
  return { start, time, table, calls, sweep, metrics: one.metrics };
}

describe('many feeds', () => {
  const open = { nextSyncToken: 't', resourceId: 'r', expiration: String(Date.UTC(2026, 2, 12)) };

  test('a Cloud project without quota is asked no more than what was under way, and 1,000 feeds of others are pulled within a minute', async () => {
    const { start, time, calls, sweep } = await manyFeeds({ blocked: 300, other: 1_000 }, (project) =>
      project === 'blocked' ? { ...refused('rate', 403), retryAfterSec: 300 } : { kind: 'ok', body: open },
    );
    expect(await sweep()).toMatchObject({ turns: { done: 1_000, put_off: 300 }, failed: 0, finished: true });
    expect(Math.max(...calls.map(({ atMs }) => atMs)) - start).toBeLessThan(60_000);
    const refusedCalls = () => calls.filter(({ project }) => project === 'blocked').length;
    expect(refusedCalls()).toBeLessThanOrEqual(SWEEP_CONCURRENCY);
    const before = refusedCalls();
    time.nowMs = start + 200_000;
    await sweep();
    expect(refusedCalls(), 'nothing before the refusal is over').toBe(before);
  });

  test('a sweep leaves a provider alone that answers nobody, and says so', async () => {
    const silence = { kind: 'unavailable', reason: 'timeout', retryAfterSec: undefined } as const;
    const { calls, sweep, metrics } = await manyFeeds({ other: 400 }, () => silence);
    expect(await sweep()).toMatchObject({ finished: false });
    expect(calls.length).toBeLessThan(SWEEP_BRAKE_AFTER_FAILURES + SWEEP_CONCURRENCY);
    expect(metrics).toContain('FeedSweepBraked');
  });

  test('a feed whose row cannot be read is put off, and holds up no other', async () => {
    const { table, sweep } = await manyFeeds({ other: 3 }, () => ({ kind: 'ok', body: open }));
    vi.spyOn(table, 'read').mockRejectedValueOnce(new UnreadableItemError('state'));
    const postpone = vi.spyOn(table, 'postpone');
    expect(await sweep()).toMatchObject({ turns: { done: 2 }, failed: 1, finished: true });
    expect(postpone).toHaveBeenCalledOnce();
  });
});

describe('batches', () => {
  const change = (id: string) => ({ id, kind: 'file' as const, removed: false, time: undefined, mimeType: undefined });

  test('CF-24: batches have a hundred changes at most, fit into an event, and name each id once with its last state', () => {
    const many = intoBatches(Array.from({ length: 250 }, (_, index) => change(String(index))));
    expect(many.map(({ length }) => length)).toEqual([100, 100, 50]);
    const long = intoBatches(Array.from({ length: 100 }, (_, index) => change(String(index).padEnd(1024, 'é'))));
    for (const batch of long) expect(Buffer.byteLength(JSON.stringify(batch))).toBeLessThan(64_000);
    const twice = intoBatches([change('a'), change('b'), { ...change('a'), removed: true }]);
    expect(twice).toEqual([[change('b'), { ...change('a'), removed: true }]]);
  });

  test('CF-24: batches are full when a text of three-byte characters would just fit', () => {
    // In addition to its id a change takes 39 characters; each counts as three bytes of 60,000.
    const half = 10_000 - 39;
    expect(intoBatches([change('a'.repeat(half)), change('b'.repeat(half))])).toHaveLength(1);
    expect(intoBatches([change('a'.repeat(half)), change('b'.repeat(half + 1))])).toHaveLength(2);
  });

  test.each([
    [0, 0],
    [10_000, 0],
    [10_001, 1],
    [12_345, 2_345],
  ])('of %i stored batches, the last one that is dropped is %i', (sequence, dropped) => {
    expect(lastDroppedBatch({ sequence })).toBe(dropped);
  });

  test.each([
    [{}, {}],
    [{ time: '2026-03-01T00:00:00Z' }, { time: '2026-03-01T00:00:00Z' }],
    [{ mimeType: 'text/plain' }, { mime_type: 'text/plain' }],
  ])('spell a change with %j', (told, spelled) => {
    const wire = changeOnTheWire({ ...change('a'), ...told });
    expect(wire).toStrictEqual({ id: 'a', kind: 'file', removed: false, ...spelled });
  });

  test('CF-25: nothing of Google’s answer but id, kind, removal, time and MIME type is kept', () => {
    const drive = parseFeedResource('drive');
    if (drive === undefined) throw new Error('drive is a resource');
    const told = { removed: false, time: '2026-03-01T00:00:00.000Z' };
    const file = { mimeType: 'text/plain', name: 'canary', owners: [{ emailAddress: 'canary@example.com' }] };
    const changes = [{ ...told, changeType: 'file', fileId: 'f', file }];
    const page = readPage(drive, { kind: 'at', token: '1', page: undefined }, { newStartPageToken: '2', changes });
    expect(JSON.stringify(page)).not.toContain('canary');
    expect(page?.changes).toEqual([{ ...told, id: 'f', kind: 'file', mimeType: 'text/plain' }]);
  });
});

describe('one feed', () => {
  const channel = (id: string, endsAtEpochSec: number) => ({
    id,
    resourceId: 'r',
    openedAtEpochSec: 0,
    endsAtEpochSec,
    renewAtEpochSec: 0,
  });

  test.each([
    ['before its end', [channel('new', 101)], 'new'],
    ['not at its end', [channel('new', 100)], undefined],
    ['not after its end, and an older one does not count', [channel('new', 99), channel('old', 200)], undefined],
    ['not before it is opened', [], undefined],
  ])('one feed has a channel that is open %s', (_, channels, id) => {
    expect(ownChannel({ channels }, 100)?.id).toBe(id);
  });

  test.each([
    ['two seconds after a pull', 499, 10_000, 2_000],
    ['half a minute after a pull that found 500 changes', 500, 10_000, 30_000],
    ['what is left of the two seconds', 0, 11_500, 500],
    ['no longer once they are over', 0, 12_001, 0],
    ['no longer than that when the clock was ahead', 0, 5_000, 2_000],
  ])('CF-23: one feed is not pulled again for %s', (_, lastPullChanges, nowMs, waitMs) => {
    expect(pullWaitMs({ lastPullAtMs: 10_000, lastPullChanges }, nowMs)).toBe(waitMs);
  });

  // Stored with every feed and mark: another partition would lose sight of them.
  test.each([
    ['01KJ0000000000000000000000', 192],
    ['01KJ0000000000000000000001', 193],
    ['01KJ0000000000000000000010', 223],
    ['01KJ00000000000000000000ZZ', 192],
  ])('%s stays in partition %i of the due index', (feedId, partition) => {
    expect(feedShardOf(feedId)).toBe(partition);
  });

  test.each([
    'push_not_supported',
    'address_not_authorized',
    'address_not_https',
    'watch_refused',
    'reauthorization_required',
    'resource_refused',
    'cursor_expired_again',
  ])('explains %s and says what to do', (reason) => {
    expect(explainFeed(reason)).toEqual({
      explanation: expect.stringMatching(/\.$/),
      remedy: expect.stringMatching(/\.$/),
    });
  });

  test('explains nothing while it does what it should', () => {
    expect(explainFeed(undefined)).toBeUndefined();
  });
});
