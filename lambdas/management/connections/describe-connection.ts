import type { Connection } from '../../gateway/connections/connection.rules.ts';
import {
  type ConnectionHealth,
  expectedEnd,
  healthOf,
  healthSubjectOf,
  type RefreshTokenLimit,
  refreshTokenLimit,
} from '../../gateway/connections/health.rules.ts';
import type { ConnectionStore } from '../../gateway/connections/ports.ts';
import { epochSecNow } from '../../gateway/core/clock.ts';
import { connectionRefKey } from '../../gateway/core/identifiers.ts';
import { REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT } from '../../gateway/core/limits.ts';
import type { Clock } from '../../gateway/core/ports.ts';
import { domainOf } from '../../gateway/integrations/delegation.rules.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import type { ProviderEndpoints, ProviderId } from '../../gateway/providers/provider.rules.ts';
import { domainDeath, underDomain } from '../../gateway/tokens/delegation.rules.ts';
import type { ConsentLog, DelegatedDomainStore } from '../../gateway/tokens/ports.ts';

/** Forecasts for an active grant; undefined members do not apply. */
export interface Forecasts {
  readonly testingModeEndsAtEpochSec: number | undefined;
  /** The end the user chose. */
  readonly accessEndsAtEpochSec: number | undefined;
  /** Once Google's limit of live refresh tokens is near. */
  readonly refreshTokenLimit: RefreshTokenLimit | undefined;
}

export interface DomainOfConnectionDependencies {
  readonly delegatedDomains: Pick<DelegatedDomainStore, 'read'>;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
  readonly clock: Clock;
}

/** A connection's effective state: where a domain does not list the service account, none of its connections work. */
export async function inItsDomain(
  { delegatedDomains, endpointsOf, clock }: DomainOfConnectionDependencies,
  connection: Connection,
): Promise<Connection> {
  if (connection.delegated !== true) return connection;
  const { accountId, integrationId } = connection;
  const domain = await delegatedDomains.read(
    { accountId, integrationId },
    domainOf(connection.providerAccount?.email ?? ''),
  );
  return underDomain(connection, domainDeath(domain, epochSecNow(clock), endpointsOf(connection.provider).server));
}

/** Other connections of the same grant. */
export interface GrantSharing {
  /** Other live connections of the same provider account and Cloud project: one revocation ends them all. */
  readonly sharing: number;
  readonly refreshTokenLimit: RefreshTokenLimit | undefined;
}

export interface GrantSharingDependencies {
  readonly connections: Pick<ConnectionStore, 'sharingGrant'>;
  readonly consents: Pick<ConsentLog, 'times'>;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
  readonly clock: Clock;
}

/** Counts the connections of a grant: one bounded index query and one read. Undefined where the grant's account is unknown. */
export async function grantSharing(
  { connections, consents, clock, endpointsOf }: GrantSharingDependencies,
  connection: Connection,
): Promise<GrantSharing | undefined> {
  const subject = connection.providerAccount?.subject;
  if (subject === undefined) return undefined;
  const { grants } = endpointsOf(connection.provider).server;
  if (grants.sharedInProject !== true || connection.delegated === true)
    return { sharing: 0, refreshTokenLimit: undefined };
  const limit = REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT * 2;
  const [sharers, times] = await Promise.all([
    connections.sharingGrant(connection.clientId, subject, limit),
    consents.times(connection.clientId, subject),
  ]);
  const self = connectionRefKey(connection);
  return {
    sharing: sharers.filter((sharer) => sharer.unconfirmed === undefined && connectionRefKey(sharer) !== self).length,
    refreshTokenLimit: refreshTokenLimit(connection.clientId, sharers, times, epochSecNow(clock)),
  };
}

/** Forecasts how an active grant will end; a dead one has none. */
export function forecastsOf(
  connection: Connection,
  integration: Integration,
  sharing: GrantSharing | undefined,
): Forecasts {
  const end = expectedEnd(connection, integration);
  return {
    testingModeEndsAtEpochSec: end?.kind === 'testing_mode' ? end.atEpochSec : undefined,
    accessEndsAtEpochSec: end?.kind === 'time_limited_access' ? end.atEpochSec : undefined,
    refreshTokenLimit: connection.status === 'active' ? sharing?.refreshTokenLimit : undefined,
  };
}

/** The health of a connection as of now. */
export function healthNow(
  { clock }: { readonly clock: Clock },
  connection: Connection,
  integration: Integration,
): ConnectionHealth {
  return healthOf(healthSubjectOf(connection), integration, epochSecNow(clock));
}
