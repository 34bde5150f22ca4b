import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endFeed } from '../../../../lambdas/features/feeds/end-feed.ts';
import { feedDueAt } from '../../../../lambdas/features/feeds/feed.rules.ts';
import { FEED_LOG_SK_PREFIX, feedItemKey } from '../../../../lambdas/features/feeds/feed-keys.store.ts';
import type { Meaning } from '../../../../lambdas/features/feeds/feed-resource.rules.ts';
import { DRAWS_ALL } from '../../../support/draws.ts';
import { meeting, mishap } from './support/disorder.ts';
import { DrivesMirror, DrivesWorld, type FileFacets, type Place } from './support/drives-world.ts';
import { historiesAsked } from './support/histories-asked.ts';
import { MeaningOracle } from './support/meaning-oracle.ts';

/** `npm run test:feeds` plays ten thousand. */
const HISTORIES = historiesAsked(25);

type Step = (world: DrivesWorld, mirror: DrivesMirror) => Promise<unknown> | unknown;

const file = fc.integer({ min: 1, max: 6 }).map((number) => `file-${number}`);
const drive = fc.integer({ min: 1, max: 3 }).map((number) => `drive-${number}` as const);
const place: fc.Arbitrary<Place | undefined> = fc.oneof(fc.constant('own' as const), drive, fc.constant(undefined));
const named = (name: string, step: Step): { readonly name: string; readonly step: Step } => ({
  name,
  step: Object.assign(step, { toString: () => name }),
});

const step = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.tuple(file, place).map(([id, to]) => named(`put ${id} ${to}`, (world) => world.put(id, to))),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(drive, fc.boolean(), fc.boolean())
      .map(([id, joins, isSaid]) =>
        named(`member ${id} ${joins} ${isSaid}`, (world) => world.setMember(id, joins, isSaid)),
      ),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.nat({ max: 5 }), fc.boolean(), fc.boolean())
      .map(([at, wake, keep]) => named(`deliver ${at} ${wake} ${keep}`, (world) => world.deliver(at, { wake, keep }))),
  },
  {
    weight: 2,
    arbitrary: fc.nat({ max: 5 }).map((at) => named(`lose ${at}`, (world) => world.messages.splice(at, 1))),
  },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(1, 61, 3_700, 30_000, 600_000)
      .map((sec) => named(`pass ${sec}`, (world) => world.pass(sec))),
  },
  { weight: 5, arbitrary: fc.constant(named('sweep', (world) => world.sweep())) },
  { weight: 3, arbitrary: fc.constant(named('read', (_, mirror) => mirror.read())) },
  {
    weight: 4,
    arbitrary: fc.tuple(fc.nat({ max: 25 }), fc.boolean()).map(([after, before]) =>
      named(`kill ${after} ${before}`, (world) => {
        world.killAfter = after;
        world.killBefore = before;
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(file, place).map(([id, to]) =>
      named(`meanwhile ${id} ${to}`, (world) => {
        world.during = () => {
          world.during = undefined;
          world.put(id, to);
        };
      }),
    ),
  },
  { weight: 4, arbitrary: meeting.map(({ name, take }) => named(name, (world) => take(world, [world.ref]))) },
  { weight: 3, arbitrary: mishap.map(({ name, take }) => named(name, (world) => take(world, [world.ref]))) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      named('forget own', (world) => world.forgetLog('own')),
      named('forget drive-1', (world) => world.forgetLog('drive-1')),
      named('die', (world) => {
        world.grant = 'dead';
      }),
      named('renew', (world) => {
        world.grant = 'active';
      }),
      named('other account', (world) => {
        world.account = world.account === 'account-1' ? 'account-2' : 'account-1';
      }),
      named('fail', (world) => world.script.push({ kind: 'unavailable', reason: 'timeout', retryAfterSec: undefined })),
      named('follow', (world) => world.follow()),
      named('lose rows', (world) => world.loseRows()),
      named('hurry', (world) => {
        world.budgetMs = 12_000;
        world.callMs = 1_500;
      }),
      named('take time', (world) => takeTime(world)),
      named('run out of quota', (world) => {
        world.during = () => {
          world.during = undefined;
          world.quotaUntil = Math.floor(world.nowMs / 1000) + 60;
        };
      }),
      named('two at once', (world) => Promise.all([world.work(true), world.work(true)])),
      named('stall', (world) => {
        world.during = async () => {
          world.during = undefined;
          world.pass(90);
          await world.work(true);
        };
      }),
    ),
  },
);

/** Few files that stay visible, so most are reported more than once. */
const busyStep = fc.oneof(
  { weight: 3, arbitrary: step },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom('own', 'own', 'drive-1'))
      .map(([number, to]) => named(`put file-${number} ${to}`, (world) => world.put(`file-${number}`, to))),
  },
  { weight: 1, arbitrary: fc.constant(named('read it all', (world) => world.work(true))) },
);

function takeTime(world: DrivesWorld): void {
  world.budgetMs = 600_000;
  world.callMs = 0;
}

async function play(steps: readonly { readonly name: string; readonly step: Step }[], meaning = false): Promise<Words> {
  // Views are reported, too, so the consumer's copy has every version.
  const world = new DrivesWorld({ meaning, seen: true });
  if (meaning) {
    // Older than the feed, so that it does not know of them what they were.
    for (const id of ['file-1', 'file-2']) world.put(id, 'own');
    world.pass(60);
  }
  const oracle = new MeaningOracle<FileFacets>(
    world,
    'removed',
    ({ mimeType = '' }) => world.shown.get(mimeType),
    differencesOfFiles,
    // Permissions are not shown of what lies in a shared drive.
    (before, now) => (now.place === 'own' ? now : { ...now, shared: before?.shared }),
  );
  const mirror = new DrivesMirror(world);
  let isMirroring = false;
  const begin = () => {
    if (isMirroring || world.feed.state === 'starting') return;
    // Rule 1 of a consumer: list once the place in the history is stored.
    mirror.done = 0;
    mirror.listAll();
    isMirroring = true;
  };
  for (const one of steps) {
    if (one.name !== 'read' || isMirroring) await one.step(world, mirror);
    begin();
    if (meaning) oracle.check();
    const numbers = world.batches.map(({ sequence }) => sequence);
    if (numbers.some((sequence, position) => sequence !== position + 1)) throw new Error(`Numbers: ${numbers.join()}`);
  }
  takeTime(world);
  world.calm();
  world.messages.length = 0;
  for (let round = 0; round < 60; round++) {
    world.nowMs = Math.max(world.nowMs + 61_000, feedDueAt(world.feed) * 1000);
    await world.sweep();
    if (meaning) oracle.check();
    begin();
  }
  await mirror.read();
  const shown = (files: Iterable<readonly [string, { readonly place: Place; readonly version: number }]>) =>
    [...files].map(([id, { place: at, version }]) => `${id} ${at} ${version}`).sort();
  const wanted = shown([...world.files].filter(([id]) => world.isReadable(id)));
  expect(shown(mirror.copy)).toEqual(wanted);
  expect((await world.table.logs(world.ref)).map(({ driveId }) => driveId)).toEqual([...world.members].sort());
  return oracle.words;
}

type Words = ReadonlyMap<string, number>;

/** The changes of a file since it was last reported. */
function differencesOfFiles(before: FileFacets | undefined, now: FileFacets, isBack: boolean): Meaning[] {
  if (before === undefined) return isBack ? ['restored'] : now.isTrashed ? ['trashed'] : [];
  const told: Meaning[] = [];
  if (before.content !== now.content) told.push('content');
  if (before.name !== now.name) told.push('renamed');
  if (before.place !== now.place) told.push('moved');
  if (before.shared !== undefined && before.shared !== now.shared && now.place === 'own') told.push('shared');
  if (now.isTrashed && !before.isTrashed) told.push('trashed');
  if (isBack || (before.isTrashed && !now.isTrashed)) told.push('restored');
  return told.length === 0 ? ['seen'] : told;
}

const FIRST = 200;

/** A feed of drives whose user sees so many. */
async function following(drives: number): Promise<DrivesWorld> {
  const world = new DrivesWorld();
  for (let number = 1; number <= drives; number++) world.members.add(`drive-${number}`);
  await world.work();
  world.takeListed();
  world.admitted.length = 0;
  return world;
}

async function followed(world: DrivesWorld): Promise<number> {
  return (await world.table.logs(world.ref)).length;
}

describe('a feed of all that a user sees', () => {
  test('CH-25: follows 200 shared drives, says that it leaves others out, and takes one up when there is room', async () => {
    const world = await following(FIRST + 1);
    expect(await followed(world)).toBe(FIRST);
    expect(world.feed).toMatchObject({ state: 'watching', reason: 'too_many_drives' });
    world.pass(60);
    await world.work(true);
    expect(world.feed.reason, 'a turn that does not compare').toBe('too_many_drives');
    world.setMember('drive-7', false, false);
    world.pass(7 * 3600);
    await world.sweep();
    expect(await followed(world)).toBe(FIRST);
    expect(world.feed).toMatchObject({ state: 'watching', reason: undefined });
    expect(world.batches.flatMap(({ changes }) => changes)).toMatchObject([
      { kind: 'drive', id: 'drive-7', removed: true },
      { kind: 'drive', id: `drive-${FIRST + 1}`, removed: false },
    ]);
  });

  test('CH-25: reads the logs that messages name, and takes quota for each', async () => {
    const world = await following(45);
    world.put('file-1', 'drive-9');
    world.pass(60);
    await world.deliver(0, { wake: true });
    expect(world.takeListed()).toEqual(['drive-9']);
    expect(world.admitted.splice(0)).toEqual([1, 1]);
    world.pass(60);
    await world.work(true);
    expect(new Set(world.takeListed()).size).toBe(45);
    expect(world.admitted).toEqual([1, 20, 20, 5]);
  });

  test.each([
    ['time', (world: DrivesWorld) => void Object.assign(world, { budgetMs: 20_000, callMs: 1_000 })],
    [
      'quota',
      (world: DrivesWorld) => {
        world.during = () => {
          if (world.calls.length % 12 === 0) world.quotaUntil = Math.floor(world.nowMs / 1000) + 30;
        };
      },
    ],
  ])(
    'CH-25: a turn that has no %s for all logs leaves the rest to the next, which does not begin again',
    async (_, shorten) => {
      const world = await following(45);
      shorten(world);
      const read: string[] = [];
      world.pass(7 * 3600);
      for (let turn = 0; read.length < 45 && turn < 12; turn++) {
        world.pass(61);
        await world.sweep();
        read.push(...world.takeListed());
      }
      expect(new Set(read).size, read.join()).toBe(45);
      expect(read.length, 'each once, and at most one a turn twice').toBeLessThan(60);
    },
  );

  test('CH-25: a log whose position Google has forgotten is reported as a drive to list again', async () => {
    const world = await following(1);
    world.forgetLog('drive-1');
    world.pass(60);
    await world.work(true);
    expect(world.batches.flatMap(({ changes }) => changes)).toMatchObject([
      { kind: 'drive', id: 'drive-1', removed: false },
    ]);
  });

  test('CH-25: rows of logs that are gone are reported as a gap, so that no drive that was left meanwhile is kept', async () => {
    const world = await following(2);
    world.put('file-1', 'drive-1');
    world.pass(60);
    await world.work(true);
    const mirror = new DrivesMirror(world);
    mirror.listAll();
    await mirror.read();
    world.memory.delete({ ...feedItemKey(world.ref), sk: `${FEED_LOG_SK_PREFIX}drive-1` });
    world.setMember('drive-1', false, false);
    world.pass(60);
    await world.work(true);
    await mirror.read();
    expect(world.batches.at(-1)).toMatchObject({ kind: 'gap', reason: 'restored' });
    expect([...mirror.copy]).toEqual([]);
    expect(await followed(world)).toBe(1);
    world.pass(7 * 3600);
    await world.sweep();
    expect(
      world.batches.filter(({ kind }) => kind === 'gap'),
      'once',
    ).toHaveLength(1);
  });

  test('CH-25, CF-32: drives that are joined and left lead to no gap, whichever answer of the table is lost', async () => {
    for (let calls = 0; calls < 40; calls++) {
      const world = await following(2);
      world.setMember('drive-1', false, false);
      world.setMember('drive-3', true, false);
      world.pass(7 * 3600);
      world.loseAnswerAfter = calls;
      await world.sweep();
      world.loseAnswerAfter = undefined;
      for (let tick = 0; tick < 3; tick++) {
        world.pass(400);
        await world.sweep();
      }
      expect((await world.table.logs(world.ref)).map(({ driveId }) => driveId)).toEqual(['drive-2', 'drive-3']);
      const reported = world.batches.map(({ kind, changes }) => [
        kind,
        ...changes.map(({ id, removed }) => `${id} ${removed}`),
      ]);
      expect(reported, `${calls}`).toEqual([
        ['changes', 'drive-1 true'],
        ['changes', 'drive-3 false'],
      ]);
    }
  });

  test('CH-25: a file that moves to a place where the user still sees it is reported as changed, never as removed', async () => {
    const world = await following(2);
    world.put('file-1', 'own');
    for (const place of ['drive-1', 'drive-2', 'own'] as const) {
      world.pass(60);
      world.put('file-1', place);
      await world.work(true);
    }
    const told = world.batches.flatMap(({ changes }) => changes);
    expect(told.length).toBeGreaterThan(2);
    expect(told.filter(({ removed }) => removed)).toEqual([]);
  });

  test('CF-29: ends with the channels of all its logs, and leaves no row of them', async () => {
    const world = await following(3);
    const open = [...world.channels.values()];
    expect(open).toHaveLength(4);
    const { feeds, ...deps } = world.dependencies();
    const connection = await deps.connections.read(world.feed.connection);
    const integration = await deps.integrations.get({ accountId: 'default', integrationId: 'google-calendar' });
    if (connection === undefined || integration === undefined) throw new Error('No connection');
    expect(
      await endFeed({ ...deps, feeds }, world.ref, { connection, integration }, { requestId: 'r', actor: 'key:1' }),
    ).toBe(true);
    expect([...world.channels.keys()]).toEqual([]);
    expect(world.memory.ofType('feed_log')).toEqual([]);
    expect(world.memory.ofType('channel')).toEqual([]);
    for (const { id, token } of open) expect(await world.message(id, token)).toBe(404);
  });

  test('CH-25, CF-21, CF-32: after any history of files, moves, memberships, lost messages, killed processes, turns that meet, clocks that jump and forgotten positions a consumer ends with what the user sees', {
    tags: ['drawn'],
    timeout: HISTORIES.timeout,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        await play(steps);
      }),
      { numRuns: HISTORIES.numRuns, ...HISTORIES.seed },
    );
  });

  test('CH-22: each meaning of a change is right, whatever the history', {
    tags: ['drawn'],
    timeout: HISTORIES.timeout,
  }, async () => {
    const words = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(busyStep, { minLength: 30, maxLength: 80 }), async (steps) => {
        for (const [word, count] of await play(steps, true)) words.set(word, (words.get(word) ?? 0) + count);
      }),
      { numRuns: HISTORIES.numRuns, ...HISTORIES.seed },
    );
    const files = [
      'content',
      'created',
      'moved',
      'removed',
      'renamed',
      'restored',
      'seen',
      'shared',
      'trashed',
      'unknown',
    ];
    // A quarter of the histories may miss a word.
    if (DRAWS_ALL) expect([...words.keys()].sort()).toEqual(files);
    else expect(files).toEqual(expect.arrayContaining([...words.keys()]));
  });
});
