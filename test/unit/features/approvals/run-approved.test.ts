import { describe, expect, it } from 'vitest';
import { runApproved } from '../../../../lambdas/features/approvals/approvals/run-approved.ts';
import type { DoorAnswer, DoorQuestion } from '../../../../lambdas/gateway/core/door.ts';
import { GatewayError } from '../../../../lambdas/gateway/core/errors.ts';

const APPROVED = { detail: { account_id: 'default', approval_id: 'apr_1', outcome: 'approved' } };
const DONE: DoorAnswer = { status: 200, headers: [], body: Buffer.from('{"state":"done"}') };
const busy = () => new GatewayError('service_unavailable', 'The gateway is busy.', { applied: 'no' });

/** Runs an event against answers of the proxy, one after the other, in a function that has so many milliseconds left. */
function run(answers: readonly (DoorAnswer | Error)[], event: unknown = APPROVED, leftMs = 88_000) {
  const left = [...answers];
  const asked: DoorQuestion[] = [];
  const waits: number[] = [];
  let remaining = leftMs;
  const deps = {
    async door(question: DoorQuestion) {
      asked.push(question);
      const answer = left.shift();
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error('Asked once too often');
      return answer;
    },
    async pause(ms: number) {
      waits.push(ms);
      remaining -= ms;
    },
  };
  return { ran: runApproved(deps, event, 'r-1', () => remaining), asked, waits };
}

describe('a run of what was approved', () => {
  it('asks the proxy for the approval that the event names', async () => {
    const { ran, asked } = run([DONE]);
    expect(await ran).toEqual({ state: 'done' });
    const input = { accountId: 'default', id: 'apr_1' };
    expect(asked).toEqual([{ operation: 'run', input, requestId: 'r-1', withinMs: 88_000 }]);
  });

  it.each([
    ['a refusal', { detail: { ...APPROVED.detail, outcome: 'refused' } }],
    ['an event without an approval', { detail: { outcome: 'approved' } }],
    ['no event', 'approved'],
  ])('asks nothing for %s', async (_, event) => {
    const { ran, asked } = run([], event);
    expect([await ran, asked]).toEqual([{ state: 'none' }, []]);
  });

  it('asks a busy proxy again', async () => {
    const { ran, asked, waits } = run([busy(), busy(), DONE]);
    expect(await ran).toEqual({ state: 'done' });
    expect([asked.length, waits]).toEqual([3, [2_000, 2_000]]);
  });

  it('gives up while the proxy is busy only when too little time is left to run the call', async () => {
    const { ran, asked } = run([busy(), busy(), busy()], APPROVED, 20_000);
    await expect(ran).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(asked).toHaveLength(3);
  });

  it.each([
    ['whose answer was lost', new GatewayError('upstream_timeout', 'It may have run.', { applied: 'unknown' })],
    ['that failed', new Error('broken')],
  ])('AP-14: a run of what was approved does not repeat a question %s', async (_, failure) => {
    const { ran, asked } = run([failure, DONE]);
    await expect(ran).rejects.toBe(failure);
    expect(asked).toHaveLength(1);
  });
});
