import { ACCOUNTS, displayName, type SimAccount } from '../accounts.ts';
import { between, pick, seededRandom, seededText } from '../random.ts';
import type { CalendarChanges, EventResource, Role, StoredEvent } from '../state/calendar.ts';
import { showMoment } from './zoned-time.ts';

/** Events every account starts with, over all its calendars. */
const EVENTS_PER_ACCOUNT = 400;

/** The one generated event of each account that repeats, in the primary calendar. */
const WEEKLY_INDEX = 6;

const HEX = '0123456789abcdef';
const EVENT_ID_ALPHABET = 'abcdefghijklmnopqrstuv0123456789';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Generated events lie between these moments, whatever the clock says. */
const FIRST_DAY_MS = Date.UTC(2026, 6, 1);
const DAYS = 365;

const TITLES = [
  'Stand-up',
  'Planning',
  'Review',
  'One-to-one',
  'Workshop',
  'Lunch',
  'Interview',
  'Retrospective',
] as const;
const PLACES = ['Room Alpha', 'Room Orchard', 'Harbour Café', 'Video call'] as const;
const HOLIDAYS = [
  'New Year’s Day',
  'Spring Holiday',
  'Labor Day',
  'Harvest Day',
  'Thanksgiving Day',
  'Winter Holiday',
] as const;
const COLORS = ['#ac725e', '#d06b64', '#f83a22', '#fa573c', '#ff7537', '#ffad46', '#42d692', '#16a765'] as const;

function isHolidayCalendar(id: string): boolean {
  return id.includes('#holiday@');
}

/** A calendar as an account's list begins. */
interface Listed {
  id: string;
  summary: string;
  description: string;
  timeZone: string;
  accessRole: Role;
  primary: boolean;
  colorId: string;
  backgroundColor: string;
}

/** The calendars of an account: its own, some groups, other people's and Google's; their ids hold `@` and `#`. */
function listedCalendars(account: SimAccount): Listed[] {
  const group = (name: string) => `c_${seededText(`${account.sub}/${name}`, 64, HEX)}@group.calendar.google.com`;
  const owned = ['Projects', 'Team', 'Training', 'Travel', 'On call'].map(
    (name) => [group(name), name, 'owner'] as const,
  );
  const others = ACCOUNTS.filter(({ sub }) => sub !== account.sub).map(
    (other, index) => [other.email, displayName(other), index === 0 ? 'writer' : 'reader'] as const,
  );
  const google = [
    ['en.usa#holiday@group.v.calendar.google.com', 'Holidays in United States', 'reader'],
    ['de.german#holiday@group.v.calendar.google.com', 'Feiertage in Deutschland', 'reader'],
    ['addressbook#contacts@group.v.calendar.google.com', 'Birthdays', 'reader'],
  ] as const;
  const listed = [[account.email, account.email, 'owner'] as const, ...owned, ...others, ...google];
  return listed.map(([id, summary, accessRole], index) => ({
    id,
    summary,
    description: index === 0 ? '' : `${summary} calendar`,
    timeZone: account.timeZone,
    accessRole,
    colorId: String(1 + (index % 24)),
    backgroundColor: COLORS[index % COLORS.length] ?? COLORS[0],
    primary: index === 0,
  }));
}

/** The etag Calendar gives a resource written at a moment. */
export function etagOf(updatedMs: number): string {
  return `"${updatedMs * 2000}"`;
}

function eventTimes(random: () => number, timeZone: string, allDay: boolean): Pick<EventResource, 'start' | 'end'> {
  const dayMs = FIRST_DAY_MS + between(random, 0, DAYS - 1) * DAY_MS;
  if (allDay) {
    const date = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    return { start: { date: date(dayMs) }, end: { date: date(dayMs + DAY_MS) } };
  }
  const startMs = dayMs + between(random, 12, 36) * (HOUR_MS / 2);
  const dateTime = (ms: number) => showMoment(ms, timeZone);
  return {
    start: { dateTime: dateTime(startMs), timeZone },
    end: { dateTime: dateTime(startMs + between(random, 1, 4) * (HOUR_MS / 2)), timeZone },
  };
}

function generateEvent(account: SimAccount, calendar: Listed, index: number): EventResource {
  const seed = `${account.sub}/event/${index}`;
  const random = seededRandom(seed);
  const id = seededText(seed, 26, EVENT_ID_ALPHABET);
  const allDay = isHolidayCalendar(calendar.id) || index % 11 === 0;
  const updatedMs = FIRST_DAY_MS - between(random, 1, 90) * DAY_MS - between(random, 0, DAY_MS);
  const owner = { email: calendar.id, ...(calendar.primary ? { self: true } : {}) };
  return {
    kind: 'calendar#event',
    etag: etagOf(updatedMs),
    id,
    status: index % 29 === 7 ? 'tentative' : 'confirmed',
    htmlLink: `https://www.google.com/calendar/event?eid=${Buffer.from(`${id} ${calendar.id}`).toString('base64url')}`,
    created: new Date(updatedMs - DAY_MS).toISOString(),
    updated: new Date(updatedMs).toISOString(),
    summary: isHolidayCalendar(calendar.id) ? pick(random, HOLIDAYS) : `${pick(random, TITLES)} ${index}`,
    ...(index % 3 === 0 ? { location: pick(random, PLACES) } : {}),
    ...(index % 5 === 0 ? { description: `Agenda of item ${index}: questions, decisions, next steps.` } : {}),
    creator: owner,
    organizer: owner,
    ...eventTimes(random, calendar.timeZone, allDay),
    ...(index === WEEKLY_INDEX ? { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=10'] } : {}),
    iCalUID: `${id}@google.com`,
    sequence: 0,
    reminders: { useDefault: true },
    eventType: 'default',
  };
}

/** The generated events of an account: the same on every start, half of them in the primary calendar. */
function generateEvents(account: SimAccount): StoredEvent[] {
  const [primary, ...others] = listedCalendars(account);
  if (primary === undefined) return [];
  return Array.from({ length: EVENTS_PER_ACCOUNT }, (_, index) => {
    const calendar = index % 2 === 0 ? primary : (others[((index - 1) / 2) % others.length] ?? primary);
    return { calendarId: calendar.id, event: generateEvent(account, calendar, index), seq: 0, former: undefined };
  });
}

function isGoogles(id: string): boolean {
  return id.endsWith('@group.v.calendar.google.com');
}

/** What every calendar made by a person offers for video calls. */
export const CONFERENCE_PROPERTIES = { allowedConferenceSolutionTypes: ['hangoutsMeet'] };

function generateAccount(account: SimAccount, data: Omit<CalendarChanges, 'seq'>): void {
  const written = { seq: 0, updatedMs: FIRST_DAY_MS };
  for (const { id, summary, description, timeZone, accessRole, primary, ...color } of listedCalendars(account)) {
    const isOwn = accessRole === 'owner';
    const isNew = data.calendars.every((calendar) => calendar.id !== id);
    if (isNew && (isOwn || isGoogles(id))) {
      const more = { ...(description === '' ? {} : { description }), conferenceProperties: CONFERENCE_PROPERTIES };
      const ownerSub = isOwn ? account.sub : null;
      data.calendars.push({
        ...{ ...written, id, summary, timeZone, more, ownerSub },
        ...{ deleted: false, isPrimary: primary, project: null },
      });
    }
    if (isNew || !isGoogles(id)) {
      const scope = isGoogles(id)
        ? ({ scopeType: 'default', scopeValue: '' } as const)
        : ({ scopeType: 'user', scopeValue: account.email } as const);
      data.rules.push({ ...written, calendarId: id, role: accessRole, ...scope });
    }
    const own = {
      ...color,
      foregroundColor: '#000000',
      selected: true,
      ...(isOwn || isGoogles(id) ? {} : { summaryOverride: summary }),
      defaultReminders: primary ? [{ method: 'popup', minutes: 30 }] : [],
    };
    data.entries.push({ ...written, sub: account.sub, calendarId: id, deleted: false, own });
  }
}

const generated = new Map<boolean, Omit<CalendarChanges, 'seq'>>();

/**
 * Calendars, access rules, calendar lists and events that are there from the start, the same every time; not to be changed.
 * @param isFull false for primary calendars without events and nothing else
 */
export function calendarData(isFull: boolean): Omit<CalendarChanges, 'seq'> {
  const known = generated.get(isFull) ?? (isFull ? generateData() : primaryCalendars());
  generated.set(isFull, known);
  return known;
}

/** Everybody's primary calendar, not shared and without events. */
function primaryCalendars(): Omit<CalendarChanges, 'seq'> {
  const data = generateData();
  const primaries = new Map(ACCOUNTS.map(({ email, sub }) => [email, sub]));
  const isOwn = (calendarId: string, person: string) => primaries.has(calendarId) && person === calendarId;
  return {
    calendars: data.calendars.filter(({ id }) => primaries.has(id)),
    rules: data.rules.filter(({ calendarId, scopeValue }) => isOwn(calendarId, scopeValue)),
    entries: data.entries.filter(({ calendarId, sub }) => primaries.get(calendarId) === sub),
    events: [],
  };
}

function generateData(): Omit<CalendarChanges, 'seq'> {
  const data: Omit<CalendarChanges, 'seq'> = { calendars: [], rules: [], entries: [], events: [] };
  for (const account of ACCOUNTS) generateAccount(account, data);
  // An account's events in calendars that are not its own would be strangers there; Google's are filled once.
  data.events = ACCOUNTS.flatMap((account, index) =>
    generateEvents(account).filter(({ calendarId }) => {
      const calendar = data.calendars.find(({ id }) => id === calendarId);
      return calendar?.ownerSub === account.sub || (index === 0 && isGoogles(calendarId));
    }),
  );
  return data;
}
