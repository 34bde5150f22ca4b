import type { FeatureDependencies } from '../../gateway/feature-dependencies.ts';
import { APPROVERS, type Approvers } from './approval.rules.ts';
import { approvalStore } from './approval.store.ts';
import type { ApprovalStore } from './ports.ts';

/** Dependencies of the routes of approvals, in addition to those of all routes. */
export interface ApprovalServices {
  readonly approvals: ApprovalStore;
  /** Who may decide. */
  readonly approvers: Approvers;
  /** What describes waiting calls of providers' own tools, loaded when it is first needed. */
  readonly heldTools: () => Promise<typeof import('./held-tools.lazy.ts')>;
}

/** Opens nothing: costs a request nothing. */
export function approvalServices({
  table,
  config,
  later,
}: Pick<FeatureDependencies, 'table' | 'config' | 'later'>): ApprovalServices {
  return {
    approvals: approvalStore({ ...table, tableName: config.callLog.tableName }, table),
    approvers: APPROVERS.find((one) => one === config.setting('approvers')) ?? 'both',
    heldTools: () => later('held-tools'),
  };
}
