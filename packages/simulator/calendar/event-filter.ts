import { isRecord } from '../parse.ts';
import { type EventResource, eventObjects, eventText } from '../state/calendar.ts';
import type { Found } from './series.ts';

function textsOf(value: unknown, ...path: string[]): string {
  let inner = value;
  for (const name of path) inner = isRecord(inner) ? inner[name] : undefined;
  return typeof inner === 'string' ? inner : '';
}

function searchedText(event: EventResource): string {
  const people = [...eventObjects(event, 'attendees'), ...(isRecord(event.organizer) ? [event.organizer] : [])];
  const place = event.workingLocationProperties;
  return [
    ...['summary', 'description', 'location'].map((member) => eventText(event, member)),
    ...people.flatMap(({ email, displayName }) => [textsOf(email), textsOf(displayName)]),
    ...['buildingId', 'deskId', 'label'].map((name) => textsOf(place, 'officeLocation', name)),
    textsOf(place, 'customLocation', 'label'),
  ].join(' ');
}

/** True when every word of `q` is in the texts, places and people of an event. */
function mentions(event: EventResource, q: string): boolean {
  const haystack = searchedText(event).toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}

function hasProperties(event: EventResource, kind: 'private' | 'shared', wanted: readonly string[]): boolean {
  const properties = isRecord(event.extendedProperties) ? event.extendedProperties[kind] : undefined;
  return wanted.every((constraint) => {
    const cut = constraint.indexOf('=');
    return cut > 0 && textsOf(properties, constraint.slice(0, cut)) === constraint.slice(cut + 1);
  });
}

/** True for an event that the filters of a list call let through, apart from times and whether it is cancelled. */
export function passesFilters(event: EventResource, query: URLSearchParams): boolean {
  const updatedMin = query.get('updatedMin');
  const q = query.get('q')?.trim() ?? '';
  const iCalUID = query.get('iCalUID');
  const types = query.getAll('eventTypes');
  return (
    (updatedMin === null || Date.parse(eventText(event, 'updated')) >= Date.parse(updatedMin)) &&
    (q === '' || mentions(event, q)) &&
    (iCalUID === null || event.iCalUID === iCalUID) &&
    (types.length === 0 || types.includes(eventText(event, 'eventType'))) &&
    hasProperties(event, 'private', query.getAll('privateExtendedProperty')) &&
    hasProperties(event, 'shared', query.getAll('sharedExtendedProperty'))
  );
}

/** Sorts by start or update time; without `orderBy` by id, an order that stays the same over pages. */
export function sortEvents(events: readonly Found[], orderBy: string | null): Found[] {
  const byId = (a: Found, b: Found) => (a.id < b.id ? -1 : 1);
  if (orderBy === null) return [...events].sort(byId);
  if (orderBy === 'startTime') return [...events].sort((a, b) => a.startMs - b.startMs || byId(a, b));
  return events
    .map((one) => ({ one, updatedMs: Date.parse(eventText(one.event, 'updated')) }))
    .sort((a, b) => a.updatedMs - b.updatedMs || byId(a.one, b.one))
    .map(({ one }) => one);
}
