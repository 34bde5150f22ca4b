import { ACCOUNTS, displayName, type SimAccount } from '../accounts.ts';
import { between, pick, seededRandom, seededText } from '../random.ts';
import type { CalendarEntry, EventResource } from './records.ts';

/** Events every account starts with, over all its calendars. */
export const EVENTS_PER_ACCOUNT = 400;

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

/** The calendars of an account: its own, some groups, other people's and Google's; their ids hold `@` and `#`. */
export function generateCalendars(account: SimAccount): CalendarEntry[] {
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
  const dateTime = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
  return {
    start: { dateTime: dateTime(startMs), timeZone },
    end: { dateTime: dateTime(startMs + between(random, 1, 4) * (HOUR_MS / 2)), timeZone },
  };
}

function generateEvent(account: SimAccount, calendar: CalendarEntry, index: number): EventResource {
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
    iCalUID: `${id}@google.com`,
    sequence: 0,
    reminders: { useDefault: true },
    eventType: 'default',
  };
}

/** The generated events of an account: the same on every start, half of them in the primary calendar. */
export function generateEvents(account: SimAccount): { calendarId: string; event: EventResource }[] {
  const [primary, ...others] = generateCalendars(account);
  if (primary === undefined) return [];
  return Array.from({ length: EVENTS_PER_ACCOUNT }, (_, index) => {
    const calendar = index % 2 === 0 ? primary : (others[((index - 1) / 2) % others.length] ?? primary);
    return { calendarId: calendar.id, event: generateEvent(account, calendar, index) };
  });
}
