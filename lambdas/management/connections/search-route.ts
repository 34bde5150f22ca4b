import * as z from 'zod';
import { KEY_RIGHTS } from '../../gateway/keys/credentials.rules.ts';
import { time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import { LIST_ITEM } from '../../gateway/openapi/sample.ts';
import { PROVIDER_IDS } from '../../gateway/providers/provider.rules.ts';
import { reaches } from '../authenticate.ts';
import { type Caller, type Route, route } from '../route.ts';
import { integerParam, queryText } from '../schemas/common.ts';
import { listItemAnswer, totalAnswer, totalIsComplete, usedConnectionListItem } from './connection-answer.ts';
import { listedHealth } from './listed-health.ts';
import { searchAccount } from './search-account.ts';

/** Default number of results of each kind. */
const SHOWN = 10;

/** One search over everything with a name in the account. */
export const searchRoute: Route = route({
  method: 'GET',
  pattern: '/search',
  access: { right: 'read' },
  query: z.strictObject({ q: queryText, limit: integerParam(1, 50).optional() }),
  describe: documented(() => ({
    id: 'search',
    tag: 'Connections',
    summary: 'Search connections, integrations and secret keys by any part of their names and ids, best match first',
    description:
      'Every word must be part of one of these texts: for a connection, the end user’s name, e-mail and id, the organization, the provider account, the connection id, or a tag as key=value; for an integration, its name or unique_key; for a secret key, its name or id. Case and accents are ignored. Only callers who may list secret keys find them. total counts connections; total_is_complete is false if there are more than a search can find.',
    answer: z
      .object({
        data: z.object({
          connections: z.array(listItemAnswer()),
          total: totalAnswer(),
          total_is_complete: totalIsComplete(),
          integrations: z.array(
            z.object({ unique_key: z.string(), display_name: z.string(), provider: z.enum(PROVIDER_IDS) }),
          ),
          keys: z.array(
            z.object({
              id: z.string(),
              name: z.string(),
              right: z.enum(KEY_RIGHTS),
              revoked_at: time().nullable(),
            }),
          ),
        }),
      })
      .meta({ id: 'SearchAnswer' }),
    errors: [],
    example: {
      query: { q: 'first user' },
      answer: {
        data: {
          connections: [{ ...LIST_ITEM, last_used_at: null }],
          total: 1,
          total_is_complete: true,
          integrations: [],
          keys: [],
        },
      },
    },
  })),
  async handle({ caller, query }, services) {
    const { accountId, integrationIds } = caller;
    const health = await listedHealth(services, accountId);
    const found = await searchAccount(services, {
      accountId,
      integrationIds,
      text: query.q,
      limit: query.limit ?? SHOWN,
      withKeys: mayListKeys(caller),
    });
    return {
      data: {
        connections: found.connections.map((one) => usedConnectionListItem(one, health.of(one))),
        total: found.total,
        total_is_complete: found.complete,
        integrations: found.integrations
          .filter(({ integrationId }) => reaches(caller, integrationId))
          .map(({ integrationId, displayName, provider }) => ({
            unique_key: integrationId,
            display_name: displayName,
            provider,
          })),
        keys: found.keys.map(({ keyHash, name, right, revokedAt }) => ({
          id: keyHash,
          name,
          right,
          revoked_at: revokedAt ?? null,
        })),
      },
    };
  },
});

/** Callers that may list secret keys may also find them. */
function mayListKeys({ operator, key }: Caller): boolean {
  return operator !== undefined || (key?.right === 'full' && key.integrationIds === undefined);
}
