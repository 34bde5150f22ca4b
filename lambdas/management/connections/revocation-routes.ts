import * as z from 'zod';
import { count, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { CONNECTION, INTEGRATION } from '../../gateway/openapi/sample.ts';
import { reaches } from '../authenticate.ts';
import { refuseUnknownFilter } from '../integrations/unknown-integrations.ts';
import { isoTime, type Route, route } from '../route.ts';
import { integerParam, integrationList } from '../schemas/common.ts';
import { type PendingRevocations, pendingRevocations } from './pending-revocations.ts';

/** Query of `GET /revocations`. */
const revocationsQuery = z.strictObject({
  provider_config_key: integrationList
    .optional()
    .meta({ description: 'The unique_key of an integration, or several separated by commas.' }),
  limit: integerParam(1, 100).optional(),
});

const DETAILED_DEFAULT = 20;

const pending = documented(() =>
  z.object({
    pending: count().meta({ description: 'Number of grants that the provider has not revoked yet.' }),
    complete: z.boolean().meta({ description: 'false if there are more than were counted.' }),
    oldest: z.array(
      z.object({
        provider_config_key: z.string(),
        connection_id: z.string(),
        requested_at: time(),
        retry_at: time(),
        failed_attempts: count(),
      }),
    ),
  }),
);

/** Pending revocations in the API's spelling. No token and no account of the provider is in it. */
function pendingRevocationsOnTheWire({ count, complete, oldest }: PendingRevocations): AnswerOf<typeof pending> {
  return {
    pending: count,
    complete,
    oldest: oldest.map(({ ref, requestedAtEpochSec, retryAtEpochSec, failureCount }) => ({
      provider_config_key: ref.integrationId,
      connection_id: ref.connectionId,
      requested_at: isoTime(requestedAtEpochSec),
      retry_at: isoTime(retryAtEpochSec),
      failed_attempts: failureCount,
    })),
  };
}

/** Grants of deleted connections that the provider is still to end. */
export const revocationRoutes: readonly Route[] = [
  route({
    method: 'GET',
    pattern: '/revocations',
    access: { right: 'read' },
    query: revocationsQuery,
    formerQuery: { integrationId: 'provider_config_key' },
    describe: documented(() => ({
      id: 'listPendingRevocations',
      tag: 'Connections',
      summary: 'List grants of deleted connections that are still to be revoked at the provider, oldest first',
      description:
        'A deletion with revoke calls the provider at once; if that fails, the schedule retries until the provider confirms it. A key that is limited to some integrations sees only those.',
      answer: z.object({ data: pending() }).meta({ id: 'PendingRevocations' }),
      errors: [],
      example: {
        query: { integrationId: INTEGRATION },
        answer: {
          data: {
            pending: 1,
            complete: true,
            oldest: [
              {
                provider_config_key: INTEGRATION,
                connection_id: CONNECTION,
                requested_at: '2026-03-01T12:00:00.000Z',
                retry_at: '2026-03-01T12:00:30.000Z',
                failed_attempts: 1,
              },
            ],
          },
        },
      },
    })),
    async handle({ caller, query }, services) {
      const asked = query.provider_config_key?.filter((id) => reaches(caller, id)) ?? caller.integrationIds;
      if (query.provider_config_key !== undefined) await refuseUnknownFilter(services, caller, asked);
      const found = await pendingRevocations(services, caller.accountId, asked, query.limit ?? DETAILED_DEFAULT);
      return { data: pendingRevocationsOnTheWire(found) };
    },
  }),
];
