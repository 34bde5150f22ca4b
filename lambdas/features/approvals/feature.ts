import type { Feature } from '../feature.rules.ts';
import { APPROVAL_KEPT_SEC, APPROVAL_LIFETIME_SEC } from './limits.rules.ts';

/** In the call log's table; what an approver was shown is kept longest. */
const SEALED = { purpose: 'approvals', keptElsewhereSec: APPROVAL_LIFETIME_SEC + APPROVAL_KEPT_SEC } as const;

/** Calls that wait until a person decides ([approvals.md](../../../docs/approvals.md)). */
export const feature = {
  id: 'approvals',
  title: 'calls that wait until a person approves them',
  /** The function of the pages, which also has approved calls sent: the proxy judges and does all of it. */
  functions: ['approvals'],
  doorAliases: ['approvals'],
  memoryMb: { approvals: 512 },
  paths: ['approvals', 'approve'],
  grantPaths: ['/approvals', '/approvals/{proxy+}'],
  /** The sign-in with which an end user shows who they are. */
  callbackStates: { 'approve.': '/approve/return' },
  errors: { approval_stale: 409, approval_expired: 410 },
  errorWords: {
    approval_stale: 'What the call was about had changed since the person saw it, so nothing was sent. Send it again.',
    approval_expired: 'Nobody decided in time, or the call could not begin in time. Nothing was sent; send it again.',
  },
  events: ['ApprovalRequested', 'ApprovalLinkCreated', 'ApprovalDecided', 'ApprovalEnded'],
  eventMembers: ['approval_id', 'object_kind', 'object_id'],
  attention: ['approval'],
  environment: {
    /** Who may decide, one of `APPROVERS`. Proxy, management and grants. */
    approvers: 'APPROVERS',
  },
  servedLimits: ['approve', 'approval'],
  keyPurposes: ['approvals'],
  dataKeys: { proxy: ['approvals'], grants: ['approvals'] },
  sealedFields: {
    'approval.request': SEALED,
    'approval.body': { ...SEALED, inPieces: true },
    'approval.about': SEALED,
    'approval.result': SEALED,
    'approval.signIn': SEALED,
  },
  tags: { Approvals: 'Calls that wait until a person approves them.' },
  lazy: { decisions: ['proxy'], 'held-tools': ['grants', 'proxy'], hold: ['proxy'] },
} as const satisfies Feature;
