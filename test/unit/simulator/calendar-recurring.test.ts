import { expect, vi } from 'vitest';
import { RecurrenceRule } from '../../../packages/simulator/calendar/rule.ts';
import { test, type User } from './harness.ts';
import { EVENTS } from './names.ts';
import { type Json, jsonInit, record, records, text } from './values.ts';

const ZONE = 'Europe/Berlin';
const at = (time: string) => ({ dateTime: `${time}:00`, timeZone: ZONE });
/** Mondays at nine in Berlin, over the end of summer time on 25 October 2026. */
const MONDAYS = {
  summary: 'Weekly',
  start: at('2026-10-12T09:00'),
  end: at('2026-10-12T09:30'),
  recurrence: ['RRULE:FREQ=WEEKLY;COUNT=5'],
};
const SPAN = 'timeMin=2026-10-01T00:00:00Z&timeMax=2026-12-01T00:00:00Z';
const WINDOW = `${SPAN}&q=weekly`;

const singlesOf = ({ list }: User, query = WINDOW) => list(`${EVENTS}?singleEvents=true&orderBy=startTime&${query}`);
const startOf = (event: Json) => record(event.start).dateTime ?? record(event.start).date;
const stampOf = ({ id }: Json) => text(id).split('_')[1];

test('expands a series where single events are asked for, and leaves it whole otherwise', async ({ owner }) => {
  const { id, iCalUID, recurrence } = await owner.post(EVENTS, MONDAYS);
  expect(recurrence).toEqual(MONDAYS.recurrence);
  expect(await owner.list(`${EVENTS}?${WINDOW}`)).toMatchObject([{ id }]);
  const found = await singlesOf(owner);
  expect(found.map(startOf)).toEqual([
    ...['2026-10-12T09:00:00+02:00', '2026-10-19T09:00:00+02:00', '2026-10-26T09:00:00+01:00'],
    ...['2026-11-02T09:00:00+01:00', '2026-11-09T09:00:00+01:00'],
  ]);
  expect(found[2]).toMatchObject({
    id: `${text(id)}_20261026T080000Z`,
    recurringEventId: id,
    originalStartTime: { dateTime: '2026-10-26T09:00:00+01:00', timeZone: ZONE },
    end: { dateTime: '2026-10-26T09:30:00+01:00' },
    iCalUID,
  });
  expect(found[2]).not.toHaveProperty('recurrence');
});

test('reads no rule of a deleted series for a list that does not show it', async ({ owner }) => {
  const reads = async () => {
    using read = vi.spyOn(RecurrenceRule.prototype, 'startsFrom');
    await singlesOf(owner);
    await owner.list(`${EVENTS}?${WINDOW}`);
    return read.mock.calls.length;
  };
  const before = await reads();
  const series = `${EVENTS}/${await owner.make(EVENTS, MONDAYS)}`;
  expect(await reads()).toBeGreaterThan(before);
  await owner.remove(series);
  expect(await reads()).toBe(before);
  expect(await singlesOf(owner, `${WINDOW}&showDeleted=true`)).toHaveLength(5);
});

test('gives an instance by its id, and none for a time that the series does not have', async ({ owner }) => {
  const series = `${EVENTS}/${await owner.make(EVENTS, MONDAYS)}`;
  expect(startOf(await owner.json(`${series}_20261026T080000Z`))).toBe('2026-10-26T09:00:00+01:00');
  expect(await owner.status(`${series}_20261026T070000Z`)).toBe(404);
  const [start, end] = [{ date: '2026-10-12' }, { date: '2026-10-13' }];
  const days = await owner.make(EVENTS, { start, end, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] });
  const second = { start: end, end: { date: '2026-10-14' }, originalStartTime: end };
  expect(await owner.json(`${EVENTS}/${days}_20261013`)).toMatchObject(second);
});

test('keeps a changed instance in the place of the unchanged one, also where it moved', async ({ owner }) => {
  const id = await owner.make(EVENTS, MONDAYS);
  const moved = { start: at('2026-10-20T15:00'), end: at('2026-10-20T16:00'), location: 'Elsewhere' };
  const instanceId = `${id}_20261019T070000Z`;
  expect(await owner.patch(`${EVENTS}/${instanceId}`, moved)).toMatchObject({
    id: instanceId,
    location: 'Elsewhere',
    originalStartTime: { dateTime: '2026-10-19T09:00:00+02:00' },
  });
  expect((await singlesOf(owner)).map(startOf)[1]).toBe('2026-10-20T15:00:00+02:00');
  // Who expands series alone needs the series and its exceptions.
  expect(await owner.list(`${EVENTS}?${WINDOW}`)).toMatchObject([{ id }, { id: instanceId }]);
  const original = encodeURIComponent('2026-10-19T09:00:00+02:00');
  const found = await owner.list(`${EVENTS}/${id}/instances?originalStart=${original}`);
  expect(found.map(({ location }) => location)).toEqual(['Elsewhere']);
});

test('lets changed instances follow the series in all else', async ({ owner: { json, make, patch } }) => {
  const series = `${EVENTS}/${await make(EVENTS, MONDAYS)}`;
  const instance = `${series}_20261019T070000Z`;
  const summary = 'Weekly, renamed';
  await patch(instance, { location: 'Elsewhere' });
  await patch(series, { summary, location: 'Here' });
  expect(await json(instance)).toMatchObject({ summary, location: 'Elsewhere' });
  expect(await json(`${series}_20261012T070000Z`)).toMatchObject({ summary, location: 'Here' });
});

test('cancels one instance, shows it to anyone who expands series, and deletes it once', async ({ owner }) => {
  const id = await owner.make(EVENTS, MONDAYS);
  const path = `${EVENTS}/${id}_20261019T070000Z`;
  expect(await owner.remove(path)).toBe(204);
  expect(await owner.refusal(path, { method: 'DELETE' })).toBe('410 deleted');
  expect(await singlesOf(owner)).toHaveLength(4);
  const unexpanded = await owner.list(`${EVENTS}?${SPAN}`);
  expect(unexpanded.filter(({ recurringEventId }) => recurringEventId === id)).toEqual([
    {
      kind: 'calendar#event',
      etag: expect.any(String),
      id: `${id}_20261019T070000Z`,
      status: 'cancelled',
      recurringEventId: id,
      originalStartTime: { dateTime: '2026-10-19T09:00:00+02:00', timeZone: ZONE },
    },
  ]);
  expect(await owner.list(`${EVENTS}/${id}/instances`)).toHaveLength(4);
  expect(await owner.list(`${EVENTS}/${id}/instances?showDeleted=true`)).toHaveLength(5);
});

test('lists at a sync which instances changed and which are gone', async ({ owner: { json, make, patch, remove } }) => {
  const id = await make(EVENTS, MONDAYS);
  const series = `${EVENTS}/${id}`;
  const since = (token: unknown) => json(`${EVENTS}?singleEvents=true&syncToken=${encodeURIComponent(text(token))}`);
  const states = (page: Json) => Object.fromEntries(records(page.items).map((event) => [stampOf(event), event.status]));
  const first = await json(`${EVENTS}?singleEvents=true&${SPAN}&maxResults=2500`);
  await patch(`${series}_20261012T070000Z`, { summary: 'Weekly, first' });
  await remove(`${series}_20261019T070000Z`);
  const second = await since(first.nextSyncToken);
  expect(states(second)).toEqual({ '20261012T070000Z': 'confirmed', '20261019T070000Z': 'cancelled' });
  await patch(series, { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] });
  const third = await since(second.nextSyncToken);
  expect(states(third)).toMatchObject({ '20261102T080000Z': 'confirmed', '20261109T080000Z': 'cancelled' });
  await remove(series);
  const last = await since(third.nextSyncToken);
  expect(new Set(Object.values(states(last)))).toEqual(new Set(['cancelled']));
  expect(records(last.items).map((event) => event.id)).not.toContain(id);
});

test('shows times in the zone that is asked for, ids unchanged', async ({ owner }) => {
  await owner.post(EVENTS, MONDAYS);
  const found = await singlesOf(owner, `${WINDOW}&timeZone=America/New_York`);
  expect(found.map(startOf).slice(1, 3)).toEqual(['2026-10-19T03:00:00-04:00', '2026-10-26T04:00:00-04:00']);
  expect(record(found[0]?.start).timeZone).toBe(ZONE);
  expect(await owner.status(`${EVENTS}?timeZone=Europe/Atlantis`)).toBe(400);
});

test('finds by extended properties and types', async ({ owner }) => {
  const add = (summary: string, more: object) =>
    owner.post(EVENTS, { start: MONDAYS.start, end: MONDAYS.end, summary, ...more });
  await add('one', { extendedProperties: { private: { app: 'x', n: '1' }, shared: { team: 'a' } } });
  await add('two', { extendedProperties: { private: { app: 'x', n: '2' } } });
  await add('away', { eventType: 'outOfOffice' });
  const names = async (query: string) => (await owner.list(`${EVENTS}?${query}`)).map(({ summary }) => summary).sort();
  expect(await names('privateExtendedProperty=app%3Dx')).toEqual(['one', 'two']);
  expect(await names('privateExtendedProperty=app%3Dx&privateExtendedProperty=n%3D2')).toEqual(['two']);
  expect(await names('sharedExtendedProperty=team%3Da')).toEqual(['one']);
  expect(await names('eventTypes=outOfOffice&eventTypes=focusTime')).toEqual(['away']);
  expect(await owner.status(`${EVENTS}?privateExtendedProperty=app`)).toBe(400);
});

test('makes and removes a conference only with conferenceDataVersion=1', async ({ owner }) => {
  const request = (requestId: string, type: string) => ({
    conferenceData: { createRequest: { requestId, conferenceSolutionKey: { type } } },
  });
  const meet = request('r-1', 'hangoutsMeet');
  expect(await owner.post(EVENTS, { ...MONDAYS, ...meet })).not.toHaveProperty('conferenceData');
  const event = await owner.post(`${EVENTS}?conferenceDataVersion=1`, { ...MONDAYS, ...meet });
  expect(event).toMatchObject({
    hangoutLink: expect.stringMatching(/^https:\/\/meet\.google\.com\/[a-z]{3}-[a-z]{4}-[a-z]{3}$/),
    conferenceData: {
      createRequest: { status: { statusCode: 'success' } },
      entryPoints: [{ entryPointType: 'video' }],
    },
  });
  const path = `${EVENTS}/${text(event.id)}`;
  const without = { conferenceData: null };
  expect((await owner.patch(path, without)).hangoutLink).toBe(event.hangoutLink);
  expect(await owner.patch(`${path}?conferenceDataVersion=1`, without)).not.toHaveProperty('hangoutLink');
  const pigeon = jsonInit('PATCH', request('r-2', 'carrierPigeon'));
  expect(await owner.status(`${path}?conferenceDataVersion=1`, pigeon)).toBe(400);
});

test('takes attachments only with supportsAttachments=true', async ({ owner }) => {
  const attachment = { fileUrl: 'https://docs.google.com/document/d/abc123/edit', title: 'Minutes' };
  const body = { ...MONDAYS, attachments: [attachment] };
  expect(await owner.post(EVENTS, body)).not.toHaveProperty('attachments');
  const event = await owner.post(`${EVENTS}?supportsAttachments=true`, body);
  expect(event.attachments).toEqual([{ ...attachment, fileId: 'abc123' }]);
});

test('lists the times of a series as busy, its cancelled instance not', async ({ owner }) => {
  const id = await owner.make(EVENTS, { ...MONDAYS, start: at('2027-11-01T09:00'), end: at('2027-11-01T10:00') });
  await owner.remove(`${EVENTS}/${id}_20271108T080000Z`);
  const [timeMin, timeMax] = ['2027-10-31T00:00:00Z', '2027-11-20T00:00:00Z'];
  const question = { timeMin, timeMax, timeZone: ZONE, items: [{ id: 'primary' }] };
  const { calendars } = await owner.post('/calendar/v3/freeBusy', question);
  expect(record(record(calendars).primary).busy).toEqual([
    { start: '2027-11-01T09:00:00+01:00', end: '2027-11-01T10:00:00+01:00' },
    { start: '2027-11-15T09:00:00+01:00', end: '2027-11-15T10:00:00+01:00' },
  ]);
});
