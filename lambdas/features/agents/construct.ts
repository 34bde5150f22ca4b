import { Annotations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { FeatureProps } from '../../../lib/constructs/feature.ts';
import type { GatewayFunction } from '../../../lib/constructs/function.ts';
import type { GatewayConfig } from '../../../lib/gateway-options.ts';
import { feature } from './feature.ts';

/** Sets whose assistants the proxy serves and the management API describes. */
export function construct(gateway: Construct, { functions, config }: FeatureProps): void {
  for (const fn of [functions.proxy, functions.management, functions.grants]) {
    setSignIn(fn, config);
    fn.setEnvironment(feature.environment.agentsOverRest, config.agentsOverRest);
  }
  const { agentSignIn } = config;
  if (agentSignIn === undefined) return;
  if (/(^|\.)(login\.microsoftonline\.(com|us)|sts\.windows\.net)$/.test(new URL(agentSignIn.issuer).hostname)) {
    Annotations.of(gateway).addWarningV2(
      '@integration-gateway:agentSignIn',
      'Entra refuses sign-ins that name a resource (AADSTS9010010), which clients of the Model Context Protocol do. Put an issuer of your own in front of it, or use agent keys.',
    );
  }
}

/** Sets the issuer whose access tokens assistants may send. */
export function setSignIn(fn: GatewayFunction, { agentSignIn }: Pick<GatewayConfig, 'agentSignIn'>): void {
  fn.setEnvironment(feature.environment.agentSignIn, agentSignIn === undefined ? '' : JSON.stringify(agentSignIn));
}
