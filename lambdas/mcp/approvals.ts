/** Built as `approvals.mjs`, and loaded with the first call that a person has to approve. */
export { holdForApproval } from '../gateway/approvals/hold-for-approval.ts';
export { DESCRIBED_METHODS } from '../gateway/providers/described.ts';
