import { type ApiCall, integerParameter } from '../api/call.ts';
import { ApiError } from '../api/envelope.ts';
import { isRecord } from '../parse.ts';
import {
  type EventResource,
  eventObjects,
  eventText,
  includesRole,
  type JsonObject,
  type Role,
} from '../state/calendar.ts';
import type { Reached } from './access.ts';
import { showTime } from './series.ts';
import { isTimeZone, readEventTime } from './zoned-time.ts';

/** How events are shown to one caller. */
export interface EventView {
  calendarId: string;
  role: Role;
  /** Zone of the times shown: the call's `timeZone`, or the calendar's. */
  timeZone: string;
  calendarZone: string;
  maxAttendees: number;
}

/**
 * The view that a call asks for.
 * @throws {ApiError} 400 for a `timeZone` that is none
 */
export function viewOf(call: ApiCall, { calendar, role }: Reached): EventView {
  const timeZone = call.query.get('timeZone') ?? calendar.timeZone;
  if (!isTimeZone(timeZone)) {
    throw new ApiError({ code: 400, reason: 'invalid', message: 'Invalid time zone.', location: 'timeZone' });
  }
  const maxAttendees = integerParameter(call, 'maxAttendees', Number.POSITIVE_INFINITY);
  return { calendarId: calendar.id, role, timeZone, calendarZone: calendar.timeZone, maxAttendees };
}

/** What everybody who may see that a time is taken gets to know of an event. */
const BUSY_MEMBERS = [
  ...['kind', 'etag', 'id', 'status', 'start', 'end', 'recurrence', 'recurringEventId', 'originalStartTime'],
  ...['iCalUID', 'sequence', 'transparency', 'eventType'],
];
const PRIVATE_MEMBERS = [...BUSY_MEMBERS, 'htmlLink', 'updated', 'visibility'];

/** Members of a cancelled event that listings show unless deleted events are asked for. */
const CANCELLED_MEMBERS = ['kind', 'etag', 'id', 'status', 'recurringEventId', 'originalStartTime'];

/** Google leaves these out while they have their usual value. */
const USUAL: Readonly<Record<string, unknown>> = {
  transparency: 'opaque',
  visibility: 'default',
  guestsCanModify: false,
  guestsCanInviteOthers: true,
  guestsCanSeeOtherGuests: true,
  anyoneCanAddSelf: false,
};

function only(event: EventResource, members: readonly string[]): EventResource {
  return Object.fromEntries(Object.entries(event).filter(([name]) => members.includes(name)));
}

function person(value: unknown, calendarId: string): unknown {
  if (!isRecord(value)) return value;
  const { self: _self, ...rest } = value;
  return rest.email === calendarId ? { ...rest, self: true } : rest;
}

function isHidden(event: EventResource): boolean {
  const visibility = eventText(event, 'visibility');
  return visibility === 'private' || visibility === 'confidential';
}

function showAttendees(event: EventResource, view: EventView): JsonObject {
  const organizer = isRecord(event.organizer) ? event.organizer.email : undefined;
  const attendees = eventObjects(event, 'attendees').map(
    (attendee): JsonObject => ({
      ...attendee,
      ...(attendee.email === organizer ? { organizer: true } : {}),
      ...(attendee.email === view.calendarId ? { self: true } : {}),
    }),
  );
  if (attendees.length === 0) return {};
  const mayNotSee = event.guestsCanSeeOtherGuests === false && organizer !== view.calendarId;
  if (!mayNotSee && attendees.length <= view.maxAttendees) return { attendees };
  return { attendees: attendees.filter(({ email }) => email === view.calendarId), attendeesOmitted: true };
}

function showTimes(event: EventResource, view: EventView): JsonObject {
  const shown: JsonObject = {};
  for (const member of ['start', 'end', 'originalStartTime']) {
    const time = readEventTime(event[member], view.calendarZone);
    if (time === undefined) continue;
    const own = showTime(time);
    shown[member] =
      'date' in time ? own : { ...showTime({ ...time, timeZone: view.timeZone }), timeZone: own.timeZone };
  }
  return shown;
}

/** An event as the view shows it: times in its zone, who oneself is, and no more than the role lets see. */
export function showEvent(event: EventResource, view: EventView): EventResource {
  const usual = Object.entries(event).filter(([name, value]) => !(name in USUAL && USUAL[name] === value));
  const shown: EventResource = { ...Object.fromEntries(usual), ...showTimes(event, view) };
  if (!includesRole(view.role, 'reader')) return only(shown, BUSY_MEMBERS);
  if (isHidden(event) && !includesRole(view.role, 'writer')) return only(shown, PRIVATE_MEMBERS);
  const { attendees: _attendees, attendeesOmitted: _omitted, ...rest } = shown;
  return {
    ...rest,
    creator: person(event.creator, view.calendarId),
    organizer: person(event.organizer, view.calendarId),
    ...showAttendees(event, view),
  };
}

/** A cancelled event in a listing that does not ask for deleted ones: that it is gone, and nothing of what it was. */
export function showCancelled(event: EventResource, view: EventView): EventResource {
  return only({ ...event, ...showTimes(event, view) }, CANCELLED_MEMBERS);
}
