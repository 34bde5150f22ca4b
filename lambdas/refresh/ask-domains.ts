import type { Connection } from '../gateway/connections/connection.rules.ts';
import type { ConnectionLists, ConnectionStore } from '../gateway/connections/ports.ts';
import { epochSecNow } from '../gateway/core/clock.ts';
import {
  DELEGATION_LOOK_SEC,
  DELEGATION_PROBE_SEC,
  DOMAIN_LOOK_PAGES,
  DOMAINS_PER_TICK,
  SWEEP_PAGE_SIZE,
} from '../gateway/core/limits.ts';
import type { Clock, Logger, Metrics } from '../gateway/core/ports.ts';
import type { IntegrationStore } from '../gateway/integrations/ports.ts';
import type { DelegatedDomain } from '../gateway/tokens/delegation.rules.ts';
import type { DelegatedDomainStore } from '../gateway/tokens/ports.ts';
import { domainOfConnection } from '../gateway/tokens/refresh-for-subject.ts';
import type { ConnectionRefresher } from '../gateway/tokens/refresher.ts';

export interface AskDomainsDependencies {
  readonly delegatedDomains: Pick<DelegatedDomainStore, 'due' | 'claimProbe' | 'rest'>;
  readonly connections: Pick<ConnectionStore, 'read'>;
  readonly integrations: Pick<IntegrationStore, 'get'>;
  readonly lists: Pick<ConnectionLists, 'page'>;
  readonly refresher: Pick<ConnectionRefresher, 'refresh'>;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/**
 * Asks the provider about due domains. Lost ones are asked about every ten minutes, so an administrator who lists the service account
 * again restores all of their connections without any call. The others are asked about every hour until a week after the last call, so
 * a removed service account is noticed (SA-23, SA-25). Each question is a refresh of one connection of the domain, and takes the
 * domain's turn as calls do. A failure stops no other domain, and is repeated when the domain is due next.
 *
 * @param untilMs none is begun after this
 * @returns how many were asked about
 */
export async function askDomains(deps: AskDomainsDependencies, untilMs: number, requestId: string): Promise<number> {
  const { delegatedDomains, clock, metrics, logger } = deps;
  let asked = 0;
  for (const domain of await delegatedDomains.due(epochSecNow(clock), DOMAINS_PER_TICK)) {
    if (clock.nowMs() >= untilMs) break;
    try {
      if (await askOne(deps, domain, untilMs, requestId)) asked++;
    } catch (error) {
      metrics.count('SweepItemFailed');
      logger.error('a domain could not be asked for', { requestId }, error);
    }
  }
  return asked;
}

async function askOne(
  deps: AskDomainsDependencies,
  domain: DelegatedDomain,
  untilMs: number,
  requestId: string,
): Promise<boolean> {
  const { delegatedDomains, integrations, refresher, clock } = deps;
  const { accountId, integrationId } = domain;
  const integration = await integrations.get({ accountId, integrationId });
  const isWanted = domain.status === 'lost' || (domain.lookUntilEpochSec ?? 0) > epochSecNow(clock);
  const connection = integration === undefined || !isWanted ? undefined : await someoneOf(deps, domain);
  if (integration === undefined || connection === undefined) {
    // No connection of the domain is left or in use; the next call for one asks by itself.
    await delegatedDomains.rest(domain);
    return false;
  }
  const nextEpochSec = epochSecNow(clock) + (domain.status === 'lost' ? DELEGATION_PROBE_SEC : DELEGATION_LOOK_SEC);
  if (!(await delegatedDomains.claimProbe(domain, nextEpochSec, connection.connectionId))) return false;
  await refresher.refresh(connection, integration, {
    wait: false,
    force: true,
    budgetMs: Math.max(1_000, untilMs - clock.nowMs()),
    requestId,
  });
  return true;
}

/** A connection to ask with: the one that was used last, or another that is not dead for a reason of its own. */
async function someoneOf(deps: AskDomainsDependencies, domain: DelegatedDomain): Promise<Connection | undefined> {
  const { connections, lists } = deps;
  const { accountId, integrationId, askedForConnectionId } = domain;
  const livingOf = async (connectionId: string): Promise<Connection | undefined> => {
    const connection = await connections.read({ accountId, integrationId, connectionId });
    return connection?.status === 'active' && domainOfConnection(connection) === domain.domain ? connection : undefined;
  };
  const last = askedForConnectionId === undefined ? undefined : await livingOf(askedForConnectionId);
  if (last !== undefined) return last;
  let after: string | undefined;
  for (let page = 0; page < DOMAIN_LOOK_PAGES; page++) {
    const { refs, next } = await lists.page(accountId, [{ kind: 'INTEGRATION', value: integrationId }], undefined, {
      order: 'newest',
      after,
      count: SWEEP_PAGE_SIZE,
    });
    for (const { connectionId } of refs) {
      const connection = await livingOf(connectionId);
      if (connection !== undefined) return connection;
    }
    if (next === undefined) return undefined;
    after = next;
  }
  return undefined;
}
