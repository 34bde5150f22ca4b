import { randomBytes } from 'node:crypto';
import { ACCOUNTS } from '../accounts.ts';
import { type ApiCall, type ApiResult, jsonBody } from '../api/call.ts';
import { API_HEADERS, ApiError, badRequest } from '../api/envelope.ts';
import { emptyResponse } from '../http/exchange.ts';
import { isRecord } from '../parse.ts';
import type { CalendarRecord, JsonObject } from '../state/calendar.ts';
import { projectOf } from '../state/store.ts';
import { dataOwnerOf, notifyWatchers, requireCalendar } from './access.ts';
import { newEntry } from './calendar-list.ts';
import { ifNoneMatch, requireIfMatch } from './conditional.ts';
import { CONFERENCE_PROPERTIES, etagOf } from './dataset.ts';
import { checkSizes } from './size-limits.ts';
import { isTimeZone } from './zoned-time.ts';

function describe(calendar: CalendarRecord): JsonObject {
  const { id, summary, timeZone, more, updatedMs } = calendar;
  return {
    kind: 'calendar#calendar',
    etag: etagOf(updatedMs),
    id,
    summary,
    timeZone,
    ...more,
    ...dataOwnerOf(calendar),
  };
}

/** Members that a client may set, checked; `null` stands for a member to be taken away. */
function readMembers(body: JsonObject): { summary?: string; timeZone?: string; more: JsonObject } {
  const more: JsonObject = {};
  for (const name of ['description', 'location']) {
    const value = body[name];
    if (value === undefined) continue;
    if (value !== null && typeof value !== 'string') throw badRequest(`Invalid value for: ${name}`);
    more[name] = value;
  }
  for (const name of ['conferenceProperties', 'labelProperties']) {
    const value = body[name];
    if (value === undefined) continue;
    if (value !== null && !isRecord(value)) throw badRequest(`Invalid value for: ${name}`);
    more[name] = value;
  }
  checkSizes(body);
  const { summary, timeZone } = body;
  if (timeZone !== undefined && timeZone !== null && !(typeof timeZone === 'string' && isTimeZone(timeZone))) {
    throw new ApiError({ code: 400, reason: 'invalid', message: 'Invalid time zone.' });
  }
  return {
    ...(typeof summary === 'string' ? { summary } : {}),
    ...(typeof timeZone === 'string' ? { timeZone } : {}),
    more,
  };
}

function withoutNulls(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

function requireTitle(body: JsonObject): string {
  const { summary } = body;
  if (typeof summary === 'string' && summary.trim() !== '') return summary;
  throw new ApiError({ code: 400, reason: 'required', message: 'Missing title.' });
}

/** `calendars.get`: the calendar without the user's own settings for it. */
export function getCalendar(call: ApiCall): ApiResult {
  return ifNoneMatch(call, describe(requireCalendar(call, 'freeBusyReader').calendar));
}

/** `calendars.insert`: a secondary calendar of the caller, put into the caller's list. */
export function insertCalendar(call: ApiCall): ApiResult {
  const body = jsonBody(call.http);
  const summary = requireTitle(body);
  const { account, token } = call.caller;
  const { timeZone = account.timeZone, more } = readMembers(body);
  const updatedMs = call.sim.clock.nowMs();
  const id = `c_${randomBytes(32).toString('hex')}@group.calendar.google.com`;
  const store = call.sim.calendar;
  store.putCalendar({
    ...{ id, summary, timeZone, updatedMs, deleted: false, isPrimary: false, ownerSub: account.sub },
    project: projectOf(token.clientId),
    more: withoutNulls({ conferenceProperties: CONFERENCE_PROPERTIES, ...more }),
  });
  store.putRule({ calendarId: id, role: 'owner', scopeType: 'user', scopeValue: account.email, updatedMs });
  store.putEntry(newEntry(call, id, {}));
  call.sim.channels.notify(account.sub, 'calendar/calendarList', 'exists');
  const { calendar } = requireCalendar(call, 'owner', id);
  return { resource: describe(calendar), headers: [['ETag', etagOf(updatedMs)]] };
}

function change(call: ApiCall, calendar: CalendarRecord, changed: Partial<CalendarRecord>): ApiResult {
  requireIfMatch(call, etagOf(calendar.updatedMs));
  const updatedMs = Math.max(call.sim.clock.nowMs(), calendar.updatedMs + 1);
  call.sim.calendar.putCalendar({ ...calendar, ...changed, updatedMs });
  return { resource: describe({ ...calendar, ...changed, updatedMs }), headers: [['ETag', etagOf(updatedMs)]] };
}

/** `calendars.patch`: only the members sent change. */
export function patchCalendar(call: ApiCall): ApiResult {
  const { calendar } = requireCalendar(call, 'owner');
  const body = jsonBody(call.http);
  if ('summary' in body) requireTitle(body);
  const { more, ...rest } = readMembers(body);
  return change(call, calendar, { ...rest, more: withoutNulls({ ...calendar.more, ...more }) });
}

/** `calendars.update`: the calendar becomes what was sent; labels that were not sent stay. */
export function updateCalendar(call: ApiCall): ApiResult {
  const { calendar } = requireCalendar(call, 'owner');
  const body = jsonBody(call.http);
  const summary = requireTitle(body);
  const { more, timeZone = calendar.timeZone } = readMembers(body);
  const { labelProperties = null } = calendar.more;
  const kept = { conferenceProperties: CONFERENCE_PROPERTIES, labelProperties };
  return change(call, calendar, { summary, timeZone, more: withoutNulls({ ...kept, ...more }) });
}

/** `calendars.delete`: a secondary calendar goes for everybody, with its events. */
export function deleteCalendar(call: ApiCall): ApiResult {
  const { calendar } = requireCalendar(call, 'owner');
  if (calendar.isPrimary) {
    const message = 'Cannot delete the primary calendar.';
    throw new ApiError({ code: 403, reason: 'cannotDeletePrimaryCalendar', message, domain: 'calendar' });
  }
  const store = call.sim.calendar;
  for (const account of ACCOUNTS) {
    const entry = store.entries(account.sub).find(({ calendarId }) => calendarId === calendar.id);
    if (entry === undefined || entry.deleted) continue;
    store.putEntry({ ...entry, deleted: true, updatedMs: call.sim.clock.nowMs() });
    call.sim.channels.notify(account.sub, 'calendar/calendarList', 'exists');
  }
  store.putCalendar({ ...calendar, deleted: true, updatedMs: call.sim.clock.nowMs() });
  return { response: emptyResponse(204, API_HEADERS) };
}

/** `calendars.clear`: every event of the primary calendar is deleted. */
export function clearCalendar(call: ApiCall): ApiResult {
  const { calendar } = requireCalendar(call, 'owner');
  if (!calendar.isPrimary) throw badRequest('Only a primary calendar can be cleared.');
  const store = call.sim.calendar;
  const nowMs = call.sim.clock.nowMs();
  for (const { event } of store.events(calendar.id)) {
    if (event.status === 'cancelled') continue;
    const updated = new Date(nowMs).toISOString();
    store.putEvent(calendar.id, { ...event, status: 'cancelled', etag: etagOf(nowMs), updated });
  }
  notifyWatchers(call, calendar.id, 'events');
  return { response: emptyResponse(204, API_HEADERS) };
}
