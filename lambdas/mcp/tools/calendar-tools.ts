import { isObject, type JsonObject } from '../protocol/messages.rules.ts';
import type { ArgumentSchema } from '../protocol/tool.rules.ts';
import { flag, number, text, texts } from './arguments.rules.ts';
import { dataResult, jsonBody, listResult, readPageToken } from './results.rules.ts';
import { bool, CALENDAR_ID, definition, EVENT_ID, string, whole } from './schemas.ts';
import type { Tool } from './tool.ts';
import { ToolFailure } from './tool-failure.rules.ts';

/** Fields of an event that an assistant sees, and no others are asked for. */
const EVENT =
  'id,etag,status,summary,description,location,start,end,recurrence,recurringEventId,organizer,attendees(email,responseStatus),htmlLink';
const DAY_MS = 24 * 3600 * 1000;
/** Days of a list where no end is named. */
const LIST_DAYS = 7;

const EVENT_WRITERS = ['calendar', 'calendar.events', 'calendar.events.owned'];
const EVENT_READERS = [
  ...EVENT_WRITERS,
  'calendar.readonly',
  'calendar.events.readonly',
  'calendar.events.owned.readonly',
];
const LIST_READERS = ['calendar', 'calendar.readonly', 'calendar.calendarlist', 'calendar.calendarlist.readonly'];

const calendarId = string('Default: primary', { pattern: CALENDAR_ID });
const eventId = string('Id of the event', { pattern: EVENT_ID });
const pageToken = string('next_page_token of the page before');
const notify = bool('Google mails the attendees; default false');
const etag = string('etag of the event as you read it', { pattern: '^"?[\\x21\\x23-\\x7e]{1,120}"?$' });

/** What an event is made of; `!` marks what a new one needs. */
function eventProperties(required: '!' | ''): Readonly<Record<string, ArgumentSchema>> {
  return {
    [`summary${required}`]: string('Title', { maxLength: 1_000 }),
    [`start${required}`]: string('2026-01-31T09:00:00 with offset or time_zone, or 2026-01-31 for a whole day', {
      maxLength: 40,
    }),
    [`end${required}`]: string('As start; a day is not included', { maxLength: 40 }),
    time_zone: string('Such as Europe/Berlin', { maxLength: 64 }),
    description: string(undefined, { maxLength: 8_000 }),
    location: string(undefined, { maxLength: 1_000 }),
    attendees: {
      type: 'array',
      description: 'E-mail addresses',
      maxItems: 100,
      items: string(undefined, { maxLength: 320 }),
    },
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
        time_min: string('RFC 3339 time; default now', { maxLength: 40 }),
        time_max: string(`RFC 3339 time; default ${LIST_DAYS} days later`, { maxLength: 40 }),
        text: string('Words to search for'),
        page_size: whole(1, 100, 'Default 50'),
        page_token: pageToken,
      },
    ),
    provider: 'google-calendar',
    methods: ['calendar.events.list'],
    scopes: EVENT_READERS,
    async run(args, { send, nowMs }) {
      const sent = readPageToken(text(args, 'page_token'), number(args, 'page_size', 50));
      // Later pages are of the time of the first, which begins now where nothing is said.
      const [, from, until, token = ''] = /^(\d{1,16})~(\d{1,16})~(.*)$/s.exec(sent.token) ?? [];
      const fromMs = from === undefined ? (timeIn(args, 'time_min') ?? nowMs) : Number(from);
      const untilMs = until === undefined ? (timeIn(args, 'time_max') ?? fromMs + LIST_DAYS * DAY_MS) : Number(until);
      const withTime = (pageToken: unknown) =>
        typeof pageToken === 'string' ? `${fromMs}~${untilMs}~${pageToken}` : undefined;
      const page = { ...sent, token: withTime(token) ?? '' };
      // No date has later times (ECMAScript, "Time values and time range").
      if (untilMs > 8.64e15)
        throw new ToolFailure('invalid_arguments', 'page_token must be the next_page_token of a result.');
      if (untilMs <= fromMs) throw new ToolFailure('invalid_arguments', 'time_max must be later than time_min.');
      const words = text(args, 'text');
      const answer = await send({
        method: 'GET',
        path: `${calendarPath(args)}/events`,
        query: [
          ['singleEvents', 'true'],
          ['orderBy', 'startTime'],
          ['maxAttendees', '20'],
          ['timeMin', new Date(fromMs).toISOString()],
          ['timeMax', new Date(untilMs).toISOString()],
          ...(words === undefined || words === '' ? [] : [['q', words] as const]),
          ['maxResults', String(page.pageSize)],
          ['fields', `nextPageToken,timeZone,items(${EVENT})`],
          ...(token === '' ? [] : [['pageToken', token] as const]),
        ],
      });
      const { items, nextPageToken, timeZone } = jsonBody(answer.body);
      return listResult('events', Array.isArray(items) ? items : [], page, withTime(nextPageToken), {
        time_zone: timeZone,
      });
    },
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
      const answer = await send({ method: 'GET', path: eventPath(args), query: [['fields', EVENT]] });
      return dataResult(jsonBody(answer.body));
    },
  },
  {
    definition: definition(
      'calendar_create_event',
      'Create an event',
      'adds',
      'Creates an event. Invites attendees only with notify_attendees. The same event twice within an hour is a conflict.',
      eventProperties('!'),
    ),
    provider: 'google-calendar',
    methods: ['calendar.events.insert'],
    scopes: EVENT_WRITERS,
    async run(args, { send, onceId }) {
      const answer = await send({
        method: 'POST',
        path: `${calendarPath(args)}/events`,
        query: [...sendUpdates(args), ['fields', EVENT]],
        headers: JSON_BODY,
        // Hexadecimal digits are among those that ids of events may have.
        body: JSON.stringify({ id: onceId, ...eventIn(args) }),
      });
      return dataResult(jsonBody(answer.body));
    },
  },
  {
    definition: definition(
      'calendar_update_event',
      'Change an event',
      'changes',
      'Changes the given members of an event, if it is still as you read it; attendees and recurrence are replaced as a whole.',
      { 'event_id!': eventId, 'etag!': etag, ...eventProperties('') },
    ),
    provider: 'google-calendar',
    methods: ['calendar.events.patch'],
    scopes: EVENT_WRITERS,
    async run(args, { send }) {
      const answer = await send({
        method: 'PATCH',
        path: eventPath(args),
        query: [...sendUpdates(args), ['fields', EVENT]],
        headers: [...JSON_BODY, ...ifMatch(args)],
        body: JSON.stringify(eventIn(args)),
      });
      return dataResult(jsonBody(answer.body));
    },
  },
  {
    definition: definition(
      'calendar_delete_event',
      'Delete an event',
      'changes',
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

/** Google refuses a change of another state than this (Calendar API, "Get specific versions of resources"). */
function ifMatch(args: JsonObject): [string, string][] {
  const sent = text(args, 'etag');
  if (sent === undefined) return [];
  return [['if-match', sent.startsWith('"') ? sent : `"${sent}"`]];
}

function timeIn(args: JsonObject, name: string): number | undefined {
  const sent = text(args, name);
  if (sent === undefined || sent === '') return undefined;
  const timeMs = Date.parse(sent);
  if (Number.isFinite(timeMs)) return timeMs;
  throw new ToolFailure('invalid_arguments', `${name} must be an RFC 3339 time such as 2026-01-31T00:00:00Z.`);
}

/** Members of an event that were given, in the API's spelling. */
function eventIn(args: JsonObject): JsonObject {
  const zone = text(args, 'time_zone');
  const attendees = texts(args, 'attendees');
  const event = {
    summary: text(args, 'summary'),
    start: pointIn(args, 'start', zone),
    end: pointIn(args, 'end', zone),
    description: text(args, 'description'),
    location: text(args, 'location'),
    attendees: attendees?.map((email) => ({ email })),
    recurrence: texts(args, 'recurrence'),
  };
  const given: unknown = JSON.parse(JSON.stringify(event));
  return isObject(given) ? given : {};
}

/** A day, or a moment in a zone. */
function pointIn(args: JsonObject, name: string, timeZone: string | undefined): JsonObject | undefined {
  const sent = text(args, name);
  if (sent === undefined) return undefined;
  if (/^\d{4}-\d\d-\d\d$/.test(sent)) return { date: sent };
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/i.test(sent);
  if (!isMoment) {
    throw new ToolFailure('invalid_arguments', `${name} must be like 2026-01-31T09:00:00+01:00, or 2026-01-31.`);
  }
  const isFixed = /(Z|[+-]\d\d:\d\d)$/i.test(sent);
  if (!isFixed && timeZone === undefined) {
    throw new ToolFailure('invalid_arguments', `${name} needs an offset such as +01:00, or time_zone.`);
  }
  const dateTime = /T\d\d:\d\d(?:Z|[+-]|$)/i.test(sent) ? sent.replace(/(T\d\d:\d\d)/i, '$1:00') : sent;
  return { dateTime, ...(timeZone === undefined ? {} : { timeZone }) };
}
