import { reaches } from '../authenticate.ts';
import { pendingRevocations } from '../connections/pending-revocations.ts';
import { bareRoute, type Route } from '../route.ts';
import { revocationsQuery } from '../schemas/connections.ts';
import { pendingRevocationsOnTheWire } from '../wire/revocation.ts';

const DETAILED_DEFAULT = 20;

/** Grants of deleted connections that the provider is still to end. */
export const revocationRoutes: readonly Route[] = [
  bareRoute({
    method: 'GET',
    pattern: '/revocations',
    access: { right: 'read' },
    summary: 'How many grants of deleted connections are still to be ended at the provider, and the oldest of them',
    query: revocationsQuery,
    async handle({ caller, query }, services) {
      const asked = query.integrationId?.filter((id) => reaches(caller, id)) ?? caller.integrationIds;
      const found = await pendingRevocations(services, caller.accountId, asked, query.limit ?? DETAILED_DEFAULT);
      return { status: 200, body: { data: pendingRevocationsOnTheWire(found) } };
    },
  }),
];
