import type { Construct } from 'constructs';
import type { FeatureProps } from '../../../lib/constructs/feature.ts';
import type { Approvers } from './approval.rules.ts';
import { feature } from './feature.ts';

/** Sets who may decide. */
export function construct(_gateway: Construct, { functions, config }: FeatureProps): void {
  const approvers: Approvers = config.approvers;
  for (const fn of [functions.proxy, functions.management, functions.grants])
    fn.setEnvironment(feature.environment.approvers, approvers);
}
