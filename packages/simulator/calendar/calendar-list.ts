import { ACCOUNTS } from '../accounts.ts';
import { type ApiCall, type ApiResult, booleanParameter, jsonBody } from '../api/call.ts';
import { API_HEADERS, ApiError, badRequest, notFound } from '../api/envelope.ts';
import { emptyResponse } from '../http/exchange.ts';
import { isRecord } from '../parse.ts';
import { type EntryRecord, includesRole, type JsonObject, ROLES, type Role } from '../state/calendar.ts';
import { dataOwnerOf, type Reached, reachCalendar, requireCalendar, roleOf } from './access.ts';
import { calendarColors, nearestCalendarColor } from './colors.ts';
import { ifNoneMatch, requireIfMatch } from './conditional.ts';
import { etagOf } from './dataset.ts';
import { pageOf } from './paging.ts';
import { checkSizes } from './size-limits.ts';
import { checkSyncToken } from './sync-rules.ts';
import { syncPointOf } from './sync-token.ts';

const PAGE = { usual: 100, most: 250 };

/** Members of an entry that belong to the user, all others being the calendar's. */
const OWN_MEMBERS = ['summaryOverride', 'hidden', 'selected', 'defaultReminders', 'notificationSettings'];

function describeEntry(entry: EntryRecord, { calendar, role }: Reached): JsonObject {
  const { summary, timeZone, more } = calendar;
  const { labelProperties: _labels, ...shown } = more;
  const { hidden, ...own } = entry.own;
  return {
    kind: 'calendar#calendarListEntry',
    etag: etagOf(Math.max(entry.updatedMs, calendar.updatedMs)),
    id: calendar.id,
    summary,
    timeZone,
    ...shown,
    ...own,
    ...(hidden === true ? { hidden: true } : {}),
    accessRole: role,
    ...(calendar.isPrimary && role === 'owner' ? { primary: true } : {}),
    ...dataOwnerOf(calendar),
  };
}

/** An entry that is gone: its id and that it is. */
function describeDeleted(entry: EntryRecord): JsonObject {
  return {
    kind: 'calendar#calendarListEntry',
    etag: etagOf(entry.updatedMs),
    id: entry.calendarId,
    deleted: true,
  };
}

function minimumRole(call: ApiCall): Role {
  const wanted = call.query.get('minAccessRole');
  return ROLES.find((role) => role === wanted) ?? 'freeBusyReader';
}

function isOfOrganization(call: ApiCall, { calendar }: Reached): boolean {
  const owner = ACCOUNTS.find(({ sub }) => sub === calendar.ownerSub);
  const { hostedDomain } = call.caller.account;
  return hostedDomain === undefined || owner?.hostedDomain === hostedDomain;
}

/** `calendarList.list`: the caller's list; entries that are gone and hidden ones when asked for or at a sync. */
export function listCalendars(call: ApiCall): ApiResult {
  checkSyncToken(call);
  const { sub } = call.caller.account;
  const collection = `calendarList ${sub}`;
  const point = syncPointOf(call, collection);
  const isSync = point !== undefined;
  const withDeleted = isSync || booleanParameter(call, 'showDeleted', false);
  const withHidden = isSync || booleanParameter(call, 'showHidden', false);
  const onlyOrganization = booleanParameter(call, 'showOwnOrganizationOnly', false);
  const minimum = minimumRole(call);
  const items = call.sim.calendar.entries(sub).flatMap((entry) => {
    if (point !== undefined && entry.seq <= point.seq) return [];
    const reached = entry.deleted ? undefined : reachCalendar(call, entry.calendarId);
    if (reached === undefined) return withDeleted && entry.deleted ? [describeDeleted(entry)] : [];
    const isWanted =
      includesRole(reached.role, minimum) &&
      (withHidden || entry.own.hidden !== true) &&
      (!onlyOrganization || isOfOrganization(call, reached));
    return isWanted ? [describeEntry(entry, reached)] : [];
  });
  const page = pageOf(call, items, collection, PAGE);
  return ifNoneMatch(call, { kind: 'calendar#calendarList', ...page.members, items: page.items });
}

/** The caller's entry of the path's calendar. */
function requireEntry(call: ApiCall): { entry: EntryRecord; reached: Reached } {
  const reached = requireCalendar(call, 'freeBusyReader');
  const entry = call.sim.calendar
    .entries(call.caller.account.sub)
    .find(({ calendarId, deleted }) => calendarId === reached.calendar.id && !deleted);
  if (entry === undefined) throw notFound('Not Found');
  return { entry, reached };
}

/** `calendarList.get`. */
export function getCalendarEntry(call: ApiCall): ApiResult {
  const { entry, reached } = requireEntry(call);
  return ifNoneMatch(call, describeEntry(entry, reached));
}

const REMINDER_MINUTES_MAX = 40_320;

function checkReminders(value: unknown): void {
  const isList =
    Array.isArray(value) &&
    value.every(
      (entry: unknown) =>
        isRecord(entry) &&
        (entry.method === 'email' || entry.method === 'popup') &&
        typeof entry.minutes === 'number' &&
        entry.minutes >= 0 &&
        entry.minutes <= REMINDER_MINUTES_MAX,
    );
  if (!isList) throw badRequest('Invalid value for: defaultReminders');
}

const RGB = /^#[0-9a-f]{6}$/i;

/** The colors that a body asks for: by id, or with `colorRgbFormat=true` as RGB, whose nearest id is set too. */
function readColors(call: ApiCall, body: JsonObject): JsonObject {
  const { colorId, backgroundColor, foregroundColor } = body;
  if (booleanParameter(call, 'colorRgbFormat', false)) {
    const given = [backgroundColor, foregroundColor].filter((color) => color !== undefined && color !== null);
    if (given.some((color) => typeof color !== 'string' || !RGB.test(color))) throw badRequest('Invalid color.');
    return {
      ...(typeof backgroundColor === 'string'
        ? { backgroundColor, colorId: nearestCalendarColor(backgroundColor) }
        : {}),
      ...(typeof foregroundColor === 'string' ? { foregroundColor } : {}),
    };
  }
  if (colorId === undefined || colorId === null) return {};
  const color = typeof colorId === 'string' ? calendarColors()[colorId] : undefined;
  if (color === undefined) throw badRequest(`Invalid color id: ${String(colorId)}`);
  return { colorId, backgroundColor: color.background, foregroundColor: color.foreground };
}

function readOwn(call: ApiCall, body: JsonObject): JsonObject {
  checkSizes(body);
  if (body.defaultReminders !== undefined && body.defaultReminders !== null) checkReminders(body.defaultReminders);
  const sent = OWN_MEMBERS.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]);
  return { ...Object.fromEntries(sent), ...readColors(call, body) };
}

/** An entry for a calendar in the caller's list, with what the caller set. */
export function newEntry(call: ApiCall, calendarId: string, own: JsonObject): Omit<EntryRecord, 'seq'> {
  const { sub } = call.caller.account;
  const colorId = String(1 + (call.sim.calendar.entries(sub).length % 24));
  const color = calendarColors()[colorId];
  const usual = {
    colorId,
    backgroundColor: color?.background,
    foregroundColor: color?.foreground,
    selected: true,
    defaultReminders: [],
  };
  const set = Object.entries(own).filter(([, value]) => value !== null);
  const updatedMs = call.sim.clock.nowMs();
  return { sub, calendarId, updatedMs, deleted: false, own: { ...usual, ...Object.fromEntries(set) } };
}

function keep(call: ApiCall, entry: Omit<EntryRecord, 'seq'>): ApiResult {
  call.sim.calendar.putEntry(entry);
  call.sim.channels.notify(entry.sub, 'calendar/calendarList', 'exists');
  const reached = requireCalendar(call, 'freeBusyReader', entry.calendarId);
  const resource = describeEntry({ ...entry, seq: 0 }, reached);
  return { resource, headers: [['ETag', String(resource.etag)]] };
}

/** `calendarList.insert`: an existing calendar that the caller may see joins the list. */
export function insertCalendarEntry(call: ApiCall): ApiResult {
  const body = jsonBody(call.http);
  if (typeof body.id !== 'string' || body.id === '') {
    throw new ApiError({ code: 400, reason: 'required', message: 'Missing calendar id.' });
  }
  const { calendar } = requireCalendar(call, 'freeBusyReader', body.id);
  return keep(call, newEntry(call, calendar.id, readOwn(call, body)));
}

function change(call: ApiCall, own: (before: JsonObject) => JsonObject): ApiResult {
  const { entry, reached } = requireEntry(call);
  requireIfMatch(call, etagOf(Math.max(entry.updatedMs, reached.calendar.updatedMs)));
  const members = Object.entries(own(entry.own)).filter(([, value]) => value !== null);
  const updatedMs = Math.max(call.sim.clock.nowMs(), entry.updatedMs + 1);
  return keep(call, { ...entry, own: Object.fromEntries(members), updatedMs });
}

/** `calendarList.patch`: only the members sent change. */
export function patchCalendarEntry(call: ApiCall): ApiResult {
  const sent = readOwn(call, jsonBody(call.http));
  return change(call, (before) => ({ ...before, ...sent }));
}

/** `calendarList.update`: the user's settings become what was sent; the colors stay unless sent. */
export function updateCalendarEntry(call: ApiCall): ApiResult {
  const sent = readOwn(call, jsonBody(call.http));
  return change(call, ({ colorId, backgroundColor, foregroundColor }) => ({
    ...{ colorId, backgroundColor, foregroundColor, selected: false, defaultReminders: [] },
    ...sent,
  }));
}

/** `calendarList.delete`: the calendar leaves the list and stays for everybody else. */
export function deleteCalendarEntry(call: ApiCall): ApiResult {
  const { entry, reached } = requireEntry(call);
  if (reached.calendar.isPrimary && reached.calendar.ownerSub === entry.sub) {
    const message = 'Cannot remove the primary calendar from the list.';
    throw new ApiError({ code: 403, reason: 'cannotDeletePrimaryCalendar', message, domain: 'calendar' });
  }
  call.sim.calendar.putEntry({ ...entry, deleted: true, updatedMs: call.sim.clock.nowMs() });
  call.sim.channels.notify(entry.sub, 'calendar/calendarList', 'exists');
  return { response: emptyResponse(204, API_HEADERS) };
}

/** Takes a calendar out of the lists of all who may not see it any more. */
export function dropUnreachable(call: ApiCall, calendarId: string): void {
  const store = call.sim.calendar;
  const calendar = store.calendar(calendarId);
  if (calendar === undefined) return;
  for (const account of ACCOUNTS) {
    const entry = store.entries(account.sub).find((one) => one.calendarId === calendarId && !one.deleted);
    if (entry === undefined || roleOf(store, calendar, account) !== 'none') continue;
    store.putEntry({ ...entry, deleted: true, updatedMs: call.sim.clock.nowMs() });
    call.sim.channels.notify(account.sub, 'calendar/calendarList', 'exists');
  }
}

/** The default reminders that the caller has for a calendar; none for one outside the list. */
export function defaultRemindersOf(call: ApiCall, calendarId: string): unknown {
  const entry = call.sim.calendar
    .entries(call.caller.account.sub)
    .find((one) => one.calendarId === calendarId && !one.deleted);
  return entry?.own.defaultReminders ?? [];
}
