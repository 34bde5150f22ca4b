import { type ApiCall, type ApiResult, integerParameter, pathParameter } from '../api/call.ts';
import { ApiError, badRequest, invalidParameter, notFound } from '../api/envelope.ts';
import { decodePageToken, encodePageToken, takePage } from '../api/page-token.ts';
import { sha256Hex } from '../random.ts';
import { ifNoneMatch } from './conditional.ts';
import { filterEvents, sortEvents } from './event-filter.ts';
import type { CalendarEntry } from './records.ts';
import { encodeSyncToken, readSyncToken } from './sync-token.ts';
import { callersCalendars, requireEventsCalendar } from './visibility.ts';

/** Google never returns more events per page, whatever is asked. */
const MAX_PAGE = 2_500;

/** How far back `updatedMin` may reach. */
const UPDATED_MIN_DAYS = 28;

const NOT_WITH_SYNC_TOKEN = [
  ...['iCalUID', 'orderBy', 'privateExtendedProperty', 'q', 'sharedExtendedProperty'],
  ...['timeMin', 'timeMax', 'updatedMin'],
];

function checkCombination(call: ApiCall): void {
  const { query } = call;
  const clash = query.has('syncToken') ? NOT_WITH_SYNC_TOKEN.find((name) => query.has(name)) : undefined;
  if (clash !== undefined) throw badRequest(`Sync token cannot be used with the parameter ${clash}.`);
  if (query.get('orderBy') === 'startTime' && query.get('singleEvents') !== 'true') {
    throw badRequest('The requested ordering is not available for the particular query.');
  }
  const timeMin = query.get('timeMin');
  const timeMax = query.get('timeMax');
  if (timeMin !== null && timeMax !== null && Date.parse(timeMin) >= Date.parse(timeMax)) {
    throw new ApiError({
      code: 400,
      reason: 'timeRangeEmpty',
      domain: 'calendar',
      message: 'The specified time range is empty.',
      location: 'timeMax',
    });
  }
  const updatedMin = query.get('updatedMin');
  if (updatedMin !== null && call.sim.clock.nowMs() - Date.parse(updatedMin) > UPDATED_MIN_DAYS * 86_400_000) {
    const message = 'The requested minimum modification time lies too far in the past.';
    throw new ApiError({
      code: 410,
      reason: 'updatedMinTooLongAgo',
      domain: 'calendar',
      message,
      location: 'updatedMin',
    });
  }
}

function findEvents(call: ApiCall, calendar: CalendarEntry, collection: string) {
  const calendars = callersCalendars(call);
  const stored = calendars.events(calendar.id);
  const syncToken = call.query.get('syncToken');
  if (syncToken === null) {
    const events = stored.map(({ event }) => event);
    return sortEvents(filterEvents(events, call.query), call.query.get('orderBy'));
  }
  const since = readSyncToken(syncToken, collection, calendars.latestChange(), call.sim.clock.nowMs());
  return stored.filter(({ seq }) => seq > since).map(({ event }) => event);
}

/** `events.list`: filters, order, pages of 250 unless `maxResults` says otherwise, incremental sync. */
export function listEvents(call: ApiCall): ApiResult {
  checkCombination(call);
  const calendar = requireEventsCalendar(call);
  const collection = `events ${call.caller.account.sub} ${calendar.id}`;
  const events = findEvents(call, calendar, collection);
  const filters = [...call.query].filter(
    ([name]) => !['pageToken', 'maxResults', 'fields', 'access_token'].includes(name),
  );
  const fingerprint = `${collection} ${JSON.stringify(filters)}`;
  const token = call.query.get('pageToken');
  const offset = token === null ? 0 : decodePageToken(token, fingerprint);
  if (offset === undefined) throw invalidParameter('pageToken', 'Invalid page token value.');
  const size = Math.min(MAX_PAGE, integerParameter(call, 'maxResults', 250));
  const { page, next } = takePage(events, offset, size);
  const seq = callersCalendars(call).latestChange();
  const resource = {
    kind: 'calendar#events',
    etag: `"p${sha256Hex(`${fingerprint} ${seq} ${offset}`).slice(0, 20)}"`,
    summary: calendar.summary,
    description: calendar.description,
    updated: new Date(call.sim.clock.nowMs()).toISOString(),
    timeZone: call.query.get('timeZone') ?? calendar.timeZone,
    accessRole: calendar.accessRole,
    defaultReminders: calendar.primary ? [{ method: 'popup', minutes: 30 }] : [],
    ...(next === undefined
      ? { nextSyncToken: encodeSyncToken({ collection, seq, issuedAtMs: call.sim.clock.nowMs() }) }
      : { nextPageToken: encodePageToken(next, fingerprint) }),
    items: page,
  };
  return ifNoneMatch(call, resource);
}

/** `events.get`; a deleted event is still shown, as `cancelled`. */
export function getEvent(call: ApiCall): ApiResult {
  const calendar = requireEventsCalendar(call);
  const stored = callersCalendars(call).findEvent(calendar.id, pathParameter(call, 'eventId'));
  if (stored === undefined) throw notFound('Not Found');
  return ifNoneMatch(call, stored.event);
}
