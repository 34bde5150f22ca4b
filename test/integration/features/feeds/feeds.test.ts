import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { batchSk, feedItemKey } from '../../../../lambdas/features/feeds/feed-keys.store.ts';
import { runGateway, startGateway } from '../../../support/command-line.ts';
import { freePorts } from '../../../support/free-ports.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { copyPreparedData } from '../../../support/prepared-data.ts';
import { quietNowMs } from '../../../support/quiet-time.ts';
import { control, forgetRequests, ownerOf, requests } from '../../../support/simulator.ts';
import { changeItem, tableClient } from '../../../support/table.ts';

const ROOT = join(import.meta.dirname, '../../../..');

/** A feed as the API shows it. */
interface ShownFeed {
  readonly id: string;
  readonly state: string;
  readonly remedy: string;
  readonly last_sequence: number;
  readonly cursors: unknown;
}

let test_: TestGateway;
let dataDir: string;
/** Google's API as the first account's owner uses it, alongside the gateway. */
let asOwner: Awaited<ReturnType<typeof ownerOf>>;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'feeds-'));
  copyPreparedData(dataDir, true);
  test_ = await startTestGateway({ dataDir, port: await freePorts() });
  asOwner = await ownerOf(test_);
  // The seeded connection may not see who a calendar is shared with.
  await connect('google-calendar', 'shares', 'first.user@example.com');
  await connect('google-drive', 'editor', 'editor@workspace.example');
  for (const provider of ['google-drive', 'google-calendar'])
    await connect(provider, 'meaning', 'first.user@example.com');
});
afterAll(async () => {
  await test_[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true, force: true });
});

const json = (method: string, path: string, body?: unknown) => test_.json(method, path, body);

async function watch(
  integration: string,
  resource: string,
  connectionId = test_.connectionId(integration),
): Promise<ShownFeed> {
  const body = { provider_config_key: integration, connection_id: connectionId, resource };
  const made = await json('POST', '/feeds', body);
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  return made.body.data;
}

function readRow(Key: { pk: string; sk: string }) {
  return tableClient(test_).send(new GetCommand({ TableName: test_.gateway.tableName, Key, ConsistentRead: true }));
}

async function shown(feedId: string): Promise<ShownFeed> {
  return (await json('GET', `/feeds/${feedId}`)).body.data;
}

/** A connection of another Google account. */
async function connect(integration: string, connectionId: string, account: string): Promise<void> {
  const { refresh_token } = Object(await control(test_, 'POST', '/tokens', { account }));
  const credentials = { type: 'OAUTH2', refresh_token };
  const body = { provider_config_key: integration, connection_id: connectionId, credentials };
  expect(await json('POST', '/connections', body)).toMatchObject({ status: 201 });
}

/** Paths of Google's API that were asked for, without their queries. */
async function paths(): Promise<string[]> {
  return (await requests(test_)).map(({ target }) => target.replace(/\?.*$/, ''));
}

interface Batches {
  readonly data: readonly {
    readonly sequence: number;
    readonly kind: string;
    readonly changes: readonly { readonly id: string; readonly removed: boolean; readonly what?: readonly string[] }[];
  }[];
}

/** Looks until there is something, for a minute at most. */
async function arrival<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T | undefined> {
  for (const endAt = Date.now() + 60_000; ; ) {
    const found = await look();
    if (found !== undefined || Date.now() > endAt) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Waits for a batch after `after` with a change of an id.
 *
 * @param removed what the change must say; two logs may report the same change
 */
async function changeOf(feedId: string, after: number, id: string, removed?: boolean) {
  const found = await arrival(async () => {
    const { data } = (await json('GET', `/feeds/${feedId}/changes?after=${after}`)).body as Batches;
    for (const { sequence, changes } of data) {
      const wanted = changes.find((one) => one.id === id && (removed ?? one.removed) === one.removed);
      if (wanted !== undefined) return { ...wanted, sequence };
    }
    return;
  });
  if (found === undefined) throw new Error(`No change of ${id} came`);
  return found;
}

const newFile = async (name: string) => (await asOwner('POST', '/drive/v3/files', { name, mimeType: 'text/plain' })).id;

/** Google's API as somebody uses it who has a shared drive. */
const editor = () => ownerOf(test_, 'editor@workspace.example');

/** No message waits for a pull. */
async function isQuiet(feedId: string): Promise<boolean> {
  return Object(await shown(feedId)).pull_waiting === false;
}

const ALL_DAY = { start: { date: '2027-01-01' }, end: { date: '2027-01-02' } };

const EVENTS = '/calendar/v3/calendars/primary/events';
const newEvent = async (summary: string) => (await asOwner('POST', EVENTS, { summary, ...ALL_DAY })).id;

describe('a feed of a Drive', () => {
  test('CF-24, CF-25: a new file arrives on the bus and through the route within seconds, by its id alone', async () => {
    const made = await watch('google-drive', 'drive');
    expect(made).toMatchObject({ state: 'watching', reason: null, last_sequence: 0 });
    const id = await newFile('a name that nobody is told');
    const change = await changeOf(made.id, 0, id);
    expect(change).toMatchObject({ kind: 'file', removed: false, mime_type: 'text/plain' });
    const event = await test_.gateway.waitForEvent((one) => {
      return one['detail-type'] === 'FeedChanged' && JSON.stringify(one.detail).includes(id);
    });
    expect(JSON.stringify(event)).not.toContain('a name that nobody');
    expect(event.detail).toMatchObject({ feed_id: made.id, resource: 'drive', kind: 'changes' });
  });
});

describe('a feed of a calendar', () => {
  test('CF-24: reports new and cancelled events, and none that existed before', async () => {
    const before = await newEvent('was there before');
    const made = await watch('google-calendar', 'calendar:primary');
    expect(made).toMatchObject({ state: 'watching', last_sequence: 0 });
    const id = await newEvent('a title that nobody is told');
    const added = await changeOf(made.id, 0, id);
    expect(added).toMatchObject({ kind: 'event', removed: false });
    await asOwner('DELETE', `${EVENTS}/${id}`);
    expect(await changeOf(made.id, added.sequence, id)).toMatchObject({ removed: true });
    const all: Batches = (await json('GET', `/feeds/${made.id}/changes?after=0`)).body;
    expect(JSON.stringify(all)).not.toContain(before);
    expect(all.data.map(({ sequence }) => sequence)).toEqual(all.data.map((_, index) => index + 1));
  });

  test('the same resource twice gives the first feed', async () => {
    const first = await watch('google-calendar', 'calendar:primary');
    expect(await watch('google-calendar', 'calendar:primary')).toMatchObject({ id: first.id });
  });
});

describe('a feed with meaning', () => {
  async function watchWithMeaning(integration: string, resource: string): Promise<ShownFeed> {
    const body = { provider_config_key: integration, connection_id: 'meaning', resource, meaning: true };
    const made = await json('POST', '/feeds', body);
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    expect(made.body.data).toMatchObject({ meaning: true, seen: false });
    return made.body.data;
  }

  /** Waits for so many changes of a file or event, and compares their words in order. */
  async function told(feedId: string, id: string, wanted: readonly (readonly string[])[]) {
    let words: unknown[] = [];
    let tickAtMs = Date.now() + 5_000;
    await arrival(async () => {
      // On a busy machine a wake-up may be lost, which the schedule makes up for.
      if (Date.now() > tickAtMs) {
        tickAtMs = Date.now() + 5_000;
        await test_.gateway.tick('feeds');
      }
      const { data } = (await json('GET', `/feeds/${feedId}/changes?after=0`)).body as Batches;
      words = data.flatMap(({ changes }) => changes.filter((one) => one.id === id).map(({ what }) => what));
      return words.length >= wanted.length ? true : undefined;
    });
    expect(words).toEqual(wanted);
  }

  test('CH-20: says of a file that it was made, renamed, changed, shared, trashed, restored and removed, and not that it was opened', {
    tags: ['long'],
  }, async () => {
    const made = await watchWithMeaning('google-drive', 'drive');
    const id = await newFile('a name that nobody is told');
    const steps: [string[], string, string, unknown?][] = [
      [['created'], 'PATCH', '', { name: 'another name', description: 'nothing of this is told' }],
      [['renamed', 'updated'], 'PATCH', '', { description: 'another one' }],
      [['updated'], 'POST', '/permissions', { type: 'user', role: 'reader', emailAddress: 'second.user@example.com' }],
      [['shared'], 'PATCH', '', { viewedByMeTime: new Date().toISOString() }],
      [[], 'PATCH', '', { trashed: true }],
      [['trashed'], 'PATCH', '', { trashed: false }],
      [['restored'], 'DELETE', ''],
      [['removed'], '', ''],
    ];
    const wanted: string[][] = [];
    for (const [words, method, path, body] of steps) {
      if (words.length > 0) wanted.push(words);
      await told(made.id, id, wanted);
      if (method !== '') await asOwner(method, `/drive/v3/files/${id}${path}`, body);
    }
  });

  test('CH-20: says of an event that it was made, moved, answered, changed and cancelled', {
    tags: ['long'],
  }, async () => {
    const made = await watchWithMeaning('google-calendar', 'calendar:primary');
    const attendees = [{ email: 'second.user@example.com' }];
    const { id } = await asOwner('POST', EVENTS, { summary: 'a title', ...ALL_DAY, attendees });
    const answered = [{ ...attendees[0], responseStatus: 'accepted' }];
    const steps: [string[], string, unknown?][] = [
      [['created'], 'PATCH', { start: { date: '2027-02-01' }, end: { date: '2027-02-02' } }],
      [['moved'], 'PATCH', { attendees: answered }],
      [['responded'], 'PATCH', { summary: 'another title' }],
      [['updated'], 'DELETE'],
      [['cancelled'], ''],
    ];
    const wanted: string[][] = [];
    for (const [words, method, body] of steps) {
      wanted.push(words);
      await told(made.id, id, wanted);
      if (method !== '') await asOwner(method, `${EVENTS}/${id}`, body);
    }
    const event = await test_.gateway.waitForEvent((one) => JSON.stringify(one.detail).includes('responded'));
    expect(event.detail).toMatchObject({ feed_id: made.id });
  });

  test('CH-26: reminds of an event and of an occurrence of a series, and not of what is declined', {
    tags: ['long'],
  }, async () => {
    const { id } = await watchWithMeaning('google-calendar', 'calendar:primary');
    const changed = await json('PATCH', `/feeds/${id}`, { reminders: [10, 60] });
    expect(changed).toMatchObject({ status: 200, body: { data: { reminders: [10, 60] } } });
    const after = (await shown(id)).last_sequence;
    const at = (minutes: number) => ({
      dateTime: new Date(Date.now() + minutes * 60_000).toISOString(),
      timeZone: 'UTC',
    });
    const times = { start: at(5), end: at(35) };
    const single = await asOwner('POST', EVENTS, { summary: 'a title that nobody is told', ...times });
    const series = await asOwner('POST', EVENTS, { summary: 's', ...times, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] });
    const me = [{ email: 'first.user@example.com', responseStatus: 'declined' }];
    const declined = await asOwner('POST', EVENTS, { summary: 'd', ...times, attendees: me });
    const later = await asOwner('POST', EVENTS, { summary: 'l', start: at(600), end: at(630) });
    const starts: Record<string, unknown>[] = [];
    await arrival(async () => {
      const { data } = (await json('GET', `/feeds/${id}/changes?after=${after}`)).body as Batches;
      starts.length = 0;
      for (const { kind, changes } of data) if (kind === 'starts') starts.push(...changes.map((one) => ({ ...one })));
      return starts.length >= 2 ? true : undefined;
    });
    const start = new Date(Math.floor(Date.parse(times.start.dateTime) / 1000) * 1000).toISOString();
    const wanted = {
      kind: 'event',
      removed: false,
      time: expect.stringContaining(start.slice(0, 19)),
      minutes_before: 10,
    };
    expect(starts).toHaveLength(2);
    expect(starts).toContainEqual({ ...wanted, id: single.id });
    expect(starts).toContainEqual({ ...wanted, id: expect.stringMatching(new RegExp(`^${series.id}_`)) });
    expect(JSON.stringify(starts)).not.toContain(declined.id);
    const event = await test_.gateway.waitForEvent((one) => Object(one.detail).kind === 'starts');
    expect(event.detail).toMatchObject({ feed_id: id, resource: 'calendar:primary' });
    expect(JSON.stringify(event)).not.toContain('a title');
    // The schedule reports an event that starts in a moment.
    const before = (await shown(id)).last_sequence;
    const soon = await asOwner('POST', EVENTS, { summary: 'soon', start: at(10 + 1 / 15), end: at(11) });
    const told = await arrival(async () => {
      await test_.gateway.tick('feeds');
      const { data } = (await json('GET', `/feeds/${id}/changes?after=${before}`)).body as Batches;
      return data.find(({ kind, changes }) => kind === 'starts' && changes.some((one) => one.id === soon.id));
    });
    expect(told?.changes).toHaveLength(1);
    await asOwner('DELETE', `${EVENTS}/${later.id}`);
  });

  test('a feed with meaning is refused to what has none, when it is made and when it is changed', async () => {
    const body = {
      provider_config_key: 'google-calendar',
      connection_id: 'meaning',
      resource: 'settings',
      meaning: true,
    };
    const refused = await json('POST', '/feeds', body);
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'invalid_body' } } });
    const made = await watch('google-calendar', 'settings', 'meaning');
    expect(await json('PATCH', `/feeds/${made.id}`, { meaning: true })).toMatchObject({ status: 400 });
    expect(await json('PATCH', `/feeds/${made.id}`, { reminders: [10] })).toMatchObject({ status: 400 });
    for (const reminders of [[0], [1441], [10, 10], [1, 2, 3, 4, 5, 6], ['10']]) {
      expect(await json('POST', '/feeds', { ...body, resource: 'calendar:primary', reminders })).toMatchObject({
        status: 400,
      });
    }
  });
});

describe('a feed of another resource', () => {
  test('a feed of another resource of a shared drive names it and both of its options in start, watch and list alike, and shows what comes and goes', {
    tags: ['long'],
  }, async () => {
    const asEditor = await editor();
    const [{ id: driveId }] = Object(await asEditor('GET', '/drive/v3/drives')).drives;
    await forgetRequests(test_);
    const made = await watch('google-drive', `drive:${driveId}`, 'editor');
    expect(made).toMatchObject({ state: 'watching', last_sequence: 0 });
    const file = { name: 'shared', mimeType: 'text/plain', parents: [driveId] };
    const files = '/drive/v3/files';
    const { id } = await asEditor('POST', `${files}?supportsAllDrives=true`, file);
    const added = await changeOf(made.id, 0, id);
    expect(added).toMatchObject({ kind: 'file', removed: false });
    await asEditor('DELETE', `${files}/${id}?supportsAllDrives=true`);
    expect(await changeOf(made.id, added.sequence, id)).toMatchObject({ removed: true });
    const asked = (await requests(test_, 'api')).filter(({ target }) => target.startsWith('/drive/v3/changes'));
    const kinds = new Set<string>();
    for (const { target } of asked) {
      const { pathname, searchParams } = new URL(target, 'http://google.example');
      kinds.add(pathname.slice('/drive/v3/'.length));
      expect([searchParams.get('driveId'), searchParams.get('supportsAllDrives')], target).toEqual([driveId, 'true']);
      // The start token has no such option; where there is one it equals the other.
      if (!pathname.endsWith('startPageToken')) expect(searchParams.get('includeItemsFromAllDrives')).toBe('true');
    }
    expect([...kinds].sort()).toEqual(['changes', 'changes/startPageToken', 'changes/watch']);
  });

  test('CH-2: a file that goes to a shared drive and stays readable is no removal; its later changes are in the feed of that drive', {
    tags: ['long'],
  }, async () => {
    const asEditor = await editor();
    const [{ id: driveId }] = Object(await asEditor('GET', '/drive/v3/drives')).drives;
    const own = await watch('google-drive', 'drive', 'editor');
    const ofDrive = await watch('google-drive', `drive:${driveId}`, 'editor');
    const { id } = await asEditor('POST', '/drive/v3/files', { name: 'goes', mimeType: 'text/plain' });
    const made = await changeOf(own.id, own.last_sequence, id);
    const query = `supportsAllDrives=true&addParents=${driveId}&removeParents=root`;
    await asEditor('PATCH', `/drive/v3/files/${id}?${query}`, {});
    const moved = { kind: 'file', removed: false, mime_type: 'text/plain' };
    expect(await changeOf(own.id, made.sequence, id)).toMatchObject(moved);
    const entered = await changeOf(ofDrive.id, ofDrive.last_sequence, id);
    expect(entered).toMatchObject(moved);
    await asEditor('DELETE', `/drive/v3/files/${id}?supportsAllDrives=true`);
    expect(await changeOf(ofDrive.id, entered.sequence, id)).toMatchObject({ removed: true });
  });

  test('CH-25: a feed of another resource of drives joins a shared drive that is new, reads the log that a message names alone, and leaves with the drive', {
    tags: ['long'],
  }, async () => {
    const asEditor = await editor();
    // Of a connection of its own: another feed of the user's own log would share its channel.
    await connect('google-drive', 'joining', 'editor@workspace.example');
    const made = await watch('google-drive', 'drives', 'joining');
    expect(made).toMatchObject({ state: 'watching', last_sequence: 0 });
    const { id: driveId } = await asEditor('POST', '/drive/v3/drives?requestId=joined', { name: 'joined' });
    const joined = await changeOf(made.id, 0, driveId);
    expect(joined).toMatchObject({ kind: 'drive', removed: false });
    await forgetRequests(test_);
    const file = { name: 'in the drive', mimeType: 'text/plain', parents: [driveId] };
    const { id } = await asEditor('POST', '/drive/v3/files?supportsAllDrives=true', file);
    const added = await changeOf(made.id, joined.sequence, id);
    expect(added).toMatchObject({ kind: 'file', removed: false, mime_type: 'text/plain' });
    // The simulator's log of a user has the file, too, so that the change may come before the drive's log is read.
    const driveLogs = async () =>
      (await requests(test_, 'api'))
        .map(({ target }) => new URL(target, 'http://google.example'))
        .filter(({ pathname }) => pathname === '/drive/v3/changes')
        .flatMap(({ searchParams }) => searchParams.get('driveId') ?? []);
    await expect.poll(async () => new Set(await driveLogs())).toEqual(new Set([driveId]));
    await asEditor('DELETE', `/drive/v3/files/${id}?supportsAllDrives=true`);
    const removed = await changeOf(made.id, added.sequence, id, true);
    await asEditor('DELETE', `/drive/v3/drives/${driveId}`);
    expect(await changeOf(made.id, removed.sequence, driveId, true)).toMatchObject({ kind: 'drive' });
    await forgetRequests(test_);
    expect((await json('DELETE', `/feeds/${made.id}`)).status).toBe(200);
    // The user's own log, and that of the drive that is there from the start.
    expect((await paths()).filter((path) => path.endsWith('/channels/stop'))).toHaveLength(2);
  });

  test('CH-24: a feed of another resource of several folders in My Drive have one channel, and a message has their history read once for all', {
    tags: ['long'],
  }, async () => {
    const connectionId = 'several';
    await connect('google-drive', connectionId, 'editor@workspace.example');
    const owner = await editor();
    const made: { readonly folder: string; readonly feed: ShownFeed }[] = [];
    await forgetRequests(test_);
    for (let number = 0; number < 4; number++) {
      const mimeType = 'application/vnd.google-apps.folder';
      const { id: folder } = await owner('POST', '/drive/v3/files', { name: `one of several ${number}`, mimeType });
      made.push({ folder, feed: await watch('google-drive', `folder:${folder}`, connectionId) });
    }
    expect((await paths()).filter((path) => path === '/drive/v3/changes/watch')).toHaveLength(1);
    const put = async (folder: string) =>
      (await owner('POST', '/drive/v3/files', { name: 'in it', mimeType: 'text/plain', parents: [folder] })).id;
    // The first read of each is at its own place.
    for (const { folder, feed } of made) await changeOf(feed.id, 0, await put(folder));
    await arrival(async () =>
      (await Promise.all(made.map(({ feed }) => isQuiet(feed.id)))).every(Boolean) ? true : undefined,
    );
    await forgetRequests(test_);
    const files = new Map<string, string>();
    for (const { folder, feed } of made) files.set(feed.id, await put(folder));
    for (const [feedId, file] of files) await changeOf(feedId, 0, file);
    const lists = (await paths()).filter((path) => path === '/drive/v3/changes');
    // A message for each file at most, and one feed's read for all.
    expect(lists.length).toBeLessThanOrEqual(files.size + 1);
    const [first, second] = made;
    expect(first).toBeDefined();
    await json('DELETE', `/feeds/${first?.feed.id}`);
    await test_.gateway.tick('feeds');
    await changeOf(second?.feed.id ?? '', 0, await put(second?.folder ?? ''));
    for (const { feed } of made.slice(1)) expect(await shown(feed.id)).toMatchObject({ state: 'watching' });
    for (const { feed } of made.slice(1)) await json('DELETE', `/feeds/${feed.id}`);
  });

  test('a feed of another resource of an access list and of the list of calendars shows what comes and goes', {
    tags: ['long'],
  }, async () => {
    const list = await watch('google-calendar', 'calendar_list');
    const { id: calendar } = await asOwner('POST', '/calendar/v3/calendars', { summary: 'planned' });
    const added = await changeOf(list.id, list.last_sequence, calendar);
    expect(added).toMatchObject({ kind: 'calendar', removed: false });
    const acl = await watch('google-calendar', `acl:${calendar}`, 'shares');
    expect(acl).toMatchObject({ state: 'watching', last_sequence: 0 });
    const rules = `/calendar/v3/calendars/${calendar}/acl`;
    const rule = { role: 'reader', scope: { type: 'user', value: 'second.user@example.com' } };
    const { id } = await asOwner('POST', rules, rule);
    const shared = await changeOf(acl.id, 0, id);
    expect(shared).toMatchObject({ kind: 'acl', removed: false });
    await asOwner('DELETE', `${rules}/${encodeURIComponent(id)}`);
    expect(await changeOf(acl.id, shared.sequence, id)).toMatchObject({ removed: true });
    await asOwner('DELETE', `/calendar/v3/calendars/${calendar}`);
    expect(await changeOf(list.id, added.sequence, calendar)).toMatchObject({ removed: true });
  });
});

describe('polling', () => {
  /** Brings about what time alone would: the feed is due, and a channel may be asked for. */
  const makeDue = (feedId: string) =>
    changeItem(test_, feedItemKey({ accountId: 'default', feedId }), {
      watchAtEpochSec: 0,
      pullAtEpochSec: 0,
      notBeforeEpochSec: 0,
      refreshAt: 0,
    });
  const watches = async () => (await paths()).filter((path) => path.endsWith('/watch')).length;

  test('a generated calendar is polled with its reason, and asked for a channel again after a week', {
    tags: ['long'],
  }, async () => {
    const made = await watch('google-calendar', 'calendar:en.usa#holiday@group.v.calendar.google.com');
    expect(made).toMatchObject({ state: 'polling', reason: 'push_not_supported', remedy: 'You need not do anything.' });
    await forgetRequests(test_);
    await json('POST', `/feeds/${made.id}/pull`);
    expect(await watches()).toBe(0);
    const { Item } = await readRow(feedItemKey({ accountId: 'default', feedId: made.id }));
    expect(Number(Item?.watchAtEpochSec) - Date.now() / 1000).toBeGreaterThan(6.9 * 24 * 3600);
    await makeDue(made.id);
    await test_.gateway.tick('feeds');
    expect([await watches(), (await shown(made.id)).state]).toEqual([1, 'polling']);
    const told = await runGateway(test_, ['feeds', 'show', made.id]);
    expect(told.out).toContain('polling: Google sends no messages for this resource');
  });

  test('a refused address is polled with its remedy, changes still come, and push comes back once Google allows it', async () => {
    await control(test_, 'POST', '/channels', { unauthorized: true });
    const made = await watch('google-calendar', 'acl:primary', 'shares');
    expect(made).toMatchObject({ state: 'polling', reason: 'address_not_authorized', channel_ends_at: null });
    expect(made.remedy).toContain('verify that domain');
    const rule = { role: 'reader', scope: { type: 'user', value: 'viewer@workspace.example' } };
    const { id } = await asOwner('POST', '/calendar/v3/calendars/primary/acl', rule);
    await makeDue(made.id);
    await test_.gateway.tick('feeds');
    const polled = await changeOf(made.id, 0, id);
    expect(await shown(made.id)).toMatchObject({ state: 'polling', reason: 'address_not_authorized', messages: 0 });
    await control(test_, 'POST', '/channels', { unauthorized: false });
    await makeDue(made.id);
    await test_.gateway.tick('feeds');
    expect(await shown(made.id)).toMatchObject({ state: 'watching', reason: null, remedy: null });
    await asOwner('DELETE', `/calendar/v3/calendars/primary/acl/${encodeURIComponent(id)}`);
    expect(await changeOf(made.id, polled.sequence, id)).toMatchObject({ removed: true });
  });
});

describe('an end', () => {
  /** Stops and revocations in the order in which Google got them. */
  const ends = async () => (await paths()).filter((path) => path.endsWith('/channels/stop') || path === '/revoke');

  test('CF-29: an end of a connection, or of an integration with all of its own, stops each channel once and before the grant is revoked', async () => {
    const account = 'viewer@workspace.example';
    await connect('google-calendar', 'leaves', account);
    for (const resource of ['calendar:primary', 'calendar_list']) await watch('google-calendar', resource, 'leaves');
    await forgetRequests(test_);
    const path = '/connections/leaves?provider_config_key=google-calendar&revoke=force';
    expect((await json('DELETE', path)).status).toBe(200);
    const stop = '/calendar/v3/channels/stop';
    expect(await ends()).toEqual([stop, stop, '/revoke']);
    await json('POST', '/integrations/quickstart', { provider: 'google-calendar', unique_key: 'trial' });
    for (const [id, user] of [
      ['one', account],
      ['two', 'second.user@example.com'],
    ] as const) {
      await connect('trial', id, user);
      await watch('trial', 'settings', id);
    }
    await forgetRequests(test_);
    const deleted = await json('DELETE', '/integrations/trial?revoke=true');
    expect(deleted.body, JSON.stringify(deleted)).toMatchObject({ deleted_connections: 2 });
    expect((await ends()).sort()).toEqual([stop, stop, '/revoke', '/revoke']);
    // A token that was revoked stops nothing: each stop came before.
    const open: { sub: string }[] = Object(await control(test_, 'GET', '/channels')).channels;
    const others = ['104857600000000000011', '104857600000000000033'];
    expect(open.filter(({ sub }) => !others.includes(sub))).toEqual([]);
    const left: { provider_config_key: string }[] = (await json('GET', '/feeds')).body.data;
    expect(left.filter(({ provider_config_key }) => provider_config_key === 'trial')).toEqual([]);
  });
});

describe('the inbox', () => {
  const send = (headers: Record<string, string>, init: RequestInit = {}) =>
    fetch(`${test_.gateway.gatewayUrl}/inbox/google/channel`, { method: 'POST', headers, ...init });

  test('CF-22: answers 404 to what names no channel or no token of it, and 405 to what is no message', async () => {
    await watch('google-drive', 'drive');
    for (const headers of [
      {},
      { 'x-goog-channel-id': 'made-up', 'x-goog-channel-token': 'made-up', 'x-goog-resource-state': 'change' },
    ]) {
      const answer = await send(headers);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('x-gateway-error')).toBe('not_found');
    }
    expect((await send({}, { method: 'GET' })).status).toBe(405);
    expect((await send({}, { body: 'x'.repeat(70_000) })).status).toBe(413);
  });

  test('CF-23: a storm of messages leads to a few pulls, and nothing of it is missed', { tags: ['long'] }, async () => {
    const made = await watch('google-drive', 'drive');
    const from = made.last_sequence;
    await forgetRequests(test_);
    const startedMs = Date.now();
    const ids = await Promise.all(Array.from({ length: 40 }, (_, index) => newFile(`storm ${index}`)));
    await Promise.all(ids.map((id) => changeOf(made.id, from, id)));
    // Another feed of the account has meanings, and reads pages of its own size.
    const isItsPull = (target: string) => target.startsWith('/drive/v3/changes?') && target.includes('pageSize=100&');
    const pulls = (await requests(test_, 'api')).filter(({ target }) => isItsPull(target));
    expect(pulls.length).toBeGreaterThan(0);
    expect(pulls.length, 'one in two seconds').toBeLessThanOrEqual((Date.now() - startedMs) / 2_000 + 2);
  });
});

describe('consumers', () => {
  test('CF-30: reads on behind a sequence or a cursor of its own, whose lag shows in the feed', async () => {
    const made = await watch('google-calendar', 'calendar:primary');
    const id = await newEvent('for two consumers');
    const { sequence } = await changeOf(made.id, made.last_sequence, id);
    const moved = await json('PUT', `/feeds/${made.id}/cursors/mirror`, { sequence: sequence - 1 });
    expect(moved).toMatchObject({ status: 200, body: { data: { name: 'mirror', sequence: sequence - 1 } } });
    const read: Batches = (await json('GET', `/feeds/${made.id}/changes?name=mirror&limit=1`)).body;
    expect(read.data.map((batch) => batch.sequence)).toEqual([sequence]);
    const now = await shown(made.id);
    expect(now.cursors).toMatchObject([{ name: 'mirror', lag: now.last_sequence - sequence + 1 }]);
    expect((await json('GET', `/feeds/${made.id}/changes`)).status).toBe(400);
    expect((await json('PATCH', `/feeds/${made.id}`, { delivery: 'pull' })).body).toMatchObject({
      data: { delivery: 'pull', last_sequence: now.last_sequence },
    });
    expect((await json('DELETE', `/feeds/${made.id}/cursors/mirror`)).status).toBe(200);
  });

  test('CF-30: 10,000 batches of a feed are kept; older positions get 410, and a consumer that reads there is reported once', {
    tags: ['long'],
  }, async () => {
    const made = await watch('google-calendar', 'calendar:primary');
    const row = feedItemKey({ accountId: 'default', feedId: made.id });
    const first = await changeOf(made.id, made.last_sequence, await newEvent('the batch that will be too many'));
    await json('PUT', `/feeds/${made.id}/cursors/slow`, { sequence: first.sequence - 1 });
    // What would take hours: the batches between are not there, as if time had removed them.
    const sequence = first.sequence + 9_999;
    await changeItem(test_, row, { sequence });
    const next = await changeOf(made.id, sequence, await newEvent('one too many'));
    expect(next.sequence).toBe(sequence + 1);
    const told = await test_.gateway.waitForEvent((one) => one['detail-type'] === 'FeedFailing');
    expect(told.detail).toMatchObject({ feed_id: made.id, cause: 'consumer_behind' });
    const old = await json('GET', `/feeds/${made.id}/changes?name=slow`);
    expect([old.status, JSON.stringify(old.body)]).toEqual([410, expect.stringContaining('cursor_too_old')]);
    expect((await readRow({ pk: row.pk, sk: batchSk(first.sequence) })).Item).toBeUndefined();
    expect((await json('GET', `/feeds/${made.id}/changes?after=${sequence}`)).status).toBe(200);
    await changeOf(made.id, next.sequence, await newEvent('and another'));
    expect((await json('GET', '/events?type=FeedFailing')).body.data).toHaveLength(1);
    // Other consumers of the calendar would meet the gap.
    expect((await json('DELETE', `/feeds/${made.id}`)).status).toBe(200);
  });

  test('CF-29: deleting a feed stops its channel once, and no message arrives on a stopped channel', async () => {
    const made = await watch('google-calendar', 'settings');
    await forgetRequests(test_);
    expect((await json('DELETE', `/feeds/${made.id}`)).status).toBe(200);
    const stops = (await requests(test_, 'api')).filter(({ target }) => target.endsWith('/channels/stop'));
    expect(stops).toHaveLength(1);
    expect((await json('GET', `/feeds/${made.id}`)).status).toBe(404);
    expect((await json('GET', `/feeds/${made.id}/changes?after=0`)).status).toBe(404);
  });

  test('refuses a resource of the other provider, and one that Google does not have', async () => {
    const wanted = (integration: string, resource: string) => {
      const connection_id = test_.connectionId(integration);
      return json('POST', '/feeds', { provider_config_key: integration, connection_id, resource });
    };
    expect((await wanted('google-drive', 'calendar:primary')).status).toBe(400);
    expect((await wanted('google-drive', 'folder:x')).status).toBe(400);
    const q = encodeURIComponent("mimeType = 'text/plain'");
    const [noFolder] = Object(await asOwner('GET', `/drive/v3/files?pageSize=1&q=${q}`)).files;
    expect((await wanted('google-drive', `folder:${noFolder.id}`)).status).toBe(400);
    const missing = await wanted('google-calendar', 'calendar:nobody@example.com');
    expect([missing.status, JSON.stringify(missing.body)]).toEqual([400, expect.stringContaining('Google refuses it')]);
  });
});

/** A program of examples/feeds that runs as a process of its own. */
function runMirror(folder: string, name: string, integration: string, environment: Record<string, string> = {}) {
  const code = readFileSync(join(ROOT, 'examples', 'feeds', name), 'utf8');
  const script = join(folder, name);
  writeFileSync(script, code.replace('@integration-gateway/client', join(ROOT, 'packages/client/src/index.ts')));
  const env = {
    ...process.env,
    GATEWAY_BASE_URL: test_.gateway.gatewayUrl,
    GATEWAY_SECRET_KEY: test_.gateway.secretKey,
    CONNECTION_ID: test_.connectionId(integration),
    ...environment,
  };
  return watched(spawn('node', [script], { env, stdio: ['pipe', 'pipe', 'pipe'] }));
}

/** Waits for what a process prints, and ends it. */
function watched(child: ChildProcess) {
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (printed += String(chunk)));
  const says = async (wanted: string) => {
    await arrival(() => (printed.includes(wanted) || child.exitCode !== null ? true : undefined));
    if (!printed.includes(wanted)) throw new Error(`No "${wanted}" in: ${printed}`);
  };
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  };
  return { says, end, printed: () => printed, type: (line: string) => child.stdin?.write(`${line}\n`) };
}

describe('the programs of examples/feeds', () => {
  test('CH-26: ring.mjs prints a line before a meeting', { tags: ['long'] }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ring-'));
    const ringing = runMirror(folder, 'ring.mjs', 'google-calendar', { CONNECTION_ID: 'shares' });
    try {
      await ringing.says('waiting for meetings');
      const at = (minutes: number) => ({ dateTime: new Date(Date.now() + minutes * 60_000).toISOString() });
      await asOwner('POST', EVENTS, { summary: 'a meeting that nobody expected', start: at(5), end: at(30) });
      // On a busy machine a wake-up may be lost, which the schedule makes up for.
      const ticks = setInterval(() => void test_.gateway.tick('feeds'), 5_000);
      await ringing.says('"a meeting that nobody expected" starts in').finally(() => clearInterval(ticks));
    } finally {
      await ringing.end();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('CH-23: search-folder.mjs finds what is below a folder, and nothing that has left', {
    tags: ['long'],
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'search-'));
    const make = (name: string, parent: string, mimeType = 'application/vnd.google-apps.folder') =>
      asOwner('POST', '/drive/v3/files', { name, mimeType, parents: [parent] }).then(({ id }) => String(id));
    const move = (id: string, from: string, to: string) =>
      asOwner('PATCH', `/drive/v3/files/${id}?addParents=${to}&removeParents=${from}`, {});
    const top = await make('top', 'root');
    const outside = await make('outside', 'root');
    const below = await make('below', top);
    const deep = await make('deep word', below, 'text/plain');
    const searching = runMirror(folder, 'search-folder.mjs', 'google-drive', { FOLDER_ID: top });
    try {
      await searching.says('indexed 2');
      searching.type('deep');
      await searching.says(`found ${deep} deep word`);
      const late = await make('late word', below, 'text/plain');
      await searching.says(`${late} late word`);
      await move(below, top, outside);
      await searching.says(`${below} is gone`);
      searching.type('word');
      const inside = await make('last word', top, 'text/plain');
      await searching.says(`${inside} last word`);
      await move(below, outside, top);
      await searching.says(`${below} below`);
      const before = searching.printed();
      searching.type('word');
      await searching.says(`found ${inside} last word`);
      const found = (id: string, text: string) => text.split(`found ${id}`).length - 1;
      expect([found(deep, before), found(late, before)], 'not while they were elsewhere').toEqual([1, 0]);
      await expect.poll(() => [found(deep, searching.printed()), found(late, searching.printed())]).toEqual([2, 1]);
    } finally {
      await searching.end();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('its mirrors see a file and an event come, change and go, and continue at their places after a restart', {
    tags: ['long'],
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mirror-'));
    const mirrored = { name: 'mirrored', mimeType: 'application/vnd.google-apps.folder' };
    const { id: folderId } = await asOwner('POST', '/drive/v3/files', mirrored);
    const walks = [
      {
        run: () => runMirror(folder, 'mirror-folder.mjs', 'google-drive', { FOLDER_ID: folderId }),
        make: () => asOwner('POST', '/drive/v3/files', { name: 'one', mimeType: 'text/plain', parents: [folderId] }),
        path: '/drive/v3/files',
        change: { name: 'two' },
      },
      {
        run: () => runMirror(folder, 'mirror-calendar.mjs', 'google-calendar'),
        make: () => asOwner('POST', EVENTS, { ...ALL_DAY, summary: 'one' }),
        path: EVENTS,
        change: { summary: 'two' },
      },
    ];
    try {
      await Promise.all(
        walks.map(async ({ run, make, path, change }) => {
          const first = run();
          try {
            await first.says('listed ');
            const { id } = await make();
            await first.says(`${id} one`);
            await first.end();
            await asOwner('PATCH', `${path}/${id}`, change);
            const second = run();
            try {
              await second.says(`${id} two`);
              await asOwner('DELETE', `${path}/${id}`);
              await second.says(`${id} is gone`);
            } finally {
              await second.end();
            }
          } finally {
            await first.end();
          }
        }),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('trouble', () => {
  test('SH-2, TB-5: with every call of feeds hanging, a due token is refreshed in the same minute', {
    tags: ['long'],
  }, async () => {
    await watch('google-drive', 'drive');
    const hanging = { match: { origin: 'api', pathPrefix: '/drive/v3/changes' }, action: { hang: true } };
    await control(test_, 'POST', '/faults', hanging);
    await forgetRequests(test_);
    await newFile('whose pull hangs');
    const isPulling = async () =>
      (await requests(test_, 'api')).some(({ target }) => target.startsWith('/drive/v3/changes'));
    await expect.poll(isPulling).toBe(true);
    const startedMs = quietNowMs();
    const path = `/connections/${test_.connectionId('google-drive')}/refresh?provider_config_key=google-drive`;
    expect((await json('POST', path)).status).toBe(200);
    expect(await test_.gateway.tick('refresh')).toMatchObject({ finished: true });
    expect(quietNowMs() - startedMs).toBeLessThan(7_000);
    await control(test_, 'DELETE', '/faults');
  });

  test('CF-28: a feed pauses with its connection and sends an event', async () => {
    const made = await watch('google-calendar', 'calendar_list');
    await control(test_, 'POST', '/grants/kill', { account: 'first.user@example.com', reason: 'user_revoked' });
    await control(test_, 'POST', '/tokens/expire', { kind: 'access' });
    await json('POST', `/feeds/${made.id}/pull`);
    const paused = await shown(made.id);
    expect(paused).toMatchObject({ state: 'paused', reason: 'reauthorization_required' });
    expect(paused.remedy).toContain('reconnect');
    const told = await test_.gateway.waitForEvent((one) => one['detail-type'] === 'FeedPaused');
    expect(told.detail).toMatchObject({ feed_id: made.id, resource: 'calendar_list' });
    // A consumer that starts now finds its feed and learns why no batches arrive; a new feed needs the grant.
    expect(await watch('google-calendar', 'calendar_list')).toMatchObject({ id: made.id, state: 'paused' });
    const { feed } = (await json('GET', `/feeds/${made.id}/changes?after=0`)).body;
    expect(feed).toMatchObject({ state: 'paused', reason: 'reauthorization_required', remedy: paused.remedy });
    const connection = { provider_config_key: 'google-calendar', connection_id: test_.connectionId('google-calendar') };
    const another = await json('POST', '/feeds', { ...connection, resource: 'calendar:another' });
    expect(another).toMatchObject({ status: 424, body: { error: { code: 'reauthorization_required' } } });
    await forgetRequests(test_);
    await test_.gateway.tick('feeds');
    const asked = (await paths()).filter((path) => path.startsWith('/calendar/'));
    expect(asked).toEqual([]);
  });
});

// The last one: the simulator forgets its channels with its process.
test('CF-30: gateway feeds follow outlives a restart of the gateway and continues at its cursor, each batch once', {
  tags: ['long'],
}, async () => {
  const account = 'viewer@workspace.example';
  await connect('google-drive', 'followed', account);
  const made = await watch('google-drive', 'drive', 'followed');
  const change = async (name: string) => {
    // Again each time: after the restart Google's stand-in is at another address.
    const asViewer = await ownerOf(test_, account);
    const { id } = await asViewer('POST', '/drive/v3/files', { name, mimeType: 'text/plain' });
    await json('POST', `/feeds/${made.id}/pull`);
    return id;
  };
  const follower = watched(startGateway(test_, ['feeds', 'follow', made.id, '--cursor', 'shell']).child);
  try {
    const before = await change('before');
    await follower.says(before);
    const { port } = new URL(test_.gateway.gatewayUrl);
    await test_[Symbol.asyncDispose]();
    await follower.says('The gateway does not answer');
    test_ = await startTestGateway({ dataDir, port: Number(port) });
    const after = await change('after');
    await follower.says(after);
    expect(follower.printed().split(before)).toHaveLength(2);
    expect((await shown(made.id)).cursors).toMatchObject([{ name: 'shell' }]);
  } finally {
    await follower.end();
  }
});
