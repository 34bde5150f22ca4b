import type { FeatureDependencies, Housekeeping } from '../../gateway/feature-dependencies.ts';
import { approvalUpkeep } from './approval.store.ts';
import { endApprovals } from './end-approvals.ts';

/** Ends calls that nobody decided on in time. */
export function housekeeping(deps: FeatureDependencies): Housekeeping {
  const approvals = approvalUpkeep({ ...deps.table, tableName: deps.config.callLog.tableName }, deps.table);
  return { run: (accountId, requestId) => endApprovals({ ...deps, approvals }, accountId, requestId) };
}
