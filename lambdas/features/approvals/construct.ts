import type { Construct } from 'constructs';
import type { FeatureProps } from '../../../lib/constructs/feature.ts';
import type { Approvers } from './approval.rules.ts';
import { feature } from './feature.ts';
import { APPROVAL_FAMILIES } from './rows.rules.ts';

/** Rights on the rows of approvals, and who may decide. */
export function construct(_gateway: Construct, { functions, callLog, config }: FeatureProps): void {
  const families = Object.values(APPROVAL_FAMILIES);
  // It puts rows of calls and any others: steps and results, too.
  callLog.grantRows(functions.proxy, 'ReadApprovals', ['GetItem', 'Query'], families);
  callLog.grantRows(functions.grants, 'DecideApprovals', ['UpdateItem'], families);
  callLog.grantRows(functions.refresh, 'EndApprovals', ['GetItem', 'UpdateItem'], families);
  const approvers: Approvers = config.approvers;
  for (const fn of [functions.proxy, functions.management, functions.grants])
    fn.setEnvironment(feature.environment.approvers, approvers);
}
