import { approvalUpkeep } from '../../gateway/approvals/approval.store.ts';
import type { RowClearing } from '../../gateway/connections/ports.ts';
import type { UpkeepDependencies } from '../../gateway/feature-dependencies.ts';

/** Deletes the approvals of deleted connections. */
export function clearing({ table, config }: UpkeepDependencies): RowClearing {
  return approvalUpkeep({ ...table, tableName: config.callLog.tableName }, table);
}
