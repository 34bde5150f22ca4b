import { expect } from 'vitest';
import { control, signIn, test } from './harness.ts';
import { CALENDAR, CALENDARS, DAY_SEC, EVENTS, HOLIDAYS, LIST } from './names.ts';
import { jsonInit, records, text } from './values.ts';

const TIMES = { start: { dateTime: '2026-12-01T10:00:00Z' }, end: { dateTime: '2026-12-01T11:00:00Z' } };
const ZONED = {
  start: { dateTime: '2026-12-01T10:00:00', timeZone: 'Europe/Berlin' },
  end: { dateTime: '2026-12-01T11:00:00', timeZone: 'Europe/Berlin' },
};
const DAY = { start: { date: '2026-12-01' }, end: { date: '2026-12-02' } };

test('inserts an event and lists it', async ({ owner }) => {
  const event = await owner.post(EVENTS, { ...TIMES, summary: 'Launch', etag: 'ignored', strange: 1 });
  expect(event).toMatchObject({ summary: 'Launch', status: 'confirmed', kind: 'calendar#event', sequence: 0 });
  expect(event).not.toHaveProperty('strange');
  expect(event.id).toMatch(/^[a-v0-9]{26}$/);
  expect(await owner.list(`${EVENTS}?q=launch`)).toMatchObject([{ id: event.id }]);
});

test('takes a chosen id once', async ({ owner }) => {
  const body = { ...TIMES, id: 'abcde01' };
  expect(await owner.make(EVENTS, body)).toBe('abcde01');
  expect(await owner.refusal(EVENTS, jsonInit('POST', body))).toBe('409 duplicate');
  expect(await owner.status(EVENTS, jsonInit('POST', { ...TIMES, id: 'XYZ' }))).toBe(400);
});

test.for<[claim: string, body: object, reason: string]>([
  ['no start', { end: TIMES.end }, 'required'],
  ['no end', { start: TIMES.start }, 'required'],
  ['a time without zone', { ...TIMES, start: { dateTime: '2026-12-01T10:00:00' } }, 'required'],
  ['a date that is none', { start: { date: 'soon' }, end: { date: '2026-01-01' } }, 'invalid'],
  ['an end before the start', { start: TIMES.end, end: TIMES.start }, 'timeRangeEmpty'],
  ['a recurrence without time zone', { ...TIMES, recurrence: ['RRULE:FREQ=DAILY'] }, 'required'],
  ['a rule that is none', { ...ZONED, recurrence: ['RRULE:FREQ=SOMETIMES'] }, 'invalid'],
  ['a start among the recurrence lines', { ...ZONED, recurrence: ['DTSTART:20261201T100000Z'] }, 'invalid'],
  ['a day and a time', { start: { date: '2026-12-01' }, end: TIMES.end }, 'invalid'],
  ['a zone that is none', { ...ZONED, start: { ...ZONED.start, timeZone: 'Europe/Atlantis' } }, 'invalid'],
  ['a guest without address', { ...TIMES, attendees: [{ displayName: 'A' }] }, 'required'],
  ['an answer that is none', { ...TIMES, attendees: [{ email: 'a@b.example', responseStatus: 'yes' }] }, 'invalid'],
  [
    'default reminders and others',
    { ...TIMES, reminders: { useDefault: true, overrides: [{ method: 'popup', minutes: 5 }] } },
    'cannotUseDefaultRemindersAndSpecifyOverride',
  ],
  ['a reminder by telegram', { ...TIMES, reminders: { overrides: [{ method: 'sms', minutes: 5 }] } }, 'invalid'],
  ['a color that is none', { ...TIMES, colorId: '99' }, 'invalid'],
  ['an absence of whole days', { ...DAY, eventType: 'outOfOffice' }, 'malformedOutOfOfficeEvent'],
  ['properties that are no text', { ...TIMES, extendedProperties: { shared: { a: 1 } } }, 'badRequest'],
])('refuses an event with %s', async ([, body, reason], { owner }) => {
  expect(await owner.refusal(EVENTS, jsonInit('POST', body))).toBe(`400 ${reason}`);
});

test('names each time whose zone it does not know', async ({ owner }) => {
  const lost = { timeZone: 'Europe/Atlantis' };
  const insert = (start: object, end: object) =>
    owner.failure(EVENTS, jsonInit('POST', { start: { ...ZONED.start, ...start }, end: { ...ZONED.end, ...end } }));
  expect((await insert(lost, {})).message).toBe('Invalid time zone definition for start time.');
  expect((await insert({}, lost)).message).toBe('Invalid time zone definition for end time.');
  expect((await insert(lost, lost)).message).toBe(
    'Invalid time zone definition for start time.\nInvalid time zone definition for end time.',
  );
});

test('patches only what was sent and moves the etag', async ({ owner }) => {
  const event = await owner.post(EVENTS, { ...TIMES, summary: 'a', location: 'b' });
  const patched = await owner.patch(`${EVENTS}/${text(event.id)}`, { summary: 'c', location: null });
  // Times are shown in the calendar's zone.
  const start = { dateTime: '2026-12-01T11:00:00+01:00', timeZone: 'Europe/Berlin' };
  expect(patched).toMatchObject({ summary: 'c', start, sequence: 1, created: event.created });
  expect(patched).not.toHaveProperty('location');
  expect(patched.etag).not.toBe(event.etag);
});

test('replaces a whole event by PUT and keeps what Google sets', async ({ owner }) => {
  const { id, iCalUID } = await owner.post(EVENTS, { ...TIMES, summary: 'a', location: 'b' });
  const updated = await owner.put(`${EVENTS}/${text(id)}`, { ...TIMES, summary: 'c' });
  expect(updated).toMatchObject({ id, iCalUID, summary: 'c' });
  expect(updated).not.toHaveProperty('location');
});

test.for(['PATCH', 'PUT', 'DELETE'])(
  'stops a %s with an old etag by 412 conditionNotMet',
  async (method, { owner }) => {
    const event = await owner.post(EVENTS, TIMES);
    const path = `${EVENTS}/${text(event.id)}`;
    expect(await owner.refusal(path, jsonInit(method, TIMES, { 'if-match': '"1"' }))).toBe('412 conditionNotMet');
    expect((await owner.call(path, jsonInit(method, TIMES, { 'if-match': text(event.etag) }))).ok).toBe(true);
  },
);

test('deletes once, then 410 deleted, and still shows the event as cancelled', async ({ owner }) => {
  const path = `${EVENTS}/${await owner.make(EVENTS, { ...TIMES, summary: 'gone' })}`;
  const first = await owner.call(path, { method: 'DELETE' });
  expect([first.status, await first.text()]).toEqual([204, '']);
  expect(await owner.refusal(path, { method: 'DELETE' })).toBe('410 deleted');
  expect((await owner.json(path)).status).toBe('cancelled');
  expect(await owner.list(`${EVENTS}?q=gone`)).toEqual([]);
  expect(await owner.list(`${EVENTS}?q=gone&showDeleted=true`)).toHaveLength(1);
});

const since = (token: unknown) => `${EVENTS}?syncToken=${encodeURIComponent(text(token))}`;

test('syncs by token: only what changed since, deletions included', async ({ owner }) => {
  const { nextSyncToken } = await owner.json(`${EVENTS}?maxResults=2500`);
  expect(await owner.list(since(nextSyncToken))).toEqual([]);
  const kept = await owner.make(EVENTS, TIMES);
  const gone = await owner.make(EVENTS, TIMES);
  await owner.remove(`${EVENTS}/${gone}`);
  const page = await owner.json(since(nextSyncToken));
  const states = records(page.items).map(({ id, status }) => [id, status]);
  expect(states).toHaveLength(2);
  expect(Object.fromEntries(states)).toEqual({ [kept]: 'confirmed', [gone]: 'cancelled' });
  expect(await owner.list(since(page.nextSyncToken))).toEqual([]);
  expect(await owner.status(`${since(nextSyncToken)}&q=x`)).toBe(400);
});

test('answers an old or foreign sync token with 410 fullSyncRequired', async ({ simulator, owner }) => {
  const foreign = since((await owner.json(LIST)).nextSyncToken);
  expect(await owner.refusal(foreign)).toBe('410 fullSyncRequired');
  const { nextSyncToken } = await owner.json(`${EVENTS}?maxResults=2500`);
  await control(simulator, 'POST', 'clock', { offsetSec: 29 * DAY_SEC });
  expect(await (await signIn(simulator)).status(since(nextSyncToken))).toBe(410);
});

test('refuses writes to calendars that are only read, and with a read-only scope', async ({ simulator, owner }) => {
  const holidays = `${CALENDARS}/${encodeURIComponent(HOLIDAYS)}/events`;
  expect(await owner.refusal(holidays, jsonInit('POST', TIMES))).toBe('403 requiredAccessLevel');
  const reader = await signIn(simulator, { scope: `${CALENDAR}.readonly` });
  expect(await reader.refusal(EVENTS, jsonInit('POST', TIMES))).toBe('403 insufficientPermissions');
});
