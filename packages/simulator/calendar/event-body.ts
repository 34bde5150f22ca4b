import { ACCOUNTS, displayName } from '../accounts.ts';
import { type ApiCall, booleanParameter } from '../api/call.ts';
import { ApiError, badRequest } from '../api/envelope.ts';
import { refusal } from '../api/refusals.ts';
import { schemaFields } from '../api/schemas.ts';
import { isRecord } from '../parse.ts';
import { type EventResource, eventObjects, type JsonObject, recurrenceOf } from '../state/calendar.ts';
import { isEventColor } from './colors.ts';
import { conferenceMembers, keptConference } from './conference.ts';
import { checkEventType, fixedMembers } from './event-types.ts';
import { checkRecurrence, RecurrenceError } from './recurrence.ts';
import { showTime } from './series.ts';
import { checkSizes, keptProperties } from './size-limits.ts';
import { isTimeZone, momentOf, readEventTime } from './zoned-time.ts';

/** Members only Google sets; a client may send them back, and they are ignored. */
const SET_BY_GOOGLE = new Set([
  ...['kind', 'etag', 'id', 'htmlLink', 'created', 'updated', 'creator', 'organizer', 'iCalUID', 'hangoutLink'],
  ...['recurringEventId', 'originalStartTime', 'locked', 'attendeesOmitted', 'endTimeUnspecified'],
  // Each of these follows rules of its own.
  ...['conferenceData', 'attachments', 'eventLabelId'],
]);

function invalid(message: string): ApiError {
  return new ApiError({ code: 400, reason: 'invalid', message });
}

function required(message: string): ApiError {
  return new ApiError({ code: 400, reason: 'required', message });
}

/** Members of a body that a client may set; unknown ones are ignored, as at Google. */
export function writableMembers(body: JsonObject): EventResource {
  const schema = schemaFields('calendar', 'Event');
  return Object.fromEntries(
    Object.entries(body).filter(([name]) => schema?.has(name) === true && !SET_BY_GOOGLE.has(name)),
  );
}

const ATTACHMENTS_MAX = 25;

function readAttachments(sent: unknown): JsonObject[] {
  if (!Array.isArray(sent) || sent.length > ATTACHMENTS_MAX) throw invalid('Invalid attachments.');
  return sent.map((attachment: unknown) => {
    const { fileUrl, title, mimeType, iconLink } = isRecord(attachment) ? attachment : {};
    if (typeof fileUrl !== 'string' || !URL.canParse(fileUrl)) throw required('Missing attachment file URL.');
    const fileId =
      /\/(?:d|folders)\/(?<id>[\w-]+)/.exec(fileUrl)?.groups?.id ?? new URL(fileUrl).searchParams.get('id');
    return {
      fileUrl,
      ...(typeof title === 'string' ? { title } : {}),
      ...(typeof mimeType === 'string' ? { mimeType } : {}),
      ...(typeof iconLink === 'string' ? { iconLink } : {}),
      ...(fileId === null ? {} : { fileId }),
    };
  });
}

/**
 * The members of an event that count only with a parameter of the call: `conferenceDataVersion=1`,
 * `supportsAttachments=true`, `eventLabelVersion=1`. Without it they stay as they are.
 */
export function versionedMembers(
  call: ApiCall,
  body: JsonObject,
  before: EventResource | undefined,
  eventId: string,
): JsonObject {
  const version = call.query.get('conferenceDataVersion') ?? '0';
  const conference = version === '1' ? conferenceMembers(body.conferenceData, before, eventId) : keptConference(before);
  const takesAttachments = booleanParameter(call, 'supportsAttachments', false) && body.attachments !== undefined;
  const attachments = takesAttachments
    ? body.attachments === null
      ? undefined
      : readAttachments(body.attachments)
    : before?.attachments;
  const takesLabel = call.query.get('eventLabelVersion') === '1' && body.eventLabelId !== undefined;
  const eventLabelId = takesLabel ? body.eventLabelId : before?.eventLabelId;
  return {
    ...conference,
    ...(attachments === undefined ? {} : { attachments }),
    ...(typeof eventLabelId === 'string' && eventLabelId !== '' ? { eventLabelId } : {}),
  };
}

/** Id a client chose for a new event, checked against Calendar's alphabet (base32hex, 5 to 1024). */
export function chosenEventId(body: JsonObject): string | undefined {
  const { id } = body;
  if (id === undefined || id === null) return undefined;
  if (typeof id === 'string' && /^[a-v0-9]{5,1024}$/.test(id)) return id;
  throw invalid('Invalid resource id value.');
}

const RESPONSES = ['needsAction', 'declined', 'tentative', 'accepted'];

/** Attendees as they are kept: addresses in lower case and once, names of known people, an answer for each. */
function readAttendees(value: unknown): JsonObject[] {
  if (!Array.isArray(value)) throw badRequest('Invalid value for: attendees');
  const byEmail = new Map<string, JsonObject>();
  for (const attendee of value) {
    const { self: _self, organizer: _organizer, ...given } = isRecord(attendee) ? attendee : {};
    const email = typeof given.email === 'string' ? given.email.trim().toLowerCase() : '';
    if (email === '') throw required('Missing attendee email.');
    if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw invalid('Invalid attendee email.');
    const { responseStatus = 'needsAction' } = given;
    if (typeof responseStatus !== 'string' || !RESPONSES.includes(responseStatus)) {
      throw invalid('Invalid attendee response status.');
    }
    const known = ACCOUNTS.find((account) => account.email === email);
    const name = known === undefined ? {} : { displayName: displayName(known) };
    byEmail.set(email, { ...name, ...given, email, responseStatus });
  }
  return [...byEmail.values()];
}

const REMINDERS_MAX = 5;
const REMINDER_MINUTES_MAX = 40_320;

function readReminders(value: unknown): JsonObject {
  if (!isRecord(value)) throw badRequest('Invalid value for: reminders');
  const overrides: unknown[] = Array.isArray(value.overrides) ? value.overrides : [];
  const useDefault = value.useDefault === true || (value.useDefault === undefined && overrides.length === 0);
  if (useDefault && overrides.length > 0) {
    throw new ApiError({
      code: 400,
      reason: 'cannotUseDefaultRemindersAndSpecifyOverride',
      message: 'Cannot specify both default reminders and overrides at the same time.',
      domain: 'calendar',
    });
  }
  if (overrides.length > REMINDERS_MAX) throw invalid(`An event has at most ${REMINDERS_MAX} reminders.`);
  const read = overrides.map((override) => {
    const { method, minutes } = isRecord(override) ? override : {};
    if (method !== 'email' && method !== 'popup') throw invalid('Invalid reminder method.');
    const isFit =
      typeof minutes === 'number' && Number.isInteger(minutes) && minutes >= 0 && minutes <= REMINDER_MINUTES_MAX;
    if (!isFit) throw invalid('Invalid reminder minutes.');
    return { method, minutes };
  });
  return { useDefault, ...(read.length === 0 ? {} : { overrides: read }) };
}

/** True for a time that is one but for its offset. */
function lacksZone({ date, dateTime, timeZone }: JsonObject): boolean {
  const hasDate = date !== undefined && date !== null;
  return !hasDate && readEventTime({ dateTime, timeZone: timeZone ?? 'UTC' }, 'UTC') !== undefined;
}

function readTimes(event: EventResource, calendarZone: string): JsonObject {
  const given = (['start', 'end'] as const).map((member) => {
    const value = event[member];
    if (value === undefined || value === null) throw required(`Missing ${member} time.`);
    if (!isRecord(value)) throw badRequest(`Invalid value for: ${member}`);
    return { member, value, time: readEventTime(value, calendarZone) };
  });
  // Both together, one under the other: Google's message names every zone that it does not know.
  const unknownZones = given.filter(
    ({ value: { timeZone } }) => typeof timeZone === 'string' && timeZone !== '' && !isTimeZone(timeZone),
  );
  if (unknownZones.length > 0) {
    throw invalid(unknownZones.map(({ member }) => `Invalid time zone definition for ${member} time.`).join('\n'));
  }
  const [start, end] = given.map(({ member, value, time }) => {
    if (time !== undefined) return time;
    throw refusal(lacksZone(value) ? 'timeWithoutZone' : 'invalidTime', member);
  });
  if (start === undefined || end === undefined) throw badRequest('Invalid start or end time.');
  if ('date' in start !== 'date' in end) throw refusal('dayAndTime');
  const isEmpty =
    'date' in start && 'date' in end
      ? end.date < start.date
      : momentOf(end, calendarZone) < momentOf(start, calendarZone);
  if (isEmpty) throw refusal('timeRangeEmpty');
  return { start: showTime(start), end: showTime(end) };
}

function checkSeries(event: EventResource, calendarZone: string): void {
  const lines = recurrenceOf(event);
  if (lines.length === 0) return;
  const start = readEventTime(event.start, calendarZone);
  const hasZone = isRecord(event.start) && typeof event.start.timeZone === 'string';
  if (start === undefined || (!('date' in start) && !hasZone))
    throw required('Missing time zone definition for start time.');
  try {
    checkRecurrence({ start, lines, calendarZone });
  } catch (error) {
    if (error instanceof RecurrenceError) throw invalid(`Invalid recurrence rule. ${error.message}`);
    throw error;
  }
}

function checkMembers(event: EventResource): void {
  for (const name of ['summary', 'description', 'location', 'transparency', 'visibility', 'status', 'colorId']) {
    const value = event[name];
    if (value !== undefined && typeof value !== 'string') throw badRequest(`Invalid value for: ${name}`);
  }
  const oneOf = (name: string, allowed: readonly string[]) => {
    const value = event[name];
    if (typeof value === 'string' && !allowed.includes(value)) throw badRequest(`Invalid value for: ${name}`);
  };
  oneOf('status', ['confirmed', 'tentative', 'cancelled']);
  oneOf('transparency', ['opaque', 'transparent']);
  oneOf('visibility', ['default', 'public', 'private', 'confidential']);
  if (event.colorId !== undefined && !isEventColor(event.colorId)) throw invalid('Invalid color id.');
  if (event.recurrence !== undefined && !Array.isArray(event.recurrence)) {
    throw badRequest('Invalid value for: recurrence');
  }
  const { extendedProperties } = event;
  if (extendedProperties === undefined) return;
  const kinds = isRecord(extendedProperties) ? [extendedProperties.private, extendedProperties.shared] : [false];
  for (const kind of kinds) {
    const isFit =
      kind === undefined || (isRecord(kind) && Object.values(kind).every((value) => typeof value === 'string'));
    if (!isFit) throw badRequest('Invalid value for: extendedProperties');
  }
}

/**
 * An event as it is kept: times with their zone, attendees and reminders in order.
 * @throws {ApiError} 400 for what Google would refuse: no start or end, a mix of date and time, an end before the start,
 * a recurrence that is none, a start without time zone in a recurring event
 */
export function normalizedEvent(
  event: EventResource,
  calendar: { timeZone: string; isPrimary: boolean },
): EventResource {
  const members: EventResource = Object.fromEntries(
    Object.entries(event).filter(([, value]) => value !== null && value !== undefined),
  );
  checkMembers(members);
  checkSizes(members);
  const times = readTimes(members, calendar.timeZone);
  checkEventType(members, calendar.isPrimary);
  checkSeries(members, calendar.timeZone);
  if (recurrenceOf(members).length === 0) delete members.recurrence;
  const attendees = members.attendees === undefined ? [] : readAttendees(members.attendees);
  delete members.attendees;
  return {
    ...members,
    ...times,
    ...(attendees.length === 0 ? {} : { attendees }),
    ...(members.reminders === undefined ? {} : { reminders: readReminders(members.reminders) }),
    ...fixedMembers(members),
    ...(members.extendedProperties === undefined
      ? {}
      : { extendedProperties: keptProperties(members.extendedProperties) }),
  };
}

/** JSON merge for PATCH: `null` removes a member, objects merge, everything else replaces (RFC 7396). */
export function mergePatch(target: EventResource, patch: JsonObject): EventResource {
  const merged: EventResource = { ...target };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else if (isRecord(value)) merged[name] = mergePatch(isRecord(merged[name]) ? merged[name] : {}, value);
    else merged[name] = value;
  }
  return merged;
}

/** The moment a write counts as: always later than the version it replaces, so that etags never repeat. */
export function writeMomentMs(call: ApiCall, previous: EventResource | undefined): number {
  const before = typeof previous?.updated === 'string' ? Date.parse(previous.updated) : 0;
  return Math.max(call.sim.clock.nowMs(), before + 1);
}

/** Attendees after a body that leaves others out (`attendeesOmitted`): those sent replace their namesakes. */
export function mergedAttendees(before: EventResource, body: JsonObject): unknown {
  if (body.attendeesOmitted !== true || !Array.isArray(body.attendees)) return body.attendees;
  const sent = eventObjects(body, 'attendees');
  return eventObjects(before, 'attendees').map((attendee) => ({
    ...attendee,
    ...sent.find(({ email }) => email === attendee.email),
  }));
}
