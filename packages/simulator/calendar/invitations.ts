import { ACCOUNTS } from '../accounts.ts';
import type { ApiCall } from '../api/call.ts';
import { ApiError } from '../api/envelope.ts';
import { isRecord } from '../parse.ts';
import {
  type CalendarRecord,
  type EventResource,
  eventObjects,
  eventText,
  type JsonObject,
} from '../state/calendar.ts';
import { notifyWatchers } from './access.ts';
import { etagOf } from './dataset.ts';
import { findEvent } from './series.ts';

/** What every copy of an event has for itself (Calendar API, "Concepts: events and calendars", private properties). */
const OWN_MEMBERS = ['reminders', 'colorId', 'eventLabelId', 'transparency', 'visibility'];

/** What the organizer says for all copies. */
const SHARED_MEMBERS = [
  ...['summary', 'description', 'location', 'start', 'end', 'recurrence', 'status', 'conferenceData', 'attachments'],
  ...['guestsCanInviteOthers', 'guestsCanModify', 'guestsCanSeeOtherGuests', 'source', 'anyoneCanAddSelf'],
];

function organizerOf(event: EventResource): string {
  const { organizer } = event;
  return isRecord(organizer) && typeof organizer.email === 'string' ? organizer.email : '';
}

/** True for the copy of an event that an invitation brought: somebody else organizes it, and changes travel. */
export function isInvitation(event: EventResource, calendarId: string): boolean {
  return organizerOf(event) !== calendarId && event.privateCopy !== true && isInvited(event, calendarId);
}

function isInvited(event: EventResource, calendarId: string): boolean {
  return eventObjects(event, 'attendees').some(({ email }) => email === calendarId);
}

function propertiesOf(event: EventResource, kind: 'private' | 'shared'): unknown {
  return isRecord(event.extendedProperties) ? event.extendedProperties[kind] : undefined;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Keeps guests from changing what is the organizer's: only their own answer, what is private to their copy and, as far
 * as the organizer allows it, guests and the rest.
 * @throws {ApiError} 403 `forbiddenForNonOrganizer`
 */
export function checkGuestChange(before: EventResource, after: EventResource, calendarId: string): void {
  if (before.guestsCanModify === true) return;
  const others = (event: EventResource) => eventObjects(event, 'attendees').filter(({ email }) => email !== calendarId);
  const mayInvite = before.guestsCanInviteOthers !== false;
  const keepsOthers = others(before).every((attendee) => others(after).some((one) => isSame(one, attendee)));
  const guestsAreFine = keepsOthers && (mayInvite || others(after).length === others(before).length);
  const changed = SHARED_MEMBERS.some((member) => member !== 'status' && !isSame(before[member], after[member]));
  if (guestsAreFine && !changed && isSame(propertiesOf(before, 'shared'), propertiesOf(after, 'shared'))) return;
  throw new ApiError({
    code: 403,
    reason: 'forbiddenForNonOrganizer',
    domain: 'calendar',
    message: 'Shared properties can only be changed by the organizer of the event.',
  });
}

/** The guests' own members of a copy, to be laid over the organizer's event. */
function ownMembers(copy: EventResource): JsonObject {
  const kept = OWN_MEMBERS.filter((member) => copy[member] !== undefined).map((member) => [member, copy[member]]);
  return Object.fromEntries(kept);
}

function extendedProperties(source: EventResource, copy: EventResource | undefined): JsonObject {
  const shared = propertiesOf(source, 'shared');
  const own = copy === undefined ? undefined : propertiesOf(copy, 'private');
  if (shared === undefined && own === undefined) return {};
  return {
    extendedProperties: {
      ...(own === undefined ? {} : { private: own }),
      ...(shared === undefined ? {} : { shared }),
    },
  };
}

function copyFor(source: EventResource, copy: EventResource | undefined, calendarId: string): EventResource {
  const rest: EventResource = { ...source };
  // A new copy starts with the organizer's word on whether it takes time and who may see it.
  const notTaken = copy === undefined ? ['reminders', 'colorId', 'eventLabelId'] : OWN_MEMBERS;
  for (const member of [...notTaken, 'extendedProperties']) delete rest[member];
  const answer = eventObjects(source, 'attendees').find(({ email }) => email === calendarId)?.responseStatus;
  // Anyone who removed an invitation declined it by that and does not get it back with the next change.
  const isRemoved = copy?.status === 'cancelled' && answer === 'declined';
  return {
    ...rest,
    reminders: { useDefault: true },
    ...(copy === undefined ? {} : ownMembers(copy)),
    ...extendedProperties(source, copy),
    ...(isRemoved ? { status: 'cancelled' } : {}),
  };
}

function keep(call: ApiCall, calendarId: string, event: EventResource, updatedMs: number): void {
  call.sim.calendar.putEvent(calendarId, {
    ...event,
    etag: etagOf(updatedMs),
    updated: new Date(updatedMs).toISOString(),
  });
  notifyWatchers(call, calendarId, 'events');
}

/** Calendars of the guests who have an account in the simulator, without the organizer's. */
function guestCalendars(event: EventResource): string[] {
  const invited = eventObjects(event, 'attendees').map(({ email }) => email);
  return ACCOUNTS.map(({ email }) => email).filter((email) => invited.includes(email) && email !== organizerOf(event));
}

/**
 * Brings what an organizer wrote to the guests' calendars: new guests get a copy, guests who are no longer invited lose
 * theirs, all others see the change.
 * @param before the organizer's event as it was, `undefined` for a new one
 */
export function inviteGuests(
  call: ApiCall,
  before: EventResource | undefined,
  event: EventResource,
  updatedMs: number,
): void {
  if (event.privateCopy === true) return;
  const store = call.sim.calendar;
  const id = eventText(event, 'id');
  const guests = guestCalendars(event);
  for (const calendarId of guests) {
    const calendar = store.calendar(calendarId);
    if (calendar === undefined) continue;
    const copy = findEvent(store, calendarId, id, calendar.timeZone)?.event;
    keep(call, calendarId, copyFor(event, copy, calendarId), updatedMs);
  }
  for (const calendarId of before === undefined ? [] : guestCalendars(before)) {
    if (guests.includes(calendarId)) continue;
    const copy = store.findEvent(calendarId, id)?.event;
    if (copy !== undefined && copy.status !== 'cancelled') {
      keep(call, calendarId, { ...copy, status: 'cancelled' }, updatedMs);
    }
  }
}

/**
 * Carries a guest's change of the own copy to the organizer, and from there to all other copies: the answer, new guests
 * and, where guests may modify, everything else.
 */
export function answerOrganizer(
  call: ApiCall,
  calendar: CalendarRecord,
  event: EventResource,
  updatedMs: number,
): void {
  const store = call.sim.calendar;
  const organizer = store.calendar(organizerOf(event));
  if (organizer === undefined) return;
  const found = findEvent(store, organizer.id, eventText(event, 'id'), organizer.timeZone);
  if (found === undefined || found.event.status === 'cancelled') return;
  const isRemoved = event.status === 'cancelled';
  const attendees = eventObjects(event, 'attendees').map((attendee) =>
    isRemoved && attendee.email === calendar.id ? { ...attendee, responseStatus: 'declined' } : attendee,
  );
  const shared = SHARED_MEMBERS.filter((member) => member !== 'status' && event[member] !== undefined);
  const mayModify = found.event.guestsCanModify === true && !isRemoved;
  const changed = {
    ...found.event,
    ...(mayModify ? Object.fromEntries(shared.map((member) => [member, event[member]])) : {}),
    attendees,
  };
  keep(call, organizer.id, changed, updatedMs);
  inviteGuests(call, found.event, changed, updatedMs);
}
