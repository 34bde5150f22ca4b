import type { Approval } from './approval.rules.ts';
import { APPROVAL_LIFETIME_SEC } from './limits.rules.ts';
import type { ApprovalStore } from './ports.ts';

/** Keys whose approvals are read at the same time. */
const KEYS_AT_ONCE = 10;

/** Approvals that keys of an account asked for in the last day, grouped by key, the newest first. */
export async function recentApprovals(
  approvals: Pick<ApprovalStore, 'keysOf' | 'ofKey'>,
  accountId: string,
  nowMs: number,
): Promise<readonly (readonly Approval[])[]> {
  const keyIds = await approvals.keysOf(accountId, nowMs);
  const found: (readonly Approval[])[] = [];
  for (let at = 0; at < keyIds.length; at += KEYS_AT_ONCE) {
    const some = keyIds.slice(at, at + KEYS_AT_ONCE);
    const sinceMs = nowMs - APPROVAL_LIFETIME_SEC * 1000;
    found.push(...(await Promise.all(some.map((keyId) => approvals.ofKey(accountId, keyId, sinceMs)))));
  }
  return found;
}
