import { fieldsOf, number, optionalFields, optionalText, recordList, text, type Unread } from '../http/fields.ts';
import type { ConnectionRef } from '../http/headers.ts';
import type { CallOptions, Manage } from './manage.ts';
import type { ConnectionTotals, CrowdedAccount, EndingConnection, Overview, StatusCounts } from './overview-types.ts';
import type * as wire from './wire.ts';

/** Reads the account at a glance. */
export type ReadOverview = (options?: CallOptions) => Promise<Overview>;

/**
 * The function behind `GatewayClient.overview`.
 *
 * @throws (the returned function) GatewayError, NetworkError, TimeoutError, UnexpectedAnswerError
 */
export function overviewReader(manage: Manage): ReadOverview {
  return async (options) => {
    const { data } = await manage({ method: 'GET', path: '/overview', options });
    return readOverview(fieldsOf(data, 'data'));
  };
}

function readOverview(fields: Unread<wire.Overview['data']>): Overview {
  const covered = fieldsOf(fields.covered, 'covered');
  return {
    readAt: text(fields, 'read_at'),
    covered: {
      connections: number(covered, 'connections'),
      complete: covered.complete === true,
      inDetail: number(covered, 'in_detail'),
    },
    integrations: number(fields, 'integrations'),
    statuses: readStatuses(fieldsOf(fields.statuses, 'statuses')),
    causes: readCauses(fields),
    totals: readTotals(fields),
    statusByDay: recordList(fields, 'status_by_day').map((one) => ({ day: text(one, 'day'), ...readStatuses(one) })),
    undatedDeaths: number(fields, 'undated_deaths'),
    refreshesByDay: recordList(fields, 'refreshes_by_day').map((one) => ({
      day: text(one, 'day'),
      renewed: number(one, 'renewed'),
      refused: number(one, 'refused'),
    })),
    ending: recordList(fields, 'ending').map(readEnding),
    rejectedIntegrations: recordList(fields, 'rejected_integrations').map((one) => ({
      uniqueKey: text(one, 'unique_key'),
      displayName: text(one, 'display_name'),
      error: text(one, 'error'),
      since: text(one, 'since'),
    })),
    crowdedAccounts: recordList(fields, 'crowded_accounts').map(readCrowded),
  };
}

function readTotals(fields: Unread<wire.Overview['data']>): ConnectionTotals | undefined {
  const totals = optionalFields(fields, 'totals');
  if (totals === undefined) return undefined;
  return { ...readStatuses(totals), causes: readCauses(totals), countedAt: text(totals, 'counted_at') };
}

function readCauses(fields: Unread<Pick<wire.Overview['data'], 'causes'>>): Overview['causes'] {
  return recordList(fields, 'causes').map((one) => ({ cause: text(one, 'cause'), count: number(one, 'count') }));
}

function readStatuses(fields: Unread<wire.Overview['data']['statuses']>): StatusCounts {
  return { active: number(fields, 'active'), reauthorizationRequired: number(fields, 'reauthorization_required') };
}

function readEnding(fields: Unread<wire.Overview['data']['ending'][number]>): EndingConnection {
  const endUser = optionalFields(fields, 'end_user');
  return {
    ...readRef(fields),
    endUser: endUser === undefined ? undefined : { id: text(endUser, 'id'), email: optionalText(endUser, 'email') },
    endsAt: text(fields, 'ends_at'),
    reason: text(fields, 'reason'),
  };
}

function readCrowded(fields: Unread<wire.Overview['data']['crowded_accounts'][number]>): CrowdedAccount {
  return {
    ...readRef(fields),
    email: optionalText(fields, 'email'),
    live: number(fields, 'live'),
    limit: number(fields, 'limit'),
  };
}

function readRef(fields: Unread<wire.Overview['data']['ending'][number]>): ConnectionRef {
  return { providerConfigKey: text(fields, 'provider_config_key'), connectionId: text(fields, 'connection_id') };
}
