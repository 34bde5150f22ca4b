import { reaches } from '../authenticate.ts';
import { searchAccount } from '../connections/search-account.ts';
import { bareRoute, type Caller, type Route } from '../route.ts';
import { searchQuery } from '../schemas/connections.ts';
import { usedConnectionListItem } from '../wire/connection.ts';

/** What one search shows of each kind where nothing else is asked for. */
const SHOWN = 10;

/** One search over everything of the account that has a name. */
export const searchRoutes: readonly Route[] = [
  bareRoute({
    method: 'GET',
    pattern: '/search',
    access: { right: 'read' },
    summary: 'Connections, integrations and secret keys by any part of what they are called, best match first',
    query: searchQuery,
    async handle({ caller, query }, services) {
      const { accountId, integrationIds } = caller;
      const found = await searchAccount(services, {
        accountId,
        integrationIds,
        text: query.q,
        limit: query.limit ?? SHOWN,
        withKeys: mayListKeys(caller),
      });
      return {
        status: 200,
        body: {
          data: {
            connections: found.connections.map(usedConnectionListItem),
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
        },
      };
    },
  }),
];

/** Secret keys are found by whoever may list them. */
function mayListKeys({ operator, key }: Caller): boolean {
  return operator !== undefined || (key?.right === 'full' && key.integrationIds === undefined);
}
