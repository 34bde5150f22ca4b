import { GROUPS } from '../accounts.ts';
import { type ApiCall, type ApiResult, jsonBody } from '../api/call.ts';
import { ApiError, badRequest } from '../api/envelope.ts';
import { refusal } from '../api/refusals.ts';
import { isRecord } from '../parse.ts';
import { type CalendarRecord, type EventResource, eventObjects } from '../state/calendar.ts';
import { reachCalendar } from './access.ts';
import { eventMomentMs, expansionOf, isSeries, spansWithin } from './series.ts';
import { Work } from './work.ts';
import { isTimeZone, showMoment } from './zoned-time.ts';

/** Calendars of one question, and its longest span: Google's limits. */
const CALENDARS_MAX = 50;
const GROUP_MEMBERS_MAX = 100;
const SPAN_MAX_MS = 92 * 86_400_000;

interface Span {
  startMs: number;
  endMs: number;
}

function readMoment(body: Record<string, unknown>, name: string): number {
  const value = body[name];
  if (value === undefined || value === null) {
    throw new ApiError({ code: 400, reason: 'required', message: `Missing ${name} parameter.` });
  }
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw badRequest('Bad Request');
  return ms;
}

/** Spans that touch or overlap become one. */
function merged(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.startMs - b.startMs)) {
    const last = joined.at(-1);
    if (last !== undefined && span.startMs <= last.endMs) last.endMs = Math.max(last.endMs, span.endMs);
    else joined.push({ ...span });
  }
  return joined;
}

/** True for an event that takes time of the calendar's owner. */
function takesTime(event: EventResource, calendarId: string): boolean {
  const answer = eventObjects(event, 'attendees').find(({ email }) => email === calendarId)?.responseStatus;
  return (
    event.status !== 'cancelled' &&
    event.transparency !== 'transparent' &&
    event.eventType !== 'workingLocation' &&
    event.eventType !== 'birthday' &&
    answer !== 'declined'
  );
}

function busySpans(call: ApiCall, calendar: CalendarRecord, { startMs, endMs }: Span, work: Work): Span[] {
  const { id, timeZone } = calendar;
  const store = call.sim.calendar;
  const range = { fromMs: startMs, toMs: endMs };
  const expansion = expansionOf(store, calendar, work);
  const taken = (event: EventResource): Span[] =>
    takesTime(event, id)
      ? [{ startMs: eventMomentMs(event, 'start', timeZone), endMs: eventMomentMs(event, 'end', timeZone) }]
      : [];
  const spans = store
    .events(id)
    .flatMap(({ event }): Span[] => {
      if (event.status === 'cancelled') return [];
      if (isSeries(event)) {
        const takes = takesTime(event, id);
        return spansWithin(expansion, event, range).filter(({ event: found, occurrence }) =>
          occurrence === undefined ? takesTime(found, id) : takes,
        );
      }
      return typeof event.recurringEventId === 'string' && store.findEvent(id, event.recurringEventId) !== undefined
        ? []
        : taken(event);
    })
    .filter((span) => span.startMs < endMs && span.endMs > startMs)
    .map((span) => ({ startMs: Math.max(span.startMs, startMs), endMs: Math.min(span.endMs, endMs) }));
  return merged(spans);
}

type GroupAnswer = { calendars: readonly string[] } | { errors: { domain: string; reason: string }[] };

/** The calendars of a group's members, unless there are more than the question allows. */
function membersOf(groupAddress: string, most: number): GroupAnswer {
  const members = GROUPS[groupAddress]?.members ?? [];
  return members.length > most ? { errors: [{ domain: 'global', reason: 'groupTooBig' }] } : { calendars: members };
}

function readLimit(body: Record<string, unknown>, name: string, most: number): number {
  const value = body[name];
  if (value === undefined || value === null) return most;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
    throw badRequest(`Invalid value for: ${name}`);
  return Math.min(value, most);
}

/** `freebusy.query`: when each calendar is taken; one that the user may not see is an error of its own. */
export function queryFreeBusy(call: ApiCall): ApiResult {
  const body = jsonBody(call.http);
  const span = { startMs: readMoment(body, 'timeMin'), endMs: readMoment(body, 'timeMax') };
  if (span.endMs <= span.startMs) throw refusal('timeRangeEmpty');
  if (span.endMs - span.startMs > SPAN_MAX_MS) throw refusal('timeRangeTooLong');
  const timeZone = typeof body.timeZone === 'string' ? body.timeZone : 'UTC';
  if (!isTimeZone(timeZone)) throw new ApiError({ code: 400, reason: 'invalid', message: 'Invalid time zone.' });
  const most = readLimit(body, 'calendarExpansionMax', CALENDARS_MAX);
  const items = Array.isArray(body.items) ? body.items.filter(isRecord) : [];
  const ids = [...new Set(items.map(({ id }) => (typeof id === 'string' ? id : '')))];
  const failed = (reason: string) => ({ errors: [{ domain: 'global', reason }], busy: [] });
  const groupMost = readLimit(body, 'groupExpansionMax', GROUP_MEMBERS_MAX);
  const groups = ids.filter((id) => Object.hasOwn(GROUPS, id)).map((id) => [id, membersOf(id, groupMost)] as const);
  const calendarIds = new Set([
    ...ids.filter((id) => !Object.hasOwn(GROUPS, id)),
    ...groups.flatMap(([, group]) => ('calendars' in group ? group.calendars : [])),
  ]);
  const work = new Work();
  const answers = [...calendarIds].map((id, index) => {
    if (index >= most) return [id, failed('tooManyCalendarsRequested')] as const;
    const reached = reachCalendar(call, id);
    if (reached === undefined) return [id, failed('notFound')] as const;
    const busy = busySpans(call, reached.calendar, span, work).map((one) => ({
      start: showMoment(one.startMs, timeZone),
      end: showMoment(one.endMs, timeZone),
    }));
    return [id, { busy }] as const;
  });
  if (work.isCut) throw refusal('timeRangeTooLong');
  return {
    resource: {
      kind: 'calendar#freeBusy',
      timeMin: new Date(span.startMs).toISOString(),
      timeMax: new Date(span.endMs).toISOString(),
      ...(groups.length === 0 ? {} : { groups: Object.fromEntries(groups) }),
      calendars: Object.fromEntries(answers),
    },
  };
}
