import type { Tally } from '../../gateway/connections/census.rules.ts';
import type { ConnectionFilter } from '../../gateway/connections/connection.rules.ts';
import {
  type ConnectionHealth,
  HEALTH_STATUSES,
  type HealthFilter,
  hasHealth,
  healthOf,
} from '../../gateway/connections/health.rules.ts';
import { epochSecNow } from '../../gateway/core/clock.ts';
import { ownMember } from '../../gateway/core/own-member.ts';
import type { Clock } from '../../gateway/core/ports.ts';
import { domainOf } from '../../gateway/integrations/delegation.rules.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import type { IntegrationStore } from '../../gateway/integrations/ports.ts';
import { PROVIDERS } from '../../gateway/providers/catalogue.ts';
import { domainDeath } from '../../gateway/tokens/delegation.rules.ts';
import type { DelegatedDomainStore } from '../../gateway/tokens/ports.ts';
import type { ShownConnection } from './list-connections.ts';

/** The health of connections in a list, from the facts in the list and the account's integrations. */
export interface ListedHealth {
  of(connection: ShownConnection): ConnectionHealth;
  readonly integrations: readonly Integration[];
}

/** Reads the integrations once for a whole list. */
export async function listedHealth(
  {
    integrations: store,
    clock,
    delegatedDomains,
  }: {
    readonly integrations: Pick<IntegrationStore, 'list'>;
    readonly clock: Clock;
    readonly delegatedDomains: Pick<DelegatedDomainStore, 'list'>;
  },
  accountId: string,
): Promise<ListedHealth> {
  const integrations = await store.list(accountId);
  const byId = new Map(integrations.map((one) => [one.integrationId, one]));
  const nowEpochSec = epochSecNow(clock);
  const delegated = integrations.filter(({ delegation }) => delegation !== undefined);
  const domains = (await Promise.all(delegated.map((one) => delegatedDomains.list(one)))).flat();
  const lost = new Map(
    domains.flatMap((one) => (one.status === 'lost' ? [[keyOf(one.integrationId, one.domain), one] as const] : [])),
  );
  return {
    integrations,
    of: (connection) => {
      const integration = byId.get(connection.integrationId);
      const address = integration?.delegation === undefined ? undefined : connection.providerAccount?.email;
      const domain = lost.get(keyOf(connection.integrationId, domainOf(address ?? '')));
      const health = healthOf(connection, integration, nowEpochSec);
      if (domain === undefined || integration === undefined || health.status === 'dead') return health;
      const death = domainDeath(domain, nowEpochSec, PROVIDERS[integration.provider].server);
      const { sinceEpochSec } = domain;
      return { ...health, status: 'dead', reason: death?.cause, certain: death?.certain, sinceEpochSec };
    },
  };
}

function keyOf(integrationId: string, domain: string): string {
  return JSON.stringify([integrationId, domain]);
}

/** Most integrations in a filter (DynamoDB, operands of `IN`). */
const NAMED_MAX = 100;

/**
 * The filter of the table for a list of one health, or of those that work; undefined where nothing can match. The rest is judged
 * connection by connection.
 */
export function narrowedTo(
  wanted: HealthFilter,
  filter: ConnectionFilter,
  integrations: readonly Integration[],
): ConnectionFilter | undefined {
  const status = wanted === 'dead' ? 'reauthorization_required' : 'active';
  if (filter.status !== undefined && filter.status !== status) return undefined;
  const narrowed: ConnectionFilter = { ...filter, status, ...(wanted === 'failing' ? { isFailing: true } : {}) };
  if (wanted !== 'client_refused') return narrowed;
  const refused = integrations
    .filter(({ clientFault }) => clientFault !== undefined)
    .map(({ integrationId }) => integrationId)
    .filter((id) => filter.integrationIds?.includes(id) !== false);
  if (refused.length === 0) return undefined;
  return refused.length > NAMED_MAX ? narrowed : { ...narrowed, integrationIds: refused };
}

/**
 * How many active connections of a health the running count has.
 *
 * @param integrationIds undefined = of all integrations
 * @returns undefined where the count does not say: it is of an earlier version, or a service account's, whose domains it does not know
 */
export function healthCounter(
  wanted: HealthFilter,
  integrationIds: readonly string[] | undefined,
  integrations: readonly Integration[],
): (counted: Tally) => number | undefined {
  const asked = integrations.filter(({ integrationId }) => integrationIds?.includes(integrationId) !== false);
  return (counted) => {
    let total = 0;
    for (const { integrationId, clientFault, delegation } of asked) {
      const tally = ownMember(counted.integrations, integrationId);
      if (tally === undefined) continue;
      const health = clientFault === undefined ? tally.health : { client_refused: tally.active };
      const isWhole = Object.values(health ?? {}).reduce((sum, count) => sum + count, 0) === tally.active;
      if (health === undefined || !isWhole || delegation !== undefined) return undefined;
      for (const status of HEALTH_STATUSES) if (hasHealth(status, wanted)) total += health[status] ?? 0;
    }
    return total;
  };
}
