/** Built as `approvals.mjs`, and loaded with the first call that a person has to approve. */
export { parkCall } from '../gateway/approvals/park-call.ts';
export { DESCRIBED_METHODS } from '../gateway/providers/described.ts';
