/** Times as assistants write them, read in the zone of a calendar. */

/** A whole day, a moment (with an offset), or a time of day in a zone that the text does not name. */
export type WrittenTime =
  | { readonly kind: 'day'; readonly date: string }
  | { readonly kind: 'moment'; readonly ms: number; readonly dateTime: string }
  | { readonly kind: 'local'; readonly dateTime: string };

const DAY_MS = 24 * 3600 * 1000;
const TIME =
  /^(\d{4}-\d\d-\d\d)(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d{1,9})?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/i;

/** Undefined for everything that is not `2026-01-31`, `2026-01-31T09:00` or the same with seconds and an offset. */
export function readTime(text: string): WrittenTime | undefined {
  const [, date, hour, minute, second = '00', offset] = TIME.exec(text.trim()) ?? [];
  if (date === undefined || !isDate(date)) return undefined;
  if (hour === undefined) return { kind: 'day', date };
  const dateTime = `${date}T${hour}:${minute}:${second}`;
  if (offset === undefined) return { kind: 'local', dateTime };
  const exact = `${dateTime}${offset.toUpperCase()}`;
  return { kind: 'moment', ms: Date.parse(exact), dateTime: exact };
}

/** Whether the calendar has such a day: `Date` reads February 30 as March 2. */
function isDate(date: string): boolean {
  const ms = Date.parse(`${date}T00:00:00Z`);
  return Number.isFinite(ms) && new Date(ms).toISOString().startsWith(date);
}

/** Whether a text names a zone of the IANA database. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone });
    return !/^[+-]/.test(zone);
  } catch {
    return false;
  }
}

/** How far a zone is from UTC at a moment, in ms. */
function offsetMs(zone: string, ms: number): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000;
}

/**
 * The moment of a time of day in a zone. Of two that have it, the first; where the clock skips it, the time as far after the change
 * (RFC 5545 section 3.3.5).
 *
 * @param local such as `2026-01-31T09:00:00`
 */
export function momentIn(zone: string, local: string): number {
  const asUtc = Date.parse(`${local}Z`);
  const before = offsetMs(zone, asUtc - DAY_MS);
  const after = offsetMs(zone, asUtc + DAY_MS);
  const fits = [before, after].filter((offset) => offsetMs(zone, asUtc - offset) === offset).map((o) => asUtc - o);
  return fits.length > 0 ? Math.min(...fits) : asUtc - before;
}

/** A moment in a zone, with the offset that holds there: `2026-01-31T09:00:00+01:00`. */
export function showMoment(ms: number, zone: string): string {
  const offset = offsetMs(zone, ms);
  const local = new Date(ms + offset).toISOString().slice(0, 19);
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** The moment that a written time is; a day is its beginning. */
export function momentOf(time: WrittenTime, zone: string): number {
  if (time.kind === 'moment') return time.ms;
  return momentIn(zone, time.kind === 'day' ? `${time.date}T00:00:00` : time.dateTime);
}

/** A day so many days later. */
export function laterDay(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Days between two days. */
export function daysBetween(from: string, until: string): number {
  return Math.round((Date.parse(`${until}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}
