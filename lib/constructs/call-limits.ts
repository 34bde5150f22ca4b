import { ENVIRONMENT } from '../../lambdas/gateway/core/contract.ts';
import type { GatewayConfig } from '../gateway-options.ts';
import type { GatewayFunction } from './function.ts';

/** Sets a function's limits of calls. */
export function setCallLimits(fn: GatewayFunction, config: GatewayConfig): void {
  fn.setEnvironment(ENVIRONMENT.callsPerMinutePerKey, String(config.callsPerMinutePerKey));
  fn.setEnvironment(ENVIRONMENT.callsPerMinutePerConnection, String(config.callsPerMinutePerConnection));
  fn.setEnvironment(ENVIRONMENT.wrongKeysPerMinutePerAddress, String(config.wrongKeysPerMinutePerAddress));
}

/** Sets the proxy's limits of concurrent long calls. */
export function setLongCallLimits(fn: GatewayFunction, config: GatewayConfig): void {
  fn.setEnvironment(ENVIRONMENT.longCallsPerKey, String(config.longCallsPerKey));
  fn.setEnvironment(ENVIRONMENT.longCallsPerConnection, String(config.longCallsPerConnection));
}
