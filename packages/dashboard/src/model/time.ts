/** Units from small to large, and how many of each make more than the next one says better. */
const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number, count: number])[] = [
  ['minute', 60, 60],
  ['hour', 3600, 24],
  ['day', 86_400, 30],
  ['month', 2_592_000, 12],
  ['year', 31_536_000, Number.POSITIVE_INFINITY],
];

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const ABSOLUTE = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const CLOCK = new Intl.DateTimeFormat('en', { timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** Milliseconds of a day. */
export const DAY_MS = 86_400_000;

/** How far a moment is away, such as "3 hours ago" or "in 2 days"; the text itself where it is no time. */
export function relativeTime(iso: string, nowMs: number): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const seconds = Math.round((at - nowMs) / 1000);
  if (Math.abs(seconds) < 60) return seconds <= 0 ? 'just now' : 'in less than a minute';
  // Rounded before the unit is chosen: a grant that has a second less than seven days ends in seven days.
  const [unit, size] = UNITS.find(([, size, count]) => Math.round(Math.abs(seconds) / size) < count) ?? [
    'year',
    31_536_000,
  ];
  return RELATIVE.format(Math.round(seconds / size), unit);
}

/** A moment in full, in UTC, such as "Jan 31, 2026, 12:00 PM UTC"; the text itself where it is no time. */
export function absoluteTime(iso: string): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? iso : `${ABSOLUTE.format(at)} UTC`;
}

/** A day in UTC, such as "Jan 31"; a dash where it is no time. */
export function dayLabel(ms: number): string {
  return Number.isNaN(ms) ? '–' : DAY.format(ms);
}

/** Milliseconds of a minute. */
export const MINUTE_MS = 60_000;

/** A time of day in UTC, such as "14:05"; a dash where it is no time. */
export function clockLabel(ms: number): string {
  return Number.isNaN(ms) ? '–' : CLOCK.format(ms);
}

/** A time of day in UTC with seconds, such as "14:05:09". */
export function clockSecLabel(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}

/** Start of a moment's day in UTC, in milliseconds. */
export function startOfDay(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}
