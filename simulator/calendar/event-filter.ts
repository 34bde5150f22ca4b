import { isRecord } from '../parse.ts';
import { type EventResource, eventText } from './records.ts';

/** Start or end of an event in epoch milliseconds; an all-day date counts from midnight UTC. */
export function eventMomentMs(event: EventResource, member: 'start' | 'end'): number {
  const moment = event[member];
  if (!isRecord(moment)) return Number.NaN;
  const value = moment.dateTime ?? moment.date;
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}

function attendeeText(event: EventResource): string {
  const attendees = Array.isArray(event.attendees) ? event.attendees.filter(isRecord) : [];
  return attendees.map((attendee) => `${attendee.email ?? ''} ${attendee.displayName ?? ''}`).join(' ');
}

/** True when every word of `q` is in summary, description, location or attendees. */
export function mentions(event: EventResource, q: string): boolean {
  const text = ['summary', 'description', 'location'].map((member) => eventText(event, member)).join(' ');
  const haystack = `${text} ${attendeeText(event)}`.toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}

/** Keeps the events a list call asks for. Deleted ones need `showDeleted`. */
export function filterEvents(events: readonly EventResource[], query: URLSearchParams): EventResource[] {
  const timeMin = query.get('timeMin');
  const timeMax = query.get('timeMax');
  const updatedMin = query.get('updatedMin');
  const q = query.get('q')?.trim() ?? '';
  const iCalUID = query.get('iCalUID');
  const types = query.getAll('eventTypes');
  const withDeleted = query.get('showDeleted') === 'true' || updatedMin !== null;
  return events.filter(
    (event) =>
      (withDeleted || event.status !== 'cancelled') &&
      (timeMin === null || eventMomentMs(event, 'end') > Date.parse(timeMin)) &&
      (timeMax === null || eventMomentMs(event, 'start') < Date.parse(timeMax)) &&
      (updatedMin === null || Date.parse(eventText(event, 'updated')) >= Date.parse(updatedMin)) &&
      (q === '' || mentions(event, q)) &&
      (iCalUID === null || event.iCalUID === iCalUID) &&
      (types.length === 0 || types.includes(eventText(event, 'eventType'))),
  );
}

/** Sorts by start or update time; without `orderBy` by id, an order that stays the same over pages. */
export function sortEvents(events: readonly EventResource[], orderBy: string | null): EventResource[] {
  const key = (event: EventResource): number =>
    orderBy === 'startTime'
      ? eventMomentMs(event, 'start')
      : orderBy === 'updated'
        ? Date.parse(eventText(event, 'updated'))
        : 0;
  return [...events].sort((a, b) => key(a) - key(b) || (eventText(a, 'id') < eventText(b, 'id') ? -1 : 1));
}
