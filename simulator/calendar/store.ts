import { ACCOUNTS } from '../accounts.ts';
import type { SimulatorState } from '../state/store.ts';
import { generateCalendars, generateEvents } from './dataset.ts';
import {
  type CalendarChanges,
  type CalendarEntry,
  type EventResource,
  eventText,
  type StoredEvent,
} from './records.ts';

/** One account's calendars: generated events with the account's changes laid over them. */
export interface AccountCalendars {
  calendars(): readonly CalendarEntry[];
  /** `primary` names the account's own calendar. */
  findCalendar(id: string): CalendarEntry | undefined;
  /** Every event of a calendar, deleted ones included as `cancelled`. */
  events(calendarId: string): StoredEvent[];
  findEvent(calendarId: string, eventId: string): StoredEvent | undefined;
  put(calendarId: string, event: EventResource): void;
  /** Number of the latest change. */
  latestChange(): number;
}

/** All accounts' calendars. */
export interface CalendarStore {
  of(sub: string): AccountCalendars;
}

function openAccount(state: SimulatorState, sub: string): AccountCalendars {
  const account = ACCOUNTS.find((entry) => entry.sub === sub) ?? ACCOUNTS[0];
  const changes: CalendarChanges = state.calendar.get(sub) ?? { seq: 0, events: [] };
  state.calendar.set(sub, changes);
  const entries = generateCalendars(account);
  const byCalendar = new Map<string, Map<string, StoredEvent>>(entries.map(({ id }) => [id, new Map()]));
  const place = (stored: StoredEvent) => byCalendar.get(stored.calendarId)?.set(eventText(stored.event, 'id'), stored);
  for (const { calendarId, event } of generateEvents(account)) place({ calendarId, event, seq: 0 });
  for (const stored of changes.events) place(stored);
  return {
    calendars: () => entries,
    findCalendar: (id) => entries.find((entry) => (id === 'primary' ? entry.primary : entry.id === id)),
    events: (calendarId) => [...(byCalendar.get(calendarId)?.values() ?? [])],
    findEvent: (calendarId, eventId) => byCalendar.get(calendarId)?.get(eventId),
    put(calendarId, event) {
      changes.seq += 1;
      const stored = { calendarId, seq: changes.seq, event };
      const id = eventText(event, 'id');
      changes.events = changes.events.filter(
        (other) => other.calendarId !== calendarId || eventText(other.event, 'id') !== id,
      );
      changes.events.push(stored);
      place(stored);
      state.markChanged();
    },
    latestChange: () => changes.seq,
  };
}

/** Opens the calendars over the simulator's state; each account's are generated when first asked for. */
export function createCalendarStore(state: SimulatorState): CalendarStore {
  const opened = new Map<string, AccountCalendars>();
  return {
    of(sub) {
      const known = opened.get(sub) ?? openAccount(state, sub);
      opened.set(sub, known);
      return known;
    },
  };
}
