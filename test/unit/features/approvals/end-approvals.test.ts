import { describe, expect, test } from 'vitest';
import type { Approval } from '../../../../lambdas/features/approvals/approval.rules.ts';
import { endApprovals } from '../../../../lambdas/features/approvals/end-approvals.ts';
import type { DueApproval } from '../../../../lambdas/features/approvals/ports.ts';
import type { LifecycleEvent } from '../../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import { START_SEC } from '../../refresh/support/connection.ts';

const NOW_MS = START_SEC * 1000;
const HOUR_MS = 3_600_000;
const KEY_HASH = 'ab'.repeat(32);

function approval(changes: Partial<Approval> = {}): Approval {
  return {
    accountId: 'default',
    keyId: KEY_HASH.slice(0, 12),
    ulid: '01HZZZZZZZZZZZZZZZZZZZZZZZ',
    integrationId: 'drive',
    connectionId: 'c1',
    state: 'pending',
    keyHash: KEY_HASH,
    signedInUser: undefined,
    methodId: 'drive.files.delete',
    objectKind: 'file',
    objectId: 'f1',
    boundTo: 'sub:1',
    seat: 0,
    digest: 'digest',
    tokenHash: 'hash',
    requestedAtMs: NOW_MS - 25 * HOUR_MS,
    expiresAtMs: NOW_MS,
    decidedBy: undefined,
    decidedAtMs: undefined,
    seen: undefined,
    runId: undefined,
    runUntilMs: undefined,
    createdId: undefined,
    endedAtMs: undefined,
    outcome: undefined,
    ...changes,
  };
}

/** A tick that meets these; undefined: one that is deleted by now. */
function world(...rows: readonly (Approval | undefined)[]) {
  const due = rows.map(
    (_, n): DueApproval => ({ accountId: 'default', keyId: `k${n}`, ulid: `${n}`, dueAtMs: NOW_MS }),
  );
  const steps: unknown[][] = [];
  const events: (LifecycleEvent | undefined)[] = [];
  const looked: string[] = [];
  const logged: unknown[][] = [];
  const asked: unknown[][] = [];
  const script = { isTaken: true, fails: '' };
  const unexpected = () => expect.fail('nothing else is logged');
  const deps: Parameters<typeof endApprovals>[0] = {
    approvals: {
      async due(...asking) {
        asked.push(asking);
        return due;
      },
      async find({ ulid }) {
        if (ulid === script.fails) throw new Error('no table');
        return rows[Number(ulid)];
      },
      async step(ref, from, to, adds, condition, event) {
        steps.push([ref, from, to, adds, condition]);
        events.push(event);
        return script.isTaken;
      },
      looked: async ({ ulid }) => void looked.push(ulid),
    },
    clock: { nowMs: () => NOW_MS },
    random: { bytes: (length) => new Uint8Array(length), number: () => 0.5 },
    logger: {
      info: unexpected,
      warn: unexpected,
      error: (message, fields, error) => void logged.push([message, fields, Object(error).message]),
    },
  };
  return { steps, events, looked, logged, asked, script, run: () => endApprovals(deps, 'default', 'tick') };
}

describe('approvals whose time has come', () => {
  const DECIDED = { decidedBy: 'key', decidedAtMs: NOW_MS - HOUR_MS } as const;
  test.each<[string, Partial<Approval>, string, string, object]>([
    ['that nobody decided on', {}, 'expired', 'not_decided', {}],
    ['that were approved and did not begin', { state: 'approved', ...DECIDED }, 'expired', 'not_begun', {}],
    [
      'whose run ended without a word',
      { state: 'running', ...DECIDED, runId: 'r', runUntilMs: NOW_MS },
      'unknown',
      'lost',
      { runEndedAtMs: NOW_MS },
    ],
  ])(
    'approvals whose time has come end %s, with the event that reports it',
    async (_, changes, state, outcome, condition) => {
      const row = approval(changes);
      const { run, steps, events, looked, logged, asked } = world(row);
      await run();
      expect(asked).toEqual([['default', NOW_MS]]);
      expect(steps).toEqual([[row, row.state, state, { endedAtMs: NOW_MS, outcome }, condition]]);
      expect(events).toMatchObject([
        {
          eventType: 'ApprovalEnded',
          subject: { accountId: 'default', integrationId: 'drive', connectionId: 'c1' },
          says: { method: 'drive.files.delete', outcome: state },
          requestId: 'tick',
        },
      ]);
      // They need not be looked at again.
      expect([looked, logged]).toEqual([['0'], []]);
    },
  );

  test('approvals whose time has come are looked at again where another step was taken meanwhile', async () => {
    const { run, looked, steps, script } = world(approval());
    script.isTaken = false;
    await run();
    expect([steps.length, looked]).toEqual([1, []]);
  });

  test('approvals whose time has come are looked at again while they run', async () => {
    const { run, looked, steps } = world(approval({ state: 'running', runUntilMs: NOW_MS + 1 }));
    await run();
    expect([steps, looked]).toEqual([[], []]);
  });

  test.each<[string, Approval | undefined]>([
    ['are gone', undefined],
    ['have ended', approval({ state: 'done' })],
    ['have a later time', approval({ state: 'approved', decidedAtMs: NOW_MS - HOUR_MS + 1 })],
  ])('approvals whose time has come are left as they are where they %s, and not looked at again', async (_, row) => {
    const { run, looked, steps } = world(row);
    await run();
    expect([steps, looked]).toEqual([[], ['0']]);
  });

  test('approvals whose time has come are looked at one after the other, until one fails, which is logged', async () => {
    const { run, looked, logged, script } = world(approval(), approval(), approval());
    script.fails = '1';
    await run();
    expect(looked).toEqual(['0']);
    expect(logged).toEqual([['approvals could not be ended', { requestId: 'tick' }, 'no table']]);
  });
});
