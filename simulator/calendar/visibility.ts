import { type ApiCall, pathParameter } from '../api/call.ts';
import { ApiError, notFound } from '../api/envelope.ts';
import { scopeUrl } from '../oauth/scopes.ts';
import type { CalendarEntry } from './records.ts';
import type { AccountCalendars } from './store.ts';

const EVERY_CALENDAR = ['calendar', 'calendar.readonly', 'calendar.events', 'calendar.events.readonly'].map(scopeUrl);
const OWNED = ['calendar.events.owned', 'calendar.events.owned.readonly'].map(scopeUrl);
const PUBLIC = scopeUrl('calendar.events.public.readonly');

/** The caller's calendars. */
export function callersCalendars(call: ApiCall): AccountCalendars {
  return call.sim.calendar.of(call.caller.account.sub);
}

function isReachable(call: ApiCall, calendar: CalendarEntry): boolean {
  const { scopes } = call.caller.token;
  return (
    EVERY_CALENDAR.some((scope) => scopes.includes(scope)) ||
    (calendar.accessRole === 'owner' && OWNED.some((scope) => scopes.includes(scope))) ||
    (calendar.id.includes('#holiday@') && scopes.includes(PUBLIC))
  );
}

/** The calendar whose events a call is about; 404 when the user has none of that id or the scopes do not reach it. */
export function requireEventsCalendar(call: ApiCall): CalendarEntry {
  const calendar = callersCalendars(call).findCalendar(pathParameter(call, 'calendarId'));
  if (calendar === undefined || !isReachable(call, calendar)) throw notFound('Not Found');
  return calendar;
}

/** The same for writing; 403 `requiredAccessLevel` without the right to. */
export function requireWritableCalendar(call: ApiCall): CalendarEntry {
  const calendar = requireEventsCalendar(call);
  if (calendar.accessRole === 'owner' || calendar.accessRole === 'writer') return calendar;
  const message = 'You need to have writer access to this calendar.';
  throw new ApiError({ code: 403, reason: 'requiredAccessLevel', message, domain: 'calendar' });
}
