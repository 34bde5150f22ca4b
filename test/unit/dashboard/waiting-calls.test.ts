import { describe, expect, it } from 'vitest';
import { SHARED_FRESH_MS } from '../../../packages/dashboard/src/data/shared-value.ts';
import { createWaitingCalls } from '../../../packages/dashboard/src/features/approvals/waiting-calls.ts';

/** Lists of approvals by their states, answered when a test says so. */
function askedGateway() {
  const questions: { query: unknown; answer(states: readonly string[]): void; fail(): void }[] = [];
  const list = (query: unknown) =>
    new Promise((resolve, reject) => {
      const answer = (states: readonly string[]) => resolve(states.map((status) => ({ status })));
      questions.push({ query, answer, fail: () => reject(new Error('no network')) });
    });
  return { questions, gateway: Object({ approvals: { list } }) };
}

/** Lets answers arrive. */
const arrived = () => new Promise((resolve) => setImmediate(resolve));

describe('the count of waiting calls', () => {
  it('AP-32: the count of waiting calls is asked for once while pages change, without what each call does, and again when it is old', async () => {
    let nowMs = 0;
    const { questions, gateway } = askedGateway();
    const calls = createWaitingCalls(gateway, () => nowMs);
    for (const _page of [1, 2, 3]) calls.renew();
    expect(questions.map(({ query }) => query)).toEqual([{ about: false }]);
    questions[0]?.answer(['pending', 'done', 'pending']);
    await arrived();
    expect(calls.current()).toBe(2);
    nowMs = SHARED_FRESH_MS - 1;
    calls.renew();
    expect(questions).toHaveLength(1);
    nowMs = SHARED_FRESH_MS;
    calls.renew();
    expect(questions).toHaveLength(2);
  });

  it('AP-32: changes for all who show it, and not after they are gone', async () => {
    const { gateway } = askedGateway();
    const calls = createWaitingCalls(gateway);
    const seen: number[] = [];
    const leave = calls.subscribe(() => seen.push(calls.current()));
    for (const count of [1, 1, 3]) calls.take(count);
    leave();
    calls.take(0);
    expect(seen).toEqual([1, 3]);
  });

  it('AP-32: the count of waiting calls is not set back by an answer that a decision has overtaken', async () => {
    const { questions, gateway } = askedGateway();
    const calls = createWaitingCalls(gateway);
    calls.renew();
    calls.take(0);
    questions[0]?.answer(['pending']);
    await arrived();
    expect(calls.current()).toBe(0);
  });

  it('AP-32: stays where a question fails, and the next page asks again', async () => {
    const { questions, gateway } = askedGateway();
    const calls = createWaitingCalls(gateway, () => 0);
    calls.renew();
    questions[0]?.fail();
    await arrived();
    expect(calls.current()).toBe(0);
    calls.renew();
    expect(questions).toHaveLength(2);
  });
});
