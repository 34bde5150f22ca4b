import { sha256Hex } from '../../gateway/core/identifiers.ts';
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
import { REMINDER_AHEAD_SEC, REMINDER_LATE_SEC } from './limits.rules.ts';

/**
 * Reminders: a feed of a calendar reports some minutes ahead that an event starts (CH-26). Google sends no message for that, and a sync
 * token cannot be combined with a time range. The gateway therefore lists upcoming events once a day, after changes, and when a
 * reminder is due. Reminders follow that list, so an event that was moved, cancelled or declined since is missing from it or has its
 * new time.
 */

/** One event, or one occurrence of a series. */
export interface Occurrence {
  readonly id: string;
  readonly startMs: number;
}

/** A reported occurrence: which of its reminders, and until when the record is needed. */
export interface ReportedStart {
  readonly untilEpochSec: number;
  readonly minutes: readonly number[];
}

/** A feed's plan of reminders. */
export interface StartsPlan {
  /** The reminders that it was made for. */
  readonly minutes: readonly number[];
  /** By `occurrenceKey`. */
  readonly reported: ReadonlyMap<string, ReportedStart>;
  /** When the next reminder or the next look is due. */
  readonly dueAtEpochSec: number;
}

/** The call for a page of the events that start between two moments, with occurrences of series as single events. */
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

/** The content of such a page, without cancelled or declined events. */
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
  // Zones lie between 14 hours ahead of and 12 hours behind UTC: the day begins at the first moment of its local date.
  let [before, after] = [midnightMs - 15 * HOUR_MS, midnightMs + 13 * HOUR_MS];
  while (after - before > 1_000) {
    const middle = Math.floor((before + after) / 2_000) * 1_000;
    if (format.format(middle) >= date) after = middle;
    else before = middle;
  }
  return after;
}

/** Formats dates as `2026-03-01` in a zone; creating one takes a millisecond. */
function dateFormat(zone: string): Intl.DateTimeFormat {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  try {
    return new Intl.DateTimeFormat('en-CA', { ...parts, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat('en-CA', { ...parts, timeZone: 'UTC' });
  }
}

/** Identifies an occurrence at its time; a moved one is another. */
export function occurrenceKey({ id, startMs }: Occurrence): string {
  return sha256Hex(`${id} ${startMs}`).slice(0, 16);
}

/** How far ahead a list has to look so that the next one may be a day away. */
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
 * The reminders to report now, and the plan afterwards. A new feed or reminder reports nothing that was due before it
 * existed; an event that is created or moved after its reminder's time is reported at once. Of several reminders of one occurrence
 * that are due together only the last is reported.
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
  const reported = new Map([...(known?.reported ?? [])].filter(([, { untilEpochSec }]) => untilEpochSec > nowEpochSec));
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
    const before = reported.get(key)?.minutes ?? [];
    const fresh = passed.filter((one) => !before.includes(one) && known?.minutes.includes(one) === true);
    reported.set(key, { untilEpochSec, minutes: passed });
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
  return { changes: due.map(({ change }) => change), plan: { minutes: [...minutes], reported, dueAtEpochSec } };
}

/** Reported occurrences in their stored form. */
export function reportedText(reported: StartsPlan['reported']): string {
  return [...reported]
    .map(([key, { untilEpochSec, minutes }]) => `${key}:${untilEpochSec}:${minutes.join('+')}`)
    .join(' ');
}

/** Reads `reportedText`. */
export function readReported(stored: string): StartsPlan['reported'] {
  const entries = stored.split(' ').flatMap((entry): [string, ReportedStart][] => {
    const [key = '', until = '', minutes = ''] = entry.split(':');
    return key === '' ? [] : [[key, { untilEpochSec: Number(until), minutes: minutes.split('+').map(Number) }]];
  });
  return new Map(entries);
}
