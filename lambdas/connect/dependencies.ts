import { pickStore } from '../gateway/authorization/pick.store.ts';
import type { PickStore } from '../gateway/authorization/ports.ts';
import { connectSessionStore } from '../gateway/authorization/session.store.ts';
import { rateCounter } from '../gateway/calls/rate-counter.store.ts';
import { readConfig } from '../gateway/config.ts';
import type { Brand } from '../gateway/core/brand.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway/core/http-message.ts';
import type { Logger } from '../gateway/core/ports.ts';
import { brandSource } from '../gateway/http/html-page.ts';
import { integrationStore } from '../gateway/integrations/integration.store.ts';
import type { IntegrationStore } from '../gateway/integrations/ports.ts';
import { clientIdSource } from '../gateway/integrations/test-client.store.ts';
import type { DescribedPath } from '../gateway/openapi/operation.ts';
import { type BuiltFileName, openBuiltTexts, readBuiltFile } from '../gateway/platform/built-file.ts';
import { systemClock, systemRandom } from '../gateway/platform/clock.ts';
import { openTable } from '../gateway/platform/dynamodb/client.ts';
import { kmsDataKeys, tokenCipher } from '../gateway/platform/kms/token-cipher.ts';
import { embeddedMetrics, jsonLogger } from '../gateway/platform/telemetry.ts';
import { PROVIDERS } from '../gateway/providers/catalogue.ts';
import { allProviders } from '../gateway/providers/index.ts';
import { connectionReader } from './connection-reader.store.ts';
import type { StartDependencies } from './start-authorization.ts';

/** Dependencies of this function's routes. */
export interface ConnectDependencies extends StartDependencies {
  readonly integrations: Pick<IntegrationStore, 'get' | 'list'>;
  readonly picks: Pick<PickStore, 'read'>;
  /** Origins that may frame the connect page, receive its messages and read a session. */
  readonly connectAllowedOrigins: readonly string[];
  /** Origin of the dashboard, where operators see the preview; undefined without one. */
  readonly dashboardOrigin: string | undefined;
  /** The brand shown on the pages. */
  readonly brand: () => Promise<Brand>;
  readonly logger: Logger;
  readonly builtText: (name: BuiltFileName) => Promise<string>;
}

/**
 * Opens only what this function needs. It calls no provider and writes no connection, so most dependencies of the other
 * functions stay out of its bundle.
 *
 * @throws Error naming every wrong setting
 */
export function openConnectDependencies(): ConnectDependencies {
  const config = readConfig(allProviders(), undefined, 'unread');
  const metrics = embeddedMetrics(config.metricNamespace);
  const table = openTable(config.tableName, {
    onUnreadable: () => metrics.count('StoredValueUnreadable'),
    onThrottled: () => metrics.count('TableThrottled'),
  });
  return {
    sessions: connectSessionStore(table),
    rates: rateCounter(table),
    integrations: integrationStore(table),
    connections: connectionReader(table),
    clientIds: clientIdSource(table),
    cipher: tokenCipher(kmsDataKeys(table, config.tokenKeyArn, systemClock, metrics), systemRandom),
    endpointsOf: config.endpointsOf,
    baseUrl: config.baseUrl,
    connectAllowedOrigins: config.connectAllowedOrigins,
    dashboardOrigin: config.dashboardOrigin,
    brand: brandSource(config.brand, readBuiltFile),
    clock: systemClock,
    random: systemRandom,
    logger: jsonLogger('connect'),
    builtText: openBuiltTexts(),
    metrics,
    providers: PROVIDERS,
    picks: pickStore(table),
  };
}

/** A fresh nonce for one page. */
export function pageNonce(deps: Pick<ConnectDependencies, 'random'>): string {
  return Buffer.from(deps.random.bytes(18)).toString('base64url');
}

/** A path of the browser's side of connecting: its description in the API's document, and its handler for every method. */
export interface ConnectRoute extends DescribedPath {
  /** @throws GatewayError */
  answer(deps: ConnectDependencies, request: GatewayRequest): Promise<GatewayResponse>;
}
