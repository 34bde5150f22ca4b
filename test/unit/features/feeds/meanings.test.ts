import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseFeedResource } from '../../../../lambdas/features/feeds/feed-resource.rules.ts';
import { FEED_LEASE_MS } from '../../../../lambdas/features/feeds/limits.rules.ts';
import {
  meaningsOf,
  readSights,
  readState,
  stateAfter,
  stateText,
} from '../../../../lambdas/features/feeds/meaning.rules.ts';
import { DRAWS_ALL } from '../../../support/draws.ts';
import { longHistories, play } from './histories.ts';
import { historiesAsked } from './support/histories-asked.ts';
import { World } from './support/world.ts';

/** `npm run test:feeds` plays ten thousand. */
const HISTORIES = historiesAsked(100);

describe('what changes of a calendar were', () => {
  test('CH-22: after any history of changes, killed processes, dead grants and forgotten places each meaning is right, and the consumer has what Google has', {
    tags: ['drawn'],
    timeout: HISTORIES.timeout,
  }, async () => {
    const words = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(longHistories, async (steps) => {
        for (const [word, count] of await play(steps, true)) words.set(word, (words.get(word) ?? 0) + count);
      }),
      { numRuns: HISTORIES.numRuns, ...HISTORIES.seed },
    );
    const known = ['cancelled', 'created', 'moved', 'responded', 'unknown', 'updated'];
    // A quarter of the histories may miss a word.
    if (DRAWS_ALL) expect([...words.keys()].sort()).toEqual(known);
    else expect(known).toEqual(expect.arrayContaining([...words.keys()]));
  });
});

/** The last changes of a feed, with their words. */
function lastTold(world: World): readonly (readonly [string, readonly string[] | undefined])[] {
  return (world.batches.at(-1)?.changes ?? []).map(({ id, what }) => [id, what]);
}

describe('what a feed remembers', () => {
  test('CF-25, CH-21: what a feed remembers is keyed hashes: no name, address, time or id is in any row of the table, and two feeds have nothing in common', async () => {
    const worlds = [new World('calendar:primary', { meaning: true }), new World('calendar:primary', { meaning: true })];
    for (const [number, world] of worlds.entries()) {
      // Another key, as every feed has.
      for (let step = 0; step < number; step++) world.dependencies().random.bytes(32);
      await world.work();
      for (let step = 0; step < 6; step++) {
        world.change('canary-thing');
        world.pass(60);
        await world.work(true);
      }
    }
    const [rows, others] = worlds.map(({ memory }) => memory.ofType('feed_state'));
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/canary|title|guest|2026-03-01/);
    const everything = worlds.map(({ memory }) => JSON.stringify([...memory.items.values()])).join();
    expect(everything).not.toMatch(/title|guest/);
    expect(Buffer.byteLength(JSON.stringify(rows?.[0]))).toBeLessThan(250);
    const words = (items: typeof rows) =>
      `${items?.[0]?.sk}.${items?.[0]?.known}`.split(/[.#]/).filter((one) => one.length > 6);
    expect(words(rows)).toHaveLength(5);
    expect(words(rows).filter((one) => words(others).includes(one))).toEqual([]);
  });

  test('CF-25, CH-21: goes with the feed, row by row, though it is more than one turn has time for', async () => {
    const world = new World('calendar:primary', { meaning: true });
    await world.work();
    for (let thing = 0; thing < 120; thing++) world.change(`thing-${thing}`);
    world.pass(60);
    await world.work(true);
    expect(world.memory.ofType('feed_state')).toHaveLength(120);
    await world.table.remove(world.feed, Math.floor(world.nowMs / 1000), world.event('FeedDeleted'));
    world.killAfter = 6;
    await world.sweep();
    expect(world.memory.ofType('feed_state').length).toBeGreaterThan(0);
    await world.sweep();
    expect(world.memory.ofType('feed_state')).toEqual([]);
    expect(world.memory.ofType('feed_mark')).toEqual([]);
  });

  test('CH-21: goes when meanings are turned off, and begins again when they are turned on, with the account too', async () => {
    const world = new World('calendar:primary', { meaning: true });
    await world.work();
    const pull = async () => {
      world.pass(60);
      await world.work(true);
    };
    world.change('thing');
    await pull();
    expect(lastTold(world)).toEqual([['thing', ['created']]]);
    await world.table.changeSettings(world.ref, { meaning: false });
    world.change('thing');
    await pull();
    expect(lastTold(world)).toEqual([['thing', undefined]]);
    expect(world.memory.ofType('feed_state')).toEqual([]);
    expect(world.feed.statesSinceMs).toBeUndefined();
    expect(world.memory.ofType('feed_states_key')).toEqual([]);
    await world.table.changeSettings(world.ref, { meaning: true });
    await pull();
    world.change('thing');
    await pull();
    expect(lastTold(world)).toEqual([['thing', ['unknown']]]);
    world.account = 'account-2';
    await pull();
    world.change('thing');
    await pull();
    expect(lastTold(world)).toEqual([['thing', ['unknown']]]);
    expect(world.memory.ofType('feed_state')).toHaveLength(1);
  });

  test('CH-22, CF-32: a feed’s memory stays when a holder whose lease ran out deletes the memory of before', async () => {
    const world = new World('calendar:primary', { meaning: true });
    const { eraseStates } = world.dependencies().feeds;
    world.instead.eraseStates = async (...args) => {
      world.instead = {};
      world.pass(FEED_LEASE_MS / 1000);
      await world.work(true);
      world.change('thing');
      world.pass(60);
      await world.work(true);
      return eraseStates(...args);
    };
    expect(await world.work()).toEqual({ kind: 'busy' });
    expect(lastTold(world)).toEqual([['thing', ['created']]]);
    world.change('thing');
    world.pass(60);
    await world.work(true);
    expect(lastTold(world)).toEqual([['thing', ['moved']]]);
  });

  test('CH-22: what came twice is reported once, and what was only opened not at all unless it is wanted', async () => {
    const world = new World('calendar:primary', { meaning: true });
    await world.work();
    world.change('thing');
    world.pass(60);
    await world.work(true);
    const told = world.batches.length;
    // The page comes again, as after a list whose page token has run out.
    await world.set({ encryptedCursor: `sealed:${JSON.stringify({ kind: 'at', token: 'account-1@0' })}` });
    world.pass(60);
    await world.work(true);
    expect(world.batches).toHaveLength(told);
  });
});

const KEY = new Uint8Array(32);

/** The words for a change of a file or event, from the members that Google shows. */
function wordsFor(
  resource: 'drive' | 'calendar:primary',
  before: object | undefined,
  now: object | undefined,
): string[] {
  const parsed = parseFeedResource(resource);
  if (parsed === undefined) throw new Error('No resource');
  const kind = resource === 'drive' ? ('file' as const) : ('event' as const);
  const sightOf = (shown: object | undefined) => {
    const answer = kind === 'file' ? { changes: [{ fileId: 'x', file: shown }] } : { items: [{ id: 'x', ...shown }] };
    return shown === undefined ? undefined : readSights(parsed, answer).get(`${kind} x`);
  };
  const change = (removed: boolean) => ({ id: 'x', kind, removed, time: undefined, mimeType: undefined });
  const known = before === undefined ? undefined : stateAfter(KEY, change(false), sightOf(before), undefined);
  const stored = known === undefined ? undefined : readState(stateText(known));
  const sight = sightOf(now);
  const after = stateAfter(KEY, change(now === undefined), sight, stored);
  return meaningsOf(kind, stored, after, {
    isNew: false,
    isUnanswered: sight?.isUnanswered === true,
    isTimed: sight?.isTimed,
  });
}

describe('words', () => {
  const file = {
    name: 'a',
    parents: ['p'],
    mimeType: 'text/plain',
    md5Checksum: '1',
    headRevisionId: '1',
    modifiedTime: '2026-03-01T00:00:00Z',
    permissions: [{ id: 'o', role: 'owner' }],
  };
  const doc = {
    ...file,
    ...{ mimeType: 'application/vnd.google-apps.document', md5Checksum: undefined, headRevisionId: undefined },
  };
  const folder = { ...doc, mimeType: 'application/vnd.google-apps.folder' };
  const shortcut = { ...doc, mimeType: 'application/vnd.google-apps.shortcut' };
  const later = { modifiedTime: '2026-03-02T00:00:00Z' };

  test.each([
    ['the same bytes, uploaded again', file, { ...file, ...later, headRevisionId: '2' }, ['updated']],
    ['nothing but that it was opened', file, { ...file, viewedByMeTime: '2026-03-02T00:00:00Z' }, ['seen']],
    ['other bytes', file, { ...file, md5Checksum: '2' }, ['content']],
    [
      'a new revision of what has no checksum',
      { ...file, md5Checksum: undefined },
      { ...file, md5Checksum: undefined, headRevisionId: '2' },
      ['content'],
    ],
    ['what Google’s editors keep', doc, { ...doc, ...later }, ['content']],
    ['a new name of what Google’s editors keep', doc, { ...doc, ...later, name: 'b' }, ['renamed', 'updated']],
    ['another description of what Google’s editors keep', doc, { ...doc, ...later, description: 'b' }, ['updated']],
    ['a new name of a shortcut', shortcut, { ...shortcut, ...later, name: 'b' }, ['renamed']],
    ['another description of a shortcut', shortcut, { ...shortcut, ...later, description: 'b' }, ['updated']],
    ['what a shortcut leads to being edited', shortcut, { ...shortcut, ...later }, ['updated']],
    ['another description of a folder', folder, { ...folder, ...later }, ['updated']],
    ['a new name and another folder', file, { ...file, name: 'b', parents: ['q'] }, ['renamed', 'moved']],
    ['a move to a shared drive', file, { ...file, driveId: 'd', permissions: undefined }, ['moved']],
    ['another role', file, { ...file, permissions: [{ id: 'o', role: 'writer' }] }, ['shared']],
    ['permissions that are not shown any more', file, { ...file, permissions: undefined }, ['seen']],
    ['the trash', file, { ...file, trashed: true }, ['trashed']],
    ['back from the trash', { ...file, trashed: true }, file, ['restored']],
    ['out of reach', file, undefined, ['removed']],
    ['first seen', undefined, file, ['unknown']],
  ])('CH-20: words of a file: %s', (_, before, now, words) => {
    expect(wordsFor('drive', before, now)).toEqual(words);
  });

  const event = {
    updated: '2026-03-01T00:00:00Z',
    start: { dateTime: '2026-03-02T10:00:00Z' },
    end: { dateTime: '2026-03-02T11:00:00Z' },
    summary: 'a',
    attendees: [{ email: 'a@example.com', responseStatus: 'needsAction' }],
  };
  const touched = { updated: '2026-03-01T00:01:00Z' };
  const accepted = [{ email: 'a@example.com', responseStatus: 'accepted' }];

  test.each([
    ['another time', event, { ...event, ...touched, start: { dateTime: '2026-03-02T10:30:00Z' } }, ['moved']],
    ['an answer', event, { ...event, ...touched, attendees: accepted }, ['responded']],
    [
      'another time, which resets the answers',
      { ...event, attendees: accepted },
      { ...event, ...touched, end: { dateTime: '2026-03-02T12:00:00Z' } },
      ['moved'],
    ],
    [
      'a guest more',
      event,
      { ...event, ...touched, attendees: [...event.attendees, { email: 'b@example.com' }] },
      ['updated'],
    ],
    ['another title', event, { ...event, ...touched, summary: 'b' }, ['updated']],
    ['what the feed does not ask for', event, { ...event, ...touched }, ['updated']],
    ['the same once more', event, event, []],
    ['its end', event, undefined, ['cancelled']],
    ['first seen', undefined, event, ['unknown']],
  ])('CH-20: words of an event: %s', (_, before, now, words) => {
    expect(wordsFor('calendar:primary', before, now)).toEqual(words);
  });
});
