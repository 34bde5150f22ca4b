import { expect, test } from 'vitest';
import {
  api,
  apiFailure,
  apiJson,
  type Json,
  jsonInit,
  obtainTokens,
  record,
  records,
  startTestSimulator,
  text,
} from './harness.ts';

const CALENDARS = '/calendar/v3/calendars';
const EVENTS = `${CALENDARS}/primary/events`;
const ZONE = 'Europe/Berlin';
/** Mondays at nine in Berlin, over the end of summer time on 25 October 2026. */
const MONDAYS = {
  summary: 'Weekly',
  start: { dateTime: '2026-10-12T09:00:00', timeZone: ZONE },
  end: { dateTime: '2026-10-12T09:30:00', timeZone: ZONE },
  recurrence: ['RRULE:FREQ=WEEKLY;COUNT=5'],
};
const WINDOW = 'timeMin=2026-10-01T00:00:00Z&timeMax=2026-12-01T00:00:00Z&q=weekly';

async function open() {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const json = (path: string, init: RequestInit = {}) => apiJson(simulator, accessToken, path, init);
  const call = (path: string, init: RequestInit = {}) => api(simulator, accessToken, path, init);
  const insert = (body: object) => json(EVENTS, jsonInit('POST', body));
  const items = async (path: string) => records((await json(path)).items);
  const singles = (query = WINDOW) => items(`${EVENTS}?singleEvents=true&orderBy=startTime&${query}`);
  return { json, call, insert, items, singles };
}

const startOf = (event: Json) => record(event.start).dateTime ?? record(event.start).date;

test('expands a series where single events are asked for, and leaves it whole otherwise', async () => {
  const { insert, items, singles } = await open();
  const series = await insert(MONDAYS);
  expect(series.recurrence).toEqual(MONDAYS.recurrence);
  expect((await items(`${EVENTS}?${WINDOW}`)).map(({ id }) => id)).toEqual([series.id]);
  const found = await singles();
  expect(found.map(startOf)).toEqual([
    ...['2026-10-12T09:00:00+02:00', '2026-10-19T09:00:00+02:00', '2026-10-26T09:00:00+01:00'],
    ...['2026-11-02T09:00:00+01:00', '2026-11-09T09:00:00+01:00'],
  ]);
  expect(found[2]).toMatchObject({
    id: `${text(series.id)}_20261026T080000Z`,
    recurringEventId: series.id,
    originalStartTime: { dateTime: '2026-10-26T09:00:00+01:00', timeZone: ZONE },
    end: { dateTime: '2026-10-26T09:30:00+01:00' },
    iCalUID: series.iCalUID,
  });
  expect(found[2]).not.toHaveProperty('recurrence');
});

test('gives an instance by its id, and none for a time that the series does not have', async () => {
  const { insert, json, call } = await open();
  const id = text((await insert(MONDAYS)).id);
  expect(startOf(await json(`${EVENTS}/${id}_20261026T080000Z`))).toBe('2026-10-26T09:00:00+01:00');
  expect((await call(`${EVENTS}/${id}_20261026T070000Z`)).status).toBe(404);
  const day = await insert({
    start: { date: '2026-10-12' },
    end: { date: '2026-10-13' },
    recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
  });
  expect(await json(`${EVENTS}/${text(day.id)}_20261013`)).toMatchObject({
    start: { date: '2026-10-13' },
    end: { date: '2026-10-14' },
    originalStartTime: { date: '2026-10-13' },
  });
});

test('keeps a changed instance in the place of the unchanged one, also where it moved', async () => {
  const { insert, json, items, singles } = await open();
  const id = text((await insert(MONDAYS)).id);
  const moved = {
    start: { dateTime: '2026-10-20T15:00:00', timeZone: ZONE },
    end: { dateTime: '2026-10-20T16:00:00', timeZone: ZONE },
  };
  const instance = await json(
    `${EVENTS}/${id}_20261019T070000Z`,
    jsonInit('PATCH', { ...moved, location: 'Elsewhere' }),
  );
  expect(instance).toMatchObject({
    id: `${id}_20261019T070000Z`,
    location: 'Elsewhere',
    originalStartTime: { dateTime: '2026-10-19T09:00:00+02:00' },
  });
  expect((await singles()).map(startOf)[1]).toBe('2026-10-20T15:00:00+02:00');
  // Who expands series alone needs the series and its exceptions.
  expect((await items(`${EVENTS}?${WINDOW}`)).map((event) => event.id)).toEqual([id, instance.id]);
  const found = await items(
    `${EVENTS}/${id}/instances?originalStart=${encodeURIComponent('2026-10-19T09:00:00+02:00')}`,
  );
  expect(found.map((event) => event.location)).toEqual(['Elsewhere']);
});

test('lets changed instances follow the series in all that they did not change', async () => {
  const { insert, json } = await open();
  const id = text((await insert(MONDAYS)).id);
  const path = `${EVENTS}/${id}_20261019T070000Z`;
  await json(path, jsonInit('PATCH', { location: 'Elsewhere' }));
  await json(`${EVENTS}/${id}`, jsonInit('PATCH', { summary: 'Weekly, renamed', location: 'Here' }));
  expect(await json(path)).toMatchObject({ summary: 'Weekly, renamed', location: 'Elsewhere' });
  expect(await json(`${EVENTS}/${id}_20261012T070000Z`)).toMatchObject({
    summary: 'Weekly, renamed',
    location: 'Here',
  });
});

test('cancels one instance, shows it to whoever expands series, and deletes it once', async () => {
  const { insert, call, items, singles } = await open();
  const id = text((await insert(MONDAYS)).id);
  const path = `${EVENTS}/${id}_20261019T070000Z`;
  expect((await call(path, { method: 'DELETE' })).status).toBe(204);
  expect(await apiFailure(await call(path, { method: 'DELETE' }))).toMatchObject({ status: 410, reason: 'deleted' });
  expect(await singles()).toHaveLength(4);
  const unexpanded = await items(`${EVENTS}?timeMin=2026-10-01T00:00:00Z&timeMax=2026-12-01T00:00:00Z`);
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
  expect(await items(`${EVENTS}/${id}/instances`)).toHaveLength(4);
  expect(await items(`${EVENTS}/${id}/instances?showDeleted=true`)).toHaveLength(5);
});

test('splits a series as clients do for this and all following instances', async () => {
  const { insert, json, singles } = await open();
  const id = text((await insert(MONDAYS)).id);
  await json(`${EVENTS}/${id}_20261102T080000Z`, jsonInit('PATCH', { summary: 'Weekly exception' }));
  await json(`${EVENTS}/${id}`, jsonInit('PATCH', { recurrence: ['RRULE:FREQ=WEEKLY;UNTIL=20261025T225959Z'] }));
  await insert({
    ...MONDAYS,
    summary: 'Weekly at ten',
    start: { dateTime: '2026-10-26T10:00:00', timeZone: ZONE },
    end: { dateTime: '2026-10-26T10:30:00', timeZone: ZONE },
    recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'],
  });
  expect((await singles()).map((event) => [event.summary, startOf(event)])).toEqual([
    ['Weekly', '2026-10-12T09:00:00+02:00'],
    ['Weekly', '2026-10-19T09:00:00+02:00'],
    ['Weekly at ten', '2026-10-26T10:00:00+01:00'],
    ['Weekly at ten', '2026-11-02T10:00:00+01:00'],
  ]);
});

test('tells at a sync which instances changed and which are gone', async () => {
  const { insert, json, call } = await open();
  const id = text((await insert(MONDAYS)).id);
  const all = '&maxResults=2500';
  const first = await json(
    `${EVENTS}?singleEvents=true&timeMin=2026-10-01T00:00:00Z&timeMax=2026-12-01T00:00:00Z${all}`,
  );
  const since = (token: unknown) => json(`${EVENTS}?singleEvents=true&syncToken=${encodeURIComponent(text(token))}`);
  await json(`${EVENTS}/${id}_20261012T070000Z`, jsonInit('PATCH', { summary: 'Weekly, first' }));
  await call(`${EVENTS}/${id}_20261019T070000Z`, { method: 'DELETE' });
  const second = await since(first.nextSyncToken);
  expect(records(second.items).map((event) => [text(event.id).split('_')[1], event.status])).toEqual([
    ['20261012T070000Z', 'confirmed'],
    ['20261019T070000Z', 'cancelled'],
  ]);
  await json(`${EVENTS}/${id}`, jsonInit('PATCH', { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] }));
  const third = await since(second.nextSyncToken);
  const states = Object.fromEntries(records(third.items).map((event) => [text(event.id).split('_')[1], event.status]));
  expect(states).toMatchObject({ '20261102T080000Z': 'confirmed', '20261109T080000Z': 'cancelled' });
  await call(`${EVENTS}/${id}`, { method: 'DELETE' });
  const last = await since(third.nextSyncToken);
  expect(new Set(records(last.items).map(({ status }) => status))).toEqual(new Set(['cancelled']));
  expect(records(last.items).map(({ id: one }) => one)).not.toContain(id);
});

test('shows times in the zone that is asked for, ids unchanged', async () => {
  const { insert, singles, call } = await open();
  await insert(MONDAYS);
  const found = await singles(`${WINDOW}&timeZone=America/New_York`);
  expect(found.map(startOf).slice(1, 3)).toEqual(['2026-10-19T03:00:00-04:00', '2026-10-26T04:00:00-04:00']);
  expect(record(found[0]?.start).timeZone).toBe(ZONE);
  expect((await call(`${EVENTS}?timeZone=Europe/Atlantis`)).status).toBe(400);
});

test('finds by extended properties and types, and orders by start only what is single', async () => {
  const { insert, items, call } = await open();
  const times = { start: MONDAYS.start, end: MONDAYS.end };
  await insert({
    ...times,
    summary: 'one',
    extendedProperties: { private: { app: 'x', n: '1' }, shared: { team: 'a' } },
  });
  await insert({ ...times, summary: 'two', extendedProperties: { private: { app: 'x', n: '2' } } });
  await insert({ ...times, summary: 'away', eventType: 'outOfOffice' });
  const names = async (query: string) => (await items(`${EVENTS}?${query}`)).map(({ summary }) => summary).sort();
  expect(await names('privateExtendedProperty=app%3Dx')).toEqual(['one', 'two']);
  expect(await names('privateExtendedProperty=app%3Dx&privateExtendedProperty=n%3D2')).toEqual(['two']);
  expect(await names('sharedExtendedProperty=team%3Da')).toEqual(['one']);
  expect(await names('eventTypes=outOfOffice&eventTypes=focusTime')).toEqual(['away']);
  expect((await call(`${EVENTS}?privateExtendedProperty=app`)).status).toBe(400);
  expect((await call(`${EVENTS}?orderBy=startTime`)).status).toBe(400);
});

test('makes a conference only with conferenceDataVersion=1, the same for the same request, and keeps it else', async () => {
  const { insert, json, call } = await open();
  const conferenceData = { createRequest: { requestId: 'r-1', conferenceSolutionKey: { type: 'hangoutsMeet' } } };
  expect(await insert({ ...MONDAYS, conferenceData })).not.toHaveProperty('conferenceData');
  const event = await json(`${EVENTS}?conferenceDataVersion=1`, jsonInit('POST', { ...MONDAYS, conferenceData }));
  expect(event).toMatchObject({
    hangoutLink: expect.stringMatching(/^https:\/\/meet\.google\.com\/[a-z]{3}-[a-z]{4}-[a-z]{3}$/),
    conferenceData: {
      createRequest: { status: { statusCode: 'success' } },
      entryPoints: [{ entryPointType: 'video' }],
    },
  });
  const path = `${EVENTS}/${text(event.id)}`;
  expect((await json(path, jsonInit('PATCH', { conferenceData: null }))).hangoutLink).toBe(event.hangoutLink);
  expect(await json(`${path}?conferenceDataVersion=1`, jsonInit('PATCH', { conferenceData: null }))).not.toHaveProperty(
    'hangoutLink',
  );
  const other = { createRequest: { requestId: 'r-2', conferenceSolutionKey: { type: 'carrierPigeon' } } };
  const refused = await call(`${path}?conferenceDataVersion=1`, jsonInit('PATCH', { conferenceData: other }));
  expect(refused.status).toBe(400);
});

test('takes attachments only with supportsAttachments=true', async () => {
  const { insert, json } = await open();
  const attachments = [{ fileUrl: 'https://docs.google.com/document/d/abc123/edit', title: 'Minutes' }];
  expect(await insert({ ...MONDAYS, attachments })).not.toHaveProperty('attachments');
  const event = await json(`${EVENTS}?supportsAttachments=true`, jsonInit('POST', { ...MONDAYS, attachments }));
  expect(event.attachments).toEqual([{ ...attachments[0], fileId: 'abc123' }]);
});

test('tells the times of a series as busy, its cancelled instance not', async () => {
  const { insert, json, call } = await open();
  const id = text(
    (
      await insert({
        ...MONDAYS,
        start: { dateTime: '2027-11-01T09:00:00', timeZone: ZONE },
        end: { dateTime: '2027-11-01T10:00:00', timeZone: ZONE },
      })
    ).id,
  );
  await call(`${EVENTS}/${id}_20271108T080000Z`, { method: 'DELETE' });
  const question = {
    timeMin: '2027-10-31T00:00:00Z',
    timeMax: '2027-11-20T00:00:00Z',
    timeZone: ZONE,
    items: [{ id: 'primary' }],
  };
  const { calendars } = await json('/calendar/v3/freeBusy', jsonInit('POST', question));
  expect(record(record(calendars).primary).busy).toEqual([
    { start: '2027-11-01T09:00:00+01:00', end: '2027-11-01T10:00:00+01:00' },
    { start: '2027-11-15T09:00:00+01:00', end: '2027-11-15T10:00:00+01:00' },
  ]);
});
