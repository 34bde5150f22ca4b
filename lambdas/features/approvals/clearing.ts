import type { RowClearing } from '../../gateway/connections/ports.ts';
import type { FeatureDependencies } from '../../gateway/feature-dependencies.ts';
import { approvalUpkeep } from './approval.store.ts';

/** Deletes the approvals of deleted connections. */
export function clearing({ table, config }: FeatureDependencies): RowClearing {
  return approvalUpkeep({ ...table, tableName: config.callLog.tableName }, table);
}
