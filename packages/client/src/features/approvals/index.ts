export {
  type AboutApproval,
  type Approval,
  type ApprovalFact,
  type ApprovalLink,
  type ApprovalObject,
  type ApprovalRequest,
  type ApprovalResult,
  Approvals,
  type ShownApproval,
} from './approvals.ts';
