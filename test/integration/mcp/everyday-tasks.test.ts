// @module-tag long
/**
 * Everyday tasks, done with the arguments that a model would send, by the official client. Every resource of the user is compared before and
 * after, member by member: nothing changes that the task does not name.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectAccount, setScopes } from '../../support/connect.ts';
import { connectOfficialClient } from '../../support/official-mcp-client.ts';
import { control } from '../../support/simulator.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

// biome-ignore lint/suspicious/noExplicitAny: results of tools and resources of Google's, of which each task reads what it needs.
type Json = any;
type Members = Record<string, unknown>;
type Resources = Record<string, Members>;

const gateway = useTestGateway();

/** The user lives in a zone whose clock never changes, so that days of tests are alike all year. */
const USER = 'viewer@workspace.example';
const COLLEAGUE = 'editor@workspace.example';
const [BEN, EVE] = ['first.user@example.com', 'second.user@example.com'];
const ZONE = 'Asia/Tokyo';
const DAY_MS = 24 * 3600 * 1000;
/** A Monday four weeks from now, and the days after it. */
const MONDAY_MS = (Math.floor(Date.now() / DAY_MS / 7) + 4) * 7 * DAY_MS + 4 * DAY_MS;
const day = (n: number) => new Date(MONDAY_MS + n * DAY_MS).toISOString().slice(0, 10);
const at = (n: number, time: string) => `${day(n)}T${time}:00`;
const exact = (n: number, time: string) => `${at(n, time)}+09:00`;
const from = (n: number, time: string) => ({ dateTime: exact(n, time), timeZone: ZONE });

const DRIVE = '/drive/v3/files';
const CALENDAR = '/calendar/v3/calendars';
const GOOGLE = 'application/vnd.google-apps.';
const LARGE = Array.from({ length: 4_000 }, (_, line) => `line ${line} of many`).join('\n');

/** What changes by itself with any change of a resource. */
const BOOKKEEPING = new Set(
  'etag updated sequence version modifiedTime modifiedByMeTime modifiedByMe viewedByMe viewedByMeTime lastModifyingUser headRevisionId md5Checksum sha1Checksum sha256Checksum size quotaBytesUsed thumbnailVersion capabilities hasThumbnail'.split(
    ' ',
  ),
);

type Google = (method: string, path: string, body?: unknown, type?: string) => Promise<Json>;
let asUser: Google;
let asColleague: Google;
let client: Awaited<ReturnType<typeof connectOfficialClient>>;
/** Ids by the names that tasks use. */
const ids: Record<string, string> = {};
const id = (name: string) => ids[name] ?? '';

beforeAll(async () => {
  await setScopes(gateway, 'google-drive', ['drive']);
  await setScopes(gateway, 'google-calendar', ['calendar']);
  for (const integration of ['google-drive', 'google-calendar']) {
    await connectAccount(gateway, integration, { account: USER }, { end_user: { id: 'user' } });
  }
  const limits = {
    ...{ mode: 'enforce', approve: ['drive.permissions.create'], minute: { calls: 5_000 } },
    allow: ['drive:read', 'drive:write', 'calendar:read', 'calendar:write', 'calendar:delete'],
  };
  const made = await gateway.json('POST', '/account/agents', { name: 'Everyday', end_user_id: 'user', limits });
  client = await connectOfficialClient(gateway, made.body.data.agent_key);
  [asUser, asColleague] = await Promise.all([googleAs(USER), googleAs(COLLEAGUE)]);
  await makeFiles();
  await makeEvents();
});
afterAll(() => client.close());

async function googleAs(account: string): Promise<Google> {
  const { access_token: token } = Object(await control(gateway, 'POST', '/tokens', { account }));
  return async (method, path, body, type = 'application/json') => {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const answer = await fetch(`${gateway.gateway.simulatorUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return answer.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : text;
  };
}

async function makeFiles(): Promise<void> {
  const make = async (name: string, body: Members, content?: string | Uint8Array, by = asUser) => {
    const made = await by('POST', `${DRIVE}?supportsAllDrives=true`, { name, ...body });
    ids[name] = made.id;
    if (content === undefined) return;
    const path = `/upload${DRIVE}/${made.id}?uploadType=media&supportsAllDrives=true`;
    await by('PATCH', path, content, String(body.mimeType ?? 'text/plain'));
  };
  await make('Projects', { mimeType: `${GOOGLE}folder` });
  await make('Archive', { mimeType: `${GOOGLE}folder`, description: 'What is over' });
  const share = { type: 'user', role: 'reader', emailAddress: COLLEAGUE };
  await asUser('POST', `${DRIVE}/${id('Archive')}/permissions?sendNotificationEmail=false`, share);
  const marks = { description: 'kept', starred: true, properties: { a: '1' }, parents: [id('Projects')] };
  await make('notes.txt', { mimeType: 'text/plain', ...marks }, 'Größe und Maß');
  await make('readme.md', { mimeType: 'text/markdown', ...marks }, '# Read me');
  await make('settings.json', { mimeType: 'application/json', ...marks }, '{"a":1}');
  await make('people.csv', { mimeType: 'text/csv', ...marks }, 'name,age\nAnn,30');
  await make('large.txt', { mimeType: 'text/plain', ...marks }, LARGE);
  await make('old.txt', { mimeType: 'text/plain', ...marks }, Buffer.from('Größe', 'latin1'));
  await make('draft.txt', { mimeType: 'text/plain', ...marks }, 'to be thrown away');
  await make('Plan', { mimeType: `${GOOGLE}document`, ...marks });
  await make('Budget', { mimeType: `${GOOGLE}spreadsheet`, ...marks });
  await make('link', { mimeType: `${GOOGLE}shortcut`, shortcutDetails: { targetId: id('notes.txt') } });
  const drive = await asColleague('POST', '/drive/v3/drives?requestId=team', { name: 'Team' });
  ids.Team = drive.id;
  const member = { type: 'user', role: 'organizer', emailAddress: USER };
  await asColleague(
    'POST',
    `${DRIVE}/${drive.id}/permissions?supportsAllDrives=true&sendNotificationEmail=false`,
    member,
  );
  for (const name of ['roadmap.txt', 'minutes.txt']) {
    await make(name, { mimeType: 'text/plain', parents: [drive.id] }, name, asColleague);
  }
}

async function makeEvents(): Promise<void> {
  const make = async (name: string, body: Members, by = asUser, calendar = 'primary') => {
    const made = await by('POST', `${CALENDAR}/${encodeURIComponent(calendar)}/events?sendUpdates=none`, {
      ...{ summary: name, description: `about ${name}`, location: 'Room 1', colorId: '5' },
      ...{ reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] } },
      ...body,
    });
    ids[name] = made.id;
  };
  const span = (n: number, start: string, end: string, timeZone = ZONE) => ({
    start: { dateTime: exact(n, start), timeZone },
    end: { dateTime: exact(n, end), timeZone },
  });
  const self = { email: USER, responseStatus: 'accepted' };
  const colleague = {
    email: COLLEAGUE,
    responseStatus: 'accepted',
    optional: true,
    comment: 'by phone',
    displayName: 'Ed',
  };
  await make('Dentist', { ...span(1, '15:00', '16:00'), visibility: 'private' });
  await make('Night train', span(1, '00:10', '05:00'));
  await make('Lunch', span(2, '12:00', '13:00'));
  await make('Call with New York', span(2, '22:00', '22:30', 'America/New_York'));
  await make('Review', {
    ...span(3, '15:00', '16:00'),
    attendees: [self, colleague, { email: BEN, responseStatus: 'declined', comment: 'on leave' }],
  });
  const all = Array.from({ length: 25 }, (_, n) => ({ email: `guest${n}@example.com`, responseStatus: 'accepted' }));
  await make('All hands', { ...span(1, '10:00', '11:00'), attendees: [self, ...all] });
  await make('Offsite', { start: { date: day(4) }, end: { date: day(5) } });
  await make('Fair', { start: { date: day(7) }, end: { date: day(10) } });
  await make('Standup', { ...span(0, '09:30', '09:45'), recurrence: ['RRULE:FREQ=DAILY;COUNT=10'] });
  const invited = { attendees: [{ email: USER }, { email: BEN, responseStatus: 'accepted' }] };
  for (const [name, n] of [
    ['Planning', 8],
    ['Applicant', 9],
    ['Party', 10],
  ] as const) {
    await make(name, { ...span(n, '11:00', '12:00'), ...invited }, asColleague);
  }
  await make(
    'Secret party',
    { ...span(10, '18:00', '19:00'), ...invited, guestsCanSeeOtherGuests: false },
    asColleague,
  );
  const team = await asUser('POST', CALENDAR, { summary: 'Releases', timeZone: 'America/New_York' });
  ids.Releases = team.id;
  await make('Release', { start: { date: day(1) }, end: { date: day(2) } }, asUser, team.id);
}

/** Every file and event that the user has, with each of its members. */
async function look(): Promise<Resources> {
  const everywhere = 'corpora=allDrives&includeItemsFromAllDrives=true&supportsAllDrives=true';
  const { files } = await asUser('GET', `${DRIVE}?pageSize=1000&fields=*&${everywhere}`);
  const seen: Resources = {};
  for (const file of files) {
    const { mimeType } = file;
    file.content =
      file.id === id('Plan')
        ? await asUser('GET', `${DRIVE}/${file.id}/export?mimeType=text/plain`)
        : (file.md5Checksum ?? (mimeType === `${GOOGLE}folder` ? undefined : file.modifiedTime));
    seen[`file ${file.id}`] = file;
  }
  for (const calendar of ['primary', id('Releases')]) {
    const path = `${CALENDAR}/${encodeURIComponent(calendar)}/events?maxResults=2500&showDeleted=true`;
    for (const event of (await asUser('GET', path)).items) seen[`event ${event.id}`] = event;
  }
  return seen;
}

/** What is different: members that are not bookkeeping, and everything of what was not there; null where it is gone. */
function differences(before: Resources, after: Resources): Record<string, Members | null> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.flatMap((name): [string, Members | null][] => {
      const [was, is] = [before[name], after[name]];
      if (is === undefined) return [[name, null]];
      if (was === undefined) return [[name, is]];
      const members = [...new Set([...Object.keys(was), ...Object.keys(is)])];
      const changed = members.filter((member) => JSON.stringify(was[member]) !== JSON.stringify(is[member]));
      if (changed.length === 0) return [];
      const named = changed.filter((member) => !BOOKKEEPING.has(member));
      return [[name, Object.fromEntries(named.map((member) => [member, is[member]]))]];
    }),
  );
}

/** Calls a tool; a failure is its code. */
async function call(name: string, args: Members = {}): Promise<Json> {
  const result: Json = await client.callTool({ name, arguments: args });
  const said = result.structuredContent ?? JSON.parse(result.content[0].text);
  return result.isError === true ? { failed: said.code, ...said } : { ...said, text: result.content[1]?.text };
}

/** An event as a model finds it, by its words. */
async function find(text: string, more: Members = {}): Promise<Json> {
  const { events } = await call('calendar_list_events', { text, time_min: day(0), time_max: day(14), ...more });
  return events[0];
}

/** Changes an event that a model has just found. */
async function update(text: string, change: Members, more: Members = {}): Promise<Json> {
  const { id: event_id, etag } = await find(text, more);
  const { calendar_id } = more;
  return call('calendar_update_event', {
    event_id,
    etag,
    ...(calendar_id === undefined ? {} : { calendar_id }),
    ...change,
  });
}

const file = (name: string) => `file ${id(name)}`;
const event = (name: string) => `event ${id(name)}`;
const addresses = ({ attendees = [] }: Json) => attendees.map(({ email }: Json) => email);
/** One standup of the series, at nine thirty in Tokyo. */
const standupOf = (n: number) => `event ${id('Standup')}_${day(n).replaceAll('-', '')}T003000Z`;
const containing = (members: Members) => expect.objectContaining(members);

interface Task {
  readonly task: string;
  readonly does: () => Promise<unknown>;
  /** Resources that the task names, with the members that it names; all others stay. */
  readonly changes?: () => Record<string, unknown>;
}

/** Guests of an event as they are before a task. */
let before: Resources = {};
const guestsBefore = (name: string) => (before[event(name)]?.attendees ?? []) as readonly Members[];

const LOOKING: readonly Task[] = [
  {
    task: 'what is on Tuesday?',
    async does() {
      const { events } = await call('calendar_list_events', { time_min: day(1), time_max: day(2) });
      const names = events.map(({ summary }: Json) => summary);
      expect(names.toSorted()).toEqual(['All hands', 'Dentist', 'Night train', 'Standup']);
    },
  },
  {
    task: 'what do I do on Tuesday morning?',
    async does() {
      const { events } = await call('calendar_list_events', { time_min: at(1, '08:00'), time_max: at(1, '12:00') });
      expect(events.map(({ summary }: Json) => summary)).toEqual(['Standup', 'All hands']);
    },
  },
  {
    task: 'who comes to the all-hands?',
    async does() {
      const listed = await find('All hands');
      expect(listed.attendees_note).toContain('calendar_get_event');
      expect(addresses(await call('calendar_get_event', { event_id: listed.id }))).toHaveLength(26);
    },
  },
  {
    task: 'which calendars do I have?',
    async does() {
      const { calendars } = await call('calendar_list_calendars');
      expect(calendars.map(({ summary }: Json) => summary)).toContain('Releases');
    },
  },
  {
    task: 'when are Ed and I free for an hour on Thursday?',
    async does() {
      const asked = {
        people: [COLLEAGUE],
        time_min: day(3),
        time_max: day(4),
        duration_minutes: 60,
        day_from: '14:00',
      };
      expect((await call('calendar_find_free_time', asked)).free).toEqual([
        { start: exact(3, '14:00'), end: exact(3, '15:00') },
        { start: exact(3, '16:00'), end: exact(3, '17:00') },
      ]);
    },
  },
  {
    task: 'which files changed in the team drive since Monday?',
    async does() {
      const modified_after = new Date(Date.now() - 7 * DAY_MS).toISOString();
      const { files } = await call('drive_search_files', { shared_drive: 'Team', modified_after });
      expect(files.map(({ name }: Json) => name).toSorted()).toEqual(['minutes.txt', 'roadmap.txt']);
    },
  },
  {
    task: 'find the roadmap',
    async does() {
      const { files } = await call('drive_search_files', { name: 'roadmap' });
      expect(files.map(({ id: found }: Json) => found)).toContain(id('roadmap.txt'));
    },
  },
  {
    task: 'what did I work on last?',
    async does() {
      const { files } = await call('drive_list_recent_files', { page_size: 100 });
      expect(files.map(({ name }: Json) => name)).toContain('notes.txt');
    },
  },
  {
    task: 'what do my notes say?',
    async does() {
      const { files } = await call('drive_search_files', { name: 'notes.txt' });
      expect((await call('drive_read_file_content', { file_id: files[0].id })).text).toBe('Größe und Maß');
    },
  },
  {
    task: 'open the link',
    async does() {
      const read = await call('drive_read_file_content', { file_id: id('link') });
      expect(read).toMatchObject({ text: 'Größe und Maß', file_id: id('notes.txt'), shortcut_id: id('link') });
    },
  },
  {
    task: 'read the old file',
    async does() {
      expect(await call('drive_read_file_content', { file_id: id('old.txt') })).toMatchObject({ failed: 'not_text' });
      const read = await call('drive_read_file_content', { file_id: id('old.txt'), charset: 'windows-1252' });
      expect(read.text).toBe('Größe');
    },
  },
  {
    task: 'who can see the archive?',
    async does() {
      const { permissions } = await call('drive_get_file_metadata', { file_id: id('Archive') });
      expect(permissions.map(({ emailAddress }: Json) => emailAddress)).toContain(COLLEAGUE);
    },
  },
];

const EVENTS: readonly Task[] = [
  {
    task: 'move my 3 pm on Tuesday to Wednesday',
    does: () => update('Dentist', { start: at(2, '15:00'), end: at(2, '16:00') }),
    changes: () => ({ [event('Dentist')]: { start: from(2, '15:00'), end: from(2, '16:00') } }),
  },
  {
    task: 'start it half an hour later',
    does: () => update('Dentist', { start: at(2, '15:30') }),
    changes: () => ({ [event('Dentist')]: { start: from(2, '15:30'), end: from(2, '16:30') } }),
  },
  {
    task: 'make lunch longer',
    does: () => update('Lunch', { end: at(2, '13:30') }),
    changes: () => ({ [event('Lunch')]: { end: from(2, '13:30') } }),
  },
  {
    task: 'move the call with New York to Thursday',
    does: () => update('Call with New York', { start: at(3, '22:00'), end: at(3, '22:30') }),
    changes: () => ({
      [event('Call with New York')]: {
        start: { dateTime: exact(3, '22:00'), timeZone: 'America/New_York' },
        end: { dateTime: exact(3, '22:30'), timeZone: 'America/New_York' },
      },
    }),
  },
  {
    task: 'invite Eve to Thursday’s review',
    does: () => update('Review', { add_attendees: [EVE] }),
    changes: () => ({
      [event('Review')]: {
        attendees: [...guestsBefore('Review'), containing({ email: EVE, responseStatus: 'needsAction' })],
      },
    }),
  },
  {
    task: 'take Ben off the review',
    does: () => update('Review', { remove_attendees: [BEN.toUpperCase()], notify_attendees: true }),
    changes: () => ({ [event('Review')]: { attendees: guestsBefore('Review').filter(({ email }) => email !== BEN) } }),
  },
  {
    task: 'invite one more guest to the all-hands, from the list of events',
    does: () => update('All hands', { add_attendees: [EVE] }),
    changes: () => ({
      [event('All hands')]: {
        attendees: [...guestsBefore('All hands'), containing({ email: EVE, responseStatus: 'needsAction' })],
      },
    }),
  },
  {
    task: 'the review is in room 2',
    does: () => update('Review', { location: 'Room 2' }),
    changes: () => ({ [event('Review')]: { location: 'Room 2' } }),
  },
  {
    task: 'turn the offsite into a morning meeting',
    does: () => update('Offsite', { start: at(4, '09:00'), end: at(4, '12:00') }),
    changes: () => ({ [event('Offsite')]: { start: from(4, '09:00'), end: from(4, '12:00') } }),
  },
  {
    task: 'no, it takes the whole day after all',
    does: () => update('Offsite', { start: day(4), end: day(5) }),
    changes: () => ({ [event('Offsite')]: { start: { date: day(4) }, end: { date: day(5) } } }),
  },
  {
    task: 'the fair starts a day later',
    does: () => update('Fair', { start: day(8) }),
    changes: () => ({ [event('Fair')]: { start: { date: day(8) }, end: { date: day(11) } } }),
  },
  {
    task: 'push Wednesday’s standup back by half an hour',
    does: () => update('Standup', { start: at(2, '10:00') }, { time_min: day(2), time_max: day(3) }),
    changes: () => ({
      [standupOf(2)]: containing({
        ...{ recurringEventId: id('Standup'), summary: 'Standup', start: from(2, '10:00'), end: from(2, '10:15') },
        ...{ location: 'Room 1', description: 'about Standup', colorId: '5' },
      }),
    }),
  },
  {
    task: 'call all standups Daily',
    async does() {
      const { recurringEventId: event_id } = await find('Standup');
      const { etag } = await call('calendar_get_event', { event_id });
      return call('calendar_update_event', { event_id, etag, summary: 'Daily' });
    },
    // Wednesday's is one of them, at its own time.
    changes: () => ({ [event('Standup')]: { summary: 'Daily' }, [standupOf(2)]: { summary: 'Daily' } }),
  },
  {
    task: 'cancel Friday’s standup',
    async does() {
      const { id: event_id } = await find('Daily', { time_min: day(4), time_max: day(5) });
      return call('calendar_delete_event', { event_id });
    },
    changes: () => ({ [standupOf(4)]: containing({ status: 'cancelled' }) }),
  },
  {
    task: 'accept the planning',
    async does() {
      const { id: event_id } = await find('Planning');
      return call('calendar_respond_to_event', { event_id, response: 'accepted' });
    },
    changes: () => ({ [event('Planning')]: answered('Planning', { responseStatus: 'accepted' }) }),
  },
  {
    task: 'say no to the applicant, I am away',
    async does() {
      const { id: event_id } = await find('Applicant');
      const answer = { event_id, response: 'declined', comment: 'I am away', notify_attendees: true };
      return call('calendar_respond_to_event', answer);
    },
    changes: () => ({
      [event('Applicant')]: answered('Applicant', { responseStatus: 'declined', comment: 'I am away' }),
    }),
  },
  {
    task: 'maybe to the secret party, whose guests are hidden',
    async does() {
      const { id: event_id } = await find('Secret party');
      return call('calendar_respond_to_event', { event_id, response: 'tentative' });
    },
    changes: () => ({ [event('Secret party')]: answered('Secret party', { responseStatus: 'tentative' }) }),
  },
  {
    task: 'bring Eve to the secret party',
    async does() {
      expect(await update('Secret party', { add_attendees: [EVE] })).toMatchObject({ failed: 'forbidden' });
    },
  },
  {
    task: 'the release is on Wednesday',
    does: () => update('Release', { start: day(2), end: day(3) }, { calendar_id: id('Releases') }),
    changes: () => ({ [event('Release')]: { start: { date: day(2) }, end: { date: day(3) } } }),
  },
  {
    task: 'book an hour with Ed on Thursday',
    async does() {
      const booked = { summary: 'Talk', start: at(3, '14:00'), end: at(3, '15:00'), attendees: [COLLEAGUE] };
      ids.Talk = (await call('calendar_create_event', booked)).id;
      expect(await call('calendar_create_event', booked)).toMatchObject({ failed: 'conflict', event_id: id('Talk') });
    },
    changes: () => ({
      [event('Talk')]: containing({
        ...{ summary: 'Talk', start: from(3, '14:00'), end: from(3, '15:00') },
        attendees: [containing({ email: COLLEAGUE, responseStatus: 'needsAction' })],
      }),
    }),
  },
  {
    task: 'I am on holiday next week',
    async does() {
      ids.Holiday = (await call('calendar_create_event', { summary: 'Holiday', start: day(7), end: day(12) })).id;
    },
    changes: () => ({ [event('Holiday')]: containing({ start: { date: day(7) }, end: { date: day(12) } }) }),
  },
  {
    task: 'a weekly meeting on Mondays at nine',
    async does() {
      const weekly = {
        summary: 'Weekly',
        start: at(0, '09:00'),
        end: at(0, '09:30'),
        recurrence: ['RRULE:FREQ=WEEKLY'],
      };
      ids.Weekly = (await call('calendar_create_event', weekly)).id;
    },
    changes: () => ({ [event('Weekly')]: containing({ start: from(0, '09:00'), recurrence: ['RRULE:FREQ=WEEKLY'] }) }),
  },
  {
    task: 'delete the holiday, and put it back',
    async does() {
      await call('calendar_delete_event', { event_id: id('Holiday') });
      const again = await call('calendar_create_event', { summary: 'Holiday', start: day(7), end: day(12) });
      expect(again).not.toHaveProperty('failed');
      ids['Holiday again'] = again.id;
    },
    changes: () => ({
      [event('Holiday')]: { status: 'cancelled' },
      [event('Holiday again')]: containing({ status: 'confirmed', start: { date: day(7) } }),
    }),
  },
  {
    task: 'change what somebody else has just changed',
    async does() {
      const { id: event_id, etag } = await find('Lunch');
      await asUser('PATCH', `${CALENDAR}/primary/events/${event_id}`, { colorId: '7' });
      const late = await call('calendar_update_event', { event_id, etag, summary: 'Dinner' });
      expect(late).toMatchObject({ failed: 'conflict' });
    },
    changes: () => ({ [event('Lunch')]: { colorId: '7' } }),
  },
];

/** The guests of an event after the user has answered. */
function answered(name: string, answer: Members): Members {
  return { attendees: guestsBefore(name).map((guest) => (guest.email === USER ? { ...guest, ...answer } : guest)) };
}

/** Reads a file to its end, part by part. */
async function readAll(file_id: string, more: Members = {}): Promise<Json> {
  let text = '';
  let part: string | undefined;
  for (;;) {
    const read = await call('drive_read_file_content', { file_id, ...more, ...(part === undefined ? {} : { part }) });
    text += read.text;
    part = read.next_part;
    if (part === undefined) return { ...read, text };
  }
}

const content = () => expect.any(String);
/** A folder, and what it gives. */
const movedTo = (folder: unknown) => ({ parents: [folder], permissions: expect.any(Array) });

const FILES: readonly Task[] = [
  {
    task: 'add a line to my notes',
    async does() {
      const { text, expected_version } = await readAll(id('notes.txt'));
      const written = { file_id: id('notes.txt'), content: `${text}\nline`, expected_version };
      await call('drive_update_file_content', written);
      expect((await readAll(id('notes.txt'))).text).toBe('Größe und Maß\nline');
    },
    changes: () => ({ [file('notes.txt')]: { content: content() } }),
  },
  {
    task: 'set a to 2 in the settings',
    async does() {
      const { text, expected_version } = await readAll(id('settings.json'));
      const written = { file_id: id('settings.json'), content: text.replace('1', '2'), expected_version };
      return call('drive_update_file_content', written);
    },
    changes: () => ({ [file('settings.json')]: { content: content() } }),
  },
  {
    task: 'add Ben to the people',
    async does() {
      const { text, expected_version } = await readAll(id('people.csv'));
      const written = { file_id: id('people.csv'), content: `${text}\nBen,40`, expected_version };
      return call('drive_update_file_content', written);
    },
    changes: () => ({ [file('people.csv')]: { content: content() } }),
  },
  {
    task: 'shorten the large file after its first part',
    async does() {
      const { text, version } = await call('drive_read_file_content', { file_id: id('large.txt') });
      const written = { file_id: id('large.txt'), content: text, expected_version: version };
      expect(await call('drive_update_file_content', written)).toMatchObject({ failed: 'not_read' });
    },
  },
  {
    task: 'fix a line in the middle of the large file',
    async does() {
      const { text, expected_version } = await readAll(id('large.txt'), { max_characters: 38_000 });
      expect(text).toBe(LARGE);
      const written = text.replace('line 2000 of many', 'line two thousand');
      await call('drive_update_file_content', { file_id: id('large.txt'), content: written, expected_version });
      expect((await readAll(id('large.txt'))).text).toBe(written);
    },
    changes: () => ({ [file('large.txt')]: { content: content() } }),
  },
  {
    task: 'correct a letter in the old file',
    async does() {
      const { version } = await readAll(id('old.txt'), { charset: 'windows-1252' });
      const written = { file_id: id('old.txt'), content: 'Größer', expected_version: version };
      expect(await call('drive_update_file_content', written)).toMatchObject({ failed: 'not_read' });
    },
  },
  {
    task: 'write the plan',
    async does() {
      const { expected_version } = await readAll(id('Plan'));
      return call('drive_update_file_content', { file_id: id('Plan'), content: '# The plan', expected_version });
    },
    changes: () => ({ [file('Plan')]: { content: expect.stringContaining('The plan') } }),
  },
  {
    task: 'replace the budget, of which only the first sheet shows',
    async does() {
      const { version } = await readAll(id('Budget'));
      const written = { file_id: id('Budget'), content: 'a,b', expected_version: version };
      expect(await call('drive_update_file_content', written)).toMatchObject({ failed: 'not_read' });
    },
  },
  {
    task: 'write a to-do list into Projects',
    async does() {
      const made = { name: 'todo.txt', kind: 'text', content: 'Tür', folder_id: id('Projects') };
      ids['todo.txt'] = (await call('drive_create_file', made)).id;
    },
    changes: () => ({
      [file('todo.txt')]: containing({ name: 'todo.txt', mimeType: 'text/plain', parents: [id('Projects')] }),
    }),
  },
  {
    task: 'make a folder for next year',
    async does() {
      ids.Next = (await call('drive_create_file', { name: 'Next year', kind: 'folder' })).id;
    },
    changes: () => ({ [file('Next')]: containing({ name: 'Next year', mimeType: `${GOOGLE}folder` }) }),
  },
  {
    task: 'call the readme README.md',
    does: () => call('drive_rename_or_move_file', { file_id: id('readme.md'), name: 'README.md' }),
    changes: () => ({ [file('readme.md')]: { name: 'README.md', originalFilename: 'README.md' } }),
  },
  {
    task: 'put the to-do list into next year’s folder, as January.txt',
    does: () =>
      call('drive_rename_or_move_file', { file_id: id('todo.txt'), name: 'January.txt', folder_id: id('Next') }),
    changes: () => ({
      [file('todo.txt')]: { name: 'January.txt', originalFilename: 'January.txt', ...movedTo(id('Next')) },
    }),
  },
  {
    task: 'move the settings to My Drive',
    does: () => call('drive_rename_or_move_file', { file_id: id('settings.json'), folder_id: 'root' }),
    changes: () => ({ [file('settings.json')]: movedTo(expect.any(String)) }),
  },
  {
    task: 'archive the people, whom the colleague then sees',
    async does() {
      const moved = await call('drive_rename_or_move_file', { file_id: id('people.csv'), folder_id: id('Archive') });
      expect(moved.shared).toBe(true);
    },
    changes: () => ({
      [file('people.csv')]: containing({ parents: [id('Archive')], shared: true }),
    }),
  },
  {
    task: 'copy the plan into the archive',
    async does() {
      const copy = await call('drive_copy_file', {
        file_id: id('Plan'),
        name: 'Plan of old',
        folder_id: id('Archive'),
      });
      ids.copy = copy.id;
      expect(copy.shared).toBe(true);
    },
    changes: () => ({ [file('copy')]: containing({ name: 'Plan of old', parents: [id('Archive')] }) }),
  },
  {
    task: 'throw the draft away',
    does: () => call('drive_trash_file', { file_id: id('draft.txt') }),
    changes: () => ({ [file('draft.txt')]: containing({ trashed: true, explicitlyTrashed: true }) }),
  },
  {
    task: 'write through the link',
    async does() {
      const { expected_version } = await readAll(id('link'));
      return call('drive_update_file_content', { file_id: id('link'), content: 'by link', expected_version });
    },
    changes: () => ({ [file('notes.txt')]: { content: content() } }),
  },
];

describe.each([
  ['looks', LOOKING],
  ['changes events', EVENTS],
  ['changes files', FILES],
])('MC-40: a model that %s changes what the task names and nothing else', (_, tasks) => {
  test.each(tasks)('$task', async ({ does, changes = () => ({}) }) => {
    if (Object.keys(before).length === 0) before = await look();
    const result: Json = await does();
    expect(result ?? {}).not.toHaveProperty('failed');
    const after = await look();
    const [seen, expected] = [differences(before, after), changes()];
    before = after;
    expect(seen).toEqual(expected);
  });
});

test('MC-40: the everyday tasks are forty and more', () => {
  expect([...LOOKING, ...EVENTS, ...FILES].length).toBeGreaterThanOrEqual(40);
});
