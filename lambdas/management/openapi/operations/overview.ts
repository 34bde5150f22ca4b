import { overview } from '../answers/overview.ts';
import type { Operations } from '../operation.ts';
import { CONNECTION, INTEGRATION } from './sample.ts';

/** The account at a glance. */
export const overviewOperations: Operations = {
  'GET /overview': {
    id: 'getOverview',
    tag: 'Connections',
    description:
      'Reads at most the 10,000 newest connections, and 200 of them in full; covered says how many there were, and totals has a count of all where these are more. A key limited to some integrations sees those.',
    status: 200,
    answer: overview,
    errors: [],
    example: {
      answer: {
        data: {
          read_at: '2026-03-01T12:00:00.000Z',
          covered: { connections: 12, complete: true, in_detail: 12 },
          integrations: 1,
          statuses: { active: 11, reauthorization_required: 1 },
          causes: [{ cause: 'user_revoked', count: 1 }],
          totals: null,
          status_by_day: [{ day: '2026-03-01', active: 11, reauthorization_required: 1 }],
          undated_deaths: 0,
          refreshes_by_day: [{ day: '2026-03-01', renewed: 9, refused: 1 }],
          ending: [
            {
              connection_id: CONNECTION,
              provider_config_key: INTEGRATION,
              end_user: { id: 'user-42', email: 'first.user@example.com' },
              ends_at: '2026-03-08T11:50:00.000Z',
              reason: 'testing_mode',
            },
          ],
          rejected_integrations: [],
          crowded_accounts: [],
        },
      },
    },
  },
};
