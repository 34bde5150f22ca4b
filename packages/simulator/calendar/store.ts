import {
  type CalendarChanges,
  type CalendarRecord,
  type CalendarStore,
  type EntryRecord,
  eventText,
  type RuleRecord,
  type StoredEvent,
} from '../state/calendar.ts';
import { ruleKey, type SimulatorState } from '../state/store.ts';
import { calendarData } from './dataset.ts';

/** What is kept under a key, generated or changed. */
type Kept<T> = Map<string, T>;

interface World {
  calendars: Kept<CalendarRecord>;
  rules: Map<string, Kept<RuleRecord>>;
  entries: Map<string, Kept<EntryRecord>>;
  events: Map<string, Kept<StoredEvent>>;
}

function inner<T>(outer: Map<string, Kept<T>>, key: string): Kept<T> {
  const known = outer.get(key) ?? new Map<string, T>();
  outer.set(key, known);
  return known;
}

function place(world: World, data: Omit<CalendarChanges, 'seq'>): World {
  for (const record of data.calendars) world.calendars.set(record.id, record);
  for (const rule of data.rules) inner(world.rules, rule.calendarId).set(ruleKey(rule), rule);
  for (const entry of data.entries) inner(world.entries, entry.sub).set(entry.calendarId, entry);
  for (const stored of data.events) inner(world.events, stored.calendarId).set(eventText(stored.event, 'id'), stored);
  return world;
}

function openWorld(state: SimulatorState): World {
  const empty: World = { calendars: new Map(), rules: new Map(), entries: new Map(), events: new Map() };
  const { calendars, rules, entries, events } = state.calendar;
  place(empty, calendarData(state.generated));
  return place(empty, {
    calendars: [...calendars.values()],
    rules: [...rules.values()],
    entries: [...entries.values()],
    events: [...events.values()],
  });
}

/** Opens the calendars over the simulator's state; the generated ones are made when first asked for. */
export function createCalendarStore(state: SimulatorState): CalendarStore {
  let opened: World | undefined;
  const world = () => {
    opened ??= openWorld(state);
    return opened;
  };
  const nextChange = () => {
    state.calendar.seq += 1;
    state.markChanged();
    return state.calendar.seq;
  };
  return {
    calendar(id) {
      const found = world().calendars.get(id);
      return found?.deleted === true ? undefined : found;
    },
    calendars: () => [...world().calendars.values()].filter(({ deleted }) => !deleted),
    putCalendar(record) {
      const kept = { ...record, seq: nextChange() };
      state.calendar.calendars.set(kept.id, kept);
      world().calendars.set(kept.id, kept);
    },
    rules: (calendarId) => [...(world().rules.get(calendarId)?.values() ?? [])],
    putRule(record) {
      const kept = { ...record, seq: nextChange() };
      state.calendar.rules.set(ruleKey(kept), kept);
      inner(world().rules, kept.calendarId).set(ruleKey(kept), kept);
    },
    entries: (sub) => [...(world().entries.get(sub)?.values() ?? [])],
    putEntry(record) {
      const kept = { ...record, seq: nextChange() };
      state.calendar.entries.set(`${kept.sub} ${kept.calendarId}`, kept);
      inner(world().entries, kept.sub).set(kept.calendarId, kept);
    },
    events: (calendarId) => [...(world().events.get(calendarId)?.values() ?? [])],
    findEvent: (calendarId, eventId) => world().events.get(calendarId)?.get(eventId),
    putEvent(calendarId, event, former) {
      const kept = { calendarId, event, seq: nextChange(), former };
      const id = eventText(event, 'id');
      state.calendar.events.set(`${calendarId} ${id}`, kept);
      inner(world().events, calendarId).set(id, kept);
    },
    settings: (sub) => [...state.calendar.settings.values()].filter((setting) => setting.sub === sub),
    putSetting(record) {
      state.calendar.settings.set(`${record.sub} ${record.id}`, { ...record, seq: nextChange() });
    },
    latestChange: () => state.calendar.seq,
    reload() {
      opened = undefined;
    },
  };
}
