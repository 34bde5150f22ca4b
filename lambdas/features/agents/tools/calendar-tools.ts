import { ownMember } from '../../../gateway/core/own-member.ts';
import {
  type ArgumentSchema,
  isObject,
  type JsonObject,
  type ToolResult,
} from '../../../gateway/server-tools/tool.rules.ts';
import { flag, number, text, texts } from './arguments.rules.ts';
import {
  daysBetween,
  isTimeZone,
  laterDay,
  momentOf,
  readTime,
  showMoment,
  type WrittenTime,
} from './calendar-times.rules.ts';
import { freeSpans, hoursWithin } from './free-time.rules.ts';
import { answeredBy, changedGuests, isGuestListCut } from './guests.rules.ts';
import { dataResult, itemResult, jsonBody, listResult, readPageToken } from './results.rules.ts';
import { bool, CALENDAR_ID, choice, definition, EVENT_ID, string, whole } from './schemas.ts';
import type { Send, Tool, ToolContext } from './tool.ts';
import { ToolFailure } from './tool-failure.rules.ts';

/** Fields of an event that an assistant sees, and no others are asked for. */
const EVENT =
  'id,etag,status,summary,description,location,start,end,recurrence,recurringEventId,organizer(email,displayName,self),attendees(email,displayName,responseStatus,optional,organizer,self,comment),attendeesOmitted,hangoutLink,htmlLink';
/** What a change of an event reads first: its guests with every member, and its times. */
const BEFORE = 'etag,start,end,attendees,attendeesOmitted,guestsCanSeeOtherGuests,organizer,recurrence';
const DAY_MS = 24 * 3600 * 1000;
/** Days of a list where no end is named. */
const LIST_DAYS = 7;
/** Guests of one event in a list; more are left out by Google, and the list says so. */
const LIST_GUESTS = 20;
/** Days in which a free time is looked for, and free times in one result. */
const FREE_DAYS_MAX = 31;
const FREE_SPANS_MAX = 30;
/** How often the same event can be made, deleted and made again within an hour. */
const REMAKES_MAX = 6;

const EVENT_WRITERS = ['calendar', 'calendar.events', 'calendar.events.owned'];
const EVENT_READERS = [
  ...EVENT_WRITERS,
  'calendar.readonly',
  'calendar.events.readonly',
  'calendar.events.owned.readonly',
];
const LIST_READERS = ['calendar', 'calendar.readonly', 'calendar.calendarlist', 'calendar.calendarlist.readonly'];
const FREE_BUSY_READERS = ['calendar', 'calendar.readonly', 'calendar.freebusy', 'calendar.events.freebusy'];

const calendarId = string('Default: primary', { pattern: CALENDAR_ID });
const eventId = string('Id of the event', { pattern: EVENT_ID });
const pageToken = string('next_page_token of the page before');
const notify = bool('Google mails the attendees; default false');
const etag = string('etag of the event as you read it', { pattern: '^"?[\\x21\\x23-\\x7e]{1,120}"?$' });
const timeZone = string('Such as Europe/Berlin', { maxLength: 64 });
const addresses = (description: string, maxItems = 100): ArgumentSchema => ({
  type: 'array',
  description,
  maxItems,
  items: string(undefined, { maxLength: 320 }),
});
const clock = (description: string) => string(description, { pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$|^24:00$' });

/** What an event is made of; `!` marks what a new one needs. */
function eventProperties(
  required: '!' | '',
  guests: Readonly<Record<string, ArgumentSchema>>,
): Readonly<Record<string, ArgumentSchema>> {
  return {
    [`summary${required}`]: string('Title', { maxLength: 1_000 }),
    [`start${required}`]: string(
      '2026-01-31T09:00:00, or 2026-01-31 for a whole day. Without offset: calendar’s zone',
      {
        maxLength: 40,
      },
    ),
    [`end${required}`]: string('As start; a day is not included', { maxLength: 40 }),
    time_zone: timeZone,
    description: string(undefined, { maxLength: 8_000 }),
    location: string(undefined, { maxLength: 1_000 }),
    ...guests,
    recurrence: {
      type: 'array',
      description: 'RFC 5545 lines such as RRULE:FREQ=WEEKLY',
      maxItems: 10,
      items: string(undefined, { maxLength: 1_000 }),
    },
    notify_attendees: notify,
    calendar_id: calendarId,
  };
}

export const CALENDAR_TOOLS: readonly Tool[] = [
  {
    definition: definition(
      'calendar_list_calendars',
      'List calendars',
      'reads',
      'Lists the calendars that the user sees, with time zone and rights.',
      { page_token: pageToken },
    ),
    provider: 'google-calendar',
    methods: ['calendar.calendarList.list'],
    scopes: LIST_READERS,
    async run(args, { send }) {
      const page = readPageToken(text(args, 'page_token'), 100);
      const answer = await send({
        method: 'GET',
        path: '/calendar/v3/users/me/calendarList',
        query: [
          ['fields', 'nextPageToken,items(id,summary,summaryOverride,timeZone,accessRole,primary)'],
          ['maxResults', String(page.pageSize)],
          ...(page.token === '' ? [] : [['pageToken', page.token] as const]),
        ],
      });
      const { items, nextPageToken } = jsonBody(answer.body);
      return listResult('calendars', Array.isArray(items) ? items : [], page, nextPageToken);
    },
  },
  {
    definition: definition(
      'calendar_list_events',
      'List events',
      'reads',
      'Lists events in the order of their start; series as single events.',
      {
        calendar_id: calendarId,
        time_min: string('2026-01-31T09:00:00 or 2026-01-31. Without offset: calendar’s zone. Default now', {
          maxLength: 40,
        }),
        time_max: string(`As time_min, not included; default ${LIST_DAYS} days later`, { maxLength: 40 }),
        text: string('Words to search for'),
        page_size: whole(1, 100, 'Default 50'),
        page_token: pageToken,
      },
    ),
    provider: 'google-calendar',
    methods: ['calendar.events.list'],
    scopes: EVENT_READERS,
    run: (args, context) => listEvents(args, context),
  },
  {
    definition: definition('calendar_get_event', 'Get an event', 'reads', 'Gets one event with its etag.', {
      calendar_id: calendarId,
      'event_id!': eventId,
    }),
    provider: 'google-calendar',
    methods: ['calendar.events.get'],
    scopes: EVENT_READERS,
    async run(args, { send }) {
      return itemResult(shown(await readEvent(args, send, EVENT), 'Google does not show all guests to the user.'));
    },
  },
  {
    definition: definition(
      'calendar_find_free_time',
      'Find a free time',
      'reads',
      'Finds times in which the user and other people are free, on days and in hours for meetings.',
      {
        people: addresses('People whose calendars are read in addition to the user’s', 20),
        'time_min!': string('2026-01-31T09:00:00 or 2026-01-31', { maxLength: 40 }),
        'time_max!': string('As time_min, not included', { maxLength: 40 }),
        'duration_minutes!': whole(5, 1_440),
        day_from: clock('Default 09:00'),
        day_until: clock('Default 17:00'),
        weekends: bool('Also Saturday and Sunday'),
        time_zone: string('Default: the user’s', { maxLength: 64 }),
      },
    ),
    provider: 'google-calendar',
    methods: ['calendar.freebusy.query'],
    scopes: FREE_BUSY_READERS,
    run: (args, context) => findFreeTime(args, context),
  },
  {
    definition: definition(
      'calendar_create_event',
      'Create an event',
      'adds and mails',
      'Creates an event. Mails attendees only with notify_attendees. The same event twice within an hour is a conflict.',
      eventProperties('!', { attendees: addresses('E-mail addresses') }),
    ),
    provider: 'google-calendar',
    methods: ['calendar.events.insert'],
    scopes: EVENT_WRITERS,
    run: (args, context) => createEvent(args, context),
  },
  {
    definition: definition(
      'calendar_update_event',
      'Change an event',
      'changes and mails',
      'Changes the given members of an event, if it is still as you read it. Other guests and their answers stay. A start without end moves the event. recurrence is replaced as a whole.',
      {
        'event_id!': eventId,
        'etag!': etag,
        ...eventProperties('', {
          add_attendees: addresses('E-mail addresses'),
          remove_attendees: addresses('E-mail addresses'),
        }),
      },
    ),
    provider: 'google-calendar',
    methods: ['calendar.events.get', 'calendar.events.patch'],
    scopes: EVENT_WRITERS,
    run: (args, context) => updateEvent(args, context),
  },
  {
    definition: definition(
      'calendar_respond_to_event',
      'Answer an invitation',
      'changes and mails',
      'Answers an invitation for the user: of a series for the event that the id names.',
      {
        'event_id!': eventId,
        'response!': choice(['accepted', 'declined', 'tentative']),
        comment: string('For the organizer', { maxLength: 1_000 }),
        notify_attendees: bool('Google mails the answer; default false'),
        calendar_id: calendarId,
      },
    ),
    provider: 'google-calendar',
    methods: ['calendar.events.get', 'calendar.events.patch'],
    scopes: EVENT_WRITERS,
    async run(args, { send }) {
      const before = await readEvent(args, send, BEFORE);
      const answer = answeredBy(before, text(args, 'response') ?? '', text(args, 'comment'));
      // Google changes only the user's own answer where others are left out (Calendar API, `attendeesOmitted`).
      const attendees = isGuestListCut(before) ? [answer.own] : answer.guests;
      return patchEvent(args, send, before, {
        ...(isGuestListCut(before) ? { attendeesOmitted: true } : {}),
        attendees,
      });
    },
  },
  {
    definition: definition(
      'calendar_delete_event',
      'Delete an event',
      'changes and mails',
      'Deletes an event, or of a series the one that the id names.',
      { 'event_id!': eventId, etag, notify_attendees: notify, calendar_id: calendarId },
    ),
    provider: 'google-calendar',
    methods: ['calendar.events.delete'],
    scopes: EVENT_WRITERS,
    async run(args, { send }) {
      await send({ method: 'DELETE', path: eventPath(args), query: sendUpdates(args), headers: ifMatch(args) });
      return dataResult({ deleted: true, event_id: text(args, 'event_id') });
    },
  },
];

const JSON_BODY = [['content-type', 'application/json']] as const;

function calendarPath(args: JsonObject): string {
  const id = text(args, 'calendar_id') ?? 'primary';
  if (id === '.' || id === '..')
    throw new ToolFailure('invalid_arguments', 'calendar_id must be the id of a calendar.');
  return `/calendar/v3/calendars/${encodeURIComponent(id)}`;
}

function eventPath(args: JsonObject): string {
  return `${calendarPath(args)}/events/${encodeURIComponent(text(args, 'event_id') ?? '')}`;
}

function sendUpdates(args: JsonObject): [string, string][] {
  return [['sendUpdates', flag(args, 'notify_attendees') ? 'all' : 'none']];
}

function quotedEtag(sent: string): string {
  return sent.startsWith('"') ? sent : `"${sent}"`;
}

/** Google refuses a change of another state than this (Calendar API, "Get specific versions of resources"). */
function ifMatch(args: JsonObject): [string, string][] {
  const sent = text(args, 'etag');
  return sent === undefined ? [] : [['if-match', quotedEtag(sent)]];
}

async function readEvent(args: JsonObject, send: Send, fields: string): Promise<JsonObject> {
  const answer = await send({ method: 'GET', path: eventPath(args), query: [['fields', fields]] });
  return jsonBody(answer.body);
}

/** An event as an assistant sees it: a list of guests that Google has cut says so. */
function shown(event: JsonObject, note: string): JsonObject {
  return isGuestListCut(event) ? { ...event, attendees_note: note } : event;
}

/** The zone of the call's calendar, which Google names in every list of its events. */
async function calendarZone(args: JsonObject, send: Send): Promise<string> {
  const query = [
    ['maxResults', '1'],
    ['fields', 'timeZone'],
  ] as const;
  const asked = send({ method: 'GET', path: `${calendarPath(args)}/events`, query });
  const answer = await asked.catch((error: unknown) => {
    if (!(error instanceof ToolFailure) || !NO_ZONE.has(error.code)) throw error;
    const message = 'The calendar’s zone is not known: send times with an offset such as +01:00, or time_zone.';
    throw new ToolFailure('invalid_arguments', message);
  });
  const { timeZone: zone } = jsonBody(answer.body);
  return typeof zone === 'string' && isTimeZone(zone) ? zone : 'UTC';
}

/** Failures of those who may write events and not read them. */
const NO_ZONE = new Set(['limited_by_key', 'forbidden', 'approval_required', 'approval_impossible']);

/** The zone that was named, checked. */
function givenZone(args: JsonObject): string | undefined {
  const zone = text(args, 'time_zone');
  if (zone === undefined || zone === '') return undefined;
  if (isTimeZone(zone)) return zone;
  throw new ToolFailure('invalid_arguments', 'time_zone must be a zone such as Europe/Berlin.');
}

function timeIn(args: JsonObject, name: string): WrittenTime | undefined {
  const sent = text(args, name);
  if (sent === undefined || sent === '') return undefined;
  const time = readTime(sent);
  if (time !== undefined) return time;
  throw new ToolFailure('invalid_arguments', `${name} must be like 2026-01-31T09:00:00+01:00, or 2026-01-31.`);
}

async function listEvents(args: JsonObject, { send, nowMs }: ToolContext): Promise<ToolResult> {
  const sent = readPageToken(text(args, 'page_token'), number(args, 'page_size', 50));
  // Later pages are of the time of the first, which begins now where nothing is said.
  const [, from, until, token = ''] = /^(\d{1,16})~(\d{1,16})~(.*)$/s.exec(sent.token) ?? [];
  const [first, last] = from === undefined ? [timeIn(args, 'time_min'), timeIn(args, 'time_max')] : [];
  const isLocal = [first, last].some((time) => time !== undefined && time.kind !== 'moment');
  const zone = isLocal ? await calendarZone(args, send) : 'UTC';
  const fromMs = from === undefined ? ((first && momentOf(first, zone)) ?? nowMs) : Number(from);
  const untilMs = until === undefined ? ((last && momentOf(last, zone)) ?? fromMs + LIST_DAYS * DAY_MS) : Number(until);
  const withTime = (next: unknown) => (typeof next === 'string' ? `${fromMs}~${untilMs}~${next}` : undefined);
  const page = { ...sent, token: withTime(token) ?? '' };
  // No date has later times (ECMAScript, "Time values and time range").
  if (untilMs > 8.64e15)
    throw new ToolFailure('invalid_arguments', 'page_token must be the next_page_token of a result.');
  if (untilMs <= fromMs) {
    throw new ToolFailure(
      'invalid_arguments',
      'time_max must be later than time_min. A day in time_max is not included.',
    );
  }
  const words = text(args, 'text');
  const answer = await send({
    method: 'GET',
    path: `${calendarPath(args)}/events`,
    query: [
      ['singleEvents', 'true'],
      ['orderBy', 'startTime'],
      ['maxAttendees', String(LIST_GUESTS)],
      ['timeMin', new Date(fromMs).toISOString()],
      ['timeMax', new Date(untilMs).toISOString()],
      ...(words === undefined || words === '' ? [] : [['q', words] as const]),
      ['maxResults', String(page.pageSize)],
      ['fields', `nextPageToken,timeZone,items(${EVENT})`],
      ...(token === '' ? [] : [['pageToken', token] as const]),
    ],
  });
  const { items, nextPageToken, timeZone: shownZone } = jsonBody(answer.body);
  const note = 'Not all guests are shown here: calendar_get_event has them.';
  const events = (Array.isArray(items) ? items.filter(isObject) : []).map((event) => shown(event, note));
  return listResult('events', events, page, withTime(nextPageToken), { time_zone: shownZone });
}

/**
 * Creates an event under an id that its arguments make, so that it is created once. Where one of that id was deleted, it is created under
 * the next.
 */
async function createEvent(args: JsonObject, { send, onceId }: ToolContext): Promise<ToolResult> {
  const event = await newEvent(args, send);
  for (let at = 0; ; at++) {
    const id = onceId(at);
    // A call that waits for a person is sent later: whether its id is free has to be known now.
    if (at > 0 || event.attendees !== undefined) {
      const state = await stateOfId(args, send, id);
      if (state === 'deleted' && at < REMAKES_MAX) continue;
      if (state === 'there') throw new ToolFailure('conflict', 'The same event was made before.', { event_id: id });
    }
    try {
      const answer = await send({
        method: 'POST',
        path: `${calendarPath(args)}/events`,
        query: [...sendUpdates(args), ['fields', EVENT]],
        headers: JSON_BODY,
        body: JSON.stringify({ id, ...event }),
      });
      return itemResult(jsonBody(answer.body));
    } catch (error) {
      const isTaken = error instanceof ToolFailure && error.details.status === 409;
      if (!isTaken) throw error;
      const isDeleted = at < REMAKES_MAX && (await stateOfId(args, send, id)) === 'deleted';
      if (!isDeleted) throw new ToolFailure(error.code, error.message, { ...error.details, event_id: id });
    }
  }
}

/** What there is under an id of an event, as far as the caller may know. */
async function stateOfId(args: JsonObject, send: Send, id: string): Promise<'there' | 'deleted' | 'unknown'> {
  try {
    const path = `${calendarPath(args)}/events/${id}`;
    const answer = await send({ method: 'GET', path, query: [['fields', 'status']] });
    return jsonBody(answer.body).status === 'cancelled' ? 'deleted' : 'there';
  } catch (error) {
    if (error instanceof ToolFailure) return 'unknown';
    throw error;
  }
}

async function newEvent(args: JsonObject, send: Send): Promise<JsonObject> {
  const zone = givenZone(args);
  const [start, end] = [timeIn(args, 'start'), timeIn(args, 'end')];
  if (start === undefined || end === undefined)
    throw new ToolFailure('invalid_arguments', 'start and end are required.');
  assertSameForm(start, end);
  const recurrence = texts(args, 'recurrence');
  // Google repeats a time only in a zone.
  const needsZone = [start, end].some(({ kind }) => kind === 'local') || recurrence !== undefined;
  const known = zone ?? (start.kind !== 'day' && needsZone ? await calendarZone(args, send) : undefined);
  const point = (time: WrittenTime) =>
    time.kind === 'day'
      ? { date: time.date }
      : { dateTime: time.dateTime, ...(known === undefined ? {} : { timeZone: known }) };
  const attendees = texts(args, 'attendees')?.map((email) => ({ email }));
  return given({
    ...namedMembers(args),
    start: point(start),
    end: point(end),
    attendees: attendees?.length === 0 ? undefined : attendees,
  });
}

/** Members of an event that are replaced as they are given. */
function namedMembers(args: JsonObject): JsonObject {
  return {
    summary: text(args, 'summary'),
    description: text(args, 'description'),
    location: text(args, 'location'),
    recurrence: texts(args, 'recurrence'),
  };
}

/** Without members that nothing was said of. */
function given(event: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined));
}

function assertSameForm(start: WrittenTime, end: WrittenTime): void {
  if ((start.kind === 'day') === (end.kind === 'day')) return;
  throw new ToolFailure('invalid_arguments', 'start and end must both be days, or both be times.');
}

async function updateEvent(args: JsonObject, { send }: ToolContext): Promise<ToolResult> {
  const before = await readEvent(args, send, BEFORE);
  if (before.etag !== quotedEtag(text(args, 'etag') ?? '')) {
    const message = 'It has changed since you read it, so nothing was done. Read it again before you decide.';
    throw new ToolFailure('conflict', message, { etag: before.etag });
  }
  const changed = given({
    ...namedMembers(args),
    ...(await changedTimes(args, send, before)),
    attendees: changedGuests(before, texts(args, 'add_attendees') ?? [], texts(args, 'remove_attendees') ?? []),
  });
  if (Object.keys(changed).length === 0) {
    throw new ToolFailure('invalid_arguments', 'This changes nothing: name what is to be different.');
  }
  return patchEvent(args, send, before, changed);
}

/** Changes an event as it was read. */
async function patchEvent(args: JsonObject, send: Send, before: JsonObject, changes: JsonObject): Promise<ToolResult> {
  const answer = await send({
    method: 'PATCH',
    path: eventPath(args),
    query: [...sendUpdates(args), ['fields', EVENT]],
    headers: [...JSON_BODY, ...(typeof before.etag === 'string' ? [['if-match', before.etag] as const] : [])],
    body: JSON.stringify(changes),
  });
  return itemResult(shown(jsonBody(answer.body), 'Google does not show all guests to the user.'));
}

/** An event's start or end as Google has it. */
interface Point {
  readonly date: string | undefined;
  readonly ms: number;
}

function pointOf(value: unknown): Point {
  const { date, dateTime } = isObject(value) ? value : {};
  return { date: typeof date === 'string' ? date : undefined, ms: Date.parse(String(dateTime)) };
}

/**
 * New times of an event. The zone in which a series repeats stays, and what a whole day has and a time has not is taken away by null
 * (Calendar API, `events.patch`). A new start alone moves the event as it is.
 */
async function changedTimes(args: JsonObject, send: Send, before: JsonObject): Promise<JsonObject> {
  const zone = givenZone(args);
  const [start, end] = [timeIn(args, 'start'), timeIn(args, 'end')];
  if (start === undefined && end === undefined) {
    if (zone === undefined) return {};
    throw new ToolFailure('invalid_arguments', 'time_zone goes with start and end.');
  }
  const [wasStart, wasEnd] = [pointOf(before.start), pointOf(before.end)];
  const wasDay = wasStart.date !== undefined;
  const isDay = (start ?? end)?.kind === 'day';
  if (start !== undefined && end !== undefined) assertSameForm(start, end);
  else if (isDay !== wasDay) {
    const now = wasDay ? 'It is a whole day now' : 'It has times now';
    throw new ToolFailure('invalid_arguments', `${now}: send start and end to change that.`);
  }
  if (isDay) {
    const day = (time: WrittenTime) => ({
      date: time.kind === 'day' ? time.date : '',
      ...(wasDay ? {} : { dateTime: null, timeZone: null }),
    });
    const days = wasDay ? daysBetween(wasStart.date, wasEnd.date ?? wasStart.date) : 1;
    const last =
      end ?? (start?.kind === 'day' ? { kind: 'day' as const, date: laterDay(start.date, days) } : undefined);
    return given({ start: start && day(start), end: last && day(last) });
  }
  const isRepeated = Array.isArray(before.recurrence) || texts(args, 'recurrence') !== undefined;
  const needsZone = [start, end].some((time) => time?.kind === 'local') || (wasDay && isRepeated);
  const known = zone ?? (needsZone ? await calendarZone(args, send) : 'UTC');
  const moment = (time: WrittenTime | undefined) => time && momentOf(time, known);
  const startMs = moment(start);
  const endMs = moment(end) ?? (startMs === undefined ? undefined : startMs + wasEnd.ms - wasStart.ms);
  const point = (time: WrittenTime | undefined, ms: number | undefined) =>
    ms === undefined
      ? undefined
      : {
          dateTime: time?.kind === 'moment' ? time.dateTime : showMoment(ms, known),
          ...(zone !== undefined || (wasDay && isRepeated) ? { timeZone: known } : {}),
          ...(wasDay ? { date: null } : {}),
        };
  return given({ start: point(start, startMs), end: point(end, endMs) });
}

async function findFreeTime(args: JsonObject, { send, nowMs }: ToolContext): Promise<ToolResult> {
  const zone = givenZone(args) ?? (await calendarZone({}, send));
  const [first, last] = [timeIn(args, 'time_min'), timeIn(args, 'time_max')];
  if (first === undefined || last === undefined) {
    throw new ToolFailure('invalid_arguments', 'time_min and time_max are required.');
  }
  const range = { fromMs: Math.max(momentOf(first, zone), nowMs), untilMs: momentOf(last, zone) };
  if (range.untilMs <= range.fromMs) {
    throw new ToolFailure(
      'invalid_arguments',
      'time_max must be later than time_min and than now. A day in time_max is not included.',
    );
  }
  if (range.untilMs - range.fromMs > FREE_DAYS_MAX * DAY_MS) {
    throw new ToolFailure('invalid_arguments', `Look for a free time within ${FREE_DAYS_MAX} days.`);
  }
  const hours = {
    from: text(args, 'day_from') ?? '09:00',
    until: text(args, 'day_until') ?? '17:00',
    weekends: flag(args, 'weekends'),
  };
  if (hours.until <= hours.from) throw new ToolFailure('invalid_arguments', 'day_until must be later than day_from.');
  const asked = ['primary', ...(texts(args, 'people') ?? [])];
  const answer = await send({
    method: 'POST',
    path: '/calendar/v3/freeBusy',
    query: [['fields', 'calendars,groups']],
    headers: JSON_BODY,
    body: JSON.stringify({
      timeMin: new Date(range.fromMs).toISOString(),
      timeMax: new Date(range.untilMs).toISOString(),
      items: asked.map((id) => ({ id })),
    }),
  });
  const { busy, unknown } = busyTimes(jsonBody(answer.body), asked);
  if (unknown.some(({ address }) => address === 'primary')) {
    throw new ToolFailure('forbidden', 'Google does not say when the user is busy.');
  }
  const lengthMs = number(args, 'duration_minutes', 30) * 60_000;
  const free = freeSpans(hoursWithin(range, hours, zone), busy, lengthMs);
  return dataResult({
    time_zone: zone,
    free: free.slice(0, FREE_SPANS_MAX).map(({ fromMs, untilMs }) => ({
      start: showMoment(fromMs, zone),
      end: showMoment(untilMs, zone),
    })),
    ...(free.length > FREE_SPANS_MAX ? { truncated: true } : {}),
    ...(unknown.length === 0
      ? {}
      : { unknown, note: 'When these people are busy is not known: the free times leave them out.' }),
  });
}

/** When calendars are busy, those of groups included, and those of which Google does not say it. */
function busyTimes({ calendars, groups }: JsonObject, asked: readonly string[]) {
  const all = isObject(calendars) ? calendars : {};
  const grouped = isObject(groups) ? groups : {};
  const reasonOf = (entry: unknown): string | undefined => {
    if (!isObject(entry)) return 'notFound';
    const [error] = Array.isArray(entry.errors) ? entry.errors : [];
    return error === undefined ? undefined : String(isObject(error) ? error.reason : error);
  };
  const unknown = [...new Set([...asked, ...Object.keys(all)])].flatMap((address) => {
    const reason = reasonOf(ownMember(all, address) ?? ownMember(grouped, address));
    return reason === undefined ? [] : [{ address, reason }];
  });
  const busy = Object.values(all).flatMap((entry) => {
    const spans = isObject(entry) && Array.isArray(entry.busy) ? entry.busy.filter(isObject) : [];
    return spans.map(({ start, end }) => ({ fromMs: Date.parse(String(start)), untilMs: Date.parse(String(end)) }));
  });
  return { busy, unknown };
}
