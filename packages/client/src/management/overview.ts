import {
  fieldsOf,
  number,
  optionalFields,
  optionalNumber,
  optionalText,
  recordList,
  text,
  textList,
  type Unread,
} from '../http/fields.ts';
import type { ConnectionRef } from '../http/headers.ts';
import type { CallOptions, Manage } from './manage.ts';
import type {
  Attention,
  CauseCount,
  CountedChanges,
  CrowdedAccount,
  EndingConnection,
  HealthCounts,
  IntegrationFigures,
  Overview,
  StatusCounts,
} from './overview-types.ts';
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
    const { data } = await manage('getOverview', { options });
    return readOverview(fieldsOf(data, 'data'));
  };
}

function readOverview(fields: Unread<wire.Overview['data']>): Overview {
  const statuses = fieldsOf(fields.statuses, 'statuses');
  return {
    readAt: text(fields, 'read_at'),
    countedAt: optionalText(fields, 'counted_at'),
    integrations: number(fields, 'integrations'),
    statuses: {
      ...readStatuses(statuses),
      failing: number(statuses, 'failing'),
      refusedByProvider: optionalNumber(statuses, 'refused_by_provider') ?? 0,
    },
    health: readKnownHealth(optionalFields(fields, 'health')),
    byIntegration: recordList(fields, 'by_integration').map(readIntegration),
    attention: recordList(fields, 'attention').map(readAttention),
    causes: recordList(fields, 'causes').map(readCause),
    statusByDay: recordList(fields, 'status_by_day').map((one) => ({ day: text(one, 'day'), ...readStatuses(one) })),
    changesByDay: recordList(fields, 'changes_by_day').map((one) => ({ day: text(one, 'day'), ...readChanges(one) })),
    endingTotal: number(fields, 'ending_total'),
    endingByDay: recordList(fields, 'ending_by_day').map((one) => ({
      day: text(one, 'day'),
      count: number(one, 'count'),
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

/** Changes of connections. @throws UnexpectedAnswerError */
export function readChanges(fields: Unread<wire.ConnectionCounts['data']['total']>): CountedChanges {
  const refreshes = fieldsOf(fields.refreshes, 'refreshes');
  return {
    created: number(fields, 'created'),
    deleted: number(fields, 'deleted'),
    died: number(fields, 'died'),
    diedByCause: recordList(fields, 'died_by_cause').map(readCause),
    mended: number(fields, 'mended'),
    refreshes: {
      renewed: number(refreshes, 'renewed'),
      refused: number(refreshes, 'refused'),
      clientRefused: number(refreshes, 'client_refused'),
      failed: number(refreshes, 'failed'),
    },
  };
}

function readCause(fields: Unread<wire.Overview['data']['causes'][number]>): CauseCount {
  return { cause: text(fields, 'cause'), count: number(fields, 'count') };
}

function readStatuses(
  fields: Unread<Pick<wire.Overview['data']['statuses'], 'active' | 'reauthorization_required'>>,
): StatusCounts {
  return { active: number(fields, 'active'), reauthorizationRequired: number(fields, 'reauthorization_required') };
}

function readKnownHealth(fields: Unread<wire.Overview['data']['health']> | undefined): HealthCounts | undefined {
  return fields === undefined ? undefined : readHealth(fields);
}

function readHealth(fields: Unread<wire.Overview['data']['health']>): HealthCounts {
  return {
    working: number(fields, 'working'),
    failing: number(fields, 'failing'),
    refusedByProvider: number(fields, 'refused_by_provider'),
    clientRefused: number(fields, 'client_refused'),
    dead: number(fields, 'dead'),
  };
}

function readIntegration(fields: Unread<wire.Overview['data']['by_integration'][number]>): IntegrationFigures {
  const week = fieldsOf(fields.week, 'week');
  return {
    uniqueKey: text(fields, 'unique_key'),
    displayName: text(fields, 'display_name'),
    ...readHealth(fields),
    week: {
      created: number(week, 'created'),
      deleted: number(week, 'deleted'),
      died: number(week, 'died'),
      mended: number(week, 'mended'),
    },
  };
}

function readAttention(fields: Unread<wire.Attention>): Attention {
  return {
    kind: text(fields, 'kind'),
    severity: text(fields, 'severity'),
    title: text(fields, 'title'),
    explanation: text(fields, 'explanation'),
    who: text(fields, 'who'),
    steps: textList(fields, 'steps'),
    warning: optionalText(fields, 'warning'),
    since: optionalText(fields, 'since'),
    until: optionalText(fields, 'until'),
    count: number(fields, 'count'),
    total: optionalNumber(fields, 'total'),
    providerConfigKey: optionalText(fields, 'provider_config_key'),
    state: optionalText(fields, 'state'),
    reason: optionalText(fields, 'reason'),
    id: optionalText(fields, 'id'),
  };
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
