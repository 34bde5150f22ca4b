import { type ApiCall, type ApiResult, integerParameter, pathParameter } from '../api/call.ts';
import { invalidParameter, notFound } from '../api/envelope.ts';
import { decodePageToken, encodePageToken, takePage } from '../api/page-token.ts';
import { sha256Hex } from '../random.ts';
import { ifNoneMatch } from './conditional.ts';
import type { CalendarEntry } from './records.ts';
import { encodeSyncToken, readSyncToken } from './sync-token.ts';
import { callersCalendars } from './visibility.ts';

/** Google never returns more entries per page, whatever is asked. */
const MAX_PAGE = 250;

function describeEntry(entry: CalendarEntry): Record<string, unknown> {
  return {
    kind: 'calendar#calendarListEntry',
    etag: `"${sha256Hex(JSON.stringify(entry)).slice(0, 16)}"`,
    id: entry.id,
    summary: entry.summary,
    ...(entry.description === '' ? {} : { description: entry.description }),
    timeZone: entry.timeZone,
    colorId: entry.colorId,
    backgroundColor: entry.backgroundColor,
    foregroundColor: '#000000',
    selected: true,
    accessRole: entry.accessRole,
    defaultReminders: entry.primary ? [{ method: 'popup', minutes: 30 }] : [],
    ...(entry.primary ? { primary: true } : {}),
    conferenceProperties: { allowedConferenceSolutionTypes: ['hangoutsMeet'] },
  };
}

const ROLES = ['freeBusyReader', 'reader', 'writer', 'owner'];

/** `calendarList.list`: pages of 100 unless `maxResults` says otherwise; the list itself never changes. */
export function listCalendars(call: ApiCall): ApiResult {
  const { sub } = call.caller.account;
  const collection = `calendarList ${sub}`;
  const nowMs = call.sim.clock.nowMs();
  const syncToken = call.query.get('syncToken');
  if (syncToken !== null) readSyncToken(syncToken, collection, 0, nowMs);
  const minimum = ROLES.indexOf(call.query.get('minAccessRole') ?? 'freeBusyReader');
  const entries = callersCalendars(call)
    .calendars()
    .filter((entry) => syncToken === null && ROLES.indexOf(entry.accessRole) >= minimum);
  const fingerprint = `${collection} ${minimum} ${syncToken}`;
  const token = call.query.get('pageToken');
  const offset = token === null ? 0 : decodePageToken(token, fingerprint);
  if (offset === undefined) throw invalidParameter('pageToken', 'Invalid page token value.');
  const { page, next } = takePage(entries, offset, Math.min(MAX_PAGE, integerParameter(call, 'maxResults', 100)));
  const resource = {
    kind: 'calendar#calendarList',
    etag: `"p${sha256Hex(collection).slice(0, 20)}"`,
    ...(next === undefined
      ? { nextSyncToken: encodeSyncToken({ collection, seq: 0, issuedAtMs: nowMs }) }
      : { nextPageToken: encodePageToken(next, fingerprint) }),
    items: page.map(describeEntry),
  };
  return ifNoneMatch(call, resource);
}

/** `calendarList.get`. */
export function getCalendarEntry(call: ApiCall): ApiResult {
  const entry = callersCalendars(call).findCalendar(pathParameter(call, 'calendarId'));
  if (entry === undefined) throw notFound('Not Found');
  return ifNoneMatch(call, describeEntry(entry));
}

/** `calendars.get`: the calendar without the user's own settings for it. */
export function getCalendar(call: ApiCall): ApiResult {
  const entry = callersCalendars(call).findCalendar(pathParameter(call, 'calendarId'));
  if (entry === undefined) throw notFound('Not Found');
  const { id, summary, description, timeZone } = entry;
  const etag = `"${sha256Hex(JSON.stringify(entry)).slice(0, 16)}"`;
  const about = description === '' ? {} : { description };
  return ifNoneMatch(call, { kind: 'calendar#calendar', etag, id, summary, ...about, timeZone });
}
