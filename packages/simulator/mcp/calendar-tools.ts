import { isRecord } from '../parse.ts';
import { suggestTimes } from './suggest-times.ts';
import {
  type ArgumentSchema,
  boolean,
  integer,
  type McpTool,
  numberArgument,
  pickMembers,
  queryOf,
  requiredText,
  string,
  strings,
  ToolError,
  type ToolRun,
  textArgument,
  textsArgument,
} from './tool.ts';

const READ_SCOPES = ['calendar.events.readonly', 'calendar.events'];
const WRITE_SCOPES = ['calendar.events'];
const PAGE_SIZE = 50;
const EVENT_MEMBERS = [
  ...['id', 'status', 'htmlLink', 'created', 'updated', 'summary', 'description', 'location', 'colorId', 'creator'],
  ...['organizer', 'start', 'end', 'recurrence', 'recurringEventId', 'originalStartTime', 'transparency', 'visibility'],
  ...['iCalUID', 'attendees', 'hangoutLink', 'eventType', 'reminders'],
];

const calendarId = string('Id of the calendar; the primary one where it is left out.');
const eventId = string('Id of the event.');
const timeZone = string('IANA time zone, such as Europe/Berlin.');
const pageSize = integer(`Entries of a page; ${PAGE_SIZE} where it is left out.`);
const pageToken = string('nextPageToken of the page before.');
const startTime = string('Start as a time with an offset, such as 2026-11-30T09:00:00+01:00.');
const endTime = string('End as a time with an offset.');
const notificationLevel = string('Who is sent an e-mail.', ['NONE', 'EXTERNAL_ONLY', 'ALL']);

const EVENT_ARGUMENTS: Readonly<Record<string, ArgumentSchema>> = {
  calendarId,
  summary: string('Title.'),
  startTime: string('Start: a time, or a date for an event of whole days.'),
  endTime: string('End: a time, or the date after the last day.'),
  timeZone,
  allDay: boolean('True for an event of whole days.'),
  description: string('Text.'),
  location: string('Place.'),
  attendeeEmails: strings('E-mail addresses of the guests.'),
  recurrenceData: strings('Rules of the recurrence, such as RRULE:FREQ=WEEKLY.'),
  visibility: string('Who sees the event.', ['default', 'public', 'private']),
  addGoogleMeetUrl: boolean('True adds a video call.'),
  notificationLevel,
};

const SEND_UPDATES: Readonly<Record<string, string>> = { NONE: 'none', EXTERNAL_ONLY: 'externalOnly', ALL: 'all' };

function sendUpdates(call: ToolRun): string {
  return SEND_UPDATES[textArgument(call, 'notificationLevel') ?? 'NONE'] ?? 'none';
}

function eventsOf(call: ToolRun, more = ''): string {
  const id = textArgument(call, 'calendarId') ?? 'primary';
  return `/calendar/v3/calendars/${encodeURIComponent(id)}/events${more}`;
}

function eventTarget(call: ToolRun, query = ''): string {
  return eventsOf(call, `/${encodeURIComponent(requiredText(call, 'eventId'))}${query}`);
}

function shownEvent(event: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return pickMembers(event, EVENT_MEMBERS);
}

async function listEvents(call: ToolRun, q: string | undefined): Promise<Record<string, unknown>> {
  const orderBy = textArgument(call, 'orderBy') === 'lastModified' ? 'updated' : 'startTime';
  const query = queryOf({
    singleEvents: true,
    orderBy,
    q,
    timeMin: textArgument(call, 'startTime'),
    timeMax: textArgument(call, 'endTime'),
    timeZone: textArgument(call, 'timeZone'),
    maxResults: numberArgument(call, 'pageSize', PAGE_SIZE),
    pageToken: textArgument(call, 'pageToken'),
  });
  const { resource } = await call.api({ method: 'GET', target: eventsOf(call, query) });
  const events = Array.isArray(resource.items) ? resource.items.filter(isRecord).map(shownEvent) : [];
  return { events, ...pickMembers(resource, ['timeZone', 'nextPageToken']) };
}

function time(call: ToolRun, name: string): Record<string, string> | undefined {
  const value = textArgument(call, name);
  if (value === undefined) return undefined;
  if (call.args.allDay === true || /^\d{4}-\d{2}-\d{2}$/.test(value)) return { date: value.slice(0, 10) };
  const zone = textArgument(call, 'timeZone');
  return { dateTime: value, ...(zone === undefined ? {} : { timeZone: zone }) };
}

/** What the arguments say of an event, as the REST API takes it. */
function eventBody(call: ToolRun): Record<string, unknown> {
  const attendees = textsArgument(call, 'attendeeEmails')?.map((email) => ({ email }));
  const members = {
    ...call.args,
    attendees,
    start: time(call, 'startTime'),
    end: time(call, 'endTime'),
    recurrence: textsArgument(call, 'recurrenceData'),
  };
  const names = ['summary', 'description', 'location', 'visibility', 'attendees', 'start', 'end', 'recurrence'];
  const requestId = `meet-${call.nowMs}`;
  return {
    ...pickMembers(members, names),
    ...(call.args.addGoogleMeetUrl === true ? { conferenceData: { createRequest: { requestId } } } : {}),
  };
}

function writeQuery(call: ToolRun): string {
  return queryOf({ sendUpdates: sendUpdates(call), conferenceDataVersion: 1 });
}

/** Answers an invitation as the guest that the caller is. */
async function respond(call: ToolRun): Promise<Record<string, unknown>> {
  const { resource } = await call.api({ method: 'GET', target: eventTarget(call) });
  const guests = Array.isArray(resource.attendees) ? resource.attendees.filter(isRecord) : [];
  if (!guests.some(({ self }) => self === true)) throw new ToolError('The user is not a guest of this event.');
  const comment = textArgument(call, 'responseComment');
  const answer = {
    responseStatus: requiredText(call, 'responseStatus'),
    ...(comment === undefined ? {} : { comment }),
  };
  const attendees = guests.map((guest) => (guest.self === true ? { ...guest, ...answer } : guest));
  const query = queryOf({ sendUpdates: sendUpdates(call) });
  const changed = await call.api({ method: 'PATCH', target: eventTarget(call, query), body: { attendees } });
  return shownEvent(changed.resource);
}

/** Tools of the Calendar server, as its reference lists them in October 2026. */
export const CALENDAR_TOOLS: readonly McpTool[] = [
  {
    name: 'list_calendars',
    title: 'List calendars',
    description: 'Lists the calendars of the user.',
    effect: 'read',
    scopes: ['calendar.calendarlist.readonly'],
    requests: 1,
    self: true,
    inputSchema: { type: 'object', properties: { pageSize, pageToken } },
    run: async (call) => {
      const query = queryOf({
        maxResults: numberArgument(call, 'pageSize', PAGE_SIZE),
        pageToken: textArgument(call, 'pageToken'),
      });
      const { resource } = await call.api({ method: 'GET', target: `/calendar/v3/users/me/calendarList${query}` });
      const members = ['id', 'summary', 'description', 'timeZone', 'primary', 'accessRole'];
      const items = Array.isArray(resource.items) ? resource.items.filter(isRecord) : [];
      const calendars = items.map((one) => pickMembers(one, members));
      return { calendars, ...pickMembers(resource, ['nextPageToken']) };
    },
  },
  {
    name: 'list_events',
    title: 'List events',
    description: 'Lists the events of a calendar between two times, each occurrence of a series on its own.',
    effect: 'read',
    scopes: READ_SCOPES,
    requests: 1,
    self: true,
    inputSchema: {
      type: 'object',
      properties: {
        ...{ calendarId, startTime, endTime, timeZone, pageSize, pageToken },
        orderBy: string('Order.', ['startTime', 'lastModified']),
        fullText: string('Words that the event must have.'),
      },
    },
    run: (call) => listEvents(call, textArgument(call, 'fullText')),
  },
  {
    name: 'get_event',
    title: 'Get an event',
    description: 'Shows an event.',
    effect: 'read',
    scopes: READ_SCOPES,
    requests: 1,
    self: true,
    inputSchema: { type: 'object', properties: { eventId, calendarId }, required: ['eventId'] },
    run: async (call) => shownEvent((await call.api({ method: 'GET', target: eventTarget(call) })).resource),
  },
  {
    name: 'search_events',
    title: 'Search events',
    description: 'Finds events of a calendar by words.',
    effect: 'read',
    scopes: READ_SCOPES,
    requests: 2,
    self: true,
    inputSchema: {
      type: 'object',
      properties: { query: string('Words to search for.'), calendarId, startTime, endTime, pageSize, pageToken },
      required: ['query'],
    },
    run: (call) => listEvents(call, requiredText(call, 'query')),
  },
  {
    name: 'suggest_time',
    title: 'Suggest a time',
    description: 'Suggests times at which all of some people are free.',
    effect: 'read',
    scopes: ['calendar.events.freebusy'],
    requests: 2,
    self: true,
    inputSchema: {
      type: 'object',
      properties: {
        attendeeEmails: strings('E-mail addresses of the people, the user among them.'),
        startTime,
        endTime,
        durationMinutes: integer('Length in minutes; 30 where it is left out.'),
      },
      required: ['attendeeEmails', 'startTime', 'endTime'],
    },
    run: suggestTimes,
  },
  {
    name: 'create_event',
    title: 'Create an event',
    description: 'Creates an event.',
    effect: 'create',
    scopes: WRITE_SCOPES,
    requests: 1,
    self: false,
    inputSchema: { type: 'object', properties: EVENT_ARGUMENTS, required: ['summary', 'startTime', 'endTime'] },
    run: async (call) => {
      const created = await call.api({
        method: 'POST',
        target: eventsOf(call, writeQuery(call)),
        body: eventBody(call),
      });
      return shownEvent(created.resource);
    },
  },
  {
    name: 'update_event',
    title: 'Update an event',
    description: 'Changes an event. Arguments that are left out stay as they are.',
    effect: 'change',
    scopes: WRITE_SCOPES,
    requests: 1,
    self: false,
    inputSchema: { type: 'object', properties: { eventId, ...EVENT_ARGUMENTS }, required: ['eventId'] },
    run: async (call) => {
      const changed = await call.api({
        method: 'PATCH',
        target: eventTarget(call, writeQuery(call)),
        body: eventBody(call),
      });
      return shownEvent(changed.resource);
    },
  },
  {
    name: 'delete_event',
    title: 'Delete an event',
    description: 'Deletes an event.',
    effect: 'delete',
    scopes: WRITE_SCOPES,
    requests: 1,
    self: false,
    inputSchema: { type: 'object', properties: { eventId, calendarId, notificationLevel }, required: ['eventId'] },
    run: async (call) => {
      await call.api({ method: 'DELETE', target: eventTarget(call, queryOf({ sendUpdates: sendUpdates(call) })) });
      return {};
    },
  },
  {
    name: 'respond_to_event',
    title: 'Respond to an event',
    description: 'Accepts or declines an invitation of the user.',
    effect: 'change',
    scopes: WRITE_SCOPES,
    requests: 1,
    self: false,
    inputSchema: {
      type: 'object',
      properties: {
        ...{ eventId, calendarId, notificationLevel },
        responseStatus: string('The answer.', ['accepted', 'declined', 'tentative']),
        responseComment: string('A sentence for the organizer.'),
      },
      required: ['eventId', 'responseStatus'],
    },
    run: respond,
  },
];
