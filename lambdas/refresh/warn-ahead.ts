import type { Connection } from '../gateway/connections/connection.rules.ts';
import {
  expiryRemedy,
  expiryWarningDue,
  healthWord,
  refreshTokenLimit,
  refreshTokenLimitRemedy,
} from '../gateway/connections/health.rules.ts';
import type { ConnectionStore, GivenWarning } from '../gateway/connections/ports.ts';
import { epochSecNow } from '../gateway/core/clock.ts';
import { REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT } from '../gateway/core/limits.ts';
import type { Clock, Logger, Metrics, Random } from '../gateway/core/ports.ts';
import { type EventSays, type LifecycleEventType, newEvent } from '../gateway/events/lifecycle-event.rules.ts';
import type { Integration } from '../gateway/integrations/integration.rules.ts';
import type { ProviderEndpoints, ProviderId } from '../gateway/providers/provider.rules.ts';
import { refOf } from '../gateway/tokens/lease.ts';
import type { ConsentLog } from '../gateway/tokens/ports.ts';

export interface WarnAheadDependencies {
  readonly connections: ConnectionStore;
  readonly consents: Pick<ConsentLog, 'times'>;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/**
 * Reports what is known to come, once per consent: a grant's end two days and one day ahead, and an account near its limit of refresh
 * tokens. Returns the updated connection. A failed write stops nothing: the next look at the connection repeats it.
 */
export async function warnAhead(
  deps: WarnAheadDependencies,
  connection: Connection,
  integration: Integration,
  requestId: string,
): Promise<Connection> {
  try {
    return await warnOfLimit(deps, await warnOfEnd(deps, connection, integration, requestId), integration, requestId);
  } catch (error) {
    deps.logger.error('a warning could not be given', { requestId }, error);
    return connection;
  }
}

function warnOfEnd(
  deps: WarnAheadDependencies,
  connection: Connection,
  integration: Integration,
  requestId: string,
): Promise<Connection> {
  const due = expiryWarningDue(connection, integration, epochSecNow(deps.clock));
  if (due === undefined) return Promise.resolve(connection);
  return give(
    deps,
    connection,
    { kind: 'expiry', number: due.number },
    {
      type: 'ConnectionExpiring',
      says: { reason: due.end.kind, ends_at: new Date(due.end.atEpochSec * 1000).toISOString() },
      remedy: expiryRemedy(due.end),
      requestId,
      integration,
    },
  );
}

/** Queried once per consent, at its first refresh, because only consents raise the count. */
async function warnOfLimit(
  deps: WarnAheadDependencies,
  connection: Connection,
  integration: Integration,
  requestId: string,
): Promise<Connection> {
  const { grants: rules } = deps.endpointsOf(connection.provider).server;
  if (rules.refreshTokensPerAccount === undefined) return connection;
  const subject = connection.providerAccount?.subject;
  if (subject === undefined || connection.lastRefreshedAtEpochSec !== undefined || connection.limitWarned === true) {
    return connection;
  }
  const grants = await deps.connections.sharingGrant(
    connection.clientId,
    subject,
    REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT * 2,
  );
  const times = await deps.consents.times(connection.clientId, subject);
  const limit = refreshTokenLimit(connection.clientId, grants, times, epochSecNow(deps.clock));
  if (limit === undefined) return connection;
  return give(
    deps,
    connection,
    { kind: 'token_limit' },
    {
      type: 'RefreshTokenLimitNear',
      says: { live_tokens: String(limit.live), token_limit: String(limit.limit) },
      remedy: refreshTokenLimitRemedy(limit, connection.accountId),
      requestId,
      integration,
    },
  );
}

async function give(
  deps: WarnAheadDependencies,
  connection: Connection,
  warning: GivenWarning,
  facts: {
    readonly type: LifecycleEventType;
    readonly says: EventSays;
    readonly remedy: string;
    readonly requestId: string;
    readonly integration: Integration;
  },
): Promise<Connection> {
  const event = newEvent(deps.clock, deps.random, facts.type, {
    subject: refOf(connection),
    sequence: connection.sequence + 1,
    endUserId: connection.endUser?.id,
    says: facts.says,
    health: healthWord(connection, facts.integration, epochSecNow(deps.clock)),
    remedy: facts.remedy,
    requestId: facts.requestId,
  });
  if (!(await deps.connections.warn(connection, warning, event))) return connection;
  deps.metrics.count('WarningGiven', { cause: warning.kind });
  return {
    ...connection,
    sequence: event.sequence,
    ...(warning.kind === 'expiry' ? { expiryWarnings: warning.number } : { limitWarned: true }),
  };
}
