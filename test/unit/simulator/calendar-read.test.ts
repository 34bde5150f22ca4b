import { expect } from 'vitest';
import { signIn, test, type User } from './harness.ts';
import { CALENDAR, CALENDARS, EVENTS, FIRST, HOLIDAYS, LIST } from './names.ts';
import { type Json, record, records, text } from './values.ts';

const HOLIDAY_ID = encodeURIComponent(HOLIDAYS);

/** All events of a query, page after page, and the token at the end. */
async function allEvents({ json }: User, query: string) {
  const items: Json[] = [];
  for (let next = ''; ; ) {
    const page = await json(`${EVENTS}?${query}${next}`);
    items.push(...records(page.items));
    if (page.nextPageToken === undefined) return { items, nextSyncToken: page.nextSyncToken };
    next = `&pageToken=${encodeURIComponent(text(page.nextPageToken))}`;
  }
}

test('lists a dozen calendars, the primary one named by the e-mail', async ({ owner }) => {
  const { items, nextSyncToken } = await owner.json(LIST);
  const [primary] = records(items);
  expect(items).toHaveLength(12);
  expect(primary).toMatchObject({ id: FIRST, primary: true, accessRole: 'owner', kind: 'calendar#calendarListEntry' });
  expect(records(items).map(({ id }) => id)).toContain(HOLIDAYS);
  expect(nextSyncToken).toBeDefined();
});

test('pages through calendars and filters by role', async ({ owner: { json, list } }) => {
  const first = await json(`${LIST}?maxResults=5`);
  expect(first.items).toHaveLength(5);
  expect(first).not.toHaveProperty('nextSyncToken');
  const rest = await list(`${LIST}?maxResults=50&pageToken=${encodeURIComponent(text(first.nextPageToken))}`);
  expect(rest).toHaveLength(7);
  const roles = (await list(`${LIST}?minAccessRole=owner`)).map(({ accessRole }) => accessRole);
  expect(new Set(roles)).toEqual(new Set(['owner']));
});

test('finds calendars whose id holds @ and #, an @ escaped or not', async ({ owner: { json, list, status } }) => {
  expect((await json(`${LIST}/${HOLIDAY_ID}`)).summary).toBe('Holidays in United States');
  expect((await json(`${CALENDARS}/${HOLIDAY_ID}`)).kind).toBe('calendar#calendar');
  const events = await list(`${CALENDARS}/${HOLIDAY_ID}/events`);
  expect(events.length).toBeGreaterThan(0);
  expect(events.every(({ start }) => 'date' in record(start))).toBe(true);
  expect(await status(`${LIST}/nobody%40example.com`)).toBe(404);
  expect((await json(`${LIST}/${FIRST}`)).primary).toBe(true);
});

test('pages through events, each once, with a sync token at the end', async ({ owner }) => {
  const { items, nextSyncToken } = await allEvents(owner, 'maxResults=33');
  expect(items).toHaveLength(200);
  expect(new Set(items.map(({ id }) => id)).size).toBe(200);
  expect(nextSyncToken).toBeDefined();
});

test('keeps events inside a time range, ordered by start', async ({ owner }) => {
  const query = 'timeMin=2026-10-01T00:00:00Z&timeMax=2026-11-01T00:00:00Z&singleEvents=true&orderBy=startTime';
  const { items } = await allEvents(owner, query);
  const starts = items.map(({ start }) => text(record(start).dateTime ?? record(start).date));
  const times = starts.map(Date.parse);
  expect(items.length).toBeGreaterThan(3);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(starts.every((start) => start >= '2026-09-30' && start < '2026-11-01')).toBe(true);
});

test('searches events by words', async ({ owner }) => {
  const { items } = await allEvents(owner, 'q=stand-up');
  expect(items.length).toBeGreaterThan(0);
  expect(items.every(({ summary }) => text(summary).startsWith('Stand-up'))).toBe(true);
});

test.for([
  ['an empty time range', 'timeMin=2026-10-01T00:00:00Z&timeMax=2026-10-01T00:00:00Z', '400 timeRangeEmpty'],
  ['a far updatedMin', 'updatedMin=2020-01-01T00:00:00Z', '410 updatedMinTooLongAgo'],
] as const)('refuses %s', async ([, query, refusal], { owner }) => {
  expect(await owner.refusal(`${EVENTS}?${query}`)).toBe(refusal);
});

test('gives etags and answers If-None-Match with 304 and no body', async ({ owner }) => {
  const [event] = await owner.list(`${EVENTS}?maxResults=1`);
  const path = `${EVENTS}/${text(event?.id)}`;
  const etag = text(event?.etag);
  expect((await owner.call(path)).headers.get('etag')).toBe(etag);
  const same = await owner.call(path, { headers: { 'if-none-match': etag } });
  expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, etag, '']);
  expect(await owner.status(path, { headers: { 'if-none-match': '"other"' } })).toBe(200);
});

test.for([
  ['events.owned.readonly', EVENTS, 200],
  ['events.owned.readonly', `${CALENDARS}/${HOLIDAY_ID}/events`, 404],
  ['events.public.readonly', `${CALENDARS}/${HOLIDAY_ID}/events`, 200],
  ['events.public.readonly', EVENTS, 404],
  ['readonly', EVENTS, 200],
] as const)('lets %s reach only its calendars: %s is %i', async ([scope, path, status], { simulator }) => {
  expect(await (await signIn(simulator, { scope: `${CALENDAR}.${scope}` })).status(path)).toBe(status);
});

test('holds one weekly event from the start, ten times where single events are asked for', async ({ owner }) => {
  const whole = await owner.list(`${EVENTS}?maxResults=2500`);
  const series = whole.filter(({ recurrence }) => recurrence !== undefined);
  expect(series).toHaveLength(1);
  const singles = await owner.list(`${EVENTS}?maxResults=2500&singleEvents=true`);
  expect(singles).toHaveLength(209);
  expect(singles.filter(({ recurringEventId }) => recurringEventId === series[0]?.id)).toHaveLength(10);
});
