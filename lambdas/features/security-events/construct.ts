import type { Construct } from 'constructs';
import type { FeatureProps } from '../../../lib/constructs/feature.ts';
import { feature } from './feature.ts';

/** Lets the inbox ask the refresh function for the work of a statement. Rights to rows are those of the table's families. */
export function construct(_gateway: Construct, { functions, startFromInbox }: FeatureProps): void {
  startFromInbox(functions.refresh, feature.environment.refreshFunctionName);
}
