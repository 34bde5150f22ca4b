import { ADDRESS_NAMES, addressVariable } from '../../lambdas/gateway/core/contract.ts';
import { serverAddresses } from '../../lambdas/gateway/providers/index.ts';
import type { GatewayConfig } from '../gateway-options.ts';
import type { GatewayFunction } from './function.ts';

/** Names in the option for Google that differ from those in the definition. */
const GOOGLE_OPTIONS: Readonly<Record<keyof GatewayConfig['googleEndpoints'], string>> = {
  ...ADDRESS_NAMES,
  driveActivityBaseUrl: 'drive_activity_base_url',
  calDavBaseUrl: 'caldav_base_url',
  driveMcpEndpoint: 'drive_mcp_endpoint',
  calendarMcpEndpoint: 'calendar_mcp_endpoint',
};

/**
 * Sets the addresses of providers that a deployment replaces. A variable is empty where it replaces none: the function then uses the
 * definition's address, and the local runtime replaces only existing variables.
 */
export function setProviderEndpoints(
  fn: GatewayFunction,
  { googleEndpoints, providerEndpoints }: Pick<GatewayConfig, 'googleEndpoints' | 'providerEndpoints'>,
): void {
  const ofGoogle = new Map(
    Object.entries(GOOGLE_OPTIONS).map(([option, name]) => [name, Reflect.get(googleEndpoints, option)] as const),
  );
  for (const [server, names] of serverAddresses()) {
    for (const name of names) {
      const value = providerEndpoints[server]?.[name] ?? (server === 'google' ? ofGoogle.get(name) : undefined);
      fn.setEnvironment(addressVariable(server, name), typeof value === 'string' ? value : '');
    }
  }
}
