import { sha256Hex } from '../core/identifiers.ts';
import { REMINDER_AHEAD_SEC, REMINDER_LATE_SEC } from '../core/limits.ts';
import {
  calendarPath,
  type FeedCall,
  type FeedChange,
  type FeedResource,
  list,
  member,
  text,
  withQuery,
} from './feed-resource.rules.ts';

/**
 * Reminders: a feed of a calendar tells some minutes ahead that an event starts (CH-26). Google has no message for that, and sync tokens
 * leave no room for a range of time, so what starts soon is listed: once a day, after changes, and when a reminder is due. That list is
 * what is told from: what was moved, cancelled or declined since is not in it, or not at that time.
 */

/** One event, or one occurrence of a series. */
export interface Occurrence {
  readonly id: string;
  readonly startMs: number;
}

/** What is remembered of an occurrence that was told: which of its reminders, and until when that is of use. */
export interface ToldStart {
  readonly untilEpochSec: number;
  readonly minutes: readonly number[];
}

/** What a feed knows of its reminders. */
export interface StartsPlan {
  /** The reminders that it was made for. */
  readonly minutes: readonly number[];
  /** By `occurrenceKey`. */
  readonly told: ReadonlyMap<string, ToldStart>;
  /** When the next reminder is due, or the next look. */
  readonly dueAtEpochSec: number;
}

/** The call for a page of what starts between two moments, single occurrences of series among it. */
export function startsCall(resource: FeedResource, fromMs: number, toMs: number, page: string | undefined): FeedCall {
  const query = {
    singleEvents: 'true',
    timeMin: new Date(fromMs).toISOString(),
    timeMax: new Date(toMs).toISOString(),
    maxResults: '250',
    fields: 'timeZone,nextPageToken,items(id,status,start(date,dateTime),attendees(self,responseStatus))',
    pageToken: page,
  };
  return { method: 'GET', path: withQuery(calendarPath(resource), query) };
}

/** What such a page says. What is cancelled or declined starts for nobody. */
export function readOccurrences(answer: unknown): {
  readonly found: readonly Occurrence[];
  readonly next: string | undefined;
} {
  const zone = text(answer, 'timeZone') ?? 'UTC';
  let format: Intl.DateTimeFormat | undefined;
  const dayStart = (date: string) => {
    format ??= dateFormat(zone);
    return dayStartIn(format, date);
  };
  const found = list(answer, 'items').flatMap((item): Occurrence[] => {
    const id = text(item, 'id');
    const start = member(item, 'start');
    const date = text(start, 'date');
    const startMs = date === undefined ? Date.parse(text(start, 'dateTime') ?? '') : dayStart(date);
    const isDeclined = list(item, 'attendees').some(
      (one) => member(one, 'self') === true && text(one, 'responseStatus') === 'declined',
    );
    const isOn = text(item, 'status') !== 'cancelled' && !isDeclined;
    return id !== undefined && isOn && Number.isFinite(startMs) ? [{ id, startMs }] : [];
  });
  return { found, next: text(answer, 'nextPageToken') };
}

const HOUR_MS = 3_600_000;

/**
 * When a day begins in a time zone. Where clocks are put forward at midnight, as in Cairo, the day begins at the moment of the change.
 *
 * @param zone name of the time zone database; UTC for one that is unknown here
 * @returns epoch milliseconds; NaN for what is no date
 */
export function dayStartMs(date: string, zone: string): number {
  return dayStartIn(dateFormat(zone), date);
}

function dayStartIn(format: Intl.DateTimeFormat, date: string): number {
  const midnightMs = Date.parse(`${date}T00:00:00Z`);
  if (!Number.isFinite(midnightMs)) return Number.NaN;
  // Zones lie between 14 hours ahead and 12 behind: the day's first moment is where the local date stops being an earlier one.
  let [before, after] = [midnightMs - 15 * HOUR_MS, midnightMs + 13 * HOUR_MS];
  while (after - before > 1_000) {
    const middle = Math.floor((before + after) / 2_000) * 1_000;
    if (format.format(middle) >= date) after = middle;
    else before = middle;
  }
  return after;
}

/** Dates as `2026-03-01` in a zone; making one takes a millisecond. */
function dateFormat(zone: string): Intl.DateTimeFormat {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  try {
    return new Intl.DateTimeFormat('en-CA', { ...parts, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat('en-CA', { ...parts, timeZone: 'UTC' });
  }
}

/** Names an occurrence at its time: one that was moved is another. */
export function occurrenceKey({ id, startMs }: Occurrence): string {
  return sha256Hex(`${id} ${startMs}`).slice(0, 16);
}

/** How far ahead a list has to look, so that the next one may be a day away. */
export function startsRange(
  minutes: readonly number[],
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  return {
    fromMs: nowMs - REMINDER_LATE_SEC * 1000,
    toMs: nowMs + (Math.max(0, ...minutes) * 60 + REMINDER_AHEAD_SEC) * 1000,
  };
}

/**
 * What is to be told now, and what is known afterwards. A feed that begins tells nothing whose time had come before, nor does a reminder
 * that is added later; an event that is made or moved when its time has come is told at once. Of several reminders of one occurrence
 * that are due together the last is told.
 *
 * @param minutes reminders that the feed has now
 * @param known undefined at the first look
 * @param nextLookSec until the next look at the latest
 */
export function judgeStarts(
  found: readonly Occurrence[],
  minutes: readonly number[],
  known: StartsPlan | undefined,
  nowMs: number,
  nextLookSec: number,
): { readonly changes: readonly FeedChange[]; readonly plan: StartsPlan } {
  const nowEpochSec = Math.floor(nowMs / 1000);
  const told = new Map([...(known?.told ?? [])].filter(([, { untilEpochSec }]) => untilEpochSec > nowEpochSec));
  let dueAtEpochSec = nowEpochSec + nextLookSec;
  const due: { readonly atSec: number; readonly change: FeedChange }[] = [];
  for (const occurrence of found) {
    const startSec = Math.floor(occurrence.startMs / 1000);
    const untilEpochSec = startSec + REMINDER_LATE_SEC;
    if (untilEpochSec <= nowEpochSec) continue;
    const isDue = (before: number) => startSec - before * 60 <= nowEpochSec;
    for (const before of minutes) if (!isDue(before)) dueAtEpochSec = Math.min(dueAtEpochSec, startSec - before * 60);
    const passed = minutes.filter(isDue);
    if (passed.length === 0) continue;
    const key = occurrenceKey(occurrence);
    const before = told.get(key)?.minutes ?? [];
    const fresh = passed.filter((one) => !before.includes(one) && known?.minutes.includes(one) === true);
    told.set(key, { untilEpochSec, minutes: passed });
    if (fresh.length === 0) continue;
    const minutesBefore = Math.min(...fresh);
    const time = new Date(occurrence.startMs).toISOString();
    const change = {
      id: occurrence.id,
      kind: 'event',
      removed: false,
      time,
      mimeType: undefined,
      minutesBefore,
    } as const;
    due.push({ atSec: startSec - minutesBefore * 60, change });
  }
  due.sort((a, b) => a.atSec - b.atSec);
  return { changes: due.map(({ change }) => change), plan: { minutes: [...minutes], told, dueAtEpochSec } };
}

/** What was told as it is stored. */
export function toldText(told: StartsPlan['told']): string {
  return [...told].map(([key, { untilEpochSec, minutes }]) => `${key}:${untilEpochSec}:${minutes.join('+')}`).join(' ');
}

/** Reads `toldText`. */
export function readTold(stored: string): StartsPlan['told'] {
  const entries = stored.split(' ').flatMap((entry): [string, ToldStart][] => {
    const [key = '', until = '', minutes = ''] = entry.split(':');
    return key === '' ? [] : [[key, { untilEpochSec: Number(until), minutes: minutes.split('+').map(Number) }]];
  });
  return new Map(entries);
}
