import { type ApiCall, type ApiResult, booleanParameter, pathParameter } from '../api/call.ts';
import { ApiError, badRequest, notFound } from '../api/envelope.ts';
import { refusal } from '../api/refusals.ts';
import type { CalendarStore } from '../state/calendar.ts';
import { type EventResource, eventText, includesRole, recurrenceOf, type StoredEvent } from '../state/calendar.ts';
import { type Reached, requireCalendar } from './access.ts';
import { defaultRemindersOf } from './calendar-list.ts';
import { ifNoneMatch } from './conditional.ts';
import { passesFilters, sortEvents } from './event-filter.ts';
import { type EventView, showCancelled, showEvent, viewOf } from './event-view.ts';
import { pageOf } from './paging.ts';
import { occurrences } from './recurrence.ts';
import {
  type Expansion,
  eventMomentMs,
  expansionOf,
  type Found,
  findEvent,
  foundEvent,
  foundOccurrence,
  foundWithin,
  isSeries,
  seriesOf,
  spansWithin,
} from './series.ts';
import { checkSyncToken } from './sync-rules.ts';
import { type SyncPoint, syncPointOf } from './sync-token.ts';
import { Work } from './work.ts';

const PAGE = { usual: 250, most: 2_500 };

/** How far back `updatedMin` may reach. */
const UPDATED_MIN_DAYS = 28;

function checkCombination(call: ApiCall): void {
  const { query } = call;
  checkSyncToken(call);
  if (query.get('orderBy') === 'startTime' && query.get('singleEvents') !== 'true') {
    throw refusal('orderingNotAvailable');
  }
  checkRange(query);
  for (const name of ['privateExtendedProperty', 'sharedExtendedProperty']) {
    const wrong = query.getAll(name).find((constraint) => constraint.indexOf('=') < 1);
    if (wrong !== undefined) throw badRequest(`Invalid value for: ${name}`);
  }
  const updatedMin = query.get('updatedMin');
  if (updatedMin !== null && call.sim.clock.nowMs() - Date.parse(updatedMin) > UPDATED_MIN_DAYS * 86_400_000) {
    throw new ApiError({
      code: 410,
      reason: 'updatedMinTooLongAgo',
      domain: 'calendar',
      message: 'The requested minimum modification time lies too far in the past.',
      location: 'updatedMin',
    });
  }
}

function checkRange(query: URLSearchParams): void {
  const timeMin = query.get('timeMin');
  const timeMax = query.get('timeMax');
  if (timeMin === null || timeMax === null || Date.parse(timeMin) < Date.parse(timeMax)) return;
  throw refusal('timeRangeEmpty');
}

interface Range {
  fromMs: number;
  toMs: number;
}

/** The time asked for; fractions of seconds do not count. */
function rangeOf(timeMin: string | null, timeMax: string | null): Range {
  const seconds = (value: string) => Math.floor(Date.parse(value) / 1000) * 1000;
  return {
    fromMs: timeMin === null ? Number.NEGATIVE_INFINITY : seconds(timeMin),
    toMs: timeMax === null ? Number.POSITIVE_INFINITY : seconds(timeMax),
  };
}

function isWithin(event: EventResource, zone: string, { fromMs, toMs }: Range): boolean {
  return eventMomentMs(event, 'end', zone) > fromMs && eventMomentMs(event, 'start', zone) < toMs;
}

/** What one listing goes through: the stored events of a calendar, and the time that is asked for. */
interface Listing {
  store: CalendarStore;
  calendarId: string;
  zone: string;
  range: Range;
  query: URLSearchParams;
  singleEvents: boolean;
  point: SyncPoint | undefined;
  /** Stored events that are new to the client. */
  changed: readonly StoredEvent[];
  expansion: Expansion;
}

/** What a series was before it changed, as far as the client knew it. */
function formerOf({ former = [] }: StoredEvent, point: SyncPoint | undefined): NonNullable<StoredEvent['former']> {
  return former.filter(({ seq }) => point !== undefined && seq > point.seq);
}

/** Recurrence lines that a list reads. */
function linesOf(changed: readonly StoredEvent[], point: SyncPoint | undefined): number {
  return changed
    .flatMap((stored) => [recurrenceOf(stored.event), ...formerOf(stored, point).map(({ recurrence }) => recurrence)])
    .reduce((sum, lines) => sum + lines.length, 0);
}

/** Instances that a series had before its rule changed, and no longer has: cancelled, for anyone who knew them. */
function formerInstances(listing: Listing, stored: StoredEvent, current: readonly Found[]): Found[] {
  const { point, zone, range, expansion } = listing;
  const known = formerOf(stored, point);
  if (known.length === 0) return [];
  const ids = new Set(current.map(({ id }) => id));
  return known.flatMap((former) => {
    if (expansion.work.isCut) return [];
    const before = { ...stored.event, start: former.start, recurrence: former.recurrence, status: 'cancelled' };
    const series = seriesOf(before, zone);
    return (series === undefined ? [] : occurrences(series, range.fromMs, range.toMs, expansion.work))
      .map((occurrence) => foundOccurrence(before, occurrence, zone))
      .filter(({ id }) => {
        const isNew = !ids.has(id);
        ids.add(id);
        return isNew;
      });
  });
}

/** The events and instances of a stored event that belong into a listing of single events. */
function singles(listing: Listing, stored: StoredEvent): Found[] {
  const { event } = stored;
  const { store, calendarId, zone, range, point, expansion } = listing;
  if (!isSeries(event)) {
    // Exceptions come with their series, unless the series itself is not new to the client.
    const series =
      typeof event.recurringEventId === 'string' ? store.findEvent(calendarId, event.recurringEventId) : undefined;
    const comesWithSeries =
      series !== undefined && isSeries(series.event) && (point === undefined || series.seq > point.seq);
    return comesWithSeries || !isWithin(event, zone, range) ? [] : [foundEvent(event, zone)];
  }
  const current = foundWithin(expansion, event, range);
  return [...current, ...formerInstances(listing, stored, current)];
}

/** A stored event as it belongs into a listing that leaves series whole. */
function unexpanded(listing: Listing, { event }: StoredEvent): Found[] {
  const { zone, range, expansion } = listing;
  const whole = [foundEvent(event, zone)];
  if (!isSeries(event)) return isWithin(event, zone, range) ? whole : [];
  if (!Number.isFinite(range.fromMs) && !Number.isFinite(range.toMs)) return whole;
  return spansWithin(expansion, event, range).length > 0 ? whole : [];
}

/** True when a cancelled event is still listed. */
function showsCancelled(listing: Listing, event: EventResource): boolean {
  const { query, singleEvents, point, store, calendarId } = listing;
  if (query.get('showDeleted') === 'true') return true;
  if (point !== undefined || query.has('updatedMin')) return true;
  const series =
    typeof event.recurringEventId === 'string' ? store.findEvent(calendarId, event.recurringEventId) : undefined;
  // Clients that expand series themselves need to know which instances are cancelled.
  return !singleEvents && series !== undefined && series.event.status !== 'cancelled';
}

function itemsOf(listing: Listing, view: EventView): Found[] {
  const { changed, query, singleEvents } = listing;
  const isListed = (event: EventResource) => event.status !== 'cancelled' || showsCancelled(listing, event);
  const passing = new Map<EventResource, boolean>();
  // Asked once for all the instances of a series.
  const passes = (event: EventResource) => {
    // What a role may not see must not be found by it either.
    const isPassing =
      passing.get(event) ??
      (isListed(event) && passesFilters(includesRole(view.role, 'reader') ? event : showEvent(event, view), query));
    passing.set(event, isPassing);
    return isPassing;
  };
  const expanded = changed
    // First, so that no deleted series is expanded in vain: a list would take longer with each of them.
    .filter(({ event }) => isListed(event))
    .flatMap((stored) => (singleEvents ? singles(listing, stored) : unexpanded(listing, stored)));
  if (listing.expansion.work.isCut) throw refusal('timeRangeTooLong');
  const found = expanded.filter(({ event }) => passes(event));
  return sortEvents(found, query.get('orderBy'));
}

/** Events of a page as the caller sees them. */
function shown(listing: Listing, found: readonly Found[], view: EventView): EventResource[] {
  const isBrief = listing.query.get('showDeleted') !== 'true';
  return found.map(({ make }) => {
    const event = make();
    return event.status === 'cancelled' && isBrief ? showCancelled(event, view) : showEvent(event, view);
  });
}

function collectionResource(call: ApiCall, { calendar, role }: Reached, view: EventView) {
  const { description } = calendar.more;
  return {
    kind: 'calendar#events',
    summary: calendar.summary,
    description: typeof description === 'string' ? description : '',
    updated: new Date(Math.max(calendar.updatedMs, call.sim.clock.nowMs())).toISOString(),
    timeZone: view.timeZone,
    accessRole: role,
    defaultReminders: defaultRemindersOf(call, calendar.id),
  };
}

/** `events.list`: filters, order, pages of 250 unless `maxResults` says otherwise, incremental sync. */
export function listEvents(call: ApiCall): ApiResult {
  checkCombination(call);
  const reached = requireCalendar(call, 'freeBusyReader');
  const { calendar } = reached;
  const { query } = call;
  const view = viewOf(call, reached);
  const singleEvents = booleanParameter(call, 'singleEvents', false);
  const collection = `events ${call.caller.account.sub} ${calendar.id} ${singleEvents}`;
  const point = syncPointOf(call, collection);
  const timeMin = point?.window.timeMin ?? query.get('timeMin');
  const timeMax = point?.window.timeMax ?? query.get('timeMax');
  const window = { ...(timeMin === null ? {} : { timeMin }), ...(timeMax === null ? {} : { timeMax }) };
  const range = rangeOf(timeMin, timeMax);
  const zone = calendar.timeZone;
  const store = call.sim.calendar;
  const changed = store
    .events(calendar.id)
    .filter(({ seq }) => point === undefined || seq > point.seq)
    // Instances then come nearly in the order of their ids.
    .sort((a, b) => (eventText(a.event, 'id') < eventText(b.event, 'id') ? -1 : 1));
  const work = new Work(linesOf(changed, point));
  const expansion = expansionOf(store, calendar, work);
  const listing = { store, calendarId: calendar.id, zone, range, query, singleEvents, point, changed, expansion };
  const found = itemsOf(listing, view);
  const page = pageOf(call, found, collection, PAGE, window);
  const items = shown(listing, page.items, view);
  return ifNoneMatch(call, { ...collectionResource(call, reached, view), ...page.members, items });
}

/** The event or instance that the path names. */
function requireEvent(call: ApiCall, { calendar }: Reached): EventResource {
  const found = findEvent(call.sim.calendar, calendar.id, pathParameter(call, 'eventId'), calendar.timeZone);
  if (found === undefined) throw notFound('Not Found');
  return found.event;
}

/** `events.get`; a deleted event is still shown, as `cancelled`. */
export function getEvent(call: ApiCall): ApiResult {
  const reached = requireCalendar(call, 'freeBusyReader');
  return ifNoneMatch(call, showEvent(requireEvent(call, reached), viewOf(call, reached)));
}

/**
 * `events.instances`: the instances of a series, changed ones in their places.
 * @throws {ApiError} 400 for an event that does not repeat
 */
export function listInstances(call: ApiCall): ApiResult {
  checkRange(call.query);
  const reached = requireCalendar(call, 'freeBusyReader');
  const { calendar } = reached;
  const event = requireEvent(call, reached);
  if (!isSeries(event)) throw badRequest('The event is not a recurring event.');
  const view = viewOf(call, reached);
  const { query } = call;
  const range = rangeOf(query.get('timeMin'), query.get('timeMax'));
  const originalStart = query.get('originalStart');
  const withDeleted = booleanParameter(call, 'showDeleted', false);
  const work = new Work(recurrenceOf(event).length);
  const items = foundWithin(expansionOf(call.sim.calendar, calendar, work), event, range)
    .filter((instance) => withDeleted || instance.event.status !== 'cancelled')
    .filter(({ make }) => originalStart === null || isOriginalStart(make(), originalStart, calendar.timeZone));
  if (work.isCut) throw refusal('timeRangeTooLong');
  const page = pageOf(call, items, `instances ${calendar.id} ${eventText(event, 'id')}`, PAGE);
  const shownItems = page.items.map(({ make }) => showEvent(make(), view));
  return ifNoneMatch(call, { ...collectionResource(call, reached, view), ...page.members, items: shownItems });
}

function isOriginalStart(instance: EventResource, wanted: string, zone: string): boolean {
  const original = { start: instance.originalStartTime };
  const date = /^\d{4}-\d{2}-\d{2}$/.test(wanted) ? { start: { date: wanted } } : { start: { dateTime: wanted } };
  return eventMomentMs(original, 'start', zone) === eventMomentMs(date, 'start', zone);
}
