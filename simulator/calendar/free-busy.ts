import { type ApiCall, type ApiResult, jsonBody } from '../api/call.ts';
import { ApiError, badRequest } from '../api/envelope.ts';
import { isRecord } from '../parse.ts';
import { eventMomentMs } from './event-filter.ts';
import { callersCalendars } from './visibility.ts';

/** Calendars of one question, and its longest span: Google's limits. */
const CALENDARS_MAX = 50;
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

function busySpans(call: ApiCall, calendarId: string, { startMs, endMs }: Span): Span[] {
  const spans = callersCalendars(call)
    .events(calendarId)
    .filter(({ event }) => event.status !== 'cancelled' && event.transparency !== 'transparent')
    .map(({ event }) => ({ startMs: eventMomentMs(event, 'start'), endMs: eventMomentMs(event, 'end') }))
    .filter((span) => span.startMs < endMs && span.endMs > startMs)
    .map((span) => ({ startMs: Math.max(span.startMs, startMs), endMs: Math.min(span.endMs, endMs) }));
  return merged(spans);
}

/** `freebusy.query`: when each calendar is taken; one that the user does not have is an error of its own. */
export function queryFreeBusy(call: ApiCall): ApiResult {
  const body = jsonBody(call.http);
  const span = { startMs: readMoment(body, 'timeMin'), endMs: readMoment(body, 'timeMax') };
  if (span.endMs <= span.startMs) {
    const message = 'The specified time range is empty.';
    throw new ApiError({ code: 400, reason: 'timeRangeEmpty', domain: 'calendar', message, location: 'timeMax' });
  }
  if (span.endMs - span.startMs > SPAN_MAX_MS) {
    const message = 'The requested time range is too long.';
    throw new ApiError({ code: 400, reason: 'timeRangeTooLong', domain: 'calendar', message, location: 'timeMax' });
  }
  const items = Array.isArray(body.items) ? body.items.filter(isRecord) : [];
  const ids = [...new Set(items.map(({ id }) => (typeof id === 'string' ? id : '')))].slice(0, CALENDARS_MAX);
  const time = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
  const answers = ids.map((id) => {
    const calendar = callersCalendars(call).findCalendar(id);
    if (calendar === undefined) return [id, { errors: [{ domain: 'global', reason: 'notFound' }], busy: [] }] as const;
    const busy = busySpans(call, calendar.id, span).map((one) => ({ start: time(one.startMs), end: time(one.endMs) }));
    return [id, { busy }] as const;
  });
  return {
    resource: {
      kind: 'calendar#freeBusy',
      timeMin: new Date(span.startMs).toISOString(),
      timeMax: new Date(span.endMs).toISOString(),
      calendars: Object.fromEntries(answers),
    },
  };
}
