import { auth, type calendar_v3, calendar as calendarClient } from '@googleapis/calendar';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { METHODS } from '../../../packages/simulator/api/method-table.ts';
import { type Simulator, startSimulator } from '../../../packages/simulator/index.ts';
import { control, judged, noProblems, signIn } from './harness.ts';
import { CLIENT, EDITOR, FIRST, SECOND } from './names.ts';
import { records, text } from './values.ts';

/** A week of two colleagues and a guest, played by Google's own client; each answer is compared with Google's schemas. */
const ZONE = 'Europe/Berlin';
let simulator: Simulator;
let ada: calendar_v3.Calendar;
let ben: calendar_v3.Calendar;
let eve: calendar_v3.Calendar;

async function clientOf(account: string): Promise<calendar_v3.Calendar> {
  const credentials = new auth.OAuth2();
  credentials.setCredentials({ access_token: (await signIn(simulator, { account })).accessToken });
  return calendarClient({ version: 'v3', auth: credentials, rootUrl: `${simulator.url}/`, retry: false });
}

beforeAll(async () => {
  const seed = { generated: false, now: '2026-03-20T08:00:00Z' };
  simulator = await startSimulator({ clients: [CLIENT], seed, observer: judged() });
  [ada, ben, eve] = await Promise.all([clientOf(FIRST), clientOf(SECOND), clientOf(EDITOR)]);
});
afterAll(() => simulator?.close());

function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('The answer lacks what was expected.');
  return value;
}

const at = (time: string) => ({ dateTime: `2026-${time}:00`, timeZone: ZONE });
const startsOf = (page: calendar_v3.Schema$Events) =>
  required(page.items).map(({ start }) => start?.dateTime?.slice(5, 16) ?? start?.date?.slice(5));
const failure = (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    (error: unknown) => {
      const { status, response } = Object(error);
      return [status, response?.data?.error?.errors?.[0]?.reason];
    },
  );

let team = '';
let series = '';
let split = '';
let invitation = '';

test('looks around: settings, colors, an empty list', async () => {
  expect((await ada.settings.list()).data.items).toHaveLength(12);
  expect((await ada.settings.get({ setting: 'timezone' })).data.value).toBe(ZONE);
  const { calendar, event } = (await ada.colors.get()).data;
  expect([calendar, event].map((palette) => Object.keys(required(palette)).length)).toEqual([24, 11]);
  expect(event?.['1']).toEqual({ background: '#a4bdfc', foreground: '#1d1d1d' });
  expect((await ada.calendarList.list()).data.items?.map(({ id }) => id)).toEqual([FIRST]);
  expect((await ada.calendars.get({ calendarId: 'primary' })).data).toMatchObject({ id: FIRST, timeZone: ZONE });
  expect((await ada.events.list({ calendarId: 'primary' })).data.items).toEqual([]);
});

test('makes a calendar for the team, dresses it and shares it', async () => {
  const made = (await ada.calendars.insert({ requestBody: { summary: 'Team', timeZone: ZONE } })).data;
  team = required(made.id);
  const calendarId = team;
  await ada.calendars.patch({ calendarId, requestBody: { description: 'What the team does' } });
  const named = { summary: 'The team', description: 'All we do' };
  await ada.calendars.update({ calendarId, requestBody: named });
  expect((await ada.calendars.get({ calendarId })).data).toMatchObject(named);
  await ada.calendarList.patch({ calendarId, requestBody: { colorId: '7', summaryOverride: 'Us' } });
  const entry = (await ada.calendarList.get({ calendarId })).data;
  expect(entry).toMatchObject({ colorId: '7', summaryOverride: 'Us', accessRole: 'owner' });
  const requestBody = { ...entry, backgroundColor: '#123456', selected: true };
  const dressed = await ada.calendarList.update({ colorRgbFormat: true, calendarId, requestBody });
  expect(dressed.data.backgroundColor).toBe('#123456');

  const rule = { role: 'reader', scope: { type: 'user', value: SECOND } };
  const ruleId = required((await ada.acl.insert({ calendarId, requestBody: rule })).data.id);
  expect((await ada.acl.get({ calendarId, ruleId })).data.role).toBe('reader');
  expect((await ben.calendarList.insert({ requestBody: { id: calendarId } })).data.accessRole).toBe('reader');
  expect(await failure(ben.events.insert({ calendarId, requestBody: {} }))).toEqual([403, 'requiredAccessLevel']);
  expect(await failure(eve.calendars.get({ calendarId }))).toEqual([404, 'notFound']);
  await ada.acl.patch({ calendarId, ruleId, requestBody: { role: 'freeBusyReader' } });
  await ada.acl.update({ calendarId, ruleId, requestBody: { ...rule, role: 'writer' } });
  expect((await ada.acl.list({ calendarId })).data.items?.map(({ role }) => role)).toEqual(['owner', 'writer']);
});

test('plans a weekly meeting over the start of summer time, with one moved, one cancelled and one renamed', async () => {
  const times = { start: at('03-16T09:00'), end: at('03-16T09:30') };
  const meeting = { ...times, summary: 'Weekly', recurrence: ['RRULE:FREQ=WEEKLY;COUNT=6'] };
  const calendarId = team;
  series = required((await ben.events.insert({ calendarId, requestBody: meeting })).data.id);
  const range = { calendarId, singleEvents: true, orderBy: 'startTime', timeMin: '2026-03-01T00:00:00Z' };
  expect(startsOf((await ben.events.list(range)).data)).toEqual([
    ...['03-16T09:00', '03-23T09:00', '03-30T09:00', '04-06T09:00', '04-13T09:00', '04-20T09:00'],
  ]);
  const instances = required((await ben.events.instances({ calendarId, eventId: series })).data.items);
  const third = { id: `${series}_20260330T070000Z`, start: { dateTime: '2026-03-30T09:00:00+02:00' } };
  expect(instances[2]).toMatchObject(third);
  const id = (index: number) => required(instances[index]?.id);
  const moved = { start: at('03-24T11:00'), end: at('03-24T12:00') };
  await ben.events.patch({ calendarId, eventId: id(1), requestBody: moved });
  await ben.events.delete({ calendarId, eventId: id(2) });
  const renamed = { ...instances[3], summary: 'Weekly, long', end: at('04-06T11:00') };
  await ben.events.update({ calendarId, eventId: id(3), requestBody: renamed });
  expect(await failure(ben.events.delete({ calendarId, eventId: id(2) }))).toEqual([410, 'deleted']);
  expect(startsOf((await ben.events.list(range)).data)).toEqual([
    ...['03-16T09:00', '03-24T11:00', '04-06T09:00', '04-13T09:00', '04-20T09:00'],
  ]);
  const whole = (await ben.events.list({ calendarId, timeMin: '2026-03-01T00:00:00Z' })).data.items;
  expect(whole?.map(({ status }) => status).sort()).toEqual(['cancelled', 'confirmed', 'confirmed', 'confirmed']);
  expect((await ben.events.list({ ...range, q: 'long' })).data.items).toHaveLength(1);
  const { originalStartTime } = (await ben.events.get({ calendarId, eventId: id(1) })).data;
  expect(originalStartTime?.dateTime).toBe('2026-03-23T09:00:00+01:00');
});

test('moves this and all following meetings to ten o’clock', async () => {
  const calendarId = team;
  const first = (await ada.events.list({ calendarId, singleEvents: true })).data;
  // What was said of a later instance goes with it.
  await ada.events.patch({ calendarId, eventId: `${series}_20260420T070000Z`, requestBody: { summary: 'Exception' } });
  const until = { recurrence: ['RRULE:FREQ=WEEKLY;UNTIL=20260412T215959Z'] };
  await ada.events.patch({ calendarId, eventId: series, requestBody: until });
  const times = { start: at('04-13T10:00'), end: at('04-13T10:30') };
  const following = { ...times, summary: 'Weekly', recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'] };
  split = required((await ada.events.insert({ calendarId, requestBody: following })).data.id);
  expect(startsOf((await ada.events.list({ calendarId, singleEvents: true, orderBy: 'startTime' })).data)).toEqual([
    ...['03-16T09:00', '03-24T11:00', '04-06T09:00', '04-13T10:00', '04-20T10:00'],
  ]);
  const syncToken = required(first.nextSyncToken);
  const changed = (await ada.events.list({ calendarId, singleEvents: true, syncToken })).data.items ?? [];
  const cancelled = changed.filter(({ status }) => status === 'cancelled').map(({ id }) => id);
  expect(cancelled).toEqual(expect.arrayContaining([`${series}_20260413T070000Z`, `${series}_20260420T070000Z`]));
  expect(changed.filter(({ recurringEventId }) => recurringEventId === split)).toHaveLength(2);
  expect(await failure(ada.events.list({ calendarId, syncToken, q: 'x' }))).toEqual([
    400,
    'syncTokenWithRequestRestrictions',
  ]);
  expect(await failure(ada.events.list({ calendarId, syncToken: 'old' }))).toEqual([400, 'invalid']);
});

test('invites two colleagues; one accepts, one declines, one may change the room', async () => {
  const calendarId = 'primary';
  const requestBody = {
    summary: 'Review',
    start: at('03-25T14:00'),
    end: at('03-25T15:00'),
    attendees: [{ email: SECOND }, { email: EDITOR }],
    extendedProperties: { private: { ticket: '7' }, shared: { project: 'x' } },
    conferenceData: { createRequest: { requestId: 'r-1', conferenceSolutionKey: { type: 'hangoutsMeet' } } },
  };
  const insertion = { calendarId, conferenceDataVersion: 1, sendUpdates: 'all', requestBody };
  const made = (await ada.events.insert(insertion)).data;
  invitation = required(made.id);
  const eventId = invitation;
  expect(made.hangoutLink).toMatch(/^https:\/\/meet\.google\.com\//);
  const copy = (await ben.events.get({ calendarId, eventId })).data;
  expect(copy).toMatchObject({ hangoutLink: made.hangoutLink, extendedProperties: { shared: { project: 'x' } } });
  expect(copy.extendedProperties).not.toHaveProperty('private');
  expect(copy.organizer).toMatchObject({ email: FIRST });
  expect(copy.organizer).not.toHaveProperty('self');
  const answer = (responseStatus: string) =>
    required(copy.attendees).map(({ self, ...one }) => (self === true ? { ...one, responseStatus } : one));
  await ben.events.patch({ calendarId, eventId, requestBody: { attendees: answer('accepted') } });
  await eve.events.delete({ calendarId, eventId });
  const answers = (await ada.events.get({ calendarId, eventId })).data.attendees?.map((one) => one.responseStatus);
  expect(answers).toEqual(['accepted', 'declined']);
  const room = { location: 'Room 1' };
  const refused = await failure(ben.events.patch({ calendarId, eventId, requestBody: room }));
  expect(refused).toEqual([403, 'forbiddenForNonOrganizer']);
  await ada.events.patch({ calendarId, eventId, requestBody: { guestsCanModify: true } });
  await ben.events.patch({ calendarId, eventId, requestBody: room });
  const brief = (await ada.events.get({ calendarId, eventId, maxAttendees: 1 })).data;
  expect(brief).toMatchObject({ ...room, attendeesOmitted: true });
  const found = await ada.events.list({ calendarId, privateExtendedProperty: ['ticket=7'] });
  expect(found.data.items?.map(({ id }) => id)).toEqual([eventId]);
});

test('asks who is free', async () => {
  const items = [FIRST, SECOND, EDITOR, team, 'nobody@example.com'].map((id) => ({ id }));
  const requestBody = { timeMin: '2026-03-24T00:00:00Z', timeMax: '2026-03-26T00:00:00Z', timeZone: ZONE, items };
  const { calendars } = (await ada.freebusy.query({ requestBody })).data;
  expect(calendars?.[FIRST]?.busy).toEqual([{ start: '2026-03-25T14:00:00+01:00', end: '2026-03-25T15:00:00+01:00' }]);
  expect(calendars?.[team]?.busy).toEqual([{ start: '2026-03-24T11:00:00+01:00', end: '2026-03-24T12:00:00+01:00' }]);
  for (const id of [SECOND, EDITOR, 'nobody@example.com'])
    expect(calendars?.[id]?.errors?.[0]?.reason).toBe('notFound');
});

test('adds by text and by import, moves between calendars, keeps to etags', async () => {
  const calendarId = 'primary';
  const words = 'Lunch with Ben tomorrow 12:30-1:30pm at Harbour Café';
  const lunch = (await ada.events.quickAdd({ calendarId, text: words })).data;
  expect(lunch).toMatchObject({
    summary: 'Lunch with Ben',
    location: 'Harbour Café',
    start: { dateTime: '2026-03-21T12:30:00+01:00' },
  });
  const imported = { iCalUID: 'meeting@elsewhere.example', start: at('03-26T09:00'), end: at('03-26T10:00') };
  const copy = (await ada.events.import({ calendarId, requestBody: { ...imported, summary: 'Elsewhere' } })).data;
  expect((await ada.events.list({ calendarId, iCalUID: imported.iCalUID })).data.items).toHaveLength(1);
  const eventId = required(lunch.id);
  const moved = (await ada.events.move({ calendarId, eventId, destination: team })).data;
  expect(moved.organizer).toMatchObject({ email: team, self: true });
  expect((await ada.events.get({ calendarId, eventId })).data.status).toBe('cancelled');
  const stale = { headers: { 'If-Match': required(lunch.etag) } };
  const change = { calendarId: team, eventId, requestBody: { summary: 'Late lunch' } };
  expect(await failure(ada.events.patch(change, stale))).toEqual([412, 'conditionNotMet']);
  const fresh = { headers: { 'If-Match': required(moved.etag) } };
  expect((await ada.events.patch(change, fresh)).data.summary).toBe('Late lunch');
  const id = required(copy.id);
  const same = { headers: { 'If-None-Match': required(copy.etag) } };
  expect((await ada.events.get({ calendarId, eventId: id }, same)).status).toBe(304);
  const absence = { summary: 'Away', eventType: 'outOfOffice', start: at('03-27T09:00'), end: at('03-27T17:00') };
  await ada.events.insert({ calendarId, requestBody: absence });
  expect((await ada.events.list({ calendarId, eventTypes: ['outOfOffice'] })).data.items).toHaveLength(1);
});

test('watches everything that can be watched, and stops', async () => {
  const address = 'https://app.example.com/hook';
  const channel = (id: string) => ({ id, type: 'web_hook', address, params: { ttl: '600' } });
  const opened = [
    (await ada.events.watch({ calendarId: team, requestBody: channel('w-1') })).data,
    (await ada.acl.watch({ calendarId: team, requestBody: channel('w-2') })).data,
    (await ada.calendarList.watch({ requestBody: channel('w-3') })).data,
    (await ada.settings.watch({ requestBody: channel('w-4') })).data,
  ];
  for (const { expiration } of opened) expect(Number(expiration)).toBe(Date.parse('2026-03-20T08:10:00Z'));
  for (const one of opened) {
    const requestBody = { id: required(one.id), resourceId: required(one.resourceId) };
    expect((await ada.channels.stop({ requestBody })).status).toBe(204);
  }
});

test('clears up: rules, list entries, events, calendars', async () => {
  const list = (await ben.calendarList.list()).data;
  await ben.calendarList.delete({ calendarId: team });
  const gone = (await ben.calendarList.list({ syncToken: required(list.nextSyncToken) })).data.items;
  expect(gone).toMatchObject([{ id: team, deleted: true }]);
  await ada.acl.delete({ calendarId: team, ruleId: `user:${SECOND}` });
  expect(await failure(ben.events.list({ calendarId: team }))).toEqual([404, 'notFound']);
  await ada.events.delete({ calendarId: 'primary', eventId: invitation, sendUpdates: 'none' });
  expect((await ben.events.get({ calendarId: 'primary', eventId: invitation })).data.status).toBe('cancelled');
  await ada.calendars.clear({ calendarId: 'primary' });
  expect((await ada.events.list({ calendarId: 'primary' })).data.items).toEqual([]);
  const transfer = { calendarId: team, newDataOwner: SECOND, useAdminAccess: true };
  expect(await failure(ada.calendars.transferOwnership(transfer))).toEqual([501, 'notImplementedBySimulator']);
  await ada.calendars.delete({ calendarId: team });
  expect((await ada.calendarList.list()).data.items).toHaveLength(1);
});

test('has at least 75 calls, of every method, each answer as Google’s schemas want it', async () => {
  const { requests } = await control(simulator, 'GET', 'requests');
  const calls = records(requests).filter(({ origin }) => origin === 'api');
  expect(calls.length).toBeGreaterThanOrEqual(75);
  const isCalled = (verb: string, path: string) => {
    const pattern = new RegExp(`^/calendar/v3/${path.replaceAll(/\{\w+\}/g, '[^/]+')}(?:\\?|$)`);
    return calls.some(({ method, target }) => method === verb && pattern.test(text(target)));
  };
  const missing = METHODS.calendar.filter(({ verb, path }) => !isCalled(verb, path)).map(({ id }) => id);
  expect(missing).toEqual([]);
  noProblems();
});
