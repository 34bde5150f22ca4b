import { approvalUpkeep } from '../../gateway/approvals/approval.store.ts';
import type { Housekeeping, UpkeepDependencies } from '../../gateway/feature-dependencies.ts';
import { endApprovals } from './end-approvals.ts';

/** Ends calls that nobody decided on in time. */
export function housekeeping(deps: UpkeepDependencies): Housekeeping {
  const approvals = approvalUpkeep({ ...deps.table, tableName: deps.config.callLog.tableName }, deps.table);
  return { run: (accountId, requestId) => endApprovals({ ...deps, approvals }, accountId, requestId) };
}
