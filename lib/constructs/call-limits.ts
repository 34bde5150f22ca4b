import { ENVIRONMENT } from '../../lambdas/gateway/core/contract.ts';
import type { GatewayConfig } from '../gateway-options.ts';
import type { GatewayFunction } from './function.ts';

/** Tells a function how many calls it may let through. */
export function setCallLimits(fn: GatewayFunction, config: GatewayConfig): void {
  fn.setEnvironment(ENVIRONMENT.callsPerMinutePerKey, String(config.callsPerMinutePerKey));
  fn.setEnvironment(ENVIRONMENT.callsPerMinutePerConnection, String(config.callsPerMinutePerConnection));
  fn.setEnvironment(ENVIRONMENT.wrongKeysPerMinutePerAddress, String(config.wrongKeysPerMinutePerAddress));
}

/** Tells the proxy how many long calls may be under way at the same time. */
export function setLongCallLimits(fn: GatewayFunction, config: GatewayConfig): void {
  fn.setEnvironment(ENVIRONMENT.longCallsPerKey, String(config.longCallsPerKey));
  fn.setEnvironment(ENVIRONMENT.longCallsPerConnection, String(config.longCallsPerConnection));
}
