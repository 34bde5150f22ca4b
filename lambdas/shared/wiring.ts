import { randomUUID } from 'node:crypto';
import { correctedClock } from './adapters/corrected-clock.ts';
import { auditTrail } from './adapters/dynamodb/audit-trail.ts';
import { callTotals } from './adapters/dynamodb/call-totals.ts';
import { callerStore } from './adapters/dynamodb/caller-store.ts';
import { openTable, type Table } from './adapters/dynamodb/client.ts';
import { connectionStore } from './adapters/dynamodb/connection-store.ts';
import { connectionUpkeep } from './adapters/dynamodb/connection-upkeep.ts';
import { consentLog } from './adapters/dynamodb/consent-log.ts';
import { deathCounter } from './adapters/dynamodb/death-counter.ts';
import { escrowStore } from './adapters/dynamodb/escrow-store.ts';
import { integrationStore } from './adapters/dynamodb/integration-store.ts';
import type { OnUnreadable } from './adapters/dynamodb/item-reader.ts';
import { revocationStore } from './adapters/dynamodb/revocation-store.ts';
import { unconfirmedGrantStore } from './adapters/dynamodb/unconfirmed-store.ts';
import { openEgress } from './adapters/http/egress.ts';
import { httpTokenEndpoint } from './adapters/http/token-endpoint.ts';
import { kmsDataKeys } from './adapters/kms/data-keys.ts';
import { tokenCipher } from './adapters/kms/token-cipher.ts';
import { clientCredentialsSource } from './adapters/secrets-manager/client-credentials.ts';
import { openSecretsManager } from './adapters/secrets-manager/secret-reader.ts';
import { systemClock, systemRandom } from './adapters/system.ts';
import { jsonLogger } from './adapters/telemetry/logger.ts';
import { embeddedMetrics } from './adapters/telemetry/metrics.ts';
import { type Config, readConfig } from './config.ts';
import type { FunctionName } from './contract.ts';
import type { RefreshPolicy } from './domain/refresh-policy.ts';
import type { Upstream } from './domain/upstream.ts';
import type {
  CallerStore,
  ClientCredentialsSource,
  Clock,
  ConnectionStore,
  ConsentLog,
  IntegrationStore,
  Logger,
  Metrics,
  Random,
  TokenCipher,
  TokenEndpoint,
} from './ports.ts';
import { CallAdmission } from './use-cases/limits/call-admission.ts';
import { LongCalls } from './use-cases/limits/long-calls.ts';
import { ConnectionRefresher } from './use-cases/refresh/refresh-connection.ts';
import { LeaseHolder } from './use-cases/refresh/refresh-under-lease.ts';

/** What every function stands on, made once per cold start. */
export interface Foundation {
  readonly config: Config;
  readonly table: Table;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly refreshPolicy: RefreshPolicy;
  readonly upstream: Upstream;
  readonly tokenEndpoint: TokenEndpoint;
  readonly cipher: TokenCipher;
  readonly credentials: ClientCredentialsSource;
  readonly secretsManager: ReturnType<typeof openSecretsManager>;
  readonly callers: CallerStore;
  readonly connections: ConnectionStore;
  readonly integrations: IntegrationStore;
  readonly consents: ConsentLog;
}

/** Reads the configuration and opens the clients. @throws Error naming every wrong setting */
export function layFoundation(functionName: FunctionName): Foundation {
  const config = readConfig();
  const metrics = embeddedMetrics(config.metricNamespace);
  const logger = jsonLogger(functionName);
  const table = openTable(config.tableName, unreadableRows(metrics, logger));
  const { clock, listenTo } = correctedClock(systemClock);
  const upstream = listenTo(openEgress(config.loopbackProvider));
  const secretsManager = openSecretsManager();
  return {
    config,
    table,
    clock,
    random: systemRandom,
    logger,
    metrics,
    refreshPolicy: config.refreshPolicy,
    upstream,
    tokenEndpoint: httpTokenEndpoint(upstream),
    cipher: tokenCipher(kmsDataKeys(table, config.tokenKeyArn, clock, metrics), systemRandom),
    credentials: clientCredentialsSource(secretsManager, config.testCredentialsArns, clock),
    secretsManager,
    callers: callerStore(table),
    connections: connectionStore(table),
    integrations: integrationStore(table),
    consents: consentLog(table),
  };
}

/** Counts and names the rows that lists leave out (CR-10). */
function unreadableRows(metrics: Metrics, logger: Logger): OnUnreadable {
  return ({ accountId, integrationId }, { attribute }) => {
    metrics.count('StoredValueUnreadable');
    logger.warn('a row that cannot be read was left out of a list', {
      cause: attribute,
      ...(typeof accountId === 'string' ? { accountId } : {}),
      ...(typeof integrationId === 'string' ? { integrationId } : {}),
    });
  };
}

/** The stores of refreshing: what keeps tokens and events safe beside the rows themselves. */
export function refreshStores(table: Table) {
  return {
    upkeep: connectionUpkeep(table),
    escrow: escrowStore(table),
    revocations: revocationStore(table),
    unconfirmed: unconfirmedGrantStore(table),
    deaths: deathCounter(table),
    audit: auditTrail(table),
  };
}

/** What counts the calls of a process. */
export function makeAdmission(foundation: Foundation): CallAdmission {
  return new CallAdmission({ ...foundation, totals: callTotals(foundation.table) }, foundation.config.callLimits);
}

/** What keeps long calls within their limits. */
export function makeLongCalls(foundation: Foundation): LongCalls {
  return new LongCalls({ ...foundation, totals: callTotals(foundation.table) }, foundation.config.callLimits);
}

/** The one refresher of a process. */
export function makeRefresher(foundation: Foundation): ConnectionRefresher {
  const timing = foundation.config.refreshTiming;
  const common = { ...foundation, timing };
  const holder = new LeaseHolder({
    ...common,
    ...refreshStores(foundation.table),
    endpoints: foundation.config.google,
  });
  return new ConnectionRefresher({ ...common, holder, owner: randomUUID() });
}
