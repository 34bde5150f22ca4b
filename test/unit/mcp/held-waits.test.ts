import { describe, expect, test } from 'vitest';
import { fake } from '../../../dev/support/fake.ts';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import { storedAgent } from '../../../lambdas/features/agents/agent.rules.ts';
import { openAgentOperations } from '../../../lambdas/features/agents/agents.lazy.ts';
import { doorTools } from '../../../lambdas/features/agents/mcp/door-tools.ts';
import { type Approval, approvalId } from '../../../lambdas/features/approvals/approval.rules.ts';
import { approvalStore } from '../../../lambdas/features/approvals/approval.store.ts';
import { HELD_WAITS_MAX } from '../../../lambdas/gateway/core/contract.ts';
import type { DoorOperations } from '../../../lambdas/gateway/core/door.ts';
import type { GatewayRequest } from '../../../lambdas/gateway/core/http-message.ts';
import { keyIdOf, sha256Hex, ulid } from '../../../lambdas/gateway/core/identifiers.ts';
import { newEvent } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import { storedLimits } from '../../../lambdas/gateway/keys/key-limits.rules.ts';
import { systemRandom } from '../../../lambdas/gateway/platform/clock.ts';
import { secretKeyRecord } from '../support/secret-key.ts';

const REF = { accountId: 'default', integrationId: 'drive', connectionId: 'c' };

/** The n-th assistant's key, and its record. */
function keyOf(n: number) {
  const text = `ak_default_${String(n).padStart(43, 'A')}`;
  const agent = storedAgent({ connections: [{ integrationId: 'drive', connectionId: 'c' }] });
  return {
    text,
    record: secretKeyRecord({ keyHash: sha256Hex(text), agent, limits: storedLimits({ mode: 'enforce' }) }),
  };
}

/** Processes of the function of assistants, what they ask of the proxy, and a clock that stands while their waits look again. */
function world() {
  const { table } = new MemoryTable();
  const approvals = approvalStore(table, table);
  const clock = { now: Date.parse('2026-03-01T10:00:00Z'), nowMs: () => clock.now };
  const records = new Map(Array.from({ length: 100 }, (_, n) => keyOf(n).record).map((one) => [one.keyHash, one]));
  const counted: string[] = [];
  let looking: (() => void)[] = [];
  const operations: DoorOperations = openAgentOperations(
    fake({
      config: {
        ...{ baseUrl: 'https://gateway.example', callLog: { tableName: table.tableName } },
        setting: () => '',
      },
      ...{ clock, table, random: systemRandom, cipher: fake({}), logger: fake({}), integrations: fake({}) },
      book: { admission: { countKey: (keyHash: string) => void counted.push(keyHash) } },
      callers: { load: async ({ keyHash }: { keyHash: string }) => ({ key: records.get(keyHash) }) },
      directory: {
        resolve: async ({ key }: { key: object }) => ({
          ...{ key, integration: { provider: 'google-drive', agentic: false } },
          live: {
            connection: {
              ...{ endUser: undefined, tags: {} },
              grantedScopes: ['https://www.googleapis.com/auth/drive.readonly'],
            },
          },
        }),
      },
    }),
  );
  const waiting = new Map<number, Approval>();
  return {
    /** Digests of the keys whose calls were counted. */
    counted,
    /** A call of the n-th key waits for a person. */
    async ask(n: number, seat = 0) {
      const { keyHash } = keyOf(n).record;
      const approval: Approval = {
        ...{ ...REF, keyHash, keyId: keyIdOf({ keyHash }), ulid: ulid(clock.now, systemRandom.bytes(10)), seat },
        ...{ state: 'pending', methodId: 'drive.files.update', digest: sha256Hex(`${n} ${seat}`) },
        ...{
          tokenHash: sha256Hex(`token ${n} ${seat}`),
          requestedAtMs: clock.now,
          expiresAtMs: clock.now + 86_400_000,
        },
        ...{ objectKind: undefined, objectId: undefined, boundTo: undefined, signedInUser: undefined },
        ...{ decidedBy: undefined, decidedAtMs: undefined, seen: undefined, runId: undefined, runUntilMs: undefined },
        ...{ createdId: undefined, endedAtMs: undefined, outcome: undefined },
      };
      const about = { subject: REF, sequence: 0, requestId: 'r-1', actor: 'key:x' };
      await approvals.create(approval, new Map(), undefined, newEvent(clock, systemRandom, 'ApprovalRequested', about));
      waiting.set(n, approval);
    },
    async refuse(n: number) {
      const approval = waiting.get(n);
      if (approval === undefined) throw new Error('Nothing waits');
      await approvals.step(approval, 'pending', 'refused', { decidedBy: 'person', decidedAtMs: clock.now });
    },
    /** The call again, and whether it is answered. */
    repeat(n: number) {
      const one: { answer: string | undefined } = { answer: undefined };
      const approval = waiting.get(n);
      const tools = doorTools(
        {
          door: async ({ operation, input, requestId }) => {
            const context = { requestId, waitUntil: () => {} };
            const answer = await Object(operations)[operation](JSON.parse(JSON.stringify(input)), context);
            if (!(answer?.body instanceof Uint8Array)) throw new Error(`No answer to ${operation}`);
            return { ...answer, body: answer.body };
          },
          remainingMs: () => 29_000,
          nowMs: clock.nowMs,
          pause: () => new Promise<void>((resolve) => looking.push(resolve)),
        },
        fake<GatewayRequest>({
          headers: [['authorization', `Bearer ${keyOf(n).text}`]],
          ...{ sourceIp: '203.0.113.9', requestId: 'r-1' },
        }),
      );
      const requestState = approval === undefined ? undefined : approvalId(approval);
      const call = { name: 'drive_search_files', args: {}, clientCapabilities: {}, requestState, wasDeclined: false };
      tools.call(call).then(
        (outcome) => {
          const result = outcome !== undefined && 'result' in outcome ? outcome.result : undefined;
          one.answer = String(result?.structuredContent?.status);
        },
        (error: unknown) => {
          one.answer = String(error);
        },
      );
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

describe('waits for a decision that are held open', () => {
  test('AP-37: of 24 repeats of one key that come at once one is held open, and the others are answered at once', async () => {
    const { ask, repeat, held, look, refuse } = world();
    await ask(1);
    const all = Array.from({ length: 24 }, () => repeat(1));
    await expect.poll(() => answered(all).length).toBe(23);
    expect(held()).toBe(1);
    expect(new Set(answered(all).map(({ answer }) => answer))).toEqual(new Set(['waiting_for_approval']));
    await refuse(1);
    look();
    await expect.poll(() => answered(all).length).toBe(24);
    expect(all.filter(({ answer }) => answer === 'refused')).toHaveLength(1);
    // Its place is free again.
    await ask(1, 1);
    repeat(1);
    await expect.poll(held).toBe(1);
  });

  test('AP-37: of many keys at once so many are held open as leave half of the smallest function to others', async () => {
    const { ask, repeat, held } = world();
    await Promise.all(Array.from({ length: 40 }, (_, n) => ask(n)));
    const all = Array.from({ length: 40 }, (_, n) => repeat(n));
    await expect.poll(() => answered(all).length).toBe(40 - HELD_WAITS_MAX);
    expect([held(), HELD_WAITS_MAX]).toEqual([HELD_WAITS_MAX, 5]);
  });

  test('AP-37: a wait whose process ended gives its places back after its time', async () => {
    const { ask, repeat, held, end } = world();
    for (let n = 0; n <= HELD_WAITS_MAX; n++) await ask(n);
    for (let n = 0; n < HELD_WAITS_MAX; n++) repeat(n);
    await expect.poll(held).toBe(HELD_WAITS_MAX);
    const late = repeat(HELD_WAITS_MAX);
    await expect.poll(() => late.answer).toBe('waiting_for_approval');
    end(60_000);
    repeat(HELD_WAITS_MAX);
    await expect.poll(held).toBe(1);
  });

  test('AP-37: a wait counts as one call of its key, however often it looks', async () => {
    const { ask, repeat, held, look, refuse, counted } = world();
    await ask(1);
    const one = repeat(1);
    for (let looks = 0; looks < 3; looks++) {
      await expect.poll(held).toBe(1);
      look();
    }
    await expect.poll(held).toBe(1);
    await refuse(1);
    look();
    await expect.poll(() => one.answer).toBe('refused');
    expect(counted).toEqual([keyOf(1).record.keyHash]);
  });
});
