/** Built as `hold.mjs` next to the bundle and loaded by the first call that needs a person's approval. */

import type { Call } from '../../gateway/calls/book.ts';
import type { Caller } from '../../gateway/keys/authenticate-caller.ts';
import type { LimitRefusal } from '../../gateway/keys/ports.ts';
import { DESCRIBED_METHODS } from '../../gateway/providers/described.ts';
import type { UpstreamPlan } from '../../gateway/proxying/upstream-request.rules.ts';
import type { SharedDependencies } from '../../gateway/wiring.ts';
import { approvalStore } from './approval.store.ts';
import { type HeldCall, holdForApproval } from './hold-for-approval.ts';

/** Keeps a call until a person has decided. */
export function holdCall(
  shared: SharedDependencies,
  call: Call,
  caller: Caller,
  plan: UpstreamPlan,
  why: LimitRefusal,
): Promise<HeldCall> {
  const { table, config } = shared;
  const approvals = approvalStore({ ...table, tableName: config.callLog.tableName }, table);
  return holdForApproval(
    { ...shared, approvals, baseUrl: config.baseUrl, described: DESCRIBED_METHODS },
    call,
    caller,
    plan,
    why,
  );
}
