import type { Clock, Random } from '../../gateway/core/ports.ts';
import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import { type Approval, approvalId } from './approval.rules.ts';

/** What every event of an approval says: which call, of which key, about what. */
export function saidOf(approval: Approval) {
  const { methodId, keyId, objectKind, objectId } = approval;
  return {
    approval_id: approvalId(approval),
    method: methodId,
    key_id: keyId,
    ...(objectKind !== undefined && objectId !== undefined ? { object_kind: objectKind, object_id: objectId } : {}),
  };
}

/** The event that shows how a call ended that somebody was asked to approve. @param outcome the state it came to */
export function endedEvent(
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  approval: Approval,
  outcome: string,
  requestId: string,
) {
  const { accountId, integrationId, connectionId } = approval;
  return newEvent(clock, random, 'ApprovalEnded', {
    subject: { accountId, integrationId, connectionId },
    sequence: 0,
    says: { ...saidOf(approval), outcome },
    requestId,
  });
}
