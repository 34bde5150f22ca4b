import { ACCOUNTS, isInGroup, type SimAccount } from '../accounts.ts';
import { type ApiCall, pathParameter } from '../api/call.ts';
import { ApiError, notFound } from '../api/envelope.ts';
import { scopeUrl } from '../oauth/scopes.ts';
import type { CalendarStore } from '../state/calendar.ts';
import {
  type CalendarRecord,
  includesRole,
  type JsonObject,
  ROLES,
  type Role,
  type RuleRecord,
} from '../state/calendar.ts';
import { projectOf } from '../state/store.ts';

const APP_CREATED = scopeUrl('calendar.app.created');
const OWNED = ['calendar.events.owned', 'calendar.events.owned.readonly'].map(scopeUrl);
const PUBLIC = scopeUrl('calendar.events.public.readonly');
const BUSY_ONLY = ['calendar.events.freebusy', 'calendar.freebusy'].map(scopeUrl);

/** A calendar with what the caller may do with it. */
export interface Reached {
  calendar: CalendarRecord;
  role: Role;
}

/** 403 for a role that does not suffice, in Calendar's domain. */
export function requiredAccessLevel(minimum: Role): ApiError {
  const message = `You need to have ${minimum} access to this calendar.`;
  return new ApiError({ code: 403, reason: 'requiredAccessLevel', message, domain: 'calendar' });
}

function names(rule: RuleRecord, account: SimAccount): boolean {
  switch (rule.scopeType) {
    case 'default':
      return true;
    case 'user':
      return rule.scopeValue === account.email;
    case 'domain':
      return account.hostedDomain === rule.scopeValue;
    case 'group':
      return isInGroup(rule.scopeValue, account);
  }
}

/** The greatest role that a calendar's rules give an account; the data owner is always an owner. */
export function roleOf(store: CalendarStore, calendar: CalendarRecord, account: SimAccount): Role {
  if (calendar.ownerSub === account.sub) return 'owner';
  const roles = store.rules(calendar.id).filter((rule) => names(rule, account));
  return ROLES[Math.max(0, ...roles.map(({ role }) => ROLES.indexOf(role)))] ?? 'none';
}

/** What the token's scopes leave of a role: some scopes reach only own, public or the app's own calendars, or only times. */
function roleWithinScopes(call: ApiCall, calendar: CalendarRecord, role: Role): Role {
  const granted = call.rule.scopes.filter((scope) => call.caller.token.scopes.includes(scope));
  const isPublic = () =>
    call.sim.calendar
      .rules(calendar.id)
      .some((rule) => rule.scopeType === 'default' && includesRole(rule.role, 'reader'));
  const left = granted.map((scope): Role => {
    if (scope === APP_CREATED) return calendar.project === projectOf(call.caller.token.clientId) ? role : 'none';
    if (OWNED.includes(scope)) return role === 'owner' ? role : 'none';
    if (scope === PUBLIC) return isPublic() ? role : 'none';
    if (BUSY_ONLY.includes(scope)) return includesRole(role, 'freeBusyReader') ? 'freeBusyReader' : 'none';
    return role;
  });
  return ROLES[Math.max(0, ...left.map((one) => ROLES.indexOf(one)))] ?? 'none';
}

/** E-mail of a secondary calendar's data owner; none for primary calendars and Google's. */
export function dataOwnerOf(calendar: CalendarRecord): JsonObject {
  const owner = calendar.isPrimary ? undefined : ACCOUNTS.find(({ sub }) => sub === calendar.ownerSub);
  return owner === undefined ? {} : { dataOwner: owner.email };
}

/** A calendar by id, `primary` being the caller's own, with the caller's role; `undefined` when there is none for the caller. */
export function reachCalendar(call: ApiCall, id: string): Reached | undefined {
  const { account } = call.caller;
  const calendar = call.sim.calendar.calendar(id === 'primary' ? account.email : id);
  if (calendar === undefined) return undefined;
  const role = roleWithinScopes(call, calendar, roleOf(call.sim.calendar, calendar, account));
  return role === 'none' ? undefined : { calendar, role };
}

/**
 * The calendar that a call is about.
 * @param id its id, or the path's `calendarId`
 * @throws {ApiError} 404 when the caller may not know of it, 403 `requiredAccessLevel` for a lesser role than `minimum`
 */
export function requireCalendar(call: ApiCall, minimum: Role, id = pathParameter(call, 'calendarId')): Reached {
  const reached = reachCalendar(call, id);
  if (reached === undefined) throw notFound('Not Found');
  if (!includesRole(reached.role, minimum)) throw requiredAccessLevel(minimum);
  return reached;
}

/** Notifies the channels of everyone who can see a calendar. */
export function notifyWatchers(call: ApiCall, calendarId: string, resource: 'events' | 'acl'): void {
  const { calendar: store, channels } = call.sim;
  const calendar = store.calendar(calendarId);
  if (calendar === undefined) return;
  for (const account of ACCOUNTS) {
    if (roleOf(store, calendar, account) !== 'none') {
      channels.notify(account.sub, `calendar/${resource}/${calendarId}`, 'exists');
    }
  }
}
