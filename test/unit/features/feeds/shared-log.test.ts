import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endFeed } from '../../../../lambdas/features/feeds/end-feed.ts';
import { type Feed, type FeedRef, feedDueAt } from '../../../../lambdas/features/feeds/feed.rules.ts';
import { asLent, channelToBorrow } from '../../../../lambdas/features/feeds/shared-log.ts';
import { meeting, mishap } from './support/disorder.ts';
import { FolderMirror, FolderWorld, ROOT } from './support/folder-world.ts';
import { historiesAsked } from './support/histories-asked.ts';

/** `npm run test:feeds` plays ten thousand. */
const HISTORIES = historiesAsked(60);

/** A world with feeds of so many folders in parallel in My Drive, each with one file. */
async function manyFolders(count: number): Promise<{ readonly world: FolderWorld; readonly refs: readonly FeedRef[] }> {
  const world = new FolderWorld();
  world.pageSize = 100;
  world.put(`file-0`, ROOT);
  const refs = [world.ref];
  await world.work();
  for (let number = 1; number < count; number++) {
    world.put(`root-${number}`, 'own');
    world.put(`file-${number}`, `root-${number}`);
    world.pass(1);
    const ref = world.addFeed(`folder:root-${number}`);
    await world.work(true, undefined, false, ref);
    refs.push(ref);
  }
  // The first pull of each was at its own place in the log.
  world.messages.length = 0;
  await quiet(world, refs);
  world.calls.length = 0;
  return { world, refs };
}

/** Half a day without a change. */
async function quiet(world: FolderWorld, refs: readonly FeedRef[]): Promise<void> {
  for (let hour = 0; hour < 12; hour++) {
    world.pass(3_600);
    for (const ref of refs) await world.sweep(ref);
  }
}

async function deliverAll(world: FolderWorld): Promise<void> {
  while (world.messages.length > 0) await world.deliver(0, { wake: true });
}

function lists({ calls }: FolderWorld): string[] {
  return calls.map(({ path }) => path).filter((path) => path.startsWith('/drive/v3/changes?'));
}

async function toldBy(world: FolderWorld, ref: FeedRef): Promise<string[]> {
  const batches = await world.table.batches(ref, 0, 1_000, 0);
  return batches.flatMap(({ changes }) => changes.map(({ id }) => id));
}

describe('a channel', () => {
  const HOUR = 3_600;
  const channel = (endsIn: number, renewsIn: number) => ({
    id: 'channel',
    resourceId: 'resource',
    openedAtEpochSec: 0,
    endsAtEpochSec: 1_000_000 + endsIn,
    renewAtEpochSec: 1_000_000 + renewsIn,
  });
  const feedOf = (feedId: string, some: Partial<Feed>): Feed => ({
    ...new FolderWorld().feed,
    feedId,
    followedLog: '',
    ...some,
  });
  const open = [channel(40 * HOUR, 20 * HOUR)];
  const feed = feedOf('feed-2', {});

  test.each([
    ['of another feed of the log', feed, feedOf('feed-3', { channels: open }), true],
    ['of another log', feed, feedOf('feed-1', { channels: open, followedLog: 'drive-1' }), false],
    ['of a feed whose log is not known', feed, feedOf('feed-1', { channels: open, followedLog: undefined }), false],
    ['of another account', feed, feedOf('feed-1', { channels: open, subject: 'another' }), false],
    ['that is to be replaced', feed, feedOf('feed-1', { channels: [channel(40 * HOUR, 500)] }), false],
    ['that has ended', feed, feedOf('feed-1', { channels: [channel(-1, -HOUR)] }), false],
    [
      'of a feed that has borrowed one',
      feed,
      feedOf('feed-1', { channels: open, lentChannel: channel(40 * HOUR, 20 * HOUR) }),
      false,
    ],
    [
      'of a feed with a lower id, instead of its own',
      feedOf('feed-2', { channels: open }),
      feedOf('feed-1', { channels: open }),
      true,
    ],
    [
      'of a feed with a higher id, instead of its own',
      feedOf('feed-2', { channels: open }),
      feedOf('feed-3', { channels: open }),
      false,
    ],
    [
      'of a feed with a higher id, when its own is to be replaced',
      feedOf('feed-2', { channels: [channel(HOUR, -1)] }),
      feedOf('feed-3', { channels: open }),
      true,
    ],
  ])('CH-24: %s: is it borrowed?', (_, borrower, lender, isBorrowed) => {
    const others = [lender, feedOf('feed-9', { resource: { kind: 'calendar', id: 'primary' }, channels: open })];
    expect(channelToBorrow(borrower, others, 1_000_000) !== undefined).toBe(isBorrowed);
  });

  test('CH-24: a channel that was borrowed is looked at again between its replacement and its end, not by all at once', () => {
    const [first, last] = [0, 0.999].map(
      (random) => asLent(channel(40 * HOUR, 20 * HOUR), random).renewAtEpochSec - 1_000_000,
    );
    expect(first).toBe(25 * HOUR);
    expect(last).toBeGreaterThan(29 * HOUR);
    expect(last).toBeLessThanOrEqual(30 * HOUR);
  });
});

describe('feeds of one log', () => {
  test('CH-24: fifty folders have one channel, and a message costs one list', async () => {
    const { world, refs } = await manyFolders(50);
    expect(world.channels.size).toBe(1);
    expect(refs.map((ref) => world.feedOf(ref).state)).toEqual(refs.map(() => 'watching'));
    world.pass(60);
    for (let number = 0; number < 50; number++) world.edit(`file-${number}`);
    // One of fifty comes.
    world.messages.length = 1;
    await deliverAll(world);
    expect(lists(world)).toHaveLength(1);
    expect(await Promise.all(refs.map((ref) => toldBy(world, ref)))).toEqual(
      refs.map((_, number) => [`file-${number}`]),
    );
    expect(world.memory.ofType('feed_mark').filter(({ dueShard }) => dueShard !== undefined)).toEqual([]);
  });

  test('CH-24: their safety pulls cost those of one', async () => {
    const { world, refs } = await manyFolders(20);
    await quiet(world, refs);
    // Every six hours at most.
    expect(lists(world).length).toBeLessThanOrEqual(3);
    expect(lists(world).length).toBeGreaterThanOrEqual(1);
    for (const ref of refs) expect(world.nowMs - world.feedOf(ref).lastPullAtMs).toBeLessThan(7 * 3_600_000);
  });

  test('CH-24: the polls of feeds without a channel cost those of one', async () => {
    const { world, refs } = await manyFolders(10);
    for (const ref of refs) {
      await world.table.save(
        {
          ...world.feedOf(ref),
          channels: [],
          lentChannel: undefined,
          state: 'polling',
          pullAtEpochSec: 0,
          watchAtEpochSec: world.nowMs,
        },
        {},
      );
    }
    world.channels.clear();
    for (let minute = 0; minute < 30; minute++) {
      world.pass(60);
      for (const ref of refs) await world.sweep(ref);
    }
    expect(lists(world).length).toBeLessThanOrEqual(7);
    for (const ref of refs) expect(world.nowMs - world.feedOf(ref).lastPullAtMs).toBeLessThan(400_000);
  });

  test('CH-24: a feed of all of Drive shares with them, and each reads what it needs', async () => {
    const { world, refs } = await manyFolders(3);
    const drive = world.addFeed('drive', { meaning: true, seen: true });
    await world.work(true, undefined, false, drive);
    await quiet(world, [...refs, drive]);
    world.calls.length = 0;
    world.edit('file-1');
    await deliverAll(world);
    expect(world.channels.size).toBe(1);
    expect(lists(world)).toHaveLength(1);
    expect(await toldBy(world, drive)).toEqual(['file-1']);
    expect(await toldBy(world, refs[1] ?? world.ref)).toEqual(['file-1']);
  });

  test('CH-24: the feed that has the channel ends: another one opens its own, and nothing is lost', async () => {
    const { world, refs } = await manyFolders(4);
    const { feeds, ...deps } = world.dependencies();
    const grant = await grantOf(world);
    expect(await endFeed({ ...deps, feeds }, world.ref, grant, { requestId: 'r', actor: 'key:1' })).toBe(true);
    expect(world.channels.size, 'it is stopped').toBe(0);
    const others = refs.slice(1);
    world.edit('file-2');
    for (const ref of others) await world.sweep(ref);
    expect(world.channels.size).toBe(1);
    world.pass(60);
    world.edit('file-3');
    await deliverAll(world);
    expect(await Promise.all(others.map((ref) => toldBy(world, ref)))).toEqual([[], ['file-2'], ['file-3']]);
  });

  test.each([
    ['a message says so', deliverAll],
    [
      'somebody asks for a pull',
      async (world: FolderWorld) => {
        world.messages.length = 0;
        await world.work(true);
      },
    ],
  ])(
    'CH-24: the folder of the feed that has the channel moves to a shared drive, and %s: the others continue',
    async (_, notice) => {
      const { world, refs } = await manyFolders(4);
      world.put(ROOT, 'drive-1');
      await notice(world);
      for (let round = 0; round < 3; round++) {
        world.pass(60);
        for (const ref of refs) await world.sweep(ref);
      }
      expect([...world.channels.values()].map(({ log }) => log).sort()).toEqual(['drive-1', 'own']);
      world.edit('file-2');
      world.edit('file-0');
      await deliverAll(world);
      expect(await Promise.all(refs.map((ref) => toldBy(world, ref)))).toEqual([['file-0'], [], ['file-2'], []]);
    },
  );

  test('CH-24: what comes while the connection is dead is reported once it lives, and no feed asks for it more often', async () => {
    const { world, refs } = await manyFolders(4);
    world.grant = 'dead';
    world.edit('file-2');
    world.metrics.length = 0;
    await deliverAll(world);
    for (let minute = 0; minute < 60; minute++) {
      world.pass(60);
      for (const ref of refs) await world.sweep(ref);
    }
    const turns = world.metrics.filter((name) => name === 'FeedTurn').length;
    // Each looks every five minutes whether it lives.
    expect(turns).toBeLessThanOrEqual(refs.length * 13);
    world.grant = 'active';
    world.pass(301);
    for (const ref of refs) await world.sweep(ref);
    expect(await Promise.all(refs.map((ref) => toldBy(world, ref)))).toEqual([[], [], ['file-2'], []]);
    world.pass(60);
    for (const ref of refs) await world.sweep(ref);
    expect(world.memory.ofType('feed_mark').filter(({ dueShard }) => dueShard !== undefined)).toEqual([]);
  });

  test('CH-24: of channels that were opened at the same time one is left', async () => {
    const world = new FolderWorld();
    const refs = [world.ref];
    for (let number = 1; number < 5; number++) {
      world.put(`root-${number}`, 'own');
      refs.push(world.addFeed(`folder:root-${number}`));
    }
    await Promise.all(refs.map((ref) => world.work(true, undefined, false, ref)));
    expect(world.channels.size).toBeGreaterThan(1);
    world.put('file-1', 'root-1');
    await deliverAll(world);
    world.pass(60);
    world.edit('file-1');
    world.metrics.length = 0;
    await deliverAll(world);
    // A turn for each: what was passed on is passed on no further.
    expect(world.metrics.filter((name) => name === 'FeedTurn')).toHaveLength(refs.length);
    expect(world.channels.size).toBe(1);
    expect(await toldBy(world, refs[1] ?? world.ref)).toContain('file-1');
  });

  test('CH-24: the channel is renewed by the feed that has it, and the others continue with the new one', async () => {
    const { world, refs } = await manyFolders(5);
    const [first] = [...world.channels.keys()];
    for (let day = 0; day < 28; day++) {
      for (let quarter = 0; quarter < 4; quarter++) {
        world.pass(6 * 3600 + 60);
        for (const ref of refs) await world.sweep(ref);
      }
      expect(world.channels.size, `day ${day}`).toBe(1);
      expect(refs.map((ref) => world.feedOf(ref).state)).toEqual(refs.map(() => 'watching'));
    }
    expect([...world.channels.keys()]).not.toContain(first);
    world.pass(60);
    world.edit('file-4');
    await deliverAll(world);
    expect(await toldBy(world, refs[4] ?? world.ref)).toEqual(['file-4']);
  });
});

async function grantOf(world: FolderWorld) {
  const { connections, integrations } = world.dependencies();
  const connection = await connections.read({
    accountId: 'default',
    integrationId: 'google-calendar',
    connectionId: 'c-1',
  });
  const integration = await integrations.get({ accountId: 'default', integrationId: 'google-calendar' });
  if (connection === undefined || integration === undefined) throw new Error('No grant');
  return { connection, integration };
}

interface Several {
  readonly world: FolderWorld;
  readonly refs: readonly FeedRef[];
  readonly mirrors: readonly FolderMirror[];
}
interface Step {
  readonly name: string;
  readonly take: (several: Several) => Promise<unknown> | unknown;
}
const step = (name: string, take: Step['take']): Step => ({
  name,
  take: Object.assign(take, { toString: () => name }),
});
const ROOTS = [ROOT, 'root-1', 'root-2'];
const which = fc.nat({ max: ROOTS.length - 1 });
const place = fc.constantFrom(...ROOTS, 'folder-1', 'folder-2', 'own', 'drive-1');
const thing = fc.constantFrom('folder-1', 'folder-2', 'file-1', 'file-2', 'file-3', 'file-4');

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 10,
      arbitrary: fc.tuple(thing, place).map(([id, to]) => step(`put ${id} ${to}`, ({ world }) => world.put(id, to))),
    },
    { weight: 4, arbitrary: thing.map((id) => step(`edit ${id}`, ({ world }) => world.edit(id))) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(...ROOTS), fc.constantFrom('own', 'drive-1'))
        .map(([id, to]) => step(`move ${id} ${to}`, ({ world }) => world.put(id, to))),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...ROOTS), fc.boolean())
        .map(([id, isTrashed]) => step(`trash ${id} ${isTrashed}`, ({ world }) => world.edit(id, { isTrashed }))),
    },
    {
      weight: 8,
      arbitrary: fc
        .tuple(fc.nat({ max: 5 }), fc.boolean())
        .map(([at, wake]) => step(`deliver ${at} ${wake}`, ({ world }) => world.deliver(at, { wake }))),
    },
    { weight: 5, arbitrary: which.map((n) => step(`sweep ${n}`, ({ world, refs }) => world.sweep(refs[n]))) },
    {
      weight: 2,
      arbitrary: which.map((n) => step(`ask ${n}`, ({ world, refs }) => world.work(true, undefined, false, refs[n]))),
    },
    { weight: 3, arbitrary: which.map((n) => step(`read ${n}`, ({ mirrors }) => mirrors[n]?.read())) },
    {
      weight: 4,
      arbitrary: fc
        .constantFrom(1, 61, 3_700, 30_000, 500_000)
        .map((seconds) => step(`pass ${seconds}`, ({ world }) => world.pass(seconds))),
    },
    {
      weight: 5,
      arbitrary: fc.tuple(fc.nat({ max: 60 }), fc.boolean()).map(([after, before]) =>
        step(`kill ${after} ${before}`, ({ world }) => {
          world.killAfter = after;
          world.killBefore = before;
        }),
      ),
    },
    {
      weight: 5,
      arbitrary: fc.tuple(thing, fc.nat({ max: 6 })).map(([id, calls]) =>
        step(`after ${calls} calls edit ${id}`, ({ world }) => {
          let left = calls;
          world.during = () => {
            left -= 1;
            if (left >= 0) return;
            world.during = undefined;
            world.edit(id);
          };
        }),
      ),
    },
    { weight: 6, arbitrary: meeting.map(({ name, take }) => step(name, ({ world, refs }) => take(world, refs))) },
    { weight: 3, arbitrary: mishap.map(({ name, take }) => step(name, ({ world, refs }) => take(world, refs))) },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        step('two at once', ({ world, refs }) =>
          Promise.all(refs.map((ref) => world.work(false, undefined, false, ref))),
        ),
        step('follow', ({ world }) => world.follow()),
        step('die', ({ world }) => {
          world.grant = 'dead';
        }),
        step('renew', ({ world }) => {
          world.grant = 'active';
        }),
        step('other account', ({ world }) => {
          world.account = world.account === 'account-1' ? 'account-2' : 'account-1';
        }),
        step('forget own', ({ world }) => world.forgetLog('own')),
        step('lose channels', ({ world }) => world.channels.clear()),
        step('no push', ({ world }) =>
          world.script.push({ kind: 'refusal', refusal: 'failed', status: 500, retryAfterSec: undefined }),
        ),
        step('fail', ({ world }) =>
          world.script.push({ kind: 'unavailable', reason: 'timeout', retryAfterSec: undefined }),
        ),
      ),
    },
  ),
  { maxLength: 60 },
);

function isBuilding(world: FolderWorld, ref: FeedRef): boolean {
  return world.feedOf(ref).encryptedCursor?.includes('building') !== false;
}

async function play(history: readonly Step[]): Promise<void> {
  const world = new FolderWorld();
  for (const id of ROOTS) world.put(id, 'own');
  for (const [id, to] of [
    ['folder-1', ROOT],
    ['folder-2', 'root-1'],
    ['file-1', 'folder-1'],
    ['file-2', 'folder-2'],
    ['file-3', 'root-2'],
  ] as const) {
    world.put(id, to);
  }
  const refs = [
    world.ref,
    world.addFeed('folder:root-1', { meaning: true, seen: true }),
    world.addFeed('folder:root-2'),
  ];
  const mirrors = refs.map((ref, n) => new FolderMirror(world, ref, ROOTS[n]));
  for (const [n, ref] of refs.entries()) {
    await world.work(false, undefined, false, ref);
    mirrors[n]?.listAll();
  }
  for (const { take } of history) await take({ world, refs, mirrors });
  world.calm();
  const settle = async (rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      const dueAt = Math.min(...refs.map((ref) => feedDueAt(world.feedOf(ref))));
      world.nowMs = Math.max(world.nowMs + 61_000, dueAt * 1000);
      for (const ref of refs) await world.sweep(ref);
    }
  };
  await settle(40);
  // Channels that Google has closed early are replaced at the end of their life, at the latest.
  world.pass(7 * 86_400);
  await settle(10);
  const unbegun = refs.map((ref, n) => [ref, ROOTS[n] ?? ROOT] as const).filter(([ref]) => isBuilding(world, ref));
  // A feed cannot begin while its folder does not exist.
  for (const [, root] of unbegun) world.edit(root, { isTrashed: false });
  if (unbegun.length > 0) await settle(40);
  // Messages that come now bring every change at once: no channel is missing, and none is one too many.
  world.messages.length = 0;
  // Channels of another account cannot be stopped.
  const known = new Set(refs.flatMap((ref) => world.feedOf(ref).channels.map(({ id }) => id)));
  const open = [...world.channels.values()].filter(({ id, endsAtMs }) => known.has(id) && endsAtMs > world.nowMs);
  const watching = refs.map((ref) => world.feedOf(ref)).filter(({ state }) => state === 'watching');
  const followed = new Set(watching.map(({ followedLog }) => followedLog || 'own'));
  expect(open.map(({ log }) => log).sort(), 'one channel for each log').toEqual([...followed].sort());
  world.put('file-new', 'own');
  for (const id of [...ROOTS, 'folder-1', 'folder-2', 'file-1', 'file-2', 'file-3', 'file-4']) world.edit(id);
  await deliverAll(world);
  for (const [n, mirror] of mirrors.entries()) {
    const root = ROOTS[n] ?? ROOT;
    await mirror.read();
    expect([...mirror.copy.keys()].sort(), root).toEqual(world.below(root).sort());
    const stale = [...mirror.copy].filter(([id, { version }]) => version !== world.nodes.get(id)?.version);
    expect(stale, root).toEqual([]);
  }
}

test('CH-24, CF-21, CF-32: after any history of moves, killed processes, turns that meet, clocks that jump, lost channels and dead grants each of several feeds of one log ends with what Google has, and is notified of the next change by one channel', {
  tags: ['drawn'],
  timeout: HISTORIES.timeout,
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, (history) => play(history)),
    { numRuns: HISTORIES.numRuns, ...HISTORIES.seed },
  );
});
