import type { ApiCall } from '../api/call.ts';
import { ApiError, badRequest, notImplemented } from '../api/envelope.ts';
import { schemaFields } from '../api/schemas.ts';
import { isRecord } from '../parse.ts';
import { eventMomentMs } from './event-filter.ts';
import type { EventResource } from './records.ts';

/** Members only Google sets; a client may send them back, and they are ignored. */
const SET_BY_GOOGLE = new Set([
  'kind',
  'etag',
  'id',
  'htmlLink',
  'created',
  'updated',
  'creator',
  'organizer',
  'iCalUID',
]);

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?<offset>Z|[+-]\d{2}:\d{2})?$/;

function checkMoment(event: EventResource, member: 'start' | 'end'): void {
  const moment = event[member];
  if (moment === undefined || moment === null) {
    throw new ApiError({ code: 400, reason: 'required', message: `Missing ${member} time.` });
  }
  if (!isRecord(moment)) throw badRequest(`Invalid value for: ${member}`);
  const { date, dateTime, timeZone } = moment;
  const isDay = typeof date === 'string' && DATE.test(date) && (dateTime === undefined || dateTime === null);
  const groups = typeof dateTime === 'string' ? DATE_TIME.exec(dateTime) : null;
  const isTime = groups !== null && (groups.groups?.offset !== undefined || typeof timeZone === 'string');
  if (!isDay && !isTime) throw badRequest(`Invalid ${member} time.`);
}

/**
 * Refuses an event Google would refuse: no start or end, a mix of date and time, an end before the start.
 * @throws {ApiError} 400; 501 for recurring events, which the simulator does not expand
 */
export function checkEvent(event: EventResource): void {
  checkMoment(event, 'start');
  checkMoment(event, 'end');
  const startMs = eventMomentMs(event, 'start');
  const endMs = eventMomentMs(event, 'end');
  if (Number.isNaN(startMs) || Number.isNaN(endMs)) throw badRequest('Invalid start or end time.');
  if (endMs < startMs) {
    throw new ApiError({
      code: 400,
      reason: 'timeRangeEmpty',
      domain: 'calendar',
      message: 'The specified time range is empty.',
      location: 'timeMax',
    });
  }
  if (Array.isArray(event.recurrence) && event.recurrence.length > 0) throw notImplemented('recurring events');
}

/** Members of a body that a client may set; unknown ones are ignored, as at Google. */
export function writableMembers(body: Record<string, unknown>): EventResource {
  const schema = schemaFields('calendar', 'Event');
  return Object.fromEntries(
    Object.entries(body).filter(([name]) => schema?.has(name) === true && !SET_BY_GOOGLE.has(name)),
  );
}

/** Id a client chose for a new event, checked against Calendar's alphabet (base32hex, 5 to 1024). */
export function chosenEventId(body: Record<string, unknown>): string | undefined {
  const { id } = body;
  if (id === undefined || id === null) return undefined;
  if (typeof id === 'string' && /^[a-v0-9]{5,1024}$/.test(id)) return id;
  throw new ApiError({ code: 400, reason: 'invalid', message: 'Invalid resource id value.' });
}

/** JSON merge for PATCH: `null` removes a member, objects merge, everything else replaces (RFC 7396). */
export function mergePatch(target: EventResource, patch: Record<string, unknown>): EventResource {
  const merged: EventResource = { ...target };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else if (isRecord(value)) merged[name] = mergePatch(isRecord(merged[name]) ? merged[name] : {}, value);
    else merged[name] = value;
  }
  return merged;
}

/** The moment a write counts as: always later than the version it replaces, so that etags never repeat. */
export function writeMomentMs(call: ApiCall, previous: EventResource | undefined): number {
  const before = typeof previous?.updated === 'string' ? Date.parse(previous.updated) : 0;
  return Math.max(call.sim.clock.nowMs(), before + 1);
}
