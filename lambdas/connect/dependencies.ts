import { openTable } from '../shared/adapters/dynamodb/client.ts';
import { connectionReader } from '../shared/adapters/dynamodb/connection-reader.ts';
import { integrationStore } from '../shared/adapters/dynamodb/integration-store.ts';
import { rateCounter } from '../shared/adapters/dynamodb/rate-counter.ts';
import { connectSessionStore } from '../shared/adapters/dynamodb/session-store.ts';
import { kmsDataKeys } from '../shared/adapters/kms/data-keys.ts';
import { tokenCipher } from '../shared/adapters/kms/token-cipher.ts';
import { clientCredentialsSource } from '../shared/adapters/secrets-manager/client-credentials.ts';
import { openSecretsManager } from '../shared/adapters/secrets-manager/secret-reader.ts';
import { systemClock, systemRandom } from '../shared/adapters/system.ts';
import { jsonLogger } from '../shared/adapters/telemetry/logger.ts';
import { embeddedMetrics } from '../shared/adapters/telemetry/metrics.ts';
import { readConfig } from '../shared/config.ts';
import type { Provider, ProviderId } from '../shared/domain/provider.ts';
import type { IntegrationStore, Logger } from '../shared/ports.ts';
import { providerOf } from '../shared/providers/index.ts';
import type { StartDependencies } from '../shared/use-cases/authorization/start-authorization.ts';

/** What the routes of this function stand on. */
export interface ConnectDependencies extends StartDependencies {
  readonly integrations: Pick<IntegrationStore, 'get' | 'list'>;
  readonly providerOf: (id: ProviderId) => Provider;
  /** Origins that may frame the connect page, receive its messages and read a session. */
  readonly connectAllowedOrigins: readonly string[];
  /** How pages name the app that asks for access. */
  readonly connectAppName: string | undefined;
  readonly logger: Logger;
}

/**
 * Opens what this function needs and no more: it calls no provider and writes no connection, so most of what the other
 * functions stand on stays out of its bundle.
 *
 * @throws Error naming every wrong setting
 */
export function openConnectDependencies(): ConnectDependencies {
  const config = readConfig();
  const metrics = embeddedMetrics(config.metricNamespace);
  const table = openTable(config.tableName, () => metrics.count('StoredValueUnreadable'));
  return {
    sessions: connectSessionStore(table),
    rates: rateCounter(table),
    integrations: integrationStore(table),
    connections: connectionReader(table),
    credentials: clientCredentialsSource(openSecretsManager(), config.testCredentialsArns, systemClock),
    cipher: tokenCipher(kmsDataKeys(table, config.tokenKeyArn, systemClock, metrics), systemRandom),
    endpoints: config.google,
    baseUrl: config.baseUrl,
    connectAllowedOrigins: config.connectAllowedOrigins,
    connectAppName: config.connectAppName,
    clock: systemClock,
    random: systemRandom,
    logger: jsonLogger('connect'),
    metrics,
    providerOf,
  };
}

/** A fresh nonce for one page. */
export function pageNonce(deps: Pick<ConnectDependencies, 'random'>): string {
  return Buffer.from(deps.random.bytes(18)).toString('base64url');
}
