import { type Attention, counted, hasWholeAccount, type Looked } from '../../management/overview/attention-row.ts';
import { type Approval, approvalId, stateAt } from './approval.rules.ts';
import { APPROVED_LATE_SEC } from './limits.rules.ts';
import { recentApprovals } from './recent-approvals.ts';
import { approvalServices } from './services.ts';

/** Rows about calls that people were asked to approve. */
export const attention = {
  async approval({ reads, caller, nowEpochSec }: Looked): Promise<readonly Attention[]> {
    if (!hasWholeAccount(caller)) return [];
    const nowMs = nowEpochSec * 1000;
    const { approvals } = approvalServices(reads.forFeatures);
    return approvalRows((await recentApprovals(approvals, caller.accountId, nowMs)).flat(), nowMs);
  },
};

type Texts = Pick<Attention, 'title' | 'explanation' | 'steps' | 'severity' | 'reason'>;

/** Calls that wait for approval, approved ones that do not begin, and those with an unknown outcome. */
function approvalRows(all: readonly Approval[], nowMs: number): Attention[] {
  const late = all.filter(
    ({ state, decidedAtMs = nowMs }) => state === 'approved' && nowMs - decidedAtMs > APPROVED_LATE_SEC * 1000,
  );
  const unknown = all.filter((one) => stateAt(one, nowMs) === 'unknown');
  const waiting = all.filter((one) => stateAt(one, nowMs) === 'pending');
  const row = (of: readonly Approval[], texts: Texts): Attention[] => {
    const [first] = of;
    if (first === undefined) return [];
    const since = of.map(({ decidedAtMs, requestedAtMs }) => Math.floor((decidedAtMs ?? requestedAtMs) / 1000));
    return [
      {
        ...{ kind: 'approval', who: 'developer', count: of.length, sinceEpochSec: Math.min(...since), ...texts },
        integrationId: of.every(({ integrationId }) => integrationId === first.integrationId)
          ? first.integrationId
          : undefined,
        id: of.length === 1 ? approvalId(first) : undefined,
      },
    ];
  };
  return [
    ...row(late, {
      severity: 'error',
      reason: 'not_begun',
      title: `${counted(late.length, 'approved call')} ${late.length === 1 ? 'has' : 'have'} not begun`,
      explanation: 'What a person approves is sent within seconds. An hour after the decision it is not sent any more.',
      steps: ['See whether the function that sends approved calls fails (docs/runbook.md).'],
    }),
    ...row(unknown, {
      severity: 'warning',
      reason: 'outcome_unknown',
      title: `It is not known whether ${counted(unknown.length, 'approved call')} ${unknown.length === 1 ? 'was' : 'were'} carried out`,
      explanation:
        'The response was lost, and reading the object did not show whether it was changed. The call is never sent again.',
      steps: ['Look at Google before you have it done again.'],
    }),
    ...row(waiting, {
      severity: 'warning',
      reason: 'waiting',
      title: `${counted(waiting.length, 'call')} ${waiting.length === 1 ? 'waits' : 'wait'} for approval`,
      explanation: 'Nothing is sent until a person approves it. After a day it expires.',
      steps: ['Read what each call would do, and approve or refuse it.'],
    }),
  ];
}
