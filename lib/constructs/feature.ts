import type { FunctionName } from '../../lambdas/gateway/core/contract.ts';
import type { GatewayConfig } from '../gateway-options.ts';
import type { GatewayFunction } from './function.ts';
import type { TokenKey } from './token-key.ts';

/** What a feature's construct is made of. */
export interface FeatureProps {
  readonly functions: Readonly<Record<FunctionName, GatewayFunction>>;
  readonly tokenKey: TokenKey;
  readonly config: GatewayConfig;
}
