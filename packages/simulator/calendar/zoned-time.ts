import { Temporal } from 'temporal-polyfill';
import { isRecord } from '../parse.ts';

/** The start or end of an event in one of its two forms: a whole day, or a moment shown in a time zone. */
export type EventTime = { date: string } | { ms: number; timeZone: string };

const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^(?<wall>\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(?<offset>[Zz]|[+-]\d{2}:\d{2})?$/;

const ZONES = new Map<string, boolean>();

/** True for a name of the IANA time zone database that this machine knows, or `UTC`. */
export function isTimeZone(name: string): boolean {
  const known = ZONES.get(name);
  if (known !== undefined) return known;
  let isKnown = false;
  try {
    isKnown = /^[A-Za-z]/.test(name) && Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    // RangeError: no such zone.
  }
  if (ZONES.size < 1000) ZONES.set(name, isKnown);
  return isKnown;
}

/** A time during which a zone keeps its offset: from `fromMs` on, before `toMs`. */
interface Stretch {
  fromMs: number;
  toMs: number;
  offsetMs: number;
}

const STRETCHES = new Map<string, Stretch[]>();

function readStretch(ms: number, timeZone: string): Stretch {
  const moment = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
  const next = moment.getTimeZoneTransition('next');
  const from = (next ?? moment.add({ seconds: 1 })).getTimeZoneTransition('previous');
  return {
    fromMs: from?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    toMs: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: Math.round(moment.offsetNanoseconds / 1e6),
  };
}

/** Zones repeat their rules for good: later years are read as one of these 28, which has the same days of the week. */
const LAST_READ_YEARS = { from: 2038, to: 2065 };

/** Moments from here on are read as those of an earlier year. */
const UNREAD_FROM_MS = Date.UTC(LAST_READ_YEARS.to + 1, 0, 1);

function isLeap(year: number): boolean {
  return Date.UTC(year, 1, 29) !== Date.UTC(year, 2, 1);
}

/** By year, how far ahead of the same moment in a year whose rules are read it is, in milliseconds. */
const AHEAD = new Map<number, number>();

function aheadOf(year: number): number {
  const firstMs = Date.UTC(year, 0, 1);
  for (let same = LAST_READ_YEARS.from; same <= LAST_READ_YEARS.to; same++) {
    const aheadMs = firstMs - Date.UTC(same, 0, 1);
    if (isLeap(same) === isLeap(year) && aheadMs % (7 * DAY_MS) === 0) return aheadMs;
  }
  return 0;
}

/** The same moment in a year whose rules are read, so that a series of many centuries reads no more than a few transitions. */
function readMoment(ms: number): number {
  if (!(ms >= UNREAD_FROM_MS)) return ms;
  const year = new Date(ms).getUTCFullYear();
  const known = AHEAD.get(year) ?? aheadOf(year);
  AHEAD.set(year, known);
  return ms - known;
}

/** How far a zone's clocks are ahead of UTC at a moment. Asked thousands of times in one listing, so stretches are kept. */
function offsetAt(moment: number, timeZone: string): number {
  const ms = readMoment(moment);
  const stretches = STRETCHES.get(timeZone) ?? [];
  const known = stretches.find(({ fromMs, toMs }) => ms >= fromMs && ms < toMs);
  if (known !== undefined) return known.offsetMs;
  const read = readStretch(ms, timeZone);
  STRETCHES.set(timeZone, [read, ...stretches]);
  return read.offsetMs;
}

/**
 * The moment a wall clock shows a time. A time that the clock skips counts with the offset before the gap, one that it
 * shows twice is the first (RFC 5545 section 3.3.5).
 * @param wall `YYYY-MM-DDTHH:MM:SS` without offset
 * @throws {RangeError} when it is no time
 */
export function momentOfWall(wall: string, timeZone: string): number {
  const wallMs = Date.parse(`${wall}Z`);
  if (Number.isNaN(wallMs)) throw new RangeError(`"${wall}" is no time.`);
  return momentOfWallMs(wallMs, timeZone);
}

/** The same of a wall clock's time in milliseconds, as if it were UTC. */
export function momentOfWallMs(wallMs: number, timeZone: string): number {
  const offsetMs = offsetAt(wallMs - DAY_MS, timeZone);
  if (offsetMs === offsetAt(wallMs + DAY_MS, timeZone)) return wallMs - offsetMs;
  const wall = new Date(wallMs).toISOString().slice(0, -1);
  return Temporal.PlainDateTime.from(wall).toZonedDateTime(timeZone, { disambiguation: 'compatible' })
    .epochMilliseconds;
}

/** What a wall clock shows at a moment, as `YYYY-MM-DDTHH:MM:SS`. */
export function wallOfMoment(ms: number, timeZone: string): string {
  return new Date(ms + offsetAt(ms, timeZone)).toISOString().slice(0, 19);
}

/** RFC 3339 with the zone's offset at that moment, `Z` for UTC; no fractions, as Calendar shows times. */
export function showMoment(ms: number, timeZone: string): string {
  const wall = wallOfMoment(ms, timeZone);
  if (timeZone === 'UTC' || timeZone === 'Etc/UTC') return `${wall}Z`;
  const minutes = Math.round(offsetAt(ms, timeZone) / 60_000);
  const two = (value: number) => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${wall}${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** When a day begins in a zone: midnight, or the first moment after it where clocks skip midnight. */
export function startOfDay(date: string, timeZone: string): number {
  const midnightMs = Date.parse(`${date}T00:00:00Z`);
  const offsetMs = offsetAt(midnightMs - DAY_MS, timeZone);
  if (offsetMs === offsetAt(midnightMs + DAY_MS, timeZone)) return midnightMs - offsetMs;
  return Temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds;
}

/** The date some days after another. */
export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

/** Whole days from one date to another. */
export function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days;
}

/**
 * Reads an `EventDateTime`: exactly one of `date` and `dateTime`, the latter with an offset or a `timeZone`.
 * @param fallbackZone the calendar's zone, for a time that names none
 * @returns `undefined` when it is not one
 */
export function readEventTime(value: unknown, fallbackZone: string): EventTime | undefined {
  if (!isRecord(value)) return undefined;
  const { date, dateTime, timeZone } = value;
  const hasZone = typeof timeZone === 'string' && timeZone !== '';
  if (hasZone && !isTimeZone(timeZone)) return undefined;
  if (typeof date === 'string' && (dateTime === undefined || dateTime === null)) {
    return DATE.test(date) && isDay(date) ? { date } : undefined;
  }
  if (typeof dateTime !== 'string' || (date !== undefined && date !== null)) return undefined;
  const groups = DATE_TIME.exec(dateTime)?.groups;
  const zone = hasZone ? timeZone : fallbackZone;
  if (groups?.wall === undefined || !isDay(groups.wall.slice(0, 10))) return undefined;
  if (groups.offset === undefined && !hasZone) return undefined;
  const full = groups.wall.toUpperCase() + (groups.wall.length === 16 ? ':00' : '');
  try {
    const ms = groups.offset === undefined ? momentOfWall(full, zone) : Date.parse(full + groups.offset.toUpperCase());
    return Number.isNaN(ms) ? undefined : { ms: Math.floor(ms / 1000) * 1000, timeZone: zone };
  } catch {
    return undefined;
  }
}

/** True for a date of the calendar: no 30 February. */
function isDay(date: string): boolean {
  const ms = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

/** When an event time begins: a whole day at midnight of the calendar's zone. */
export function momentOf(time: EventTime, calendarZone: string): number {
  return 'date' in time ? startOfDay(time.date, calendarZone) : time.ms;
}
