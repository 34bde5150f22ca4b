import { anything, count, flag, listOf, nullable, number, object, oneOf, optional, recordOf, text } from '../parse.ts';

/** A JSON object in the API's terms. */
const jsonObject = recordOf(anything);
export type JsonObject = ReturnType<typeof jsonObject>;

/** An event as stored: the API's Event resource, `id`, `etag` and `updated` included. */
export type EventResource = JsonObject;

/** Start and recurrence that a series had before a write, so that incremental sync can name the instances that went. */
const formerSeries = object({ seq: count, start: jsonObject, recurrence: listOf(text) });

/** An event with the calendar it is in and the number of the change that wrote it last (0 = generated). */
const storedEvent = object({
  calendarId: text,
  seq: count,
  event: jsonObject,
  former: optional(listOf(formerSeries)),
});
export type StoredEvent = ReturnType<typeof storedEvent>;

/** What a user may do with a calendar, least first (Google Calendar API, "Acl"). */
export const ROLES = ['none', 'freeBusyReader', 'reader', 'writerWithoutPrivateAccess', 'writer', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** True when one role includes the other's rights. */
export function includesRole(role: Role, minimum: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(minimum);
}

/** A calendar; deleted ones stay, so that their ids are not used again. */
const calendarRecord = object({
  id: text,
  seq: count,
  updatedMs: number,
  deleted: flag,
  /** Account of the data owner; `null` for Google's own calendars. */
  ownerSub: nullable(text),
  isPrimary: flag,
  /** Cloud project of the client that made it, for the scope `calendar.app.created`. */
  project: nullable(text),
  summary: text,
  timeZone: text,
  /** `description`, `location`, `conferenceProperties`, `labelProperties`, … as the API shows them. */
  more: jsonObject,
});
export type CalendarRecord = ReturnType<typeof calendarRecord>;

/** A rule of a calendar's access list; the role `none` is a deleted rule. */
const ruleRecord = object({
  calendarId: text,
  seq: count,
  updatedMs: number,
  role: oneOf(...ROLES),
  scopeType: oneOf('default', 'user', 'group', 'domain'),
  /** Empty for `default`. */
  scopeValue: text,
});
export type RuleRecord = ReturnType<typeof ruleRecord>;

/** A calendar in a user's list, with the user's own settings for it. */
const entryRecord = object({
  sub: text,
  calendarId: text,
  seq: count,
  updatedMs: number,
  deleted: flag,
  /** `colorId`, `backgroundColor`, `foregroundColor`, `summaryOverride`, `selected`, `hidden`, `defaultReminders`, … */
  own: jsonObject,
});
export type EntryRecord = ReturnType<typeof entryRecord>;

/** A user's setting that is no longer as it was at the start. */
export const settingRecord = object({ sub: text, id: text, value: text, seq: count });
export type SettingRecord = ReturnType<typeof settingRecord>;

/** Everything in which the calendars differ from the generated ones; deleted events stay as `cancelled`. */
export const calendarChanges = object({
  seq: count,
  calendars: listOf(calendarRecord),
  rules: listOf(ruleRecord),
  entries: listOf(entryRecord),
  events: listOf(storedEvent),
});
export type CalendarChanges = ReturnType<typeof calendarChanges>;

/** Text member of an event, or empty. */
export function eventText(event: EventResource, member: string): string {
  const value = event[member];
  return typeof value === 'string' ? value : '';
}

/** The objects in a list member of an event. */
export function eventObjects(event: EventResource, member: string): JsonObject[] {
  const value = event[member];
  const isObject = (entry: unknown): entry is JsonObject =>
    typeof entry === 'object' && entry !== null && !Array.isArray(entry);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Recurrence lines of an event; none for a single event. */
export function recurrenceOf(event: EventResource): string[] {
  const { recurrence } = event;
  return Array.isArray(recurrence) ? recurrence.filter((line) => typeof line === 'string') : [];
}

/** Calendars, their access lists, everybody's calendar lists and all events: one world that every account looks into. */
export interface CalendarStore {
  /** `undefined` for one that is deleted or never was. */
  calendar(id: string): CalendarRecord | undefined;
  calendars(): CalendarRecord[];
  putCalendar(record: Omit<CalendarRecord, 'seq'>): void;
  /** A calendar's rules, deleted ones included as `none`. */
  rules(calendarId: string): RuleRecord[];
  putRule(record: Omit<RuleRecord, 'seq'>): void;
  /** A user's calendar list, deleted entries included. */
  entries(sub: string): EntryRecord[];
  putEntry(record: Omit<EntryRecord, 'seq'>): void;
  /** Every event of a calendar, deleted ones included as `cancelled`. */
  events(calendarId: string): StoredEvent[];
  findEvent(calendarId: string, eventId: string): StoredEvent | undefined;
  putEvent(calendarId: string, event: EventResource, former?: StoredEvent['former']): void;
  /** A user's settings that differ from those at the start. */
  settings(sub: string): SettingRecord[];
  putSetting(record: Omit<SettingRecord, 'seq'>): void;
  /** Number of the latest change. */
  latestChange(): number;
  /** Forgets what was read, after the state was replaced. */
  reload(): void;
}
