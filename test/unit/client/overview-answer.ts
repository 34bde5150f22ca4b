import type { Overview } from '../../../client/src/index.ts';

/** An overview as it stands on the wire. */
export const OVERVIEW_ON_THE_WIRE = {
  read_at: '2026-01-10T12:00:00.000Z',
  counted_at: '2026-01-10T11:50:00.000Z',
  integrations: 2,
  statuses: { active: 2, reauthorization_required: 1, failing: 1 },
  causes: [{ cause: 'user_revoked', count: 1 }],
  status_by_day: [{ day: '2026-01-10', active: 2, reauthorization_required: 1 }],
  changes_by_day: [
    {
      day: '2026-01-10',
      created: 2,
      deleted: 1,
      died: 1,
      died_by_cause: [{ cause: 'user_revoked', count: 1 }],
      mended: 3,
      refreshes: { renewed: 4, refused: 1, client_refused: 5, failed: 6 },
    },
  ],
  ending_total: 7,
  ending_by_day: [{ day: '2026-01-12', count: 7 }],
  ending: [
    {
      connection_id: 'user-1',
      provider_config_key: 'drive',
      end_user: { id: 'u', email: null },
      ends_at: '2026-01-12T00:00:00.000Z',
      reason: 'testing_mode',
    },
    {
      connection_id: 'user-2',
      provider_config_key: 'drive',
      end_user: null,
      ends_at: '2026-01-13T00:00:00.000Z',
      reason: 'time_limited_access',
    },
  ],
  rejected_integrations: [
    { unique_key: 'drive', display_name: 'Drive', error: 'invalid_client', since: '2026-01-09T00:00:00.000Z' },
  ],
  crowded_accounts: [
    { connection_id: 'user-1', provider_config_key: 'drive', email: 'first.user@example.com', live: 93, limit: 100 },
  ],
};

/** What the library makes of it. */
export const OVERVIEW: Overview = {
  readAt: '2026-01-10T12:00:00.000Z',
  countedAt: '2026-01-10T11:50:00.000Z',
  integrations: 2,
  statuses: { active: 2, reauthorizationRequired: 1, failing: 1 },
  causes: [{ cause: 'user_revoked', count: 1 }],
  statusByDay: [{ day: '2026-01-10', active: 2, reauthorizationRequired: 1 }],
  changesByDay: [
    {
      day: '2026-01-10',
      created: 2,
      deleted: 1,
      died: 1,
      diedByCause: [{ cause: 'user_revoked', count: 1 }],
      mended: 3,
      refreshes: { renewed: 4, refused: 1, clientRefused: 5, failed: 6 },
    },
  ],
  endingTotal: 7,
  endingByDay: [{ day: '2026-01-12', count: 7 }],
  ending: [
    {
      connectionId: 'user-1',
      providerConfigKey: 'drive',
      endUser: { id: 'u', email: undefined },
      endsAt: '2026-01-12T00:00:00.000Z',
      reason: 'testing_mode',
    },
    {
      connectionId: 'user-2',
      providerConfigKey: 'drive',
      endUser: undefined,
      endsAt: '2026-01-13T00:00:00.000Z',
      reason: 'time_limited_access',
    },
  ],
  rejectedIntegrations: [
    { uniqueKey: 'drive', displayName: 'Drive', error: 'invalid_client', since: '2026-01-09T00:00:00.000Z' },
  ],
  crowdedAccounts: [
    { connectionId: 'user-1', providerConfigKey: 'drive', email: 'first.user@example.com', live: 93, limit: 100 },
  ],
};
