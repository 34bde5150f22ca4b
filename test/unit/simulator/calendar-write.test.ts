import { expect, test } from 'vitest';
import {
  api,
  apiFailure,
  apiJson,
  CALENDAR,
  control,
  DAY_SEC,
  jsonInit,
  obtainTokens,
  records,
  startTestSimulator,
  text,
} from './harness.ts';

const EVENTS = '/calendar/v3/calendars/primary/events';
const TIMES = { start: { dateTime: '2026-12-01T10:00:00Z' }, end: { dateTime: '2026-12-01T11:00:00Z' } };
const ZONED = {
  start: { dateTime: '2026-12-01T10:00:00', timeZone: 'Europe/Berlin' },
  end: { dateTime: '2026-12-01T11:00:00', timeZone: 'Europe/Berlin' },
};
const DAY = { start: { date: '2026-12-01' }, end: { date: '2026-12-02' } };

async function open(scope?: string) {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator, scope === undefined ? {} : { scope });
  const json = (path: string, init: RequestInit = {}) => apiJson(simulator, accessToken, path, init);
  const call = (path: string, init: RequestInit = {}) => api(simulator, accessToken, path, init);
  return { simulator, json, call };
}

test('inserts an event and lists it', async () => {
  const { json } = await open();
  const event = await json(EVENTS, jsonInit('POST', { ...TIMES, summary: 'Launch', etag: 'ignored', strange: 1 }));
  expect(event).toMatchObject({ summary: 'Launch', status: 'confirmed', kind: 'calendar#event', sequence: 0 });
  expect(event).not.toHaveProperty('strange');
  expect(text(event.id)).toMatch(/^[a-v0-9]{26}$/);
  expect(records((await json(`${EVENTS}?q=launch`)).items).map(({ id }) => id)).toEqual([event.id]);
});

test('takes a chosen id once', async () => {
  const { json, call } = await open();
  const body = { ...TIMES, id: 'abcde01' };
  expect((await json(EVENTS, jsonInit('POST', body))).id).toBe('abcde01');
  expect(await apiFailure(await call(EVENTS, jsonInit('POST', body)))).toMatchObject({
    status: 409,
    reason: 'duplicate',
  });
  expect((await call(EVENTS, jsonInit('POST', { ...TIMES, id: 'XYZ' }))).status).toBe(400);
});

test.each<[claim: string, body: object, status: number, reason: string]>([
  ['no start', { end: TIMES.end }, 400, 'required'],
  ['no end', { start: TIMES.start }, 400, 'required'],
  ['a time without zone', { ...TIMES, start: { dateTime: '2026-12-01T10:00:00' } }, 400, 'badRequest'],
  ['a date that is none', { start: { date: 'soon' }, end: { date: '2026-01-01' } }, 400, 'badRequest'],
  ['an end before the start', { start: TIMES.end, end: TIMES.start }, 400, 'timeRangeEmpty'],
  ['a recurrence without time zone', { ...TIMES, recurrence: ['RRULE:FREQ=DAILY'] }, 400, 'required'],
  ['a rule that is none', { ...ZONED, recurrence: ['RRULE:FREQ=SOMETIMES'] }, 400, 'invalid'],
  ['a start among the recurrence lines', { ...ZONED, recurrence: ['DTSTART:20261201T100000Z'] }, 400, 'invalid'],
  ['a day beside a time', { start: { date: '2026-12-01' }, end: TIMES.end }, 400, 'badRequest'],
  ['a zone that is none', { ...ZONED, start: { ...ZONED.start, timeZone: 'Europe/Atlantis' } }, 400, 'badRequest'],
  ['a guest without address', { ...TIMES, attendees: [{ displayName: 'A' }] }, 400, 'required'],
  [
    'an answer that is none',
    { ...TIMES, attendees: [{ email: 'a@b.example', responseStatus: 'yes' }] },
    400,
    'invalid',
  ],
  [
    'default reminders and others',
    { ...TIMES, reminders: { useDefault: true, overrides: [{ method: 'popup', minutes: 5 }] } },
    400,
    'cannotUseDefaultRemindersAndSpecifyOverride',
  ],
  ['a reminder by telegram', { ...TIMES, reminders: { overrides: [{ method: 'sms', minutes: 5 }] } }, 400, 'invalid'],
  ['a color that is none', { ...TIMES, colorId: '99' }, 400, 'invalid'],
  ['an absence of whole days', { ...DAY, eventType: 'outOfOffice' }, 400, 'invalid'],
  ['properties that are no text', { ...TIMES, extendedProperties: { shared: { a: 1 } } }, 400, 'badRequest'],
])('refuses an event with %s', async (_claim, body, status, reason) => {
  const { call } = await open();
  expect(await apiFailure(await call(EVENTS, jsonInit('POST', body)))).toMatchObject({ status, reason });
});

test('patches only what was sent and moves the etag', async () => {
  const { json } = await open();
  const event = await json(EVENTS, jsonInit('POST', { ...TIMES, summary: 'a', location: 'b' }));
  const patched = await json(`${EVENTS}/${text(event.id)}`, jsonInit('PATCH', { summary: 'c', location: null }));
  // Times are shown in the calendar's zone.
  expect(patched).toMatchObject({
    summary: 'c',
    start: { dateTime: '2026-12-01T11:00:00+01:00', timeZone: 'Europe/Berlin' },
    sequence: 1,
    created: event.created,
  });
  expect(patched).not.toHaveProperty('location');
  expect(patched.etag).not.toBe(event.etag);
});

test('replaces a whole event by PUT and keeps what Google sets', async () => {
  const { json } = await open();
  const event = await json(EVENTS, jsonInit('POST', { ...TIMES, summary: 'a', location: 'b' }));
  const updated = await json(`${EVENTS}/${text(event.id)}`, jsonInit('PUT', { ...TIMES, summary: 'c' }));
  expect(updated).toMatchObject({ id: event.id, iCalUID: event.iCalUID, summary: 'c' });
  expect(updated).not.toHaveProperty('location');
});

test.each(['PATCH', 'PUT', 'DELETE'])('stops a %s with an old etag by 412 conditionNotMet', async (method) => {
  const { json, call } = await open();
  const event = await json(EVENTS, jsonInit('POST', TIMES));
  const path = `${EVENTS}/${text(event.id)}`;
  const stale = await call(path, jsonInit(method, TIMES, { 'if-match': '"1"' }));
  expect(await apiFailure(stale)).toMatchObject({ status: 412, reason: 'conditionNotMet' });
  expect((await call(path, jsonInit(method, TIMES, { 'if-match': text(event.etag) }))).ok).toBe(true);
});

test('deletes once, then 410 deleted, and still shows the event as cancelled', async () => {
  const { json, call } = await open();
  const event = await json(EVENTS, jsonInit('POST', { ...TIMES, summary: 'gone' }));
  const path = `${EVENTS}/${text(event.id)}`;
  const first = await call(path, { method: 'DELETE' });
  expect([first.status, await first.text()]).toEqual([204, '']);
  expect(await apiFailure(await call(path, { method: 'DELETE' }))).toMatchObject({ status: 410, reason: 'deleted' });
  expect((await json(path)).status).toBe('cancelled');
  expect(records((await json(`${EVENTS}?q=gone`)).items)).toEqual([]);
  expect(records((await json(`${EVENTS}?q=gone&showDeleted=true`)).items)).toHaveLength(1);
});

test('syncs by token: only what changed since, deletions included', async () => {
  const { json, call } = await open();
  const { nextSyncToken } = await json(`${EVENTS}?maxResults=2500`);
  const since = (token: unknown) => json(`${EVENTS}?syncToken=${encodeURIComponent(text(token))}`);
  expect(records((await since(nextSyncToken)).items)).toEqual([]);
  const kept = await json(EVENTS, jsonInit('POST', TIMES));
  const gone = await json(EVENTS, jsonInit('POST', TIMES));
  await call(`${EVENTS}/${text(gone.id)}`, { method: 'DELETE' });
  const page = await since(nextSyncToken);
  const states = records(page.items).map(({ id, status }) => [id, status]);
  expect(states).toHaveLength(2);
  expect(Object.fromEntries(states)).toEqual({ [text(kept.id)]: 'confirmed', [text(gone.id)]: 'cancelled' });
  expect(records((await since(page.nextSyncToken)).items)).toEqual([]);
});

test('answers an old or foreign sync token with 410 fullSyncRequired', async () => {
  const { simulator, json, call } = await open();
  const other = await json('/calendar/v3/users/me/calendarList');
  const foreign = await call(`${EVENTS}?syncToken=${encodeURIComponent(text(other.nextSyncToken))}`);
  expect(await apiFailure(foreign)).toMatchObject({ status: 410, reason: 'fullSyncRequired' });
  const { nextSyncToken } = await json(`${EVENTS}?maxResults=2500`);
  await control(simulator, 'POST', 'clock', { offsetSec: 29 * DAY_SEC });
  const { accessToken } = await obtainTokens(simulator);
  const path = `${EVENTS}?syncToken=${encodeURIComponent(text(nextSyncToken))}`;
  expect((await api(simulator, accessToken, path)).status).toBe(410);
});

test('refuses a sync token beside a filter', async () => {
  const { json, call } = await open();
  const { nextSyncToken } = await json(`${EVENTS}?maxResults=2500`);
  expect((await call(`${EVENTS}?q=x&syncToken=${encodeURIComponent(text(nextSyncToken))}`)).status).toBe(400);
});

test('refuses writes to calendars that are only read', async () => {
  const { call } = await open();
  const path = '/calendar/v3/calendars/en.usa%23holiday%40group.v.calendar.google.com/events';
  expect(await apiFailure(await call(path, jsonInit('POST', TIMES)))).toMatchObject({
    status: 403,
    reason: 'requiredAccessLevel',
  });
});

test('refuses writes with a read-only scope', async () => {
  const { call } = await open(`${CALENDAR}.readonly`);
  const failure = await apiFailure(await call(EVENTS, jsonInit('POST', TIMES)));
  expect(failure).toMatchObject({ status: 403, reason: 'insufficientPermissions' });
});
