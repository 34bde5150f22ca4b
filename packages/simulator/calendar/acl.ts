import { ACCOUNTS } from '../accounts.ts';
import { type ApiCall, type ApiResult, booleanParameter, jsonBody, pathParameter } from '../api/call.ts';
import { API_HEADERS, ApiError, badRequest, notFound } from '../api/envelope.ts';
import { emptyResponse } from '../http/exchange.ts';
import { isRecord } from '../parse.ts';
import {
  type CalendarRecord,
  includesRole,
  type JsonObject,
  ROLES,
  type Role,
  type RuleRecord,
} from '../state/calendar.ts';
import { notifyWatchers, requireCalendar } from './access.ts';
import { dropUnreachable } from './calendar-list.ts';
import { ifNoneMatch, requireIfMatch } from './conditional.ts';
import { etagOf } from './dataset.ts';
import { pageOf } from './paging.ts';
import { checkSyncToken } from './sync-rules.ts';
import { syncPointOf } from './sync-token.ts';

function idOf({ scopeType, scopeValue }: Pick<RuleRecord, 'scopeType' | 'scopeValue'>): string {
  return scopeType === 'default' ? 'default' : `${scopeType}:${scopeValue}`;
}

function describe(rule: RuleRecord): JsonObject {
  const { role, scopeType, scopeValue, updatedMs } = rule;
  return {
    kind: 'calendar#aclRule',
    etag: etagOf(updatedMs),
    id: idOf(rule),
    scope: scopeType === 'default' ? { type: scopeType } : { type: scopeType, value: scopeValue },
    role,
  };
}

/** `acl.list`: who may do what; deleted rules as role `none` when asked for or at a sync. Owners only. */
export function listRules(call: ApiCall): ApiResult {
  checkSyncToken(call);
  const { calendar } = requireCalendar(call, 'owner');
  const collection = `acl ${calendar.id}`;
  const point = syncPointOf(call, collection);
  const withDeleted = point !== undefined || booleanParameter(call, 'showDeleted', false);
  const rules = call.sim.calendar
    .rules(calendar.id)
    .filter(({ seq, role }) => (withDeleted || role !== 'none') && (point === undefined || seq > point.seq));
  const page = pageOf(call, rules.map(describe), collection, { usual: 100, most: 250 });
  return ifNoneMatch(call, { kind: 'calendar#acl', ...page.members, items: page.items });
}

function requireRule(call: ApiCall, calendar: CalendarRecord): RuleRecord {
  const id = pathParameter(call, 'ruleId');
  const rule = call.sim.calendar.rules(calendar.id).find((one) => idOf(one) === id && one.role !== 'none');
  if (rule === undefined) throw notFound('Not Found');
  return rule;
}

/** `acl.get`. */
export function getRule(call: ApiCall): ApiResult {
  const { calendar } = requireCalendar(call, 'owner');
  return ifNoneMatch(call, describe(requireRule(call, calendar)));
}

function readRole(body: JsonObject): Role {
  if (body.role === undefined) throw new ApiError({ code: 400, reason: 'required', message: 'Missing access role.' });
  const role = ROLES.find((one) => one === body.role);
  if (role === undefined) throw new ApiError({ code: 400, reason: 'invalid', message: 'Invalid access role.' });
  return role;
}

const SCOPE_TYPES = ['default', 'user', 'group', 'domain'] as const;

function readScope(body: JsonObject): Pick<RuleRecord, 'scopeType' | 'scopeValue'> {
  const { scope } = body;
  if (!isRecord(scope)) throw new ApiError({ code: 400, reason: 'required', message: 'Missing scope.' });
  const scopeType = SCOPE_TYPES.find((type) => type === scope.type);
  const invalid = () => new ApiError({ code: 400, reason: 'invalid', message: 'Invalid scope value.' });
  if (scopeType === undefined) throw invalid();
  if (scopeType === 'default') return { scopeType, scopeValue: '' };
  const value = typeof scope.value === 'string' ? scope.value.trim().toLowerCase() : '';
  const isFit = scopeType === 'domain' ? /^[^@\s]+\.[^@\s]+$/.test(value) : /^[^@\s]+@[^@\s]+$/.test(value);
  if (!isFit) throw invalid();
  return { scopeType, scopeValue: value };
}

function checkChange(
  call: ApiCall,
  calendar: CalendarRecord,
  rule: Pick<RuleRecord, 'scopeType' | 'scopeValue' | 'role'>,
) {
  const forbidden = (reason: string, message: string) =>
    new ApiError({ code: 403, reason, message, domain: 'calendar' });
  const owner = ACCOUNTS.find(({ sub }) => sub === calendar.ownerSub)?.email;
  if (rule.scopeType === 'default' && includesRole(rule.role, 'writerWithoutPrivateAccess')) {
    throw new ApiError({
      code: 400,
      reason: 'illegalAccessRoleForDefault',
      message: 'Illegal access role for the default scope.',
      domain: 'calendar',
    });
  }
  if (rule.scopeType !== 'user' || rule.role === 'owner') return;
  if (rule.scopeValue === call.caller.account.email) {
    throw forbidden('cannotChangeOwnAcl', 'Cannot change your own access level.');
  }
  if (rule.scopeValue === owner) {
    throw forbidden('cannotChangeOwnerAcl', 'Cannot change the access level of the calendar’s owner.');
  }
}

/** Keeps a rule; anyone who loses the calendar by it loses the calendar's entry too. */
function keep(call: ApiCall, calendar: CalendarRecord, rule: Omit<RuleRecord, 'seq' | 'updatedMs'>): RuleRecord {
  checkChange(call, calendar, rule);
  const before = call.sim.calendar.rules(calendar.id).find((one) => idOf(one) === idOf(rule));
  const updatedMs = Math.max(call.sim.clock.nowMs(), (before?.updatedMs ?? 0) + 1);
  call.sim.calendar.putRule({ ...rule, updatedMs });
  dropUnreachable(call, calendar.id);
  notifyWatchers(call, calendar.id, 'acl');
  return { ...rule, updatedMs, seq: 0 };
}

function answer(rule: RuleRecord): ApiResult {
  return { resource: describe(rule), headers: [['ETag', etagOf(rule.updatedMs)]] };
}

/** `acl.insert`: shares the calendar; the other person's list does not change by it (Calendar API, "Share calendars"). */
export function insertRule(call: ApiCall): ApiResult {
  const { calendar } = requireCalendar(call, 'owner');
  const body = jsonBody(call.http);
  return answer(keep(call, calendar, { calendarId: calendar.id, role: readRole(body), ...readScope(body) }));
}

function change(call: ApiCall, roleOfBody: (body: JsonObject, before: Role) => Role): ApiResult {
  const { calendar } = requireCalendar(call, 'owner');
  const { seq: _seq, updatedMs, ...rule } = requireRule(call, calendar);
  requireIfMatch(call, etagOf(updatedMs));
  const body = jsonBody(call.http);
  if (body.scope !== undefined && idOf(readScope(body)) !== idOf(rule)) {
    throw badRequest('The scope of a rule cannot be changed.');
  }
  return answer(keep(call, calendar, { ...rule, role: roleOfBody(body, rule.role) }));
}

/** `acl.patch`. */
export function patchRule(call: ApiCall): ApiResult {
  return change(call, (body, before) => (body.role === undefined ? before : readRole(body)));
}

/** `acl.update`. */
export function updateRule(call: ApiCall): ApiResult {
  return change(call, readRole);
}

/** `acl.delete`. */
export function deleteRule(call: ApiCall): ApiResult {
  const { calendar } = requireCalendar(call, 'owner');
  const { seq: _seq, updatedMs, ...rule } = requireRule(call, calendar);
  requireIfMatch(call, etagOf(updatedMs));
  keep(call, calendar, { ...rule, role: 'none' });
  return { response: emptyResponse(204, API_HEADERS) };
}
