import { expect, test } from 'vitest';
import {
  api,
  apiFailure,
  apiJson,
  CALENDAR,
  FIRST,
  obtainTokens,
  records,
  startTestSimulator,
  text,
} from './harness.ts';

const LIST = '/calendar/v3/users/me/calendarList';
const EVENTS = '/calendar/v3/calendars/primary/events';
const HOLIDAYS = 'en.usa%23holiday%40group.v.calendar.google.com';

async function open(scope?: string) {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator, scope === undefined ? {} : { scope });
  const json = (path: string) => apiJson(simulator, accessToken, path);
  const call = (path: string, headers: Record<string, string> = {}) => api(simulator, accessToken, path, { headers });
  return { json, call };
}

async function allEvents(json: (path: string) => Promise<Record<string, unknown>>, query: string) {
  const items: Record<string, unknown>[] = [];
  for (let pageToken: unknown; ; ) {
    const next = pageToken === undefined ? '' : `&pageToken=${encodeURIComponent(text(pageToken))}`;
    const page = await json(`${EVENTS}?${query}${next}`);
    items.push(...records(page.items));
    if (page.nextPageToken === undefined) return { items, nextSyncToken: page.nextSyncToken };
    pageToken = page.nextPageToken;
  }
}

test('lists a dozen calendars, the primary one named by the e-mail', async () => {
  const { json } = await open();
  const list = await json(LIST);
  const items = records(list.items);
  expect(items).toHaveLength(12);
  expect(items[0]).toMatchObject({ id: FIRST, primary: true, accessRole: 'owner', kind: 'calendar#calendarListEntry' });
  expect(items.map(({ id }) => id)).toContain('en.usa#holiday@group.v.calendar.google.com');
  expect(list).toHaveProperty('nextSyncToken');
});

test('pages through calendars and filters by role', async () => {
  const { json } = await open();
  const first = await json(`${LIST}?maxResults=5`);
  expect(records(first.items)).toHaveLength(5);
  expect(first).not.toHaveProperty('nextSyncToken');
  const second = await json(`${LIST}?maxResults=50&pageToken=${encodeURIComponent(text(first.nextPageToken))}`);
  expect(records(second.items)).toHaveLength(7);
  const owned = records((await json(`${LIST}?minAccessRole=owner`)).items);
  expect(owned.every(({ accessRole }) => accessRole === 'owner')).toBe(true);
});

test('finds calendars whose id holds @ and #', async () => {
  const { json, call } = await open();
  expect((await json(`${LIST}/${HOLIDAYS}`)).summary).toBe('Holidays in United States');
  expect((await json(`/calendar/v3/calendars/${HOLIDAYS}`)).kind).toBe('calendar#calendar');
  const events = records((await json(`/calendar/v3/calendars/${HOLIDAYS}/events`)).items);
  expect(events.length).toBeGreaterThan(0);
  expect(events.every(({ start }) => JSON.stringify(start).includes('"date"'))).toBe(true);
  expect((await apiFailure(await call(`${LIST}/nobody%40example.com`))).status).toBe(404);
});

test('accepts an unescaped @ in a calendar id', async () => {
  const { json } = await open();
  expect((await json(`${LIST}/${FIRST}`)).primary).toBe(true);
});

test('pages through events, each once, with a sync token at the end', async () => {
  const { json } = await open();
  const { items, nextSyncToken } = await allEvents(json, 'maxResults=33');
  expect(items).toHaveLength(200);
  expect(new Set(items.map(({ id }) => id)).size).toBe(200);
  expect(nextSyncToken).toBeDefined();
});

test('keeps events inside a time range, ordered by start', async () => {
  const { json } = await open();
  const query = 'timeMin=2026-10-01T00:00:00Z&timeMax=2026-11-01T00:00:00Z&singleEvents=true&orderBy=startTime';
  const { items } = await allEvents(json, query);
  const starts = items.map(({ start }) => /"date(?:Time)?":"([^"]+)"/.exec(JSON.stringify(start))?.[1] ?? '');
  const times = starts.map(Date.parse);
  expect(items.length).toBeGreaterThan(3);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(starts.every((start) => start >= '2026-09-30' && start < '2026-11-01')).toBe(true);
});

test('searches events by words', async () => {
  const { json } = await open();
  const { items } = await allEvents(json, 'q=stand-up');
  expect(items.length).toBeGreaterThan(0);
  expect(items.every(({ summary }) => text(summary).startsWith('Stand-up'))).toBe(true);
});

test('refuses an empty time range', async () => {
  const { call } = await open();
  const path = `${EVENTS}?timeMin=2026-10-01T00:00:00Z&timeMax=2026-10-01T00:00:00Z`;
  expect((await apiFailure(await call(path))).reason).toBe('timeRangeEmpty');
});

test('answers a far updatedMin with 410 updatedMinTooLongAgo', async () => {
  const { call } = await open();
  const failure = await apiFailure(await call(`${EVENTS}?updatedMin=2020-01-01T00:00:00Z`));
  expect(failure).toMatchObject({ status: 410, reason: 'updatedMinTooLongAgo' });
});

test('gives etags and answers If-None-Match with 304 and no body', async () => {
  const { json, call } = await open();
  const [event] = records((await json(`${EVENTS}?maxResults=1`)).items);
  const path = `${EVENTS}/${text(event?.id)}`;
  const etag = (await call(path)).headers.get('etag') ?? '';
  expect(etag).toBe(event?.etag);
  const same = await call(path, { 'if-none-match': etag });
  expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, etag, '']);
  expect((await call(path, { 'if-none-match': '"other"' })).status).toBe(200);
});

test.each([
  ['events.owned.readonly', EVENTS, 200],
  ['events.owned.readonly', `/calendar/v3/calendars/${HOLIDAYS}/events`, 404],
  ['events.public.readonly', `/calendar/v3/calendars/${HOLIDAYS}/events`, 200],
  ['events.public.readonly', EVENTS, 404],
  ['readonly', EVENTS, 200],
])('lets %s reach only its calendars: %s is %i', async (scope, path, status) => {
  const { call } = await open(`${CALENDAR}.${scope}`);
  expect((await call(path)).status).toBe(status);
});

test('applies fields to nested members', async () => {
  const { json } = await open();
  const page = await json(`${EVENTS}?maxResults=1&fields=items(id,organizer/email)`);
  expect(page).toEqual({ items: [{ id: expect.any(String), organizer: { email: FIRST } }] });
});

test('holds one weekly event from the start, ten times where single events are asked for', async () => {
  const { json } = await open();
  const series = records((await json(`${EVENTS}?maxResults=2500`)).items).filter(
    ({ recurrence }) => recurrence !== undefined,
  );
  expect(series).toHaveLength(1);
  const singles = records((await json(`${EVENTS}?maxResults=2500&singleEvents=true`)).items);
  expect(singles).toHaveLength(209);
  expect(singles.filter(({ recurringEventId }) => recurringEventId === series[0]?.id)).toHaveLength(10);
});
