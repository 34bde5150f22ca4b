import type { ApiResult } from '../api/call.ts';

/** Background colors of calendars, by id from 1. */
const CALENDAR_COLORS =
  'ac725e d06b64 f83a22 fa573c ff7537 ffad46 42d692 16a765 7bd148 b3dc6c fbe983 fad165 92e1c0 9fe1e7 9fc6e7 4986e7 9a9cff b99aff c2c2c2 cabdbf cca6ac f691b2 cd74e6 a47ae2'.split(
    ' ',
  );

/** Background colors of events, by id from 1. */
const EVENT_COLORS = 'a4bdfc 7ae7bf dbadff ff887c fbd75b ffb878 46d6db e1e1e1 5484ed 51b749 dc2127'.split(' ');

function palette(backgrounds: readonly string[]): Record<string, { background: string; foreground: string }> {
  return Object.fromEntries(
    backgrounds.map((background, index) => [
      String(index + 1),
      { background: `#${background}`, foreground: '#1d1d1d' },
    ]),
  );
}

/** The colors of calendars by id. */
export function calendarColors(): Record<string, { background: string; foreground: string }> {
  return palette(CALENDAR_COLORS);
}

function channels(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}

/** The id of the calendar color that is nearest to an RGB color such as `#0088aa`. */
export function nearestCalendarColor(color: string): string {
  const wanted = channels(color);
  const distance = (other: string) =>
    channels(other).reduce((sum, value, index) => sum + (value - (wanted[index] ?? 0)) ** 2, 0);
  const [nearest] = Object.entries(palette(CALENDAR_COLORS)).sort(
    ([, one], [, other]) => distance(one.background) - distance(other.background),
  );
  return nearest?.[0] ?? '1';
}

/** True for the id of an event's color. */
export function isEventColor(id: unknown): boolean {
  return typeof id === 'string' && Object.hasOwn(palette(EVENT_COLORS), id);
}

/** `colors.get`: the palette that the color ids of calendars and events refer to. */
export function getColors(): ApiResult {
  return {
    resource: {
      kind: 'calendar#colors',
      updated: '2012-02-14T00:00:00.000Z',
      calendar: palette(CALENDAR_COLORS),
      event: palette(EVENT_COLORS),
    },
  };
}
