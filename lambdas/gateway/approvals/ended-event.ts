import { keyIdOf } from '../core/identifiers.ts';
import type { Clock, Random } from '../core/ports.ts';
import { newEvent } from '../events/lifecycle-event.rules.ts';
import { type Approval, approvalId } from './approval.rules.ts';

/** The event that tells how a call ended that somebody was asked to approve. @param outcome the state it came to */
export function endedEvent(
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  approval: Approval,
  outcome: string,
  requestId: string,
) {
  const { accountId, integrationId, connectionId, methodId, keyHash } = approval;
  return newEvent(clock, random, 'ApprovalEnded', {
    subject: { accountId, integrationId, connectionId },
    sequence: 0,
    says: { approval_id: approvalId(approval), method: methodId, key_id: keyIdOf({ keyHash }), outcome },
    requestId,
  });
}
