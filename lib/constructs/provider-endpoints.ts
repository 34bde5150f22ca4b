import { ADDRESS_NAMES, addressVariable } from '../../lambdas/gateway/contract.ts';
import type { GatewayConfig } from '../gateway-options.ts';
import type { GatewayFunction } from './function.ts';

/** Where the option for Google says an address under a name of its own. */
const GOOGLE_OPTIONS = {
  ...ADDRESS_NAMES,
  driveActivityBaseUrl: 'drive_activity_base_url',
  calDavBaseUrl: 'caldav_base_url',
} as const satisfies Record<keyof GatewayConfig['googleEndpoints'], string>;

/** Tells a function which addresses of providers a deployment replaces; it knows all others from their definitions. */
export function setProviderEndpoints(
  fn: GatewayFunction,
  { googleEndpoints, providerEndpoints }: Pick<GatewayConfig, 'googleEndpoints' | 'providerEndpoints'>,
): void {
  const ofGoogle = Object.entries(GOOGLE_OPTIONS).flatMap(([option, name]) => {
    const value = Reflect.get(googleEndpoints, option);
    return typeof value === 'string' ? [['google', name, value] as const] : [];
  });
  const others = Object.entries(providerEndpoints).flatMap(([server, addresses]) =>
    Object.entries(addresses).map(([name, value]) => [server, name, value] as const),
  );
  for (const [server, name, value] of [...ofGoogle, ...others]) fn.setEnvironment(addressVariable(server, name), value);
}
