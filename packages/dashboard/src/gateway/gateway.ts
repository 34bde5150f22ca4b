import type { DashboardConfig } from '../config.ts';
import { authorizedFetch, OPERATOR_PLACEHOLDER, type TokenSource } from './authorized-fetch.ts';
import { type ClientsOfFeatures, GatewayClient } from './library.ts';

/** Longest wait for one answer; a forced refresh and a check end sooner. */
const TIMEOUT_MS = 30_000;

/** Everything the pages call. */
export interface Gateway
  extends Pick<
    GatewayClient,
    | 'integrations'
    | 'connections'
    | 'calls'
    | 'usage'
    | 'quota'
    | 'audit'
    | 'connectSessions'
    | 'providers'
    | 'keys'
    | 'testCredentials'
    | 'overview'
    | keyof ClientsOfFeatures
  > {
  /** Address of the gateway without a trailing slash. */
  readonly baseUrl: string;
  /** Where proxied calls go, likewise. */
  readonly proxyUrl: string;
}

/** The gateway as the signed-in operator reaches it. */
export function openGateway(config: DashboardConfig, tokens: TokenSource): Gateway {
  const client = new GatewayClient({
    baseUrl: config.apiBaseUrl,
    secretKey: OPERATOR_PLACEHOLDER,
    timeoutMs: TIMEOUT_MS,
    fetch: authorizedFetch(tokens),
  });
  return Object.assign(client, { baseUrl: config.apiBaseUrl, proxyUrl: config.proxyUrl });
}
