import { isRecord } from '../parse.ts';
import type { CalendarRecord, CalendarStore } from '../state/calendar.ts';
import { type EventResource, eventText, type JsonObject, recurrenceOf, type StoredEvent } from '../state/calendar.ts';
import { endOfOccurrence, type Occurrence, occurrenceOfStamp, occurrences, type Series } from './recurrence.ts';
import type { Work } from './work.ts';
import { daysBetween, type EventTime, momentOf, readEventTime, showMoment } from './zoned-time.ts';

/** An event's time as the API shows it. */
export function showTime(time: EventTime): JsonObject {
  return 'date' in time
    ? { date: time.date }
    : { dateTime: showMoment(time.ms, time.timeZone), timeZone: time.timeZone };
}

/** When an event starts or ends, in epoch milliseconds; whole days begin at midnight of the calendar's zone. */
export function eventMomentMs(event: EventResource, member: 'start' | 'end', calendarZone: string): number {
  const time = readEventTime(event[member], calendarZone);
  return time === undefined ? Number.NaN : momentOf(time, calendarZone);
}

/** True for an event that repeats. */
export function isSeries(event: EventResource): boolean {
  return recurrenceOf(event).length > 0;
}

const seriesOfEvents = new WeakMap<EventResource, Series>();

/** What an event repeats; `undefined` for one without a readable start. Kept with the event, and what is read of its lines with it. */
export function seriesOf(event: EventResource, calendarZone: string): Series | undefined {
  const known = seriesOfEvents.get(event);
  if (known?.calendarZone === calendarZone) return known;
  const start = readEventTime(event.start, calendarZone);
  if (start === undefined) return undefined;
  const series = { start, lines: recurrenceOf(event), calendarZone };
  seriesOfEvents.set(event, series);
  return series;
}

/** How long an event lasts: days for whole-day events, milliseconds for others. */
interface EventLength {
  ms: number;
  days: number;
}

function lengthOf(event: EventResource, calendarZone: string): EventLength {
  const { start, end } = event;
  const isWholeDay = isRecord(start) && typeof start.date === 'string' && isRecord(end) && typeof end.date === 'string';
  return {
    ms: eventMomentMs(event, 'end', calendarZone) - eventMomentMs(event, 'start', calendarZone),
    days: isWholeDay ? daysBetween(String(start.date), String(end.date)) : 0,
  };
}

/** The instance of a series at one occurrence, as long as nothing was changed about it. */
export function instanceOf(
  event: EventResource,
  occurrence: Occurrence,
  calendarZone: string,
  length = lengthOf(event, calendarZone),
): EventResource {
  const { recurrence: _recurrence, ...rest } = event;
  const id = `${eventText(event, 'id')}_${occurrence.stamp}`;
  const start = showTime(occurrence.start);
  return {
    ...rest,
    id,
    htmlLink: eventLink(id, calendarIdOf(event)),
    start,
    end: showTime(endOfOccurrence(occurrence, length.ms, length.days)),
    recurringEventId: eventText(event, 'id'),
    originalStartTime: start,
  };
}

const calendarIds = new WeakMap<EventResource, string>();

/** The calendar that an event's link leads into; kept, because a series asks it for each of its instances. */
function calendarIdOf(event: EventResource): string {
  const known = calendarIds.get(event);
  if (known !== undefined) return known;
  const eid = new URL(eventText(event, 'htmlLink')).searchParams.get('eid') ?? '';
  const calendarId = Buffer.from(eid, 'base64url').toString('utf8').split(' ')[1] ?? '';
  calendarIds.set(event, calendarId);
  return calendarId;
}

function eventLink(id: string, calendarId: string): string {
  return `https://www.google.com/calendar/event?eid=${Buffer.from(`${id} ${calendarId}`).toString('base64url')}`;
}

/** An instance of a series before anything is made of it: most of a long series are only counted. */
export interface InstanceSpan {
  startMs: number;
  endMs: number;
  /** The changed instance, or the series that an unchanged one is of. */
  event: EventResource;
  /** Of an unchanged instance. */
  occurrence: Occurrence | undefined;
}

/** What one request expands the series of a calendar with. */
export interface Expansion {
  zone: string;
  /** Changed and cancelled instances by the id of their series. */
  exceptions: ReadonlyMap<unknown, readonly StoredEvent[]>;
  work: Work;
}

/** Prepares to expand series of a calendar. */
export function expansionOf(store: CalendarStore, { id, timeZone }: CalendarRecord, work: Work): Expansion {
  // Grouped by hand: the oldest Node that `engines` allows has no groupBy of Map.
  const exceptions = new Map<unknown, StoredEvent[]>();
  for (const changed of store.events(id)) {
    const seriesId = changed.event.recurringEventId;
    if (seriesId === undefined) continue;
    const others = exceptions.get(seriesId);
    if (others === undefined) exceptions.set(seriesId, [changed]);
    else others.push(changed);
  }
  return { zone: timeZone, exceptions, work };
}

/** When the instances of a series are that overlap a time, exceptions in their places, cancelled ones as well. */
export function spansWithin(
  { zone, exceptions: all, work }: Expansion,
  event: EventResource,
  range: { fromMs: number; toMs: number },
): InstanceSpan[] {
  const series = seriesOf(event, zone);
  if (series === undefined) return [];
  const id = eventText(event, 'id');
  const exceptions = new Map(all.get(id)?.map((stored) => [eventText(stored.event, 'id'), stored.event]));
  const length = lengthOf(event, zone);
  const spans: InstanceSpan[] = [];
  const found = occurrences(series, range.fromMs - length.ms, range.toMs, work);
  // The whole request is refused: nothing of it is shown.
  if (work.isCut) return [];
  for (const occurrence of found) {
    if (exceptions.size > 0 && exceptions.has(`${id}_${occurrence.stamp}`)) continue;
    const { startMs } = occurrence;
    const isTimed = !('date' in series.start);
    const endMs = isTimed ? startMs + length.ms : momentOf(endOfOccurrence(occurrence, length.ms, length.days), zone);
    spans.push({ startMs, endMs, event, occurrence });
  }
  for (const exception of exceptions.values()) {
    const [startMs, endMs] = [eventMomentMs(exception, 'start', zone), eventMomentMs(exception, 'end', zone)];
    spans.push({ startMs, endMs, event: exception, occurrence: undefined });
  }
  return (
    spans
      // An event without length that stands on the border counts as inside, as its start does.
      .filter(
        ({ startMs, endMs }) =>
          startMs < range.toMs && (endMs > range.fromMs || (endMs === startMs && endMs >= range.fromMs)),
      )
      .sort((a, b) => a.startMs - b.startMs)
  );
}

/** What a list has found: a long series has thousands of instances, of which a page shows a few. */
export interface Found {
  id: string;
  startMs: number;
  /** The event itself, or the series of an unchanged instance, which has all that filters look at. */
  event: EventResource;
  /** The resource that a page shows. */
  make(): EventResource;
}

/** An event as a list finds it. */
export function foundEvent(event: EventResource, calendarZone: string): Found {
  return {
    id: eventText(event, 'id'),
    startMs: eventMomentMs(event, 'start', calendarZone),
    event,
    make: () => event,
  };
}

/** An occurrence of a series as a list finds it, as long as nothing was changed about it. */
export function foundOccurrence(
  event: EventResource,
  occurrence: Occurrence,
  zone: string,
  length: EventLength = lengthOf(event, zone),
): Found {
  return {
    id: `${eventText(event, 'id')}_${occurrence.stamp}`,
    startMs: occurrence.startMs,
    event,
    make: () => instanceOf(event, occurrence, zone, length),
  };
}

/** The instances of a series that overlap a time, exceptions in their places; all of a cancelled series are cancelled. */
export function foundWithin(
  expansion: Expansion,
  event: EventResource,
  range: { fromMs: number; toMs: number },
): Found[] {
  const { zone } = expansion;
  const length = lengthOf(event, zone);
  return spansWithin(expansion, event, range).map(({ event: one, occurrence }) => {
    if (occurrence !== undefined) return foundOccurrence(event, occurrence, zone, length);
    return foundEvent(event.status === 'cancelled' ? { ...one, status: 'cancelled' } : one, zone);
  });
}

/** Changed and cancelled instances of a series. */
export function exceptionsOf(store: CalendarStore, calendarId: string, seriesId: string): StoredEvent[] {
  return store.events(calendarId).filter(({ event }) => event.recurringEventId === seriesId);
}

/** An event found by its id: stored as such, or an unchanged instance of a series. */
export interface FoundEvent {
  event: EventResource;
  /** `undefined` for an unchanged instance, which becomes an exception when written. */
  stored: StoredEvent | undefined;
}

/** Finds an event or instance of a calendar by id. */
export function findEvent(
  store: CalendarStore,
  calendarId: string,
  eventId: string,
  calendarZone: string,
): FoundEvent | undefined {
  const stored = store.findEvent(calendarId, eventId);
  if (stored !== undefined) return { event: stored.event, stored };
  const cut = eventId.lastIndexOf('_');
  const base = cut < 0 ? undefined : store.findEvent(calendarId, eventId.slice(0, cut))?.event;
  if (base === undefined || !isSeries(base)) return undefined;
  const series = seriesOf(base, calendarZone);
  const occurrence = series === undefined ? undefined : occurrenceOfStamp(series, eventId.slice(cut + 1));
  return occurrence === undefined
    ? undefined
    : { event: instanceOf(base, occurrence, calendarZone), stored: undefined };
}
