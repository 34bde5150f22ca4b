/** What Calendar refuses to combine. Each row names where Google's answer is known from. */
import { expect } from 'vitest';
import { control, test, type User } from './harness.ts';
import { CALENDARS, EVENTS, LIST } from './names.ts';
import { jsonInit, readJson, record, records, text } from './values.ts';

const TIMES = { start: { dateTime: '2026-12-01T10:00:00Z' }, end: { dateTime: '2026-12-01T11:00:00Z' } };
const DAY = { start: { date: '2026-12-01' }, end: { date: '2026-12-02' } };
const TWO_DAYS = { start: { date: '2026-12-01' }, end: { date: '2026-12-03' } };
const GUESTS = [{ email: 'second.user@example.com' }];
const MEETING = { createRequest: { requestId: 'r', conferenceSolutionKey: { type: 'hangoutsMeet' } } };

/** The first error of a refused call, with its status. */
async function refused(user: User, path: string, init: RequestInit = {}) {
  const response = await user.call(path, init);
  const [first = {}] = records(record((await readJson(response)).error).errors);
  return { status: response.status, ...first };
}

const insert = (user: User, body: object) => refused(user, `${EVENTS}?conferenceDataVersion=1`, jsonInit('POST', body));

test.for([
  ['orderBy=updated', 'org-gcal.el 78, google-api-ruby-client 312'],
  ['orderBy=updated&singleEvents=true', 'eight public programs'],
  ['orderBy=startTime&singleEvents=true', 'org-gcal.el 78, google-api-ruby-client 312'],
] as const)('ends a list with %s without a sync token (%s)', async ([query], { owner }) => {
  const listed = await owner.json(`${EVENTS}?maxResults=2500&timeMin=2026-11-01T00:00:00Z&${query}`);
  expect(listed).not.toHaveProperty('nextSyncToken');
  expect(listed).not.toHaveProperty('nextPageToken');
});

test.for([
  ['settings', '/calendar/v3/users/me/settings', ''],
  ['the access list', `${CALENDARS}/primary/acl`, ''],
  ['the calendar list', LIST, ''],
  ['events in their own order', EVENTS, 'maxResults=2500&timeMin=2026-11-01T00:00:00Z&singleEvents=true'],
] as const)(
  'ends a list of %s with a sync token (Calendar API v3, "nextSyncToken")',
  async ([, path, query], { owner }) => {
    expect(await owner.json(`${path}?${query}`)).toHaveProperty('nextSyncToken');
  },
);

const ORDERING = { status: 400, reason: 'syncTokenWithNonDefaultOrdering', domain: 'calendar', location: 'orderBy' };
const RESTRICTION = {
  status: 400,
  reason: 'syncTokenWithRequestRestrictions',
  domain: 'calendar',
  message: 'Sync token cannot be used with other request restrictions.',
};

test.for([
  [EVENTS, 'orderBy=updated', ORDERING, 'three public repositories'],
  [EVENTS, 'orderBy=startTime&singleEvents=true', ORDERING, 'three public repositories'],
  [EVENTS, 'timeMin=2026-11-01T00:00:00Z', RESTRICTION, 'a public article with a live answer'],
  [EVENTS, 'timeMax=2026-11-01T00:00:00Z', RESTRICTION, 'Calendar API v3, "syncToken"'],
  [EVENTS, 'updatedMin=2026-11-01T00:00:00Z', RESTRICTION, 'Calendar API v3, "syncToken"'],
  [EVENTS, 'q=x', RESTRICTION, 'Calendar API v3, "syncToken"'],
  [EVENTS, 'iCalUID=x', RESTRICTION, 'Calendar API v3, "syncToken"'],
  [EVENTS, 'privateExtendedProperty=a%3Db', RESTRICTION, 'Calendar API v3, "syncToken"'],
  [EVENTS, 'sharedExtendedProperty=a%3Db', RESTRICTION, 'Calendar API v3, "syncToken"'],
  [EVENTS, 'showDeleted=false', RESTRICTION, 'Calendar API v3, "showDeleted"'],
  [LIST, 'minAccessRole=owner', RESTRICTION, 'Calendar API v3, "syncToken"'],
  [LIST, 'showDeleted=false', RESTRICTION, 'Calendar API v3, "showDeleted"'],
  [LIST, 'showHidden=false', RESTRICTION, 'Calendar API v3, "showHidden"'],
  [`${CALENDARS}/primary/acl`, 'showDeleted=false', RESTRICTION, 'Calendar API v3, "showDeleted"'],
] as const)('refuses a sync token of %s together with %s', async ([path, query, answer], { owner }) => {
  const { nextSyncToken } = await owner
    .json(`${path}?maxResults=250`)
    .then((page) => ('nextSyncToken' in page ? page : owner.json(`${path}?maxResults=2500`)));
  const token = encodeURIComponent(text(nextSyncToken));
  expect(await refused(owner, `${path}?syncToken=${token}&${query}`)).toMatchObject(answer);
});

const BIRTHDAY = { ...DAY, summary: 'Ada', eventType: 'birthday', recurrence: ['RRULE:FREQ=YEARLY'] };

test('inserts a birthday with its usual type, private and not busy (Calendar API v3, "birthdayProperties")', async ({
  owner,
}) => {
  expect(await owner.post(EVENTS, BIRTHDAY)).toMatchObject({
    eventType: 'birthday',
    birthdayProperties: { type: 'birthday' },
    visibility: 'private',
    transparency: 'transparent',
  });
  const leap = {
    ...BIRTHDAY,
    start: { date: '2028-02-29' },
    end: { date: '2028-03-01' },
    recurrence: ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1'],
  };
  expect(await owner.post(EVENTS, leap)).toMatchObject({ birthdayProperties: { type: 'birthday' } });
});

test.for([
  [
    'private properties',
    { extendedProperties: { private: { a: 'b' } } },
    "'birthday' event type must not have private extended properties.",
    'OutlookGoogleCalendarSync 2103',
  ],
  [
    'shared properties',
    { extendedProperties: { shared: { a: 'b' } } },
    "'birthday' event type must not have shared extended properties.",
    'the same kind',
  ],
  ['public visibility', { visibility: 'public' }, undefined, '"Manage birthday events"'],
  ['a busy time', { transparency: 'opaque' }, undefined, '"Manage birthday events"'],
  ['no recurrence', { recurrence: undefined }, undefined, '"Manage birthday events"'],
  ['a weekly recurrence', { recurrence: ['RRULE:FREQ=WEEKLY'] }, undefined, '"Manage birthday events"'],
  ['an end of its recurrence', { recurrence: ['RRULE:FREQ=YEARLY;COUNT=3'] }, undefined, 'not known, so refused'],
  ['two days', TWO_DAYS, undefined, '"Manage birthday events"'],
  ['an hour', TIMES, undefined, '"Manage birthday events"'],
  ['guests', { attendees: GUESTS }, undefined, 'OutlookGoogleCalendarSync 2103'],
  ['a conference', { conferenceData: MEETING }, undefined, 'OutlookGoogleCalendarSync 2103'],
  ['a description', { description: 'x' }, undefined, 'not known, so refused'],
  ['a place', { location: 'x' }, undefined, 'not known, so refused'],
  ['the type anniversary', { birthdayProperties: { type: 'anniversary' } }, undefined, 'Calendar API v3, "type"'],
  ['the type self', { birthdayProperties: { type: 'self' } }, undefined, 'Calendar API v3, "type"'],
] as const)('refuses a birthday with %s', async ([, more, message], { owner }) => {
  const answer = await insert(owner, { ...BIRTHDAY, ...more });
  expect(answer).toMatchObject({ status: 400, domain: 'calendar', reason: 'eventTypeRestriction' });
  if (message !== undefined) expect(answer).toMatchObject({ message });
});

test('refuses changes of a contact’s birthday (QuickMail 294, five public programs)', async ({ owner }) => {
  const contact = { ...BIRTHDAY, birthdayProperties: { contact: 'people/c12345' } };
  const path = `${EVENTS}/${await owner.make(EVENTS, contact)}`;
  const answer = { status: 400, domain: 'calendar', reason: 'eventTypeRestriction' };
  expect(await refused(owner, path, jsonInit('PATCH', { summary: 'x' }))).toMatchObject(answer);
  expect(await refused(owner, path, jsonInit('PUT', { ...BIRTHDAY, summary: 'x' }))).toMatchObject(answer);
  expect(await refused(owner, path, { method: 'DELETE' })).toMatchObject(answer);
});

test.for([
  ['outOfOffice', TIMES, { attendees: GUESTS }, 'malformedOutOfOfficeEvent', 'macro 6183'],
  ['outOfOffice', TIMES, { conferenceData: MEETING }, 'malformedOutOfOfficeEvent', 'macro 6183'],
  ['outOfOffice', TIMES, { description: 'x' }, 'malformedOutOfOfficeEvent', 'two public programs'],
  ['outOfOffice', DAY, {}, 'malformedOutOfOfficeEvent', '"Manage status events"'],
  ['outOfOffice', TIMES, { transparency: 'transparent' }, 'malformedOutOfOfficeEvent', '"Manage status events"'],
  ['focusTime', TIMES, { attendees: GUESTS }, 'malformedFocusTimeEvent', 'GAM'],
  ['focusTime', TIMES, { conferenceData: MEETING }, 'malformedFocusTimeEvent', 'the same kind'],
  ['focusTime', DAY, {}, 'malformedFocusTimeEvent', '"Manage status events"'],
  ['workingLocation', DAY, { attendees: GUESTS }, 'malformedWorkingLocationEvent', 'GAM'],
  ['workingLocation', TWO_DAYS, {}, 'malformedWorkingLocationEvent', 'GAM'],
  ['workingLocation', DAY, { workingLocationProperties: {} }, 'malformedWorkingLocationEvent', 'GAM'],
  ['workingLocation', DAY, { workingLocationProperties: undefined }, 'malformedWorkingLocationEvent', 'GAM'],
  [
    'workingLocation',
    DAY,
    { workingLocationProperties: { type: 'moon' } },
    'malformedWorkingLocationEvent',
    'Calendar API v3',
  ],
  ['workingLocation', DAY, { visibility: 'private' }, 'malformedWorkingLocationEvent', '"Manage status events"'],
] as const)('refuses %s with %j and %j', async ([eventType, times, more, reason], { owner }) => {
  const own = eventType === 'workingLocation' ? { workingLocationProperties: { type: 'homeOffice' } } : {};
  expect(await insert(owner, { ...times, ...own, eventType, ...more })).toMatchObject({ status: 400, reason });
  expect(await owner.status(EVENTS, jsonInit('POST', { ...TIMES, ...own, eventType }))).toBe(200);
});

test('names the length of a working location of two days in Google’s words (a public program with a live answer)', async ({
  owner,
}) => {
  const body = { ...TWO_DAYS, eventType: 'workingLocation', workingLocationProperties: { type: 'homeOffice' } };
  expect(await insert(owner, body)).toMatchObject({
    message: 'An all-day working location event must be exactly one day long.',
  });
});

test('refuses a day together with a time in one end of an event (OutlookGoogleCalendarSync 609, caldir 20)', async ({
  owner,
}) => {
  const both = { date: '2026-12-01', dateTime: '2026-12-01T10:00:00Z' };
  const answer = { status: 400, reason: 'invalid', domain: 'global' };
  expect(await insert(owner, { ...TIMES, start: both })).toMatchObject({ ...answer, message: 'Invalid start time.' });
  expect(await insert(owner, { ...TIMES, end: both })).toMatchObject({ ...answer, message: 'Invalid end time.' });
});

test('merges the members of a time in a patch (apps-api-issues 3110)', async ({ owner }) => {
  const day = `${EVENTS}/${await owner.make(EVENTS, DAY)}`;
  const answer = { status: 400, reason: 'invalid', message: 'Invalid start time.' };
  expect(await refused(owner, day, jsonInit('PATCH', { start: TIMES.start }))).toMatchObject(answer);
  const nulled = { start: { ...TIMES.start, date: null }, end: { ...TIMES.end, date: null } };
  expect(await owner.patch(day, nulled)).toMatchObject({ start: { dateTime: expect.any(String) } });
  const timed = `${EVENTS}/${await owner.make(EVENTS, TIMES)}`;
  expect(await refused(owner, timed, jsonInit('PATCH', { start: DAY.start }))).toMatchObject(answer);
});

const SERIES = {
  start: { dateTime: '2026-12-01T10:00:00', timeZone: 'Europe/Berlin' },
  end: { dateTime: '2026-12-01T11:00:00', timeZone: 'Europe/Berlin' },
};
const LONG = 'x'.repeat(8_193);

test.for([
  ['a description of a million letters', { ...TIMES, description: 'x'.repeat(1_000_000) }, 'gdata-provider 713'],
  ['a description of 8193 letters', { ...TIMES, description: LONG }, 'public reports of the limit'],
  ['a title of 8193 letters', { ...TIMES, summary: LONG }, 'a public test, for calendars'],
  ['a place of 8193 letters', { ...TIMES, location: LONG }, 'not known, so refused'],
  [
    '5000 days left out',
    { ...SERIES, recurrence: ['RRULE:FREQ=DAILY', ...Array.from({ length: 5_000 }, () => 'EXDATE:20261202T090000Z')] },
    'GAS-ICS-Sync 271',
  ],
  [
    '201 guests',
    { ...TIMES, attendees: Array.from({ length: 201 }, (_, at) => ({ email: `g${at}@example.com` })) },
    'Google Calendar help',
  ],
] as const)('refuses an event with %s', async ([, body], { owner }) => {
  const answer = { status: 400, message: 'A provided value exceeds the allowed size limit.' };
  expect(await insert(owner, body)).toMatchObject(answer);
});

test('refuses a calendar with too long a title (a public test of a live answer)', async ({ owner }) => {
  const answer = { status: 400, message: 'A provided value exceeds the allowed size limit.' };
  const init = jsonInit('POST', { summary: 'long Text'.repeat(1_000) });
  expect(await refused(owner, '/calendar/v3/calendars', init)).toMatchObject(answer);
});

test('drops properties with too long names and cuts too long values (Calendar API, "Extended properties")', async ({
  owner,
}) => {
  const shared = { ['k'.repeat(45)]: 'gone', long: 'v'.repeat(2_000), fits: 'v' };
  const { extendedProperties } = await owner.post(EVENTS, { ...TIMES, extendedProperties: { shared } });
  expect(record(extendedProperties).shared).toEqual({ long: 'v'.repeat(1_024), fits: 'v' });
});

test('seeds a contact’s birthday', async ({ simulator, owner }) => {
  const event = { ...BIRTHDAY, id: 'contact1', birthdayProperties: { contact: 'people/c1' } };
  await control(simulator, 'POST', 'seed', { events: [{ ...event, calendar: 'first.user@example.com' }] });
  expect(await owner.refusal(`${EVENTS}/contact1`, { method: 'DELETE' })).toBe('400 eventTypeRestriction');
});
