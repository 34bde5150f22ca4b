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
  const calendar = requireWritableCalendar(call);
  const body = jsonBody(call.http);
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
