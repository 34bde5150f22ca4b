import { isObject, type JsonObject } from '../../../gateway/server-tools/tool.rules.ts';
import { ToolFailure } from './tool-failure.rules.ts';

/** The guests of an event as Google has them. */
export function guestsOf(event: JsonObject): readonly JsonObject[] {
  return Array.isArray(event.attendees) ? event.attendees.filter(isObject) : [];
}

/** Guests whose list Google has cut, or keeps from everybody but the organizer. */
export function isGuestListCut({ attendeesOmitted, guestsCanSeeOtherGuests, organizer }: JsonObject): boolean {
  const isOrganizer = isObject(organizer) && organizer.self === true;
  return attendeesOmitted === true || (guestsCanSeeOtherGuests === false && !isOrganizer);
}

/**
 * All guests of an event after some are added and some removed, each with the answer, names and comment that it has (MC-40).
 *
 * @returns undefined where nothing changes
 * @throws ToolFailure where the list that Google shows is not complete, and for an address to remove that is not on it
 */
export function changedGuests(
  event: JsonObject,
  added: readonly string[],
  removed: readonly string[],
): readonly JsonObject[] | undefined {
  if (added.length + removed.length === 0) return undefined;
  if (isGuestListCut(event)) {
    const message = 'Google does not show all guests of this event to the user, so its guests cannot be changed here.';
    throw new ToolFailure('forbidden', message);
  }
  const before = guestsOf(event);
  const has = (address: string) => before.some((guest) => isAt(guest, address));
  const missing = removed.filter((address) => !has(address));
  if (missing.length > 0) {
    throw new ToolFailure('invalid_arguments', `${missing.join(', ')}: not among the guests of this event.`);
  }
  const both = added.filter((address) => removed.some((other) => isSame(address, other)));
  if (both.length > 0) {
    throw new ToolFailure('invalid_arguments', `${both.join(', ')}: both to be added and to be removed.`);
  }
  const kept = before.filter((guest) => !removed.some((address) => isAt(guest, address)));
  const fresh = added.filter(
    (address, at) => !has(address) && added.findIndex((other) => isSame(address, other)) === at,
  );
  if (fresh.length === 0 && kept.length === before.length) return undefined;
  return [...kept.map(writable), ...fresh.map((email) => ({ email }))];
}

/** The guests of an event with another answer of the user, and the user's own entry. @throws ToolFailure where the user is no guest */
export function answeredBy(
  event: JsonObject,
  responseStatus: string,
  comment: string | undefined,
): { readonly own: JsonObject; readonly guests: readonly JsonObject[] } {
  const own = guestsOf(event).find(({ self }) => self === true);
  if (own === undefined) {
    throw new ToolFailure('not_found', 'The user is not a guest of this event, so there is no invitation to answer.');
  }
  const answer = { ...writable(own), responseStatus, ...(comment === undefined ? {} : { comment }) };
  return { own: answer, guests: guestsOf(event).map((guest) => (guest === own ? answer : writable(guest))) };
}

/** Without the members that only Google sets. */
function writable({ self: _self, organizer: _organizer, ...guest }: JsonObject): JsonObject {
  return guest;
}

function isAt({ email }: JsonObject, address: string): boolean {
  return typeof email === 'string' && isSame(email, address);
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
