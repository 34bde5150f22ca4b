import { describe, expect, it } from 'vitest';
import { fake } from '../../../../dev/support/fake.ts';
import { type Approval, accountOf } from '../../../../lambdas/features/approvals/approval.rules.ts';
import { boundApproval } from '../../../../lambdas/features/approvals/decide.ts';
import type { ApprovalStore } from '../../../../lambdas/features/approvals/ports.ts';
import type { Connection } from '../../../../lambdas/gateway/connections/connection.rules.ts';
import { systemRandom } from '../../../../lambdas/gateway/platform/clock.ts';

const NOW_MS = Date.parse('2026-03-01T10:00:00Z');

function connectionOf(subject: string | undefined, consentedAtEpochSec = 1): Connection {
  const providerAccount = subject === undefined ? undefined : { subject, email: `${subject}@example.com` };
  return { providerAccount, consentedAtEpochSec } as unknown as Connection;
}

/** An approval that was asked for as an account, seen once its connection is of another. */
async function seenWith(asked: Connection, now: Connection, state: Approval['state'] = 'pending') {
  const approval = {
    ...{ accountId: 'default', integrationId: 'drive', connectionId: 'c', keyId: 'f3a1c5d2e4b6' },
    ...{ ulid: '01KAMT0V5N7Z2Q4R8S6T1W3X5Y', methodId: 'drive.files.delete', state, expiresAtMs: NOW_MS + 1000 },
    ...{
      objectKind: 'file',
      objectId: 'f1',
      boundTo: accountOf(asked),
      decidedAtMs: NOW_MS,
      runUntilMs: NOW_MS + 1000,
    },
  } as unknown as Approval;
  const steps: unknown[][] = [];
  const approvals = fake<ApprovalStore>({
    step(...[, from, to, adds, , event]: Parameters<ApprovalStore['step']>) {
      steps.push([from, to, adds.outcome, event?.eventType]);
      return Promise.resolve(true);
    },
  });
  const deps = { approvals, random: systemRandom, clock: { nowMs: () => NOW_MS } };
  const after = await boundApproval(deps, approval, now, 'r');
  return { state: after.state, steps };
}

describe('the account that an approval is about', () => {
  it('AP-33: makes what waits stale once the connection is of another account, with an event', async () => {
    expect(await seenWith(connectionOf('ann'), connectionOf('eve'))).toEqual({
      state: 'stale',
      steps: [['pending', 'stale', 'other_account', 'ApprovalEnded']],
    });
  });

  it('AP-33: leaves what waits as it is after the same account has consented again', async () => {
    expect(await seenWith(connectionOf('ann'), connectionOf('ann', 2))).toEqual({ state: 'pending', steps: [] });
  });

  it('AP-33: the account that an approval is about is identified by its consent where Google did not name the account', async () => {
    expect((await seenWith(connectionOf(undefined), connectionOf(undefined, 2))).state).toBe('stale');
    expect((await seenWith(connectionOf(undefined), connectionOf(undefined))).state).toBe('pending');
  });

  it('AP-33: changes nothing of what has been decided', async () => {
    expect(await seenWith(connectionOf('ann'), connectionOf('eve'), 'approved')).toEqual({
      state: 'approved',
      steps: [],
    });
  });
});
