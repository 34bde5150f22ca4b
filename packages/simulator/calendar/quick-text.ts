import type { JsonObject } from '../state/calendar.ts';
import { addDays, momentOfWall, showMoment, wallOfMoment } from './zoned-time.ts';

const HOUR_MS = 3_600_000;
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const MONTHS = 'january february march april may june july august september october november december'.split(' ');

const TIME = String.raw`(\d{1,2})(?::(\d{2}))?\s*(am|pm)?`;
const FROM_TO = new RegExp(String.raw`\b(?:at |from )?${TIME}\s*(?:-|–|to|until)\s*${TIME}(?![\w:])`, 'i');
const AT = /\b(?:at )(\d{1,2})(?::(\d{2}))?\s*(am|pm)?(?![\w:])|\b(\d{1,2})(?::(\d{2}))?\s*(am|pm)\b/i;
const ISO_DAY = /\b(?:on )?(\d{4}-\d{2}-\d{2})\b/i;
const NEAR_DAY = /\b(today|tomorrow)\b/i;
const WEEKDAY = new RegExp(String.raw`\b(?:on |next )?(${DAYS.join('|')})\b`, 'i');
const MONTH_DAY = new RegExp(
  String.raw`\b(?:on )?(${MONTHS.join('|')}) (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?\b`,
  'i',
);
const PLACE = /\b(?:at|in) (\p{Lu}.*)$/u;

/** A text of which parts are taken out as they are understood. */
class Words {
  #left: string;
  constructor(text: string) {
    this.#left = text;
  }

  take(pattern: RegExp): RegExpExecArray | undefined {
    const found = pattern.exec(this.#left);
    if (found === null) return undefined;
    this.#left = `${this.#left.slice(0, found.index)} ${this.#left.slice(found.index + found[0].length)}`;
    return found;
  }

  rest(): string {
    return this.#left.replaceAll(/\s+/g, ' ').trim();
  }
}

function minutesOf(hour: string | undefined, minute: string | undefined, half: string | undefined): number | undefined {
  const hours = Number(hour);
  const isAfternoon = half?.toLowerCase() === 'pm';
  if (hours > 23 || (half !== undefined && (hours < 1 || hours > 12))) return undefined;
  const full = half === undefined ? hours : (hours % 12) + (isAfternoon ? 12 : 0);
  return full * 60 + Number(minute ?? '0');
}

function dayOf(words: Words, today: string): string | undefined {
  const iso = words.take(ISO_DAY)?.[1];
  if (iso !== undefined) return iso;
  const near = words.take(NEAR_DAY)?.[1]?.toLowerCase();
  if (near !== undefined) return near === 'today' ? today : addDays(today, 1);
  const monthDay = words.take(MONTH_DAY);
  if (monthDay !== undefined) {
    const month = String(MONTHS.indexOf((monthDay[1] ?? '').toLowerCase()) + 1).padStart(2, '0');
    const day = `${month}-${(monthDay[2] ?? '').padStart(2, '0')}`;
    if (monthDay[3] !== undefined) return `${monthDay[3]}-${day}`;
    const year = Number(today.slice(0, 4));
    return `${today.slice(5) <= day ? year : year + 1}-${day}`;
  }
  const weekday = words.take(WEEKDAY)?.[1]?.toLowerCase();
  if (weekday === undefined) return undefined;
  const ahead = (DAYS.indexOf(weekday) - new Date(`${today}T00:00:00Z`).getUTCDay() + 7) % 7;
  return addDays(today, ahead === 0 ? 7 : ahead);
}

interface Span {
  from: number;
  to: number;
}

function spanOf(words: Words): Span | undefined {
  const range = words.take(FROM_TO);
  if (range !== undefined) {
    const [, hour, minute, half, toHour, toMinute, toHalf] = range;
    const to = minutesOf(toHour, toMinute, toHalf ?? half);
    const from = minutesOf(hour, minute, half ?? toHalf);
    if (from !== undefined && to !== undefined) return { from, to: to > from ? to : to + 24 * 60 };
  }
  const single = words.take(AT);
  if (single === undefined) return undefined;
  const from = minutesOf(single[1] ?? single[4], single[2] ?? single[5], single[3] ?? single[6]);
  return from === undefined ? undefined : { from, to: from + 60 };
}

function wallOf(day: string, minutes: number): string {
  const date = addDays(day, Math.floor(minutes / (24 * 60)));
  const inDay = minutes % (24 * 60);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date}T${two(Math.floor(inDay / 60))}:${two(inDay % 60)}:00`;
}

/**
 * Reads an event from English text such as `Lunch with Ann tomorrow 12:30-1:30pm at Harbour Café`: a day (today,
 * tomorrow, a weekday, a date), times, a place after "at" or "in". A day alone makes a whole-day event, a time alone
 * means today, and neither the next full hour. Google understands more.
 */
export function readQuickText(text: string, nowMs: number, timeZone: string): JsonObject {
  const words = new Words(text);
  const today = wallOfMoment(nowMs, timeZone).slice(0, 10);
  const day = dayOf(words, today);
  const span = spanOf(words);
  const place = words.take(PLACE)?.[1]?.trim();
  const summary = words.rest() || text;
  const found = { summary, ...(place === undefined ? {} : { location: place }) };
  const moment = (ms: number) => ({ dateTime: showMoment(ms, timeZone), timeZone });
  if (span !== undefined) {
    const on = day ?? today;
    const [startMs, endMs] = [span.from, span.to].map((minutes) => momentOfWall(wallOf(on, minutes), timeZone));
    return { ...found, start: moment(startMs ?? nowMs), end: moment(endMs ?? nowMs) };
  }
  if (day !== undefined) return { ...found, start: { date: day }, end: { date: addDays(day, 1) } };
  const startMs = Math.ceil(nowMs / HOUR_MS) * HOUR_MS;
  return { ...found, start: moment(startMs), end: moment(startMs + HOUR_MS) };
}
