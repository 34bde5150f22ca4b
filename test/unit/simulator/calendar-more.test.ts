import { expect, test } from 'vitest';
import {
  api,
  apiFailure,
  apiJson,
  jsonInit,
  obtainTokens,
  record,
  records,
  startTestSimulator,
  text,
} from './harness.ts';

const CALENDARS = '/calendar/v3/calendars';
const EVENTS = `${CALENDARS}/primary/events`;
const TIMES = { start: { dateTime: '2027-12-01T10:00:00Z' }, end: { dateTime: '2027-12-01T11:00:00Z' } };

async function open() {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const json = (path: string, init: RequestInit = {}) => apiJson(simulator, accessToken, path, init);
  const call = (path: string, init: RequestInit = {}) => api(simulator, accessToken, path, init);
  return { json, call };
}

test('gives the palettes that color ids refer to', async () => {
  const { json } = await open();
  const colors = await json('/calendar/v3/colors');
  expect(Object.keys(record(colors.calendar))).toHaveLength(24);
  expect(record(colors.event)).toMatchObject({ '1': { background: '#a4bdfc', foreground: '#1d1d1d' } });
});

test('lists settings in pages, gives one, and knows no other', async () => {
  const { json, call } = await open();
  const first = await json('/calendar/v3/users/me/settings?maxResults=5');
  const second = await json(`/calendar/v3/users/me/settings?maxResults=50&pageToken=${text(first.nextPageToken)}`);
  expect([...records(first.items), ...records(second.items)]).toHaveLength(12);
  const synced = await json(`/calendar/v3/users/me/settings?syncToken=${text(second.nextSyncToken)}`);
  expect(records(synced.items)).toEqual([]);
  expect((await json('/calendar/v3/users/me/settings/timezone')).value).toBe('Europe/Berlin');
  expect((await call('/calendar/v3/users/me/settings/none')).status).toBe(404);
});

test('tells when calendars are taken: overlapping events as one span, cut at the question’s ends', async () => {
  const { json, call } = await open();
  const at = (from: string, to: string) => ({
    start: { dateTime: `2027-12-01T${from}:00Z` },
    end: { dateTime: `2027-12-01T${to}:00Z` },
  });
  for (const body of [
    at('08:00', '09:30'),
    at('09:00', '10:00'),
    at('12:00', '20:00'),
    { ...at('10:30', '11:00'), transparency: 'transparent' },
  ]) {
    await json(EVENTS, jsonInit('POST', body));
  }
  const question = {
    timeMin: '2027-12-01T07:00:00Z',
    timeMax: '2027-12-01T13:00:00Z',
    items: [{ id: 'primary' }, { id: 'nobody@example.com' }],
  };
  const { calendars } = await json('/calendar/v3/freeBusy', jsonInit('POST', question));
  expect(calendars).toEqual({
    primary: {
      busy: [
        { start: '2027-12-01T08:00:00Z', end: '2027-12-01T10:00:00Z' },
        { start: '2027-12-01T12:00:00Z', end: '2027-12-01T13:00:00Z' },
      ],
    },
    'nobody@example.com': { errors: [{ domain: 'global', reason: 'notFound' }], busy: [] },
  });
  const empty = jsonInit('POST', { ...question, timeMax: question.timeMin });
  expect(await apiFailure(await call('/calendar/v3/freeBusy', empty))).toMatchObject({ reason: 'timeRangeEmpty' });
});

test('adds an event from a text, an hour long', async () => {
  const { json } = await open();
  const event = await json(`${EVENTS}/quickAdd?text=${encodeURIComponent('Lunch with Ü')}`, { method: 'POST' });
  expect(event.summary).toBe('Lunch with Ü');
  const span = Date.parse(text(record(event.end).dateTime)) - Date.parse(text(record(event.start).dateTime));
  expect(span).toBe(3_600_000);
});

test('imports an event under its own iCalUID, once', async () => {
  const { json, call } = await open();
  const first = await json(`${EVENTS}/import`, jsonInit('POST', { ...TIMES, iCalUID: 'a@b', summary: 'One' }));
  const second = await json(`${EVENTS}/import`, jsonInit('POST', { ...TIMES, iCalUID: 'a@b', summary: 'Two' }));
  expect(second).toMatchObject({ id: first.id, iCalUID: 'a@b', summary: 'Two' });
  expect(records((await json(`${EVENTS}?iCalUID=a%40b`)).items)).toHaveLength(1);
  expect(await apiFailure(await call(`${EVENTS}/import`, jsonInit('POST', TIMES)))).toMatchObject({
    reason: 'required',
  });
});

test('moves an event to another calendar, where it keeps its id, and leaves it cancelled behind', async () => {
  const { json, call } = await open();
  const event = await json(EVENTS, jsonInit('POST', { ...TIMES, summary: 'Moved' }));
  const list = records((await json('/calendar/v3/users/me/calendarList')).items);
  const team = text(list.find(({ accessRole, primary }) => accessRole === 'owner' && primary !== true)?.id);
  const move = (destination: string) =>
    call(`${EVENTS}/${text(event.id)}/move?destination=${encodeURIComponent(destination)}`, { method: 'POST' });
  expect((await move('nobody@example.com')).status).toBe(404);
  expect((await move('en.usa#holiday@group.v.calendar.google.com')).status).toBe(403);
  expect((await move(team)).status).toBe(200);
  expect(await json(`${CALENDARS}/${encodeURIComponent(team)}/events/${text(event.id)}`)).toMatchObject({
    summary: 'Moved',
    organizer: { email: team },
  });
  expect((await json(`${EVENTS}/${text(event.id)}`)).status).toBe('cancelled');
});

test('names its own domain in Calendar’s errors', async () => {
  const { call } = await open();
  const answer = await call(`${EVENTS}?syncToken=none`);
  const body: unknown = await answer.json();
  expect(answer.status).toBe(410);
  expect(body).toMatchObject({
    error: {
      errors: [{ domain: 'calendar', reason: 'fullSyncRequired', location: 'syncToken', locationType: 'parameter' }],
    },
  });
});

test('gives a channel the life that its ttl asks for', async () => {
  const { json } = await open();
  const before = Date.now();
  const channel = await json(
    `${EVENTS}/watch`,
    jsonInit('POST', { id: 'c-1', type: 'web_hook', address: 'https://app.example.com/n', params: { ttl: '120' } }),
  );
  const livesMs = Number(channel.expiration) - before;
  expect(livesMs).toBeGreaterThanOrEqual(120_000);
  expect(livesMs).toBeLessThan(180_000);
});
