import { randomBytes } from 'node:crypto';
import { displayName } from '../accounts.ts';
import { type ApiCall, type ApiResult, jsonBody, pathParameter } from '../api/call.ts';
import { API_HEADERS, ApiError, badRequest, notFound } from '../api/envelope.ts';
import { refusal } from '../api/refusals.ts';
import { emptyResponse } from '../http/exchange.ts';
import { isRecord } from '../parse.ts';
import {
  type CalendarRecord,
  type EventResource,
  eventText,
  includesRole,
  type JsonObject,
  recurrenceOf,
  type StoredEvent,
} from '../state/calendar.ts';
import { notifyWatchers, type Reached, requireCalendar } from './access.ts';
import { requireIfMatch } from './conditional.ts';
import { etagOf } from './dataset.ts';
import {
  chosenEventId,
  mergedAttendees,
  mergePatch,
  normalizedEvent,
  versionedMembers,
  writableMembers,
  writeMomentMs,
} from './event-body.ts';
import { checkChangeable, isMovable } from './event-types.ts';
import { showEvent, viewOf } from './event-view.ts';
import { answerOrganizer, checkGuestChange, inviteGuests, isInvitation } from './invitations.ts';
import { readQuickText } from './quick-text.ts';
import { occurrenceOfStamp } from './recurrence.ts';
import { exceptionsOf, findEvent, isSeries, seriesOf } from './series.ts';

/** A calendar that the caller may write events in. */
function requireWritable(call: ApiCall): Reached {
  return requireCalendar(call, 'writerWithoutPrivateAccess');
}

function stamped(event: EventResource, updatedMs: number): EventResource {
  return { ...event, etag: etagOf(updatedMs), updated: new Date(updatedMs).toISOString() };
}

function respond(call: ApiCall, reached: Reached, event: EventResource): ApiResult {
  return { resource: showEvent(event, viewOf(call, reached)), headers: [['ETag', eventText(event, 'etag')]] };
}

function newEventId(): string {
  return BigInt(`0x${randomBytes(16).toString('hex')}`)
    .toString(32)
    .padStart(26, '0');
}

/** `events.insert`. */
export function insertEvent(call: ApiCall): ApiResult {
  const reached = requireWritable(call);
  return insertInto(call, reached, jsonBody(call.http));
}

/** `events.quickAdd`: an event whose day, times and place are read from an English text. */
export function quickAddEvent(call: ApiCall): ApiResult {
  const reached = requireWritable(call);
  const text = call.query.get('text') ?? '';
  return insertInto(call, reached, readQuickText(text, call.sim.clock.nowMs(), reached.calendar.timeZone));
}

function duplicate(): ApiError {
  return new ApiError({ code: 409, reason: 'duplicate', message: 'The requested identifier already exists.' });
}

/** Members that every new event has. */
function newEvent(call: ApiCall, calendar: CalendarRecord, id: string, updatedMs: number): EventResource {
  const { account } = call.caller;
  const isOwn = calendar.id === account.email;
  return {
    kind: 'calendar#event',
    id,
    status: 'confirmed',
    htmlLink: `https://www.google.com/calendar/event?eid=${Buffer.from(`${id} ${calendar.id}`).toString('base64url')}`,
    created: new Date(updatedMs).toISOString(),
    creator: { email: account.email, ...(isOwn ? {} : { displayName: displayName(account) }) },
    organizer: { email: calendar.id, ...(calendar.isPrimary ? {} : { displayName: calendar.summary }) },
    iCalUID: `${id}@google.com`,
    sequence: 0,
    reminders: { useDefault: true },
    eventType: 'default',
  };
}

/**
 * An event as it is kept. A conference and attachments of the body are checked by the event's type even where the call's
 * parameters leave them out of the event.
 */
function typedEvent(
  members: EventResource,
  body: JsonObject,
  versioned: JsonObject,
  calendar: CalendarRecord,
): EventResource {
  const { conferenceData, attachments } = body;
  const checked = normalizedEvent({ ...members, conferenceData, attachments, ...versioned }, calendar);
  const { conferenceData: _conference, attachments: _attachments, ...event } = checked;
  return { ...event, ...versioned };
}

function insertInto(call: ApiCall, reached: Reached, body: JsonObject): ApiResult {
  const { calendar } = reached;
  const id = chosenEventId(body) ?? newEventId();
  if (call.sim.calendar.findEvent(calendar.id, id) !== undefined) throw duplicate();
  const updatedMs = writeMomentMs(call, undefined);
  const event = stamped(
    {
      ...newEvent(call, calendar, id, updatedMs),
      ...(typeof body.iCalUID === 'string' && body.iCalUID !== '' ? { iCalUID: body.iCalUID } : {}),
      ...typedEvent(writableMembers(body), body, versionedMembers(call, body, undefined, id), calendar),
    },
    updatedMs,
  );
  call.sim.calendar.putEvent(calendar.id, event);
  notifyWatchers(call, calendar.id, 'events');
  inviteGuests(call, undefined, event, updatedMs);
  return respond(call, reached, event);
}

/** `events.import`: a private copy of somebody else's event under its own `iCalUID`; a second import replaces the first. */
export function importEvent(call: ApiCall): ApiResult {
  const reached = requireWritable(call);
  const { calendar } = reached;
  const body = jsonBody(call.http);
  const { iCalUID, organizer } = body;
  if (typeof iCalUID !== 'string' || iCalUID === '') {
    throw new ApiError({ code: 400, reason: 'required', message: 'Missing iCal UID.' });
  }
  const known = call.sim.calendar.events(calendar.id).find(({ event }) => event.iCalUID === iCalUID)?.event;
  const id = known === undefined ? newEventId() : eventText(known, 'id');
  const updatedMs = writeMomentMs(call, known);
  const event = stamped(
    {
      ...newEvent(call, calendar, id, updatedMs),
      ...(known === undefined ? {} : { created: known.created }),
      ...normalizedEvent({ ...writableMembers(body), eventType: 'default' }, calendar),
      ...versionedMembers(call, body, known, id),
      ...(isRecord(organizer) && typeof organizer.email === 'string' ? { organizer } : {}),
      iCalUID,
      privateCopy: true,
    },
    updatedMs,
  );
  call.sim.calendar.putEvent(calendar.id, event, formerOf(call, known, event, calendar));
  notifyWatchers(call, calendar.id, 'events');
  return respond(call, reached, event);
}

/** `events.move`: the event leaves its calendar for another of the user's, where it keeps id and iCalUID. */
export function moveEvent(call: ApiCall): ApiResult {
  const reached = requireWritable(call);
  const { calendar } = reached;
  const { event } = requireEvent(call, calendar);
  const destination = requireCalendar(call, 'writerWithoutPrivateAccess', call.query.get('destination') ?? '');
  if (typeof event.recurringEventId === 'string') {
    const message = 'Cannot change the organizer of an instance.';
    throw new ApiError({ code: 400, reason: 'cannotChangeOrganizerOfInstance', message, domain: 'calendar' });
  }
  if (!isMovable(event)) throw refusal('eventTypeRestriction', eventText(event, 'eventType'));
  if (isInvitation(event, calendar.id)) {
    const message = 'Only the organizer of an event can move it.';
    throw new ApiError({ code: 403, reason: 'cannotChangeOrganizer', message, domain: 'calendar' });
  }
  if (destination.calendar.id === calendar.id) return respond(call, reached, event);
  const store = call.sim.calendar;
  const present = store.findEvent(destination.calendar.id, eventText(event, 'id'))?.event;
  if (present !== undefined && present.status !== 'cancelled') throw duplicate();
  const updatedMs = writeMomentMs(call, event);
  const { id, isPrimary, summary } = destination.calendar;
  const organizer = { email: id, ...(isPrimary ? {} : { displayName: summary }) };
  const moved = stamped({ ...event, organizer }, updatedMs);
  for (const part of exceptionsOf(store, calendar.id, eventText(event, 'id'))) {
    store.putEvent(id, stamped({ ...part.event, organizer }, updatedMs));
    store.putEvent(calendar.id, stamped({ ...part.event, status: 'cancelled' }, updatedMs));
  }
  store.putEvent(calendar.id, stamped({ ...event, status: 'cancelled' }, updatedMs));
  store.putEvent(id, moved);
  notifyWatchers(call, calendar.id, 'events');
  notifyWatchers(call, id, 'events');
  inviteGuests(call, undefined, moved, updatedMs);
  return respond(call, destination, moved);
}

function requireEvent(call: ApiCall, calendar: CalendarRecord) {
  const found = findEvent(call.sim.calendar, calendar.id, pathParameter(call, 'eventId'), calendar.timeZone);
  if (found === undefined) throw notFound('Not Found');
  requireIfMatch(call, eventText(found.event, 'etag'));
  return found;
}

/** Series changes kept per event, so that incremental sync can name instances that went. */
const FORMER_MAX = 20;

/** The history of a series with what it was before this write, if that changed which instances there are. */
function formerOf(
  call: ApiCall,
  before: EventResource | undefined,
  after: EventResource,
  calendar: CalendarRecord,
): StoredEvent['former'] {
  if (before === undefined) return undefined;
  const store = call.sim.calendar;
  const kept = store.findEvent(calendar.id, eventText(before, 'id'))?.former ?? [];
  const same =
    JSON.stringify([before.start, before.recurrence]) === JSON.stringify([after.start, after.recurrence]) ||
    !isSeries(before) ||
    !isRecord(before.start);
  if (same) return kept.length === 0 ? undefined : kept;
  const start = isRecord(before.start) ? before.start : {};
  return [...kept, { seq: store.latestChange() + 1, start, recurrence: recurrenceOf(before) }].slice(-FORMER_MAX);
}

/** Members of a changed instance that follow its series unless the instance has its own. */
const FOLLOWING = [
  ...['summary', 'description', 'location', 'attendees', 'transparency', 'visibility', 'colorId', 'reminders'],
  ...['conferenceData', 'hangoutLink', 'attachments', 'extendedProperties', 'guestsCanModify', 'guestsCanInviteOthers'],
];

/** Carries a series' change to its changed instances: what they did not change follows, and those that are no more go. */
function followSeries(call: ApiCall, calendar: CalendarRecord, before: EventResource, after: EventResource): void {
  const store = call.sim.calendar;
  const updatedMs = Date.parse(eventText(after, 'updated'));
  const series = isSeries(after) && after.status !== 'cancelled' ? seriesOf(after, calendar.timeZone) : undefined;
  for (const { event } of exceptionsOf(store, calendar.id, eventText(after, 'id'))) {
    if (event.status === 'cancelled') continue;
    const stamp = eventText(event, 'id').split('_').at(-1) ?? '';
    if (series === undefined || occurrenceOfStamp(series, stamp) === undefined) {
      store.putEvent(calendar.id, stamped({ ...event, status: 'cancelled' }, updatedMs));
      continue;
    }
    const changed: EventResource = { ...event };
    for (const member of FOLLOWING) {
      const isOwn = JSON.stringify(event[member]) !== JSON.stringify(before[member]);
      if (isOwn || JSON.stringify(after[member]) === JSON.stringify(before[member])) continue;
      if (after[member] === undefined) delete changed[member];
      else changed[member] = after[member];
    }
    store.putEvent(calendar.id, stamped(changed, updatedMs));
  }
}

/** Stores a changed event and notifies every calendar that has it. */
function keepChange(call: ApiCall, reached: Reached, before: EventResource, after: EventResource): EventResource {
  const { calendar } = reached;
  const isGuest = isInvitation(before, calendar.id);
  if (isGuest && after.status !== 'cancelled') checkGuestChange(before, after, calendar.id);
  const updatedMs = writeMomentMs(call, before);
  const kept = stamped(after, updatedMs);
  call.sim.calendar.putEvent(calendar.id, kept, formerOf(call, before, kept, calendar));
  if (isSeries(before)) followSeries(call, calendar, before, kept);
  notifyWatchers(call, calendar.id, 'events');
  if (isGuest) answerOrganizer(call, calendar, kept, updatedMs);
  else if (kept.status === 'cancelled' && before.status === 'cancelled') return kept;
  else inviteGuests(call, before, kept, updatedMs);
  return kept;
}

function nextSequence(event: EventResource): number {
  return typeof event.sequence === 'number' ? event.sequence + 1 : 1;
}

/**
 * Private events are not for writers without private access.
 * @throws {ApiError} 403
 */
function checkPrivate(event: EventResource, { role }: Reached): void {
  const visibility = eventText(event, 'visibility');
  const isPrivate = visibility === 'private' || visibility === 'confidential';
  if (!isPrivate || includesRole(role, 'writer')) return;
  throw new ApiError({
    code: 403,
    reason: 'requiredAccessLevel',
    message: 'You need to have writer access to this calendar.',
    domain: 'calendar',
  });
}

function changed(call: ApiCall, members: (event: EventResource, body: JsonObject) => EventResource): ApiResult {
  const reached = requireWritable(call);
  const { calendar } = reached;
  const { event } = requireEvent(call, calendar);
  checkPrivate(event, reached);
  checkChangeable(event);
  const body = jsonBody(call.http);
  if (typeof body.eventType === 'string' && body.eventType !== event.eventType) {
    throw badRequest('The type of an event cannot be changed.');
  }
  const wanted: EventResource = { ...members(event, body), eventType: event.eventType };
  if (typeof event.recurringEventId === 'string') delete wanted.recurrence;
  // These follow rules of their own, see versionedMembers.
  for (const member of ['conferenceData', 'hangoutLink', 'attachments', 'eventLabelId']) delete wanted[member];
  const kept = Object.fromEntries(
    [...KEPT_MEMBERS, 'recurringEventId', 'originalStartTime', 'privateCopy']
      .filter((name) => event[name] !== undefined)
      .map((name) => [name, event[name]]),
  );
  const after = {
    ...typedEvent(wanted, body, versionedMembers(call, body, event, eventText(event, 'id')), calendar),
    ...kept,
    sequence: nextSequence(event),
  };
  return respond(call, reached, keepChange(call, reached, event, after));
}

/** What a client cannot change. */
const KEPT_MEMBERS = ['kind', 'id', 'htmlLink', 'created', 'creator', 'organizer', 'iCalUID', 'eventType'];

/** `events.patch`: only the members sent change. */
export function patchEvent(call: ApiCall): ApiResult {
  return changed(call, (event, body) => {
    const attendees = mergedAttendees(event, body);
    return mergePatch(event, writableMembers({ ...body, ...(attendees === undefined ? {} : { attendees }) }));
  });
}

/** `events.update`: the event becomes what was sent; what only Google sets stays. */
export function updateEvent(call: ApiCall): ApiResult {
  return changed(call, (event, body) => {
    const attendees = mergedAttendees(event, body);
    const members = writableMembers({ ...body, ...(attendees === undefined ? {} : { attendees }) });
    return { status: 'confirmed', reminders: { useDefault: true }, ...members };
  });
}

/**
 * `events.delete`: the event stays as `cancelled` for incremental sync; deleting it again gives 410 `deleted`. An instance
 * becomes a cancelled exception, a guest's copy a declined invitation, an organizer's event goes for all guests.
 */
export function deleteEvent(call: ApiCall): ApiResult {
  const reached = requireWritable(call);
  const { event } = requireEvent(call, reached.calendar);
  checkPrivate(event, reached);
  checkChangeable(event);
  const seriesId = event.recurringEventId;
  const series =
    typeof seriesId === 'string' ? call.sim.calendar.findEvent(reached.calendar.id, seriesId)?.event : undefined;
  if (event.status === 'cancelled' || series?.status === 'cancelled') {
    throw new ApiError({ code: 410, reason: 'deleted', message: 'Resource has been deleted' });
  }
  keepChange(call, reached, event, { ...event, status: 'cancelled' });
  return { response: emptyResponse(204, API_HEADERS) };
}
