import type { ApiCall } from '../api/call.ts';
import { refusal } from '../api/refusals.ts';

/** What may not come together with a sync token, and what keeps a list from ending with one. */
interface SyncRule {
  /** Parameters that order the list: their list ends without a sync token, and a sync token excludes them. */
  orders: readonly string[];
  /** Parameters that leave entries out. */
  restricts: readonly string[];
  /** Parameters that leave entries out when they are `false`. */
  restrictsWhenFalse: readonly string[];
}

/** By method (Calendar API v3, the parameter `syncToken` of each list). */
const SYNC_RULES: Readonly<Record<string, SyncRule>> = {
  'calendar.events.list': {
    orders: ['orderBy'],
    restricts: [
      ...['iCalUID', 'privateExtendedProperty', 'q', 'sharedExtendedProperty'],
      ...['timeMin', 'timeMax', 'updatedMin'],
    ],
    restrictsWhenFalse: ['showDeleted'],
  },
  'calendar.calendarList.list': {
    orders: [],
    restricts: ['minAccessRole', 'showOwnOrganizationOnly'],
    restrictsWhenFalse: ['showDeleted', 'showHidden'],
  },
  'calendar.acl.list': { orders: [], restricts: [], restrictsWhenFalse: ['showDeleted'] },
  'calendar.settings.list': { orders: [], restricts: [], restrictsWhenFalse: [] },
};

const NO_RULE: SyncRule = { orders: [], restricts: [], restrictsWhenFalse: [] };

function ruleOf({ rule }: Pick<ApiCall, 'rule'>): SyncRule {
  return SYNC_RULES[rule.id] ?? NO_RULE;
}

/**
 * Refuses what may not come together with a sync token.
 * @throws {ApiError} 400 `syncTokenWithNonDefaultOrdering` or `syncTokenWithRequestRestrictions`
 */
export function checkSyncToken(call: ApiCall): void {
  const { query } = call;
  if (!query.has('syncToken')) return;
  const { orders, restricts, restrictsWhenFalse } = ruleOf(call);
  if (orders.some((name) => query.has(name))) throw refusal('syncTokenWithOrdering');
  const isRestricted =
    restricts.some((name) => query.has(name)) || restrictsWhenFalse.some((name) => query.get(name) === 'false');
  if (isRestricted) throw refusal('syncTokenWithRestrictions');
}

/** False for a list in another order than its own: Google ends it without a `nextSyncToken`. */
export function endsWithSyncToken(call: ApiCall): boolean {
  return !ruleOf(call).orders.some((name) => call.query.has(name));
}
