import { expect } from 'vitest';
import { readQuickText } from '../../../packages/simulator/calendar/quick-text.ts';
import { control, signIn, test } from './harness.ts';
import { EVENTS, FIRST, SECOND } from './names.ts';
import { jsonInit, readJson, record, records, text } from './values.ts';

const TIMES = { start: { dateTime: '2027-12-01T10:00:00Z' }, end: { dateTime: '2027-12-01T11:00:00Z' } };
const SETTINGS = '/calendar/v3/users/me/settings';

test('lists settings in pages, gives one, and knows no other', async ({ owner: { json, list, status } }) => {
  const first = await json(`${SETTINGS}?maxResults=5`);
  const second = await json(`${SETTINGS}?maxResults=50&pageToken=${text(first.nextPageToken)}`);
  expect([...records(first.items), ...records(second.items)]).toHaveLength(12);
  expect(await list(`${SETTINGS}?syncToken=${text(second.nextSyncToken)}`)).toEqual([]);
  expect((await json(`${SETTINGS}/timezone`)).value).toBe('Europe/Berlin');
  expect(await status(`${SETTINGS}/none`)).toBe(404);
});

test('gives at a sync the settings that have changed since, to the user whose they are', async ({
  simulator,
  owner,
}) => {
  const { nextSyncToken } = await owner.json(SETTINGS);
  const settings = { weekStart: '1', timezone: 'Asia/Tokyo', locale: 'en' };
  const answer = await control(simulator, 'POST', 'settings', { account: FIRST, settings });
  expect(answer).toEqual({ changed: ['weekStart', 'timezone'] });
  const changed = await owner.json(`${SETTINGS}?syncToken=${text(nextSyncToken)}`);
  expect(records(changed.items)).toMatchObject([
    { id: 'timezone', value: 'Asia/Tokyo' },
    { id: 'weekStart', value: '1' },
  ]);
  expect(await owner.list(`${SETTINGS}?syncToken=${text(changed.nextSyncToken)}`)).toEqual([]);
  expect((await owner.json(`${SETTINGS}/weekStart`)).value).toBe('1');
  const other = await signIn(simulator, { account: SECOND });
  expect((await other.json(`${SETTINGS}/weekStart`)).value).toBe('0');
  await control(simulator, 'POST', 'reset', {});
  expect((await (await signIn(simulator)).json(`${SETTINGS}/weekStart`)).value).toBe('0');
});

test.for<[claim: string, body: object]>([
  ['somebody who is nobody', { account: 'nobody@example.com', settings: {} }],
  ['a setting that is none', { account: FIRST, settings: { weekStart: '1', colour: 'red' } }],
  ['a value that is none', { account: FIRST, settings: { weekStart: '1', timezone: 'Europe/Atlantis' } }],
])('refuses to change settings of %s, and changes nothing', async ([, body], { simulator, owner }) => {
  const response = await fetch(`${simulator.url}/__sim/settings`, { method: 'POST', body: JSON.stringify(body) });
  expect(response.status).toBe(400);
  expect((await owner.json(`${SETTINGS}/weekStart`)).value).toBe('0');
});

test('shows when calendars are taken: overlaps as one span, cut at the question’s ends', async ({ owner }) => {
  const day = (time: string) => `2027-12-01T${time}:00Z`;
  const at = (from: string, to: string) => ({ start: { dateTime: day(from) }, end: { dateTime: day(to) } });
  for (const times of [at('08:00', '09:30'), at('09:00', '10:00'), at('12:00', '20:00')])
    await owner.post(EVENTS, times);
  await owner.post(EVENTS, { ...at('10:30', '11:00'), transparency: 'transparent' });
  const items = [{ id: 'primary' }, { id: 'nobody@example.com' }];
  const question = { timeMin: day('07:00'), timeMax: day('13:00'), items };
  const busy = [
    { start: day('08:00'), end: day('10:00') },
    { start: day('12:00'), end: day('13:00') },
  ];
  expect((await owner.post('/calendar/v3/freeBusy', question)).calendars).toEqual({
    primary: { busy },
    'nobody@example.com': { errors: [{ domain: 'global', reason: 'notFound' }], busy: [] },
  });
  const empty = jsonInit('POST', { ...question, timeMax: question.timeMin });
  expect(await owner.refusal('/calendar/v3/freeBusy', empty)).toContain('timeRangeEmpty');
});

test('adds an event from a text, an hour long', async ({ owner }) => {
  const event = await owner.json(`${EVENTS}/quickAdd?text=${encodeURIComponent('Lunch with Ü')}`, { method: 'POST' });
  expect(event.summary).toBe('Lunch with Ü');
  const [start, end] = [event.start, event.end].map((time) => Date.parse(text(record(time).dateTime)));
  expect((end ?? 0) - (start ?? 0)).toBe(3_600_000);
});

const zoned = (time: string) => ({ dateTime: `2026-03-${time}:00+01:00`, timeZone: 'Europe/Berlin' });
test.for<[words: string, event: object]>([
  ['Call at 9', { summary: 'Call', start: zoned('20T09:00'), end: zoned('20T10:00') }],
  ['Planning on Monday', { summary: 'Planning', start: { date: '2026-03-23' }, end: { date: '2026-03-24' } }],
  ['Fair on January 5th', { summary: 'Fair', start: { date: '2027-01-05' }, end: { date: '2027-01-06' } }],
])('reads day and time of %j', ([words, event]) => {
  expect(readQuickText(words, Date.parse('2026-03-20T08:00:00Z'), 'Europe/Berlin')).toEqual(event);
});

test('imports an event under its own iCalUID, once', async ({ owner: { post, list, refusal } }) => {
  const first = await post(`${EVENTS}/import`, { ...TIMES, iCalUID: 'a@b', summary: 'One' });
  const second = await post(`${EVENTS}/import`, { ...TIMES, iCalUID: 'a@b', summary: 'Two' });
  expect(second).toMatchObject({ id: first.id, iCalUID: 'a@b', summary: 'Two' });
  expect(await list(`${EVENTS}?iCalUID=a%40b`)).toHaveLength(1);
  expect(await refusal(`${EVENTS}/import`, jsonInit('POST', TIMES))).toContain('required');
});

test('names its own domain in Calendar’s errors', async ({ owner }) => {
  const { nextSyncToken } = await owner.json('/calendar/v3/users/me/calendarList');
  const { error } = await readJson(await owner.call(`${EVENTS}?syncToken=${text(nextSyncToken)}`));
  const own = { domain: 'calendar', reason: 'fullSyncRequired', location: 'syncToken', locationType: 'parameter' };
  expect(error).toMatchObject({ code: 410, errors: [own] });
});
