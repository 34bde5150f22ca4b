import { anything, count, listOf, object, recordOf, text } from '../parse.ts';

/** An event as stored: the API's Event resource, `id`, `etag` and `updated` included. */
export const eventResource = recordOf(anything);
export type EventResource = ReturnType<typeof eventResource>;

/** An event with the calendar it is in and the number of the change that wrote it last (0 = generated). */
export const storedEvent = object({ calendarId: text, seq: count, event: eventResource });
export type StoredEvent = ReturnType<typeof storedEvent>;

/** Everything in which an account's calendars differ from the generated ones; deleted events stay as `cancelled`. */
export const calendarChanges = object({ seq: count, events: listOf(storedEvent) });
export type CalendarChanges = ReturnType<typeof calendarChanges>;

/** A calendar in a user's list. */
export interface CalendarEntry {
  id: string;
  summary: string;
  description: string;
  timeZone: string;
  accessRole: 'owner' | 'writer' | 'reader' | 'freeBusyReader';
  colorId: string;
  backgroundColor: string;
  primary: boolean;
}

/** Text member of an event, or empty. */
export function eventText(event: EventResource, member: string): string {
  const value = event[member];
  return typeof value === 'string' ? value : '';
}
