import { describe, expect, test } from 'vitest';
import { fake } from '../../../dev/support/fake.ts';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import type { Approval } from '../../../lambdas/gateway/approvals/approval.rules.ts';
import { approvalStore } from '../../../lambdas/gateway/approvals/approval.store.ts';
import { HELD_WAITS_MAX } from '../../../lambdas/gateway/core/contract.ts';
import type { TokenCipher } from '../../../lambdas/gateway/core/ports.ts';
import { systemRandom } from '../../../lambdas/gateway/platform/clock.ts';
import { waitForDecision } from '../../../lambdas/mcp/approval-status.ts';

/** Processes of the function that share a table, and a clock that stands while their waits look again. */
function world() {
  const memory = new MemoryTable();
  const store = approvalStore(memory.table, memory.table);
  const clock = { now: Date.parse('2026-03-01T10:00:00Z') };
  const states = new Map<string, Approval['state']>();
  let looking: (() => void)[] = [];
  const deps = {
    approvals: {
      find: async (ref: Parameters<typeof store.find>[0]) => approvalOf(ref.keyId, states.get(ref.keyId) ?? 'pending'),
      part: async () => undefined,
      holdWait: store.holdWait,
    },
    cipher: fake<TokenCipher>({}),
    clock: { nowMs: () => clock.now },
    random: systemRandom,
    baseUrl: 'https://gateway.example',
    pause: () => new Promise<void>((resolve) => looking.push(resolve)),
  };
  const approvalOf = (keyId: string, state: Approval['state']) =>
    ({
      ...{ accountId: 'default', keyId, ulid: '01KAMT0V5N7Z2Q4R8S6T1W3X5Y', integrationId: 'drive', connectionId: 'c' },
      ...{ state, expiresAtMs: clock.now + 86_400_000, decidedAtMs: clock.now },
    }) as unknown as Approval;
  return {
    states,
    /** Repeats of one key, and how many of them are answered. */
    repeat(keyId: string) {
      const one = { answer: undefined as string | undefined };
      const result = waitForDecision(deps, approvalOf(keyId, 'pending'), { wasDeclined: false });
      void result.then(({ structuredContent }) => (one.answer = String(structuredContent?.status)));
      return one;
    },
    held: () => looking.length,
    /** The processes that hold waits end, and time passes. */
    end(passedMs: number) {
      looking = [];
      clock.now += passedMs;
    },
    /** Every wait looks again. */
    look() {
      clock.now += 1_000;
      const all = looking;
      looking = [];
      for (const one of all) one();
    },
  };
}

const answered = (all: readonly { answer: string | undefined }[]) => all.filter(({ answer }) => answer !== undefined);
const key = (n: number) => n.toString(16).padStart(12, '0');

describe('waits for a decision that are held open', () => {
  test('AP-37: of 24 repeats of one key that come at once one is held open, and the others are answered at once', async () => {
    const { repeat, held, look, states } = world();
    const all = Array.from({ length: 24 }, () => repeat(key(1)));
    await expect.poll(() => answered(all).length).toBe(23);
    expect(held()).toBe(1);
    expect(new Set(answered(all).map(({ answer }) => answer))).toEqual(new Set(['waiting_for_approval']));
    states.set(key(1), 'refused');
    look();
    await expect.poll(() => answered(all).length).toBe(24);
    expect(all.filter(({ answer }) => answer === 'refused')).toHaveLength(1);
    // Its place is free again.
    states.set(key(1), 'pending');
    repeat(key(1));
    await expect.poll(held).toBe(1);
  });

  test('AP-37: of many keys at once so many are held open as leave half of the smallest function to others', async () => {
    const { repeat, held } = world();
    const all = Array.from({ length: 40 }, (_, n) => repeat(key(n)));
    await expect.poll(() => answered(all).length).toBe(40 - HELD_WAITS_MAX);
    expect([held(), HELD_WAITS_MAX]).toEqual([HELD_WAITS_MAX, 5]);
  });

  test('AP-37: a wait whose process ended gives its places back after its time', async () => {
    const { repeat, held, end } = world();
    for (let n = 0; n < HELD_WAITS_MAX; n++) repeat(key(n));
    await expect.poll(held).toBe(HELD_WAITS_MAX);
    const late = repeat(key(99));
    await expect.poll(() => late.answer).toBe('waiting_for_approval');
    end(60_000);
    repeat(key(99));
    await expect.poll(held).toBe(1);
  });
});
