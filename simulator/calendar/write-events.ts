import { randomBytes } from 'node:crypto';
import { type ApiCall, type ApiResult, jsonBody, pathParameter } from '../api/call.ts';
import { API_HEADERS, ApiError, notFound } from '../api/envelope.ts';
import { emptyResponse } from '../http/exchange.ts';
import { requireIfMatch } from './conditional.ts';
import { etagOf } from './dataset.ts';
import { checkEvent, chosenEventId, mergePatch, writableMembers, writeMomentMs } from './event-body.ts';
import { type CalendarEntry, type EventResource, eventText } from './records.ts';
import { callersCalendars, requireWritableCalendar } from './visibility.ts';

function store(call: ApiCall, calendar: CalendarEntry, event: EventResource, updatedMs: number): ApiResult {
  const stored = { ...event, etag: etagOf(updatedMs), updated: new Date(updatedMs).toISOString() };
  callersCalendars(call).put(calendar.id, stored);
  call.sim.channels.notify(call.caller.account.sub, `calendar/events/${calendar.id}`, 'exists');
  return { resource: stored, headers: [['ETag', etagOf(updatedMs)]] };
}

function newEventId(): string {
  return BigInt(`0x${randomBytes(16).toString('hex')}`)
    .toString(32)
    .padStart(26, '0');
}

/** `events.insert`. */
export function insertEvent(call: ApiCall): ApiResult {
  return insertInto(call, requireWritableCalendar(call), jsonBody(call.http));
}

/** An hour, the length of an event of which only the title is known. */
const QUICK_EVENT_MS = 3_600_000;

/**
 * `events.quickAdd`: an event of an hour from the next full hour on with the text as its title. Google also reads times
 * and places in the text; the simulator does not.
 */
export function quickAddEvent(call: ApiCall): ApiResult {
  const calendar = requireWritableCalendar(call);
  const startMs = Math.ceil(call.sim.clock.nowMs() / QUICK_EVENT_MS) * QUICK_EVENT_MS;
  const moment = (ms: number) => ({
    dateTime: new Date(ms).toISOString().replace('.000Z', 'Z'),
    timeZone: calendar.timeZone,
  });
  return insertInto(call, calendar, {
    summary: call.query.get('text') ?? '',
    start: moment(startMs),
    end: moment(startMs + QUICK_EVENT_MS),
  });
}

/** `events.import`: a private copy of somebody else's event under its own `iCalUID`; a second import replaces the first. */
export function importEvent(call: ApiCall): ApiResult {
  const calendar = requireWritableCalendar(call);
  const body = jsonBody(call.http);
  const { iCalUID } = body;
  if (typeof iCalUID !== 'string' || iCalUID === '') {
    throw new ApiError({ code: 400, reason: 'required', message: 'Missing iCal UID.' });
  }
  const known = callersCalendars(call)
    .events(calendar.id)
    .find(({ event }) => event.iCalUID === iCalUID);
  if (known === undefined) return insertInto(call, calendar, body, { iCalUID });
  const members = writableMembers(body);
  checkEvent(members);
  const changed = { ...known.event, status: 'confirmed', ...members, iCalUID };
  return store(call, calendar, changed, writeMomentMs(call, known.event));
}

/** `events.move`: the event leaves its calendar for another of the user's, where it keeps id and iCalUID. */
export function moveEvent(call: ApiCall): ApiResult {
  const calendar = requireWritableCalendar(call);
  const event = requireEvent(call, calendar);
  const destination = callersCalendars(call).findCalendar(call.query.get('destination') ?? '');
  if (destination === undefined) throw notFound('Not Found');
  if (destination.accessRole !== 'owner' && destination.accessRole !== 'writer') {
    const message = 'You need to have writer access to this calendar.';
    throw new ApiError({ code: 403, reason: 'requiredAccessLevel', message, domain: 'calendar' });
  }
  if (destination.id === calendar.id) return { resource: event };
  const movedMs = writeMomentMs(call, event);
  store(call, calendar, { ...event, status: 'cancelled' }, movedMs);
  const organizer = { email: destination.id, ...(destination.primary ? { self: true } : {}) };
  return store(call, destination, { ...event, organizer }, movedMs);
}

function insertInto(
  call: ApiCall,
  calendar: CalendarEntry,
  body: Record<string, unknown>,
  fixed: EventResource = {},
): ApiResult {
  const id = chosenEventId(body) ?? newEventId();
  if (callersCalendars(call).findEvent(calendar.id, id) !== undefined) {
    const message = 'The requested identifier already exists.';
    throw new ApiError({ code: 409, reason: 'duplicate', message });
  }
  const members = writableMembers(body);
  checkEvent(members);
  const { account } = call.caller;
  const updatedMs = writeMomentMs(call, undefined);
  const person = { email: account.email, self: true };
  const event: EventResource = {
    kind: 'calendar#event',
    id,
    status: 'confirmed',
    htmlLink: `https://www.google.com/calendar/event?eid=${Buffer.from(`${id} ${calendar.id}`).toString('base64url')}`,
    created: new Date(updatedMs).toISOString(),
    creator: person,
    organizer: calendar.primary ? person : { email: calendar.id, displayName: calendar.summary, self: true },
    iCalUID: `${id}@google.com`,
    sequence: 0,
    reminders: { useDefault: true },
    eventType: 'default',
    ...members,
    ...fixed,
  };
  return store(call, calendar, event, updatedMs);
}

function requireEvent(call: ApiCall, calendar: CalendarEntry): EventResource {
  const stored = callersCalendars(call).findEvent(calendar.id, pathParameter(call, 'eventId'));
  if (stored === undefined) throw notFound('Not Found');
  requireIfMatch(call, eventText(stored.event, 'etag'));
  return stored.event;
}

function nextSequence(event: EventResource): number {
  return typeof event.sequence === 'number' ? event.sequence + 1 : 1;
}

/** `events.patch`: only the members sent change. */
export function patchEvent(call: ApiCall): ApiResult {
  const calendar = requireWritableCalendar(call);
  const event = requireEvent(call, calendar);
  const changed = mergePatch(event, writableMembers(jsonBody(call.http)));
  checkEvent(changed);
  return store(call, calendar, { ...changed, sequence: nextSequence(event) }, writeMomentMs(call, event));
}

/** `events.update`: the event becomes what was sent; what only Google sets stays. */
export function updateEvent(call: ApiCall): ApiResult {
  const calendar = requireWritableCalendar(call);
  const event = requireEvent(call, calendar);
  const members = writableMembers(jsonBody(call.http));
  checkEvent(members);
  const kept = ['kind', 'id', 'htmlLink', 'created', 'creator', 'organizer', 'iCalUID'].map((name) => [
    name,
    event[name],
  ]);
  const whole = { status: 'confirmed', reminders: { useDefault: true }, eventType: 'default', ...members };
  const changed = { ...Object.fromEntries(kept), ...whole, sequence: nextSequence(event) };
  return store(call, calendar, changed, writeMomentMs(call, event));
}

/** `events.delete`: the event stays as `cancelled` for incremental sync; deleting it again gives 410 `deleted`. */
export function deleteEvent(call: ApiCall): ApiResult {
  const calendar = requireWritableCalendar(call);
  const event = requireEvent(call, calendar);
  if (event.status === 'cancelled') {
    throw new ApiError({ code: 410, reason: 'deleted', message: 'Resource has been deleted' });
  }
  store(call, calendar, { ...event, status: 'cancelled' }, writeMomentMs(call, event));
  return { response: emptyResponse(204, API_HEADERS) };
}
