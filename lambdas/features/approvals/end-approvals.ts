import type { Clock, Logger, Random } from '../../gateway/core/ports.ts';
import { type Approval, stateAt } from './approval.rules.ts';
import { endedEvent } from './ended-event.ts';
import type { ApprovalUpkeep } from './ports.ts';

export interface EndApprovalsDependencies {
  readonly approvals: Pick<ApprovalUpkeep, 'find' | 'step' | 'due' | 'looked'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/**
 * Ends calls that nobody decided on in time, that were approved but did not begin, and whose run ended without a result, each with its
 * event: a bounded number per tick. Nothing is sent.
 */
export async function endApprovals(
  deps: EndApprovalsDependencies,
  accountId: string,
  requestId: string,
): Promise<void> {
  const { approvals, clock, logger } = deps;
  try {
    for (const due of await approvals.due(accountId, clock.nowMs())) {
      const approval = await approvals.find(due);
      if (approval === undefined || (await isOver(deps, approval, requestId))) await approvals.looked(due);
    }
  } catch (error) {
    logger.error('approvals could not be ended', { requestId }, error);
  }
}

/** @returns whether this deadline needs no further look */
async function isOver(deps: EndApprovalsDependencies, approval: Approval, requestId: string): Promise<boolean> {
  const nowMs = deps.clock.nowMs();
  const state = stateAt(approval, nowMs);
  // It ends within a minute by itself, or the next tick ends it.
  if (state === 'running') return false;
  // A late approval has a deadline of its own.
  if (state === approval.state) return true;
  const isRun = state === 'unknown';
  const adds = {
    endedAtMs: nowMs,
    outcome: isRun ? 'lost' : approval.state === 'pending' ? 'not_decided' : 'not_begun',
  };
  const condition = isRun ? { runEndedAtMs: nowMs } : {};
  const event = endedEvent(deps, approval, state, requestId);
  return deps.approvals.step(approval, approval.state, state, adds, condition, event);
}
